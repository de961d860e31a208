"""An editor: a client that speaks the Language Server Protocol with `polis lsp` over standard input and output."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from polis_cli.main import main

WARM = multiprocessing.get_context("forkserver")
"""Makes processes that begin with everything imported."""
WARM.set_forkserver_preload(["polis_cli.lsp", "polis_rules.language_server.server", "polis_rules.validation.validate"])

PATIENCE = 120
"""Seconds after which a server that does not answer is given up."""

Json = dict[str, Any]


def serve(client: Connection) -> None:
    """Be `polis lsp`, with a connection for standard input and output."""
    for stream in (0, 1):
        os.dup2(client.fileno(), stream)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.argv = ["polis", "lsp"]
    main()


class WarmServer:
    """A server in a process that need not import anything, which is asked as one of `subprocess` is."""

    def __init__(self) -> None:
        here, there = WARM.Pipe()
        self.process = WARM.Process(target=serve, args=(there,))
        self.process.start()
        there.close()
        self.stdin, self.stdout = os.fdopen(os.dup(here.fileno()), "wb"), os.fdopen(os.dup(here.fileno()), "rb")
        self.kill = self.process.kill

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, patience: float) -> int | None:
        self.process.join(patience)
        return self.process.exitcode


class Editor:
    """A client. Every wait is for a message, and a server that dies or hangs ends it."""

    def __init__(self, env: dict[str, str] | None = None, folder: Path | None = None) -> None:
        """With variables of the environment the server is a Python of its own, which finds its modules by them.

        Modules in the folder where it runs come before these.
        """
        command = [sys.executable, "-c", "from polis_cli.main import main; main()", "lsp"]
        self.server = (
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=folder)
            if env
            else WarmServer()
        )
        self.watch = threading.Timer(PATIENCE, self.server.kill)
        self.watch.start()
        self.count = 0
        self.versions: dict[Path, int] = {}
        self.published: dict[tuple[str, int], list[Json]] = {}
        self.asked: list[Json] = []
        """What the server has asked of the client."""
        self.able: Json = {}
        """What the server says that it can do."""

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def _receive(self) -> Json:
        assert self.server.stdout is not None
        length = 0
        while line := self.server.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the server has ended"
        message: Json = json.loads(self.server.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published[params["uri"], params.get("version") or 0] = params["diagnostics"]
        elif "id" in message and "method" in message:
            self.asked.append(message)
            self._send({"id": message["id"], "result": None})
        return message

    def notify(self, method: str, params: Json) -> None:
        self._send({"method": method, "params": params})

    def response(self, method: str, params: Json | None) -> Json:
        self.count += 1
        self._send({"id": self.count, "method": method, "params": params})
        while (message := self._receive()).get("id") != self.count or "method" in message:
            pass
        return message

    def ask(self, method: str, params: Json | None) -> Any:
        message = self.response(method, params)
        assert "error" not in message, message
        return message["result"]

    def start(self, root: Path, encodings: Sequence[str] = ("utf-16",)) -> None:
        able: Json = {
            "general": {"positionEncodings": list(encodings)},
            "textDocument": {"rename": {"prepareSupport": True}},
            "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
        }
        answer = self.ask("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": able})
        self.able = answer["capabilities"]
        self.notify("initialized", {})

    def open(self, path: Path, text: str | None = None) -> None:
        self.versions[path] = 1
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text or path.read_text("utf-8")}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def type(self, path: Path, text: str) -> None:
        self.versions[path] += 1
        document = {"uri": path.as_uri(), "version": self.versions[path]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def findings(self, path: Path) -> list[Json]:
        """What is shown for the text that stands in the editor now."""
        key = path.as_uri(), self.versions[path]
        while key not in self.published:
            self._receive()
        return self.published[key]

    def at(self, method: str, path: Path, text: str, needle: str, **more: Any) -> Any:
        return self.ask(f"textDocument/{method}", place(path, text, needle) | more)

    def labels(self, path: Path, text: str, needle: str) -> list[str]:
        """The completions of a text after the needle."""
        self.type(path, text)
        return [each["label"] for each in self.at("completion", path, text, needle)["items"]]

    def completions(self, path: Path, old: str, new: str) -> set[str]:
        """What is offered at the `|` of a piece of text that is typed where another one stands in the file."""
        text = path.read_text("utf-8")
        if path not in self.versions:
            self.open(path, text)
        before, found, after = text.partition(old)
        assert found, old
        return set(self.labels(path, before + new.replace("|", "") + after, before[-30:] + new))

    def stop(self) -> None:
        self.watch.cancel()
        if self.server.poll() is None:
            self.ask("shutdown", None)
            self.notify("exit", {})
            assert self.server.wait(PATIENCE) == 0


def place(path: Path, text: str, needle: str) -> Json:
    """The place where `|` stands in a needle, or behind it."""
    before, _, after = needle.partition("|")
    index = text.index(before + after) + len(before)
    line = text.count("\n", 0, index)
    position = {"line": line, "character": index - text.rfind("\n", 0, index) - 1}
    return {"textDocument": {"uri": path.as_uri()}, "position": position}


def shown(location: Json) -> tuple[str, str]:
    """The file and the text of a location."""
    path = Path(location["uri"].removeprefix("file://"))
    begin, end = location["range"]["start"], location["range"]["end"]
    assert begin["line"] == end["line"]
    line = path.read_text("utf-8").split("\n")[begin["line"]]
    return f"{path.parent.name}/{path.name}:{begin['line'] + 1}", line[begin["character"] : end["character"]]


def edited(edit: Json) -> dict[Path, str]:
    """The texts of the files after an edit of the workspace."""
    texts = {}
    for uri, edits in edit["changes"].items():
        path = Path(uri.removeprefix("file://"))
        lines = path.read_text("utf-8").split("\n")
        for each in sorted(edits, key=lambda item: item["range"]["start"]["character"], reverse=True):
            begin, end = each["range"]["start"], each["range"]["end"]
            line = lines[begin["line"]]
            lines[begin["line"]] = line[: begin["character"]] + each["newText"] + line[end["character"] :]
        texts[path] = "\n".join(lines)
    return texts
