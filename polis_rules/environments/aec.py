"""A ruleset as an environment of PettingZoo, in which one agent acts after the other (AEC)."""

from __future__ import annotations

from typing import Any

import numpy
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv

from polis_rules.environments.episode import Episode, Table


def spaces(table: Table) -> Dict:
    """What agents see: a row of numbers, and which actions are legal."""
    return Dict(
        {
            "observation": Box(-1, 1, (table.observations.size,), numpy.float32),
            "action_mask": Box(0, 1, (table.actions.count,), numpy.int8),
        }
    )


def seen(episode: Episode, viewer: int) -> dict[str, Any]:
    """What an agent sees now; no action is legal for those who do not decide."""
    mask = numpy.zeros(episode.table.actions.count, numpy.int8)
    if episode.decider == viewer:
        mask[[*episode.legal]] = 1
    row = numpy.array(episode.observation(viewer), numpy.float32)
    return {"observation": numpy.clip(row, -1, 1), "action_mask": mask}


class AECEnvironment(AECEnv):  # type: ignore[misc]
    """The agents are the players. Rewards come at the end, see `Episode.rewards`."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.metadata = {"name": table.ruleset.name, "render_modes": [], "is_parallelizable": False}
        self.possible_agents = [*table.players]
        self.seats = {player: seat for seat, player in enumerate(table.players)}
        self.observation_spaces = {player: spaces(table) for player in table.players}
        self.action_spaces = {player: Discrete(table.actions.count) for player in table.players}
        self.generator = numpy.random.default_rng()
        self.render_mode = None

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of what an agent sees: the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The space of all actions: the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. Without a seed it follows from the last one that was given."""
        if seed is not None:
            self.generator = numpy.random.default_rng(seed)
        self.episode = Episode(self.table, int(self.generator.integers(1 << 60)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._end()
        self._select()

    def _select(self) -> None:
        decider = self.episode.decider
        self.agent_selection = self.possible_agents[decider] if decider >= 0 else self.agents[0]

    def _end(self) -> None:
        if self.episode.over:
            self.rewards = dict(zip(self.possible_agents, self.episode.rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        return seen(self.episode, self.seats[agent])

    def step(self, action: int | None) -> None:
        """Take an action for the agent that is selected. Raises IllegalMove where it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.episode.act(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._end()
        self._select()
        self._accumulate_rewards()

    def close(self) -> None:
        """There is nothing to close."""
