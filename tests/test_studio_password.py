"""Beyond this computer the studio asks for a password before it sends anything."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect
from support.command import Polis, command

from polis_rules.diagnostics import PolisError
from polis_rules.studio.guard import COOKIE, Guard, Keys
from polis_rules.studio.password import MOST_WRONG, MOST_WRONG_OF_ALL, Password

HOME = "http://10.0.0.7:8420"
SECRET = "correct horse"
polis = pytest.fixture(command)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def served(client: tuple[str, int] = ("10.0.0.9", 1), clock: Clock | None = None) -> tuple[TestClient, str]:
    """A browser without cookies, and the key of a studio that asks for a password."""

    async def page(request: Request) -> HTMLResponse:
        return HTMLResponse("the rules")

    async def connected(connection: WebSocket) -> None:
        await connection.accept()
        await connection.close()

    keys = Keys()
    app = Starlette(routes=[Route("/", page), WebSocketRoute("/ws", connected)])
    guard = Guard(app, keys.knows, "10.0.0.7", Password(SECRET, clock or Clock()))
    return TestClient(guard, base_url=HOME, client=client), keys.new("author")


@pytest.mark.parametrize("path", ["/", "/open/KEY", "/open/wrong", "/_nicegui/x.js"])
def test_only_the_question_is_sent_before_the_password(path: str) -> None:
    browser, key = served()
    answer = browser.get(path.replace("KEY", key), follow_redirects=False)
    assert answer.status_code == 401 and "the rules" not in answer.text and not answer.cookies
    assert "script" not in answer.text and "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_socket_is_closed_before_the_password() -> None:
    browser, key = served()
    headers = {"cookie": f"{COOKIE}_8420={key}", "origin": HOME, "host": "10.0.0.7:8420"}
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/ws", headers=headers):
        pass


def test_the_password_leads_to_the_page_that_was_asked_for() -> None:
    browser, key = served()
    answer = browser.post(f"/open/{key}", data={"password": SECRET}, headers={"origin": HOME})
    assert answer.text == "the rules"
    cookies = [each.headers["set-cookie"].lower() for each in answer.history]
    assert len(cookies) == 2 and all("httponly" in each and "samesite=strict" in each for each in cookies)
    assert SECRET not in "".join(cookies)


@pytest.mark.parametrize("path", ["//evil.example/open", "///evil.example"])
def test_the_password_leads_to_no_other_host(path: str) -> None:
    browser, _ = served()
    answer = browser.post(HOME + path, data={"password": SECRET}, headers={"origin": HOME}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/" + path.lstrip("/")


def test_the_password_alone_opens_nothing() -> None:
    browser, _ = served()
    assert browser.post("/", data={"password": SECRET}).status_code == 403


@pytest.mark.parametrize("wrong", ["", "correct hors", "correct horsee", "Correct horse", "\u00e9" * 20])
def test_another_password_opens_nothing(wrong: str) -> None:
    browser, key = served()
    answer = browser.post(f"/open/{key}", data={"password": wrong})
    assert answer.status_code == 401 and not answer.cookies


def test_after_some_wrong_passwords_even_the_right_one_waits_a_minute() -> None:
    clock = Clock()
    browser, key = served(clock=clock)
    for _ in range(MOST_WRONG):
        assert browser.post("/", data={"password": "a wrong one"}).status_code == 401
    assert browser.post("/", data={"password": SECRET}).status_code == 429
    clock.now = 61.0
    assert browser.post(f"/open/{key}", data={"password": SECRET}).text == "the rules"


def test_many_addresses_together_may_not_guess_faster() -> None:
    browser, _ = served()
    guard = browser.app
    answers = [
        TestClient(guard, base_url=HOME, client=(f"10.0.1.{number}", 1)).post("/", data={"password": "a wrong one"})
        for number in range(MOST_WRONG_OF_ALL + 1)
    ]
    assert [each.status_code for each in answers] == [401] * MOST_WRONG_OF_ALL + [429]


def test_passwords_that_are_sent_slowly_and_at_once_are_counted_too() -> None:
    password = Password(SECRET, Clock())

    async def story() -> list[int]:
        all_asked = asyncio.Event()

        async def receive() -> Message:
            await all_asked.wait()
            return {"type": "http.request", "body": b"password=a wrong one"}

        scope = {"type": "http", "method": "POST", "path": "/", "client": ("10.0.0.9", 1), "headers": []}
        asked = [asyncio.ensure_future(password.answer(scope, receive)) for _ in range(3 * MOST_WRONG)]
        await asyncio.sleep(0)
        all_asked.set()
        return [each.status_code for each in await asyncio.gather(*asked)]

    assert asyncio.run(story()).count(401) == MOST_WRONG


def test_a_long_form_is_not_read() -> None:
    browser, _ = served()
    assert browser.post("/", content=b"password=" + b"x" * 100_000).status_code == 413


def test_the_form_of_another_page_is_refused() -> None:
    browser, _ = served()
    assert browser.post("/", data={"password": SECRET}, headers={"origin": "http://evil.example"}).status_code == 403


def test_a_short_password_is_refused() -> None:
    with pytest.raises(PolisError, match="at least 8"):
        Password("1234567")


def test_a_file_with_a_password_that_cannot_be_read_is_told(tmp_path: Path, polis: Polis) -> None:
    (tmp_path / "file").write_bytes("Stra\xdfe nach Thebai".encode("latin-1"))
    done = polis("studio", "yucata", "--host", "0.0.0.0", "--password-file", tmp_path / "file", "--no-browser")
    assert done.status == 2 and "is no text in UTF-8" in done.err


def test_other_computers_need_a_password(polis: Polis) -> None:
    done = polis("studio", "yucata", "--host", "0.0.0.0", "--no-browser")
    assert done.status == 2 and "--password-file" in done.err
