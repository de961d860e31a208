"""Coverage: what games meet of the rules, and what they do not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest
from polis_cli.main import app
from support.small_ruleset import lay
from typer.testing import CliRunner

import polis_rules
from polis_rules.cases import CaseResult, Runner, Stage, play, read_cases
from polis_rules.diagnostics.span import Span
from polis_rules.interpreter.compiler import compile_rules
from polis_rules.interpreter.runtime import Program
from polis_rules.pipeline import documented
from polis_rules.semantics.symbols import every_variable
from polis_rules.verification.coverage import cover
from polis_rules.verification.coverage.coverage import (
    Count,
    Coverage,
    CoverageCounter,
    comments,
    together,
    with_reason,
)
from polis_rules.verification.coverage.instrument import Instrument
from polis_rules.verification.coverage.pages import pages


def count(label: str, what: str = "requirement", times: int = 5, no: int = 2, reason: str = "", line: int = 1) -> Count:
    span = Span("tiny/a.yaml", line, 1, line, 9)
    return Count(what, "rule", label, span, True, times, no, 0, 1, reason, "tiny/a.yaml" if reason else "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["yucata", "devir", "tests/rulesets/dice_race", "tests/rulesets/random_isles"])
def test_rules_that_are_counted_play_the_same_games(name: str) -> None:
    ruleset = polis_rules.load(Path(name) if "/" in name else name)
    plain = ruleset.program()
    counted = Program(compile_rules(Instrument().rules(ruleset.rules())))
    layout = plain.layout
    low = min(layout.bases.values())
    high = max(layout.bases[each.owner, each.name] + each.size for each in every_variable(plain.rules.symbols))
    for seed in range(20):
        one, other = plain.new_state(seed), counted.new_state(seed)
        assert plain.playout(one, Random(seed)) == counted.playout(other, Random(seed))
        assert one[low:high] == other[low:high]


@pytest.mark.slow
def test_a_bot_that_tries_things_out_leaves_no_trace_in_the_counts() -> None:
    ruleset = polis_rules.load("yucata")
    alone = cover("yucata", 3, [ruleset.scenario], players=["greedy"])
    ended = sum(each.times for each in alone.counts if each.what == "ending")
    assert ended == alone.games + alone.branches


def test_looking_ahead_finds_what_no_game_has_met_and_counts_nothing() -> None:
    counting = CoverageCounter(polis_rules.load("yucata"))
    program = counting.counted
    state = program.new_state(seed=1)
    option = program.options(state)[0]
    before = {site: [*row] for site, row in program.tally.rows.items()}
    everything = frozenset((site, zero) for site in range(len(counting.instrument.sites)) for zero in (True, False))
    assert counting.steps_to_new(state, option, frozenset(), Random(1), ahead=0) == 0
    assert counting.steps_to_new(state, option, everything, Random(1), ahead=5) == 6
    assert program.tally.rows == before


@pytest.mark.parametrize(("games", "asked"), [(0, 20), (1, 0)], ids=["first", "second"])
def test_what_meets_something_new_at_once_is_taken_whatever_the_bot_thinks(games: int, asked: int) -> None:
    """At every decision of a game, but for one game of four, in which bots play as they do."""
    counting = CoverageCounter(polis_rules.load("yucata"))
    counting.games, bot = games, Mock(return_value=0)
    state = counting.program.new_state(seed=1)
    options = list(counting.program.options(state))
    for seed in range(20):
        counting.curious(bot, seed)(state, options)
    assert bot.call_count == asked


def test_a_condition_is_met_when_it_came_out_both_ways() -> None:
    mets = [count("a", times=t, no=n).met for t, n in ((0, 0), (4, 0), (4, 4), (4, 1))]
    assert mets == ["never", "always", "never true", "met"]


def test_coverages_of_scenarios_add_up() -> None:
    one = Coverage("tiny", 1, 10, [count("a", times=3, no=0)], {"tiny/a.yaml": ""})
    other = Coverage("tiny", 2, 20, [count("a", times=2, no=2), count("b", times=0, no=0)], {"tiny/b.yaml": ""})
    both = together([one, other])
    assert [(each.label, each.times, each.no, each.met) for each in both.counts] == [
        ("a", 5, 2, "met"),
        ("b", 0, 0, "never"),
    ]
    assert (both.games, both.decisions, sorted(both.sources)) == (3, 30, ["tiny/a.yaml", "tiny/b.yaml"])


def test_a_comment_explains_its_own_line_or_the_next_one() -> None:
    text = "a: 1  # polis: unmet nobody dares\n# polis: unmet too rare\nb: 2\nc: 3\n"
    assert comments({"x.yaml": text}) == {("x.yaml", 1): "nobody dares", ("x.yaml", 3): "too rare"}


def test_what_is_explained_is_not_called_unmet_and_a_needless_comment_is_told() -> None:
    coverage = Coverage(
        "tiny",
        counts=[
            count("a", times=0, no=0, reason="rare"),
            count("b", reason="wrong", line=2),
            count("c", times=0, no=0),
        ],
    )
    assert [each.label for each in coverage.unmet] == ["c"]
    assert [each.label for each in coverage.needless] == ["b"]


def test_a_reason_may_name_a_rule_of_another_ruleset() -> None:
    told = {("mine/b.yaml", 4): "rule.rare_here bots are too tidy", ("mine/b.yaml", 5): "rule.b too hard"}
    assert [with_reason(count(label), told).reason for label in ("rare_here", "rare", "b")] == [
        "bots are too tidy",
        "",
        "too hard",
    ]
    known, wrong = with_reason(count("rare_here", no=0), told), with_reason(count("b", line=2), told)
    assert Coverage("mine", counts=[known, wrong]).needless == [wrong]


@pytest.mark.slow
def test_the_bot_of_whoever_decides_is_counted_as_asking_who_that_is() -> None:
    trails = [each for each in cover("devir", 4, ["standard"]).counts if each.rule == "terms.trails"]
    assert [each.met for each in trails] == ["met"]


def test_the_pages_show_every_line_and_escape_it() -> None:
    made = pages(Coverage("tiny", 1, 1, [count("a_b", times=0, no=0)], {"tiny/a.yaml": "a: x < 3\nb: 1"}))
    page = made["tiny_a.yaml.html"]
    assert '<tr id="L1" class="unmet">' in page
    assert "a: x &lt; 3" in page
    assert "a b: never" in page
    assert '<tr id="L2">' in page
    assert "tiny_a.yaml.html" in made["index.html"]


def test_the_command_lists_what_no_game_met_and_writes_pages(tmp_path: Path) -> None:
    ran = CliRunner().invoke(
        app, ["coverage", "tests/rulesets/dice_race", "--games", "3", "--html", str(tmp_path / "x")]
    )
    assert "3 games" in ran.stdout
    assert (tmp_path / "x" / "index.html").is_file()
    data = json.loads(
        CliRunner().invoke(app, ["coverage", "tests/rulesets/dice_race", "--games", "3", "--format", "json"]).stdout
    )
    unmet = [each for each in data["counts"] if each["met"] != "met"]
    assert ran.exit_code == (1 if unmet else 0)


# -- first values, other numbers of players, names of pages ------------------------------------------------------------

PURSE = """
kinds: {player: {state: {coins: {type: 0..99, start: purse(it), title: coins}}}}
tables: {player: {ann: {}, bea: {}}}
terms: {purse: {of: {who: player}, is: 3 + order(who)}}
phases:
  game:
    - each: you
      in: player
      do:
        - choose: many
          title: How many?
          from: 0..3
        - set: {you.coins: you.coins + many}
    - end: done
