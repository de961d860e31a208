"""Citations said once: what stands above holds below, a source has a grade, an edition cites in its own way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.composing import GAME, at, failures, lay, variant

from polis_rules.composition import compose

GRADED = GAME["ruleset.yaml"].replace("{own: {title: Own}}", "{own: {title: Own, grade: quoted}, guess: {title: G}}")


def rule(folder: Path, play: str, path: str) -> dict[str, Any]:
    """What stands in a rule besides its content, after composing a game with these rules of play."""
    composed = compose(lay(folder / "game", {**GAME, "ruleset.yaml": GRADED, "play.yaml": play}))
    return {key: value for key, value in at(composed, path).items() if key in ("cite", "grade", "ruling")}


@pytest.mark.parametrize(
    ("play", "path", "cited"),
    [
        ("cite: own, 1\nterms: {a: {is: 1}}", "terms/a", {"cite": "own, 1", "grade": "quoted"}),
        ("terms: {cite: 'own, 2', a: {is: 1}}", "terms/a", {"cite": "own, 2", "grade": "quoted"}),
        ("cite: own, 1\nterms: {cite: 'own, 2', a: {is: 1}}", "terms/a", {"cite": "own, 2", "grade": "quoted"}),
        ("cite: own, 1\nterms: {a: {is: 1, cite: guess}}", "terms/a", {"cite": "guess"}),
        ("cite: own, 1\ngrade: inferred\nterms: {a: {is: 1}}", "terms/a", {"cite": "own, 1", "grade": "inferred"}),
        ("cite: own, 1\nruling: So.\nterms: {a: {is: 1, cite: own}}", "terms/a", {"cite": "own", "grade": "quoted"}),
        ("cite: own\nterms: {a: {is: 1, grade: house}}", "terms/a", {"grade": "house"}),
        ("cite: own\nprocedures: {a: [stop]}", "procedures/a", {"cite": "own", "grade": "quoted"}),
        ("tables: {suit: {cite: own, red: {}}}", "tables/suit/red", {"cite": "own", "grade": "quoted"}),
        ("graphs: {way: {cite: own, edges: {a-b: {}}}}", "graphs/way/edges/a-b", {"cite": "own", "grade": "quoted"}),
        ("terms: {a: {is: 1, cite: guess}}", "terms/a", {"cite": "guess"}),
    ],
)
def test_a_rule_is_cited_by_what_stands_nearest_and_graded_by_its_source(
    play: str, path: str, cited: dict[str, str], tmp_path: Path
) -> None:
    assert rule(tmp_path, play, path) == cited


def test_what_stands_above_is_no_rule_itself(tmp_path: Path) -> None:
    """The heads of files, sections and tables are gone from the composed rules."""
    play = "cite: own\nterms: {cite: own, a: {is: 1}}\ntables: {suit: {cite: own, red: {}}}"
    composed = compose(lay(tmp_path / "game", {**GAME, "play.yaml": play}))
    assert set(at(composed, "terms")) == {"a"} and set(at(composed, "tables/suit")) == {"red"}
    assert not {"cite", "grade", "ruling"} & composed.tree.entries.keys()


def test_rules_cited_above_are_the_same_rules_as_those_that_cite_themselves(tmp_path: Path) -> None:
    """The content hash does not depend on where a citation is written."""
    plays = ("cite: own, 1\nterms: {a: {is: 1}}", "terms: {a: {is: 1, cite: 'own, 1', grade: quoted}}")
    games = [
        lay(tmp_path / str(number) / "game", {**GAME, "ruleset.yaml": GRADED, "play.yaml": play})
        for number, play in enumerate(plays)
    ]
    assert compose(games[0]).hash == compose(games[1]).hash


def test_a_changed_citation_changes_the_grade(tmp_path: Path) -> None:
    """A variant that says where a rule really comes from need not say how sure that is."""
    play = "terms: {a: {is: 1, cite: guess}}"
    game = lay(tmp_path / "game", {**GAME, "ruleset.yaml": GRADED, "play.yaml": play})
    other = variant(tmp_path, "other", "change: {terms.a.cite: {was: guess, to: own}}")
    assert at(compose(game, variants=[other]), "terms/a/grade") == "quoted"


SECOND = """\
format: 2
ruleset: second
title: Second edition
extends: game
sources: {new: {title: New, grade: inferred}}
citations:
  own, "Digging": new, "Digs"
  own, 3: {cite: "new, at the end", grade: quoted}
"""


def second(folder: Path, manifest: str) -> Path:
    play = "terms:\n  a: {is: 1, cite: 'own, \"Digging\"'}\n  b: {is: 1, cite: 'own, 3'}\n  c: {is: 1}\n"
    lay(folder / "game", {**GAME, "ruleset.yaml": GRADED, "play.yaml": play})
    return lay(folder / "second", {"ruleset.yaml": manifest})


def test_an_edition_cites_its_own_text_for_what_it_takes_over(tmp_path: Path) -> None:
    """The grade is that of the edition's source, unless it is said beside the citation."""
    terms = at(compose(second(tmp_path, SECOND)), "terms")
    assert [terms[each].get("cite") for each in "abc"] == ['new, "Digs"', "new, at the end", None]
    assert [terms[each].get("grade") for each in "abc"] == ["inferred", "quoted", None]


@pytest.mark.parametrize(
    ("entry", "code", "suggestion"),
    [
        ("own, 4: new, 4", "unknown-citation", "own, 3"),
        ("own, 5: [new]", "not-text", None),
        ("own, 5: {}", "not-text", None),
        ("own, 5: {cite: new, grad: quoted}", "unknown-key", "grade"),
    ],
)
def test_a_wrong_entry_of_citations_is_an_error_at_its_place(
    entry: str, code: str, suggestion: str | None, tmp_path: Path
) -> None:
    finding = next(each for each in failures(second(tmp_path, f"{SECOND}  {entry}\n")) if each.code == code)
    assert finding.suggestion == suggestion
    assert finding.span is not None and finding.span.line == 9
