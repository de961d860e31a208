"""How the rulebooks of the shipped rulesets read: what is ugly is not in them, and sentences are short."""

from __future__ import annotations

import re
from functools import cache

import pytest

from polis_rules.composition import variants_beside
from polis_rules.documentation.rulebook import Rulebook, Ruling, Table, read, rulebook
from polis_rules.incremental import Memory

UGLY = {
    "counted from 0": r"\(from 0",
    "becomes nothing": r"\bbecomes? nothing",
    "a place that is a name": r"\b[Tt]he place's",
    "a number in a wrong case": r"\bequal to \d+\.",
    "a word twice": r"\b(\w+) \1\b",
    "a title of a market value": r"\b[Tt]he for \d",
    "a clause for a noun": r"\bthere (?:is|are) (?:no )?an? \w+ (?:can|may|must|is|has)\b",
    "no article before another": r"\bno an? ",
    "no nothing": r"\bnot (?:\w+ ){1,3}(?:nothing|nobody)\b",
    "a verb for a state": r"\bis (?:not )?(?:fights|moves|engages|presses)\b",
    "a name that is an adverb": r"\b[Tt]he there\b",
    "nothing for nobody": r"\bnothing wins\b",
    "a rule carried out as code calls it": r"\((?:\w+ ){0,2}\w+: [^)]*\)",
    "a name as code writes it": r"\w_\w",
    "a condition without one": r"\bif (?:never|always)\b",
    "two prepositions": r"\b(?:beneath|under|on|in|at) of\b",
    "two limits of the same kind": r", but at \w+ [^.;]+, but at ",
}
SHIPPED = ("yucata", "devir", "politeia", "colonnades", "hellenes_training")


@cache
def sentences(ruleset: str) -> list[str]:
    return parts(rulebook(read(ruleset)))


def parts(book: Rulebook) -> list[str]:
    """Every sentence; a semicolon ends one too."""
    told = (sentence.text for sentence in book.sentences())
    return [part for each in told for part in re.split(r"(?<=[.?!;]) (?=['A-Za-z])", each)]


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_nothing_ugly_is_in_a_rulebook(ruleset: str) -> None:
    """What a person would never write is in no sentence."""
    found = {name: [each for each in sentences(ruleset) if re.search(test, each)] for name, test in UGLY.items()}
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", SHIPPED)
def test_nothing_ugly_is_in_a_rulebook_of_another_scenario_or_with_a_variant(ruleset: str) -> None:
    """No pattern of the list, no sentence of more than 40 words, and no place in small letters."""
    memory, found = Memory(), dict[str, list[str]]()
    scenarios = read(ruleset).composed.scenarios
    for scenario, chosen in [*((each, ()) for each in scenarios), *((None, each) for each in variants_beside(ruleset))]:
        book = read(ruleset, scenario, chosen, memory)
        places = [
            title for kind in book.rules.symbols.kinds.values() if book.is_place(kind.name) for title in kind.titles
        ]
        small = "|".join(
            {title.lower() for title in places if title.isalpha() and len(title) > 4 and title[0].isupper()}
        )
        told = [*parts(rulebook(book)), *(section.title for section in rulebook(book).sections)]
        tests = [*UGLY.values(), *([rf"\b({small})\b"] if small else [])]
        ugly = [each for each in told if any(re.search(test, each) for test in tests) or len(each.split()) > 40]
        found |= {f"{scenario} {chosen}": ugly} if ugly else {}
    assert found == {}


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_sentences_have_at_most_forty_words(ruleset: str) -> None:
    """Semicolons end sentences here too."""
    assert [each for each in sentences(ruleset) if len(each.split()) > 40] == []


def test_many_columns_of_yes_and_no_are_one() -> None:
    """It names what holds; fewer than three stay columns."""
    tables = (block for section in rulebook(read("hellenes_training")).sections for block in section.blocks)
    arms = next(each for each in tables if isinstance(each, Table) and each.heads[0] == "Arm")
    assert (arms.heads[-1], arms.heads.count("fleet")) == ("is", 0)
    assert {line.cells[-1] for line in arms.lines} == {"", "elite", "horse", "fleet", "fleet, elite"}


def test_a_ruling_of_many_rows_is_told_once() -> None:
    """Of a few rows each is named, of many how many they are."""
    sections = {section.title: section for section in rulebook(read("colonnades")).sections}
    rulings = [block.sentence.text for block in sections["Cards"].blocks if isinstance(block, Ruling)]
    assert len(rulings) == len(set(rulings)) and any(re.match(r"\(\d+ of \d+ cards\) ", each) for each in rulings)
