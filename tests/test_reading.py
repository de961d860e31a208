"""How the rulebooks of the shipped rulesets read: what is ugly is not in them, and sentences are short."""

from __future__ import annotations

import re
from functools import cache

import pytest

from polis_rules.documentation.rulebook import read, rulebook

UGLY = {
    "counted from 0": r"\(from 0",
    "becomes nothing": r"\bbecomes? nothing",
    "a place that is a name": r"\b[Tt]he place's",
    "a number in a wrong case": r"\bequal to \d+\.",
    "a word twice": r"\b(\w+) \1\b",
    "a title of a market value": r"\b[Tt]he for \d",
}
LONG = {"yucata": 0, "devir": 0, "politeia": 0, "colonnades": 5, "hellenes_training": 21}
"""How many sentences have more than 40 words, at most."""
TWICE = {"hellenes_training": 3}
"""How often a word stands twice, at most; elsewhere never."""


@cache
def sentences(ruleset: str) -> list[str]:
    told = (sentence.text for sentence in rulebook(read(ruleset)).sentences())
    return [part for each in told for part in re.split(r"(?<=[.?!;]) (?=[A-Za-z])", each)]


@pytest.mark.parametrize("ruleset", LONG)
def test_nothing_ugly_is_in_a_rulebook(ruleset: str) -> None:
    """What a person would never write is in no sentence."""
    found = {name: [each for each in sentences(ruleset) if re.search(test, each)] for name, test in UGLY.items()}
    twice = found.pop("a word twice")
    assert {name: each for name, each in found.items() if each} == {}
    assert len(twice) <= TWICE.get(ruleset, 0), twice


@pytest.mark.parametrize("ruleset", LONG)
def test_sentences_have_at_most_forty_words(ruleset: str) -> None:
    """But for those of large rules that are counted here."""
    long = [each for each in sentences(ruleset) if len(each.split()) > 40]
    assert len(long) <= LONG[ruleset], long
