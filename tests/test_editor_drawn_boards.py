"""Editors know the section `board`: what may stand there, and what its names mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.editor import Editor, edited
from support.small_ruleset import small

BOARD = """
board:
  size: [400, 300]
  symbols: {region: area}
  colours: {red: purple, region.wet: water}
  lines: {land: dashed}
  show: {region.owner: colour}
  places:
    region: {north: [100, 60]}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return small(tmp_path, more=BOARD)


def test_completion_offers_what_may_stand_in_a_board(editor: Editor, home: Path) -> None:
    for old, new, wanted, unwanted in (
        ("  symbols:", "  |\n  symbols:", {"insets", "backdrop"}, {"kinds"}),
        ("region: area", "region: |", {"area", "circle", "none"}, {"red"}),
        ("lines: {land: dashed}", "lines: {|}", {"land", "ferries"}, {"region"}),
        ("region: {north", "region: {|north", {"north", "south"}, {"red"}),
        ("{red: purple", "{|: purple", {"red", "region"}, {"north"}),
        ("land: dashed", "land: |", {"solid", "dotted"}, {"circle"}),
    ):
        found = editor.completions(home / "more.yaml", old, new)
        assert wanted <= found and not unwanted & found, (new, found)


@pytest.mark.parametrize(
    ("needle", "new", "line"),
    [
        ("    nor|th: {worth", "upper", "    region: {upper: [100, 60]}"),
        ("      own|er: player or none", "holder", "  show: {region.holder: colour}"),
        ("    re|d: {rival", "crimson", "  colours: {crimson: purple, region.wet: water}"),
        ("      we|t: {type: flag", "damp", "  colours: {red: purple, region.damp: water}"),
        ("  la|nd:\n    edges", "roads", "  lines: {roads: dashed}"),
        ("  reg|ion:\n    attributes", "place", "  show: {place.owner: colour}"),
    ],
)
def test_renaming_reaches_the_board(editor: Editor, home: Path, needle: str, new: str, line: str) -> None:
    things = home / "things.yaml"
    changed = edited(editor.at("rename", things, things.read_text(), needle, newName=new))
    assert line in changed[home / "more.yaml"].splitlines()
