"""Connections that ask for nothing are closed: each holds one of the descriptors that a process may have open."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_WITHIN = 10.0
"""Seconds in which a connection's first request must have come as a whole, and a later one once it has begun; the
server library limits only how long a connection waits for a later one to begin."""


class RequestInTime(HttpToolsProtocol):
    """A connection of the server, which is closed unless its requests come in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._late = self.loop.call_later(REQUEST_WITHIN, transport.close)

    def on_message_begin(self) -> None:
        self._late.cancel()
        self._late = self.loop.call_later(REQUEST_WITHIN, self.transport.close)
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._late.cancel()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._late.cancel()
        super().connection_lost(exc)
