"""What speaks with the studio as a browser does, over HTTP and a websocket, and draws nothing."""

from __future__ import annotations

import asyncio
import json
import re
from ast import literal_eval
from contextlib import suppress
from html import unescape
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
QUERY = re.compile(r"query: (\{.*?\}),\n")
Part = dict[str, Any]
"""An element of a page."""


class Client:
    """One page, kept as the server tells it."""

    def __init__(self, address: str) -> None:
        self.address = address
        parts = urlsplit(address)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.cookie = ""
        self.page: dict[str, Part] = {}
        self.query: dict[str, Any] = {}
        self.scripts: list[str] = []
        """what the server has asked the page to run"""
        self.told = asyncio.Event()
        """set whenever the page has become another"""
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._next = 0
        self._ids = {"document_id": str(uuid4()), "tab_id": str(uuid4()), "old_tab_id": ""}
        """what a page calls itself as long as it is open, however often it connects"""

    async def open(self) -> None:
        """Load the page, and listen to what becomes of it."""
        await self.load()
        await self.join()

    async def load(self) -> int:
        """Load the page; what the server answers."""
        async with httpx.AsyncClient(follow_redirects=True, timeout=60) as client:
            answer = await client.get(self.address)
            self.cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        found, query = ELEMENTS.search(answer.text), QUERY.search(answer.text)
        if found is not None and query is not None:
            self.page = json.loads(unescape(found[1]))
            self.query = literal_eval(query[1])
            self._next = int(self.query["next_message_id"])
        return answer.status_code

    async def join(self) -> None:
        """Connect the page's websocket."""
        asked = self.query | self._ids
        asked |= {"next_message_id": self._next, "EIO": 4, "transport": "websocket"}
        asked = {key: str(value).lower() if isinstance(value, bool) else value for key, value in asked.items()}
        self._socket = await connect(
            f"ws{self.origin.removeprefix('http')}/_nicegui_ws/socket.io/?{urlencode(asked)}",
            additional_headers={"Cookie": self.cookie, "Origin": self.origin},
            max_size=None,
        )
        await self._socket.recv()
        await self._socket.send("40")
        answer = str(await self._socket.recv())
        if not answer.startswith("40"):
            await self._socket.close()
            raise ConnectionError(answer)
        if asked.get("implicit_handshake") != "true":
            await self.send("handshake", asked)
        self._reading = asyncio.create_task(self._read(self._socket))

    async def leave(self) -> None:
        """Close the websocket, as a browser that is closed does."""
        if self._reading is not None:
            self._reading.cancel()
        if self._socket is not None:
            await self._socket.close()

    async def send(self, name: str, data: Part) -> None:
        """Send a message of the page."""
        await self.send_text(f"42{json.dumps([name, data])}")

    async def send_text(self, text: str | bytes) -> None:
        """Send whatever. Raises ConnectionError where nobody listens any more."""
        assert self._socket is not None
        try:
            await self._socket.send(text)
        except ConnectionClosed as error:
            raise ConnectionError(str(error)) from error

    async def closed(self) -> None:
        """Wait until the server has closed the websocket."""
        assert self._socket is not None
        await self._socket.wait_closed()

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            await self._heard(socket)

    async def _heard(self, socket: ClientConnection) -> None:
        async for message in socket:
            text = message if isinstance(message, str) else message.decode()
            if text == "2":
                await socket.send("3")
                await self.send("ack", {"client_id": self.query["client_id"], "next_message_id": self._next})
            elif text.startswith("42"):
                name, data = json.loads(text[2:])
                if "_id" in data:
                    self._next = data.pop("_id") + 1
                if name == "update":
                    for id, part in data.items():
                        if part is None:
                            self.page.pop(id, None)
                        else:
                            self.page[id] = part
                elif name == "run_javascript":
                    self.scripts.append(data["code"])
                self.told.set()

    def parts(self, name: str) -> list[tuple[str, Part]]:
        """The elements of a class, by id."""
        return [(id, part) for id, part in self.page.items() if name in part.get("class", ())]

    @property
    def moment(self) -> str:
        """How many moves have been made."""
        found = self.parts("moment")
        return str(found[0][1].get("text")) if found else ""

    @property
    def choices(self) -> list[str]:
        """The ids of what may be chosen on the page."""
        return [str(each["id"]) for _, part in self.parts("choices") for each in part["props"]["choices"]]

    async def choose(self, id: str) -> None:
        """Choose something."""
        [(element, part)] = self.parts("choices")
        await self.emit(element, "choose", {"id": id, "moment": part["props"]["moment"]})

    async def click(self, id: str, kind: str = "click") -> None:
        """Click on an element."""
        await self.emit(id, kind)

    async def emit(self, id: str, kind: str, told: Part | None = None) -> None:
        """Tell of something that has happened to an element."""
        listener = next(each for each in self.page[id]["events"] if each["type"] == kind)
        data = {"id": int(id), "client_id": self.query["client_id"], "listener_id": listener["listener_id"]}
        await self.send("event", data | {"args": [] if told is None else [json.dumps(told)]})

    async def until_other(self, moment: str, seconds: float = 20.0) -> None:
        """Wait until another moment is shown. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while self.moment == moment:
                self.told.clear()
                await self.told.wait()
