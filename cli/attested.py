"""How much of a ruleset a source says itself, in a line."""

from __future__ import annotations

from collections.abc import Mapping

ATTESTED = ("quoted", "print_and_play")
"""The grades of what a source says itself; spelled out here, as the schema takes a while to import."""


def attested(grades: Mapping[str, int]) -> str:
    """How many rules and values are attested, by how many have each grade, and what the others are.

    >>> attested({"quoted": 3, "house": 1})
    'Attested: 3 of 4 rules and values (75 %); 1 ours.'
    """
    every = sum(grades.values())
    found = sum(grades.get(grade, 0) for grade in ATTESTED)
    others = {"inferred": "inferred", "reconstructed": "reconstructed", "house": "ours", "none": "of no source"}
    rest = [f"{grades[grade]} {word}" for grade, word in others.items() if grades.get(grade)]
    share = f" ({100 * found // every} %)" if every else ""
    return f"Attested: {found} of {every} rules and values{share}" + (f"; {', '.join(rest)}" if rest else "") + "."
