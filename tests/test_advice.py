"""Advice: what positions are worth to players beside the score."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import polis_rules
from polis_rules.semantics import worths
from tests.support.small_ruleset import findings, marked, small

SHELF = Path(__file__).parent / "rulesets"
ADVICE = """
advice:
  wine: {counts: "who.stock[wine]", points: 0.25}
  lonely:
    counts: count(r for r in region if r.owner == who)
    points: -1.5
"""


def test_a_position_is_worth_its_score_and_what_advice_counts(tmp_path: Path) -> None:
    program = polis_rules.load(small(tmp_path, more=ADVICE)).program()
    plain = polis_rules.load(small(tmp_path)).program()
    state = program.new_state(seed=1)
    points = plain.score(state, 0)
    assert program.worth(state, 0) == 100 * points + 25 * 2
    assert plain.worth(state, 0) == 100 * points + 10 * (3 + 2 * 3)  # all that may be spent


def test_advice_is_no_rule(tmp_path: Path) -> None:
    plain = polis_rules.load(small(tmp_path)).hash
    assert polis_rules.load(small(tmp_path, more=ADVICE)).hash == plain


@pytest.mark.parametrize(
    ("old", "new", "code", "at", "meant"),
    [
        ("who.stock[wine]", "who.stokc[wine]", "unknown-name", "stokc", "stock"),
        ("who.stock[wine]", "who.flagged", "wrong-type", "who.flagged", None),
        ("0.25", "0.255", "unfit-value", "0.255", None),
        ("0.25", "a quarter", "unfit-value", "a quarter", None),
        ("points: -1.5", "point: -1.5", "unknown-key", "point", "points"),
    ],
)
def test_wrong_advice_is_reported_where_it_stands(
    tmp_path: Path, old: str, new: str, code: str, at: str, meant: str | None
) -> None:
    assert old in ADVICE
    folder = small(tmp_path, more=ADVICE.replace(old, new))
    first = findings(folder)[0]
    assert (first.code, marked(folder, first), first.suggestion) == (code, at, meant)


@pytest.mark.parametrize("name", ["yucata", "devir", "agora", "hearts"])
def test_generated_code_values_positions_as_the_evaluator_does(name: str) -> None:
    ruleset = polis_rules.load(name if name in ("yucata", "devir") else SHELF / name)
    program, quick = ruleset.program(), ruleset.program(native="wasm").native
    assert quick is not None
    chooser, met = Random(1), []

    def choose(state: list[int], options: list[int]) -> int:
        quick.load(state)
        for player in range(len(ruleset.players)):
            terms = worths(program.rules)
            known = [each.hundredths * program.evaluator.value(each.counts, state, {"who": player}) for each in terms]
            assert program.worth(state, player) == sum(known) == quick.call("worth", quick.state, player)
        met.append(state[0])
        return chooser.choice(options)

    for _ in zip(program.steps(program.new_state(seed=1), choose), range(300), strict=False):
        pass
    assert len(met) > 10
