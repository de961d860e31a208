"""A kind and the attributes that `for_each` calls after it are renamed together."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from polis_rules.language_server import Workbench, path_of, rename
from polis_rules.validation.validate import validate

HERE = Path(__file__).parent / "rulesets"
VARIANT = """\
variant: titled
title: Titled
extends: {name}
why: To see what follows.
change:
  kinds.column.title: {{was: Column, to: File}}
"""


def renamed(file: Path, place: str, new: str) -> None:
    """Rename what stands at | in a place of a file, and write all that becomes another."""
    text = file.read_text("utf-8")
    at = text.index(place.replace("|", "")) + place.index("|")
    line = text.count("\n", 0, at)
    found = rename(Workbench(), file, lsp.Position(line, at - text.rfind("\n", 0, at) - 1), new)
    for uri, edits in (found.changes or {}).items():
        path = path_of(uri)
        assert path is not None
        lines = path.read_text("utf-8").split("\n")
        for edit in sorted(edits, key=lambda each: each.range.start.character, reverse=True):
            start, end = edit.range.start, edit.range.end
            here = lines[start.line]
            lines[start.line] = here[: start.character] + edit.new_text + here[end.character :]
        path.write_text("\n".join(lines), "utf-8")


def with_variant(home: Path) -> Path:
    """The file of a variant that says something of the kind."""
    (home / "variants").mkdir()
    variant = home / "variants" / "titled.yaml"
    variant.write_text(VARIANT.format(name=home.name), "utf-8")
    return variant


@pytest.mark.parametrize("place", ["  colu|mn: {title", "for_each: [colu|mn", "it.colu|mn.number"])
def test_a_kind_is_renamed_with_the_attribute_that_has_its_name(tmp_path: Path, place: str) -> None:
    home = Path(shutil.copytree(HERE / "othello", tmp_path / "othello"))
    file = home / "ruleset.yaml"
    renamed(file, place, "rank_of_squares")
    text = file.read_text("utf-8")
    assert "for_each: [rank_of_squares, row]" in text and "it.rank_of_squares.number" in text
    assert "column" not in text.replace("Column", "")
    assert not validate(home).errors


def test_it_is_renamed_in_variants_too(tmp_path: Path) -> None:
    home = Path(shutil.copytree(HERE / "hex", tmp_path / "hex"))
    variant = with_variant(home)
    renamed(home / "ruleset.yaml", "for_each: [colu|mn", "file_of_cells")
    assert "kinds.file_of_cells.title" in variant.read_text("utf-8")
    assert not validate(home, variants=["titled"]).errors


def test_members_that_are_called_after_it_are_renamed_in_cases_also_where_it_is_renamed_in_a_variant(
    tmp_path: Path,
) -> None:
    home = Path(shutil.copytree(HERE / "othello", tmp_path / "othello"))
    renamed(with_variant(home), "kinds.colu|mn.title", "file_of_squares")
    text = (home / "cases" / "turning.yaml").read_text("utf-8")
    assert "file_of_squares_2_row_4" in text and "column" not in text
    assert not validate(home).errors


def test_an_attribute_with_a_name_of_its_own_is_renamed_alone(tmp_path: Path) -> None:
    home = Path(shutil.copytree(HERE / "othello", tmp_path / "othello"))
    file = home / "ruleset.yaml"
    text = file.read_text("utf-8")
    file.write_text(
        text.replace("for_each: [column, row]", "for_each: {across: column, row: row}").replace(".column", ".across"),
        "utf-8",
    )
    renamed(file, "it.acr|oss.number", "along")
    assert "for_each: {along: column, row: row}" in file.read_text("utf-8")
    assert not validate(home).errors
