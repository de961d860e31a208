"""Rulesets as environments for learning: numbered actions, what players see, and the tests of three libraries."""

from __future__ import annotations

import random
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import polis_rules
from polis_rules.diagnostics import IllegalMove
from polis_rules.environments import (
    Actions,
    Episode,
    LibraryMissingError,
    Table,
    gymnasium_environment,
    open_spiel_game,
    pettingzoo_environment,
)
from polis_rules.environments.chances import likelihoods
from polis_rules.interpreter.machine import SEED
from polis_rules.play.bots import UnknownBotError
from polis_rules.play.bots.dealing import Dealer

numpy = pytest.importorskip("numpy")

SHELF = Path(__file__).parent / "rulesets"
SMALL = sorted(path.parent.name for path in SHELF.glob("*/ruleset.yaml"))
SECRET = ["caravans", "goofspiel", "hearts", "leduc", "masks", "passing", "sealed_bids", "tricks", "colonnades"]


@cache
def ruleset(name: str) -> polis_rules.Ruleset:
    return polis_rules.load(SHELF / name if name in SMALL else name)


@cache
def table(name: str) -> Table:
    return Table(ruleset(name))


# -- actions -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SMALL, "yucata", "colonnades"])
def test_every_option_is_an_action_of_its_own_wherever_a_game_leads(name: str) -> None:
    rng, episode = random.Random(1), Episode(table(name), 1)
    for _ in range(300):
        if episode.over:
            break
        assert len(episode.legal) == len(episode.table.program.options(episode.state))
        assert all(0 <= action < episode.table.actions.count for action in episode.legal)
        episode.act(rng.choice([*episode.legal]))


@pytest.mark.parametrize("name", ["connect_four", "crossing", "skirmish", "tricks"])
def test_no_two_actions_have_one_name(name: str) -> None:
    actions = table(name).actions
    names = [actions.name(action) for action in range(actions.count)]
    assert len({*names}) == actions.count


def test_actions_are_numbered_as_documented() -> None:
    """Finishing, ways, numbers, members, combinations."""
    actions = table("leduc").actions
    bets = ["fold", "check", "call", "raise"]
    assert [actions.name(each) for each in range(actions.count)] == [
        "finish", *(f"procedures.bets.either {each}" for each in bets),
    ]  # fmt: skip
    assert [table("skirmish").actions.name(each) for each in range(8)] == ["finish", *"0123456"]
    cells = table("crossing").actions
    first, last = cells.name(1), cells.name(cells.count - 1)
    assert (cells.count, len({*first.split()}), len({*last.split()})) == (257, 1, 1)


def test_actions_are_the_same_whatever_was_compiled() -> None:
    plain, checked = (Actions(ruleset("tricks").program(checks=each)) for each in (False, True))
    assert [plain.name(each) for each in range(plain.count)] == [checked.name(each) for each in range(checked.count)]


@pytest.mark.parametrize("name", ["dice_race", "masks", "yucata"])
def test_a_game_by_actions_is_the_game_of_its_options(name: str) -> None:
    rng, episode, game = random.Random(3), Episode(table(name), 3), ruleset(name).start(seed=3)
    while not episode.over:
        action = rng.choice([*episode.legal])
        decision = game.decision
        assert decision is not None and game.players[episode.decider] == decision.player
        game.apply(next(each for each in decision.options if each.value == episode.legal[action]))
        episode.act(action)
    result = game.result
    assert result is not None
    best = max(range(len(game.players)), key=lambda seat: episode.rewards[seat])
    assert sum(episode.rewards) == pytest.approx(0)
    assert result.winner in (None, game.players[best])


def test_what_is_not_legal_is_refused() -> None:
    with pytest.raises(IllegalMove, match="finish is not offered"):
        Episode(table("connect_four"), 1).act(0)


# -- observations ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SMALL, "yucata"])
def test_observations_are_of_one_length_and_within_their_limits(name: str) -> None:
    rng, episode = random.Random(2), Episode(table(name), 2)
    for _ in range(40):
        for viewer in range(len(episode.table.players)):
            row = episode.observation(viewer)
            assert len(row) == episode.table.observations.size
            assert min(row) >= -1 and max(row) <= 1
        if episode.over:
            break
        episode.act(rng.choice([*episode.legal]))


