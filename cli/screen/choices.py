"""The options of a decision in a list, each with its price and what it would change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option as Shown

from polis_rules import Option
from polis_rules.diagnostics import printable
from polis_rules.play import Preview, Session

from ..answers import is_number, labels
from ..output import wrapped


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
    anyway: str = ""
    """what every one of the options would change"""

    def fits(self, line: str) -> bool:
        """Whether a line that is being typed may mean this; numbers leave the list as it is."""
        wanted = line.casefold()
        if is_number(line):
            return True
        return wanted in self.title.casefold() or self.id.casefold().startswith(wanted)


def choices_of(session: Session) -> list[Choice]:
    """What may be answered now, in the order of the rules."""
    if session.turn == "chance" and session.chance is not None:
        outcomes = session.chance.outcomes
        rolled = Choice("roll", "let the computer do it", "roll")
        named = ((each if is_number(each) else str(place), each) for place, each in enumerate(outcomes, 1))
        return [*(Choice(label, each, each) for label, each in named), rolled]
    if session.decision is None:
        return []
    known = {each.option.id: each for each in session.previews()}
    return [_choice(label, option, known.get(option.id)) for label, option in labels(session.decision.options).items()]


def _choice(label: str, option: Option, preview: Preview | None) -> Choice:
    way = f"by {preview.way}" if preview is not None and preview.way else ""
    price = " ".join(filter(None, [f"costs {option.cost}" if option.cost else "", way]))
    if preview is None:
        return Choice(label, option.title, option.id, option, price)
    return Choice(label, option.title, option.id, option, price, preview.apart, preview.parts, preview.anyway)


class ChoiceList(OptionList, can_focus=False):
    """Shows choices; the keyboard stays with the line below it."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.shown: list[Choice] = []

    def show(self, choices: Sequence[Choice]) -> None:
        """Show these instead of what was there."""
        same = choices == self.shown
        kept = self.highlighted if same else None
        self.shown = list(choices)
        self.clear_options()
        width = max(30, self.container_size.width - 2)
        label = max((len(choice.label) for choice in choices), default=1)
        titles = min(40, max((len(choice.title) for choice in choices), default=1))
        self.add_options([Text("\n".join(_lines(choice, label, titles, width))) for choice in choices])
        if choices and choices[0].anyway:
            told = wrapped(f"Whatever you choose: {printable(choices[0].anyway)}", width, " ", "   ")
            self.add_option(Shown(Text("\n".join(told)), disabled=True))
        self.highlighted = kept

    @property
    def current(self) -> Choice | None:
        """What is highlighted."""
        return None if self.highlighted is None else self.shown[self.highlighted]


def _lines(choice: Choice, label: int, titles: int, width: int) -> Iterator[str]:
    start = f" {choice.label:>{label}}  "
    price = f"  {choice.price}" if choice.price else ""
    line = printable(f"{start}{choice.title:<{titles}}{price}".rstrip())
    told = printable(" / ".join(choice.changes))
    indent = " " * len(start)
    if len(line) > width:
        yield printable(f"{start}{choice.title}")
        *lines, line = wrapped(printable(choice.price), width, indent, f"{indent}  ") or [""]
        yield from lines
    if choice.apart and len(line) + len(choice.apart) + 2 <= width:
        line += f"  {printable(choice.apart)}"
    elif choice.apart:
        yield line
        *lines, line = wrapped(printable(choice.apart), width, indent, f"{indent}  ")
        yield from lines
    if not told:
        yield line
    elif len(line) + len(told) + 3 <= width:
        yield f"{line}  → {told}"
    else:
        yield line
        yield from (each for part in choice.changes for each in wrapped(
            f"→ {printable(part)}", width, indent, f"{indent}  "))  # fmt: skip
