"""One game on the table: its seats, its branches, and the same game again under rules that have just been changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from polis_rules.diagnostics import PolisError
from polis_rules.interpreter.game import Game, ReplayError, decisions
from polis_rules.play import HUMAN, Session, missed, record
from polis_rules.play.bots import Thought, thoughts
from polis_rules.ruleset import Ruleset
from polis_rules.studio.pictures import Pictures
from polis_rules.studio.scene import Scene, scene

if TYPE_CHECKING:
    from polis_rules.lab import Counterfactual

T = TypeVar("T")
MOST_BEFORE = 20
"""To so many earlier states of the rules one can go back, key by key."""


class TableError(PolisError):
    """Something that cannot be done at a table, in words that everybody there may read."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What other rules have made of the game on the table."""

    found: Counterfactual
    reached: int
    """how many moves of the game are made under the new rules"""
    moves: int
    """how many it had"""
    parted: int
    """how many were made before the first difference"""
    whole: bool
    """whether the game stands at the same moment again"""


class Table:
    """A game that people and bots play, with one thread that works on it.

    Everything that changes the game goes through its methods, which run one after the other; `listeners` are told
    after each, on the event loop.
    """

    def __init__(
        self,
        rules: Ruleset,
        seats: Mapping[str, str],
        seed: int | None = None,
        folder: Path | None = None,
        like: Table | None = None,
        session: Session | None = None,
    ) -> None:
        """A new game, or one of a session of these rules.

        What is known of the rules is taken from a table where the same are played, if there is one.
        """
        self.folder = folder
        self.session = Session(rules, seats, seed, folder=folder, undo_all=True) if session is None else session
        self.board: Pictures = Pictures.of(rules) if like is None else Pictures(like.board.board)
        self.before: list[tuple[Session, Pictures]] = []
        """games of earlier rules, to which one key goes back"""
        self.replayed: Replayed | None = None
        self.shown = ""
        """the id of the case whose position is on the table, instead of a game"""
        self.listeners: list[Callable[[], None]] = []
        """who is told first stands first"""
        self.trouble: PolisError | OSError | None = None
        """why a bot cannot go on, or what was chosen is not kept"""
        self.thinking = ""
        """the title of the player whose bot thinks"""
        self._stopped, self._closed = Event(), Event()
        self._asked = False
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="table")

    @property
    def rules(self) -> Ruleset:
        """What is played."""
        return self.session.rules

    def close(self) -> Future[None]:
        """Let go of the game, as soon as what is being done is done; nothing is lost. What is asked then is refused."""
        self._closed.set()
        gone = self._worker.submit(self._let_go)
        self._worker.shutdown(wait=False)
        return gone

    def _let_go(self) -> None:
        """Let go of the files of this game and of those of earlier rules."""
        for session in (self.session, *(session for session, _ in self.before)):
            session.close()
        self.before.clear()

    # -- what is shown ----------------------------------------------------------------------------------------------

    async def scene(
        self, eyes: str | None, moment: int | None = None, dark: bool = False, sees_all: bool = True
    ) -> Scene:
        """The game as a player sees it, now or after so many moves, drawn for a light or a dark page; for who
        otherwise `sees_all`, also what dice and draws that not everybody may see are entered from."""
        return await self._do(lambda: scene(self.session, eyes, self.board, self._within(moment), dark, sees_all))

    def _within(self, moment: int | None) -> int | None:
        return None if moment is None or moment >= self.session.game.moment else max(0, moment)

    async def page(self, eyes: str | None) -> str:
        """The game so far as a page of HTML that plays it back, as a player may see it."""
        from polis_rules.publishing import replay_page

        return await self._do(lambda: replay_page(self.rules, self.session.game, eyes, self.board.board))

    async def case(self, name: str, path: Path, last: int, moment: int | None, held: Collection[str] = ()) -> None:
        """Write a moment of the game into a file of cases, with spots that must hold. Raises CaseFileError, OSError."""

        def written() -> None:
            from polis_rules.cases import write_case

            game = self.session.game if moment is None else self.session.game.earlier(moment)
            members = [(kind, member) for kind, _, member in (spot.partition(" ") for spot in held)]
            write_case(self.rules, game, name, path, last, members)

        await self._do(written)

    @property
    def holding(self) -> dict[str, str]:
        """What a case may say what must hold of: players and the spots of the board, as `kind member`, with titles."""
        players = {f"player {player}": self.rules.titles[player] for player in self.rules.players}
        return players | {" ".join(spot.key): spot.title for spot in self.board.board.spots.values()}

    async def person(self) -> str | None:
        """The player of the person who is asked, else of the first person; None where only bots play."""

        def found() -> str | None:
            asked, people = self.session.asked, self.session.people
            return asked if asked in people else next(iter(people), None)

        return await self._do(found)

    async def reasons(self, eyes: str | None, name: str) -> list[str]:
        """Why something cannot be chosen now, for the player who is asked; nothing for others, who may not know. The
        author (None) may ask about all players. Raises InvalidMove where nothing here is called so."""

        def found() -> list[str]:
            decision = self.session.game.decision
            may_know = decision is not None and eyes in (None, decision.player)
            return missed(self.session.game, name, self.rules.cited) if may_know else []

        return await self._do(found)

    async def thoughts(self, eyes: str | None, moment: int | None = None) -> list[Thought]:
        """What a bot thinks of a decision, for the player who makes it; the author (None) may ask about all of them.

        Raises PolisError where another one decides, or it is being asked already.
        """
        if self._asked:
            raise TableError("a bot is thinking about this already")

        def begun() -> Game:
            game = self.session.game
            at = self._within(moment)
            return game.copy() if at is None else game.earlier(at)

        self._asked = True
        try:
            game = await self._do(begun)
            if eyes is not None and (game.decision is None or game.decision.player != eyes):
                raise TableError("it is not this seat's turn")
            return await asyncio.to_thread(thoughts, game, stopped=self._closed.is_set)
        finally:
            self._asked = False

    # -- playing ----------------------------------------------------------------------------------------------------

    async def choose(self, player: str | None, option: str, moment: int, sees_all: bool = True) -> None:
        """A player takes an option of the decision that was shown after so many moves, or enters how dice or a draw
        came out; those that not everybody may see only who `sees_all`. Raises PolisError, OSError."""

        def chosen() -> None:
            session = self.session
            if session.game.moment != moment:
                raise TableError("somebody has gone on with the game meanwhile")
            if session.chance is not None:
                if session.chance_is_secret and not sees_all:
                    raise TableError("only the author may enter that")
                session.answer(option)
                return
            if session.asked != player or session.turn != "person":
                raise TableError("it is not this seat's turn")
            session.choose(option)

        try:
            await self._do(chosen)
        except OSError as error:  # it is chosen all the same, and written down with what is chosen next
            self.trouble = error
            self.tell()
            raise
        await self.let_bots_play()

    async def let_bots_begin(self) -> None:
        """Bots go on, as somebody looks on now, unless they were stopped."""
        if not self._stopped.is_set():
            await self.let_bots_play()

    async def let_bots_play(self) -> None:
        """Bots go on until a person is asked or the game is over. What keeps one from it stands in `trouble`."""
        self._stopped.clear()
        self.trouble = None
        while not self._stopped.is_set():
            try:
                self.thinking = await self._do(self._bot_asked)
                if not self.thinking:
                    break
                self.tell()
                await asyncio.sleep(0)  # or pages would ask for what a person has chosen behind the bot's thinking
                await self._do(self._bot_moves)
            except (PolisError, OSError) as error:
                self.trouble = error
                break
            finally:
                self.thinking = ""
        self.tell()

    def _bot_asked(self) -> str:
        """The title of the player whose bot is to move; empty where none is."""
        session = self.session
        return session.rules.titles[session.asked or ""] if session.turn == "bot" else ""

    def _bot_moves(self) -> None:
        if self.session.turn != "bot":  # the game was taken back, or is another one, since this was asked for
            return

        def stopped() -> bool:
            return self._stopped.is_set() or self._closed.is_set()

        option = self.session.bot_choice(stopped)
        if not stopped():
            self.session.choose(option)

    def stop_bots(self) -> None:
        """No bot goes on until it is asked to."""
        self._stopped.set()

    async def undo(self) -> None:
        """Take the last decision of a person back. Raises PolisError with the reason where that is not possible."""
        self.stop_bots()
        await self._do(lambda: self.session.undo())
        self.tell()

    async def branch(self, moment: int) -> None:
        """Go on from how the game stood after so many moves, in a game of its own; the other one keeps its file."""
        self.stop_bots()

        def branched() -> None:
            self.session.look(moment)
            other = self.session.branch()
            self.session.close()
            self.session = other

        await self._do(branched)
        self.tell()
        await self.let_bots_play()

    async def begin(self, rules: Ruleset, seats: Mapping[str, str], seed: int | None = None) -> None:
        """Another game."""
        self.stop_bots()

        def begun() -> None:
            other = Session(rules, seats, seed, folder=self.folder, undo_all=True)
            self._let_go()
            self.session, self.board = other, Pictures.of(rules)
            self.replayed, self.shown = None, ""

        await self._do(begun)
        self.tell()
        await self.let_bots_play()

    async def show(self, name: str, rules: Ruleset, game: Game) -> None:
        """Put the position of a case on the table, which began otherwise than a game does and is not kept.

        `back_to_earlier_rules` leads from it to the game that was there before.
        """
        self.stop_bots()

        def shown() -> None:
            if self.shown:
                self.session.close()
            else:
                self._keep_earlier()
            everybody = dict.fromkeys(rules.players, HUMAN)
            self.session = Session(rules, everybody, undo_all=True, keep=False, game=game)
            self.board = Pictures.of(rules)
            self.shown, self.replayed = name, None

        await self._do(shown)
        self.tell()

    async def seat(self, player: str, who: str) -> None:
        """Somebody else plays a player from now on: a bot's name, or `human`. Raises PolisError and OSError."""
        self.stop_bots()

        def seated() -> None:
            session = self.session
            if session.path is not None:
                session.write()  # into another file, where somebody else has gone on with this one
            other = Session(
                session.rules,
                session.seats | {player: who},
                undo_all=True,
                keep=not self.shown,
                folder=self.folder,
                game=session.game.copy(),
                path=session.path,
            )
            other.told = session.told
            session.close()
            self.session = other

        await self._do(seated)
        self.tell()
        await self.let_bots_play()

    # -- other rules under the same game ----------------------------------------------------------------------------

    async def change_rules(self, rules: Ruleset) -> Replayed | None:
        """Play the game again under other rules: to the present moment, or to the first decision they do not allow.

        None where the rules are the same. Raises LabError where their players are others.
        """
        if rules.hash == self.rules.hash:
            self.board = await self._do(lambda: Pictures.of(rules))  # which is no rule
            self.tell()
            return None
        self.stop_bots()
        self.replayed = await self._do(partial(self._changed, rules))
        self.tell()
        return self.replayed

    def _changed(self, rules: Ruleset) -> Replayed:
        from polis_rules.lab import counterfactual

        session = self.session
        kept = record(session.rules, session.game, session.seats)
        found = counterfactual(kept, session.rules, rules)
        game = rules.start(kept.seed, "auto" if kept.chance == "seed" else "manual")
        reached = found.followed
        try:
            game.replay(kept.entries[:reached])
        except ReplayError as error:  # the dice of the seed come in another order
            reached = error.entry - 1
        other = Session(rules, session.seats, undo_all=True, folder=self.folder, game=game)
        self._keep_earlier()
        self.session, self.board = other, Pictures.of(rules)
        alike = kept.entries if found.first is None else kept.entries[: found.first.entry - 1]
        parted = decisions(alike) if kept.chance == "seed" else len(alike)
        return Replayed(found, game.moment, session.game.moment, parted, reached == len(kept.entries))

    def _keep_earlier(self) -> None:
        """Keep the game as it is under the rules that are left now."""
        self.before.append((self.session, self.board))
        for session, _ in self.before[:-MOST_BEFORE]:
            session.close()
        del self.before[:-MOST_BEFORE]

    async def back_to_earlier_rules(self) -> bool:
        """Go back to the game as it was before rules were changed under it; whether there was one."""
        if not self.before:
            return False
        self.stop_bots()

        def went_back() -> None:
            self.session.close()
            self.session, self.board = self.before.pop()
            self.replayed, self.shown = None, ""

        await self._do(went_back)
        self.tell()
        return True

    # -- threads ----------------------------------------------------------------------------------------------------

    async def _do(self, work: Callable[[], T]) -> T:
        def done() -> T:
            if self._closed.is_set():
                raise TableError("this game is closed")
            return work()

        if self._closed.is_set():
            return done()
        return await asyncio.get_running_loop().run_in_executor(self._worker, done)

    def tell(self) -> None:
        """Tell those who look on that something is new."""
        for listener in list(self.listeners):
            listener()


def seats_of(rules: Ruleset, who: Mapping[str, str]) -> dict[str, str]:
    """Who plays each player: the first a person and the others bots, where nothing else is said."""
    usual = {player: HUMAN if number == 0 else "mcts:300" for number, player in enumerate(rules.players)}
    return usual | {player: name for player, name in who.items() if player in usual}
