"""How targets and what games say about them are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from polis_rules.lab import Judged

ANSWERS = {"met": "met", "missed": "MISSED", "not known": "not known with so few games"}


def judged_lines(seen: Sequence[Judged], chances: bool = False) -> Iterator[str]:
    """How many targets are met, and a line for each, those that are missed first."""
    if not seen:
        return
    missed = sum(each.answer == "missed" for each in seen)
    met = sum(each.answer == "met" for each in seen)
    yield f"targets: {met} met, {missed} missed, {len(seen) - met - missed} not known"
    for each in sorted(seen, key=lambda each: ("missed", "not known", "met").index(each.answer)):
        by = f" by {_amount(each, each.missed_by).replace('%', 'points')}" if each.answer == "missed" else ""
        low, high = each.interval
        within = f" ({low:.1f} to {high:.1f})" if high < inf else ""
        yield (
            f"  {ANSWERS[each.answer]}{by}: {each.target.says} {_amount(each, each.mean)}{within}, "
            f"wanted: {each.target.bounds.text}{_chance(each) if chances else ''}"
        )


def as_judged(each: Judged) -> dict[str, object]:
    """The same for programs."""
    return {
        "path": each.target.path, "says": each.target.says, "wanted": each.target.bounds.text, "answer": each.answer,
        "mean": each.mean, "interval": each.interval if each.interval[1] < inf else None,
        "missed_by": each.missed_by, "chance": each.chance,
    }  # fmt: skip


def _chance(each: Judged) -> str:
    return f"; {100 * each.chance:.0f} % likely"


def _amount(each: Judged, number: float) -> str:
    return f"{number:.1f} {each.target.bounds.unit}"
