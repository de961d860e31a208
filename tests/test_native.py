"""Whole games in native code are those of Python, and come to the same errors."""

from __future__ import annotations

import time
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from shutil import which

import pytest
from support.random_rulesets import lay, ruleset as random_ruleset
from support.sampling import sampled
from support.shipping import shipped
from support.small_ruleset import small
from support.variant_groups import parted
from test_rule_errors import CHOICE, FAILING
from test_variants import EXCLUSIONS

from polis_rules import RuleError, RulesetError, load
from polis_rules.interpreter.compiler import compile_rules
from polis_rules.interpreter.compiler.native import Lowering
from polis_rules.interpreter.machine import PC
from polis_rules.interpreter.machine.chance import Choices
from polis_rules.interpreter.runtime import Program
from polis_rules.interpreter.runtime.native import (
    INVARIANTS,
    RANGES,
    Kind,
    NativeMissingError,
    Seats,
    Wanted,
    opened,
    wasm_engine,
)
from polis_rules.pipeline import front
from polis_rules.play import Session, bots
from polis_rules.ruleset import Ruleset
from polis_rules.validation import games, validate
from polis_rules.verification import perft
from polis_rules.verification.coverage.coverage import CoverageCounter
from polis_rules.verification.soak.soak import ScenarioSoak

SHELF = sorted(path.parent for path in (Path(__file__).parent / "rulesets").glob("*/ruleset.yaml"))

needs_wasm = pytest.mark.skipif(find_spec("wasmtime") is None, reason="wasmtime is not installed")
needs_c = pytest.mark.skipif(which("cc") is None, reason="there is no C compiler")


def played(ruleset: Ruleset, kind: Kind, games: int, step_by_step: int) -> None:
    """Play games in native code and in Python; the first ones are compared at every step."""
    program = ruleset.program(native=kind)
    python = ruleset.program()
    assert program.native is not None
    assert list(program.playouts(3, games)) == list(python.playouts(3, games))
    native = program.native
    for seed in range(3, 3 + step_by_step):
        state, choices = python.new_state(seed), Choices(seed)
        native.call("begin", native.state, seed)
        while True:
            assert native.read() == state
            if state[PC] == python.finished:
                break
            if python.is_chance[state[PC]]:
                option = python.outcome(state)
                assert native.call("outcome", native.state) == option
            else:
                options = python.options(state)
                assert native.members(native.call("options", native.state)) == options
                assert native.call("decider", native.state) == python.decider(state)
                option = options[int(choices.random() * len(options))] if options else 999_998
            native.call("apply", native.state, option)
            python.apply(state, option)


@needs_wasm
@pytest.mark.parametrize("folder", sampled(SHELF, every=6, slow=2, name=lambda folder: folder.name))
def test_webassembly_plays_the_games_of_python(folder: Path) -> None:
    """States, options and who decides are equal at every step, endings, winners and scores at the end."""
    played(load(folder), "wasm", games=8, step_by_step=2)


@needs_c
@pytest.mark.parametrize("name", ["leduc", pytest.param("hearts", marks=pytest.mark.slow)])
def test_c_plays_the_games_of_python(name: str) -> None:
    played(load(next(folder for folder in SHELF if folder.name == name)), "c", games=20, step_by_step=2)


@needs_wasm
@pytest.mark.parametrize(
    ("name", "scenario"),
    sampled([(each.name, scenario) for each in shipped() for scenario, _ in each.scenarios], every=None, slow=3),
)
def test_every_scenario_is_played_natively(name: str, scenario: str) -> None:
    played(load(name, scenario), "wasm", games=10, step_by_step=1)


@pytest.mark.parametrize("name", [each.name for each in shipped()])
def test_every_shipped_ruleset_has_a_native_form(name: str) -> None:
    assert Lowering(load(name).program().compiled).unit().functions  # or NotNativeError is raised


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in shipped()])
def test_every_variant_has_a_native_form(name: str) -> None:
    """Several that go together are tried at once."""
    about = next(each for each in shipped() if each.name == name)
    for chosen in parted((variant for variant, _ in about.variants), EXCLUSIONS, most=6):
        compiled = load(name, variants=chosen).program().compiled
        assert Lowering(compiled).unit().functions  # or NotNativeError is raised


@needs_wasm
@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "spots"), [*((first, 0) for first in range(0, 48, 6)), (6, 70), (100, 70), (140, 70)]
)
def test_random_rulesets_are_played_natively(first: int, spots: int, tmp_path: Path) -> None:
    """Games, scores and errors of checked and unchecked programs are those of Python; sets of 70 members take two
    words."""
    for seed in range(first, first + 6):
        try:
            rules = front(lay(tmp_path / f"{seed}", random_ruleset(seed, spots)), None, ()).rules
        except RulesetError:
            continue
        compiled = compile_rules(rules, checks=seed % 2 == 0, trace=False)
        native, reason = opened(compiled, "wasm", "")
        assert native is not None, reason
        for game in range(5):
            try:
                expected = list(Program(compiled).playouts(game, 1))
            except RuleError:
                expected = []
            assert native.rows(game, 1) == (expected, not expected)


