"""The rulesets that come with the package, to begin from, and the studio that is opened from there."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from pathlib import Path

from polis_rules.composition import (
    MANIFEST,
    find,
    shipped_folders,
    unreadable,
    variant_reason,
    variant_title,
    variants_in,
)
from polis_rules.diagnostics import PolisError, some
from polis_rules.ruleset import load
from polis_rules.source import entries_at, node_at, write_whole
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.guard import Keys
from polis_rules.studio.studio import AUTHOR, Studio
from polis_rules.studio.switching import Opened
from polis_rules.studio.trials import Trials

MOST_FILES = 100
MOST_OWN = 5
"""So many of the author's own variants are offered to go on with, those written last."""
VARIANT = """\
variant: {id}
title: My variant
extends: {base}
why: What I want to find out.

# A change names a value of the rules,
# what it is and what it becomes.
# Take the next two # away:
#change:
#  {path}: {{was: {was}, to: {to}}}
"""
MOVES = 3
"""So many are made in the tour."""
PAIRS = 10
"""So many pairs of games give a first answer, of some fifty points on either side; of fewer nothing can be said."""


@dataclass(frozen=True, slots=True)
class Card:
    """What the gallery shows of a ruleset or a variant."""

    sentence: str
    picture: str
    """the board as SVG at the start of a game; empty for a game without one"""


@dataclass(frozen=True, slots=True)
class Step:
    """One of the tour's steps."""

    text: str
    done: bool


class Gallery:
    """What is served: a studio that was given, or the gallery and the studio that is opened from it."""

    def __init__(
        self,
        studio: Studio | None = None,
        folder: Path | None = None,
        drafts: Drafts | None = None,
        games: Path | None = None,
    ) -> None:
        """New variants are written into `folder`, the current one where none is given."""
        self.studio = studio
        self.is_open = studio is None
        """whether one can choose here"""
        self.keys = Keys() if studio is None else studio.keys
        self.author = self.keys.new(AUTHOR) if studio is None else studio.author
        self.touring = False
        """whether the tour is shown; it begins with nothing done"""
        self._folder = folder or Path.cwd()
        self._drafts, self._games = drafts, games
        self._done: set[int] = set()
        self._trials = Trials()
        self._opening = asyncio.Lock()

    async def begin(self) -> None:
        """Put the game on the table of the studio that was given."""
        if self.studio is not None:
            await self.studio.begin()

    def warm(self) -> None:
        """Make the studio that was given ready for the first key, while its page is on its way."""
        if self.studio is not None:
            self.studio.warm()

    async def card(self, name: str, dark: bool = False, variant: str = "") -> Card:
        """What is shown of a shipped ruleset or a variant, drawn for a light or a dark page. Raises RulesetError."""
        return await self._trials.do(card, name, dark, variant)

    async def open(self, ruleset: str, variant: str = "") -> None:
        """Open a shipped ruleset, with one of its variants. Raises PolisError."""
        await self._open(Opened(ruleset, variants=(variant,) if variant else ()))

    def own(self, ruleset: str) -> dict[str, str]:
        """The files with variants of a ruleset that lie where new ones are written, those written last first, each with
        why it cannot be read, if it cannot."""
        return {file: unreadable(self._folder / file) for file in list(self._own(ruleset))[:MOST_OWN]}

    def _own(self, ruleset: str) -> dict[str, tuple[str | Path, ...]]:
        """The variants of a ruleset in the folder by their files, each after those that it requires."""
        folder = self._folder.resolve()
        return {Path(each[-1]).relative_to(folder).as_posix(): each for each in variants_in(folder, ruleset)}

    async def go_on(self, ruleset: str, file: str) -> None:
        """Open a variant of one's own again, with those that it requires. Raises PolisError."""
        variants = self._own(ruleset).get(file)
        if variants is None:
            raise PolisError(f"{file} is no longer there")
        await self._open(Opened(ruleset, variants=variants))

    async def write_variant(self, ruleset: str, beside: str = "") -> None:
        """Begin a variant of one's own, a new file, with another one of the ruleset on. Raises PolisError, OSError."""
        if ruleset not in {each.name for each in shipped_folders()}:
            raise PolisError("there is no such ruleset")
        names = (f"my_{ruleset}{number or ''}" for number in range(MOST_FILES))
        path = next((path for name in names if not (path := self._folder / f"{name}.yaml").exists()), None)
        if path is None:
            raise PolisError(f"there are {MOST_FILES} variants in {self._folder} already")
        where, was, to = await asyncio.to_thread(example, ruleset)  # not behind the pictures
        write_whole(path, VARIANT.format(id=path.stem, base=ruleset, path=where, was=was, to=to))
        await self._open(Opened(ruleset, variants=(beside, path) if beside else (path,)))

    async def _open(self, opened: Opened) -> None:
        async with self._opening:  # a second studio would leave the first one open, where nobody comes to it
            self.leave()
            self.studio = await asyncio.to_thread(Studio, opened, self._drafts, self._games, self.keys, self.author)
            await self.studio.begin()

    def leave(self) -> None:
        """Back to the gallery; what was not saved is kept as drafts, and the games are in their files."""
        if self.is_open and self.studio is not None:
            left, self.studio = self.studio, None
            left.close()
            for table in left.tables.values():
                table.tell()

    def tour(self) -> None:
        """Begin the tour, or end it."""
        self.touring = not self.touring
        self._done.clear()

    def steps(self) -> list[Step]:
        """The tour, with what has been done of it."""
        studio = self.studio
        if studio is not None:
            table = studio.table
            now = (
                bool(studio.workspace.variants),
                table is not None and table.session.own >= MOVES,
                table is not None and table.replayed is not None,
                studio.was_told,
                self._pairs >= PAIRS or (studio.compared is not None and studio.compared.over),
            )
            self._done |= {number for number, is_done in enumerate(now) if is_done}
        texts = (
            "Choose a game in the gallery, and press \u201cWrite a variant\u201d: a file of your own opens.",
            f"Play: choose something on the board or in the list, {MOVES} times.",
            "Change a value: take away the # before \u201cchange:\u201d and the # of the next line, and save with"
            " Ctrl+S. The game is played again under your rule. (Ctrl+Space below offers what else may be changed.)",
            "Open Changes and press \u201cWhat is different?\u201d: your change is told in a sentence.",
            "Open Compare and press \u201cCompare\u201d: bots play pairs of games by both rules. One pair only shows"
            f" how a game goes by both; {PAIRS} give a first answer to who wins more often."
            + (f" So far there is {some(self._pairs, 'pair')}." if 0 < self._pairs < PAIRS else ""),
        )
        return [Step(text, number in self._done) for number, text in enumerate(texts)]

    @property
    def _pairs(self) -> int:
        """How many pairs of games have been compared."""
        compared = self.studio.compared if self.studio is not None else None
        return compared.latest.pairs if compared is not None and compared.latest is not None else 0

    def outcome(self) -> str:
        """What the tour has come to, once all of it is done."""
        compared = self.studio.compared if self.studio is not None else None
        rates = compared.latest.rates if compared is not None and compared.latest is not None else ()
        told = "You have written a variant, played it and compared it."
        if not rates:
            return told
        rate = next((each for each in rates if each.verdict in ("more", "less")), rates[0])
        low, high = (f"{100 * end:+.0f}" for end in rate.interval)
        return (
            f"{told} After {some(self._pairs, 'pair')} {rate.title} wins"
            f" {100 * rate.now:.0f} % now, {100 * rate.before:.0f} % before. In the long run the difference lies"
            f" between {low} and {high} points"
            + (", which more pairs would narrow down." if rate.verdict == "open" else ".")
        )

    def close(self) -> None:
        """End."""
        self._trials.close()
        if self.studio is not None:
            self.studio.close()


