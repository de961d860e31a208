"""A browser that means ill, a thousand that come back, and rules of a stranger: the studio goes on for the others."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from support.browser import studio
from websockets.exceptions import WebSocketException

from polis_rules.studio.limits import CONNECTIONS, MOST_CONNECTED

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
PEOPLE = ("--seat", "black=human", "--seat", "white=human")

BAD = (
    "", "4", "42", "42[", "42[]", "42{}", '42["event"]', '42["event",null]', '42["event",{}]', '42["handshake",{}]',
    '42["event",{"client_id":"x","id":1,"listener_id":"y","args":[]}]', '42["ack",{"next_message_id":-1}]',
    '42["javascript_response",{"client_id":"x","request_id":"y"}]', '42["log",{"level":"error","message":"x"}]',
    "451-" + '["event",{"_placeholder":true,"num":0}]', "42" + "[" * 5_000, "x" * 900_000, b"\x00\xff" * 100,
    '42["event"]', '42["event",1,2,3]', '42[{"client_id":"x"}]', '42["connect",{}]', '42["disconnect","x"]',
    '42/none,["event",{}]', "40{}", "44{}", "6", "\x1b[31mred", '42["event",{"id":1e999}]',
)  # fmt: skip
ILL_FORMED = (
    [], ["null"], ['"\\u001b[31mred"'], ["1e999"], ["{}"], ['{"spot":[],"right":"x"}'], ['{"id":{},"moment":"x"}'],
    ['{"line":"x","what":"hover","id":[]}'], ['{"sections":5}'], ["{"], 5, ["1", "2", "3"],
)  # fmt: skip


def _arguments(process: psutil.Process) -> list[str]:
    """How a process was started; nothing of one that has ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def beside_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: Callable[[str, object], Awaitable[None]]
) -> list[str]:
    """Somebody attacks while a player sits at a game, who can play on afterwards, in a server that has not grown.

    Gives what the studio has written to its terminal meanwhile.
    """
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from studio_clients import Client

    game = shutil.copytree(ROOT / "tests" / "rulesets" / "othello", tmp_path / "othello")
    told: list[str] = []
    with studio(game, *PEOPLE, home=tmp_path, told=told) as address:
        server = next(each for each in psutil.Process().children() if {"studio", str(game)} <= {*_arguments(each)})

        async def story() -> None:
            player = Client(address)
            await player.open()
            while not player.choices:
                await asyncio.sleep(0.05)
            before = server.memory_info().rss
            await attack(address, Client)
            for _ in range(2):
                moment = player.moment
                await player.choose(player.choices[0])
                await player.until_other(moment)
            assert server.memory_info().rss - before < 150e6
            await player.leave()

        asyncio.run(story())
    return told


def test_what_is_no_message_of_a_page_ends_that_connection_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def attack(address: str, client: type) -> None:
        for bad in BAD:
            enemy = client(address)
            await enemy.open()
            with suppress(ConnectionError):
                await enemy.send_text(bad)
                await enemy.send("event", {"client_id": enemy.query["client_id"], "id": 10**9, "listener_id": "x"})
            await enemy.leave()

    assert beside_a_player(tmp_path, monkeypatch, attack) == ["Ctrl-C ends it."]


def test_arguments_that_no_page_sends_are_told_in_the_terminal_in_one_line_of_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def attack(address: str, client: type) -> None:
        author = client(address)
        await author.open()
        while not (copy := [id for id, part in author.page.items() if "Copy the link" in str(part.get("props"))]):
            await asyncio.sleep(0.05)
        await author.click(copy[0])
        while not (links := re.findall(r"/open/[\w-]+", "".join(author.scripts))):
            await asyncio.sleep(0.05)
        enemy = client(author.origin + links[0])
        await enemy.open()
        while not enemy.parts("prompt")[0][1].get("text"):
            await asyncio.sleep(0.05)
        who = {"client_id": enemy.query["client_id"]}
        for id, part in list(enemy.page.items()):
            for listener in part.get("events", ()):
                for args in ILL_FORMED:
                    about = {"id": int(id), "listener_id": listener["listener_id"], "args": args}
                    await enemy.send("event", who | about)
                await asyncio.sleep(0.3)
        await enemy.leave()
        await author.leave()

    told = [each for each in beside_a_player(tmp_path, monkeypatch, attack) if "JavaScript did not respond" not in each]
    assert len(told) == 2 and "A page of a seat could not be answered: " in told[1] and "\x1b" not in told[1]