@pytest.mark.parametrize("name", SECRET)
def test_two_positions_that_a_player_cannot_tell_apart_look_the_same(name: str) -> None:
    """What is hidden is dealt anew: nobody who may not see it is told anything else."""
    rng, dealer, compared = random.Random(4), Dealer(table(name).program), 0
    views = table(name).program.views
    for seed in range(2):
        episode = Episode(table(name), seed)
        for _ in range(25):
            if episode.over:
                break
            for viewer in range(len(episode.table.players)):
                hidden, seen = views.hidden(episode.state, viewer), episode.observation(viewer)
                other = episode.copy()
                for other.state in dealer.worlds(episode.state, viewer, rng, 3):
                    if views.hidden(other.state, viewer) == hidden:
                        compared += other.state != episode.state
                        assert other.observation(viewer) == seen
            episode.act(rng.choice([*episode.legal]))
    assert compared > 20


def test_what_a_player_may_see_is_in_the_observation() -> None:
    """Of the two hands of leduc a player sees the one, and all of it."""
    found = set()
    for seed in range(40):
        episode = Episode(table("leduc"), seed)
        row = episode.observation(0)
        hands = {each.name: tuple(row[each.begin : each.end]) for each in episode.table.observations.fields}
        found.add(hands["player ann hand"])
        assert not any(hands["player bea hand"][2:])
    assert len(found) == 6


def test_a_player_remembers_what_it_has_chosen_since_another_one_decided() -> None:
    episode = Episode(table("yucata"), 5)
    chosen = next(each for each in episode.table.observations.fields if each.name == "chosen")
    who, action = episode.decider, next(iter(episode.legal))
    episode.act(action)
    row = episode.observation(who)[chosen.begin : chosen.end]
    assert [place for place, number in enumerate(row) if number] == [action]
    assert not any(episode.observation(1 - who)[chosen.begin : chosen.end])


# -- chance ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["dice_race", "skirmish", "leduc", "caravans"])
def test_chance_comes_out_as_often_as_it_is_likely(name: str) -> None:
    episode = Episode(table(name), 1, by_hand=True)
    while not episode.waits_for_chance:
        episode.act(next(iter(episode.legal)))
    program, state = table(name).program, episode.state[:]
    likely = dict(likelihoods(program, state))
    assert {*likely} == {*program.options(state)}
    assert sum(likely.values()) == pytest.approx(1)
    times = dict.fromkeys(likely, 0)
    for state[SEED] in range(4000):
        times[program.outcome(state)] += 1
    assert all(abs(times[each] / 4000 - part) < 0.04 for each, part in likely.items())


# -- libraries ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow  # imports libraries
@pytest.mark.parametrize("name", ["leduc", "connect_four", "hearts", "yucata"])
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    tests = pytest.importorskip("pettingzoo.test", reason="PettingZoo is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # agents are called as the players, and do not look at pictures
        tests.api_test(pettingzoo_environment(ruleset(name)), num_cycles=300)
        tests.seed_test(lambda: pettingzoo_environment(ruleset(name)), num_cycles=50)


@pytest.mark.slow  # imports libraries
@pytest.mark.parametrize("name", ["leduc", "connect_four", "hearts", "yucata"])
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker", reason="Gymnasium is not installed")
    first, *others = ruleset(name).players
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker.check_env(gymnasium_environment(ruleset(name), first, dict.fromkeys(others, "random")))


@pytest.mark.slow  # imports a library
@pytest.mark.parametrize("name", ["leduc", "connect_four", "dice_race", "skirmish", "goofspiel", "hearts"])
def test_open_spiel_finds_nothing_wrong(name: str) -> None:
    """Of hearts, whose games are long, it plays one."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'polis-rules[open-spiel]'")
    pyspiel.random_sim_test(
        open_spiel_game(ruleset(name)), num_sims=1 if name == "hearts" else 5, serialize=True, verbose=False
    )


@pytest.mark.slow  # imports a library
@pytest.mark.parametrize(("name", "is_open"), [("connect_four", True), ("leduc", False), ("skirmish", False)])
def test_open_spiel_is_told_whether_all_players_see_everything(name: str, is_open: bool) -> None:
    """Nor do they where only dice are rolled in secret."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'polis-rules[open-spiel]'")
    told = open_spiel_game(ruleset(name)).get_type().information
    assert (told == pyspiel.GameType.Information.PERFECT_INFORMATION) == is_open