def card(name: str, dark: bool = False, variant: str = "") -> Card:
    """What is shown of a ruleset, or of a variant of it: why there is that one, and its board.

    >>> card("politeia").picture[:4]
    '<svg'
    """
    from polis_rules.board import Board, draw, seen
    from polis_rules.documentation.rulebook import read

    rules = load(name, None, (variant,) if variant else ())
    board = Board.of(rules)
    picture = draw(board, seen(rules.start(seed=1)), dark, alone=True) if board.spots else ""
    if variant:
        return Card(variant_reason(variant, name) or variant_title(variant, name), picture)
    plan = read(name).document.book
    told = "" if plan is None or plan.introduction is None else " ".join(str(plan.introduction).split())
    return Card(re.split(r"(?<=[.!?]) ", told)[0], picture)


def example(name: str) -> tuple[str, str, str]:
    """A change that a shipped ruleset allows: the path, and what stands there and may stand there instead.

    A cost of an action, or else a number in a table, or else a title.

    >>> example("politeia")[1:]
    ('10', '9')
    """
    from polis_rules.language_server import Workbench

    bench = Workbench()
    target = bench.target(find(name) / MANIFEST)
    tree = bench.known(target).tree if target is not None else None
    for id, action in entries_at(tree, "actions").items():
        for what, cost in entries_at(action, "cost").items():
            if str(cost).isdecimal():
                return f"actions.{id}.cost.{what}", str(cost), str(int(str(cost)) + 1)
    rows = [
        (kind, id, row) for kind, each in entries_at(tree, "tables").items() for id, row in entries_at(each).items()
    ]
    for kind, id, row in rows:
        for what, value in entries_at(row).items():
            if str(value).isdecimal() and int(str(value)) > 1:
                return f"tables.{kind}.{id}.{what}", str(value), str(int(str(value)) - 1)
    title = str(node_at(tree, "title") or name)
    return "manifest.title", json.dumps(title, ensure_ascii=False), json.dumps(f"My {title}", ensure_ascii=False)
