"""A player for all seats at once, who looks for what no recorded game has used yet.

Games at random are short: soon somebody starves or has no prestige left. So a game is found turn by turn: from the best
positions so far many ways of going on are tried, for a few turns each, and the best of those are gone on from. Dice and
draws are never chosen: they are those of the seed.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from random import Random

from uses import Uses

from polis_rules import Game, Ruleset
from polis_rules.interpreter.machine.layout import PC, SCORE, SEED, WINNER
from polis_rules.interpreter.machine.protocol import LEAVE, WAY
from polis_rules.interpreter.runtime import State
from polis_rules.semantics import ir

TRIES = 200
"""How many ways of going on are tried at once."""

KEPT = 25
"""How many of them are gone on from."""

TURNS = 6
"""How many actions a way of going on has, if the round does not end before."""

LONGEST = 40
"""After so many ways one after the other, whoever is still in the same round is left behind."""

EAGER = (0.0, 0.3, 0.7, 0.9)
"""How often an option that uses something new is taken, where there is one; one of these for each way."""

LIKED = (1, 1, 3, 10)
"""How often one action is taken compared with another; one of these for each action and way."""


@dataclass(frozen=True, slots=True)
class Line:
    """A game as far as it has been played: its position, all options taken, the new names that it has used."""

    state: State
    path: tuple[int, ...]
    names: frozenset[str]
    worth: float


class Seeker:
    """Looks for games of one ruleset with its scenario and variants."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.program = ruleset.program()
        self.uses = Uses(self.program)
        self.names = self.uses.everything() + self.uses.hints()
        self.kinds = self.program.rules.symbols.kinds
        self.players, self.goods = (len(self.kinds[name].members) for name in ("player", "good"))
        self.wheat = self.kinds["good"].index["wheat"]
        bases = self.program.layout.bases
        self.round, self.prestige, self.stock = (
            bases[place] for place in (("", "current_round"), ("player", "prestige"), ("player", "stock"))
        )
        self.owner, self.population = bases["polis", "owner"], bases["polis", "population"]
        steps = [point.step for point in self.program.points]
        self.turns = {n for n, step in enumerate(steps) if isinstance(step, ir.Choose) and asks_for_an_action(step)}
        self.decks = {n for n, step in enumerate(steps) if isinstance(step, ir.Draw) and step.stream == "events"}

    def find(self, seed: int, had: Collection[str], tries: int = TRIES) -> Line:
        """The game with this seed that uses most of what was not `had`, of those that were tried."""
        random = Random(f"{seed} {len(had)}")
        wanted = set(self.names) - set(had)
        begun = [Line(self.program.new_state(seed), (), frozenset(), 0.0)]
        over: list[Line] = []
        while begun:
            kept, begun = begun, []
            now = kept[0].state[self.round]
            for _ in range(LONGEST):
                lines = [self.go_on(kept[n % len(kept)], wanted, random) for n in range(tries)]
                over += (line for line in lines if line.state[PC] == self.program.finished)
                lines = [line for line in lines if line.state[PC] != self.program.finished]
                begun += (line for line in lines if line.state[self.round] != now)
                kept = nlargest(KEPT, (line for line in lines if line.state[self.round] == now), key=worth)
                if not kept:
                    break
            begun = nlargest(KEPT, begun, key=worth)
        return max(over, key=lambda line: (len(line.names), line.worth))

    def go_on(self, line: Line, wanted: set[str], random: Random) -> Line:
        """One way of playing on from a line, for a few turns or until the next round or the end."""
        program, uses = self.program, self.uses
        state, path, names = line.state[:], list(line.path), set(line.names)
        manner = Manner(random, len(self.kinds["action"].members))
        now, left = state[self.round], TURNS
        while state[PC] != program.finished and state[self.round] == now:
            point = state[PC]
            if program.is_chance[point]:
                program.apply(state, program.outcome(state))
                continue
            options = program.options(state)
            if not options:
                program.apply(state, LEAVE)
                continue
            if point in self.turns:
                names |= uses.standing(state) & wanted
                left -= 1
                if left < 0:
                    break
            new = [each for each in options if not names.issuperset(wanted.intersection(uses.chosen(state, each)))]
            option = manner.pick(options, new, point in self.turns)
            names.update(wanted.intersection(uses.chosen(state, option)))
            path.append(option)
            program.apply(state, option)
        names |= uses.standing(state) & wanted
        return Line(state, tuple(path), frozenset(names), 3 * len(names) + self.health(state))

    def health(self, state: State) -> float:
        """How well all are, so that the game will go on: the least prestige that one has left once all are fed."""
        if state[PC] == self.program.finished:
            return 10.0 if state[WINNER] == SCORE else 0.0
        mouths = [0] * self.players
        for number in range(len(self.kinds["polis"].members)):
            if (owner := state[self.owner + number]) >= 0:
                mouths[owner] += state[self.population + number]
        wheat = state[self.stock + self.wheat : self.stock + self.players * self.goods : self.goods]
        prestige = state[self.prestige : self.prestige + self.players]
        safe = min(have - max(0, eat - meal) for have, eat, meal in zip(prestige, mouths, wheat, strict=True))
        return 2 * min(6, safe) + min(40, sum(state[self.stock : self.stock + self.players * self.goods])) / 10

    # -- event cards ----------------------------------------------------------------------------------------------

    @cached_property
    def draws(self) -> list[State]:
        """Positions in which an event card is drawn, one for each round of some game."""
        lines = (self.find(seed, self.names, TRIES // 2) for seed in range(1, 20))
        return next((self.drawing(line) for line in lines if self.is_last[line.state[self.round]]), [])

    @property
    def is_last(self) -> tuple[int, ...]:
        """Of each round, whether the game ends with it."""
        return self.kinds["round"].attributes["last"].values

    def drawing(self, line: Line) -> list[State]:
        """The positions of a game in which an event card is drawn."""
        state, path, states = self.program.new_state(line.state[SEED]), iter(line.path), []
        while state[PC] != self.program.finished:
            if state[PC] in self.decks:
                states.append(state[:])
            chance = self.program.is_chance[state[PC]]
            options = chance or self.program.options(state)
            option = self.program.outcome(state) if chance else next(path) if options else LEAVE
            self.program.apply(state, option)
        return states

    def cards(self, seed: int) -> set[str]:
        """Which event cards a game with this seed sees: they do not depend on how it is played."""
        events = self.kinds["event"].members
        return {events[self.program.outcome([*state[:SEED], seed, *state[SEED + 1 :]])] for state in self.draws}

    def seeds(self, had: Collection[str], among: int = 3000) -> list[int]:
        """Seeds, those first whose event cards have most to do with what was not `had`."""
        left = [name for name in self.names if name not in had]
        wanted = {card for card in self.kinds["event"].members if any(card in name for name in left)}
        return sorted(range(1, among), key=lambda seed: (-len(self.cards(seed) & wanted), seed))


class Manner:
    """A way of choosing: how eager for what is new, how much each action is liked, and passing."""

    def __init__(self, random: Random, actions: int) -> None:
        self.random = random
        self.eager = random.choice(EAGER)
        self.likes = random.choices(LIKED, k=actions)
        self.passing = random.choice(LIKED) / 3

    def pick(self, options: list[int], new: list[int], are_actions: bool) -> int:
        """One of the options; `new` are those that use something new."""
        if len(options) == 1:
            return options[0]
        if new and self.random.random() < self.eager:
            return self.random.choice(new)
        if are_actions:
            weights = [self.passing if option >= WAY else self.likes[option] for option in options]
            return self.random.choices(options, weights)[0]
        return self.random.choice(options)


def asks_for_an_action(step: ir.Choose) -> bool:
    """Whether a choice is the one with which a player's turn begins."""
    return step.path.startswith("phases.take_") and step.source is not None and step.source.type.kind == "action"


def worth(line: Line) -> float:
    return line.worth


def played(ruleset: Ruleset, line: Line) -> Game:
    """The game of a line, played on the checked engine with chance from its seed."""
    game = ruleset.start(seed=line.state[SEED])
    for option in line.path:
        assert game.decision is not None
        game.apply(next(each for each in game.decision.options if each.value == option))
    return game
