"""Serving the studio's pages on this computer, or with a password beyond it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from errno import EADDRINUSE
from pathlib import Path
from zlib import crc32

import uvicorn
from fastapi import FastAPI
from nicegui import core, ui
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from polis_rules.studio.gallery import Gallery
from polis_rules.studio.guard import Guard
from polis_rules.studio.limits import MOST_SENT
from polis_rules.studio.page import add_pages
from polis_rules.studio.password import Password
from polis_rules.studio.waiting import RequestInTime

Where = tuple[str, int]
"""The address of a network, and the number of a port."""
LOOPBACK = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::")
FIRST_PORT = 8420
PORTS = 400
"""Without a port of one's own the first free one of so many is taken: two folders seldom have the same."""


def usual_port(folder: Path | None) -> int:
    """The port of a folder, which it has whenever that is free."""
    first = 0 if folder is None else crc32(str(folder).encode("utf-8", "surrogateescape"))
    return FIRST_PORT + first % PORTS


def free_place(host: str = LOOPBACK, folder: Path | None = None, port: int | None = None) -> Where:
    """A port of an address of this computer that nobody listens at: `port`, where one is given.

    For a folder it is the same each time if it is free: what a browser has kept for one port it offers at no other.
    Raises OSError where all are taken, or the address is none of this computer.
    """
    kind = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]
    first = usual_port(folder) - FIRST_PORT
    ports = [FIRST_PORT + (first + each) % PORTS for each in range(PORTS)] if port is None else [port]
    for number in ports:
        with socket.socket(kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((host, number))
                return host, number
            except OSError as error:
                if error.errno != EADDRINUSE:
                    error.filename = f"{host}:{number}"
                    raise
    raise OSError(f"port {min(ports)} is taken" if port else f"all ports from {min(ports)} to {max(ports)} are taken")


def address(gallery: Gallery, where: Where) -> str:
    """The secret address of the author's page, as this computer's browser opens it."""
    host = LOOPBACK if where[0] in EVERYWHERE else where[0]
    if ":" in host:
        host = f"[{host}]"
    return f"http://{host}:{where[1]}/open/{gallery.author}"


def application(gallery: Gallery, listening: str, password: Password | None = None) -> Guard:
    """The studio, or the gallery, as an ASGI application, within its guard. There can be one in a process."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    add_pages(gallery)
    ui.run_with(
        app,
        title="polis studio",
        gzip_middleware_factory=None,
        tailwind=False,
        dark=None,
        language="en-US",
        reconnect_timeout=30,
        show_welcome_message=False,
    )
    core.app.config.socket_io_js_transports = ["websocket"]
    core.sio.eio.max_http_buffer_size = MOST_SENT  # or a text is cut off before it can be told that it is too long
    core.app.add_exception_handler(404, _missing)
    return Guard(app, gallery.keys.knows, listening, password)


async def _missing(request: Request, error: Exception) -> PlainTextResponse:
    """What is answered where there is nothing; the library would make a page of it, which is kept for a while."""
    return PlainTextResponse("There is nothing here.", 404)


def serve(gallery: Gallery, where: Where, started: Callable[[], None], password: Password | None = None) -> None:
    """Serve until somebody presses Ctrl-C; `started` is called when the first page can be opened."""
    config = uvicorn.Config(
        application(gallery, where[0], password),
        *where,
        http=RequestInTime,
        log_level="error",
        ws_max_size=MOST_SENT,
        access_log=False,
    )
    server = uvicorn.Server(config)

    async def run() -> None:
        serving = asyncio.ensure_future(server.serve())
        beginning = asyncio.ensure_future(gallery.begin())
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        if server.started:
            started()
            gallery.warm()
        await serving
        beginning.cancel()

    try:
        asyncio.run(run())
    finally:
        gallery.close()
