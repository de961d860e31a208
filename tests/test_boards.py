"""Boards whose squares, lines and edges are worked out: games on them go as small independent programs say."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import polis_rules
from polis_rules.cases import run_cases
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.interpreter.evaluator import Evaluator
from polis_rules.interpreter.machine import lay_out
from polis_rules.pipeline import front
from polis_rules.semantics import ExpressionChecker
from polis_rules.semantics.expressions import Scope
from polis_rules.source import Text
from polis_rules.verification.differential import compare
from polis_rules.verification.mutation.rebuilt import rebuilt, with_change

RULESETS = Path(__file__).parent / "rulesets"
EMPTY, FIRST, SECOND = 0, 1, 2


def at(name: str) -> tuple[int, int]:
    """Where `column_3_row_1` lies."""
    _, x, _, y = name.split("_")
    return int(x), int(y)


# -- Hex --------------------------------------------------------------------------------------------------------------


class Hex:
    """Hex by sets of joined cells, which know no graph: each new stone joins those beside it."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones: dict[tuple[int, int], int] = {}
        self.groups: list[tuple[int, set[tuple[int, int]]]] = []

    def free(self) -> list[tuple[int, int]]:
        cells = [(x, y) for x in range(1, self.size + 1) for y in range(1, self.size + 1)]
        return [cell for cell in cells if cell not in self.stones]

    def put(self, player: int, x: int, y: int) -> bool:
        """Whether that joins the player's two sides."""
        self.stones[x, y] = player
        beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x - 1, y + 1), (x + 1, y - 1)}
        joined = {(x, y)}
        for owner, group in self.groups[:]:
            if owner == player and group & beside:
                joined |= group
                self.groups.remove((owner, group))
        self.groups.append((player, joined))
        reached = {cell[player - 1] for cell in joined}
        return {1, self.size} <= reached


@pytest.mark.parametrize(("size", "games"), [(2, 30), (3, 60), (5, 60), (8, 10)])
def test_hex_goes_as_by_joining_groups(size: int, games: int) -> None:
    """Whoever has to move, the free cells, the winning stone and the winner are those of the other program."""
    ruleset = polis_rules.load(RULESETS / "hex", settings={"size": size})
    for seed in range(games):
        game, other, rng = ruleset.start(seed=seed), Hex(size), random.Random(seed)
        player, won = FIRST, False
        while (decision := game.decision) is not None:
            assert not won
            assert decision.player == ("red" if player == FIRST else "blue")
            assert [at(option.id) for option in decision.options] == other.free()
            option = rng.choice(decision.options)
            won = other.put(player, *at(option.id))
            game.apply(option)
            player = SECOND if player == FIRST else FIRST
        assert won and game.result is not None
        assert game.result.winner == ("blue" if player == FIRST else "red")


