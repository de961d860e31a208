"""Native code as the third engine of `polis differential`: what it does otherwise is found, and nothing else."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from support.small_ruleset import THINGS, small
from test_rule_errors import CHOICE, FAILING

from polis_rules import RuleError, load
from polis_rules.interpreter.compiler import compile_rules
from polis_rules.interpreter.runtime import Program
from polis_rules.interpreter.runtime.native import RANGES, Native, Seats
from polis_rules.interpreter.runtime.native.engine import Kind
from polis_rules.interpreter.runtime.native.opened import opened
from polis_rules.pipeline import front
from polis_rules.verification.differential.compare import Pair, compare

pytestmark = pytest.mark.skipif(find_spec("wasmtime") is None, reason="wasmtime is not installed")

HERE = Path(__file__).parent / "rulesets"
FAILED = (
    "no option", "nothing to draw", "a set out of range", "a range in a loop", "a payment with a choice",
    "a negative move", "a place outside of a table", "a place in a term", "an endless while",
    "endless dice", "numbers without end",
)  # fmt: skip
"""What both engines notice soon; in others the reference engine walks on for seconds before it gives up."""
PEN = "- choose: deed\n  from: action\n  where: possible(deed)\n- set: {round: 3}"


@pytest.mark.parametrize("name", ["leduc", "dice_race"])
def test_native_code_is_compared_with_both_engines(name: str) -> None:
    result = compare((str(HERE / name), None, ()), games=20, native="wasm")
    assert (result.games, result.difference) == (20, None)
    assert result == compare((str(HERE / name), None, ()), games=20)


def another(native: Native, name: str, answer: int) -> None:
    """Native code answers an export with a number that is wrong."""
    call = native.call

    def called(asked: str, *args: int) -> int:
        found = call(asked, *args)
        return answer if asked == name else found

    native.call = called


@pytest.mark.parametrize(
    ("name", "said"), [("outcome", "chance gives"), ("decider", "another player decides in native code")]
)
def test_another_answer_of_native_code_is_a_difference(name: str, said: str) -> None:
    pair = Pair(load(HERE / "dice_race"), "wasm")
    assert pair.native is not None
    another(pair.native.native, name, 77)
    assert said in str(pair.play(seed=0).difference)


def test_another_state_of_native_code_is_a_difference(tmp_path: Path) -> None:
    """Rules that write another number come to another state, at a point or at the end."""
    pair, other = (
        Pair(load(small(tmp_path / str(number), PEN.replace("3", str(number)))), "wasm") for number in (3, 4)
    )
    assert pair.play(seed=0).difference is None
    pair.native, other.native = other.native, pair.native
    assert "native code has another state" in str(pair.play(seed=0).difference)


@pytest.mark.parametrize("fault", FAILED)
def test_a_rule_that_fails_in_all_engines_is_a_rule_error(fault: str, tmp_path: Path) -> None:
    """Where it is one in two engines, it is one with native code too."""
    steps, _, _, made = FAILING[fault]
    folder = small(tmp_path, CHOICE + steps, **made)
    told = []
    for native in (None, "wasm"):
        try:
            told.append(str(compare((folder, None, ()), games=3, native=native)))  # type: ignore[arg-type]
        except RuleError as error:
            told.append(str(error))
    assert told[0] == told[1]


def test_a_rule_that_fails_in_native_code_only_is_a_difference(tmp_path: Path) -> None:
    """And so is one that does not fail there."""
    made = partial(small, steps=CHOICE + "- set: {favourite: 'nth(region, round + 3)'}")
    failing, sound = (Pair(load(folder), "wasm") for folder in (made(tmp_path / "a"), small(tmp_path / "b", CHOICE)))
    with pytest.raises(RuleError):
        failing.play(seed=5)
    failing.native, sound.native = sound.native, failing.native
    assert "only native code fails" in str(sound.play(seed=5).difference)
    assert "native code does not fail" in str(failing.play(seed=5).difference)


def test_state_that_holds_sets_of_many_members_is_native(tmp_path: Path) -> None:
    """Two hundred members take four words, players who take turns one; that every slot is within its range is asked in
    native code, too."""
    regions = "".join(f"    m{number}: {{worth: 1}}\n" for number in range(200))
    steps = """
- choose: x
  from: region
  where: x not in favourite.near
