"""A ruleset as a game of OpenSpiel, with dice and draws as chance nodes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy
import pyspiel

from polis_rules.environments.episode import Episode, Table
from polis_rules.interpreter.machine import LONGEST_GAME, ChancePoint
from polis_rules.semantics import Ranges, ir


def registered(table: Table) -> Any:
    """The game of a table, known to OpenSpiel by the ruleset's name and its hash."""
    name = f"polis_{table.ruleset.name}_{table.ruleset.hash[:8]}"
    if name not in pyspiel.registered_names():
        pyspiel.register_game(_type(table, name), type(name, (Game,), {"table": table, "name": name}))
    return pyspiel.load_game(name)


def _type(table: Table, name: str) -> Any:
    players = len(table.players)
    kinds = pyspiel.GameType
    chance = any(table.program.is_chance)
    steps = [point.step for point in table.program.points]
    kept = [step.secret if isinstance(step, ir.Choose) else step.seen_by is not None for step in steps]
    open_to_all = not any(kept) and all(part.value.variable.open for part in table.observations.parts)
    return kinds(
        short_name=name,
        long_name=table.ruleset.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION if open_to_all else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if players > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


class Game(pyspiel.Game):  # type: ignore[misc]
    """The game of a table. OpenSpiel keeps what makes games until Python has ended, so that is a class for each."""

    table: Table
    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        table = self.table
        players = len(table.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=table.actions.count,
            max_chance_outcomes=_outcomes(table),
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if players > 1 else None,
            max_game_length=LONGEST_GAME,
        )
        super().__init__(_type(table, self.name), info, params or {})

    def new_initial_state(self) -> State:
        """The beginning of a game."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What tells players what they see, or all that they have seen."""
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Recall(self.table) if recalls else Observer(self.table)


def _outcomes(table: Table) -> int:
    """One more than the greatest number that dice or draws may come out as."""
    ranges, most = Ranges(table.program.rules.symbols), 0
    for point in table.program.points:
        if isinstance(point, ChancePoint):
            if isinstance(point.step, ir.Roll):
                most = max(most, ranges.rolled(point.step, {}).high + 1)
            else:
                kind = point.step.source.type.kind
                most = max(most, len(table.program.rules.symbols.kinds[kind].members))
    return min(most, 99 * 999 + 1)


class State(pyspiel.State):  # type: ignore[misc]
    """A position of a game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.episode = Episode(game.table, 0, by_hand=True)

    def current_player(self) -> int:
        """Who decides, or that chance does, or that the game is over."""
        if self.episode.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.episode.waits_for_chance else self.episode.decider

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.episode.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """How dice or a draw may come out, each with its probability."""
        return self.episode.chances

    def _apply_action(self, action: int) -> None:
        play_on(self.episode, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"chance {action}" if player == pyspiel.PlayerId.CHANCE else self.episode.table.actions.name(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.episode.over

    def returns(self) -> Sequence[float]:
        """What the end is worth to each player; zeros before."""
        return self.episode.rewards if self.episode.over else [0.0] * len(self.episode.table.players)

    def __str__(self) -> str:
        return " ".join(map(str, self.episode.state))


def play_on(episode: Episode, action: int) -> None:
    """Take an action, or let chance come out so."""
    if episode.waits_for_chance:
        episode.answer(action)
    else:
        episode.act(action)


class Observer:
    """Tells what players see, as numbers."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.tensor = numpy.zeros(table.observations.size, numpy.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: State, player: int) -> None:
        """Write down what a player sees."""
        self.tensor[:] = state.episode.observation(player)

    def string_from(self, state: State, player: int) -> str:
        """The same as text: the names of what is not 0."""
        row = state.episode.observation(player)
        told = ((each.name, row[each.begin : each.end]) for each in self.table.observations.fields)
        return "; ".join(f"{name}: {' '.join(f'{number:g}' for number in part)}" for name, part in told if any(part))


class Recall(Observer):
    """Tells players what they have seen since the game began: a short name of all that, to be looked up by."""

    def set_from(self, state: State, player: int) -> None:
        """Raises NotImplementedError: how much a player has seen has no fixed length."""
        raise NotImplementedError

    def string_from(self, state: State, player: int) -> str:
        """The name: the same for all games in which the player has seen the same, one thing after the other."""
        episode, told = Episode(self.table, 0, by_hand=True), hashlib.sha256()
        last = None
        for action in (*state.history(), None):
            row = episode.observation(player)
            if row != last:
                told.update(numpy.array(row).tobytes())
            last = row
            if action is not None:
                play_on(episode, action)
        return told.hexdigest()
