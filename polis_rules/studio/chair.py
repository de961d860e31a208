"""The game as one page has it: what it sees and does there, and what it may read when something goes wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from polis_rules.diagnostics import PolisError, RuleError
from polis_rules.play import HUMAN
from polis_rules.play.bots import Thought
from polis_rules.studio.scene import Scene
from polis_rules.studio.table import Table, TableError

T = TypeVar("T")


class Chair:
    """Somebody at a table: the author (None), or who has the link of a player's seat.

    A seat sees and does what its player may. What it reads of errors says nothing of where files of this computer lie,
    nor of what is hidden from it. What cannot be done is raised as TableError.
    """

    ASKED = "whoever is asked"

    def __init__(self, table: Table, player: str | None = None) -> None:
        self.table, self.player = table, player
        self.seen_as = self.ASKED
        """as whom the author sees the game: a player, or nobody in particular (empty)"""

    @property
    def is_author(self) -> bool:
        """Whether everything may be seen and done."""
        return self.player is None

    @property
    def seats(self) -> list[tuple[str, str]]:
        """The titles of the players, and who plays each."""
        titles = self.table.rules.titles
        played = self.table.session.seats.items()
        return [(titles[player], HUMAN if who == HUMAN else f"bot ({who})") for player, who in played]

    @property
    def trouble(self) -> str:
        """What is wrong with the game beside its rules."""
        error = self.table.trouble
        if self.is_author:
            return str(error) if error is not None else self.table.session.told
        return _for_all(error) if error is not None else ""

    # -- seeing -------------------------------------------------------------------------------------------------------

    async def scene(self, moment: int | None = None, dark: bool = False) -> Scene:
        """The game now or after so many moves, drawn for a light or a dark page."""
        return await self._seeing(lambda eyes: self.table.scene(eyes, moment, dark, self.is_author))

    async def page(self) -> str:
        """The game so far as a page of HTML that plays it back."""
        return await self._seeing(self.table.page)

    async def reasons(self, name: str) -> list[str]:
        """Why something cannot be chosen now; nothing where another one is asked."""
        return await self._seeing(lambda eyes: self.table.reasons(eyes, name))

    async def thoughts(self, moment: int | None = None) -> list[Thought]:
        """What a bot thinks of the decision now or after so many moves, for whoever makes it."""
        return await self._safely(self.table.thoughts(self.player, moment))

    # -- doing --------------------------------------------------------------------------------------------------------

    async def choose(self, option: str, moment: int) -> None:
        """Take an option of the decision that was shown after so many moves."""
        await self._seeing(lambda eyes: self.table.choose(eyes, option, moment, self.is_author))

    async def undo(self) -> None:
        """Take the last decision of a person back, as the author may."""
        await self._as_author(self.table.undo)

    async def branch(self, moment: int) -> None:
        """Go on from how the game stood after so many moves, as the author may."""
        await self._as_author(lambda: self.table.branch(moment))

    async def _as_author(self, work: Callable[[], Awaitable[None]]) -> None:
        if not self.is_author:
            raise TableError("only the author may do that")
        await self._safely(work())

    async def _seeing(self, work: Callable[[str | None], Awaitable[T]]) -> T:
        """Do something as the player as whom the game is seen."""

        async def done() -> T:
            return await work(await self._eyes())

        return await self._safely(done())

    async def _eyes(self) -> str | None:
        """As whom the game is seen."""
        if self.player is not None:
            return self.player
        return await self.table.person() if self.seen_as == self.ASKED else self.seen_as or None

    async def _safely(self, work: Awaitable[T]) -> T:
        """Wait for some work; what keeps it from being done is raised with words that may be read here."""
        try:
            return await work
        except (PolisError, OSError) as error:
            raise TableError(str(error) if self.is_author else _for_all(error)) from error


def _for_all(error: PolisError | OSError) -> str:
    """An error in words for everybody: a file that lies somewhere on this computer by its name only, and of the
    position nothing, as it holds what is hidden. Why a rule failed may name a hidden value: only the author reads that.
    """
    match error:
        case TableError():
            return str(error)
        case RuleError():
            place = f"{Path(error.span.file).name}:{error.span.line}: " if error.span is not None else ""
            return f"{place}a rule has failed, and the game cannot go on so"
        case OSError():
            return error.strerror or "the game could not be kept"
    return "that cannot be done now"
