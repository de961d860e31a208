"""Editors know settings: what `when` may ask, what scenarios may settle, and where settings are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.editor import Editor, edited

HARBOURS = Path(__file__).parent / "rulesets" / "harbours"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return Path(shutil.copytree(HARBOURS, tmp_path / "harbours"))


def test_settings_are_completed(editor: Editor, home: Path) -> None:
    """In conditions of rows and edges, in ranges, in expressions, and among what a scenario settles."""
    for file, old, new, wanted in (
        ("things.yaml", "when: map == large", "when: |", {"map", "storms", "seats", "large"}),
        ("things.yaml", "{when: not storms}", "{when: not |}", {"storms"}),
        ("things.yaml", "type: 0..days,", "type: 0..|,", {"days", "catch"}),
        ("play.yaml", "while: day < days", "while: day < |", {"days", "seats"}),
        ("scenarios/rough_sea.yaml", "days: 4}", "|: 4}", {"days", "catch", "map"}),
    ):
        found = editor.completions(home / file, old, new)
        assert wanted <= found, (new, found)


@pytest.mark.slow
def test_a_setting_is_renamed_wherever_it_is_named(editor: Editor, home: Path) -> None:
    """In ranges, dice, tables and first values as well as in expressions; nothing is found to be wrong before."""
    play, things, manifest = (home / name for name in ("play.yaml", "things.yaml", "ruleset.yaml"))
    editor.open(play)
    editor.open(things)
    assert editor.findings(play) + editor.findings(things) == []
    text = manifest.read_text("utf-8")
    editor.open(manifest)
    changed = edited(editor.at("rename", manifest, text, "  cat|ch: ", newName="haul"))
    assert "dice: 1d(haul)" in changed[play]
    assert "0..haul * days + 3" in changed[things]
    assert "  haul: {type: 2..6" in changed[manifest]
    assert "black: {fish: haul - 3}" in changed[home / "scenarios" / "standard.yaml"]
    assert not any("catch:" in each or "(catch)" in each for each in changed.values())


@pytest.mark.slow
def test_hovering_over_a_setting_says_what_it_is(editor: Editor, home: Path) -> None:
    play = home / "play.yaml"
    text = play.read_text("utf-8")
    editor.open(play)
    assert "Map: small (small or large)" in editor.at("hover", play, text, "is: 2 if m|ap")["contents"]["value"]