endings: {done: {title: Done}}
score: {terms: {coins: who.coins}}
"""


def purse(folder: Path, **scenarios: str) -> Path:
    """A ruleset with one file and some scenarios besides its own."""
    manifest = "format: 2\nruleset: purse\ntitle: Purse\nfiles: [all.yaml]\nscenario: standard\n"
    files = {"ruleset.yaml": manifest, "all.yaml": PURSE, "scenarios/standard.yaml": "scenario: standard\ntitle: S\n"}
    return lay(folder / "purse", files | {f"scenarios/{name}.yaml": text for name, text in scenarios.items()})


def test_a_term_that_only_first_values_use_is_met(tmp_path: Path) -> None:
    """What is worked out before the first step counts as met, with its least and greatest value."""
    coverage = cover(purse(tmp_path), games=2)
    (term,) = [count for count in coverage.counts if count.what == "term"]
    assert (term.met, term.times, term.low, term.high) == ("met", 2, 3, 4)


def test_a_term_that_only_the_score_uses_is_met(tmp_path: Path) -> None:
    """What decides who has won counts as met, and so does what breaks ties."""
    folder = purse(tmp_path)
    terms = (
        "terms: {wealth: {of: {who: player}, is: 2 * who.coins}, haste: {of: {who: player}, is: order(who)}, purse: "
    )
    score = "score: {terms: {wealth: wealth(who)}, tie_break: {haste: haste(who)}}"
    changed = PURSE.replace("terms: {purse: ", terms, 1).replace("score: {terms: {coins: who.coins}}", score)
    (folder / "all.yaml").write_text(changed)
    counts = cover(folder, games=1, players=["random", "random"]).counts
    assert {count.label: count.met for count in counts if count.what == "term"} == dict.fromkeys(
        ["wealth", "haste", "purse"], "met"
    )


def test_scenarios_may_differ_in_their_players(tmp_path: Path) -> None:
    """Each scenario is played by as many bots as it has players."""
    three = "scenario: three\ntitle: T\nadd:\n  tables.player.cid: {}\n"
    assert cover(purse(tmp_path, three=three), games=6).games == 6


def test_no_two_pages_have_one_name() -> None:
    """Files whose names differ in punctuation or case only have pages of their own."""
    sources = {"a/b_c.yaml": "x: 1", "a_b/c.yaml": "y: 2", "A/b_c.yaml": "z: 3"}
    made = pages(Coverage("mine", sources=sources))
    assert list(made) == ["index.html", "a_b_c.yaml.html", "a_b_c.yaml_2.html", "A_b_c.yaml_3.html"]
    assert all(text in made[file] for file, text in zip(list(made)[1:], sources.values(), strict=True))


# -- what constants rule out -------------------------------------------------------------------------------------------

HOOKS = """
kinds:
  player: {state: {coins: {type: 0..99, spendable: true}}}
  hill: {attributes: {is_steep: {type: flag, default: false}}}
