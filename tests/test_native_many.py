"""Steps, batches and search trees in native code play the games of the Python program."""

from __future__ import annotations

import random
import sys
from functools import cache
from pathlib import Path

import pytest

from polis_rules import load
from polis_rules.interpreter.machine import ENDING, LEAVE, PC, SEED, WINNER, winners
from polis_rules.interpreter.runtime import Program
from polis_rules.interpreter.runtime.native import NativeMissingError, PythonSearch, Secretive, Style, TrappedError
from polis_rules.interpreter.runtime.native.batch import Batch
from polis_rules.interpreter.runtime.native.engine import Kind
from polis_rules.interpreter.runtime.native.native import Native
from polis_rules.interpreter.runtime.native.search import Search, Searched
from polis_rules.interpreter.runtime.native.steps import Steps
from polis_rules.play.bots.thinking import OPEN_GAME

numpy = pytest.importorskip("numpy")

RULESETS = Path(__file__).parent / "rulesets"
WHICH: list[tuple[str, Kind]] = [("leduc", "wasm"), ("connect_four", "c"), ("dice_race", "wasm"), ("agora", "wasm")]
SHIPPED: list[tuple[str, Kind]] = [("yucata", "c"), ("devir", "wasm")]
ALL = [*WHICH, *(pytest.param(*each, marks=pytest.mark.slow) for each in SHIPPED)]


@cache
def made(name: str, kind: Kind) -> tuple[Program, Native]:
    """A ruleset's program, and its native code."""
    ruleset = load(RULESETS / name if (RULESETS / name).is_dir() else name)
    program = ruleset.program()
    try:
        return program, Native(program.compiled, kind, ruleset.hash)
    except NativeMissingError as error:
        pytest.skip(str(error))


def settled(program: Program, state: list[int]) -> list[int]:
    """Go on to the next decision; its options."""
    while state[PC] != program.finished:
        if program.is_chance[state[PC]]:
            option = program.outcome(state)
        else:
            options = program.options(state)
            if options:
                return options
            option = LEAVE
        program.apply(state, option)
    return []


def won(program: Program, state: list[int]) -> list[int]:
    """Who has won: if the score decides, all who share the best one after ties are broken."""
    if state[WINNER] != -2:
        return winners(state[WINNER])
    ties = program.rules.tie_break.values()
    ranks = [
        (program.score(state, who), *(program.evaluator.value(each, state, {"who": who}) for each in ties))
        for who in range(players(program))
    ]
    return [who for who, rank in enumerate(ranks) if rank == max(ranks)]


def players(program: Program) -> int:
    return len(program.rules.symbols.kinds["player"].members)


@pytest.mark.parametrize(("name", "kind"), ALL)
def test_steps_offer_what_the_program_offers(name: str, kind: Kind) -> None:
    """Each step in native code leads to the state, the options and the decider of the Python program."""
    program, native = made(name, kind)
    steps, rng = Steps(native), random.Random(1)
    for seed in range(5):
        state = program.new_state(seed)
        options = settled(program, state)
        assert steps.begin(seed) == options
        while options:
            assert (steps.state, steps.decider, steps.point) == (state, program.decider(state), state[PC])
            option = rng.choice(options)
            program.apply(state, option)
            options = settled(program, state)
            assert steps.step(option) == options
        assert steps.state == state


@pytest.mark.parametrize(("name", "kind"), WHICH[:2])
def test_steps_go_on_from_any_state(name: str, kind: Kind) -> None:
    """A state of the Python program is taken over as it is, also one where chance is next."""
    program, native = made(name, kind)
    steps, state = Steps(native), program.new_state(3)
    copy = program.copy(state)
    assert steps.load(state) == settled(program, copy)
    assert steps.state == copy


@pytest.mark.parametrize(("name", "kind"), ALL)
def test_a_batch_plays_the_games_of_the_program(name: str, kind: Kind) -> None:
    """All that a batch tells of its games, those that began anew on the way too, is what the program says of them."""
    program, native = made(name, kind)
    batch, rng = Batch(native, states=5, seed=100), numpy.random.default_rng(1)
    states = [program.new_state(100 + game) for game in range(5)]
    options, seed = [settled(program, state) for state in states], 105
    for _ in range(300):
        assert [row[:count].tolist() for row, count in zip(batch.options, batch.counts, strict=True)] == options
        assert batch.options[~batch.mask()].tolist() == [-1] * int((~batch.mask()).sum())
        assert batch.who.tolist() == [program.decider(state) for state in states]
        assert batch.seeds.tolist() == [state[SEED] for state in states]
        chosen = (rng.random(5) * batch.counts).astype(numpy.int64)
        batch.step(chosen)
        for game, state in enumerate(states):
            program.apply(state, options[game][chosen[game]])
            options[game] = settled(program, state)
            assert batch.ended[game] == (not options[game])
            if not options[game]:
                best, scores = won(program, state), [program.score(state, who) for who in range(players(program))]
                rewards = [(who in best) / max(len(best), 1) for who in range(players(program))]
                assert batch.rewards()[game].tolist() == rewards
                assert (batch.scores[game].tolist(), batch.endings[game]) == (scores, state[ENDING])
                states[game] = program.new_state(seed)
                options[game], seed = settled(program, states[game]), seed + 1
            else:
                assert not batch.rewards()[game].any()
    assert [batch.state(game) for game in range(5)] == states
    assert seed > 105 or name in ("yucata", "devir")


