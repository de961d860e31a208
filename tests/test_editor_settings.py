"""Editors know settings: what `when` may ask, what scenarios may settle, and where settings are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lsprotocol.types import Position, Range
from support.editor import Editor, edited, shown

from polis_rules.language_server import answers
from polis_rules.language_server.completion import complete
from polis_rules.language_server.fixes import fixes
from polis_rules.language_server.workbench import Workbench

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


def test_a_mistake_that_the_settings_leave_out_is_shown_after_all_others_and_mended(home: Path, editor: Editor) -> None:
    play = home / "play.yaml"
    text = play.read_text("utf-8")
    broken = text.replace("is: min(who.fish, 1)", "is: min(who.fsh, 1)")
    editor.open(play)
    assert editor.findings(play) == []
    editor.type(play, broken)
    while not (found := editor.findings(play)):
        editor.published.clear()
    [message] = [each["message"] for each in found]
    assert "fsh" in message
    assert "(with storms true)" in message
    editor.type(play, text)
    assert editor.findings(play) == []


def test_a_place_that_several_values_show_to_be_wrong_is_told_of_once_and_mended(home: Path) -> None:
    play = home / "play.yaml"
    text = play.read_text("utf-8").replace("when: storms\n    of", "when: catch != 4\n    of")
    bench = Workbench()
    bench.change(play, text.replace("who.fish, 1", "who.fsh, 1"))
    target = bench.target(play)
    assert target is not None
    while answers.look_further(bench, play) is not None:
        pass
    everywhere = Range(Position(0, 0), Position(999, 0))
    assert [each.title for each in fixes(bench, play, everywhere)] == ["write `fish` instead of `fsh`"]
    found = answers.findings(bench, bench.analysis(target))[play]
    assert [each.message.split("`")[2].split("\n")[0] for each in found if "fsh" in each.message] == [" (with catch 2)"]


FORMS = """\
variant: forms
title: Every form of a path
extends: harbours
requires: [big_days]
change:
  settings.days: {was: 3..6, to: 4..6}
  settings.catch.start: {was: 4, to: 5}
  "settings.storms.title": {was: Storms, to: Gales}
  settings.bounty:
    title: {was: Bounty of a feast, to: Bounty}
  settings:
    map:
      title: {was: Map, to: Sea}
  terms.lost_in_a_storm.is: {was: "min(who.fish, 1)", to: "min(who.fish, 2)"}
  actions.feast.do.gain.fish: {was: bounty, to: bounty + 1}
"""
"""It reaches settings, a rule that is left out without storms, and a step that the variant it asks for has put in."""


@pytest.mark.slow
def test_what_an_overlay_patches_is_found_and_renamed_by_every_form_of_a_path(editor: Editor, home: Path) -> None:
    """Settings, what they leave out and what another variant adds, in whole paths, parts of them and old values."""
    path, manifest = home / "variants" / "forms.yaml", home / "ruleset.yaml"
    path.write_text(FORMS, "utf-8")
    editor.open(path)
    editor.open(manifest)
    assert editor.findings(path) == []
    for needle, name in (
        ("settings.da|ys: {", "days"),
        ("settings.cat|ch.start", "catch"),
        ('"settings.sto|rms', "storms"),
        ("settings.bo|unty:\n", "bounty"),
        ("    m|ap:\n", "map"),
        ("terms.lost|_in_a_storm", "lost_in_a_storm"),
        ("actions.fe|ast.do", "feast"),
        ("{was: bo|unty, to", "bounty"),
    ):
        (declared,) = editor.at("definition", path, FORMS, needle)
        assert shown(declared)[1] == name and not declared["uri"].endswith("forms.yaml"), needle
        known = editor.at("references", path, FORMS, needle, context={"includeDeclaration": True})
        assert {shown(each)[1] for each in known} == {name} and declared in known
        renamed = edited(editor.at("rename", path, FORMS, needle, newName="renamed"))
        assert renamed[path].count("renamed") == (3 if name == "bounty" else 1) and len(renamed) > 1, needle
    (start,) = editor.at("definition", path, FORMS, "settings.catch.sta|rt")
    assert shown(start)[1] == "start" and start["uri"] == manifest.as_uri()


def test_paths_to_settings_are_completed_and_their_old_values_filled_in(home: Path) -> None:
    bench, path = Workbench(), home / "variants" / "forms.yaml"
    bench.change(path, FORMS.replace("settings.catch.start: {was: 4, ", "settings.catch.start: {"))
    line = FORMS[: FORMS.index("settings.catch")].count("\n")
    (mended,) = fixes(bench, path, Range(Position(line, 0), Position(line, 30)))
    assert mended.title == "add `was: 4`"
    bench.change(path, FORMS.replace("settings.catch.start", "settings."))
    offered = {each.label for each in complete(bench, path, Position(line, 11))}
    assert {"catch", "storms", "days", "map", "bounty"} <= offered


def test_a_variant_that_lies_elsewhere_is_checked_with_the_shipped_one_that_it_requires(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        "variant: mine\nextends: yucata\nwhy: It is tried.\nrequires: [tweaks]\nsettings: {siege_die: 8}\n", "utf-8"
    )
    bench = Workbench()
    target = bench.target(mine)
    assert target is not None and [each.name for each in target.variants] == ["mine.yaml", "tweaks.yaml"]
    assert not any(answers.findings(bench, bench.analysis(target)).values())


def test_what_only_other_values_of_settings_have_is_renamed_in_cases_too(editor: Editor, home: Path) -> None:
    play, cases = home / "play.yaml", home / "cases" / "settled.yaml"
    text = play.read_text("utf-8")
    editor.open(play)
    changed = edited(editor.at("rename", play, text, "  fea|st:\n", newName="banquet"))
    assert changed[cases] == cases.read_text("utf-8").replace("red: feast", "red: banquet")