tables: {player: {ann: {}, bea: {}}, hill: {near: {}, far: {}}}
terms:
  is_free: {of: {deed: action}, is: false}
  battles_are_due: {is: true}
  rent: {of: {who: player}, is: who.coins // 2}
actions:
  dig:
    requires: {it_must_not_be_night: battles_are_due}
    do: [gain: {coins: 1}]
procedures:
  tax: [lose: {coins: rent(you)}]
phases:
  game:
    - each: you
      in: player
      do:
        - repeat:
            at_least: 0
            finish: Go on
            do:
              - choose: deed
                from: action
                where: {it_must_be_free: is_free(deed), it_must_be_possible: possible(deed)}
              - perform: deed
        - choose: deed
          from: action
          where: {it_must_count: not is_free(deed), it_must_be_possible: possible(deed)}
        - perform: deed
        - either:
            go_on: {}
            pay: {where: {no_battle_is_due: not battles_are_due}, do: [tax]}
        - when: any(h.is_steep for h in hill)
          do: tax
    - end: done
endings: {done: {title: Done}}
score: {terms: {coins: who.coins}}
"""


def hooks(folder: Path, rules: str = HOOKS) -> Path:
    manifest = "format: 2\nruleset: hooks\ntitle: Hooks\nfiles: [all.yaml]\nscenario: standard\n"
    files = {"ruleset.yaml": manifest, "all.yaml": rules, "scenarios/standard.yaml": "scenario: standard\ntitle: S\n"}
    return lay(folder / "hooks", files)


def test_what_constants_keep_games_from_needs_no_comment(tmp_path: Path) -> None:
    """A branch that only a constant closes, all that only it does, and a condition that a constant decides."""
    coverage = cover(hooks(tmp_path), games=4)
    assert [each.span.line for each in coverage.unmet] == [31]  # `possible(deed)`, as everything is possible here
    ruled_out = {(each.rule, each.label) for each in coverage.counts if each.ruled_out}
    assert ruled_out == {
        ("phases.game", "choose"),
        ("phases.game", "it_must_be_possible"),
        ("phases.game", "perform"),
        ("phases.game", "do"),
        ("procedures.tax", "lose"),
        ("terms.rent", "rent"),
    }
    assert coverage.needless == []


def test_what_a_variant_lets_in_has_to_be_met(tmp_path: Path) -> None:
    folder = hooks(tmp_path)
    text = (
        "variant: steep\ntitle: Steep\nextends: hooks\nwhy: Why not.\nreplace:\n  tables.hill.far: {is_steep: true}\n"
    )
    steep = lay(tmp_path, {"steep.yaml": text}) / "steep.yaml"
    coverage = cover(folder, games=4, variants=[steep])
    assert {each.label for each in coverage.counts if each.met == "met"} >= {"lose", "rent"}


def test_a_comment_about_what_constants_rule_out_is_needless(tmp_path: Path) -> None:
    rules = HOOKS.replace(
        "        - when: any(h", "        # polis: unmet no hill is steep here\n        - when: any(h"
    )
    coverage = cover(hooks(tmp_path, rules), games=2)
    assert {(each.label, each.reason) for each in coverage.needless} == {("if", "no hill is steep here")}


def test_what_one_scenario_rules_out_another_one_has_to_meet() -> None:
    """Only what all of them rule out needs no comment; a condition that one leaves open has to come out both ways."""
    one = Coverage("tiny", 1, 1, [replace(count("a", times=0, no=0), yes_no=False, ruled_out=True)])
    other = Coverage("tiny", 1, 1, [count("a", times=3, no=0)])
    assert [each.standing for each in together([one, one]).counts] == ["explained"]
    assert [each.standing for each in together([one, other]).counts] == ["unmet"]


@pytest.mark.slow
def test_cases_carry_out_every_effect_that_games_may_come_to() -> None:
    """Of yucata: so what games of bots leave unmet is allowed, unless a comment beside it says why it is not met."""
    ruleset = polis_rules.load("yucata")
    instrument, runner = Instrument(), Runner("yucata")
    stage = Stage(ruleset.with_rules(instrument.rules(ruleset.rules())))
    met = stage.program.tally.rows
    for case in read_cases("yucata"):
        if case.entry is not None and runner.choice(case, case.entry) == (None, ()):
            plan = runner.plan(case)
            assert not isinstance(plan, CaseResult)
            play(case, plan[0], stage)
    reasons = comments(documented(*ruleset.origin)[0].sources)
    effects = [each for number, each in enumerate(instrument.sites) if each.what == "effect" and number not in met]
    assert [each for each in effects if not each.ruled_out and not with_reason(each, reasons).reason] == []
