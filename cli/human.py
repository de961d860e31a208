"""A person in a seat: shows what that player may see and reads decisions, line by line."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polis_rules.diagnostics import InvalidMove, nearest, quote

from .output import say

if TYPE_CHECKING:  # a game is not imported before its first line is printed
    from polis_rules import Decision, Game, Option, Refusal

HELP = """\
Answer with the number in front of an option, its title or its id.
  why        what is not offered now
  why NAME   every requirement that keeps NAME from being offered
  why ACTION NAME  the same for what is chosen first for an action
  state      what you may see of the position
  case NAME  save the present moment as a case; it shows hidden things too; case NAME FILE says where
  save FILE  record the game in a file, from its beginning on, also what follows
  undo       back to your last decision
  help       this
  quit       leave the game (so does the end of input)"""


class Quit(Exception):  # noqa: N818 (a wish, not an error)
    """The person leaves the game."""


@dataclass(slots=True)
class Human:
    """Asks a person for each decision of one player; a seat as `polis_rules.play_game` wants it.

    `more` has what else can be typed, by its first word: each is given the game and the rest of the line, and tells
    what came of it. `ask` reads one line and raises EOFError at the end of input, `say` prints one.
    """

    player: str
    more: Mapping[str, Callable[[Game, str], str]]
    ask: Callable[[str], str] = input
    say: Callable[[str], None] = say
    seen: int = 0
    """how many lines of the report have been printed"""

    def choose(self, game: Game) -> Option:
        """Ask until the answer is one of the options. Raises Quit when the person leaves."""
        while True:
            decision = game.decision
            if decision is None:
                raise ValueError("there is nothing to decide: the game is finished")
            self.catch_up(game)
            labelled = _labelled(decision.options)
            self._offer(game, decision, labelled)
            option = self._answer(game, decision, labelled)
            if option is not None:
                return option

    def catch_up(self, game: Game) -> None:
        """Print what this player could see happen since the last time."""
        report = game.report_for(self.player)
        for line in report[self.seen :]:
            self.say(line)
        self.seen = len(report)

    def _offer(self, game: Game, decision: Decision, labelled: dict[str, Option]) -> None:
        number = game.round
        self.say("")
        self.say(f"{'' if number is None else f'Round {number}. '}{decision.player_title}: {decision.prompt}")
        width = max(map(len, labelled))
        titles = max(len(option.title) for option in decision.options)
        for label, option in labelled.items():
            line = f"  {label:>{width}}  {option.title:<{titles}}  {option.cost}"
            way = game.way(option)
            self.say(f"{line.rstrip()}   by {way}" if way else line.rstrip())

    def _answer(self, game: Game, decision: Decision, labelled: dict[str, Option]) -> Option | None:
        """The option that the person takes, or None after an undo, when there is another decision."""
        while True:
            try:
                line = self.ask("> ").strip()
            except (EOFError, OSError, RuntimeError):  # the last is what a closed standard input gives
                raise Quit from None
            word, _, rest = line.partition(" ")
            match word.casefold(), rest.strip():
                case ("quit" | "exit", ""):
                    raise Quit
                case ("help" | "?", ""):
                    self.say(HELP)
                case ("state", ""):
                    self.say(_view(game.view(self.player)))
                case ("why", name):
                    self.say(_why(game, decision, name))
                case (known, rest) if known in self.more:
                    self.say(self.more[known](game, rest))
                case ("undo", ""):
                    if self._undo(game):
                        return None
                case _:
                    if (option := _find(line, labelled)) is not None:
                        return option
                    self.say(_not_understood(line, labelled))

    def _undo(self, game: Game) -> bool:
        """Take back everything since this player's last decision, with it; whether there was one."""
        if not any(entry[:2] == ("decision", self.player) for entry in game.log):
            self.say("You have decided nothing yet.")
            return False
        while game.undo():
            if game.decision is not None and game.decision.player == self.player:
                break
        self.seen = min(self.seen, len(game.report_for(self.player)))
        self.say("Taken back.")
        return True


