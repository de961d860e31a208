"""What a browser works with: the open files, what is wrong with them, and the game on the table."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.composition import MANIFEST, family, find, shipped_folders
from polis_rules.source import as_id
from polis_rules.studio.checker import Checker
from polis_rules.studio.comparing import MOST, Comparing
from polis_rules.studio.counting import Met, Step, covered, swept, swept_rules
from polis_rules.studio.depending import Depending
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.edits import Edit, Point, applied
from polis_rules.studio.grids import Grid, grid, kinds_of
from polis_rules.studio.guard import Keys
from polis_rules.studio.mapping import Chart, chart, linked, moved
from polis_rules.studio.reader import in_thread
from polis_rules.studio.streams import Stream
from polis_rules.studio.switching import Opened, Switching
from polis_rules.studio.trials import (
    NOTHING_BELOW,
    Lamp,
    Said,
    Spot,
    Told,
    Trials,
    cases_beside,
    differences,
    failing,
    lamps,
    made_beside,
    printed_changes,
    printed_marked,
    printed_pdf,
    printed_rulebook,
    said,
)
from polis_rules.studio.workspace import Conflict, Document, Workspace, WorkspaceError

if TYPE_CHECKING:
    from polis_rules.authoring import Value
    from polis_rules.language_server import Analysis
    from polis_rules.studio.table import Replayed
    from polis_rules.studio.writing import Writer, Written

CHANGED = "{} has changed meanwhile: try again"
AUTHOR = "author"
"""What a key is for that opens everything."""
MOST_COVERED = 2000
"""So many games are played to find out which rules they meet."""


class Studio(Switching):
    """One ruleset with its variants, open for one author and for the players whom the author invites.

    Raises RulesetError where the ruleset is not there. Rules that do not compile can be opened, and have no game.
    """

    def __init__(
        self,
        opened: Opened,
        drafts: Drafts | None = None,
        games: Path | None = None,
        keys: Keys | None = None,
        author: str | None = None,
    ) -> None:
        """With the keys of a gallery, `author` is the author's one of these."""
        folder = find(opened.ruleset)
        own = shipped_folders()
        files = tuple(each for each in opened.variants if isinstance(each, Path))
        workspace = Workspace(folder, files, read_only=folder in own, drafts=drafts)
        super().__init__(opened, workspace, Trials(), Keys() if keys is None else keys, games)
        for path in made_beside(files):  # what was written there in another session, and is no link to somewhere else
            if path.resolve().parent == path.parent.resolve():
                self.workspace.know(path)
        self.workspace.below = [each for each in family(folder)[1:] if each not in own]
        self.checker, self.depending = Checker(), Depending(self.trials)
        self.workspace.listeners.append(self.checker.change)
        self.author = self.keys.new(AUTHOR) if author is None else author
        self.was_told = False
        """whether the author has asked what is different"""
        self.compared: Comparing | None = None
        """the comparison that was begun last"""
        self.swept: Step | None = None
        """how far the sweep has come that was begun last"""
        self._sweeping: Stream[Step] | None = None

    def warm(self) -> None:
        """Let what answers in the editor learn the rules before a page asks."""
        self.checker.warm(self._main)

    # -- saving -----------------------------------------------------------------------------------------------------

    async def save(self, document: Document, over: str | None = None) -> Conflict | Replayed | None:
        """Write a file and all others that were changed, and play the game on under what the rules are then.

        Gives the conflict where another program has changed the file (of the others it is told when they are saved
        themselves), else what has become of the game, if there is one and its rules are others. Raises OSError and
        WorkspaceError, and then nothing is written; where only another file cannot be, WorkspaceError after all else.
        """
        conflict = await asyncio.to_thread(self.workspace.save, document, over)
        if conflict is not None:
            return conflict
        behind = ""
        for other in [each for each in self.workspace.documents.values() if each.changed]:
            try:
                await asyncio.to_thread(self.workspace.save, other)
            except (OSError, WorkspaceError) as error:
                behind = f"{other.name}: {error.strerror}" if isinstance(error, OSError) else str(error)
            self.workspace.tell(other)
        self.workspace.tell(document)
        self.checker.forget()
        replayed = await self.take_rules()
        if behind:
            raise WorkspaceError(f"{behind} (all else is saved)")
        return replayed

    async def look_around(self) -> None:
        """Take what another program has written, where nothing was changed here; a game takes it when it is saved, and
        where there is none it may begin now."""
        if await asyncio.to_thread(self.workspace.changed_elsewhere):
            self.checker.forget()
            self.workspace.take_all()
            for document in list(self.workspace.documents.values()):
                self.workspace.tell(document)
            if self.trouble and self.table is None:
                await self.begin()

    async def format(self, document: Document) -> str:
        """Write a text as `polis format` does, and tell what has become of it; what is typed meanwhile is kept.

        Raises WorkspaceError where it may not be changed.
        """
        before = document.text
        text = await self.checker.formatted(document.path)
        if document.text != before:
            return "not formatted: something was typed meanwhile"
        if text is None:
            return "nothing to format"
        self.workspace.change(document, text)
        return "formatted"

    async def rename(self, document: Document, at: Point, new: str) -> int:
        """Give the name at a place another id, in all texts where it stands; in how many.

        Raises PolisError where that cannot be done; then nothing is changed.
        """
        before = self.workspace.texts
        return self.make(await self.checker.rename(document.path, at, new), before)

    def make(self, edits: Sequence[Edit], before: Mapping[Path, str]) -> int:
        """Make edits of texts that were these when it was asked for them; in how many texts.

        Raises WorkspaceError where one may not be changed, or is another by now; then nothing is changed.
        """
        found: dict[Path, list[Edit]] = {}
        for edit in edits:
            found.setdefault(edit.path, []).append(edit)
        several = [(self.workspace.of(path), made) for path, made in found.items()]
        for each, _ in several:
            if refusal := self.workspace.refusal(each):
                raise WorkspaceError(f"{each.name} would change too: {refusal}" if len(several) > 1 else refusal)
            if before.get(each.path, each.text) != each.text:
                raise WorkspaceError(CHANGED.format(each.name))
        for each, made in several:
            self.workspace.change(each, applied(each.text, tuple(made)))
        return len(several)

    # -- tables and the map -----------------------------------------------------------------------------------------

    @property
    def _main(self) -> Path:
        """The file that stands for all that is open."""
        return self.workspace.variants[0] if self.workspace.variants else self.workspace.folder / MANIFEST

    async def grids(self) -> dict[str, str]:
        """The kinds that have tables, with their titles. Raises PolisError."""
        return await self.checker.look(self._main, kinds_of)

    async def grid(self, kind: str) -> Grid:
        """A table as it stands in the editor. Raises PolisError."""
        return await self.checker.look(self._main, lambda analysis: grid(analysis, kind))

    async def write(self, path: str, value: Value, why: str = "") -> str:
        """Change a value of the rules in the text where it belongs: what that file is called.

        Raises WorkspaceError where that cannot be done.
        """
        return await self._write(lambda writer: writer.write(path, value, why))

    async def chart(self, dark: bool) -> Chart:
        """The board as it stands in the editor, to be changed. Raises PolisError."""
        return await self.checker.look(self._main, lambda analysis: chart(analysis, dark))

    async def move(self, spot: str, right: float, down: float) -> str:
        """Move a place of the board by so many units of its picture: what the file is called in which that is written.

        Raises WorkspaceError where that cannot be done.
        """
        for path, value in await self.checker.look(self._main, lambda now: moved(now, spot, right, down), now=True):
            name = await self.write(path, value)
        return name

    async def link(self, graph: str, one: str, other: str) -> str:
        """Connect two members, or take their connection away: what the file is called in which that is written.

        Raises WorkspaceError where that cannot be done.
        """

        def written(writer: Writer) -> Written:
            path, there = linked(writer.analysis, graph, one, other)
            return writer.remove(path) if there else writer.write(path, {})

        return await self._write(written)

    async def _write(self, written: Callable[[Writer], Written]) -> str:
        from polis_rules.studio.writing import Writer

        def asked(analysis: Analysis) -> Written:
            return written(Writer(self.workspace, analysis))

        found = await self.checker.look(self._main, asked, now=True)
        document = self.workspace.of(found.path)
        if document.text != found.before:
            raise WorkspaceError(CHANGED.format(document.name))
        self.workspace.change(document, found.after)
        return document.name

    # -- cases, changes, and what is shared -------------------------------------------------------------------------

    async def lamps(self) -> list[Lamp]:
        """What comes of the cases under the rules as they are saved. Raises RulesetError."""
        return await self.trials.do(lamps, *self.about)

    async def show_case(self, id: str) -> tuple[str, int] | None:
        """Put a case on the table where it fails: the file and line of the rule that has to do with it.

        None where no such file is open. Raises PolisError.
        """
        if self.table is None:
            return None
        found = await in_thread(failing, *self.about, id)
        await self.table.show(id, found.rules, found.game)
        name = self.workspace.named(found.span.file) if found.span is not None else None
        return None if name is None or found.span is None else (name, found.span.line)

    async def make_case(self, name: str, last: int, moment: int | None, held: Collection[str] = ()) -> tuple[str, int]:
        """Write a moment of the game into the studio's file of cases: its name, and the line of the case.

        What must hold then is what the last decisions changed, or what the board shows of the spots that are `held`.

        A name in words becomes an id. Raises PolisError and OSError; then nothing is written.
        """
        from polis_rules.cases import FOLDER

        if self.table is None:
            raise WorkspaceError("there is no game on the table")
        path = self.workspace.folder / FOLDER / "from_the_studio.yaml"
        if self.workspace.read_only:
            if not self.workspace.variants:
                raise WorkspaceError("a shipped ruleset gets no cases here: open a variant of your own beside it")
            path = cases_beside(self.workspace.variants[0])
        if not path.resolve().is_relative_to(path.parent if self.workspace.read_only else self.workspace.folder):
            raise WorkspaceError(f"{path.parent.name}/{path.name} leads out of the folder: no case is written there")
        path.parent.mkdir(exist_ok=True)
        name = as_id(name) or name
        await self.table.case(name, path, last, moment, held)
        shown = self.workspace.know(path)
        lines = path.read_text("utf-8").split("\n")
        return shown, next((number for number, line in enumerate(lines, 1) if line.strip() == f"{name}:"), 1)

    async def differences(self) -> Told:
        """What is different from the ruleset without variants, or from the one that it extends, as it stands in the
        editor. Raises RulesetError."""
        unsaved = {each.path: each.text for each in self.workspace.documents.values() if each.changed}
        found = await self.trials.do(differences, *self.about, self._base, unsaved)
        self.was_told = True
        return found

    async def said(self, path: str) -> Said:
        """Who says what stands at a path. Raises UnknownPathError and RulesetError."""
        return await self.trials.do(said, *self.about, path)

    async def dependent(self, path: str, told: Callable[[int, int], None]) -> tuple[Spot, ...]:
        """The cases that depend on what stands there; `told` hears how many of all have been played for that, if any
        have to be. Raises RulesetError."""
        return await self.depending.cases(self.about, path, told)

    async def changes(self) -> str:
        """The same as a page of HTML."""
        return await self.trials.do(printed_changes, *self.about, self._base)

    async def rulebook(self) -> str:
        """The rulebook as a page of HTML. Raises RulesetError."""
        return await self.trials.do(printed_rulebook, *self.about)

    async def rulebook_pdf(self) -> bytes:
        """The same as PDF. Raises PolisError where typst is not installed too."""
        return await self.trials.do(printed_pdf, *self.about)

    async def rulebook_marked(self) -> bytes:
        """The same with its changes marked. Raises PolisError where typst is not installed, and RulesetError."""
        return await self.trials.do(printed_marked, *self.about, self._base)

    async def comparison(self) -> Comparing:
        """Games by the rules that are open, to be compared with those by the rules below. Raises PolisError."""
        from polis_rules.lab import LabError, Plan

        if not self.opened.variants and self._base is None:
            raise LabError(NOTHING_BELOW)
        now = Plan(*self.about, games=MOST)
        before = Plan(self._base or self.opened.ruleset, None if self._base else self.opened.scenario, games=MOST)
        self.compared = await asyncio.to_thread(Comparing, before, now)
        return self.compared

    async def has_other_rules(self, compared: Comparing) -> bool:
        """Whether the rules as they are saved are not those whose games a comparison plays. Raises RulesetError."""
        rules = await in_thread(self.rules)
        return rules.hash != compared.hashes[1]

    def coverage(self) -> Stream[Met]:
        """Games of bots by the rules that are saved, with all that they meet."""
        return Stream(covered, *self.about, MOST_COVERED)

    def sweep(self, settings: dict[str, Sequence[str]], games: int, earlier: Step | None = None) -> Stream[Step]:
        """Games of bots by the rules that are saved, for every combination of values of settings that was not played
        earlier by the same rules."""
        if self._sweeping is not None:
            self._sweeping.stop()  # of a page that has been loaded anew
        self._sweeping = Stream(swept, *self.about, settings, games, earlier=earlier)
        return self._sweeping

    async def has_swept_others(self, step: Step) -> bool:
        """Whether the rules as they are saved are not those that a sweep has played. Raises RulesetError."""
        return await asyncio.to_thread(swept_rules, *self.about, step.settings) != step.rules

    @property
    def jobs(self) -> int:
        """How many processes may play at once, while the page stays quick."""
        return max(1, (os.cpu_count() or 2) - 1)

    async def text_of(self, path: Path) -> str:
        """A file as it stands in the editor. Raises WorkspaceError."""
        return self.workspace.of(path).text

    @property
    def _base(self) -> Path | None:
        """What an edition is compared with, where no variant is laid over it."""
        below = family(self.workspace.folder)[1:]
        return below[0] if below and not self.opened.variants else None

    def is_author(self, key: str) -> bool:
        """Whether a key opens everything."""
        return self.keys.purpose(key) == AUTHOR

    def close(self) -> None:
        """End; what was not saved is kept as drafts."""
        with suppress(OSError):  # there is no room: it is as lost as it would be if this were told
            self.workspace.keep_all()
        if self.compared is not None:
            self.compared.stop()
        if self._sweeping is not None:
            self._sweeping.stop()
        self.depending.close()
        self.checker.close()
        self.trials.close()
        self.close_tables()
