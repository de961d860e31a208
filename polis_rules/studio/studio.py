"""What a browser works with: the open files, what is wrong with them, and the game on the table."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from polis_rules.composition import find, shipped
from polis_rules.diagnostics import PolisError
from polis_rules.ruleset import Ruleset, load
from polis_rules.studio.checker import Checker
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.guard import Keys
from polis_rules.studio.table import Replayed, Table, seats_of
from polis_rules.studio.workspace import Conflict, Document, Workspace

AUTHOR = "author"
SEAT = "seat:"
"""What keys are for: everything, or what follows, a player."""


@dataclass(frozen=True)
class Opened:
    """What the studio is started with."""

    ruleset: str | Path
    scenario: str | None = None
    variants: tuple[Path | str, ...] = ()
    """names of variants, values of settings, and files, which are open in the editor"""
    seats: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None


class Studio:
    """One ruleset with its variants, open for one author and for the players whom the author invites.

    Raises RulesetError where the ruleset is not there. Rules that do not compile can be opened, and have no game.
    """

    def __init__(self, opened: Opened, drafts: Drafts | None = None, games: Path | None = None) -> None:
        folder = find(opened.ruleset)
        own = {find(each.name) for each in shipped()}
        files = tuple(each for each in opened.variants if isinstance(each, Path))
        self.opened = opened
        self.workspace = Workspace(folder, files, read_only=folder in own, drafts=drafts)
        self.checker = Checker()
        self.workspace.listeners.append(self.checker.change)
        self.keys = Keys()
        self.author = self.keys.new(AUTHOR)
        self.seat_keys: dict[str, str] = {}
        self.table: Table | None = None
        self.trouble = ""
        """why there is no game, or why the game on the table is still one of the rules before"""
        self._games = games

    def rules(self) -> Ruleset:
        """The rules as they stand on the disk. Raises RulesetError."""
        return load(self.opened.ruleset, self.opened.scenario, self.opened.variants)

    async def begin(self) -> None:
        """Put a game on the table, if the rules can be played."""
        try:
            rules = await asyncio.to_thread(self.rules)
        except PolisError as error:
            self.trouble = str(error)
            return
        self.table = Table(rules, seats_of(rules, self.opened.seats), self.opened.seed, self._games)
        self.seat_keys = {player: self.keys.new(SEAT + player) for player in rules.players}
        self.trouble = ""

    async def save(self, document: Document, over: str | None = None) -> Conflict | Replayed | None:
        """Write a file, and play the game on under what the rules are then.

        Gives the conflict where another program has changed the file, else what has become of the game, if there is one
        and its rules are others. Raises OSError and WorkspaceError; then nothing is written.
        """
        conflict = await asyncio.to_thread(self.workspace.save, document, over)
        if conflict is not None:
            return conflict
        self.checker.forget()
        return await self.take_rules()

    async def take_rules(self) -> Replayed | None:
        """Play the game on under the rules of now; what keeps that from being done stands in `trouble`."""
        if self.table is None:
            await self.begin()
            return None
        try:
            replayed = await self.table.change_rules(await asyncio.to_thread(self.rules))
        except PolisError as error:
            self.trouble = str(error)
            return None
        self.trouble = ""
        return replayed

    def player(self, key: str) -> str | None:
        """Whose seat a key opens; None for the author's."""
        purpose = self.keys.purpose(key) or ""
        return purpose.removeprefix(SEAT) if purpose.startswith(SEAT) else None

    def close(self) -> None:
        """End; what was not saved is kept as drafts."""
        for document in self.workspace.documents.values():
            self.workspace.keep(document)
        self.checker.close()
        if self.table is not None:
            self.table.close()