@pytest.mark.slow  # imports a library
def test_players_of_open_spiel_recall_what_they_have_seen_and_nothing_else() -> None:
    """Before the first bet that is one of six cards, however all others lie; and a solver finds its way by that."""
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'polis-rules[open-spiel]'")
    from open_spiel.python.algorithms import external_sampling_mccfr

    rng, game, recalled = random.Random(1), open_spiel_game(ruleset("leduc")), set()
    for _ in range(60):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
        hand = state.observation_string(0).partition("player ann hand: ")[2].partition(";")[0]
        recalled.add((hand, state.information_state_string(0)))
    assert len(recalled) == len({hand for hand, _ in recalled}) == len({name for _, name in recalled}) == 6
    solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
    for _ in range(20):
        solver.iteration()
    assert len(solver._infostates) > 100


def test_an_action_that_is_not_legal_loses_the_game_of_a_single_agent() -> None:
    pytest.importorskip("gymnasium")
    environment = gymnasium_environment(ruleset("connect_four"), "ann", {"bob": "random"})
    environment.reset(seed=1)
    _, reward, terminated, _, told = environment.step(0)
    assert (reward, terminated, told) == (-1.0, True, {"illegal": True})


def test_who_plays_against_an_agent_is_checked_first() -> None:
    with pytest.raises(ValueError, match="ann is the agent, so no bot can play it"):
        gymnasium_environment(ruleset("connect_four"), "ann", {"ann": "random"})
    with pytest.raises(ValueError, match="there is no player eve; the players are ann, bob"):
        gymnasium_environment(ruleset("connect_four"), "eve")
    pytest.importorskip("gymnasium")
    with pytest.raises(UnknownBotError, match="deep_blue"):
        gymnasium_environment(ruleset("connect_four"), "ann", {"bob": "deep_blue"})


def test_a_library_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "polis_rules.environments.spiel", raising=False)
    with pytest.raises(LibraryMissingError, match=r"OpenSpiel needs pyspiel; install it with: .*\[open-spiel\]"):
        open_spiel_game(ruleset("leduc"))


# -- learning ----------------------------------------------------------------------------------------------------------


class Learner:
    """Chooses at random by weights that are linear in what it sees, and learns from how games end (REINFORCE)."""

    def __init__(self, environment: Any) -> None:
        self.environment, self.rng, self.usual = environment, numpy.random.default_rng(1), 0.0
        shape = environment.action_space.n, environment.observation_space["observation"].shape[0]
        self.weights = numpy.zeros(shape)

    def game(self, seed: int) -> tuple[float, list[Any]]:
        """A game, and what was seen and done in it."""
        (seen, _), done, over, reward = self.environment.reset(seed=seed), [], False, 0.0
        while not over:
            legal = numpy.flatnonzero(seen["action_mask"])
            likes = self.weights[legal] @ seen["observation"]
            likely = numpy.exp(likes - likes.max())
            likely /= likely.sum()
            taken = self.rng.choice(len(legal), p=likely)
            done.append((seen["observation"], legal, likely, taken))
            seen, reward, over, _, _ = self.environment.step(legal[taken])
        return reward, done

    def learn(self, games: int) -> None:
        """Like more what came before a better end than usual."""
        for seed in range(games):
            reward, done = self.game(seed)
            for row, legal, likely, taken in done:
                better = -likely
                better[taken] += 1
                self.weights[legal] += 0.05 * (reward - self.usual) * numpy.outer(better, row)
            self.usual += 0.02 * (reward - self.usual)

    def mean(self, games: int) -> float:
        """What games are worth to it that it has not learned from."""
        return float(numpy.mean([self.game(1_000_000 + seed)[0] for seed in range(games)]))


@pytest.mark.slow  # plays thousands of games
def test_whoever_learns_a_little_beats_random_players() -> None:
    """In connect four, from 2,000 games as the second player: about four of five games, of one in two before."""
    pytest.importorskip("gymnasium")
    learner = Learner(gymnasium_environment(ruleset("connect_four"), "bob", {"ann": "random"}))
    before = learner.mean(300)
    learner.learn(2000)
    assert before < 0.1 < 0.4 < learner.mean(300)