def test_hex_at_full_speed_goes_alike() -> None:
    """Without checks a large board is searched from the new stone on, and finds the same stone to win."""
    program = polis_rules.load(RULESETS / "hex", settings={"size": 9}).program(checks=False)
    for seed in range(15):
        state, other, rng, player, won = program.new_state(seed=seed), Hex(9), random.Random(seed), FIRST, False
        while state[0] != program.finished:
            assert not won
            options = program.options(state)
            assert [(1 + each // 9, 1 + each % 9) for each in options] == other.free()
            option = rng.choice(options)
            won = other.put(player, 1 + option // 9, 1 + option % 9)
            program.apply(state, option)
            player = 3 - player
        assert won


def test_mutants_work_out_anew_what_boards_are_made_of() -> None:
    """A change of a number in `is`, or of one that it reads, gives the attribute and the graph other values."""
    _, rules, document = front(RULESETS / "hex")
    before = rules.symbols.kinds["cell"].attributes["toward"].values
    mutants = [each for each in rebuilt(rules, document) if each.rule in ("kinds.cell.toward", "tables.way.north.up")]
    assert len(mutants) >= 2
    for mutant in mutants:
        changed = with_change(rules, mutant).symbols
        assert changed.kinds["cell"].attributes["toward"].values != before
        assert changed.graphs["board"] != rules.symbols.graphs["board"]
    assert rules.symbols.kinds["cell"].attributes["toward"].values == before


def games_of_hex(size: int) -> int:
    """How many games there are, counted without the engine."""

    @cache
    def count(stones: tuple[int, ...], player: int) -> int:
        total = 0
        for number, stone in enumerate(stones):
            if stone == EMPTY:
                after = (*stones[:number], player, *stones[number + 1 :])
                total += 1 if won(after, player) else count(after, 3 - player)
        return total

    def won(stones: tuple[int, ...], player: int) -> bool:
        mine = {divmod(number, size) for number, stone in enumerate(stones) if stone == player}
        found = {cell for cell in mine if cell[player - 1] == 0}
        waiting = list(found)
        for x, y in waiting:
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x - 1, y + 1), (x + 1, y - 1)):
                if cell in mine and cell not in found:
                    found.add(cell)
                    waiting.append(cell)
        return any(cell[player - 1] == size - 1 for cell in found)

    return count((EMPTY,) * size**2, FIRST)


@pytest.mark.parametrize("size", [2, 3])
def test_there_are_as_many_games_of_hex_as_counted_elsewhere(size: int) -> None:
    """All games on the smallest boards, played to their ends."""
    program = polis_rules.load(RULESETS / "hex", settings={"size": size}).program(checks=False)

    @cache
    def count(state: tuple[int, ...]) -> int:
        if state[0] == program.finished:
            return 1
        total = 0
        for option in program.options([*state]):
            after = [*state]
            program.apply(after, option)
            total += count(tuple(after))
        return total

    assert count(tuple(program.new_state(seed=1))) == games_of_hex(size)


# -- Othello ----------------------------------------------------------------------------------------------------------


class Othello:
    """Othello on a dictionary, one step at a time."""

    def __init__(self, half: int) -> None:
        self.length = 2 * half
        self.discs = {
            (half, half): FIRST,
            (half + 1, half + 1): FIRST,
            (half, half + 1): SECOND,
            (half + 1, half): SECOND,
        }

    def turned(self, player: int, x: int, y: int) -> set[tuple[int, int]]:
        """The discs that are turned over by one put there."""
        turned = set()
        for right in (-1, 0, 1):
            for up in (-1, 0, 1):
                line, here = [], (x + right, y + up)
                while self.discs.get(here) == 3 - player:
                    line.append(here)
                    here = here[0] + right, here[1] + up
                if self.discs.get(here) == player and here != (x, y):
                    turned |= {*line}
        return turned

    def options(self, player: int) -> list[tuple[int, int]]:
        squares = [(x, y) for x in range(1, self.length + 1) for y in range(1, self.length + 1)]
        return [square for square in squares if square not in self.discs and self.turned(player, *square)]

    def put(self, player: int, x: int, y: int) -> None:
        for square in (*self.turned(player, x, y), (x, y)):
            self.discs[square] = player


@pytest.mark.slow
@pytest.mark.parametrize(("half", "games"), [(2, 40), (3, 25), (4, 6)])
def test_othello_goes_as_step_by_step(half: int, games: int) -> None:
    """Who can play where, and what the discs are in the end, is as in the other program; whoever cannot play passes."""
    ruleset = polis_rules.load(RULESETS / "othello", settings={"half": half})
    players = {"black": FIRST, "white": SECOND}
    for seed in range(games):
        game, other, rng, player = ruleset.start(seed=seed), Othello(half), random.Random(seed), FIRST
        while (decision := game.decision) is not None:
            if not other.options(player):
                player = 3 - player
            assert players[decision.player] == player
            assert [at(option.id) for option in decision.options] == other.options(player)
            option = rng.choice(decision.options)
            other.put(player, *at(option.id))
            game.apply(option)
            player = 3 - player
        assert not other.options(FIRST) and not other.options(SECOND)
        assert game.result is not None
        discs = [*other.discs.values()]
        assert {name: score["total"] for name, score in game.result.scores.items()} == {
            name: discs.count(number) for name, number in players.items()
        }


@pytest.mark.parametrize("name", ["hex", "othello"])
def test_the_cases_of_boards_hold(name: str) -> None:
    """What the rules say of single positions."""
    results = run_cases(RULESETS / name)
    assert len(results) >= 3 and [str(each) for each in results if not each.passed] == []


@pytest.mark.parametrize("name", ["hex", "othello"])
def test_both_engines_play_on_boards_alike(name: str) -> None:
    """Members by their parts, what is worked out and walks mean the same to the engine that compiles nothing."""
    assert compare((str(RULESETS / name), None, ()), games=2).difference is None


# -- what the words mean ----------------------------------------------------------------------------------------------

ROWS = """
format: 2
ruleset: rows
title: Rows
scenario: {scenario: only, title: Only}
kinds:
  player: {}
  spot:
    attributes: {following: {per: turn, type: spot or none}}
    state: {open: flag}
  turn: {}
  rank: {numbers: 3..6}
  file: {}
  cell: {for_each: [rank, file]}
tables:
  player: {red: {}, blue: {}}
  turn: {left: {}, right: {}}
  file: {a: {}, b: {}, c: {}}
  spot:
SPOTS
phases: {game: [{end: over}]}
endings: {over: {}}
score: {terms: {nothing: "0"}}
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], int]:
    """The value of an expression where the spots of a list of letters are open."""
    rng, names, folder = random.Random(5), "stuvwxyz", tmp_path_factory.mktemp("rows")
    spots = (
        f"    {name}: {{following: {{left: {rng.choice([*names, 'none'])}, right: {rng.choice([*names, 'none'])}}}}}"
        for name in names
    )
    (folder / "ruleset.yaml").write_text(ROWS.replace("SPOTS", "\n".join(spots)), "utf-8")
    rules = front(folder).rules
    layout = lay_out(rules.symbols)
    evaluator, base = Evaluator(rules, layout), layout.bases["spot", "open"]

    def value(text: str, opened: str) -> int:
        findings = Diagnostics()
        checker = ExpressionChecker(rules.symbols, findings, lambda name: None)
        tree = checker.check(Text(text, Span("", 1, 1, 1, 1)), Scope())
        assert tree is not None, findings.items
        state = [0] * layout.size
        for name in opened:
            state[base + names.index(name)] = 1
        return evaluator.value(tree, state, {})

    return value


@pytest.mark.slow
def test_a_line_is_what_comes_next_again_and_again(rows: Callable[[str, str], int]) -> None:
    """It holds the next one if that is open and new, and then what the line of that one would hold."""
    for seed in range(40):
        opened = "".join(random.Random(seed).sample("stuvwxyz", 6))
        for start in "stuvwxyz":
            for turn in ("left", "right"):
                line = f"line_of(x.following[{turn}] for x in {start} if x.open)"
                assert rows(f"all(y.open and y != {start} for y in {line})", opened)
                assert rows(f"len({line}) == count(y for y in spot if y in {line})", opened)
                after = f"({start}.following[{turn}] if {line} == [] else {line}[-1].following[{turn}])"
                ends = f"{after} is none or {after} == {start} or {after} in {line}"
                assert rows(f"{ends} or not any(y.open for y in spot if y == {after})", opened), (line, opened)


def test_a_member_is_found_by_its_parts_and_by_its_number(rows: Callable[[str, str], int]) -> None:
    """`cell[x, y]` is the one that has these parts, wherever there is one; a number outside finds none."""
    assert rows("all(cell[c.rank, c.file] == c for c in cell)", "")
    assert rows("all(cell[c.rank.number, order(c.file)] == c for c in cell)", "")
    assert rows("all(rank[r.number] == r for r in rank)", "")
    assert rows("count(n for n in range(-9, 19) if rank[n] is not none) == 4", "")
    assert rows("count(n for n in range(-9, 19) if cell[n, b] is not none) == 4", "")
    assert rows("all(cell[n, b] is none or cell[n, b].rank.number == n for n in range(-9, 19))", "")
    assert rows("count(n for n in range(-9, 19) if file[n] is not none) == 3 and file[2] == c", "")


def test_an_empty_line_is_a_list_as_others_are(tmp_path: Path) -> None:
    """Where nothing comes next, which is known while compiling, lists are empty and the least number is the default."""
    line = "line_of(x.following[left] for x in last)"
    scored = f"len([y for y in {line}]) + min(order(y) for y in {line}, default=7) + place_of(y for y in {line})"
    spots = "    last: {following: {left: none, right: none}}"
    text = ROWS.replace("SPOTS", spots).replace('nothing: "0"', f'line: "{scored}"')
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    program = polis_rules.load(tmp_path).program(checks=False)
    assert program.score(program.new_state(seed=1), 0) == 7


def test_a_part_that_is_known_to_be_none_finds_no_member(tmp_path: Path) -> None:
    """Also in generated code, where none as a part of the second row would be the last member of the first."""
    scored = "1 if cell[4, (b if 5 < 4 else none)] is none else 0"
    text = ROWS.replace("SPOTS", "    s: {following: {left: none, right: none}}").replace(
        'nothing: "0"', f'part: "{scored}"'
    )
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    program = polis_rules.load(tmp_path).program(checks=False)
    assert program.score(program.new_state(seed=1), 0) == 1


@pytest.mark.parametrize("line", ["line_of(x.following[left] for x in s)", "line_of(x.following[a_turn] for x in s)"])
def test_what_lies_on_a_line_can_lead_to_the_next_choice(line: str, tmp_path: Path) -> None:
    """A line is a list: it is not asked of all members at once, as a set is."""
    choices = f"""
phases:
  game:
    - as: red
      do:
        - choose: a_turn
          from: turn
        - choose: one
          from: spot
          where: one in {line}
          leads_to: {{it_must_go_on: other}}
        - choose: other
          from: "{{x for x in spot if x == one.following[left]}}"
    - end: over
"""
    spots = "\n".join(f"    {one}: {{following: {{left: {two}, right: {two}}}}}" for one, two in ("st", "tu", "us"))
    text = ROWS.replace("SPOTS", spots).replace("phases: {game: [{end: over}]}", choices)
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    assert compare((str(tmp_path), None, ()), games=6).difference is None
    game = polis_rules.load(tmp_path).start(seed=1)
    game.apply("left")
    assert [option.id for option in game.decision.options] == ["t", "u"]


@pytest.mark.parametrize("asked", ["nth(turn, kept).held >= 0", "nth(turn, kept).fixed == 1"])
def test_a_place_that_is_not_there_fails_though_its_value_would_decide_nothing(asked: str, tmp_path: Path) -> None:
    """What is known of all places, their range or that all are alike, does not spare asking for the place."""
    wanted = f"""
phases:
  game:
    - roll: kept
      dice: 1d6
    - if: {asked}
      then: [{{end: over}}]
    - end: over
"""
    text = ROWS.replace("SPOTS", "    s: {following: {left: none, right: none}}")
    text = text.replace(
        "  turn: {}\n", "  turn: {attributes: {fixed: {type: 0..9, default: 1}}, state: {held: 0..3}}\n", 1
    )
    (tmp_path / "ruleset.yaml").write_text(text.replace("phases: {game: [{end: over}]}", wanted), "utf-8")
    rules, failed = polis_rules.load(tmp_path), set()
    for seed in range(20):
        try:
            rules.start(seed=seed)
        except polis_rules.RuleError:
            failed.add(seed)
    assert 0 < len(failed) < 20
