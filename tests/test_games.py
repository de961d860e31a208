"""What must hold in every game of every ruleset, tried on random games."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random

import pytest
from support.sampling import sampled

import polis_rules
from polis_rules.interpreter.evaluator.evaluate import Evaluator
from polis_rules.interpreter.evaluator.view import may_see
from polis_rules.interpreter.game.game import Game
from polis_rules.interpreter.game.options import kinds_of, known_names
from polis_rules.interpreter.machine.layout import PC
from polis_rules.interpreter.machine.protocol import WAY
from polis_rules.ruleset import Ruleset
from polis_rules.semantics import ir
from polis_rules.semantics.symbols import every_variable

HERE = Path(__file__).parent
RULESETS = ["yucata", "devir", *sorted(str(path.parent) for path in HERE.glob("rulesets/*/ruleset.yaml"))]


@pytest.fixture(scope="module", params=sampled(RULESETS, every=5, slow=2, name=lambda name: Path(name).name))
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return polis_rules.load(request.param)


def random_game(ruleset: Ruleset, seed: int) -> Game:
    game, rng = ruleset.start(seed=seed), Random(seed)
    while game.decision is not None:
        game.apply(rng.choice(game.decision.options))
    return game


def test_every_random_game_ends_with_a_result_and_breaks_no_range_supply_or_invariant(ruleset: Ruleset) -> None:
    for seed in range(25):
        game = random_game(ruleset, seed)
        assert game.finished
        assert game.result is not None
        assert set(game.result.scores) == set(ruleset.players)
        for terms in game.result.scores.values():
            assert terms["total"] == sum(value for name, value in terms.items() if name != "total")


def test_undo_restores_every_position_of_a_game(ruleset: Ruleset) -> None:
    game, rng = ruleset.start(seed=3), Random(3)
    seen = []
    while game.decision is not None:
        seen.append((game.hash(), game.log, game.report, game.decision))
        game.apply(rng.choice(game.decision.options))
    for position in reversed(seen):
        assert game.undo()
        assert (game.hash(), game.log, game.report, game.decision) == position
    assert not game.undo()


def test_a_copy_and_its_original_do_not_touch_each_other(ruleset: Ruleset) -> None:
    game, rng = ruleset.start(seed=4), Random(4)
    while game.decision is not None:
        before = game.hash(), game.report
        other = game.copy()
        other.apply(rng.choice(game.decision.options))
        assert (game.hash(), game.report) == before
        game = other


def test_what_a_copy_takes_back_and_does_anew_leaves_the_past_of_its_original(ruleset: Ruleset) -> None:
    game = ruleset.start(seed=4)
    first = game.hash()
    game.apply(game.decision.options[0])
    other = game.copy()
    other.undo()
    other.apply(other.decision.options[1])
    game.undo()
    assert game.hash() == first


def test_the_same_seed_and_choices_give_the_same_game(ruleset: Ruleset) -> None:
    first, second = random_game(ruleset, 5), random_game(ruleset, 5)
    assert (first.hash(), first.log, first.report) == (second.hash(), second.log, second.report)


def test_a_game_played_again_from_its_log_with_manual_chance_ends_in_the_same_position(ruleset: Ruleset) -> None:
    for seed in range(5):
        played = random_game(ruleset, seed)
        again = ruleset.start(seed=seed, chance="manual")
        for kind, _, what in played.log:
            if kind == "decision":
                again.apply(what)
            else:
                again.answer(what)
        assert again.hash() == played.hash()
        assert again.report == played.report


def test_the_fast_program_and_the_checked_one_play_the_same_games(ruleset: Ruleset) -> None:
    fast, checked = ruleset.program(), ruleset.program(checks=True, trace=True)
    for seed in range(20):
        states = []
        for program in (fast, checked):
            state = program.new_state(seed)
            program.playout(state, Random(seed))
            states.append(program.layout.lasting(state))
        assert states[0] == states[1]


def test_generated_options_are_those_that_walking_the_rules_finds(ruleset: Ruleset) -> None:
    program = ruleset.program()
    evaluator = Evaluator(program.rules, program.layout)
    rng = Random(6)
    for seed in range(8):
        state = program.new_state(seed)
        while state[PC] != program.finished:
            step = program.points[state[PC]].step
            if isinstance(step, ir.Choose):
                options = program.options(state)
                names = known_names(program, state)
                members = [number for number in options if number < WAY - 1]
                allowed = list(evaluator.allowed(step, state, names))
                assert members == allowed if not step.leaving else set(members) <= set(allowed)
                for number, way in enumerate(step.ways):
                    holds = all(evaluator.value(test.test, state, names) for test in way.conditions)
                    assert holds == (WAY + number in options)
                program.apply(state, rng.choice(options) if options else WAY - 2)
            else:
                program.apply(state, program.outcome(state))


@pytest.mark.slow
def test_what_is_offered_is_never_refused_and_what_is_not_offered_has_a_reason(ruleset: Ruleset) -> None:
    game, rng = ruleset.start(seed=8), Random(8)
    while game.decision is not None:
        decision = game.decision
        for option in decision.options:
            assert game.why_not(option.id) == []
        step = game.program.points[game.state[PC]].step
        assert isinstance(step, ir.Choose)
        offered = {option.id for option in decision.options}
        kinds = kinds_of(step, game.program.rules.symbols)
        for members in product(*(kind.members for kind in kinds)) if kinds else ():
            name = " ".join(members)
            if name not in offered:
                reasons = game.why_not(name)
                assert reasons
                assert all(reason.text for reason in reasons)
                with pytest.raises(polis_rules.IllegalMove):
                    game.apply(name)
        game.apply(rng.choice(decision.options))


PLAY = """
import sys
from random import Random
import polis_rules
game, rng = polis_rules.load(sys.argv[1]).start(seed=11), Random(11)
while game.decision is not None:
    game.apply(rng.choice(game.decision.options))
