"""Grades of single values of a row: which value has which, who tells them, and what is wrong with them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.composing import GAME, at, lay, variant
from support.editor import Editor, edited
from support.reading import page_of

from polis_rules.composition import compose
from polis_rules.diagnostics import Diagnostics
from polis_rules.documentation import citations, diff, explain
from polis_rules.documentation.rulebook import read
from polis_rules.pipeline import documented
from polis_rules.schema import grading
from polis_rules.schema.table_check import Sound, check_tables
from polis_rules.validation import validate

MARKET = Path(__file__).parent / "errors" / "sound" / "market"
WINE = "    wine: {title: Wine, price: 3}\n"
SOURCED = GAME["ruleset.yaml"].replace("{own: {title: Own}}", "{own: {title: Own, grade: quoted}}")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MARKET, tmp_path / "market"))


def graded(home: Path, grade: str) -> Path:
    """The market with a grade at one of its goods."""
    file = home / "ruleset.yaml"
    file.write_text(file.read_text("utf-8").replace(WINE, WINE.replace("}", f", grade: {grade}}}")), "utf-8")
    return home


@pytest.mark.parametrize(
    ("row", "grades"),
    [
        ("cite: own, 1, grade: {points: inferred}", {"points": "inferred", "default": "quoted"}),
        ("cite: own, 1, grade: {points: inferred, default: house}", {"points": "inferred", "default": "house"}),
        ("grade: {points: inferred}", {"points": "inferred", "default": "print_and_play"}),
    ],
)
def test_values_without_a_grade_of_their_own_have_that_of_the_row(
    row: str, grades: dict[str, str], tmp_path: Path
) -> None:
    """It is the `default`, or else what the whole row would have: the grade of its source, or what stands above it."""
    row = row.replace("own, 1", "'own, 1'")
    things = GAME["things.yaml"].replace(
        "  card:\n    fox: {points: 1}", f"  card:\n    grade: print_and_play\n    fox: {{points: 1, {row}}}"
    )
    composed = compose(lay(tmp_path / "game", {**GAME, "ruleset.yaml": SOURCED, "things.yaml": things}))
    assert at(composed, "tables/card/fox/grade") == grades
    assert at(composed, "tables/card/owl/grade") == "print_and_play"


def test_an_edition_may_grade_single_values_of_the_rows_that_are_cited_so(tmp_path: Path) -> None:
    """What is cited alike and no row has no such values; it is graded as its source is, or as `default` says."""
    things = GAME["things.yaml"].replace("{points: 1}", "{points: 1, cite: own}")
    play = GAME["play.yaml"].replace("{is: 8}", "{is: 8, cite: own}")
    lay(tmp_path / "game", {**GAME, "ruleset.yaml": SOURCED, "things.yaml": things, "play.yaml": play})
    manifest = "format: 2\nruleset: second\ntitle: S\nextends: game\ncitations: {own: {grade: {points: inferred}}}\n"
    composed = compose(lay(tmp_path / "second", {"ruleset.yaml": manifest}))
    assert at(composed, "tables/card/fox/grade") == {"points": "inferred", "default": "quoted"}
    assert at(composed, "terms/limit/grade") == "quoted"


def test_each_value_counts_under_its_own_grade(home: Path) -> None:
    cited = citations(documented(graded(home, "{price: reconstructed, default: quoted}"))[1])
    assert [(each.path, each.title) for each in cited.graded("reconstructed")] == [
        ("tables.good.wine.price", "Wine: price")
    ]
    assert [each.path for each in cited.graded("quoted")] == ["tables.good.wine"]


def test_a_row_counts_as_often_as_it_gives_values() -> None:
    """Those with a grade of their own count there; a row without values counts once, as a rule does."""
    document = documented("hellenes_training")[1]
    values = {each.path: each.values for each in citations(document).rules}
    assert values["tables.area.samos"] == len({"value", "port", "loyal", "nation", "region"})
    assert values["tables.area.samos.borders"] == values["tables.god.zeus"] == values["terms.price"] == 1
    counts = {grade: number for grade, number in citations(document).count().items() if number}
    assert counts == grading.graded(document)


def test_explanations_and_the_rulebook_tell_the_grade_of_a_value(home: Path) -> None:
    graded(home, "{price: reconstructed, default: quoted}")
    told = [explain(home, f"tables.good.wine{value}").grade for value in (".price", ".title", "")]
    assert told == ["reconstructed", "quoted", "quoted"]
    assert "| Wine | 3 | <sub>quoted; price reconstructed</sub> |" in page_of(read(home))


def test_a_difference_tells_other_grades_as_such(home: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(home, tmp_path / "other" / "market"))
    graded(other, "{price: reconstructed}")
    (change,) = diff(read(home), read(other)).changes
    assert (change.path, change.section) == ("tables.good.wine.grade", "Citations, grades and rulings")


def test_a_variant_changes_the_grade_of_one_value(home: Path, tmp_path: Path) -> None:
    graded(home, "{price: reconstructed, default: quoted}")
    change = "change: {tables.good.wine.grade.price: {was: reconstructed, to: house}}"
    text = f"title: V\nextends: market\nwhy: Why not.\n{change}"
    assert explain(home, "tables.good.wine.price", variants=[variant(tmp_path, "other", text)]).grade == "house"


@pytest.mark.parametrize(
    ("grade", "code", "column", "suggestion"),
    [
        ("{prise: house}", "unknown-key", 43, "price"),
        ("{price: hous}", "unknown-name", 50, "house"),
        ("{default: hous}", "unknown-name", 52, "house"),
        ("{price: {a: b}}", "unfit-value", 50, None),
    ],
)
def test_a_wrong_grade_of_a_value_is_said_once_at_its_place(
    grade: str, code: str, column: int, suggestion: str | None, home: Path
) -> None:
    (finding,) = validate(graded(home, grade)).findings
    assert finding.span is not None
    assert (finding.code, finding.span.line, finding.span.column) == (code, 52, column)
    assert finding.suggestion == suggestion


def test_a_sound_table_with_graded_values_is_not_looked_at_again(home: Path) -> None:
    document, sound = documented(graded(home, "{price: house}"))[1], Sound()
    check_tables(document, Diagnostics(), sound)
    known = sound["good"]
    check_tables(document, Diagnostics(), sound)
    assert sound["good"] is known


def test_editors_complete_and_rename_what_is_graded(editor: Editor, home: Path) -> None:
    path = home / "ruleset.yaml"
    assert {"price", "title", "default"} <= editor.completions(path, WINE, WINE.replace("}", ", grade: {|}}"))
    assert "house" in editor.completions(path, WINE, WINE.replace("}", ", grade: {price: |}}"))
    text = graded(home, "{price: house}").joinpath("ruleset.yaml").read_text("utf-8")
    editor.open(path)
    changed = edited(editor.at("rename", path, text, "{title: Wine, pri|ce", newName="worth"))[path]
    assert "{title: Wine, worth: 3, grade: {worth: house}}" in changed
