"""Who plays each player: reading and checking --seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from polis_rules.diagnostics import one_of, quote
from polis_rules.play.bots import BOTS, UnknownBotError, check

if TYPE_CHECKING:
    from polis_rules import Ruleset

HUMAN = "human"
"""The seat of a person at this terminal."""


def parse_seats(seats: list[str]) -> dict[str, str]:
    """From texts like red=random to who sits where; players are checked later, when the rules are known."""
    wanted: dict[str, str] = {}
    for text in seats:
        player, equals, who = text.partition("=")
        if not equals or not player or not who:
            raise _bad_seat(f"{quote(text)} is not of the form PLAYER=WHO, such as red=random")
        if player in wanted:
            raise _bad_seat(f"{quote(player)} is given two seats")
        known, kind = [*BOTS, HUMAN], who.partition(":")[0]
        if kind not in known or who != HUMAN == kind:
            raise _bad_seat(f"nobody called {quote(who)} can take a seat; {one_of(kind, known)}")
        if kind != HUMAN:
            try:
                check(who)
            except UnknownBotError as error:
                raise _bad_seat(str(error)) from None
        wanted[player] = who
    return wanted


def fill_seats(rules: Ruleset, earlier: Mapping[str, str], wanted: Mapping[str, str]) -> dict[str, str]:
    """Who plays each player, in the order of the players."""
    for player in wanted:
        if player not in rules.players:
            raise _bad_seat(f"{rules.name} has no player {quote(player)}; {one_of(player, rules.players)}")
    seats = dict.fromkeys(rules.players, "random") | dict(earlier) | dict(wanted)
    for player, who in seats.items():
        if who != HUMAN and who.partition(":")[0] not in BOTS:
            raise _bad_seat(f"the transcript seats {quote(who)} as {player}, whom this version does not know")
    return {player: seats[player] for player in rules.players}


def bots_of(players: Sequence[str], seats: list[str] | None) -> tuple[str, ...]:
    """Which bot plays each player of many games, where nobody is named that which the Lab has for all."""
    from polis_rules.lab import BOT

    wanted = parse_seats(seats or [])
    for player, bot in wanted.items():
        if player not in players or bot == HUMAN:
            raise _bad_seat("people play no such games" if player in players else f"there is no player {player}")
    return tuple(wanted.get(player, BOT) for player in players)


def _bad_seat(message: str) -> typer.BadParameter:
    return typer.BadParameter(message, param_hint="--seat")