def seated(program: Program, seed: int) -> tuple[list[int], list[int]]:
    """The state at the end of a game between random bots of Python, and what was taken."""
    state = program.new_state(seed)
    seats = ["random"] * len(program.rules.symbols.kinds["player"].members)
    return state, [option for _, option in program.steps(state, bots.chooser(program, seats, seed))]


@needs_wasm
@pytest.mark.parametrize("name", ["yucata", str(SHELF[0])])
def test_a_seed_is_the_same_game_however_random_players_play_it(name: str) -> None:
    """Bots in the seats of a `Game`, as `polis run` has them; bots of soak and coverage; playouts; native code."""
    ruleset = load(name)
    program, python = ruleset.program(checks=True, native="wasm"), ruleset.program()
    assert program.native is not None
    seats = Seats(program.native)
    for seed in (0, 77, (1 << 63) - 1):
        state, taken = seated(python, seed)
        game = seats.play(seed, RANGES)
        assert game is not None
        assert (program.position(game.state), game.taken) == (python.position(state), taken)
        played_out = python.new_state(seed)
        python.playout(played_out)
        assert played_out == state
        session = Session(ruleset, {}, seed=seed, keep=False)
        while session.turn != "over":
            session.bot_moves()
        assert session.game.program.position(session.game.state) == python.position(state)
    assert seats.play(1 << 63) is None


@needs_wasm
@pytest.mark.parametrize("fault", sampled(FAILING, every=11, slow=2))
def test_a_rule_that_fails_in_native_code_is_told_as_in_python(fault: str, tmp_path: Path) -> None:
    """With file and line, as the game is played again from its seed by checked rules."""
    steps, _, _, made = FAILING[fault]
    ruleset = load(small(tmp_path, CHOICE + steps, **made))
    program = ruleset.program(checks=True, native="auto")
    assert program.native is not None or "no native form" in program.native_reason
    told = []
    for each in (program, ruleset.program(checks=True)):
        with pytest.raises(RuleError) as raised:
            for seed in range(9):
                for _ in each.playouts(seed, 3):
                    pass
                if each.native is not None and Seats(each.native).play(seed, INVARIANTS) is None:
                    state, _ = seated(each, seed)
                    each.check(state)
                else:
                    each.check(seated(each, seed)[0])
        told.append((raised.value.message, raised.value.span))
    assert told[0] == told[1]
    assert told[0][1] is not None


@needs_wasm
def test_games_before_the_one_that_fails_are_told(tmp_path: Path) -> None:
    """A rule that fails in some games only."""
    steps = "- draw: x\n  from: region\n- if: x == west\n  then:\n    - set: {favourite: 'nth(region, round + 50)'}"
    ruleset = load(small(tmp_path, CHOICE + steps))
    counts = []
    for native in ("wasm", None):
        program = ruleset.program(native=native)  # type: ignore[arg-type]
        games = program.playouts(1, 500)
        count = 0
        with pytest.raises(RuleError, match="there is no place 50"):
            for count, _ in enumerate(games, 1):  # noqa: B007  # what it is at the error counts
                pass
        counts.append(count)
    assert counts == [2, 2]


@needs_wasm
def test_an_endless_rule_ends_in_a_bounded_time(tmp_path: Path) -> None:
    steps, message, _, made = FAILING["an endless flow"]
    program = load(small(tmp_path, CHOICE + steps, **made)).program(native="wasm")
    begun = time.process_time()
    with pytest.raises(RuleError, match=message):
        next(program.playouts(0, 1000))
    assert time.process_time() - begun < 20


@needs_wasm
def test_threads_play_the_same_games_in_the_same_order() -> None:
    program = load(SHELF[0]).program(native="wasm")
    assert list(program.playouts(5, 1200, jobs=3)) == list(program.playouts(5, 1200))


@needs_wasm
def test_a_playout_without_a_generator_is_that_of_the_seed() -> None:
    ruleset = load(SHELF[0])
    for seed, make in product((1, 2, -3, 2**70 + 9), ("wasm", None)):
        program = ruleset.program(native=make)  # type: ignore[arg-type]
        state, other = program.new_state(seed), program.new_state(seed)
        assert program.playout(state) == program.playout_in_python(other)
        assert state == other


