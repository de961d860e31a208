"""Who may speak with the studio: browsers that have its secret, from its own pages, and nobody else."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from functools import partial

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from polis_rules.studio import guard
from polis_rules.studio.guard import COOKIE, SOCKETS, Guard, Keys
from polis_rules.studio.limits import CONNECTIONS, MESSAGES, MOST_CONNECTED, MOST_SENT, PAGES, Allowance, Limits

HOME = "http://127.0.0.1:8420"
NAME = f"{COOKIE}_8420"


def client(keys: Keys, base: str = HOME) -> TestClient:
    async def page(request: Request) -> HTMLResponse:
        return HTMLResponse(f"<script>1</script><p>{keys.purpose(request.scope['polis_key'])}</p>")

    async def socket(connection: WebSocket) -> None:
        await connection.accept()
        await connection.send_text("hello")
        with suppress(WebSocketDisconnect):
            while True:
                await connection.receive_text()

    app = Starlette(routes=[Route("/", page, methods=["GET", "POST"]), WebSocketRoute("/ws", socket)])
    return TestClient(Guard(app, keys.knows, "127.0.0.1"), base_url=base, follow_redirects=True)


def test_a_secret_address_opens_the_page_of_its_purpose() -> None:
    keys = Keys()
    author, seat = keys.new("author"), keys.new("seat:red")
    assert "<p>author</p>" in client(keys).get(f"/open/{author}").text
    assert "<p>seat:red</p>" in client(keys).get(f"/open/{seat}").text


@pytest.mark.parametrize("path", ["/", "/open/wrong", "/open/", "/_nicegui_ws/socket.io/"])
def test_nobody_else_sees_anything(path: str) -> None:
    keys = Keys()
    keys.new("author")
    answer = client(keys).get(path)
    assert answer.status_code in (403, 404) and "author" not in answer.text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:8420"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"content-length": str(MOST_SENT + 1)}, 413),
        ({"content-length": "-1"}, 413),
        ({"cookie": f"{NAME}=wrong"}, 403),
    ],
)
def test_other_hosts_origins_and_secrets_are_refused(headers: dict[str, str], status: int) -> None:
    keys = Keys()
    browser = client(keys)
    browser.cookies.set(NAME, keys.new("author"))
    assert browser.post("/", headers=headers).status_code == status


@pytest.mark.parametrize("origin", [None, "http://evil.example", "http://127.0.0.1:9999"])
def test_a_websocket_of_another_page_is_closed(origin: str | None) -> None:
    keys = Keys()
    headers = {"cookie": f"{NAME}={keys.new('author')}"} | ({"origin": origin} if origin is not None else {})
    with pytest.raises(WebSocketDisconnect), client(keys).websocket_connect("/ws", headers=headers):
        pass


def test_a_websocket_of_its_own_page_is_open() -> None:
    keys = Keys()
    headers = {"cookie": f"{NAME}={keys.new('author')}", "origin": HOME, "host": "127.0.0.1:8420"}
    with client(keys).websocket_connect("/ws", headers=headers) as socket:
        assert socket.receive_text() == "hello"


def test_scripts_run_only_with_the_page_s_own_nonce() -> None:
    keys = Keys()
    answers = [client(keys).get(f"/open/{keys.new('author')}") for _ in range(2)]
    nonces = {each.text.partition('nonce="')[2].partition('"')[0] for each in answers}
    assert len(nonces) == 2 and "" not in nonces
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert f"'nonce-{answer.text.partition(chr(34))[2].partition(chr(34))[0]}'" in policy
        assert "default-src 'self'" in policy and "unsafe-inline' 'unsafe-eval" not in policy
        assert "http:" not in policy.replace("ws://", "")


def test_a_secret_is_in_no_address_after_the_first() -> None:
    keys = Keys()
    key = keys.new("author")
    answer = client(keys).get(f"/open/{key}")
    assert key not in str(answer.url) and answer.headers["referrer-policy"] == "no-referrer"
    cookie = answer.history[0].headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie


def own_page(keys: Keys) -> dict[str, str]:
    """What a websocket of the studio's own page says of itself."""
    return {"cookie": f"{NAME}={keys.new('author')}", "origin": HOME, "host": "127.0.0.1:8420"}


def test_a_websocket_that_sends_too_much_is_closed() -> None:
    keys = Keys()
    with client(keys).websocket_connect("/ws", headers=own_page(keys)) as socket:
        assert socket.receive_text() == "hello"
        for _ in range(MESSAGES * 2):
            socket.send_text("x")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_text()
        assert closed.value.code == 1008


def test_so_many_connections_are_open_at_once() -> None:
    keys = Keys()
    browser, headers = client(keys), own_page(keys)
    with ExitStack() as opened:
        for _ in range(MOST_CONNECTED):
            opened.enter_context(browser.websocket_connect("/ws", headers=headers))
        with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/ws", headers=headers):
            pass
        with browser.websocket_connect("/ws", headers=own_page(keys)):
            pass
    with browser.websocket_connect("/ws", headers=headers):
        pass


def test_pages_and_connections_are_opened_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "Limits", partial(Limits, clock=lambda: 0.0))
    keys = Keys()
    browser, headers = client(keys), own_page(keys)
    answers = [browser.get("/", headers=headers).status_code for _ in range(PAGES * 2)]
    assert set(answers[:PAGES]) == {200} and answers[-1] == 429
    opened = 0
    for _ in range(CONNECTIONS * 2):
        with suppress(WebSocketDisconnect), browser.websocket_connect("/ws", headers=headers):
            opened += 1
    assert opened == CONNECTIONS


def test_an_allowance_comes_back_with_time() -> None:
    now = 0.0
    allowance = Allowance(10, clock=lambda: now)
    assert allowance.take(10) and not allowance.take()
    now = 1.0
    assert allowance.take() and not allowance.take()
    now = 100.0
    assert not allowance.take(11) and allowance.take(10)


def test_a_page_is_not_talked_with_but_by_a_websocket_which_has_limits() -> None:
    keys = Keys()
    browser = client(keys)
    browser.cookies.set(NAME, keys.new("author"))
    for method in ("GET", "POST"):
        assert browser.request(method, f"{SOCKETS}/socket.io/?EIO=4&transport=polling").status_code == 403


def test_a_browser_that_opens_two_studios_of_one_computer_is_let_in_by_both() -> None:
    one, other = Keys(), Keys()
    first = client(one)
    first.get(f"/open/{one.new('author')}")
    second = client(other, "http://127.0.0.1:8421")
    second.cookies = first.cookies  # a browser sends the cookies of a host to all its ports
    assert second.get(f"/open/{other.new('author')}").status_code == 200
    assert second.get("/").status_code == 200 and first.get("/").status_code == 200
