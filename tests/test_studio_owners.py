"""What a browser sends that is no message of its page is written to no terminal."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from nicegui import Client, core

from polis_rules.studio.page.owners import Owners

NAMES = ("handshake", "event", "javascript_response", "ack")


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What reaches the library, which stumbles over it, of messages that one page sends."""
    told: list[object] = []

    def stumble(_: str, message: dict[str, Any]) -> object:
        told.append(message)
        return message["args"]["value"]

    monkeypatch.setitem(core.sio.handlers, "/", dict.fromkeys(("connect", "log", *NAMES), stumble))
    monkeypatch.setattr(core.sio, "get_environ", lambda _: {"asgi.scope": {"polis_key": "key"}})
    monkeypatch.setattr(core.sio, "_handle_event", core.sio._handle_event)
    monkeypatch.setattr(core.app, "_exception_handlers", [])
    owners = Owners(lambda _: False)
    owners.note(cast("Client", SimpleNamespace(id="page", on_delete=lambda _: None)), "key")
    owners.watch()
    return told


def test_what_a_browser_would_log_is_not_heard(heard: list[object]) -> None:
    """It could set the title of the author's terminal, or clear it."""
    assert "log" not in core.sio.handlers["/"]


@pytest.mark.parametrize("name", NAMES)
def test_a_message_of_another_form_ends_without_a_traceback(heard: list[object], name: str) -> None:
    message = {"client_id": "page", "args": []}
    assert asyncio.run(core.sio.handlers["/"][name]("socket", message)) is None
    assert heard == [message]
