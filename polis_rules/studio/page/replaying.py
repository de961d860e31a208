"""What a change of the rules has made of the game on the table, and the way back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import ui

from polis_rules.diagnostics import some
from polis_rules.semantics import Symbols
from polis_rules.studio.calling import called, title_of, value_of
from polis_rules.studio.page.editing import EditorPane
from polis_rules.studio.page.elements import Escape

if TYPE_CHECKING:
    from polis_rules.lab import FirstDifference, RuleLine
    from polis_rules.studio.studio import Studio
    from polis_rules.studio.table import Replayed, Table

MOST = 6
WENT_BACK = "The game is again what it was before. The files stay as they are: saving plays it on by them."
CASE_LEFT = "Your game is on the table again."
SEEN = """
  const box = getHtmlElement(BOX), around = box?.closest(".right");
  const covered = around?.querySelector(":scope > .tour")?.offsetHeight ?? 0; // it stays above what is scrolled
  if (around) around.scrollTop = Math.min(around.scrollTop, box.offsetTop - around.offsetTop - covered);
"""
"""Brings what has become of the game into sight where its half of the page was scrolled; the text keeps its place."""


class ReplayPane:
    """Tells where the game goes another way under the rules that were saved last."""

    def __init__(self, studio: Studio, editor: EditorPane) -> None:
        self.studio, self.editor = studio, editor
        self.table: Table | None = None
        """the game before the author, once there is one"""
        self.listeners: list[Callable[[], Awaitable[None]]] = []
        """who shows what was laid over the ruleset, and is told that it is what it was before"""
        self.box = ui.element("section").classes("replayed").props('aria-label="The same game under other rules"')
        self.box.set_visibility(False)
        Escape().on("pressed", self._back)

    def show(self, replayed: Replayed) -> None:
        """Tell what has become of the game."""
        found = replayed.found
        self._open()
        with self.box:
            self._head(_headline(replayed))
            if found.changed:
                ui.label("Other rules").classes("title")
                with ui.element("ul"):
                    for line in found.changed[:MOST]:
                        self._rule(line)
            symbols = self.table.rules.rules().symbols if self.table is not None else Symbols()
            for head, lines in moments(replayed, symbols):
                ui.label(head).classes("title")
                with ui.element("ul"):
                    for text in lines:
                        with ui.element("li"):
                            ui.label(self.studio.workspace.by_names(text))

    def show_case(self, title: str, failures: Sequence[str]) -> None:
        """Tell that a case is on the table, and why it fails, if it does."""
        self._open()
        with self.box:
            stands = "here it fails" if failures else "it passes now"
            self._head(f"{title}: {stands}", "Back to the game before (Esc)")
            for each in failures:
                ui.label(self.studio.workspace.by_names(each)).classes("message")

    def _open(self) -> None:
        """Show the box, empty, where it is seen: what is around it may have been scrolled away from it."""
        self.box.set_visibility(True)
        self.box.clear()
        ui.run_javascript(SEEN.replace("BOX", str(self.box.id)))

    def hide(self) -> None:
        """What it tells is of rules that are no longer the last."""
        self.box.set_visibility(False)

    def _head(self, told: str, back: str = "Back to the rules before (Esc)") -> None:
        with ui.element("div").classes("bar"):
            ui.label(told).classes("title").props('role="status"')
            if self.table is not None and self.table.before:
                ui.button(back, on_click=self._back).props("dense no-caps")
            ui.button(icon="close", on_click=self.hide).props('flat dense aria-label="Close"')

    def _rule(self, line: RuleLine) -> None:
        with ui.element("li"):
            text, span = str(line), line.span
            name = self.studio.workspace.named(span.file) if span is not None else None
            if span is None:
                ui.label(text)
            elif name is None:
                ui.label(f"{text} ({Path(span.file).name}:{span.line})")
            else:
                ui.button(f"{text} ({name}:{span.line})", on_click=lambda: self.editor.open(name, span.line)).props(
                    "flat dense no-caps align=left"
                )

    async def _back(self) -> None:
        was_case = self.table is not None and bool(self.table.shown)
        if await self.studio.go_back():
            self._open()
            with self.box:
                self._head(CASE_LEFT if was_case else WENT_BACK)
            for listener in self.listeners:
                await listener()


def moments(replayed: Replayed, symbols: Symbols) -> list[tuple[str, list[str]]]:
    """What is different in the game, by moment: where it parts from what it was, and where it stands now."""
    found, told = replayed.found, []
    first, apart = found.first, replayed.parted < replayed.reached
    if first is not None:
        who = f": {title_of(symbols, 'player', first.player)}, {first.prompt}" if first.player else ""
        lines = _first(first, symbols)
        if found.stopped_by and not any(reason in found.stopped_by for reason in first.reasons):
            lines.append(f"The game stops {'later' if apart else 'there'}: {found.stopped_by}")
        told.append((f"First different before move {replayed.parted + 1}{who}", lines))
    if found.values and (first is None or apart or found.values != first.values):
        told.append((f"Now, after {some(replayed.reached, 'move')}", _values(found.values, symbols)))
    return told


def _first(first: FirstDifference, symbols: Symbols) -> list[str]:
    """The first thing that is different, in lines."""
    named = (("No longer offered", first.gone), ("Offered now", first.added))
    lines = [f"{what}: {', '.join(names)}" for what, names in named if names]
    lines += [f"{option} costs {now or 'nothing'}, before {cost or 'nothing'}" for option, cost, now in first.costs]
    return [*lines, *_values(first.values, symbols), *(f"Because: {reason}" for reason in first.reasons[:MOST])]


def _values(values: Sequence[tuple[str, str, str]], symbols: Symbols) -> list[str]:
    return [
        f"{called(symbols, path)}: {value_of(symbols, path, now)}, before {value_of(symbols, path, before)}"
        for path, before, now in values[:MOST]
    ]


def _headline(replayed: Replayed) -> str:
    if replayed.found.first is None:
        return "Under the new rules the game is the same so far."
    if replayed.whole:
        return "The game stands at the same moment again, under the new rules."
    done = some(replayed.reached, "move")
    return f"Under the new rules the game goes as far as {done} of {replayed.moves}."