- set: {favourite.near: 'favourite.near | {x}'}
- each: p
  in: player
  do:
    - {each: you, in: player, where: you.coins > 2, starting: p, do: [{choose: y, from: region}]}
"""
    folder = small(tmp_path, steps, things=THINGS.replace("    north: {worth", regions + "    north: {worth"))
    compared = compare((folder, None, ()), games=3, native="wasm")
    assert compared.difference is None and compared.points > 3
    native = load(folder).program(native="wasm").native
    assert native is not None and native.shape.words == 4
    assert Seats(native).play(seed=1, asked=RANGES) is not None


MANY = THINGS.replace(
    "    north: {worth",
    "".join(f"    m{at}: {{worth: 1, wet: {str(at % 7 == 0 and at < 60).lower()}}}\n" for at in range(200))
    + "    north: {worth",
).replace("      north-south:", "".join(f"      m{at}-m{at + 1}: {{}}\n" for at in range(199)) + "      north-south:")
"""The same with two hundred regions more, in a row."""

ATOMS = (
    "{x}", "{y}", "{m3}", "{m3, m5}", "{m62}", "{m63}", "{m64}", "{m3, m150}", "{m127, m128}", "favourite.near",
    "south.near", "m7.near", "m9.near",
)  # fmt: skip


def joined(rng: Random, depth: int = 2) -> str:
    """An expression of sets: what is in one, in both, or in the first only."""
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(ATOMS)
    return f"({joined(rng, depth - 1)} {rng.choice('|&-')} {joined(rng, depth - 1)})"


@pytest.mark.parametrize("kind", ["wasm", "c"])
@pytest.mark.parametrize("seed", range(3))
def test_sets_of_many_members_are_joined_as_in_python(seed: int, kind: Kind, tmp_path: Path) -> None:
    """All but some members reach beyond the first word, also of a set that fits one; a member from 64 on is in none
    that fits."""
    rng = Random(seed)
    steps = ["- {draw: x, from: region}", "- {draw: y, from: region}"]
    for place in ("favourite", "south", "m7") * 2:
        test = rng.choice([f"x in {joined(rng)}", f"count(r for r in region if r in {joined(rng)}) > 3", "y.wet"])
        steps += [f"- if: '{test}'", "  then:", f"    - set: {{{place}.near: '{joined(rng)}'}}"]
    steps += ["- choose: z", "  from: region", f"  where: z in {joined(rng)} or z == x or z.wet and z in {{m3, m5}}"]
    steps += ["- set: {favourite.near: 'favourite.near | {z}'}"]
    compared = compare((small(tmp_path, "\n".join(steps), things=MANY), None, ()), games=3, native=kind)
    assert compared.difference is None


@pytest.mark.parametrize("kind", ["wasm", "c"])
def test_many_members_are_asked_for_from_any_of_them_on(kind: Kind, tmp_path: Path) -> None:
    """Which takes a set that is turned by some places; checked code asks whether a set is within its range, too."""
    steps = """
- {draw: x, from: region}
- each: r
  in: region
  where: r in {m3, m63, m64, m150}
  starting: x
  do:
    - set: {favourite: r, south.near: 'south.near | {r} | region - {x, m199}'}
    - {choose: y, from: region, where: y == r or y == x}
"""
    folder = small(tmp_path, steps, things=MANY)
    assert compare((folder, None, ()), games=6, native=kind).difference is None
    compiled = compile_rules(front(folder).rules, checks=True, trace=False)
    native, _ = opened(compiled, kind, "")
    assert native is not None and native.rows(0, 6) == ([*Program(compiled).playouts(0, 6)], False)


def test_a_route_that_is_searched_may_be_asked_for_with_the_name_of_a_loop(tmp_path: Path) -> None:
    """What leads from a place is found before the statement only where that is known before it."""
    steps = """
- {draw: x, from: region}
- if: 'sum(1 for g in [wine, oil] if route_exists(roam(g), m0, x)) > 1'
  then:
    - set: {favourite: x}
- {choose: y, from: region, where: y == favourite}
"""
    roam = """
routes:
  roam:
    of: {which: good}
    over: [land]
    through:
      region: space.units[red] == 0 or which == wine
"""
    compared = compare((small(tmp_path, steps, more=roam, things=MANY), None, ()), games=6, native="wasm")
    assert compared.difference is None
