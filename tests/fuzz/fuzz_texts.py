"""Random inputs that look like the shipped files: their texts with parts swapped, dropped, doubled or replaced."""

from __future__ import annotations

import re
from random import Random

NASTY = (
    "", "0", "-1", "9" * 30, "1e9", "0x1F", "1_000", "~", "null", "yes", "none", "true", "0..9", "5..2", "..", "9d9",
    "0d6", "set of set", "set of polis", "number or none", "__class__", "a.b.c", "you", "it", "viewer", "'", '"', "é",
    "\U0001f600", "\x00", "\t", "\ud800", "[", "]", "{", "}", "{}", "[]", "[{}]", "{a: {}}", "&a", "*a", "!t", "|", ">",
    "- ", "? ", ": ", "#", "---", "%", "@", "`", "<<", "x" * 3000, "(" * 90, "{round}", "{", "{a b}", "\\", "\u2028",
)  # fmt: skip
"""What nobody means well."""

WORDS = re.compile(r"[\w.]+|[^\w\s]+")


def mutated(text: str, others: list[str], dice: Random) -> str:
    """A text of a file, changed once or a few times; `others` are texts to take parts from."""
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        text = dice.choice(MUTATIONS)(text, others, dice)
    return text


def lines_swapped(text: str, others: list[str], dice: Random) -> str:
    lines = text.split("\n")
    a, b = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def line_dropped(text: str, others: list[str], dice: Random) -> str:
    lines = text.split("\n")
    del lines[dice.randrange(len(lines))]
    return "\n".join(lines)


def line_doubled(text: str, others: list[str], dice: Random) -> str:
    lines = text.split("\n")
    lines.insert(dice.randrange(len(lines) + 1), dice.choice(lines))
    return "\n".join(lines)


def line_moved_in(text: str, others: list[str], dice: Random) -> str:
    lines = text.split("\n")
    at = dice.randrange(len(lines))
    lines[at] = lines[at].removeprefix("  ") if dice.random() < 0.5 else "  " + lines[at]
    return "\n".join(lines)


def line_borrowed(text: str, others: list[str], dice: Random) -> str:
    lines = text.split("\n")
    at = dice.randrange(len(lines))
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines.insert(at, indent + dice.choice(dice.choice(others).split("\n")).strip())
    return "\n".join(lines)


def word_replaced(text: str, others: list[str], dice: Random) -> str:
    match = _word(text, dice)
    if match is None:
        return text
    if dice.random() < 0.6:
        other = _word(dice.choice(others), dice)
        new = other[0] if other else ""
    else:
        new = dice.choice(NASTY)
    return text[: match.start()] + new + text[match.end() :]


def words_swapped(text: str, others: list[str], dice: Random) -> str:
    first, second = _word(text, dice), _word(text, dice)
    if first is None or second is None:
        return text
    if first.start() > second.start():
        first, second = second, first
    between = text[first.end() : second.start()]
    return text[: first.start()] + second[0] + between + first[0] + text[second.end() :]


def letter_changed(text: str, others: list[str], dice: Random) -> str:
    if not text:
        return text
    at = dice.randrange(len(text))
    new = dice.choice(("", text[at] * 2, chr(dice.randrange(32, 127)), chr(dice.randrange(0x110000))))
    return text[:at] + new + text[at + 1 :]


def value_replaced(text: str, others: list[str], dice: Random) -> str:
    """Another text after the colon of a line."""
    lines = text.split("\n")
    at = dice.randrange(len(lines))
    key, colon, _ = lines[at].partition(": ")
    if colon:
        other = dice.choice(dice.choice(others).split("\n")).partition(": ")[2]
        lines[at] = key + colon + dice.choice((other, other, dice.choice(NASTY), expression(dice)))
    return "\n".join(lines)


def cut(text: str, others: list[str], dice: Random) -> str:
    return text[: dice.randrange(len(text) + 1)]


MUTATIONS = (
    lines_swapped, line_dropped, line_doubled, line_moved_in, line_borrowed, word_replaced, word_replaced,
    word_replaced, words_swapped, letter_changed, value_replaced, value_replaced, value_replaced, cut,
)  # fmt: skip


def _word(text: str, dice: Random) -> re.Match[str] | None:
    if not text:
        return None
    return WORDS.search(text, dice.randrange(len(text))) or WORDS.search(text)


# -- expressions ------------------------------------------------------------------------------------------------------

NAMES = ["you", "it", "n", "c", "place", "target", "who", "true", "false", "none", "0", "1", "7", "12", "999999999"]
"""Names that an expression of the grammar may use; whoever fuzzes adds those of the rules."""

FIELDS = ["owner", "rival", "units", "size"]
"""Attributes and states, likewise."""


def expression(dice: Random, depth: int = 4) -> str:
    """An expression of the grammar, whatever it means."""
    if depth == 0 or dice.random() < 0.15:
        return dice.choice(NAMES)

    def inner() -> str:
        return expression(dice, depth - 1)

    kind = dice.randrange(22)
    if kind < 5:
        return f"{inner()}.{dice.choice(FIELDS)}"
    if kind < 7:
        return f"{dice.choice(NAMES)}.{dice.choice(FIELDS)}[{inner()}]"
    if kind < 9:
        return f"{inner()} {dice.choice(('==', '!=', '<', '<=', '>', '>=', 'in', 'not in'))} {inner()}"
    if kind < 10:
        return f"{inner()} is {dice.choice(('none', 'not none', inner()))}"
    if kind < 12:
        return f" {dice.choice(('and', 'or'))} ".join(inner() for _ in range(dice.randrange(2, 4)))
    if kind < 14:
        return f"({inner()} {dice.choice(('+', '-', '*', '//', '%', '|', '&'))} {inner()})"
    if kind < 15:
        return f"{dice.choice(('not ', '-', ''))}({inner()})"
    if kind < 16:
        return f"{inner()} if {inner()} else {inner()}"
    if kind < 17:
        return "{" + ", ".join(inner() for _ in range(dice.randrange(3))) + "}"
    call = dice.choice(("any", "all", "count", "sum", "min", "max", "first", "len", "abs", "order", "next", "possible"))
    if kind < 20:
        loop = f"{inner()} for x in {inner()}" + (f" if {inner()}" if dice.random() < 0.5 else "")
        return f"{call}({loop}{', default=0' if call in ('min', 'max') else ''})"
    called = dice.choice((call, dice.choice(NAMES), "nth", "range", "route_exists", "cheapest_route", "reachable"))
    return f"{called}({', '.join(inner() for _ in range(dice.randrange(4)))})"


def changed_expression(text: str, others: list[str], dice: Random) -> str:
    """An expression that is used, with a part of it replaced, doubled or dropped."""
    for _ in range(dice.choice((1, 1, 2, 3))):
        match = _word(text, dice)
        if match is None:
            return expression(dice)
        new = dice.choice((
            dice.choice(NAMES), dice.choice(FIELDS), "", match[0] * 2, f"({dice.choice(others)})", expression(dice, 2),
            dice.choice(NASTY),
        ))  # fmt: skip
        text = text[: match.start()] + new + text[match.end() :]
    return text
