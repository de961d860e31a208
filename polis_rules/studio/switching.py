"""Variants and values of settings that are laid over a studio's ruleset, and the game that is played on under them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.composition import (
    find,
    find_variant,
    shipped_folders,
    split_choices,
    variant_name,
    variant_title,
    variants_beside,
    with_choices,
)
from polis_rules.diagnostics import PolisError, RulesetError, quote
from polis_rules.ruleset import Ruleset, load
from polis_rules.studio.guard import Keys
from polis_rules.studio.reader import in_thread
from polis_rules.studio.tables import Tables
from polis_rules.studio.trials import Knob, Trials, knobs, unfit
from polis_rules.studio.workspace import Workspace

if TYPE_CHECKING:
    from polis_rules.studio.table import Replayed, Table
    from polis_rules.studio.writing import Writer, Written


@dataclass(frozen=True)
class Opened:
    """What the studio is started with."""

    ruleset: str | Path
    scenario: str | None = None
    variants: tuple[Path | str, ...] = ()
    """names of variants, values of settings, and files, which are open in the editor"""
    seats: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None


class Switching(Tables):
    """The rules as they are saved, with what is laid over them.

    One change of them comes after the other, in the order in which they were asked for: rules take long to compile, and
    of two that were compiled at once the earlier might come last, or undo what the other has laid over.
    """

    def __init__(self, opened: Opened, workspace: Workspace, trials: Trials, keys: Keys, games: Path | None) -> None:
        super().__init__(keys, games, opened.seats)
        self.opened, self.workspace, self.trials = opened, workspace, trials
        self._laying = asyncio.Lock()
        self._read_shipped()

    def rules(self) -> Ruleset:
        """The rules as they stand on the disk. Raises RulesetError."""
        return load(*self.about)

    @property
    def about(self) -> tuple[str | Path, str | None, tuple[str | Path, ...]]:
        """The ruleset, the scenario and the variants that are open."""
        return self.opened.ruleset, self.opened.scenario, self.opened.variants

    async def begin(self) -> None:
        """Put a game on the table, if there is none and the rules can be played."""
        await self._begin(self.rules, self.opened.seed)

    async def add_table(self, seed: int | None = None) -> None:
        """Begin another game under the rules as they are saved, and put it before the author. Raises PolisError."""
        rules = await in_thread(self.rules)
        async with self._beginning:
            await self._put(rules, seed)

    async def begin_anew(self, table: Table, seed: int | None = None) -> None:
        """Begin a game anew for the same seats, under the rules as they are saved; where others sit then, another one.

        Raises PolisError and OSError.
        """
        from polis_rules.studio.table import seats_of  # which the first page does not need

        rules = await in_thread(self.rules)
        if rules.players == table.rules.players:
            await table.begin(rules, seats_of(rules, table.session.seats), seed)
        else:  # its links are of other players
            await self.add_table(seed)

    async def take_rules(self) -> Replayed | None:
        """Play the game on under the rules of now, or begin another where others sit; what keeps that from being done
        stands in `trouble`."""
        async with self._laying:
            if self.table is None:
                await self.begin()
                return None
            try:
                replayed = await self._play_on(self.table, await in_thread(self.rules))
            except PolisError as error:
                self.trouble = str(error)
                return None
            self.trouble = ""
            return replayed

    async def show_case(self, id: str) -> tuple[str, int] | None:
        """Put a case on the table."""
        raise NotImplementedError

    async def _write(self, written: Callable[[Writer], Written]) -> str:
        raise NotImplementedError

    # -- variants ---------------------------------------------------------------------------------------------------

    def variants_near(self) -> list[tuple[str, str]]:
        """The variants that lie with the ruleset or are open, each with its title."""
        return [(name, variant_title(each[-1], self.opened.ruleset)) for name, each in self._near().items()]

    def has(self, name: str) -> bool:
        """Whether a variant is laid over the ruleset."""
        return any(_name(each) == name for each in self.opened.variants)

    async def switch(self, name: str, on: bool) -> Replayed | None:
        """Lay a variant over the ruleset, or take it away with what was chosen for settings of it, and play the game on
        under what holds then.

        Raises RulesetError where that does not go together; then all is as it was.
        """
        async with self._laying:
            others = tuple(each for each in self.opened.variants if _name(each) != name)
            if on:
                near = self._near()
                if name not in near:
                    raise PolisError(f"there is no variant {quote(name)} any more")
                return await self._lay((*others, near[name][-1]))
            return await self._lay(await in_thread(self._declared, others))

    def _declared(self, variants: tuple[str | Path, ...]) -> tuple[str | Path, ...]:
        """What is laid over the ruleset without the values of settings that are not declared then."""
        files, chosen = split_choices(variants)
        if not chosen:
            return variants
        from polis_rules.composition import compose

        settings = compose(self.opened.ruleset, self.opened.scenario, files).settings
        return with_choices(files, {name: value for name, value in chosen.items() if name in settings})

    def _near(self) -> dict[str, tuple[str | Path, ...]]:
        """What is laid over the ruleset with each variant that lies near, itself the last."""
        near = {_name(each[-1]): each for each in variants_beside(self.opened.ruleset)}
        return near | {path.stem: (path,) for path in self.workspace.variants}

    def _read_shipped(self) -> None:
        """Let shipped variants that are on, and those that they require, be read: what they change is told with its
        place. They stay when they are taken away, as it is told then what is gone."""
        folder, home = find(self.opened.ruleset), (shipped_folders()[0].parent / "variants").resolve()
        names = [each for each in split_choices(self.opened.variants)[0] if isinstance(each, str)]
        near = self._near() if names else {}
        for each in (each for name in names for each in near.get(name, (name,))):
            with suppress(RulesetError):  # one that is not there is told where the rules are read
                path, shown = find_variant(each, folder)
                if path.resolve().is_relative_to(home) and path.resolve() not in self.workspace.variants:
                    self.workspace.beside[shown] = path.resolve()

    async def unfit(self) -> dict[str, str]:
        """The variants that do not go with those that are on, and why."""
        off = {name: each for name, each in self._near().items() if not self.has(name)}
        return await self.trials.do(unfit, *self.about, off, dict(self.variants_near()))

    # -- settings ---------------------------------------------------------------------------------------------------

    async def knobs(self) -> list[Knob]:
        """The settings as they are. Raises RulesetError."""
        return await self.trials.do(knobs, *self.about)

    async def settle(self, name: str, value: str) -> Replayed | None:
        """Give a setting another value, and play the game on under it; where others sit then, another game begins.

        Raises RulesetError where it cannot have that value; then all is as it was.
        """
        async with self._laying:
            return await self._lay(with_choices(self.opened.variants, {name: value}))

    @property
    def chosen(self) -> dict[str, str]:
        """The values of settings that were chosen here, by name."""
        return {name: str(value) for name, value in split_choices(self.opened.variants)[1].items()}

    @property
    def settled_in(self) -> str:
        """Into what settings can be written, in words; empty where there is nothing of the author's own."""
        return "the variant" if self.workspace.variants else "" if self.workspace.read_only else "the ruleset"

    async def write_settings(self) -> str:
        """Write what was chosen for settings where `settled_in` tells, not saved yet: what that file is called.

        Raises WorkspaceError where that cannot be done.
        """
        from polis_rules.studio.writing import Writer

        written, owners = "", await in_thread(self._owners)
        for name, value in self.chosen.items():
            written = await self._write(partial(Writer.settle, name=name, value=value, owner=owners.get(name, "")))
        return written

    def _owners(self) -> dict[str, str]:
        """The settings of variants that are on beside the one that is open, with these variants by name."""
        from polis_rules.composition import compose

        found: dict[str, str] = {}
        for each in split_choices(self.opened.variants)[0]:
            if each not in self.workspace.variants:
                near = self._near().get(_name(each), (each,))
                found |= dict.fromkeys(compose(self.opened.ruleset, self.opened.scenario, near).settings, _name(each))
        return found

    # -- the game ---------------------------------------------------------------------------------------------------

    async def go_back(self) -> bool:
        """Go back to the game as it was before rules were changed under it, with the variants and settings of then;
        whether there was one."""
        async with self._laying:
            if self.table is None or not await self.table.back_to_earlier_rules():
                return False
            self.opened = replace(self.opened, variants=self.table.rules.origin[2])
            return True

    async def _lay(self, variants: tuple[str | Path, ...]) -> Replayed | None:
        """Lay other variants and values of settings over the ruleset."""
        wanted = replace(self.opened, variants=variants)
        rules = await in_thread(load, wanted.ruleset, wanted.scenario, wanted.variants)
        self.opened = wanted
        self._read_shipped()
        if self.table is None:
            return None
        return await self._play_on(self.table, rules)

    async def _play_on(self, table: Table, rules: Ruleset) -> Replayed | None:
        """Play the game on under other rules; where others sit then, another one begins.

        A case, which began otherwise than a game does, is played anew.
        """
        if table.rules.players != rules.players:
            await self.add_table()
            return None
        if not table.shown:
            return await table.change_rules(rules)
        await self.show_case(table.shown)
        return None


def _name(variant: str | Path) -> str:
    return variant_name(variant) if isinstance(variant, Path) else str(variant)
