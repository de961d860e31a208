"""The games that are open in a studio, each with a link for every seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.diagnostics import PolisError, one_of, quote
from polis_rules.ruleset import Ruleset
from polis_rules.studio.guard import Keys
from polis_rules.studio.reader import in_thread

if TYPE_CHECKING:
    from polis_rules.play import Session
    from polis_rules.studio.table import Table

SEAT = "seat:"
"""What the key of a seat is for; the number of a table and a player follow."""
MOST_TABLES = 200
"""So many games are open at most."""
MOST_KEPT = 50
"""So many of the games that are kept are offered, the newest."""


class Tables:
    """The games of a studio."""

    def __init__(self, keys: Keys, games: Path | None, seats: Mapping[str, str]) -> None:
        """Games are kept in the folder `games`; `seats` says who plays whom where one begins."""
        self.keys = keys
        self.tables: dict[int, Table] = {}
        """the games, by number"""
        self.front = 0
        """the number of the game that the author has before him"""
        self.trouble = ""
        """why there is no game, or why the game on the table is still one of the rules before"""
        self._begun, self._beginning = 0, asyncio.Lock()
        self._seat_keys: dict[int, dict[str, str]] = {}
        self._games, self._seats = games, seats

    @property
    def table(self) -> Table | None:
        """The game that the author has before him; rules that are saved change this one only."""
        return self.tables.get(self.front)

    @property
    def seat_keys(self) -> dict[str, str]:
        """The keys of its seats."""
        return self._seat_keys.get(self.front, {})

    async def _begin(self, rules: Callable[[], Ruleset], seed: int | None) -> None:
        """Put a first game on the table; what keeps that from being done stands in `trouble`.

        Rules may take long to compile: where they were changed meanwhile, only what was asked for last counts.
        """
        self._begun += 1
        asked, trouble = self._begun, ""
        try:
            loaded = await in_thread(rules)
            async with self._beginning:
                if self.table is None and asked == self._begun:
                    table = await self._put(loaded, seed)
                    table.session.told = "; ".join(
                        f"{loaded.name} has no player {quote(each)}: {one_of(each, loaded.players)}"
                        for each in self._seats
                        if each not in loaded.players
                    )
        except (PolisError, OSError) as error:
            trouble = str(error)
        if asked == self._begun:
            self.trouble = trouble

    async def _put(self, rules: Ruleset, seed: int | None, session: Session | None = None) -> Table:
        """Put another game before the author; nobody else may do so meanwhile. Raises PolisError."""
        from polis_rules.studio.table import Table, seats_of  # which the first page does not need

        if len(self.tables) >= MOST_TABLES:
            raise PolisError(f"{MOST_TABLES} games are open already: close one of them")
        like = next((each for each in self.tables.values() if each.rules.hash == rules.hash), None)
        rules = rules if like is None else like.rules
        seats = seats_of(rules, self._seats)
        table = await asyncio.to_thread(Table, rules, seats, seed, self._games, like, session)
        number = max(self.tables, default=0) + 1
        self.tables[number] = table
        self._seat_keys[number] = {player: self.keys.new(f"{SEAT}{number}:{player}") for player in rules.players}
        self.front = number
        return table

    async def kept(self) -> dict[str, str]:
        """The games that are kept of the rules before the author and are not open, by name, and where each stands."""
        from polis_rules.play import saved_games

        if self.table is None:
            return {}
        hash, near = self.table.rules.hash, {each.session.path for each in self.tables.values()}
        games = await asyncio.to_thread(saved_games, self._games)
        fitting = [each for each in games if each.transcript.hash == hash and each.path not in near]
        return {each.name: f"{each.name}: {each.stands}" for each in fitting[:MOST_KEPT]}

    async def resume(self, name: str) -> None:
        """Put a game that was kept before the author, to go on with by the rules that are played now: those of before,
        where the author went back to them, lie nowhere. Raises PolisError."""
        from polis_rules.play import Session

        rules = self.table.rules if self.table is not None else None
        session = await asyncio.to_thread(Session.resume, name, self._games, undo_all=True, rules=rules)
        async with self._beginning:
            await self._put(session.rules, None, session)

    def put_forward(self, number: int) -> None:
        """Put another game before the author. Raises PolisError where there is none of that number."""
        if number not in self.tables:
            raise PolisError("that game is closed")
        self.front = number

    async def close_table(self) -> None:
        """Close the game before the author, if it is not the only one; its links lead nowhere then."""
        if len(self.tables) > 1:
            for key in self._seat_keys.pop(self.front).values():
                self.keys.drop(key)
            table = self.tables.pop(self.front)
            self.front = next(iter(self.tables))
            await asyncio.wrap_future(table.close())
            table.tell()

    def seat(self, key: str) -> tuple[Table, str] | None:
        """The game and the player whose seat a key opens; None where that game is closed."""
        number, _, player = (self.keys.purpose(key) or "").removeprefix(SEAT).partition(":")
        table = self.tables.get(int(number)) if number.isdecimal() else None
        return None if table is None else (table, player)

    def close_tables(self) -> None:
        """Close all games, and let their links lead nowhere."""
        for key in (key for keys in self._seat_keys.values() for key in keys.values()):
            self.keys.drop(key)
        self._seat_keys.clear()
        for table in self.tables.values():
            table.close()