def test_python_plays_on_where_there_is_no_native_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` says why; what is asked for by name is an error that says what to install."""

    def missing() -> str:
        raise NativeMissingError("there is no wasmtime", "install it")

    monkeypatch.setattr(wasm_engine, "runtime", missing)
    monkeypatch.setenv("CC", "/no/such/compiler")
    ruleset = load(SHELF[0])
    program = ruleset.program(native="auto")
    assert program.native is None
    assert "there is no wasmtime; install it" in program.native_reason
    assert "there is no C compiler /no/such/compiler" in program.native_reason
    assert len(list(program.playouts(0, 2))) == 2
    for kind in ("wasm", "c"):
        with pytest.raises(NativeMissingError, match="install"):
            ruleset.program(native=kind)  # type: ignore[arg-type]


def test_a_kind_of_native_code_that_there_is_not_is_told_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="native is 'gcc', which is none of 'auto', 'wasm', 'c' and None"):
        load(SHELF[0]).program(native="gcc")  # type: ignore[arg-type]


def test_programs_that_tell_what_happens_are_python() -> None:
    program = load(SHELF[0]).program(trace=True, native="auto")
    assert program.native is None
    assert "Python" in program.native_reason
    with pytest.raises(NativeMissingError):
        opened(program.compiled, "wasm", "")


@needs_wasm
@pytest.mark.parametrize(
    ("error", "reason"), [(AssertionError(), "unforeseen form"), (RecursionError(), "nested too deeply")]
)
def test_rules_without_a_native_form_are_played_in_python(
    error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what is wrong in another way is no reason to do so: it is raised."""

    def fails(*_: object) -> None:
        raise error

    compiled = load(SHELF[0]).program().compiled
    monkeypatch.setattr(Lowering, "function", fails)
    native, told = opened(compiled, "auto", "")
    assert native is None
    assert reason in told
    with pytest.raises(NativeMissingError, match=reason):
        opened(compiled, "wasm", "")
    error = KeyError("a name")
    with pytest.raises(KeyError):
        opened(compiled, "auto", "")


@needs_wasm
def test_soak_finds_the_same_in_native_code() -> None:
    """The same moves, chances and final positions, of games that are asked for all that must hold."""
    ruleset = load(SHELF[0])
    python, native = ScenarioSoak(ruleset), ScenarioSoak(ruleset, "wasm")
    assert native.native is not None
    seats = ["random"] * len(ruleset.players)
    assert [python.fast(seed, seats) for seed in range(12)] == [native.fast(seed, seats) for seed in range(12)]


@needs_wasm
def test_soak_names_the_rule_that_fails_in_native_code(tmp_path: Path) -> None:
    """The failure is that of the game played in Python, with its log."""
    for number, fault in enumerate(("a supply", "a payment", "a set out of range")):
        steps, message, _, made = FAILING[fault]
        ruleset = load(small(tmp_path / str(number), CHOICE + steps, **made))
        seats = ["random"] * len(ruleset.players)
        told = [ScenarioSoak(ruleset, native).fast(3, seats)[0] for native in ("wasm", None)]  # type: ignore[arg-type]
        assert told[0] == told[1]
        assert told[0].failure is not None
        assert message in told[0].failure.message


@needs_wasm
@pytest.mark.parametrize("name", sampled(["leduc", "hearts", "agora"], every=3))
def test_coverage_counts_the_same_in_native_code(name: str) -> None:
    """Every requirement, condition, term, effect, row and ending, with how often, the least and the most."""
    ruleset = load(next(folder for folder in SHELF if folder.name == name))
    python, native = CoverageCounter(ruleset), CoverageCounter(ruleset, "wasm")
    assert native.native is not None
    seats = ["random"] * len(ruleset.players)
    for seed in range(6):
        assert python.play(seats, seed) == native.play(seats if seed % 3 else [*seats[:-1], "random"], seed)
    assert python.coverage() == native.coverage()


@needs_wasm
@pytest.mark.parametrize("folder", sampled(SHELF, every=9, slow=2, name=lambda folder: folder.name))
def test_paths_are_counted_the_same_in_native_code(folder: Path) -> None:
    ruleset = load(folder)
    python, native = ruleset.program(), ruleset.program(native="wasm")
    for seed in (1, 2):
        state = python.new_state(seed)
        for depth in (0, 1, 2, 3):
            if depth == 3 and perft.perft(python, state, 2) > 500:
                continue
            assert perft.perft(native, state[:], depth) == perft.perft(python, state, depth)
    assert python.new_state(1) == native.new_state(1)


@needs_wasm
@pytest.mark.parametrize("kind", ["wasm", "auto"])
def test_validate_finds_the_same_in_native_code(kind: Wanted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same endings, and the rules that fail in some games with the same seeds."""
    drawn = "".join(f"- draw: {name}\n  from: region\n" for name in "vwxyz")
    end = "- if: v == w and w == x and x == y and y == z and z == north\n  then: [{end: riches}]\n"
    fails = "- if: x == west and y == west and z == west\n  then:\n    - set: {favourite: 'nth(region, round + 50)'}"
    opened_for, open_native = [], games._Table.open

    def opening(table: games._Table) -> None:
        open_native(table)
        opened_for.append(table.native)

    monkeypatch.setattr(games, "MAKING", {"wasm": 0, "c": 0})
    monkeypatch.setattr(games._Table, "open", opening)
    folder = small(tmp_path, CHOICE + drawn + end + fails, more="endings:\n  riches: {title: Riches}")
    native, python = validate(folder, full=True, native=kind), validate(folder, full=True)
    assert (native.findings, native.checked) == (python.findings, python.checked)
    assert "rule-failed" in {each.code for each in native.findings}
    assert all(opened_for) and opened_for
