"""A ruleset as an environment of a library, which is imported only then."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from polis_rules.diagnostics import PolisError
from polis_rules.environments.episode import Table
from polis_rules.play import bots
from polis_rules.ruleset import Ruleset

BOT = "mcts"
"""Who plays against an agent where nobody is named."""


class LibraryMissingError(PolisError):
    """A library is not installed."""


def _module(name: str, library: str, extra: str) -> Any:
    try:
        return import_module(f"polis_rules.environments.{name}")
    except ModuleNotFoundError as error:
        message = f"{library} needs {error.name}; install it with: pip install 'polis-rules[{extra}]'"
        raise LibraryMissingError(message) from None


def pettingzoo_environment(ruleset: Ruleset) -> Any:
    """A ruleset as an AEC environment of PettingZoo: the players are its agents.

    Raises LibraryMissingError, and EncodingError where the rules offer too much to be numbered.
    """
    return _module("aec", "PettingZoo", "learning").AECEnvironment(Table(ruleset))


def gymnasium_environment(ruleset: Ruleset, player: str, opponents: Mapping[str, str] | None = None) -> Any:
    """A ruleset as an environment of Gymnasium: the agent decides for one player, bots for the others.

    `opponents` names bots by player; all others are `mcts`. Raises as `pettingzoo_environment` does, UnknownBotError,
    and ValueError where there is no such player or a bot is named for the agent's own.
    """
    module = _module("single", "Gymnasium", "learning")
    named = {**dict.fromkeys(ruleset.players, BOT), **(opponents or {})}
    for each in (player, *named):
        if each not in ruleset.players:
            raise ValueError(f"there is no player {each}; the players are {', '.join(ruleset.players)}")
    if player in (opponents or {}):
        raise ValueError(f"{player} is the agent, so no bot can play it")
    for name in named.values():
        bots.check(name)
    return module.SingleEnvironment(Table(ruleset), ruleset.players.index(player), [*named.values()])


def open_spiel_game(ruleset: Ruleset) -> Any:
    """A ruleset as a game of OpenSpiel, with dice and draws as chance nodes.

    Raises as `pettingzoo_environment` does.
    """
    return _module("spiel", "OpenSpiel", "open-spiel").registered(Table(ruleset))
