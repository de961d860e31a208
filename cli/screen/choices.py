"""What may be answered to a decision: each option with its price and what it would change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polis_rules import Option
from polis_rules.play import Preview, Session

from ..answers import ROLL, ROLL_ALL, is_number, labels


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
    preview: Preview | None = None
    """what all of this but the label is made of"""

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
        rolled = [Choice(ROLL, "let the computer do it", ROLL)]
        if session.draws:
            rolled.append(Choice(ROLL_ALL, "let it do all of this, such as a shuffle", ROLL_ALL))
        named = enumerate(zip(chance.outcomes, chance.titles, strict=True), 1)
        return [*(Choice(id if is_number(id) else str(place), title, id) for place, (id, title) in named), *rolled]
    if session.decision is None:
        return []
    known = {each.option.id: each for each in session.previews()}
    return [_choice(label, option, known.get(option.id)) for label, option in labels(session.decision.options).items()]


def _choice(label: str, option: Option, preview: Preview | None) -> Choice:
    if preview is None:
        return Choice(label, option.title, option.id, option, f"costs {option.cost}" if option.cost else "")
    common = tuple(preview.common)
    return Choice(label, option.title, option.id, option, preview.price, preview.apart, preview.parts, common, preview)
