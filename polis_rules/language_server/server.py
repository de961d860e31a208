"""The server: what an editor asks, over standard input and output, to what the other files answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from polis_rules.language_server import abilities, answers
from polis_rules.language_server.completion import complete
from polis_rules.language_server.fixes import fixes
from polis_rules.language_server.outline import outline
from polis_rules.language_server.places import path_of
from polis_rules.language_server.renaming import RefusedError, renamable, rename
from polis_rules.language_server.targets import Target, bases
from polis_rules.language_server.workbench import Workbench

PAUSE = 0.15
"""Seconds without typing before the file is checked."""

CALM = 4
"""How many times as long nobody must have typed before a sound ruleset is checked beyond its types, too."""

QUESTIONS: dict[str, Callable[[Workbench, Path, Any], Any]] = {
    lsp.TEXT_DOCUMENT_HOVER: lambda bench, path, asked: answers.hover(bench, path, asked.position),
    lsp.TEXT_DOCUMENT_DEFINITION: lambda bench, path, asked: answers.definition(bench, path, asked.position),
    lsp.TEXT_DOCUMENT_REFERENCES: lambda bench, path, asked: answers.references(bench, path, asked.position),
    lsp.TEXT_DOCUMENT_COMPLETION: lambda bench, path, asked: lsp.CompletionList(
        is_incomplete=False, items=complete(bench, path, asked.position)
    ),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: lambda bench, path, asked: renamable(bench, path, asked.position),
    lsp.TEXT_DOCUMENT_RENAME: lambda bench, path, asked: rename(bench, path, asked.position, asked.new_name),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: lambda bench, path, asked: abilities.signature(bench, path, asked.position),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lambda bench, path, asked: fixes(bench, path, asked.range),
    lsp.TEXT_DOCUMENT_INLAY_HINT: lambda bench, path, asked: abilities.hints(bench, path, asked.range),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda bench, path, asked: outline(bench, path),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: lambda bench, path, asked: abilities.folding(bench, path),
    lsp.TEXT_DOCUMENT_FORMATTING: lambda bench, path, asked: abilities.formatting(bench, path),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: lambda bench, path, asked: abilities.tokens(bench, path),
}
"""How each question about a file is answered."""

OPTIONS = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=["."]),
    lsp.TEXT_DOCUMENT_RENAME: lsp.RenameOptions(prepare_provider=True),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: lsp.SignatureHelpOptions(["(", ","]),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: abilities.LEGEND,
}
"""What an editor is told of them beforehand."""

T = TypeVar("T")
Found = tuple[Target | Path, dict[Path, list[lsp.Diagnostic]]]
log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """Answers a request that cannot be read, as one with a negative position, with an error instead of silence."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise


def make_server(version: str) -> LanguageServer:
    """A server that has not been started; `make_server("1").start_io()` serves one editor."""
    return Session(version).server


