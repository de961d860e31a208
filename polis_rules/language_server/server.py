"""The server: what an editor asks, over standard input and output, to what the other files answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from polis_rules.language_server.abilities import (
    LEGEND,
    folding,
    formatting,
    hints,
    signature,
    tokens,
    workspace_symbols,
)
from polis_rules.language_server.answers import definition, findings, findings_alone, hover, references, symbols
from polis_rules.language_server.completion import complete
from polis_rules.language_server.fixes import fixes
from polis_rules.language_server.places import path_of, uri_of
from polis_rules.language_server.renaming import RefusedError, can_rename, rename
from polis_rules.language_server.targets import Target
from polis_rules.language_server.workbench import Workbench

PAUSE = 0.15
"""Seconds without typing before the file is checked."""

CALM = 4
"""How many times as long nobody must have typed before a sound ruleset is checked beyond its types."""

T = TypeVar("T")
Found = tuple[Target | Path, dict[Path, list[lsp.Diagnostic]]]
log = logging.getLogger(__name__)


def make_server(version: str, pause: float = PAUSE) -> LanguageServer:
    """A server that has not been started; `make_server("1").start_io()` serves one editor."""
    return Session(version, pause).server


class Session:
    """One editor's session. Everything is worked out by one thread, one thing after the other."""

    def __init__(self, version: str, pause: float) -> None:
        self.server = LanguageServer("polis", version, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.bench = Workbench()
        self.pause = pause
        self.worker = ThreadPoolExecutor(max_workers=1)
        self.waiting: dict[Path, asyncio.Task[None]] = {}
        self.shown: dict[Target | Path, set[Path]] = {}
        self._documents()
        self._questions()

    # -- texts and findings -----------------------------------------------------------------------------------------

    def _documents(self) -> None:
        feature = self.server.feature

        @feature(lsp.TEXT_DOCUMENT_DID_OPEN)
        def opened(params: lsp.DidOpenTextDocumentParams) -> None:
            self._changed(params.text_document.uri, now=True)
            self.worker.submit(self._learn, params.text_document.uri)

        @feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
        def changed(params: lsp.DidChangeTextDocumentParams) -> None:
            self._changed(params.text_document.uri)

        @feature(lsp.TEXT_DOCUMENT_DID_SAVE)
        def saved(params: lsp.DidSaveTextDocumentParams) -> None:
            self._changed(params.text_document.uri, now=True)

        @feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
        def closed(params: lsp.DidCloseTextDocumentParams) -> None:
            path = path_of(params.text_document.uri)
            if path is not None:
                self.worker.submit(self.bench.change, path, None)
                self._tell(path, [], None)  # what stands on the disk is checked when somebody opens it
                self._check_again()

        @feature(lsp.INITIALIZED)
        async def begun(params: lsp.InitializedParams) -> None:
            await self._watch_files()

        @feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
        def watched(params: lsp.DidChangeWatchedFilesParams) -> None:
            self.worker.submit(self.bench.forget)
            self._check_again()

    async def _watch_files(self) -> None:
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
        params = lsp.PublishDiagnosticsParams(uri_of(path), diagnostics, version)
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
        self.waiting[path] = asyncio.get_running_loop().create_task(
            self._check(path, version, 0 if now else self.pause)
        )

    def _learn(self, uri: str) -> None:
        """Get to know a file as it is opened: what is typed next may break it, and questions come at once."""
        path = path_of(uri)
        target = self.bench.target(path) if path is not None else None
        if target is not None:
            self.bench.analysis(target)

    async def _check(self, path: Path, version: int | None, pause: float) -> None:
        await asyncio.sleep(pause)
        if pause and await self._work(lambda: self._is_sound(path), False):
            await asyncio.sleep(CALM * pause)
        nothing: list[Found] = []
        for target, by_file in await self._work(lambda: self._findings(path), nothing):
            for file in self.shown.get(target, set()) - set(by_file):
                by_file[file] = []
            self.shown[target] = {file for file, each in by_file.items() if each}
            for file, diagnostics in by_file.items():
                self._tell(file, diagnostics, version if file == path else None)

    def _is_sound(self, path: Path) -> bool:
        """Whether only checks beyond types are left to do, which take longer: they wait until nobody types."""
        target = self.bench.target(path)
        return target is not None and not target.cases and self.bench.analysis(target).rules is not None

    def _findings(self, path: Path) -> list[Found]:
        """What is to be shown after a file has changed: first its own, then that of open files built on it."""
        bench, own = self.bench, self.bench.target(path)
        if own is None:
            return [(path, {path: findings_alone(bench, path)})]
        first = findings(bench, bench.analysis(own))
        if path not in bench.analysis(own).files.values():
            first[path] = findings_alone(bench, path)
        first.setdefault(path, [])
        others = {bench.target(each) for each in bench.texts} - {own, None}
        above = [each for each in others if each is not None and own.folder in (each.folder, *bench.bases(each))]
        return [(own, first), *((each, findings(bench, bench.analysis(each))) for each in above)]

    # -- questions --------------------------------------------------------------------------------------------------

    def _questions(self) -> None:
        feature = self.server.feature
        self._ask(lsp.TEXT_DOCUMENT_HOVER, hover)
        self._ask(lsp.TEXT_DOCUMENT_DEFINITION, definition)
        self._ask(lsp.TEXT_DOCUMENT_REFERENCES, references)

        @feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["."]))
        async def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
            items = await self._about(params, lambda path, place: complete(self.bench, path, place))
            return lsp.CompletionList(is_incomplete=False, items=items or [])

        @feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
        async def outline(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
            path = path_of(params.text_document.uri)
            return await self._work(lambda: symbols(self.bench, path), []) if path is not None else []

        @feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
        async def prepare(params: lsp.PrepareRenameParams) -> lsp.Range | None:
            return await self._about(params, self._renamable)

        @feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
        async def renamed(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
            return await self._about(params, lambda path, place: self._rename(path, place, params.new_name))

        @feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
        async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
            return await self._in(params, lambda path: fixes(self.bench, path, params.range)) or []

        @feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
        async def folded(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
            return await self._in(params, lambda path: folding(self.bench, path)) or []

        @feature(lsp.TEXT_DOCUMENT_FORMATTING)
        async def formatted(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
            return await self._in(params, lambda path: formatting(self.bench, path)) or []

        @feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
        async def coloured(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
            return await self._in(params, lambda path: tokens(self.bench, path))

        @feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
        async def hinted(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
            return await self._in(params, lambda path: hints(self.bench, path, params.range)) or []

        @feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(["(", ","]))
        async def signed(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
            return await self._about(params, lambda path, place: signature(self.bench, path, place))

        @feature(lsp.WORKSPACE_SYMBOL)
        async def declared(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
            return await self._work(lambda: workspace_symbols(self.bench, params.query), [])

    def _in(self, params: Any, answer: Callable[[Path], T]) -> Awaitable[T | None]:
        """Answer a question about a file, in the worker."""
        path = path_of(params.text_document.uri)
        return self._work(lambda: answer(path) if path is not None else None, None)

    def _ask(self, method: str, answer: Callable[[Workbench, Path, lsp.Position], Any]) -> None:
        @self.server.feature(method)
        async def asked(params: lsp.HoverParams) -> Any:
            return await self._about(params, lambda path, place: answer(self.bench, path, place))

    def _about(
        self, params: lsp.TextDocumentPositionParams | Any, answer: Callable[[Path, lsp.Position], T]
    ) -> Awaitable[T | None]:
        """Answer a question about a place, in the worker."""
        path = path_of(params.text_document.uri)

        def work() -> T | None:
            return answer(path, params.position) if path is not None else None

        return self._work(work, None)

    async def _work(self, work: Callable[[], T], otherwise: T) -> T:
        """Do it in the worker. A refusal is told to the editor; a mistake of this program costs one answer only."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self.worker, work)
        except RefusedError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        except Exception:
            log.exception("no answer")
            return otherwise

    def _place(self, path: Path, place: lsp.Position) -> tuple[int, int]:
        return place.line + 1, self.bench.column(path, place)

    def _renamable(self, path: Path, place: lsp.Position) -> lsp.Range | None:
        here = self.bench.at(path, *self._place(path, place))
        if here is None:
            raise RefusedError("this file belongs to no ruleset")
        return self.bench.range(can_rename(*here).span, self.bench.text(path))

    def _rename(self, path: Path, place: lsp.Position, new: str) -> lsp.WorkspaceEdit:
        edits = rename(self.bench, path, *self._place(path, place), new)
        return lsp.WorkspaceEdit(
            changes={
                uri_of(file): [lsp.TextEdit(self.bench.range(span, self.bench.text(file)), new) for span in spans]
                for file, spans in edits.items()
            }
        )