print(game.hash())
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS[::2], ids=lambda name: Path(name).name)
def test_another_process_with_another_hash_seed_plays_the_same_game(name: str, tmp_path: Path) -> None:
    found = set()
    for hash_seed in ("1", "2"):
        cache = str(tmp_path / hash_seed)
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "POLIS_CACHE_DIR": cache}
        done = subprocess.run(
            [sys.executable, "-c", PLAY, name],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            cwd=HERE.parent,
        )
        found.add(done.stdout)
    assert len(found) == 1


def test_an_unknown_move_is_invalid_and_names_the_nearest_one() -> None:
    game = polis_rules.load("yucata").start(seed=1)
    assert game.decision is not None
    with pytest.raises(polis_rules.InvalidMove, match="did you mean 'trade'"):
        game.apply("traed")


@pytest.mark.parametrize(
    "name", ["yucata", str(HERE / "rulesets" / "sealed_bids"), str(HERE / "rulesets" / "dice_race")]
)
def test_what_a_player_may_not_see_leaves_no_trace_in_the_view(name: str) -> None:
    game, rng = polis_rules.load(name).start(seed=9), Random(9)
    hidden = 0
    while game.decision is not None:
        for number, player in enumerate(game.players):
            secrets = [slot for slot, seen in watched_slots(game, number) if not seen]
            before = game.view(player)
            other = game.copy()
            for slot in secrets:
                other.state[slot] = 1 - min(other.state[slot], 1)
            hidden += len(secrets)
            assert other.view(player) == before
        game.apply(rng.choice(game.decision.options))
    assert hidden


def watched_slots(game: Game, viewer: int) -> list[tuple[int, bool]]:
    """Every slot of state that somebody may not see, and whether this player may see it now."""
    evaluator = Evaluator(game.program.rules, game.program.layout)
    found = []
    for variable in every_variable(game.program.rules.symbols):
        if not variable.open:
            kinds = ([variable.owner] if variable.owner else []) + [kind for _, kind in variable.per]
            ranges = [range(evaluator.symbols.count(kind)) for kind in kinds]
            base = game.program.layout.bases[variable.owner, variable.name]
            for flat, indexes in enumerate(product(*ranges)):
                found.append((base + flat, may_see(evaluator, variable, game.state, indexes, viewer)))
    return found


@pytest.mark.slow
def test_a_scenario_that_begins_late_has_played_one_round_when_it_begins() -> None:
    late = polis_rules.load("yucata", scenario="corinthian_war").start(seed=1)
    assert late.rounds == 1
    assert late.round is not None
    assert late.round > 1
