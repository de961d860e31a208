"""People at one terminal play a game by typing lines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from polis_rules import play
from polis_rules.diagnostics import InvalidMove, PolisError, did_you_mean, nearest, quote, some

from ..answers import ROLL, ROLL_ALL, is_number, labels, meant, not_understood
from ..output import line_width, say_on_terminal, wrapped
from ..saving import draw_in, save
from .details import Details
from .position import asked_for, overview, position
from .reasons import why

if TYPE_CHECKING:  # a game is not imported before its first line is printed
    from polis_rules import Option
    from polis_rules.play import Preview, Session

HELP = """\
Answer with the number in front of an option, its title, a part of it, or its id.
  why         what is not offered now
  why NAME    every requirement that keeps NAME from being offered
  why ACTION NAME  the same for what is chosen first for an action
  details NAME  what a card, a place, a player, an action or something that is counted is, with its source, and
              how it stands; a number means that option, with all that it would change; the name of a kind
              everything of that kind
  details     the same of everything that is offered
  state       what you may see of the position
  log         what has happened so far in short, log all: every single change
  undo        take your last decision back, as far as no chance or secret has been seen since
  back, forward, now  look at the game as it stood a move earlier or later, or as it stands
  branch NAME   play on from what you look at, as a game of its own; a name is not needed
  map FILE    draw what you look at, as .svg or .png
  save FILE   record the game in a file, from its beginning on, also what follows
  case NAME   save the present moment as a case; it shows hidden things too; case NAME FILE says where
  help        this
  quit        leave the game, which is kept (so does the end of input)"""

FAR_DOWN = 60
"""So many empty lines take what one person has seen off the screen."""


class Quit(Exception):  # noqa: N818 (a wish, not an error)
    """The person leaves the game."""


class Desk:
    """Asks whoever is to decide, tells what happens, and understands what is typed, until the game is over.

    `more` has what else can be typed, by its first word: each is given the rest of the line, and tells what came of it.
    `ask` reads one line and raises EOFError at the end of input, `say` prints one.
    """

    def __init__(
        self,
        session: Session,
        answer_single: bool = False,
        ask: Callable[[str], str] = input,
        say: Callable[[str], None] = say_on_terminal,
    ) -> None:
        self.session = session
        self.answer_single = answer_single
        self.ask, self.say = ask, say
        self.details = Details(session.rules, line_width())
        self.told: dict[str | None, list[str]] = {}
        """the lines that each person was told last, to go on from, also when they get the keyboard again"""
        self.round: int | None = None
        """in which round the position was shown last"""
        self.showed = False
        """whether it was since the person at the screen has changed"""

    def run(self) -> None:
        """Play to the end. Raises Quit when the person leaves."""
        while self.session.turn != "over":
            self._tell_of_file()
            if self.session.turn == "bot":
                self.session.bot_moves()
            elif self.session.turn == "chance":
                self._roll()
            else:
                self._decide()
        self._tell_of_file()
        self.catch_up()

    # -- what is told -----------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Tell what has happened since the last time, as the person at the screen may know it."""
        report, before = self._report(), self.told.get(self._reader, [])
        same = 0
        while same < min(len(report), len(before)) and report[same] == before[same]:
            same += 1
        for line in report[same:]:
            self.say(line)
        self.told[self._reader] = report
        doing = self.session.game.doing(self.session.eyes)
        if (
            doing
            and self.session.asked is not None
            and not doing.startswith(self.session.rules.titles[self.session.asked])
        ):
            self.say(f"{doing} ...")

    @property
    def _reader(self) -> str | None:
        """Who reads what is told now; None where all at the screen may read the same."""
        return self.session.viewer if self.session.curtain else None

    def _report(self) -> list[str]:
        return self.session.game.sentences(self.session.eyes)

    def _tell_of_file(self) -> None:
        if self.session.told:
            self.say(self.session.told)
            self.session.told = ""

    # -- deciding ---------------------------------------------------------------------------------------------------

    def _decide(self) -> None:
        """Ask a person until something is decided, or is taken back."""
        session = self.session
        if session.handover is not None:
            self._pass_keyboard(session.handover)
        self.catch_up()
        decision = session.decision
        assert decision is not None
        if session.answers_itself(self.answer_single):
            colon = "" if decision.prompt.endswith(("?", ":")) else ":"
            only = decision.options[0]
            session.choose(only)
            if session.game.doing(session.eyes):  # what is done is told, this is only a part of it
                self.say(f"{decision.player_title}: {decision.prompt}{colon} {only.title} (the only option)")
            return
        self._show_where_it_stands(decision.player)
        labelled = labels(decision.options)
        self._offer(labelled)
        while session is self.session:
            line = self._line("> ")
            if self._command(line):
                if session.decision != decision:
                    return
                continue
            option = self._find(line, labelled)
            if option is not None:
                session.choose(option)
                return

    def _show_where_it_stands(self, player: str) -> None:
        """Show the whole position in a new round, and what the players have after others have moved."""
        game = self.session.game
        made = [who for kind, who, _ in game.log if kind == "decision"]
        if not self.showed or game.round != self.round:
            self._show(position)
        elif made and made[-1] != player:
            self._show(overview)
        self.round, self.showed = game.round, True

    def _pass_keyboard(self, player: str) -> None:
        """Hide what was shown, and wait for the next person."""
        self._clear()
        self._line(f"\nPass the keyboard to {self.session.rules.titles[player]}, who then presses Enter. ")
        self.session.take_keyboard()
        self.showed = False
        report = self._report()
        self.told.setdefault(self._reader, report[: max(0, len(report) - MOST_RETOLD)])

    def _clear(self) -> None:
        if sys.stdout is not None and sys.stdout.isatty():
            self.say("\n" * FAR_DOWN)

    def _offer(self, labelled: dict[str, Option]) -> None:
        self.say("")
        for line in offered(self.session, labelled):
            self.say(line)

    def _roll(self) -> None:
        """Ask for what dice or a draw gave."""
        session, chance = self.session, self.session.chance
        assert chance is not None
        secret = session.chance_is_secret
        self.catch_up()
        outcomes, titles = chance.outcomes, chance.titles
        known = f"{outcomes[0]} to {outcomes[-1]}" if is_number(outcomes[0]) else ", ".join(titles)
        all_of_it = f", `{ROLL_ALL}` also the rest, such as of a shuffle" if session.draws else ""
        self.say("")
        asked = f"What came out ({chance.what}: {known})? `{ROLL}` lets the computer do it{all_of_it}."
        for part in wrapped(asked, line_width(), "", "  "):
            self.say(part)
        if session.chance_is_secret:
            self.say("Not everybody may see this: who may types it alone, and then it leaves the screen.")
        while True:
            line = self._line("> ")
            if line.casefold() in (ROLL, ROLL_ALL):
                session.roll(every=line.casefold() == ROLL_ALL)
                if secret:
                    self._clear()
                return
            if self._command(line):
                return
            wanted, named = line.casefold(), list(zip(outcomes, titles, strict=True))
            near = [id for id, title in named if wanted == title.casefold()] or [
                id for id, title in named if wanted and (wanted in id.casefold() or wanted in title.casefold())
            ]
            try:
                session.answer(line if line in outcomes or len(near) != 1 else near[0])
                if secret:
                    self._clear()
                return
            except InvalidMove:
                several = [title for id, title in named if id in near]
                for part in wrapped(
                    _cannot_come_out(line, known, several, [*titles, *outcomes]), line_width(), "", "  "
                ):
                    self.say(part)

    # -- what is typed ----------------------------------------------------------------------------------------------

    def _line(self, prompt: str) -> str:
        try:
            return self.ask(prompt).strip()
        except (EOFError, OSError, RuntimeError):  # the last is what a closed standard input gives
            raise Quit from None

    def _command(self, line: str) -> bool:
        """Do what a line asks for, if it is no answer to the question."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        alone = {
            "quit": self._quit, "exit": self._quit, "help": self._help, "?": self._help, "state": self._state,
            "undo": self._undo, "back": self._back, "forward": self._forward, "now": self._now, "why": self._why,
            "details": self._details,
        }  # fmt: skip
        named = {"why": self._why, "details": self._details, "log": self._log, "branch": self._branch,
                 "save": self._save, "case": self._case, "map": self._map, "picture": self._map}  # fmt: skip
        if not rest and word.casefold() in alone:
            alone[word.casefold()]("")
        elif word.casefold() in named:
            named[word.casefold()](rest)
        else:
            return False
        return True

    def _quit(self, _: str) -> None:
        raise Quit

    def _help(self, _: str) -> None:
        self.say(HELP)

    def _state(self, _: str) -> None:
        self._show(position)

    def _show(self, how: Callable[..., list[str]]) -> None:
        for line in how(self.session, self.details):
            self.say(line)

    def _undo(self, _: str) -> None:
        from polis_rules.play import UndoError

        try:
            self.session.undo(self.answer_single)
        except UndoError as error:
            self.say(f"Not taken back: {error}.")
            return
        self.told[self._reader] = self.told.get(self._reader, [])[: len(self._report())]
        self.say("Taken back.")

    def _why(self, name: str) -> None:
        self._tell(lambda: [why(self.session.game, name, self.session.rules.cited)])

    def _details(self, name: str) -> None:
        session = self.session
        shown, eyes = session.shown, session.eyes
        previews = {} if session.looking_back else {each.option.id: each for each in session.previews()}
        options = {} if session.decision is None or session.looking_back else labels(session.decision.options)
        offered = {label: previews[option.id] for label, option in options.items()}
        if offered and not name:
            self._tell(lambda: [line for each in offered.values() for line in self.details.option(shown, eyes, each)])
        else:
            self._tell(lambda: self.details.of(shown, eyes, name, offered))

    def _tell(self, known: Callable[[], list[str]]) -> None:
        """Print what is known; where a rule fails, or a file of the ruleset is gone, that is said instead."""
        try:
            lines = known()
        except PolisError as error:
            lines = [str(error)]
        for line in lines:
            self.say(line)

    def _log(self, what: str) -> None:
        game, eyes = self.session.game, self.session.eyes
        every = game.report if eyes is None else game.report_for(eyes)
        for line in every if what.casefold() == "all" else self._report():
            self.say(line)

    def _back(self, _: str) -> None:
        self.session.back()
        self._look()

    def _forward(self, _: str) -> None:
        self.session.forward()
        self._look()

    def _now(self, _: str) -> None:
        self.session.look(self.session.game.moment)
        self._look()

    def _look(self) -> None:
        session = self.session
        if session.looking_back:
            moves = some(session.game.moment - session.shown.moment, "move")
            self.say(f"\n{moves} ago (forward, back, now; branch plays on from here):")
        else:
            self.say("\nNow:")
        self._show(position)
        for line in asked_for(session):
            self.say(line)

    def _branch(self, name: str) -> None:
        try:
            other = self.session.branch(name or None)
        except (PolisError, OSError) as error:
            self.say(f"No branch: {error}.")
            return
        self.session.close()
        self.session = other
        self.told[self._reader], self.showed = self._report(), False
        self.say(f"You play on as {other.name}.")

    def _save(self, name: str) -> None:
        self.say(save(self.session, name))

    def _map(self, name: str) -> None:
        self.say(draw_in(self.session, name, self.details.does))

    def _case(self, typed: str) -> None:
        from ..written_case import keep  # what reads cases takes long to import

        self.say(keep(self.session.rules, self.session.game, typed))

    # -- options ----------------------------------------------------------------------------------------------------

    def _find(self, line: str, labelled: dict[str, Option]) -> Option | None:
        """The option that a line means; None where it means none or several, which is said."""
        if self.session.looking_back:
            self.say("You look at an earlier moment: now goes back to the game, branch plays on from here.")
            return None
        found = meant(line, labelled)
        if len(found) == 1:
            return found[0]
        self.say(not_understood(line, labelled, found))
        return None


def _cannot_come_out(line: str, known: str, several: list[str], names: list[str]) -> str:
    """What is said of a typed outcome that there is not, of which there are `several`, or none but those `known`."""
    if several:
        return f"Several are called so: type one of {', '.join(several)}."
    close = nearest(line, names)
    begin = f"{quote(line)} cannot come out here" if line else ""
    if close:
        return f"{begin}; {did_you_mean(close)}"
    return f"{f'{begin}. ' if begin else ''}Type one of these, or roll: {known}."


MOST_RETOLD = 12
"""So many lines of what has happened are told again to whoever takes the keyboard."""


def offered(session: Session, labelled: dict[str, Option]) -> list[str]:
    """The lines of a decision: the question, and each option with its price and what it would change."""
    game, decision = session.game, session.decision
    assert decision is not None
    name = game.round_name
    warning = play.Situation(game, decision.player).warning_before_acting
    lines = wrapped(warning, line_width(), "", "  ") if warning else []
    begin, left = "" if name is None else f"Round {name}. ", session.left_to_choose
    lines.append(f"{begin}{decision.player_title}: {decision.prompt}{f' ({left})' if left else ''}")
    previews = {each.option.id: each for each in session.previews()}
    width = max(map(len, labelled))
    titles = min(44, max(len(option.title) for option in decision.options))
    for label, option in labelled.items():
        lines += _option_lines(f"  {label:>{width}}  ", option, titles, previews[option.id])
    common = previews[decision.options[0].id].common
    return [*lines, *(line for each in common for line in wrapped(each, line_width(), "  ", "    "))]


def _option_lines(start: str, option: Option, titles: int, preview: Preview) -> list[str]:
    price = f"  {preview.price}" if preview.price else ""
    title = "" if start.strip() == option.title else option.title
    apart = f"  {preview.apart}" if preview.apart else ""
    line = f"{start}{title:<{titles if title else 0}}{price}".rstrip()
    if len(line) + len(apart) <= line_width():
        line += apart
    elif apart:
        first, *more = wrapped(preview.apart, line_width(), " " * (len(start) + 2), " " * (len(start) + 4))
        return [line, first, *more, *_told(preview, start)]
    if not preview.parts:
        return [line]
    if len(preview.parts) == 1 and len(line) + len(preview.changes) + 4 <= line_width():
        return [f"{line}  [{preview.changes}]"]
    return [line, *_told(preview, start)]


def _told(preview: Preview, start: str) -> list[str]:
    """What an option would change, each part in lines of its own."""
    indent = " " * (len(start) + 2)
    return [each for part in preview.parts for each in wrapped(f"[{part}]", line_width(), indent, f"{indent}  ")]
