"""Mutation: small changes of the rules, and who notices them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from polis_cli.main import app
from support.sampling import sampled
from support.small_ruleset import lay
from typer.testing import CliRunner

import polis_rules
from polis_rules.cases import Stage
from polis_rules.interpreter.compiler import compile_rules
from polis_rules.interpreter.runtime import Program
from polis_rules.pipeline import front
from polis_rules.verification.declared import declared
from polis_rules.verification.mutation import mutation
from polis_rules.verification.mutation.mutants import Mutator
from polis_rules.verification.mutation.mutation import MutationTest, judge_all
from polis_rules.verification.mutation.rebuilt import rebuilt, with_change

TINY = {
    "ruleset.yaml": "format: 2\nruleset: tiny\ntitle: Tiny\nscenario: plain\nfiles: [rules.yaml]\n",
    "scenarios/plain.yaml": "scenario: plain\ntitle: Plain\n",
    "rules.yaml": """\
kinds:
  player:
    title: Player
    attributes: {pay: {type: 0..9}}
    state: {coins: {title: Coins, type: 0..99, start: 5, spendable: true}}
tables:
  player: {red: {title: Red, pay: 2}, blue: {title: Blue, pay: 3}}
endings:
  rich: {title: Somebody is rich}
score: {terms: {coins: who.coins}}
phases:
  game:
    title: Game
    do:
      - each: you
        in: player
        do:
          - choose: gift
            title: How much do you give away?
            from: 0..you.coins
            where: {not_more_than_four: gift <= 4}
          - pay: {coins: gift}
          - gain: {coins: you.pay}
      - end: rich
""",
}

CASES = """\
cases:
  red_gives_two_and_is_paid_two:
    do: [{red: 2}]
    then: {player: {red: {coins: 5}}}
"""

ALL_CASES = (
    CASES
    + """\
  five_is_too_much:
    offers: [4]
    refused: {5: not_more_than_four}
  blue_is_paid_three:
    do: [{red: 0}, {blue: 0}]
    then: {player: {red: {coins: 7}, blue: {coins: 8}}}
    ends: {by: rich, winner: blue}
