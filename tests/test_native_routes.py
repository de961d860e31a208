"""Routes of native code lead where those of Python lead, and cost the same, on small maps and on wide ones."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

from polis_rules import Ruleset, load
from polis_rules.diagnostics import RulesetError
from polis_rules.interpreter.runtime.native.native import Native, _unit
from polis_rules.verification.coverage.coverage import CoverageCounter

RULES = """\
format: 2
ruleset: tolls
title: Tolls
scenario: {{scenario: standard, title: A square map}}
kinds:
  player: {{title: Player}}
  column: {{title: Column, numbers: 1..{size}}}
  row: {{title: Row, numbers: 1..{size}}}
  way: {{title: Way, attributes: {{right: -1..1, up: -1..1}}}}
  field:
    title: Field
    for_each: [column, row]
    attributes:
      toward:
        per: {{on: way}}
        type: field or none
        is: field[it.column.number + on.right, it.row.number + on.up]
    state:
      toll: {{type: 0..20000, title: toll, start: 1}}
state:
  spent: {{type: number, title: spent}}
tables:
  player: {{red: {{title: Red}}}}
  way:
    east: {{right: 1, up: 0}}
    west: {{right: -1, up: 0}}
    north: {{right: 0, up: 1}}
    south: {{right: 0, up: -1}}
graphs:
  land: {{from: field.toward}}
routes:
  walk:
    over: [land]
    through: {{field: space.toll != 3}}
    costs: {{field: space.toll}}
phases:
  game:
    - repeat:
        times: 25
        do:
          - each: you
            in: player
            do:
              - choose: begin
                title: From where?
                from: field
              - choose: goal
                title: Where to?
                from: field
                where: {{a_way_leads_there: "route_exists(walk, begin, goal)"}}
                or: {{stay: {{title: Stay, do: []}}}}
              - if: goal is not none
                then:
                  - set: {{spent: "spent * 7 % 99991 + cheapest_route(walk, begin, goal)"}}
                  - set: {{goal.toll: 7000 if goal.toll == 4 else goal.toll + 1}}
    - end: over
endings: {{over: {{title: It is over}}}}
score: {{terms: {{spent: spent}}}}
"""

KINDS = [
    pytest.param("c", marks=pytest.mark.skipif(which("cc") is None, reason="there is no C compiler")),
    pytest.param("wasm", marks=pytest.mark.skipif(find_spec("wasmtime") is None, reason="wasmtime is not installed")),
]


def square(folder: Path, size: int, *changed: tuple[str, str]) -> Ruleset:
    """The rules on a map with so many fields a side, some text of them changed."""
    text = RULES.format(size=size)
    for before, after in changed:
        assert before in text
        text = text.replace(before, after)
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [3, 8, 9, 12])
def test_routes_lead_as_far_and_cost_as_much_as_in_python(kind: str, size: int, tmp_path: Path) -> None:
    """The score is made of what every route walked has cost; sets of 9 fields a side take two words, of 12 three."""
    ruleset = square(tmp_path, size)
    python, native = ruleset.program(), ruleset.program(native=kind)
    assert native.native is not None
    assert list(native.playouts(1, 60)) == list(python.playouts(1, 60))


@pytest.mark.skipif(find_spec("wasmtime") is None, reason="wasmtime is not installed")
def test_answers_of_routes_that_push_each_other_out_are_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two lists of costs are kept and two answers, hardly any is found again, and none is taken for another."""
    ruleset = square(tmp_path, 4)
    for name in ("COSTS_BITS", "KEPT_BITS", "REACH_BITS"):
        monkeypatch.setattr(f"polis_rules.interpreter.compiler.native.lowering.{name}", 1)
    native = Native(ruleset.program().compiled, "wasm", "")
    assert native.rows(1, 60) == ([*ruleset.program().playouts(1, 60)], False)


COUNTED = (
    ("routes:", "terms: {open_now: {of: {place: field}, is: place.toll != 3}}\nroutes:"),
    ("space.toll != 3", "open_now(space)"),
)


@pytest.mark.skipif(find_spec("wasmtime") is None, reason="wasmtime is not installed")
def test_what_a_search_asks_is_counted_as_often_as_in_python(tmp_path: Path) -> None:
    """Where nothing is counted, native code asks of each field at most once whether it may be crossed."""
    ruleset = square(tmp_path, 9, *COUNTED)
    python, native = CoverageCounter(ruleset), CoverageCounter(ruleset, "wasm")
    assert native.native is not None
    for seed in range(3):
        assert python.play(["random"], seed) == native.play(["random"], seed)
    assert python.coverage() == native.coverage()


def test_members_of_a_set_are_walked_and_not_looked_for(tmp_path: Path) -> None:
    """Where a choice asks of all fields which a route leads to, those alone are gone through; no list is copied."""
    unit = _unit(square(tmp_path, 9).program().compiled)
    listing = [each for each in unit.functions.values() if "go_walk" in str(each.body) and each.name.startswith("o_")]
    assert listing
    for each in listing:
        assert str(each.body).count("op='lowest'") == 1
    (search,) = (each for name, each in unit.functions.items() if name.startswith("go_walk"))
    assert "list_of" not in str(search)


@pytest.mark.parametrize(
    ("condition", "fits"),
    [
        ("cheapest_route(walk, begin, goal) < 9", True),
        ("sum(1 for f in field if cheapest_route(walk, goal, f) < 9) > 3", False),
    ],
)
def test_what_routes_cost_is_asked_from_one_field_of_a_large_map_and_not_from_all(
    condition: str, fits: bool, tmp_path: Path
) -> None:
    """Of 28 x 28 fields: nobody waits until all pairs of them have been gone through."""
    changed = ("route_exists(walk, begin, goal)", condition)
    if fits:
        square(tmp_path, 28, changed).rules()
        return
    with pytest.raises(RulesetError, match="asked of 784 that may be chosen"):
        square(tmp_path, 28, changed).rules()
