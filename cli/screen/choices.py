"""What may be answered to a decision: each option with its price and what it would change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from polis_rules import Option
from polis_rules.play import Preview, Session

from ..answers import is_number, labels

PAID = re.compile(r"([^,;:]+) (\d+) to (\d+)")
"""What is told of an option that changes nothing but how much one has of something."""


@dataclass(frozen=True)
class Choice:
    """One thing that can be answered: what is typed for it, what it is, and what would come of it."""

    label: str
    title: str
    id: str
    option: Option | None = None
    price: str = ""
    apart: str = ""
    """what sets it apart from the others"""
    changes: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    """what the options would change alike, in sentences"""

    def fits(self, line: str) -> bool:
        """Whether a line that is being typed may mean this; numbers leave the list as it is."""
        wanted = line.casefold()
        if is_number(line):
            return True
        return wanted in self.title.casefold() or self.id.casefold().startswith(wanted)


def meant(choices: Sequence[Choice], line: str) -> Choice | None:
    """The only choice that a line may mean."""
    exact = [choice for choice in choices if line in (choice.label, choice.id)]
    if exact or is_number(line):
        return exact[0] if exact else None
    wanted = line.casefold()
    same = [choice for choice in choices if wanted == choice.title.casefold()]
    fitting = same or [choice for choice in choices if choice.fits(line)]
    return fitting[0] if len(fitting) == 1 else None


def choices_of(session: Session) -> list[Choice]:
    """What may be answered now, in the order of the rules."""
    if session.turn == "chance" and session.chance is not None:
        chance = session.chance
        rolled = Choice("roll", "let the computer do it", "roll")
        named = enumerate(zip(chance.outcomes, chance.titles, strict=True), 1)
        return [*(Choice(id if is_number(id) else str(place), title, id) for place, (id, title) in named), rolled]
    if session.decision is None:
        return []
    known = {each.option.id: each for each in session.previews()}
    return [_choice(label, option, known.get(option.id)) for label, option in labels(session.decision.options).items()]


def _choice(label: str, option: Option, preview: Preview | None) -> Choice:
    way = f"by {preview.way}" if preview is not None and preview.way else ""
    price = " ".join(filter(None, [f"costs {option.cost}" if option.cost else "", way]))
    if preview is None:
        return Choice(label, option.title, option.id, option, price)
    parts = preview.parts
    if len(parts) == 1 and (paid := PAID.fullmatch(parts[0])) and option.cost.endswith(f" {paid[1]}"):
        left, number = f" ({paid[2]} to {paid[3]})", option.cost.removesuffix(f" {paid[1]}")
        if number == str(int(paid[2]) - int(paid[3])):
            price, parts = price.replace(option.cost, option.cost + left, 1), ()
    return Choice(label, option.title, option.id, option, price, preview.apart, parts, tuple(preview.common))