def test_a_browser_of_another_key_chooses_nothing_in_a_page_whose_id_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from studio import served
    from studio_clients import Client

    with served(str(ROOT / "tests" / "rulesets" / "othello"), 1) as ([links], _):

        async def story() -> None:
            players = [Client(link) for link in links]
            for each in players:
                await each.open()
            while not any(each.choices for each in players):
                await asyncio.sleep(0.05)
            player, enemy = sorted(players, key=lambda each: not each.choices)
            choice, moment = player.choices[0], player.moment
            enemy.query["client_id"], enemy.page = player.query["client_id"], player.page
            await enemy.choose(choice)
            await asyncio.sleep(1)
            assert player.moment == moment
            await enemy.leave()
            with pytest.raises((ConnectionError, WebSocketException)):
                await enemy.join()
            await player.choose(choice)
            await player.until_other(moment)
            await player.leave()

        asyncio.run(story())


def test_what_was_offered_at_an_earlier_moment_is_not_chosen_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from studio import served
    from studio_clients import Client

    with served(str(ROOT / "tests" / "rulesets" / "othello"), 1) as ([links], _):

        async def story() -> None:
            players = [Client(link) for link in links]
            for each in players:
                await each.open()
            for moment in ("0 of 0 moves", "1 of 1 moves"):
                while not any(each.choices and each.moment == moment for each in players):
                    await asyncio.sleep(0.05)
                player = next(each for each in players if each.choices)
                [(list, part)] = player.parts("choices")
                late = {"id": player.choices[0], "moment": part["props"]["moment"] - 1}
                await player.emit(list, "choose", late)
                while not any("somebody has gone on" in str(each.get("text")) for each in player.page.values()):
                    await asyncio.sleep(0.05)
                assert player.moment == moment
                await player.choose(player.choices[0])

        asyncio.run(story())


def test_a_flood_of_messages_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def attack(address: str, client: type) -> None:
        enemy = client(address)
        await enemy.open()
        while not enemy.choices:
            await asyncio.sleep(0.05)
        with suppress(ConnectionError):
            for _ in range(3_000):
                await enemy.choose("nothing")
        await asyncio.wait_for(enemy.closed(), 10)

    beside_a_player(tmp_path, monkeypatch, attack)


def test_of_a_thousand_reconnects_those_allowed_succeed_and_the_others_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that has ended makes room for another."""

    async def attack(address: str, client: type) -> None:
        enemy = client(address)
        await enemy.load()
        connected = 0
        for _ in range(1_000):
            with suppress(OSError, WebSocketException):
                await enemy.join()
                connected += 1
                await enemy.leave()
        assert connected >= CONNECTIONS > MOST_CONNECTED

    beside_a_player(tmp_path, monkeypatch, attack)


def test_rules_that_never_end_are_told_about_and_leave_the_studio_standing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from studio_clients import Client

    game = Path(shutil.copytree(ROOT / "tests" / "rulesets" / "othello", tmp_path / "othello"))
    file, begin = game / "ruleset.yaml", "phases:\n  game:\n"
    endless = "    - repeat:\n        while: true\n        do:\n          - set: {turn: turn.rival}\n"
    file.write_text(file.read_text("utf-8").replace(begin, begin + endless), "utf-8")
    with studio(game, *PEOPLE, home=tmp_path) as address:

        async def story() -> None:
            for _ in range(2):  # whoever comes after that is answered too
                author = Client(address)
                await author.open()
                while not any("did not end after" in str(each.get("text")) for each in author.page.values()):
                    await asyncio.sleep(0.05)
                await author.leave()

        asyncio.run(asyncio.wait_for(story(), 120))
