"""What is told, before it is laid out: sentences with sentences below them; as a list, or in one line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from polis_rules.documentation.rulebook.english import end, upper_first
from polis_rules.documentation.rulebook.structure import MARKED


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence without its large first letter and its stop; what stands below explains or follows it."""

    text: str
    below: tuple[Item, ...] = ()


def in_list(items: Iterable[Item], depth: int = 0, numbered: bool = True) -> list[str]:
    """The lines of a Markdown list: steps in order are numbered, what only explains has dashes.

    >>> in_list([Item("draw a card", ()), Item("if it is red", (Item("gain 1 coin"),))])
    ['1. Draw a card.', '2. If it is red:', '   1. Gain 1 coin.']
    """
    lines = []
    for number, item in enumerate(items, 1):
        mark = f"{number}." if numbered else "-"
        text = upper_first(item.text)
        lines.append(f"{'   ' * depth}{mark} {text + ':' if item.below else end(text)}")
        lines += in_list(item.below, depth + 1, numbered)
    return lines


def in_line(items: Iterable[Item]) -> str:
    """The same in one line, with brackets around what belongs together.

    >>> in_line([Item("draw a card"), Item("if it is red", (Item("gain 1 coin"), Item("stop")))])
    'Draw a card. If it is red: [gain 1 coin; stop].'
    """
    return " ".join(end(upper_first(_inline(item))) for item in items)


def _inline(item: Item) -> str:
    if not item.below:
        return item.text
    inside = "; ".join(_inline(each) for each in item.below)
    return f"{item.text}: [{inside}]" if len(item.below) > 1 or item.below[0].below else f"{item.text}: {inside}"


def plain(text: str) -> str:
    """Text without the marks of Markdown.

    >>> plain("do *Draft*"), plain("the star* and the sun*"), plain("1 * 2")
    ("do 'Draft'", 'the star* and the sun*', '1 * 2')
    """
    return MARKED.sub(r"'\1'", text)
