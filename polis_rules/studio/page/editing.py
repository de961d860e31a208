"""The rules on the page: a file as text with all that is found in it, saved without losing anything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from polis_rules.diagnostics import PolisError, some
from polis_rules.studio.counting import Line, Met, lines_in
from polis_rules.studio.drafts import digest
from polis_rules.studio.edits import Finding, Fix, Place, Point, merged, offset
from polis_rules.studio.page.elements import Assist, Select, named_dialog
from polis_rules.studio.page.findings import FindingsList, Listed
from polis_rules.studio.page.shared import SharedEditor
from polis_rules.studio.studio import Studio
from polis_rules.studio.troubles import in_words
from polis_rules.studio.workspace import Conflict, Document, WorkspaceError

if TYPE_CHECKING:
    from polis_rules.studio.table import Replayed

PAUSE = 0.05
"""Seconds without typing before a text is checked."""
CALM = 0.8
"""And so many before it is checked beyond its types; so many after a change its draft is written down."""
LOOK = 2.0
"""And so many between two looks at what other programs have written."""


class EditorPane:
    """One file in the editor of one browser."""

    def __init__(self, studio: Studio, saved: Callable[[Replayed | None], Awaitable[None]]) -> None:
        self.studio, self.saved = studio, saved
        self.document: Document | None = None
        self.explain: Callable[[str], Awaitable[None]] | None = None
        """what tells who says what stands at a path"""
        self.met: Met | None = None
        """what games of bots have met, which the margin shows"""
        self._found: tuple[dict[Path, list[Finding]], str] = {}, "checking ..."
        """what was found last, and what is told besides"""
        self._offered: tuple[dict[str, str], str] = {}, ""
        self._own = False
        self._asks_for_draft = False
        self._banner: tuple[object, ...] = ()
        """what stands above the text, which is not drawn anew while somebody may be clicking on it"""
        self._checking: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._undrafted = ""
        """why no draft can be kept"""
        self._said = ""
        """what was told last, which stays beside the findings until something is typed"""
        self._client = ui.context.client
        self._build()
        studio.workspace.listeners.append(self._texts_changed)
        ui.timer(LOOK, studio.look_around)
        self._client.on_delete(lambda: studio.workspace.listeners.remove(self._texts_changed))

    # -- the page -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        names = list(self.studio.workspace.names())
        with ui.element("section").classes("rules").props('aria-label="The rules"'):
            with ui.element("div").classes("bar"):
                self.files = Select("File", dict(zip(names, names, strict=True)), names[0], self.open)
                self.save_button = ui.button("Save", on_click=self.save).props("unelevated dense no-caps")
                ui.button("Format", on_click=self._format).props("flat dense no-caps")
                self.formats = ui.checkbox("on saving").props('dense aria-label="Format on saving"')
                self.status = ui.label().classes("status").props('role="status" aria-live="polite"')
            self.banner = ui.element("div").classes("banner").props('role="alert"')
            self.editor = SharedEditor(
                "", language="YAML", indent="  ", on_change=self._typed,
                keymap={"Mod-s": self.save, "Mod-Shift-f": self._format},
            ).classes("editor")  # fmt: skip
            self.editor.expect(self._late)
            self.assist = Assist(self.editor)
            self.assist.on("ask", self._asked)
            self.assist.on("left", self._left)
            self.findings = FindingsList(self.open, self._offer_fixes)

    def open(self, name: str, line: int = 0, character: int = 0) -> None:
        """Show a file, and a place of it: a line from 1, and so many letters before it."""
        if self.document is None or self.document.name != name:
            try:
                self.document = self.studio.workspace.open(name)
            except WorkspaceError as error:
                self.status.set_text(in_words(error))
                self._offered = {}, ""
                self._offer_files()
                return
            self._set_text(self.document.text)
            self._tell_assist(self.document)
            self._offer_files()
            self._show_banner()
            self._check(calm=0)
        if line:
            ui.timer(0.15, lambda: self.assist.show(line, character), once=True)

    def _offer_files(self, names: Mapping[str, Path] | None = None) -> None:
        """Offer the files that there are, and say which are not saved."""
        names = self.studio.workspace.names() if names is None else names
        changed = {path for path, each in self.studio.workspace.documents.items() if each.changed}
        files = {name: f"{name} (not saved)" if path in changed else name for name, path in names.items()}
        if self.document is not None and (files, self.document.name) != self._offered:
            self._offered = files, self.document.name
            self.files.offer(files, self.document.name)

    def _set_text(self, text: str) -> None:
        self._own = True
        self.editor.remember()
        self.editor.set_value(text)
        self._own = False

    def _tell_assist(self, document: Document) -> None:
        self.assist.about(digest(str(document.path)), digest(document.saved), document.name)

    def _left(self, event: GenericEventArguments) -> None:
        """The browser has kept what it could not send when the studio ended: it is offered as a draft is."""
        document, file = self.document, str(event.args.get("file"))
        if document is None or file != digest(str(document.path)):
            return
        try:
            self.studio.workspace.take_left(document, str(event.args.get("text")), str(event.args.get("over")))
        except OSError as error:
            self._tell(f"no draft can be kept ({error.strerror})")
            return
        self.assist.forget(file)

    def _late(self) -> None:
        """The browser did not know of what another one had typed: it is sent what has come of both."""
        ui.timer(0, self.editor.give, once=True)

    # -- typing -----------------------------------------------------------------------------------------------------

    def _typed(self, event: ValueChangeEventArguments[str]) -> None:
        if self._own or self.document is None:
            return
        self._own, refusal = True, ""
        try:
            self.studio.workspace.change(self.document, event.value)
        except WorkspaceError as error:
            refusal = in_words(error)
            self._set_text(self.document.text)  # or what is not kept would look as if it were
        finally:
            self._own = False
        self._check()
        if refusal:
            self._tell(refusal)

    def _texts_changed(self, document: Document) -> None:
        """A file has another text: of another browser, or since it was recovered."""
        if document is self.document and not self._own:
            with self._client:
                if self.editor.value != document.text:
                    self._set_text(document.text)
                self._tell_assist(document)
            if self._asks_for_draft or document.draft is not None:
                self._show_banner()
        if not self._own:
            self._check()

    def _check(self, calm: float = CALM) -> None:
        """Check the text, and after so many seconds beyond its types: at once where nobody types."""
        self._said = ""
        if self._checking is not None:
            self._checking.cancel()
        self._checking = background_tasks.create(self._checked(calm), name="check text")
        if self._keeping is None or self._keeping.done():  # also of somebody who types without a pause
            self._keeping = background_tasks.create(self._keep(), name="keep drafts")

    async def _keep(self) -> None:
        await asyncio.sleep(CALM)
        self._undrafted = ""
        try:
            await asyncio.to_thread(self.studio.workspace.keep_all)
        except OSError as error:
            self._undrafted = f"no draft can be kept ({error.strerror})"

    async def _checked(self, calm: float) -> None:
        document = self.document
        if document is None:
            return
        await asyncio.sleep(PAUSE)
        found = await self.studio.checker.findings(document.path, thorough=False)
        self._show_findings(found, "checking ...")
        self.assist.colour(*await self.studio.checker.prose(document.path))
        await asyncio.sleep(calm)
        self._show_findings(await self.studio.checker.findings(document.path), self._undrafted)
        while (new := await self.studio.checker.look_further(document.path)) is not None:
            if new:  # each value is looked at alone: what is typed meanwhile waits for one only
                self._show_findings(await self.studio.checker.findings(document.path), self._undrafted)

    def _show_findings(self, found: dict[Path, list[Finding]], besides: str) -> None:
        document, self._found = self.document, (found, besides)
        if document is None:
            return
        with self._client:
            here = found.get(document.path, [])
            names = self.studio.workspace.names()
            lines = self._met_here(document, names)
            self.editor.decorations = _decorations(document.text, here) + [
                {"kind": "line", "line": number, "class": f"line-{line.standing}"} for number, line in lines.items()
            ]
            self.editor.line_tooltips = {number: line.words for number, line in lines.items()}
            every = [(path, each) for path, some in found.items() for each in some]
            errors = sum(each.severity == "error" for _, each in every)
            others = some(len(every) - errors, "warning or note", "warnings and notes") if len(every) > errors else ""
            words = ", ".join(filter(None, [some(errors, "error") if errors else "", others])) or "nothing wrong"
            changed = "not saved, " if document.changed else ""
            found_here = f"{changed}{words}{', ' + besides if besides else ''}"
            self.status.set_text(" · ".join(filter(None, [found_here, self._said])))
            self.save_button.set_enabled(any(each.changed for each in self.studio.workspace.documents.values()))
            self._offer_files(names)
            called = {file: name for name, file in names.items()}
            every.sort(key=lambda pair: (pair[0] != document.path, pair[1].start))
            self.findings.show([self._listed(path, each, called.get(path)) for path, each in every])

    def _listed(self, path: Path, each: Finding, name: str | None) -> Listed:
        is_here = self.document is not None and path == self.document.path
        return Listed(path, each, name, is_here and each.can_be_mended and self.studio.workspace.may_write(path))

    def show_met(self, met: Met | None) -> None:
        """Show in the margin what games of bots have met; a check that goes on is not begun anew by that."""
        self.met = met
        self._show_findings(*self._found)

    def _met_here(self, document: Document, names: Mapping[str, Path]) -> dict[int, Line]:
        for file, lines in self.met.lines.items() if self.met is not None else ():
            if self.studio.workspace.named(file, names) == document.name and self.met is not None:
                return lines_in(lines, self.met.sources[file], document.text)
        return {}

    # -- questions --------------------------------------------------------------------------------------------------

    async def _asked(self, event: GenericEventArguments) -> None:
        document, what = self.document, str(event.args.get("what"))
        if document is None:
            return
        at, checker = (int(event.args.get("line", 0)), int(event.args.get("character", 0))), self.studio.checker
        if what == "complete":
            self.assist.answer(int(event.args["id"]), await checker.completions(document.path, at))
        elif what == "hover":
            self.assist.answer(int(event.args["id"]), await checker.hover(document.path, at))
        elif what == "definition":
            self._go_to(await checker.definition(document.path, at), "This is declared nowhere that can be opened.")
        elif what == "references":
            self._list(await checker.references(document.path, at))
        elif what == "fixes":
            await self._offer_fixes(at[0])
        elif what == "save":
            await self.save()
        elif what == "rename":
            await self._ask_name(document, at)
        elif what == "said" and self.explain is not None:
            try:
                path = await checker.path_at(document.path, at)
            except PolisError as error:
                self._tell(in_words(error))
                return
            if path:
                await self.explain(path)
            else:
                self._tell("No rule stands there: put the cursor on a value or a rule.")

    async def _ask_name(self, document: Document, at: Point) -> None:
        """Ask for another id of the name at a place, and put it in wherever the name stands."""
        try:
            now = await self.studio.checker.renamable(document.path, at)
        except PolisError as error:
            self._tell(f"Not renamed: {in_words(error)}")
            return

        async def named() -> None:
            try:
                files = await self.studio.rename(document, at, (field.value or "").strip())
            except PolisError as error:
                note.set_text(in_words(error))
                return
            dialog.close()
            self._tell(f"Renamed in {some(files, 'file')}; Ctrl+S saves them.")

        with self._client, named_dialog("Another id") as dialog, ui.card():
            field = ui.input(f"Another id for {now}", value=now).props("dense outlined autofocus")
            field.on("focus", js_handler="(event) => event.target.select()")  # what is typed takes its place
            field.on("keydown.enter", named)
            note = ui.label().classes("note").props('role="alert"')
            ui.button("Rename", on_click=named).props("dense no-caps unelevated")
        dialog.open()

    def _go_to(self, places: list[Place], otherwise: str) -> None:
        names = {file: name for name, file in self.studio.workspace.names().items()}
        for path, (line, character) in places:
            if path in names:
                self.open(names[path], line + 1, character)
                return
        self._tell(otherwise)

    def _list(self, places: list[Place]) -> None:
        names = {file: name for name, file in self.studio.workspace.names().items()}
        here = [(names[path], at) for path, at in places if path in names]
        if not here:
            self._tell("No name stands there: put the cursor on one.")
            return
        with self._client, named_dialog("Places of the name") as dialog, ui.card():
            ui.label(some(len(here), "place")).classes("title")
            if len(places) > len(here):
                ui.label(f"and {len(places) - len(here)} more in files that cannot be opened here")
            for name, (line, character) in here:
                lines = self.studio.workspace.open(name).text.split("\n")
                with (
                    ui.element("button")
                    .classes("finding")
                    .props('type="button"')
                    .on("click", partial(self._chosen_in, dialog, self.open, name, line + 1, character))
                ):
                    ui.label(f"{name}:{line + 1}").classes("place")
                    ui.label(lines[line].strip() if line < len(lines) else "")
        dialog.open()

    async def _offer_fixes(self, line: int, finding: Finding | None = None) -> None:
        """Mend a finding, or what is found on a line; where there are several ways, the author chooses."""
        document = self.document
        if document is None:
            return
        before = self.studio.workspace.texts
        found = await self.studio.checker.fixes(document.path, line, finding)
        if not found:
            self._tell("Nothing is known that would mend this.")
        elif len(found) == 1:
            self._mend(found[0], before)
        else:
            asked = "What mends this line?" if finding is None else finding.message
            with self._client, named_dialog(asked) as dialog, ui.card():
                ui.label(asked).classes("title")
                for fix in found:
                    ui.button(fix.title, on_click=partial(self._chosen_in, dialog, self._mend, fix, before)).props(
                        "flat dense no-caps align=left"
                    )
            dialog.open()

    @staticmethod
    def _chosen_in(dialog: ui.dialog, work: Callable[..., None], *about: object) -> None:
        dialog.close()
        work(*about)

    def _mend(self, fix: Fix, before: Mapping[Path, str]) -> None:
        try:
            self.studio.make(fix.edits, before)
        except WorkspaceError as error:
            self._tell(in_words(error))
            return
        self._tell(f"Mended: {fix.title}")

    async def _format(self) -> None:
        if self.document is not None:
            self._tell("formatting ...")
            try:
                self._tell(await self.studio.format(self.document))
            except WorkspaceError as error:
                self._tell(in_words(error))

    # -- saving -----------------------------------------------------------------------------------------------------

    async def save(self) -> None:
        """Write the file, and play the game on under its rules."""
        document = self.document
        if document is not None:
            if self.formats.value:
                await self._format()
            await self._save(document, None)

    async def _save(self, document: Document, over: str | None) -> None:
        self.status.set_text("saving ...")
        try:
            came = await self.studio.save(document, over)
        except (OSError, WorkspaceError) as error:
            kept = await self._kept()
            reason = error.strerror if isinstance(error, OSError) else error
            self._tell(f"Not saved{kept}: {reason}")
            return
        if isinstance(came, Conflict):
            self._show_conflict(document, came)
            return
        self._show_banner()
        await self._show_behind()
        self._check()
        await self.saved(came)

    async def _kept(self) -> str:
        """That what is not saved is a draft now, if it can be."""
        try:
            await asyncio.to_thread(self.studio.workspace.keep_all)
        except OSError:
            return ", and no draft can be kept either"
        return ", and kept as a draft"

    async def _show_behind(self) -> None:
        """Another file was not saved with this one, as another program has changed it: the author chooses."""
        for other in [each for each in self.studio.workspace.documents.values() if each.changed]:
            conflict = await asyncio.to_thread(self.studio.workspace.conflict, other)
            if conflict is not None:
                self._show_conflict(other, conflict)
                return

    def _show_banner(self) -> None:
        """What an earlier session has not saved, or why a file cannot be changed."""
        document = self.document
        if document is None:
            return
        workspace, draft = self.studio.workspace, document.draft
        self.editor.set_enabled(not workspace.refusal(document))
        self._asks_for_draft = draft is not None
        is_read = not workspace.may_write(document.path)
        others = "" if draft is None or draft.is_over(document.saved) else ", and another program has changed it since"
        told = document.path, is_read, draft is not None, others
        if told == self._banner:
            return
        self._banner = told
        self.banner.clear()
        with self._client, self.banner:
            if is_read:
                ui.label("This file belongs to a shipped ruleset, and is only read. Change it by a variant.")
            elif draft is not None:
                ui.label(f"This file was changed and not saved when the studio ended{others}.")
                ui.button("Recover", on_click=lambda: workspace.recover(document)).props("dense no-caps")
                ui.button("Throw away", on_click=lambda: workspace.discard_draft(document)).props("flat dense no-caps")
                if others:
                    ui.button("Both, one below the other", on_click=lambda: self._recover_both(document)).props(
                        "flat dense no-caps"
                    )

    def _recover_both(self, document: Document) -> None:
        workspace = self.studio.workspace
        workspace.recover(document)
        workspace.change(document, merged(document.text, document.saved))

    def _show_conflict(self, document: Document, conflict: Conflict) -> None:
        """The file was changed by another program: the author chooses."""
        self._tell("not saved")
        self._banner = ()
        self.banner.clear()
        with self._client, self.banner:
            if conflict.is_gone:
                ui.label(f"Another program has removed {document.name}. It was not written.")
                ui.button("Write it again", on_click=lambda: self._save(document, "")).props("dense no-caps")
                return
            ui.label(f"Another program has changed {document.name}. It was not written.")
            ui.button("Write mine over it", on_click=lambda: self._save(document, conflict.theirs)).props(
                "dense no-caps"
            )
            workspace = self.studio.workspace
            for title, take in (
                ("Take the other", workspace.take_theirs),
                ("Both, one below the other", workspace.take_both),
            ):
                ui.button(title, on_click=partial(self._take, take, document)).props("flat dense no-caps")

    def _take(self, take: Callable[[Document], None], document: Document) -> None:
        """Take what the author has chosen of a conflict."""
        try:
            take(document)
        except WorkspaceError as error:
            self._tell(in_words(error))
            return
        self._show_banner()

    def _tell(self, message: str) -> None:
        self._said = message
        with self._client:
            self.status.set_text(message)


def _decorations(text: str, findings: list[Finding]) -> list[dict[str, object]]:
    """What is marked in the text."""
    found: list[dict[str, object]] = []
    lines = text.count("\n") + 1
    for each in findings:
        start, end = offset(text, each.start), offset(text, each.end)
        if each.start[0] < lines:
            found.append({"kind": "line", "line": each.start[0] + 1, "class": f"line-{each.severity}"})
        if end > start:
            found.append({"kind": "mark", "from": start, "to": end, "class": f"mark-{each.severity}"})
    return found
