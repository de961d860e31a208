"""What the language server knows about the open texts, asked by the page: one thing after the other, beside it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp

from polis_rules.diagnostics import PolisError
from polis_rules.language_server import (
    Analysis,
    RefusedError,
    Workbench,
    abilities,
    answers,
    complete,
    fixes,
    path_of,
    rename,
)
from polis_rules.studio.workspace import Document

T = TypeVar("T")
Point = tuple[int, int]
"""A line and a character in it as editors count: from 0, in UTF-16 units."""

SEVERITIES = {
    lsp.DiagnosticSeverity.Error: "error",
    lsp.DiagnosticSeverity.Warning: "warning",
    lsp.DiagnosticSeverity.Information: "note",
}
MOST_OFFERED = 200
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to be said of a place of a file."""

    severity: str
    """`error`, `warning` or `note`"""
    code: str
    message: str
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Edit:
    """Another text for a part of a file."""

    path: Path
    start: Point
    end: Point
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What would mend a finding."""

    title: str
    edits: tuple[Edit, ...]


class Checker:
    """Answers about the texts in the editor. Every method but `change` waits for those asked before."""

    def __init__(self) -> None:
        self._bench = Workbench()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="checker")

    def change(self, document: Document) -> None:
        """A file has another text in the editor."""
        self._worker.submit(self._bench.change, document.path, document.text)

    def forget(self) -> None:
        """Something may have changed on the disk."""
        self._worker.submit(self._bench.forget)

    def close(self) -> None:
        """Answer nothing more."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def look(self, path: Path, question: Callable[[Analysis], T], now: bool = False) -> T:
        """What a function finds in what is known of the rules that a file belongs to. Raises what it raises.

        Without `now` it is asked about the rules as they were before they were broken, if they are.
        """

        def looked() -> T:
            target = self._bench.target(path)
            if target is None:
                raise PolisError(f"{path.name} belongs to no ruleset that can be found")
            return question(self._bench.analysis(target) if now else self._bench.known(target))

        return await asyncio.get_running_loop().run_in_executor(self._worker, looked)

    async def findings(self, path: Path, thorough: bool = True) -> dict[Path, list[Finding]]:
        """What is wrong with a file and with what it belongs to, by file.

        Without `thorough` only the compiler is asked, which is quick.
        """
        return await self._ask(lambda: self._findings(path, thorough), {})

    def _findings(self, path: Path, thorough: bool) -> dict[Path, list[Finding]]:
        target = self._bench.target(path)
        if target is None:
            return {path: [_finding(each) for each in answers.findings_alone(self._bench, path)]}
        analysis = self._bench.analysis(target)
        found = answers.findings(self._bench, analysis, so_far=not thorough)
        if path not in analysis.files.values():
            found[path] = answers.findings_alone(self._bench, path)
        return {file: [_finding(each) for each in every] for file, every in found.items()}

    async def completions(self, path: Path, at: Point) -> list[dict[str, str]]:
        """What may stand at a place: label, detail and what is told of it."""
        nothing: list[lsp.CompletionItem] = []
        found = await self._ask(lambda: complete(self._bench, path, lsp.Position(*at)), nothing)
        return [
            {"label": each.label, "detail": each.detail or "", "info": str(each.documentation or "")}
            for each in found[:MOST_OFFERED]
        ]

    async def hover(self, path: Path, at: Point) -> str:
        """What stands at a place, as Markdown; empty for nothing."""
        found = await self._ask(lambda: answers.hover(self._bench, path, lsp.Position(*at)), None)
        return found.contents.value if found is not None and isinstance(found.contents, lsp.MarkupContent) else ""

    async def definition(self, path: Path, at: Point) -> list[tuple[Path, int]]:
        """Where the name at a place is declared: files and lines from 1."""
        return _places(await self._ask(lambda: answers.definition(self._bench, path, lsp.Position(*at)), []))

    async def path_at(self, path: Path, at: Point) -> str:
        """The path in the composed rules of what stands at a place, down to the last name; empty for nothing."""
        return await self._ask(lambda: answers.path_at(self._bench, path, lsp.Position(*at)), "")

    async def references(self, path: Path, at: Point) -> list[tuple[Path, int]]:
        """Every place of the name at a place: files and lines from 1."""
        return _places(await self._ask(lambda: answers.references(self._bench, path, lsp.Position(*at)), []))

    async def fixes(self, path: Path, line: int) -> list[Fix]:
        """What would mend the findings on a line (from 0) of a file."""
        whole = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 100_000))
        nothing: list[lsp.CodeAction] = []
        found = await self._ask(lambda: fixes(self._bench, path, whole), nothing)
        return [Fix(each.title, _edits(each.edit)) for each in found]

    async def rename(self, path: Path, at: Point, new: str) -> tuple[Edit, ...]:
        """What gives the name at a place another id, wherever it stands. Raises PolisError with why it cannot be."""

        def renamed() -> lsp.WorkspaceEdit:
            try:
                return rename(self._bench, path, lsp.Position(*at), new)
            except RefusedError as error:
                raise PolisError(str(error)) from None

        return _edits(await asyncio.get_running_loop().run_in_executor(self._worker, renamed))

    async def formatted(self, path: Path) -> str | None:
        """A file as `polis format` writes it; None where that is as it is, or it cannot be read."""
        edits = await self._ask(lambda: abilities.formatting(self._bench, path), None)
        return edits[0].new_text if edits else None

    async def _ask(self, question: Callable[[], T], otherwise: T) -> T:
        """Ask the language server; a mistake of it costs one answer only."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, question)
        except Exception:
            log.exception("no answer")
            return otherwise


def _finding(each: lsp.Diagnostic) -> Finding:
    start, end = each.range.start, each.range.end
    severity = SEVERITIES.get(each.severity or lsp.DiagnosticSeverity.Error, "note")
    return Finding(
        severity, str(each.code or ""), each.message, (start.line, start.character), (end.line, end.character)
    )


def _edits(edit: lsp.WorkspaceEdit | None) -> tuple[Edit, ...]:

    found = []
    for uri, changes in ((edit.changes if edit is not None else None) or {}).items():
        path = path_of(uri)
        if path is not None:
            found += [
                Edit(
                    path,
                    (each.range.start.line, each.range.start.character),
                    (each.range.end.line, each.range.end.character),
                    each.new_text,
                )
                for each in changes
            ]
    return tuple(found)


def _places(found: list[lsp.Location]) -> list[tuple[Path, int]]:

    places = ((path_of(each.uri), each.range.start.line + 1) for each in found)
    return [(path, line) for path, line in places if path is not None]


def offset(text: str, at: Point) -> int:
    """The index in a text of a place of it.

    >>> offset("a\\n\\N{ROLLING ON THE FLOOR LAUGHING}b", (1, 2))
    3
    """
    line, units = at
    begin = 0
    for _ in range(line):
        next_line = text.find("\n", begin)
        if next_line < 0:
            return len(text)
        begin = next_line + 1
    for index in range(begin, len(text) + 1):
        if units <= 0 or index == len(text) or text[index] == "\n":
            return index
        units -= 2 if ord(text[index]) > 0xFFFF else 1
    return len(text)


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    """A text with all edits made.

    >>> applied("cost: 1", (Edit(Path("a"), (0, 6), (0, 7), "2"),))
    'cost: 2'
    """
    places = sorted(((offset(text, each.start), offset(text, each.end), each.text) for each in edits), reverse=True)
    for start, end, new in places:
        text = text[:start] + new + text[end:]
    return text
