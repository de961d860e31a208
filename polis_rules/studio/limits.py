"""How much one browser may ask: pages, connections, messages and bytes in a while."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.types import Message, Receive, Send

MOST_SENT = 4_000_000
"""The body of a request has at most so many bytes, and so has a message of a websocket."""
PAGES, CONNECTIONS = 30, 60
"""So many pages and connections may be opened at once with one key, and as many again in ten seconds."""
MOST_CONNECTED = 40
"""And so many connections with one key are open at once."""
MESSAGES, BYTES = 400, 16_000_000
"""So much is read of one connection at once, and as much again in ten seconds."""
WHILE = 10.0


class Allowance:
    """So much may be taken at once, and as much again in ten seconds.

    >>> allowance = Allowance(2, clock=lambda: 0.0)
    >>> [allowance.take() for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._left, self._seen = float(most), clock()

    def take(self, amount: int = 1) -> bool:
        """Take some, if there is so much."""
        now = self._clock()
        self._left = min(self._most, self._left + self._most * (now - self._seen) / WHILE)
        self._seen = now
        if self._left < amount:
            return False
        self._left -= amount
        return True


class Limits:
    """What may be asked with one key."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.pages, self._connections = Allowance(PAGES, clock), Allowance(CONNECTIONS, clock)
        self._open = 0

    def connect(self) -> bool:
        """Whether another connection may be opened, which is then."""
        if self._open >= MOST_CONNECTED or not self._connections.take():
            return False
        self._open += 1
        return True

    def disconnect(self) -> None:
        """A connection has ended."""
        self._open -= 1


class Connection:
    """A websocket that is closed as soon as its browser sends too much."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._messages, self._bytes = Allowance(MESSAGES), Allowance(BYTES)
        self._is_closed = False

    async def receive(self) -> Message:
        """The next message, or that the connection has ended."""
        message = await self._receive()
        if message["type"] == "websocket.receive":
            size = len(message.get("text") or message.get("bytes") or "")
            if not (self._messages.take() and self._bytes.take(size)):
                await self.send({"type": "websocket.close", "code": 1008})
                return {"type": "websocket.disconnect", "code": 1008}
        return message

    async def send(self, message: Message) -> None:
        """Send something, unless the connection has been closed."""
        if not self._is_closed:
            self._is_closed = message["type"] == "websocket.close"
            await self._send(message)


def at_most(receive: Receive) -> Receive:
    """The body of a request up to what it may have; what goes on then ends as if the browser had left."""
    read = 0

    async def limited() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        return message if read <= MOST_SENT else {"type": "http.disconnect"}

    return limited
