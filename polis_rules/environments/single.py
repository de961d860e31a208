"""A ruleset as an environment of Gymnasium: one player is the agent, bots play the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium

from polis_rules.environments.aec import seen, spaces
from polis_rules.environments.episode import Episode, Table
from polis_rules.interpreter.runtime import State
from polis_rules.play import bots


class SingleEnvironment(gymnasium.Env[Any, Any]):
    """The agent decides for one player. Its reward comes at the end, see `Episode.rewards`.

    An action that is not legal loses the game at once; `info["illegal"]` says so.
    """

    def __init__(self, table: Table, seat: int, seats: Sequence[str]) -> None:
        self.table, self.seat, self.bots = table, seat, seats
        self.metadata = {"render_modes": []}
        self.observation_space = spaces(table)
        self.action_space = gymnasium.spaces.Discrete(table.actions.count)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, up to the agent's first decision. Without a seed it follows from the last one that was given."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 60))
        self.episode = Episode(self.table, number)
        self.choose: Callable[[State, list[int]], int] = bots.chooser(self.table.program, self.bots, number)
        self._let_bots_play()
        return seen(self.episode, self.seat), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action, and let bots play up to the agent's next decision."""
        if int(action) not in self.episode.legal:
            return seen(self.episode, self.seat), -1.0, True, False, {"illegal": True}
        self.episode.act(int(action))
        self._let_bots_play()
        over = self.episode.over
        reward = self.episode.rewards[self.seat] if over else 0.0
        return seen(self.episode, self.seat), reward, over, False, {}

    def _let_bots_play(self) -> None:
        episode = self.episode
        while not episode.over and episode.decider != self.seat:
            episode.take(self.choose(episode.state, [*episode.legal.values()]))
