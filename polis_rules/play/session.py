"""A game that people play, at one screen, against each other or against bots: what any user interface stands on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import count, islice
from pathlib import Path
from random import SystemRandom
from threading import Lock
from typing import Literal

from polis_rules.diagnostics import PolisError, some
from polis_rules.interpreter.game import Chance, Decision, Game, LogEntry, Option, ReplayError, decisions
from polis_rules.interpreter.machine import PC
from polis_rules.play import bots
from polis_rules.play.known import Known
from polis_rules.play.person import HUMAN
from polis_rules.play.previews import Preview, Previews
from polis_rules.play.recorder import Recorder
from polis_rules.play.repeats import Repeats
from polis_rules.play.revealed import revealed
from polis_rules.play.saved import (
    Note,
    SavedGame,
    SavedGameError,
    games_folder,
    new_game_file,
    saved_game,
    write_note,
)
from polis_rules.play.transcript import TranscriptError, opened, read, record
from polis_rules.ruleset import Ruleset
from polis_rules.semantics import ir

Turn = Literal["person", "bot", "chance", "over"]
"""Who goes on: a person decides, a bot does, a person says how dice or a draw came out, or nobody as it is over."""


class UndoError(PolisError):
    """Nothing can be taken back."""


class Session:
    """One game with somebody in every seat, kept in a file from its first decision on.

    `seats` names a bot, or `human`, for each player. An interface asks `turn`, and then calls `choose`, `answer`, or
    `bot_moves`. Each is on the disk when it returns: a killed process loses nothing but what is being typed.

    >>> from polis_rules import load
    >>> rules = load("yucata")
    >>> session = Session(rules, {rules.players[0]: HUMAN}, seed=1, keep=False)
    >>> while session.turn == "bot":
    ...     session.bot_moves()
    >>> session.asked == rules.players[0], len(session.previews()) == len(session.decision.options)
    (True, True)
    """

    def __init__(
        self,
        rules: Ruleset,
        seats: Mapping[str, str],
        seed: int | None = None,
        by_hand: bool = False,
        undo_all: bool = False,
        keep: bool = True,
        folder: Path | None = None,
        game: Game | None = None,
        path: Path | None = None,
    ) -> None:
        """A new game of these rules, or `game` where one is given, which goes on in the file `path`.

        `by_hand`: people say how dice and draws come out. `undo_all`: they may also take back what follows from them.
        Without `keep` nothing is written. Raises UnknownBotError, and what starting a game raises.
        """
        self.rules = rules
        self.seats = {player: seats.get(player, "random") for player in rules.players}
        if game is None:
            seed = SystemRandom().randrange(1_000_000_000) if seed is None else seed
            game = rules.start(seed, "manual" if by_hand else "auto")
        self.game = game
        self.undo_all = undo_all
        self.path = path
        self._folder = games_folder() if keep and folder is None else folder
        self._keep = keep
        self._recorder: Recorder | None = None
        self._read: tuple[LogEntry, ...] | None = None
        """what the file held when it was resumed; others may have gone on with it before anything is decided here"""
        self._looking: Game | None = None
        self._previews: Previews | None = None
        self._repeats: Repeats | None = None
        self._thinking = Lock()
        seated = bots.seated(["random" if who == HUMAN else who for who in self.seats.values()], game.seed)
        self._bots = {
            player: bot for (player, who), bot in zip(self.seats.items(), seated, strict=True) if who != HUMAN
        }
        self.viewer = self.people[0] if len(self.people) == 1 else None
        """whose eyes the screen has; None before anybody has taken the keyboard, and where only bots play"""
        self.told = ""
        """what has happened to the file that people should know; an interface shows it and empties it"""

    # -- saved games ------------------------------------------------------------------------------------------------

    @classmethod
    def resume(
        cls,
        saved: SavedGame | str,
        folder: Path | None = None,
        undo_all: bool = False,
        anyway: bool = False,
        rules: Ruleset | None = None,
    ) -> Session:
        """Go on with a saved game, by its name or its number in `saved_games`, and by its `rules`, as they are where
        they lie if they are not given.

        If its rules have changed, `anyway` plays as much of it by those of now as they allow, as a new game.
        Raises SavedGameError, also where the rules have changed, RulesetError where they cannot be loaded.
        """
        if isinstance(saved, str):
            saved = saved_game(saved, folder)
        transcript = saved.transcript
        rules = saved.rules() if rules is None else rules
        if transcript.hash == rules.hash:
            try:
                game = opened(transcript, rules)
            except TranscriptError as error:
                raise SavedGameError(f"{saved.name}: {error}") from None
            session = cls(
                rules, transcript.seats, undo_all=undo_all, folder=saved.path.parent, game=game, path=saved.path
            )
            session._read = transcript.entries
            return session
        if not anyway:
            raise SavedGameError(
                f"the rules of {transcript.ruleset} have changed since {saved.name} was played. Bring those of then "
                f"back to go on with it as it was, or play as much of it as the rules of now allow: --anyway"
            )
        game = rules.start(transcript.seed, "auto" if transcript.chance == "seed" else "manual")
        told = f"All of {saved.name} fits the rules of now."
        try:
            game.replay(transcript.entries)
        except ReplayError as error:
            told = f"By the rules of now {saved.name} goes as far as its move {error.entry}: {error}."
        session = cls(rules, transcript.seats, undo_all=undo_all, folder=saved.path.parent, game=game)
        session.write()
        session.told = f"{told} It goes on as {session.name}."
        return session

    @property
    def name(self) -> str | None:
        """What the saved game is called; None while nothing was decided."""
        return self.path.stem if self.path is not None else None

    @property
    def is_listed(self) -> bool:
        """Whether `saved_games` has it; not where it is recorded in another folder."""
        return self.path is not None and self.path.parent == self._folder

    def save_as(self, path: Path) -> None:
        """Record the game in a file, which does not exist, and from now on there. Raises OSError."""
        path.open("xb").close()
        self._record_in(path)
        self._keep = True

    def close(self) -> None:
        """Let go of the file; nothing is lost."""
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None

    def _record_in(self, path: Path) -> None:
        try:
            recorder = Recorder(path, record(self.rules, self.game, self.seats))
        except OSError:
            with suppress(OSError):
                if not path.stat().st_size:  # made for this game, which cannot be written
                    path.unlink()
            raise
        self.close()
        self.path, self._recorder = path, recorder

    def write(self) -> None:
        """Bring what has happened to the disk, if the game is kept. Raises OSError."""
        if not self._keep:
            return
        try:
            if self._recorder is None and self._read is not None:
                self._record_resumed(self._read)
            elif self._recorder is None:
                self._record_in(self.path or new_game_file(self.rules.name, self._folder))
            elif self._recorder.lost:
                self._record_anew("was deleted or replaced")
            else:
                self._recorder.update(self.game)
        except OSError as error:
            error.filename = error.filename if self.path is None else self.path
            raise
        if self.path is not None and self.is_listed:
            with suppress(OSError):  # the game itself is written
                write_note(self.path, Note(self.rules.origin, self.stands, self._called))

    def _record_resumed(self, before: tuple[LogEntry, ...]) -> None:
        """Go on in the file that was resumed, unless somebody else has gone on with it meanwhile."""
        assert self.path is not None
        self._read = None
        try:
            if not self.path.exists() or read(self.path).entries == before:
                self._record_in(self.path)
                return
        except (BlockingIOError, TranscriptError):  # somebody else is writing it
            pass
        self._record_anew("was gone on with elsewhere")

    def _record_anew(self, why: str) -> None:
        """Write down the whole game in another file; what stands in its own is left alone."""
        assert self.path is not None
        names = (self.path.with_stem(f"{self.path.stem}-{number}") for number in count(2))
        free = next(path for path in (self.path, *islice(names, 1000)) if not path.exists())
        self.told = f"{self.path} {why}. The whole game is recorded in {free}."
        self._record_in(free)

    # -- who goes on ------------------------------------------------------------------------------------------------

    @property
    def people(self) -> tuple[str, ...]:
        """The players whom people play."""
        return tuple(player for player, who in self.seats.items() if who == HUMAN)

    @property
    def decision(self) -> Decision | None:
        """What waits for somebody to decide."""
        return self.game.decision

    @property
    def chance(self) -> Chance | None:
        """The dice or the draw whose outcome a person has to enter."""
        return self.game.chance

    @property
    def chance_is_secret(self) -> bool:
        """Whether not everybody may see how the dice or the draw comes out that a person has to enter."""
        step = self.game.program.points[self.game.state[PC]].step if self.chance is not None else None
        return isinstance(step, ir.Roll | ir.Draw) and step.seen_by is not None

    @property
    def turn(self) -> Turn:
        """Who goes on."""
        if self.game.finished:
            return "over"
        if self.game.chance is not None:
            return "chance"
        return "person" if self.asked in self.people else "bot"

    @property
    def asked(self) -> str | None:
        """The player who has to decide."""
        decision = self.game.decision
        return None if decision is None else decision.player

    @property
    def handover(self) -> str | None:
        """Whoever has to take the keyboard before anything hidden is shown; None where it is in the right hands."""
        if self.turn != "person" or not self.curtain or self.asked == self.viewer:
            return None
        return self.asked

    @property
    def curtain(self) -> bool:
        """Whether people at this screen may not see the same: there are several, and the rules hide something."""
        return len(self.people) > 1 and (self.game.options.secrets or bool(self.game.program.rules.symbols.together))

    def take_keyboard(self) -> None:
        """The person who is asked sits at the screen now."""
        self.viewer = self.asked

    @property
    def eyes(self) -> str | None:
        """The player as whom the position may be shown; None where the screen is nobody's, so that bots only play."""
        if self.curtain or len(self.people) < 2:
            return self.viewer
        return self.asked if self.asked in self.people else self.viewer or self.people[0]

    @property
    def _called(self) -> dict[str, str]:
        """The players' titles."""
        return {player: self.rules.titles[player] for player in self.rules.players}

    @property
    def own(self) -> int:
        """How many decisions people have made."""
        people = self.people
        return decisions(entry for entry in self.game.log if entry[1] in people)

    @property
    def stands(self) -> str:
        """Where the game stands, in words."""
        if self.game.result is not None:
            return self.game.result.ended_by_title
        name, decision = self.game.round_name, self.game.decision
        who = f"{decision.player_title} to decide" if decision is not None else "chance to be entered"
        made = f"{some(self.own, 'decision')} of yours" if self.people else some(decisions(self.game.log), "decision")
        return ", ".join(filter(None, [f"round {name}" if name is not None else "", who, made]))

    # -- going on ---------------------------------------------------------------------------------------------------

    def choose(self, option: Option | str) -> None:
        """Whoever is asked takes an option. Raises as `Game.apply`, and OSError where it cannot be written down."""
        self.game.apply(option)
        self._went_on()

    def answer(self, outcome: str) -> None:
        """Enter how dice or a draw came out. Raises as `Game.answer`, and OSError."""
        self.game.answer(outcome)
        self._went_on()

    def roll(self, every: bool = False) -> None:
        """Let the seed say how dice or a draw come out; with `every` also what the same rule asks for next, such as all
        other cards of a pile that is shuffled. Raises as `answer`."""
        here = self.game.state[PC]
        self.answer(self.game.rolled_by_seed())
        while every and self.game.chance is not None and self.game.state[PC] == here:
            self.answer(self.game.rolled_by_seed())

    @property
    def draws(self) -> bool:
        """Whether a draw is asked for, after which the same may be asked for many times more."""
        return self.chance is not None and isinstance(self.game.program.points[self.game.state[PC]].step, ir.Draw)

    def answers_itself(self, single: bool) -> bool:
        """Whether the decision that waits for a person leaves nothing to decide: where `single`, because it has one
        option that costs nothing; without that only where that is a number, as when nothing but 0 can be paid."""
        return self.turn == "person" and self._leaves_no_choice(self.decision, single)

    @staticmethod
    def _leaves_no_choice(decision: Decision | None, single: bool) -> bool:
        if decision is None or len(decision.options) != 1:
            return False
        only = decision.options[0]  # of what costs something one wants to know, and may take the action back
        return (single and not only.cost) or only.title.removeprefix("-").isdecimal()

    def bot_choice(self, stopped: Callable[[], bool] | None = None) -> Option:
        """What the bot that is asked takes; the game stays as it is, so this may run in a thread beside an interface.

        As soon as `stopped()` is true, it takes what it likes best so far. A second thread waits for the first.
        """
        assert self.asked is not None
        bot = self._bots[self.asked]
        with self._thinking:
            bot.stopped = stopped
            return bot.choose(self.game)

    def bot_moves(self) -> None:
        """Let the bot that is asked decide."""
        self.choose(self.bot_choice())

    def _went_on(self) -> None:
        self._looking = None
        if not self.curtain and self.asked in self.people:
            self.viewer = self.asked
        self.write()

    def previews(self) -> list[Preview]:
        """The options of the present decision in their order, each with what it would change."""
        if self._previews is None:
            self._previews = Previews(self.game.program, self.known)
        return self._previews.of(self.game)

    @property
    def left_to_choose(self) -> str:
        """How often a person is still asked the present question, with this time, such as `at most 3 times`.

        Empty where it is not repeated, or that is not known.
        """
        if self.turn != "person":
            return ""
        if self._repeats is None:
            self._repeats = Repeats(self._previews or Previews(self.game.program, self.known))
        return self._repeats.left(self.game)

    @cached_property
    def known(self) -> Known:
        """What is known of the positions that were asked about."""
        return Known(self.game.program)

    # -- back and forth ---------------------------------------------------------------------------------------------

    def undo(self, single: bool = False) -> None:
        """Take everything back since the last decision of a person, with it. Raises UndoError with the reason.

        What answers itself (`single` as in `answers_itself`) is no decision: it would be answered again at once.
        """
        earlier = self._before_last_own(single)
        if earlier is None:
            raise UndoError("there is no decision to take back")
        if not self.undo_all and self.game.automatic and (what := revealed(earlier, self.game, self.people)):
            raise UndoError(
                f"{what} since your last decision, and what was seen cannot be unseen; --undo-all takes back all"
            )
        self.game = earlier
        self._went_on()

    def _before_last_own(self, single: bool) -> Game | None:
        """The game before the last move of a person that did not answer itself; None where there is none."""
        made = [entry for entry in self.game.log if entry[0] == "decision" or not self.game.automatic]
        for moment in reversed(range(self.game.moment)):
            kind, who, _ = made[moment - self.game.moment]
            if kind == "chance" or who in self.people:
                earlier = self.game.earlier(moment)
                if not (kind == "decision" and self._leaves_no_choice(earlier.decision, single)):
                    return earlier
        return None

    @property
    def shown(self) -> Game:
        """The game as it is looked at: now, or at an earlier moment."""
        return self.game if self._looking is None else self._looking

    @property
    def looking_back(self) -> bool:
        """Whether an earlier moment is looked at."""
        return self._looking is not None

    def look(self, moment: int) -> None:
        """Look at the game as it stood after so many moves, from 0; what is beyond the ends is at them."""
        moment = max(0, min(moment, self.game.moment))
        self._looking = None if moment == self.game.moment else self.game.earlier(moment)

    def back(self) -> None:
        """Look one move further back."""
        self.look(self.shown.moment - 1)

    def forward(self) -> None:
        """Look one move further on."""
        self.look(self.shown.moment + 1)

    def branch(self, name: str | None = None) -> Session:
        """A game of its own that goes on from what is looked at; this one stays as it is. Raises SavedGameError."""
        path = new_game_file(self.rules.name, self._folder, name) if self._keep else None
        other = Session(
            self.rules, self.seats, undo_all=self.undo_all, keep=self._keep, folder=self._folder,
            game=self.shown.copy(), path=path,
        )  # fmt: skip
        other.viewer = self.viewer
        other.write()
        return other