def _why(game: Game, decision: Decision, name: str) -> str:
    """Why something is not offered, in words."""
    if any(_is_called(option, name) for option in decision.options):
        return f"{name} is offered."
    try:
        refusals = game.why_not(name)
    except InvalidMove as error:
        return str(error) if name else f"Say what you miss, by its id: why NAME ({error})"
    if not refusals:
        return f"Nothing forbids {name}, but it is not part of this decision."
    return "\n".join([f"{name} is not offered because of:", *map(_refusal, refusals)])


def _labelled(options: tuple[Option, ...]) -> dict[str, Option]:
    """The options by what stands before each: its place in the list, or for options that are numbers that number.

    So a typed 3 always means the line that shows a 3 in front. Among numbers, other options go by their id.
    """
    if not any(_is_number(option.title) for option in options):
        return {str(place): option for place, option in enumerate(options, 1)}
    return {option.title if _is_number(option.title) else option.id: option for option in options}


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _is_called(option: Option, name: str) -> bool:
    return name.casefold() in (option.id.casefold(), option.title.casefold())


def _find(line: str, labelled: dict[str, Option]) -> Option | None:
    """The option with that label, id or title; an empty line takes the only one there is."""
    options = list(labelled.values())
    if not line:
        return options[0] if len(options) == 1 else None
    if line in (by_name := {option.id: option for option in options} | labelled):
        return by_name[line]
    same = [option for option in options if _is_called(option, line)]
    return same[0] if len(same) == 1 else None


def _not_understood(line: str, labelled: dict[str, Option]) -> str:
    if not line:
        first, *_, last = labelled
        return f"Type one of {first} to {last}, or help."
    same = [label for label, option in labelled.items() if _is_called(option, line)]
    if len(same) > 1:
        return f"There are several of that title: type one of {', '.join(same)}."
    names = [option.title for option in labelled.values()] + [option.id for option in labelled.values()]
    near = None if _is_number(line) else nearest(line, names)
    hint = f"Did you mean {quote(near)}?" if near else "Type help to see what you can type."
    return f"{quote(line)} is not an option here. {hint}"


def _refusal(refusal: Refusal) -> str:
    lines = [f"  - {refusal.label}"]
    if refusal.expression not in ("", refusal.label):
        lines.append(f"      {refusal.expression}")
    if refusal.values:
        known = ", ".join(f"{name} = {value}" for name, value in refusal.values.items())
        lines.append(f"      where {known}")
    lines.append(f"      {refusal.span.file}:{refusal.span.line}")
    return "\n".join(lines)


def _view(view: Mapping[str, Any]) -> str:
    """What `Game.view` gives, as text: members in the same state share a line; zero, no and none are left out."""
    lines: list[str] = []
    for kind, members in view.items():
        if kind == "game":
            lines += [f"{name}: {_amount(value)}" for name, value in members.items() if _is_something(value)]
            continue
        alike: dict[str, list[str]] = {}
        for member, state in members.items():
            if text := _state(state):
                alike.setdefault(text, []).append(member)
        if alike:
            lines += ["", kind]
        for text, names in alike.items():
            lines += textwrap.wrap(f"{', '.join(names)}: {text}", 100, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines).strip("\n")


def _state(state: Mapping[str, Any]) -> str:
    """One member's state in a line."""
    return ", ".join(
        name if value is True else f"{name} {_amount(value)}" for name, value in state.items() if _is_something(value)
    )


def _is_something(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(_is_something(each) for each in value.values())
    return bool(value)


def _amount(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"({_state(value)})"
    if isinstance(value, list) and value and all(each is None for each in value):
        return f"({len(value)} hidden)"
    if isinstance(value, list):
        return f"({', '.join(str(each) for each in value)})"
    return "yes" if value is True else str(value)
