"""What the studio's page tells, as words, before a browser draws it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from polis_rules.diagnostics import PolisError
from polis_rules.lab.counterfactual import Counterfactual, FirstDifference
from polis_rules.ruleset import load
from polis_rules.semantics import KindSymbol, Symbols
from polis_rules.studio.calling import called, value_of
from polis_rules.studio.scene import Scene
from polis_rules.studio.table import Replayed

pytest.importorskip("nicegui")

from polis_rules.studio.page.playing import GamePane
from polis_rules.studio.page.replaying import moments

PLAYERS = Symbols({"player": KindSymbol("player", "Player", ("red",), ("Red",))})


def replayed(parted: int) -> Replayed:
    """A game of five moves under rules by which somebody has other coins, from some move on and now."""
    then, now = ("coins of Red", "3", "4"), ("coins of Red", "3", "9" if parted < 5 else "4")
    first = FirstDifference(parted + 1, "red", "What do you buy?", (), (), (), (then,), ())
    return Replayed(Counterfactual((), first, 5, "", (now,), (None, None)), 5, 5, parted, True)


def test_what_is_different_now_is_told_apart_from_what_was_different_first() -> None:
    assert moments(replayed(1), PLAYERS) == [
        ("First different before move 2: Red, What do you buy?", ["coins of Red: 4, before 3"]),
        ("Now, after 5 moves", ["coins of Red: 9, before 3"]),
    ]


def test_what_is_first_different_now_is_told_once() -> None:
    assert [title for title, _ in moments(replayed(5), PLAYERS)] == [
        "First different before move 6: Red, What do you buy?"
    ]


def test_why_a_game_stops_is_told_also_where_it_was_different_before() -> None:
    found = replayed(1)
    stopped = replace(found, found=replace(found.found, stopped_by="no coins are left"))
    assert moments(stopped, PLAYERS)[0][1][-1] == "The game stops later: no coins are left"


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("player.athens.prestige", "3", "Athens, prestige: 3"),
        ("territory.boiotia.units.athens", "2", "Boiotia, units, Athens: 2"),
        ("load.euxeinos_5_oil.closed", "true", "Euxeinos, 5 wheat for oil, closed: true"),
        ("game.active", "sparta", "active: Sparta"),
        ("game.active", "none", "active: none"),
        ("player.athens.taken", "pass, move_proxenos", "Athens, taken: pass; Move Proxenos"),
        ("territory.boiotia.units", "2", "boiotia, units: 2"),
        ("place.high_hill.height", "2", "high hill, height: 2"),
    ],
)
def test_what_stands_on_the_table_is_told_by_titles_and_what_the_rules_do_not_have_by_words(
    path: str, value: str, words: str
) -> None:
    symbols = load("yucata").rules().symbols
    assert f"{called(symbols, path)}: {value_of(symbols, path, value)}" == words


THE_GAME = cast(Scene, SimpleNamespace(moments=5))


def refreshed(scene: Callable[[GamePane], Scene], shown: list[object], looked: int | None) -> GamePane:
    """A part of a page with a game, in no browser, after it has asked what to show."""
    pane = GamePane.__new__(GamePane)

    class Seat:
        async def scene(self, moment: int | None, dark: bool) -> Scene:
            return scene(pane)

    about = {"chair": Seat(), "_client": nullcontext(), "_note": shown.append, "_show": shown.append}
    vars(pane).update(about, looked=looked, dark=False, _gone=False, _refreshing=True, _again=False)
    asyncio.run(pane._refresh())
    return pane


def test_a_game_that_changes_while_it_cannot_be_shown_is_shown_after_that() -> None:
    shown: list[object] = []

    def scene(pane: GamePane) -> Scene:
        if not shown:
            pane._changed()
            raise PolisError("a rule has failed")
        return THE_GAME

    refreshed(scene, shown, None)
    assert shown == ["a rule has failed", THE_GAME]


@pytest.mark.parametrize(("looked", "then"), [(3, 3), (5, None), (9, None)])
def test_who_looks_at_a_moment_that_the_game_does_not_have_follows_it_again(looked: int, then: int | None) -> None:
    """Another game was begun meanwhile; it would stand still once it has come to that moment."""
    assert refreshed(lambda _: THE_GAME, [], looked).looked == then
