"""What has happened several times, or to several players or things, told in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from polis_rules.diagnostics import amount
from polis_rules.interpreter.game.report import Fact

AMOUNTS = ("pays", "gains", "loses")
"""What is told of players and what they spend."""

TOGETHER = frozenset((*AMOUNTS, "is", "flag", "changes", "moves", "goes", "roll"))
"""Of what more than one may be told in one sentence."""


def is_again(one: Fact, other: Fact) -> bool:
    """Whether the same has another value already."""
    return one.sort == other.sort == "is" and one.about == other.about


def is_alike(one: Fact, other: Fact) -> bool:
    """Whether two facts are told in one sentence: of one player, or of several things that change in the same way."""
    if one.sort != other.sort or one.sort not in TOGETHER:
        return False
    if one.sort == "roll":
        return (one.what, one.about) == (other.what, other.about)
    if one.sort == "goes":
        return (one.who, one.about) == (other.who, other.about) and bool(one.names) == bool(other.names)
    if one.sort in AMOUNTS:
        return one.who == other.who
    if one.sort == "changes" and one.number * other.number < 0:
        return False
    return bool(one.who) and one.what == other.what and _without_whose(one) == _without_whose(other)


def _without_whose(fact: Fact) -> str:
    """The state that has changed without what it belongs to."""
    return fact.about.removeprefix(fact.who)


def together(facts: list[Fact]) -> str:
    """Facts that are alike in a sentence."""
    first = facts[0]
    if first.sort == "goes":
        gone = Counter(title for fact in facts for _, title in fact.names)
        named = [amount(number, title) if number > 1 else title for title, number in gone.items()]
        whose = f"{first.who}: " if first.who else ""
        return f"{whose}{' and '.join(commas(named)) or sum(fact.number for fact in facts)}{first.about}"
    if first.sort == "roll":
        return f"rolls {' and '.join(commas([str(fact.number) for fact in facts]))} on {first.what} ({first.about})"
    if first.sort == "changes":
        totals: Counter[str] = Counter()
        for fact in facts:
            totals[fact.who] += fact.number
        alike: dict[int, list[str]] = {}
        for who, total in totals.items():
            alike.setdefault(total, []).append(who)
        return "; ".join(
            f"{_whose(titles)}: {more(first, total)}{' each' if first.about and len(titles) > 1 else ''}"
            for total, titles in alike.items()
        )
    whose = _whose(fact.who for fact in facts)
    if first.sort == "flag":
        return f"{whose}: {first.what}"
    if first.sort == "is":
        return f"{whose}{_without_whose(first)}: {first.what}"
    if first.sort == "moves":
        return f"{sum(fact.number for fact in facts)} from {whose}{_without_whose(first)} to {first.what}"
    sums: Counter[str] = Counter()
    for fact in facts:
        sums[fact.what] += fact.number
    return f"{first.who} {first.sort} {' and '.join(commas([amount(number, what) for what, number in sums.items()]))}"


def more(fact: Fact, total: int) -> str:
    """How many more or fewer there are, of a player's where it is kept by player."""
    if not fact.about:
        return f"{fact.what} {total:+}"
    return f"{fact.about} {'gains' if total > 0 else 'loses'} {amount(abs(total), fact.what)}"


def _whose(titles: Iterable[str]) -> str:
    """Each of these once, one after the other."""
    each = list(dict.fromkeys(titles))
    return "; ".join(each) if any("," in title for title in each) else " and ".join(commas(each))


def commas(words: list[str]) -> list[str]:
    """The words with all but the last as one."""
    return words if len(words) < 3 else [", ".join(words[:-1]), words[-1]]
