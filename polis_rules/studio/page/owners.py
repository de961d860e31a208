"""Whose page a message of a browser may speak of: one that was opened with the same key, and no other."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from inspect import isawaitable
from typing import Any
from urllib.parse import parse_qs

from nicegui import Client, core
from socketio.exceptions import ConnectionRefusedError

from polis_rules.studio.page.faults import Faults

Handler = Callable[..., Any]
GONE = "Implicit handshake failed"
"""What the library's script in the browser loads the page anew for; anything else leaves a page that is not alive."""

SENT = ("handshake", "event", "javascript_response", "ack")
"""The messages of a page."""

MALFORMED = (AttributeError, LookupError, TypeError, ValueError)
"""What the library raises where a message has not the form that its script gives it; what a page does with a message
that has raises nothing here."""


class Owners:
    """The keys with which pages were opened.

    The library takes whoever knows the id of a page for its browser. Such an id is hard to guess; but a seat's browser
    that has found out that of another one must still not choose in its place, or be told what it is told.
    """

    def __init__(self, is_author: Callable[[str], bool]) -> None:
        self._keys: dict[str, str] = {}
        self._faults = Faults(self._keys, is_author)

    def note(self, client: Client, key: str) -> None:
        """A page was opened with a key."""
        self._keys[client.id] = key
        client.on_delete(lambda: self._keys.pop(client.id, None))

    def watch(self) -> None:
        """Let only messages through that speak of pages of the browser's own key.

        What a browser would log is not: it would be written to the author's terminal as it is, with whatever controls
        that. Nor do the libraries write there what they make of messages that are none.
        """
        handlers: dict[str, Handler] = core.sio.handlers["/"]
        handlers.pop("log")
        for name in SENT:
            handlers[name] = self._only_own(handlers[name])
        for library in ("engineio.server", "socketio.server"):
            logging.getLogger(library).setLevel(logging.CRITICAL)
        core.app._exception_handlers[:] = [self._faults.tell]
        receive = core.sio._handle_event

        async def received(connection: str, namespace: object, number: object, told: object) -> None:
            is_known = isinstance(told, list) and len(told) == 2 and isinstance(told[0], str) and told[0] in SENT
            if is_known and namespace in (None, "/"):
                await receive(connection, namespace, number, told)

        core.sio._handle_event = received
        connect = handlers["connect"]

        async def connected(sid: str, environ: dict[str, Any], *more: object) -> bool | None:
            asked = parse_qs(environ.get("QUERY_STRING", "")).get("client_id", [""])[0]
            if asked not in self._keys:
                raise ConnectionRefusedError(GONE)
            if self._keys[asked] != _key(environ):
                return False  # which refuses the connection
            try:
                await connect(sid, environ, *more)
            except MALFORMED:
                return False
            return None

        handlers["connect"] = connected

    def _only_own(self, handler: Handler) -> Callable[[str, object], Awaitable[Any]]:
        async def handled(sid: str, told: object) -> Any:
            known = told.get("client_id") if isinstance(told, Mapping) else None
            if not isinstance(known, str) or self._keys.get(known) != _key(core.sio.get_environ(sid)):
                return None
            try:
                answer = handler(sid, told)
                return await answer if isawaitable(answer) else answer
            except MALFORMED:
                return None  # or a browser could fill the author's terminal with the library's tracebacks

        return handled


def _key(environ: Mapping[str, Any] | None) -> object:
    """The key with which a connection was opened."""
    return ((environ or {}).get("asgi.scope") or {}).get("polis_key", "")
