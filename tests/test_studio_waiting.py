"""The studio's server closes a connection on which no request comes, and no other."""

from __future__ import annotations

import asyncio

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.server import ServerState

from polis_rules.studio import waiting


def answered(asked: bytes, monkeypatch: pytest.MonkeyPatch, app: ASGIApp | None = None) -> bytes:
    """What a server says until it closes the connection of somebody who sends this and then waits."""
    monkeypatch.setattr(waiting, "REQUEST_WITHIN", 0.1)

    async def story() -> bytes:
        config = uvicorn.Config(
            app or PlainTextResponse("here"), http=waiting.RequestInTime, lifespan="off", log_level="error"
        )
        config.load()
        listening = await asyncio.get_running_loop().create_server(
            lambda: waiting.RequestInTime(config, ServerState(), {}), "127.0.0.1", 0
        )
        async with listening:
            reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
            writer.write(asked)
            said = await asyncio.wait_for(reader.read(), 20)
            writer.close()
            return said

    return asyncio.run(story())


@pytest.mark.parametrize("asked", [b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: here\r\nx: "])
def test_a_connection_without_a_whole_request_is_closed(asked: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(asked, monkeypatch) == b""


def test_a_later_request_that_is_begun_and_not_ended_closes_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(b"GET / HTTP/1.1\r\nHost: here\r\n\r\nGET / HT", monkeypatch).endswith(b"here")


def test_a_whole_request_is_answered_however_late_the_connection_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = b"GET / HTTP/1.1\r\nHost: here\r\n"
    assert answered(asked + b"Connection: close\r\n\r\n", monkeypatch).endswith(b"here")


@pytest.mark.parametrize("body", [b"Content-Length: 9\r\n\r\nhal", b"Transfer-Encoding: chunked\r\n\r\n4\r\nhal"])
def test_a_body_that_does_not_come_is_not_waited_for(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or whoever sends the form that asks for a password, but nothing in it, holds a connection as long as it likes."""

    async def read_whole(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse(await Request(scope, receive).body())(scope, receive, send)

    assert answered(b"POST / HTTP/1.1\r\nHost: here\r\n" + body, monkeypatch, read_whole) == b""


def test_a_websocket_is_open_for_longer_than_a_request_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    async def greets_late(scope: Scope, receive: Receive, send: Send) -> None:
        connection = WebSocket(scope, receive, send)
        await connection.accept()
        await asyncio.sleep(0.5)
        await connection.send_text("late")
        await connection.close()

    asked = (
        b"GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    assert b"late" in answered(asked, monkeypatch, greets_late)