"""
)


def test_what_nobody_wrote_is_not_changed(tmp_path: Path) -> None:
    """Neither settings, also not how many play, nor the numbers of numbered members."""
    rules = TINY["rules.yaml"].replace("gift <= 4", "gift <= most and len(rank) > 2")
    more = "settings: {most: {type: 0..9, start: 4}}\n"
    lay(tmp_path / "tiny", TINY | {"rules.yaml": more + rules.replace("kinds:\n", "kinds:\n  rank: {numbers: 1..3}\n")})
    changed = {each.rule for each in MutationTest(tmp_path / "tiny", games=1).mutants()}
    assert "tables.player.red.pay" in changed
    assert not [rule for rule in changed if "rank" in rule or rule in ("terms.most", "terms.seats")]


def by_cases(tests: MutationTest) -> int:
    return sum(each.sort == "case" for each in judge_all(tests, tests.mutants()))


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    return lay(folder, {**TINY, "cases/tiny.yaml": CASES})


@pytest.mark.parametrize(
    "name", sampled(["tests/rulesets/dice_race", "yucata", "devir", "tests/rulesets/random_isles"], every=4)
)
def test_rules_with_all_changes_turned_off_play_the_same_games(name: str) -> None:
    ruleset = polis_rules.load(Path(name) if "/" in name else name)
    plain, changeable = ruleset.program(), Program(compile_rules(Mutator().rules(ruleset.rules())))
    for seed in range(10):
        one, other = plain.new_state(seed), changeable.new_state(seed)
        assert plain.playout(one, Random(seed)) == changeable.playout(other, Random(seed))
        assert one[declared(plain)] == other[declared(changeable)]


def test_a_change_is_noticed_by_the_case_that_it_breaks(tiny: Path) -> None:
    tests = MutationTest(tiny, games=0)
    verdicts = {f"{each.mutant.rule} {each.mutant.change}": each for each in judge_all(tests, tests.mutants())}
    assert verdicts["phases.game pay is left out"].by.endswith("red_gives_two_and_is_paid_two")
    assert verdicts["tables.player.red.pay 2 becomes 3"].sort == "case"
    assert verdicts["tables.player.blue.pay 3 becomes 4"].sort == "nothing"
    assert verdicts["phases.game <= becomes < in not more than four"].sort == "nothing"


def test_changed_rules_of_a_scenario_are_compiled_when_its_cases_are_reached(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a case of the first scenario notices is not compiled for the second."""
    (tiny / "scenarios" / "richer.yaml").write_text("scenario: richer\ntitle: Richer\n", encoding="utf-8")
    richer = "  blue_is_paid_three:\n    scenario: richer\n    do: [{red: 0}, {blue: 0}]\n"
    richer += "    then: {player: {blue: {coins: 8}}}\n"
    (tiny / "cases" / "tiny.yaml").write_text(CASES + richer, encoding="utf-8")
    tests = MutationTest(tiny, games=0)
    pays = [each for each in tests.mutants() if each.rule.startswith("tables.player.")]
    compiled: list[object] = []

    class Counted(Stage):
        def __init__(self, *arguments: object) -> None:
            compiled.append(arguments)
            super().__init__(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(mutation, "Stage", Counted)
    for each, stages in zip(pays, (1, 2), strict=True):
        compiled.clear()
        assert tests.judge(each).sort == "case"
        assert len(compiled) == stages, each.rule


def test_random_games_notice_what_cases_do_not(tiny: Path) -> None:
    tests = MutationTest(tiny, games=10)
    blue = next(each for each in tests.mutants() if each.rule == "tables.player.blue.pay")
    assert tests.judge(blue).sort == "playout"


def test_more_cases_notice_more(tiny: Path) -> None:
    before = by_cases(MutationTest(tiny, games=0))
    (tiny / "cases" / "tiny.yaml").write_text(ALL_CASES, encoding="utf-8")
    assert by_cases(MutationTest(tiny, games=0)) > before


def test_a_changed_score_is_noticed_by_a_case_that_counts_points(tmp_path: Path) -> None:
    rules = TINY["rules.yaml"].replace("coins: who.coins}", "coins: 2 * who.coins}")
    cases = "cases:\n  ten_points_at_the_start:\n    scores: {red: {total: 10}}\n"
    tests = MutationTest(lay(tmp_path / "tiny", {**TINY, "rules.yaml": rules, "cases/tiny.yaml": cases}), games=0)
    (verdict,) = judge_all(tests, [each for each in tests.mutants() if each.rule == "score"])
    assert verdict.sort == "case"


def test_a_changed_term_that_only_the_score_uses_is_noticed_by_a_case_that_counts_points(tmp_path: Path) -> None:
    """A case that says no more than what somebody scores meets the terms of the score."""
    rules = TINY["rules.yaml"].replace("coins: who.coins}}", "wealth: wealth(who)}}")
    rules += "terms: {wealth: {of: {who: player}, is: 2 * who.coins}}\n"
    case = "cases:\n  five_coins_are_ten_points: {scores: {red: {wealth: 10}}}\n"
    tests = MutationTest(lay(tmp_path / "tiny", TINY | {"rules.yaml": rules, "cases/tiny.yaml": case}), games=0)
    noticed = {each.mutant.rule for each in judge_all(tests, tests.mutants()) if each.sort == "case"}
    assert "terms.wealth" in noticed


def test_several_processes_come_to_the_same_verdicts(tiny: Path) -> None:
    tests = MutationTest(tiny, games=2)
    assert judge_all(tests, tests.mutants(), jobs=2) == judge_all(tests, tests.mutants())


def test_every_changed_number_of_a_table_makes_other_rules() -> None:
    _, rules, document = front("yucata")
    tables = [each for each in rebuilt(rules, document) if each.rule.startswith("tables.polis.")]
    assert tables
    assert all(with_change(rules, each).symbols.kinds["polis"] != rules.symbols.kinds["polis"] for each in tables)


def test_the_command_names_what_nothing_notices_and_where(tiny: Path) -> None:
    ran = CliRunner().invoke(app, ["mutate", str(tiny), "--games", "0", "--jobs", "1"])
    assert ran.exit_code == 1
    assert "Nothing notices:" in ran.stdout
    assert "tiny/rules.yaml:7:64: 3 becomes 4  (tables.player.blue.pay)" in ran.stdout
    enough = CliRunner().invoke(app, ["mutate", str(tiny), "--games", "0", "--jobs", "1", "--at-least", "10"])
    assert enough.exit_code == 0


def test_a_rule_that_is_not_there_is_a_clear_error(tiny: Path) -> None:
    ran = CliRunner().invoke(app, ["mutate", str(tiny), "--rule", "no.such.rule"])
    assert ran.exit_code == 2
    assert "no rule that can be changed has 'no.such.rule'" in " ".join(ran.stderr.split())


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["yucata", "devir"])
def test_cases_alone_notice_nine_of_ten_changes_of_a_sample(name: str) -> None:
    tests = MutationTest(name, games=0)
    verdicts = judge_all(tests, Random(7).sample(tests.mutants(), 40))
    unnoticed = [f"{each.mutant.span}: {each.mutant.change}" for each in verdicts if each.sort != "case"]
    assert len(unnoticed) <= 4, unnoticed
