"""What has happened several times, or to several players or things, told in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from re import Match

from polis_rules.diagnostics import amount
from polis_rules.interpreter.game.report import Fact
from polis_rules.semantics import ir

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
        whose = f"{first.who}: " if first.who else ""
        return f"{whose}{_listed(facts, 'names') or sum(fact.number for fact in facts)}{first.about}"
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


def in_one(facts: list[Fact]) -> str:
    """Facts that steps tell in their own words in one sentence; empty where they make none.

    What is counted is summed up, and what moves is listed. Without these all but one of the words in braces have to be
    the same, and that one must not be what the sentence is about.

    >>> words = "{you} leaves {place}"
    >>> left = [Fact("told", about=words, names=(("{you}", "A"), ("{place}", each))) for each in ("North", "South")]
    >>> in_one(left)
    'A leaves North and South'
    """
    says, names = facts[0].about, [dict(fact.names) for fact in facts]
    if any(fact.about != says or bool(fact.of) != bool(facts[0].of) for fact in facts):
        return ""
    parts = {match[0]: match for match in ir.IN_BRACES.finditer(says)}
    words = {part: list(dict.fromkeys(each[part] for each in names)) for part in names[0]}
    sums = {part: sum(int(each[part]) for each in names) for part in words if parts[part][2]}
    apart = [part for part, each in words.items() if len(each) > 1 and part not in sums]
    rolled = f"{{{facts[0].of[0][0]}}}" if facts[0].what else ""
    if rolled in words and apart in ([], [rolled]):
        words[rolled] = [each[rolled] for each in names]  # dice may show the same again
    is_summed = bool(sums) or len(parts) > len(words)
    if apart and (is_summed or len(apart) > 1 or says.startswith(apart[0]) or len(words[apart[0]]) < len(facts)):
        return ""

    def word(match: Match[str]) -> str:
        if match[0] in sums:
            return amount(sums[match[0]], match[2])
        if match[0] in words:
            return " and ".join(commas(words[match[0]]))
        moved = sum(fact.number for fact in facts)
        return _listed(facts, "of") or (amount(moved, match[2]) if match[2] else str(moved))

    again = "" if apart or is_summed or len(facts) == 1 or rolled in words else f" ({len(facts)} times)"
    return ir.IN_BRACES.sub(word, says) + again


def _listed(facts: list[Fact], field: str) -> str:
    """The titles that some facts hold, each with how often it is there."""
    gone = Counter(title for fact in facts for _, title in getattr(fact, field))
    return " and ".join(commas([amount(number, title) if number > 1 else title for title, number in gone.items()]))


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
