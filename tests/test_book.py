"""The layout of a rulebook: its chapters, and what a ruleset says of its rules itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.small_ruleset import small

import polis_rules
from polis_rules.cases import CaseResult, check_proven, run_cases
from polis_rules.diagnostics import Diagnostics
from polis_rules.documentation.rulebook import carried_out, making, read, rulebook
from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.saying import sayable
from polis_rules.validation import validate
from polis_rules.verification.proving import with_proofs

RULESETS = Path(__file__).parent.parent / "rulesets"
PLANNED = sorted(path.parent.name for path in RULESETS.glob("*/book.yaml"))
PLAN = """
book:
  introduction: Cards are claimed. The last one ends it.
  chapters:
    claims: {title: Claims, rules: [actions.claim]}
  says:
    actions:
      claim: {text: Claim what you like. It is yours., case: a_claim}
"""


def planned(tmp_path: Path, plan: str = PLAN) -> Path:
    folder = small(tmp_path)
    with (folder / "things.yaml").open("a", encoding="utf-8") as file:
        file.write(plan)
    return folder


def said(book: Book) -> Iterator[str]:
    for sentence in rulebook(book).sentences():
        yield sentence.words


def test_a_rule_is_told_in_the_words_of_the_ruleset_in_its_chapter(tmp_path: Path) -> None:
    opened = read(planned(tmp_path))
    book = rulebook(opened)
    chapters = {chapter.title: chapter for chapter in book.chapters}
    assert "Claim" in [section.title for section in chapters["Claims"].sections]
    assert {"Claim what you like.", "It is yours.", "Cards are claimed."} <= {*said(opened)}


def test_what_is_said_of_a_rule_gives_way_where_a_variant_changes_it(tmp_path: Path) -> None:
    folder = planned(tmp_path)
    path = tmp_path / "trial.yaml"
    path.write_text("variant: trial\nextends: small\nchange:\n  actions.claim.cost.coins: {was: 1, to: 2}\n")
    told = [*said(read(folder, variants=(path,)))]
    assert "Claim what you like." not in told and "Pay 2 coins." in told


@pytest.mark.parametrize(
    ("wrong", "message", "suggestion"),
    [
        ("rules: [actions.clame]", "there is no rule `actions.clame`", "actions.claim"),
        ("rules: [actions.claim, actions.claim]", "`actions.claim` stands in two chapters", ""),
    ],
)
def test_a_rule_that_there_is_not_is_an_error_at_its_place(
    tmp_path: Path, wrong: str, message: str, suggestion: str
) -> None:
    folder = planned(tmp_path, PLAN.replace("rules: [actions.claim]", wrong))
    with pytest.raises(polis_rules.RulesetError) as error:
        polis_rules.load(folder)
    (finding,) = error.value.diagnostics
    assert (finding.message, finding.suggestion or "") == (message, suggestion)
    assert finding.span is not None and finding.span.file.endswith("things.yaml")


def test_a_text_must_name_a_case_that_there_is(tmp_path: Path) -> None:
    folder = planned(tmp_path)
    (finding,) = (each for each in validate(folder).findings if "case" in each.message)
    assert finding.message == "there is no case `a_claim`"
    (folder / "cases").mkdir()
    (folder / "cases" / "claims.yaml").write_text("cases:\n  a_claim:\n    do: []\n", "utf-8")
    assert [each for each in validate(folder).findings if "no case" in each.message] == []


def proven(folder: Path, case: str, variants: tuple[Path, ...] = ()) -> CaseResult:
    (folder / "cases").mkdir()
    (folder / "cases" / "claims.yaml").write_text(f"cases:\n  a_claim: {case}\n", "utf-8")
    (result,) = with_proofs(run_cases(folder, variants=variants), folder, variants=variants)
    return result


CLAIMED = "{do: [{red: [claim, north]}], sound: true}"
PASSED = "{do: [{red: work}], sound: true}"


def test_a_case_that_carries_out_the_rule_proves_what_is_said_of_it(tmp_path: Path) -> None:
    assert proven(planned(tmp_path), CLAIMED).failures == ()


def test_a_case_that_passes_by_the_rule_fails_as_its_proof_at_the_place_that_names_it(tmp_path: Path) -> None:
    folder = planned(tmp_path)
    line = (folder / "things.yaml").read_text("utf-8").split("\n").index(PLAN.strip().split("\n")[-1]) + 1
    (failure,) = proven(folder, PASSED).failures
    assert failure.startswith(f"small/things.yaml:{line}:")
    assert failure.endswith("what the book says of actions.claim, which it does not carry out")


def test_what_gives_way_to_a_variant_needs_no_proof(tmp_path: Path) -> None:
    folder = planned(tmp_path)
    path = tmp_path / "trial.yaml"
    path.write_text("variant: trial\nextends: small\nchange:\n  actions.claim.cost.coins: {was: 1, to: 2}\n")
    assert proven(folder, PASSED, (path,)).failures == ()


@pytest.mark.parametrize("ruleset", PLANNED)
def test_each_case_that_a_shipped_book_names_is_there(ruleset: str) -> None:
    plan, found = read(ruleset).document.book, Diagnostics()
    assert plan is not None
    check_proven(ruleset, plan, found)
    assert found.items == []


@pytest.mark.parametrize("ruleset", PLANNED)
def test_each_row_that_does_something_is_told_in_the_words_of_a_shipped_book(ruleset: str) -> None:
    """Of a row that does nothing but stand in a table nothing is told; what an action does is told of the action."""
    opened = read(ruleset)
    told = making(opened).said
    rows = [path for path in sayable(opened) if path.startswith("tables.") and not path.startswith("tables.tile.")]
    assert [path for path in rows if path not in told] == []


def test_what_the_book_says_of_a_rule_goes_with_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "trial.yaml"
    path.write_text("variant: trial\nextends: small\nremove:\n  actions.claim: nobody claims\n")
    opened = read(planned(tmp_path), variants=(path,))
    plan = opened.document.book
    assert plan is not None and not any(plan.says.values()) and not any(each.rules for each in plan.chapters.values())


def test_what_is_said_of_a_route_is_proved_by_a_case_that_carries_out_a_rule_that_asks_for_it() -> None:
    opened = read("yucata")
    assert carried_out(opened, "routes.sailing") == ["actions.move_galleys"]
    assert carried_out(opened, "tables.event.peace_of_nikias") == []  # it only changes a term: a case names it


def test_what_is_said_of_a_supply_stands_among_the_components_and_is_proved_by_who_handles_it() -> None:
    opened = read("politeia")
    assert any(each.startswith("Discs: 24 of each Greek nation") for each in said(opened))
    assert "procedures.attack" in carried_out(opened, "supplies.discs")
