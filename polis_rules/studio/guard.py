"""Who may speak with the studio: browsers that were opened with a secret address, and only from its own pages."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from secrets import compare_digest, token_urlsafe

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from polis_rules.studio.limits import MOST_SENT, Connection, Limits, at_most
from polis_rules.studio.password import Password, cookie, is_named, set_cookie

log = logging.getLogger(__name__)
COOKIE = "polis_studio"
SOCKETS = "/_nicegui_ws"
"""Where browsers and the studio talk. Who polls there instead is held by none of the limits of a websocket."""

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-eval' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' {socket}; worker-src 'self' blob:;"
    " object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Templates of the page are made into functions in the browser, which asks for `unsafe-eval`; scripts within a page run
only with its nonce."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Lets through to an application only who has opened `/open/KEY`; each key is somebody's, such as a seat's.

    `knows` tells whether a key opens something; `scope["polis_key"]` holds it for the application. Requests must name
    the address that is listened at, and where they say from which page they come, that must be one of the same host.
    Where there is a password, nothing else is sent to a browser that has not given it.
    """

    def __init__(
        self, app: ASGIApp, knows: Callable[[str], bool], listening: str, password: Password | None = None
    ) -> None:
        self.app, self.knows, self.listening, self.password = app, knows, listening, password
        self._limits: dict[str, Limits] = {}
        """of each key"""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._of_another_page(scope)
        if refusal is None and self.password is not None and not self.password.known(Headers(scope=scope)):
            refusal = (
                PlainTextResponse("", 403)
                if scope["type"] == "websocket"
                else await self.password.answer(scope, receive)
            )
        if refusal is None:
            refusal = self._without_key(scope)
        if refusal is None:
            refusal = self._too_much(scope)
        if refusal is None:
            await self._through(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, send)

    def _of_another_page(self, scope: Scope) -> ASGIApp | None:
        """What is answered to a request that the studio's own pages do not send; None where it may go on."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_named(_without_port(host), self.listening):
            return PlainTextResponse("This address is not that of the studio.", 421)
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return PlainTextResponse("Pages of other addresses may not use the studio.", 403)
        if origin is None and scope["type"] == "websocket":
            return PlainTextResponse("", 403)
        if not (
            headers.get("content-length", "0").isdecimal() and int(headers.get("content-length", "0")) <= MOST_SENT
        ):
            return PlainTextResponse("That is too much at once.", 413)
        return None

    def _without_key(self, scope: Scope) -> ASGIApp | None:
        """What is answered to a browser that was opened with no secret address, or is just opened with one."""
        opened = re.fullmatch(r"/open/([\w-]{1,100})", scope["path"])
        if opened is not None and self.knows(opened[1]):
            answer = RedirectResponse("/", 303)
            set_cookie(answer, Headers(scope=scope), COOKIE, opened[1])
            return answer
        key = cookie(Headers(scope=scope), COOKIE)
        if not self.knows(key):
            return PlainTextResponse(
                "This page opens with the whole address that `polis studio` has printed, or with the link of a seat.",
                403,
            )
        scope["polis_key"] = key
        return None

    def _too_much(self, scope: Scope) -> ASGIApp | None:
        """What is answered where more is asked with a key than one browser needs."""
        limits = self._limits.setdefault(scope["polis_key"], Limits())
        if scope["type"] == "http" and scope["path"].startswith(SOCKETS):
            return PlainTextResponse("Only a websocket leads there.", 403)
        if scope["type"] == "websocket":
            return None if limits.connect() else PlainTextResponse("", 429)
        if scope["path"] == "/" and not limits.pages.take():
            return PlainTextResponse("That is too often: wait some seconds.", 429)
        return None

    async def _through(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            connection = Connection(receive, send)
            try:
                await self.app(scope, connection.receive, connection.send)
            except Exception as error:  # of what a browser has asked for that is no page of the studio
                log.debug("a connection has failed", exc_info=error)
            finally:
                self._limits[scope["polis_key"]].disconnect()
        else:
            await self._answer(scope, at_most(receive), send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        nonce = token_urlsafe(16)
        socket = f"ws://{Headers(scope=scope).get('host', '')}"
        begun: Message | None = None
        body = bytearray()

        async def answered(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["content-security-policy"] = POLICY.format(nonce=nonce, socket=socket)
                if headers.get("content-type", "").startswith("text/html"):
                    begun = message  # its length is known when its scripts have their nonce
                    return
            elif begun is not None:
                body.extend(message.get("body", b""))
                if message.get("more_body"):
                    return
                page = re.sub(rb"<script(?=[ >])", f'<script nonce="{nonce}"'.encode(), bytes(body))
                MutableHeaders(raw=begun["headers"])["content-length"] = str(len(page))
                await send(begun)
                message = {"type": "http.response.body", "body": page}
            await send(message)

        await self.app(scope, receive, answered)


def _without_port(host: str) -> str:
    """The name in a Host header.

    >>> _without_port("[::1]:80"), _without_port("localhost:80"), _without_port("localhost")
    ('[::1]', 'localhost', 'localhost')
    """
    return re.sub(r":\d*$", "", host)


class Keys:
    """The keys that open the studio, each with what it is for; compared in a time that says nothing."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def new(self, purpose: str) -> str:
        """A key for something, such as a seat."""
        key = token_urlsafe(24)
        self._known[key] = purpose
        return key

    def drop(self, key: str) -> None:
        """A key opens nothing any more."""
        del self._known[key]

    def knows(self, key: str) -> bool:
        """Whether it is one of them."""
        return self.purpose(key) is not None

    def purpose(self, key: str) -> str | None:
        """What a key is for; None for one that is not known."""
        found = None
        for known, purpose in self._known.items():
            if compare_digest(known.encode(), key.encode()):
                found = purpose
        return found