def test_a_batch_takes_any_whole_number_as_its_seed() -> None:
    """Chance goes by the lower 64 bits of a seed, in a batch as everywhere."""
    _, native = made(*WHICH[0])
    batch, wide = Batch(native, states=3, seed=9), Batch(native, states=3, seed=2**70 + 9)
    assert (batch.states == wide.states).all()


def test_a_batch_stays_where_its_games_are_over_if_no_more_are_wanted() -> None:
    """Without restarts each game is played once, and its end stays to be looked at."""
    program, native = made(*WHICH[0])
    batch = Batch(native, states=8, seed=7, restarts=False)
    ended = 0
    while batch.counts.any():
        batch.step(numpy.zeros(8, numpy.int64))
        ended += int(batch.ended.sum())
    assert ended == 8
    assert all(batch.state(game)[PC] == program.finished for game in range(8))


def test_a_batch_knows_which_numbers_are_offered() -> None:
    """Masks over numbers of options hold exactly those that are among a game's options."""
    _, native = made(*WHICH[0])
    batch = Batch(native, states=3)
    numbers = sorted({*batch.options.ravel().tolist(), 77} - {-1})
    rows = [[number in set(row[:count].tolist()) for number in numbers]
            for row, count in zip(batch.options, batch.counts, strict=True)]  # fmt: skip
    assert batch.offered(numbers).tolist() == rows


def test_a_batch_says_what_it_cannot_do() -> None:
    """A place beyond the options, more options than its width and more memory than there is are told as such."""
    _, native = made("connect_four", "c")
    batch = Batch(native, states=2)
    before = batch.states.copy()
    for wrong in (-1, 7):
        with pytest.raises(IndexError, match="beyond the options"):
            batch.step([0, wrong])
    assert (batch.states == before).all()
    with pytest.raises(ValueError, match=r"7 options: Batch\(\.\.\., width=7\)"):
        Batch(native, states=2, width=6)
    with pytest.raises(ValueError, match="at least one state"):
        Batch(native, states=0)
    with pytest.raises(MemoryError):
        Batch(native, states=1 << 50)


