"""Editors know boards: members by their parts, what is worked out, and edges that attributes state."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.editor import Editor

BOARD = Path(__file__).parent / "errors" / "sound" / "board"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BOARD, tmp_path / "board"))


def test_completion_offers_what_may_stand_on_boards(editor: Editor, home: Path) -> None:
    """Keys, parts, attributes of numbered and combined members; what is worked out is not asked of rows."""
    for old, new, wanted, unwanted in (
        ("  row: {title: Row, numbers: 1..4}", "  row:\n    |\n", {"numbers", "for_each"}, {"is"}),
        ("      ring: {type: 0..1,", "      ring: {type: 0..1, |", {"is", "default"}, {"numbers"}),
        ("is: square[it.column", "is: square[it.|", {"column", "row"}, {"number"}),
        ("square[it.column.number + on.right", "square[it.column.number + on.|", {"right", "up"}, {"column"}),
        ("square[column[4], row[4]]", "square[column[4], |]", {"row"}, {"put_a_stone"}),
        ("s.owner == who.rival)", "s.|)", {"owner", "toward"}, {"one"}),
        ("long: {one: column_1_row_1, other:", "long: {|, other:", {"one", "title"}, {"span"}),
    ):
        found = editor.completions(home / "ruleset.yaml", old, new)
        assert wanted <= found and not unwanted & found, (new, found)
