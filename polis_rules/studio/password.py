"""The password that is asked before anything is sent, where the studio is open beyond this computer."""

from __future__ import annotations

import ipaddress
import re
import socket
import time
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from secrets import compare_digest, token_urlsafe
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope

from polis_rules.diagnostics import PolisError

SHORTEST = 8
"""A password has at least so many characters."""
MOST_WRONG, MOST_WRONG_OF_ALL = 5, 50
"""So many wrong passwords in a minute are read from one address of the network, and from all."""
MINUTE = 60.0
LARGEST_FORM = 4_000
COOKIE = "polis_studio_password"
FIELD = "password"

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Password</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 4rem auto; padding: 0 1rem; }}
input, button {{ font: inherit; padding: .3rem .5rem; }}
</style>
<main>
<h1>Password</h1>
<form method="post">
<p><label for="password">This page is opened with a password.</label></p>
<p><input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>Open</button></p>
<p role="alert">{told}</p>
</form>
</main>
</html>
"""
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
"""A page that sends no referrer at all would send its form from an origin that cannot be checked."""


class Password:
    """Asks each browser for a password; a cookie says of one that it has known it."""

    def __init__(self, password: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises PolisError for one that is too short."""
        if len(password) < SHORTEST:
            raise PolisError(f"a password has at least {SHORTEST} characters")
        self._digest = _digest(password)
        self._clock = clock
        self._token = token_urlsafe(24)
        self._wrong: deque[tuple[float, str]] = deque()
        """when a wrong one was sent, and from where"""

    def known(self, headers: Headers) -> bool:
        """Whether a browser has given the password before."""
        return compare_digest(cookie(headers, COOKIE).encode(), self._token.encode())

    async def answer(self, scope: Scope, receive: Receive) -> Response:
        """What a browser is sent that has not: the page that asks, or, for the right password, where it leads to."""
        if scope["method"] != "POST":
            return _page("", 401)
        given = await _given(receive)  # first, or all who send theirs slowly would have tried nothing yet
        if given is None:
            return _page("That is too much at once.", 413)
        where = str((scope.get("client") or ("",))[0])
        if not self._may_try(where):
            return _page("Too many wrong passwords: wait a minute.", 429)
        if not compare_digest(_digest(given), self._digest):
            self._wrong.append((self._clock(), where))
            return _page("That is not the password.", 401)
        path = "/" + str(scope["path"]).lstrip("/")  # two of them begin the name of another host
        answer = RedirectResponse(path, 303, HEADERS)
        set_cookie(answer, Headers(scope=scope), COOKIE, self._token)
        return answer

    def _may_try(self, where: str) -> bool:
        while self._wrong and self._wrong[0][0] < self._clock() - MINUTE:
            self._wrong.popleft()
        return len(self._wrong) < MOST_WRONG_OF_ALL and sum(each == where for _, each in self._wrong) < MOST_WRONG


def _page(told: str, status: int) -> Response:
    return HTMLResponse(PAGE.format(told=told), status, HEADERS)


async def _given(receive: Receive) -> str | None:
    """The password of a form; None for a form that is too long."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = bool(message.get("more_body"))
        if len(body) > LARGEST_FORM:
            return None
    return parse_qs(body.decode("utf-8", "replace")).get(FIELD, [""])[0]


def _digest(password: str) -> bytes:
    return sha256(password.encode("utf-8", "surrogatepass")).digest()


def of_port(headers: Headers, name: str) -> str:
    """What a cookie is called at the port that a request names.

    A browser sends the cookies of a host to all its ports: two studios would take them from each other.

    >>> of_port(Headers({"host": "[::1]:8420"}), "key"), of_port(Headers({"host": "[::1]"}), "key")
    ('key_8420', 'key')
    """
    port = re.search(r":(\d{1,5})$", headers.get("host", ""))
    return name if port is None else f"{name}_{port[1]}"


def set_cookie(answer: Response, headers: Headers, name: str, value: str) -> None:
    """Give a browser a cookie for the port that its request names, which no script reads and no other site sends."""
    answer.set_cookie(of_port(headers, name), value, httponly=True, samesite="strict", path="/")


def cookie(headers: Headers, name: str) -> str:
    """What a cookie of the port says that a request names; empty for none."""
    name = of_port(headers, name)
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("games.example")
    (True, True, False, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_named(host: str, listening: str) -> bool:
    """Whether a Host header (without its port) may name a server that listens at an address.

    A page of a stranger can make its own name lead to this server; it cannot do that with a number, or with the name of
    this computer.

    >>> is_named("10.0.0.7", "0.0.0.0"), is_named("[fd00::7]", "::"), is_named("evil.example", "0.0.0.0")
    (True, True, False)
    >>> is_named("10.0.0.7", "10.0.0.7"), is_named("10.0.0.8", "10.0.0.7"), is_named("games.example", "games.example")
    (True, False, True)
    """
    bare = host.removeprefix("[").removesuffix("]")
    if bare == listening or (bare == "localhost" and is_loopback(listening)):
        return True
    try:
        everywhere = ipaddress.ip_address(listening).is_unspecified
    except ValueError:
        return False
    if not everywhere:
        return False
    try:
        ipaddress.ip_address(bare)
    except ValueError:
        own = socket.gethostname().lower()
        return bare.lower() in (own, f"{own}.local")
    return True