class Session:
    """One editor's session. Everything is worked out by one thread, one thing after the other."""

    def __init__(self, version: str) -> None:
        sync = lsp.TextDocumentSyncKind.Incremental
        self.server = LanguageServer("polis", version, sync, protocol_cls=Protocol)
        self.bench = Workbench()
        self.worker = ThreadPoolExecutor(max_workers=1)
        self.waiting: dict[Path, asyncio.Task[None]] = {}
        self.shown: dict[Target | Path, set[Path]] = {}
        self.beyond: dict[Target, dict[Path, tuple[str, list[lsp.Diagnostic]]]] = {}
        """What checks beyond types have last found in each file, and its text then."""
        self._listen()

    # -- texts and findings -----------------------------------------------------------------------------------------

    def _listen(self) -> None:
        handlers: dict[str, Callable[..., Any]] = {
            lsp.TEXT_DOCUMENT_DID_OPEN: partial(self._edited, True),
            lsp.TEXT_DOCUMENT_DID_CHANGE: partial(self._edited, False),
            lsp.TEXT_DOCUMENT_DID_SAVE: partial(self._edited, True),
            lsp.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            lsp.INITIALIZED: self._watch_files,
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: self._forget,
            lsp.WORKSPACE_SYMBOL: self._symbols,
            **{method: partial(self._ask, answer) for method, answer in QUESTIONS.items()},
        }
        for method, handler in handlers.items():
            self.server.feature(method, OPTIONS.get(method))(partial(handler))  # pygls notes a name on what it is given

    def _edited(self, now: bool, params: Any) -> None:
        self._changed(params.text_document.uri, now)
        if now:
            self.worker.submit(self._learn, params.text_document.uri)

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            self.worker.submit(self.bench.change, path, None)
            self._tell(path, [], None)  # what stands on the disk is checked when somebody opens it
            self._check_again()

    def _forget(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        self.worker.submit(self.bench.forget)
        self._check_again()

    async def _watch_files(self, params: lsp.InitializedParams) -> None:
        """Ask to be told of files that change outside of the editor, where the editor can do that."""
        able = self.server.client_capabilities.workspace
        watching = able.did_change_watched_files if able is not None else None
        if watching is None or not watching.dynamic_registration:
            return
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*.yaml")])
        method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        registration = lsp.Registration(id="files", method=method, register_options=options)
        await self.server.client_register_capability_async(lsp.RegistrationParams([registration]))

    def _check_again(self) -> None:
        """Check every open file, as something beside them has changed."""
        for uri in list(self.server.workspace.text_documents):
            self._changed(uri)

    def _tell(self, path: Path, diagnostics: list[lsp.Diagnostic], version: int | None) -> None:
        params = lsp.PublishDiagnosticsParams(path.as_uri(), diagnostics, version)
        self.server.text_document_publish_diagnostics(params)

    def _changed(self, uri: str, now: bool = False) -> None:
        """Take over a text at once; check it when nothing more is typed for a while."""
        path = path_of(uri)
        if path is None:
            return
        document = self.server.workspace.get_text_document(uri)
        self.bench.codec = self.server.workspace.position_codec
        self.worker.submit(self.bench.change, path, document.source)
        version = document.version
        earlier = self.waiting.get(path)
        if earlier is not None:
            earlier.cancel()
        self.waiting[path] = asyncio.get_running_loop().create_task(self._check(path, version, 0 if now else PAUSE))

    def _learn(self, uri: str) -> None:
        """Get to know a file as it is opened: what is typed next may break it, and questions come at once."""
        path = path_of(uri)
        target = self.bench.target(path) if path is not None else None
        if target is not None:
            self.bench.analysis(target)

    async def _check(self, path: Path, version: int | None, pause: float) -> None:
        await asyncio.sleep(pause)
        nothing: list[Found] = []
        if pause and (so_far := await self._work(lambda: self._findings_so_far(path), nothing)):
            self._show(so_far, path, version)
            await asyncio.sleep(CALM * pause)
        self._show(await self._work(lambda: self._findings(path), nothing), path, version)
        while (new := await self._work(lambda: answers.look_further(self.bench, path), None)) is not None:
            if new:  # each value is looked at alone: what is typed meanwhile waits for one only
                self._show(await self._work(lambda: self._findings(path), nothing), path, version)
        await self._work(lambda: self.bench.shapes(self.bench.target(path)), None)  # what a completion needs, in time

    def _show(self, findings: list[Found], path: Path, version: int | None) -> None:
        """Tell the editor, also of files in which nothing is wrong any more."""
        for target, by_file in findings:
            for file in self.shown.get(target, set()) - set(by_file):
                by_file[file] = []
            self.shown[target] = {file for file, each in by_file.items() if each}
            for file, diagnostics in by_file.items():
                self._tell(file, diagnostics, version if file == path else None)

    def _findings_so_far(self, path: Path) -> list[Found]:
        """What the compiler finds; of what other checks have found before, that on lines that have not changed.

        Nothing where there is nothing quick to be said.
        """
        bench, own = self.bench, self.bench.target(path)
        if own is None or own.cases or path not in bench.analysis(own).files.values():
            return []
        findings = answers.findings(bench, bench.analysis(own), so_far=True)
        findings.setdefault(path, [])
        if bench.analysis(own).build.rules is not None:  # else other checks would not be done
            for file, (text, earlier) in self.beyond.get(own, {}).items():
                findings[file] = findings.get(file, []) + answers.moved(earlier, text, bench.text(file))
        return [(own, findings)]

    def _findings(self, path: Path) -> list[Found]:
        """What is to be shown after a file has changed: first its own, then that of open files built on it."""
        bench, own = self.bench, self.bench.target(path)
        if own is None:
            return [(path, {path: answers.findings_alone(bench, path)})]
        first = answers.findings(bench, bench.analysis(own))
        compiled = answers.findings(bench, bench.analysis(own), so_far=True)
        self.beyond[own] = {
            file: (bench.text(file), [each for each in every if each not in compiled.get(file, ())])
            for file, every in first.items()
        }
        if path not in bench.analysis(own).files.values():
            first[path] = answers.findings_alone(bench, path)
        first.setdefault(path, [])
        others = {target for each in bench.texts if (target := bench.target(each)) not in (own, None)}
        above = [each for each in others if each and own.folder in (each.folder, *bases(each.folder, bench.texts))]
        return [(own, first), *((each, answers.findings(bench, bench.analysis(each))) for each in above)]

    # -- questions --------------------------------------------------------------------------------------------------

    async def _symbols(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        return await self._work(lambda: abilities.workspace_symbols(self.bench, params.query), [])

    async def _ask(self, answer: Callable[[Workbench, Path, Any], T], params: Any) -> T | None:
        """Answer a question about a file, in the worker."""
        path = path_of(params.text_document.uri)
        return await self._work(lambda: answer(self.bench, path, params) if path is not None else None, None)

    async def _work(self, work: Callable[[], T], otherwise: T) -> T:
        """Do it in the worker. A refusal is told to the editor; a mistake of this program costs one answer only."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self.worker, work)
        except RefusedError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        except Exception:
            log.exception("no answer")
            return otherwise