def test_a_batch_without_numpy_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra `native` does not bring it."""
    _, native = made("connect_four", "c")
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match="pip install numpy"):
        Batch(native, states=2)


STYLES = [
    (1 << 10, Style()),
    (40, Style()),
    (5, Style()),
    (1 << 10, Style(margin=3)),
    (1 << 10, Style(points=True)),
    (1 << 10, Style(width=1.5, after=7, random=300, gain=512)),
    (1 << 10, Style(own_turn=True, after=3)),
    (1 << 10, Style(after=12, soon=2)),
]


@pytest.mark.parametrize(("nodes", "style"), STYLES)
@pytest.mark.parametrize(("name", "kind"), [*WHICH, ("goofspiel", "wasm")])
def test_a_search_finds_what_the_same_search_in_python_finds(name: str, kind: Kind, nodes: int, style: Style) -> None:
    """Visits, values and how deep trees are; also where they are full, and where each player has one."""
    program, native = made(name, kind)
    roots = []
    for seed in (5, 6):
        roots.append(program.new_state(seed))
        settled(program, roots[-1])
    about = Secretive.of(program.compiled)
    found = []
    for trees in (Search(native, nodes, 2, about), PythonSearch(program, nodes)):
        trees.begin(roots, program.decider(roots[0]), 11, style)
        trees.go_on(50)
        trees.go_on(70)
        found.append(trees.found())
    assert found[0] == found[1]
    assert sum(found[0].visits.values()) > 100 or nodes < 20
    assert found[0].nodes <= nodes


@pytest.mark.parametrize(("after", "is_shorter"), [(6, True), (200, False)])
def test_tries_are_short_where_few_come_to_the_end_of_the_game(after: int, is_shorter: bool) -> None:
    """Of Connect Four six decisions end few games, and all are over after 42."""
    program, native = made("connect_four", "c")
    state, found = program.new_state(1), []
    for soon in (1, 1 << 30):
        trees = Search(native, 2048)
        trees.begin([state], 0, 1, Style(after=after, soon=soon))
        trees.go_on(200)
        found.append(trees.found())
    assert (found[0] != found[1]) == is_shorter


@pytest.mark.parametrize("keeps", [False, True])
def test_what_was_good_elsewhere_is_known_before_the_next_decision_if_that_is_kept(keeps: bool) -> None:
    """It changes what the same tries find there, in native code as in Python; else they find what new trees find."""
    program, native = made("connect_four", "c")
    state, style = program.new_state(1), Style(after=20, random=256, keeps=keeps)
    for make in (lambda: Search(native, 2048), lambda: PythonSearch(program, 2048)):
        found = []
        used = make()
        used.begin([state], 0, 1, style)
        used.go_on(60)
        for trees in (used, make()):
            trees.begin([state], 0, 2, style)
            trees.go_on(60)
            found.append(trees.found())
        assert (found[0] != found[1]) == keeps


def test_what_a_turn_makes_of_the_lead_changes_what_a_search_finds() -> None:
    """The same tries then think better of what has won points by the end of a turn."""
    program, native = made("agora", "wasm")
    state, found = program.new_state(1), []
    settled(program, state)
    for gain in (0, 512):
        trees = Search(native, 2048)
        trees.begin([state], program.decider(state), 1, Style(random=256, gain=gain))
        trees.go_on(100)
        found.append(trees.found())
    assert found[0] != found[1]


def test_the_same_seed_finds_the_same_in_every_engine() -> None:
    """A search is a pure function of state, tries and seed; C and WebAssembly agree."""
    program, native = made("connect_four", "c")
    state, found = program.new_state(1), []
    searches = [Search(native), Search(native), Search(made("connect_four", "wasm")[1])]
    for search in searches:
        search.search(state, 10, seed=1)  # what was searched before does not matter
        found.append(search.search(state, 300, seed=2))
    assert found[0] == found[1] == found[2] != searches[0].search(state, 300, seed=3)


def test_a_search_sees_a_win_in_one_move() -> None:
    """Three in a row get their fourth."""
    program, native = made("connect_four", "c")
    state = program.new_state(1)
    for column in (0, 6, 1, 6, 2, 5):
        program.apply(state, program.options(state)[column])
    found: Searched = Search(native).search(state, 2000)
    assert found.best == program.options(state)[3]
    assert found.values[found.best] > 0.99


def at_once(program: Program, state: list[int]) -> set[int]:
    """The options by which whoever decides wins now."""
    found = set()
    for option in settled(program, state):
        after = program.copy(state)
        program.apply(after, option)
        settled(program, after)
        if after[PC] == program.finished and won(program, after) == [program.decider(state)]:
            found.add(option)
    return found


def leaves_no_win(program: Program, state: list[int], option: int) -> bool:
    """Whether the other player cannot win at once after an option."""
    after = program.copy(state)
    program.apply(after, option)
    return not settled(program, after) or not at_once(program, after)


def test_a_bots_search_wins_or_stops_a_win_wherever_one_move_does() -> None:
    """In positions of random games, where every reply is looked at."""
    program, native = made("connect_four", "c")
    trees = Search(native, 1 << 13, 1, Secretive.of(program.compiled))
    asked = {"wins": 0, "stops": 0}
    for seed in range(12):
        state, rng = program.new_state(seed), random.Random(seed)
        while options := settled(program, state):
            wins = at_once(program, state)
            good = wins or {option for option in options if leaves_no_win(program, state, option)}
            if good and len(good) < len(options):
                trees.begin([state], program.decider(state), seed, OPEN_GAME)
                trees.go_on(200)
                assert trees.found().best in good
                asked["wins" if wins else "stops"] += 1
            program.apply(state, rng.choice(options))
    assert min(asked.values()) > 15


@pytest.mark.slow
def test_a_bots_search_is_no_weaker_than_one_with_playouts_at_random() -> None:
    """At equal tries, where nothing is hidden and every game is as long as it takes."""
    program, native = made("connect_four", "c")
    trees = Search(native, 1 << 13, 1, Secretive.of(program.compiled))
    share = 0.0
    for game in range(200):
        state, rng = program.new_state(game), random.Random(game // 2)
        while settled(program, state):
            player = program.decider(state)
            trees.begin([state], player, rng.getrandbits(60), OPEN_GAME if player == game % 2 else Style())
            trees.go_on(200)
            program.apply(state, trees.found().best)
        winner = won(program, state)
        share += (game % 2 in winner) / len(winner) if winner else 0.5
    assert share / 200 > 0.43


def test_a_search_says_what_it_cannot_do() -> None:
    """Where nobody decides nothing is searched; a tree has at least one node and no more than there is memory for."""
    program, native = made("leduc", "wasm")
    search, state = Search(native), program.new_state(1)
    if not program.is_chance[state[PC]]:
        state[PC] = program.finished
    with pytest.raises(ValueError, match="nobody decides"):
        search.search(state, 1)
    with pytest.raises(ValueError, match="at least one node"):
        Search(native, 0)
    with pytest.raises(ValueError, match="0 or more"):
        search.search(state, -1)
    with pytest.raises((MemoryError, TrappedError)):
        Search(native, 1 << 50)


@pytest.mark.slow
def test_backgammon_written_by_hand_plays_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """What native code is measured against decides as often, with as many options, as the ruleset."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[1] / "benchmarks"))
    import native as benchmark

    try:
        by_hand, ours = benchmark.by_hand(), benchmark.natively(benchmark.BACKGAMMON, "c")
    except NativeMissingError as error:
        pytest.skip(str(error))
    assert [by_hand(seed) for seed in range(5)] == [ours(seed) for seed in range(5)]
