"""The compiled engine does what the reference engine does."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from support.sampling import sampled
from support.shipping import shipped
from support.small_ruleset import lay, small

import polis_rules
from polis_rules.diagnostics.errors import RuleError
from polis_rules.interpreter.evaluator.evaluate import Evaluator
from polis_rules.interpreter.machine.protocol import LEAVE
from polis_rules.play import bots, play_game
from polis_rules.verification.differential import reference_engine
from polis_rules.verification.differential.compare import compare
from polis_rules.verification.differential.reference_engine import ReferenceEngine

HERE = Path(__file__).parent
SMALL = [str(path.parent) for path in sorted(HERE.glob("rulesets/*/ruleset.yaml"))]
GAMES = {"hellenes_training": 2}
"""How many games of a ruleset are played where one takes long; else 20."""

SHIPPED = [(each.name, scenario) for each in shipped() for scenario, _ in each.scenarios]


@pytest.mark.parametrize("name", sampled(SMALL, every=7, slow=4, name=lambda name: Path(name).name))
def test_both_engines_play_the_same_games_of_a_small_ruleset(name: str) -> None:
    result = compare((name, None, ()), games=50)
    assert result.difference is None
    assert result.points > 300


@pytest.mark.parametrize(("name", "scenario"), sampled(SHIPPED, every=8, slow=5, name="-".join))
def test_both_engines_play_the_same_games_of_every_shipped_scenario(name: str, scenario: str) -> None:
    result = compare((name, scenario, ()), games=GAMES.get(name, 20))
    assert result.difference is None
    assert result.points > 200


@pytest.mark.parametrize("name", sampled(["yucata", "devir", *SMALL], every=4, name=lambda name: Path(name).name))
def test_what_is_remembered_is_what_is_worked_out_afresh(name: str) -> None:
    rules = polis_rules.load(name).rules()
    game = ReferenceEngine(rules)
    plain, memoized, rng = Evaluator(rules, game.layout), game.evaluator, Random(1)
    for seed in range(2):
        game.restart(seed)
        while (question := game.question) is not None:
            for player in range(len(rules.symbols.kinds["player"].members)):
                for action in rules.actions:
                    names = {"you": player}
                    for condition in action.conditions:
                        asked = condition.test, game.state, names
                        assert memoized.value(*asked) == plain.value(*asked), condition.span
            options = question.options
            game.answer(question.answer if question.player < 0 else rng.choice(options) if options else LEAVE)


MARCHES = """
kinds:
  player: {state: {home: region}}
  region: {state: {closed: flag}}
tables:
  player: {red: {}, blue: {}}
  region: {north: {}, south: {}, west: {}, east: {}}
graphs: {land: {edges: {north-south: {}, south-west: {}, west-east: {}}}}
routes: {march: {of: {who: player}, over: [land], through: {region: not space.closed}}}
endings: {over: {title: Over}}
score: {terms: {none: 0 * order(who)}}
phases:
  game:
    - repeat:
        times: 3
        do:
          - each: you
            in: player
            do:
              - ASK: goal
                from: FROM
                if_possible: true
              - if: goal is not none
                then:
                  - set: {you.home: goal, goal.closed: not goal.closed}
    - end: over
"""

REACHED = '"{r for r in region if route_exists(march(you), you.home, r)}"'
WINNER = '      winner: "first(p for p in player if route_exists(march(p), p.home, region.east))"\n'


@pytest.mark.parametrize(
    ("ask", "source", "winner"), [("choose", REACHED, ""), ("draw", REACHED, ""), ("choose", "region", WINNER)]
)
def test_both_engines_ask_for_routes_in_choices_draws_and_winners(
    ask: str, source: str, winner: str, tmp_path: Path
) -> None:
    """A route may be asked for where options come from and where somebody wins; another march gives another game."""
    manifest = "format: 2\nruleset: marches\ntitle: Marches\nfiles: [all.yaml]\nscenario: standard\n"
    scenario = {"scenarios/standard.yaml": "scenario: standard\ntitle: Standard\n"}
    rules = MARCHES.replace("ASK", ask).replace("FROM", source) + winner
    lay(tmp_path, {"ruleset.yaml": manifest, "all.yaml": rules, **scenario})
    compared = compare((str(tmp_path), None, ()), games=30)
    assert compared.difference is None
    assert compared.points >= 30 * 3
    ruleset, ends, winners = polis_rules.load(tmp_path), set(), set()
    for seed in range(30):
        game = ruleset.start(seed)
        result = play_game(game, {"red": bots.make("random", seed), "blue": bots.make("random", 99 - seed)})
        assert result is not None
        ends.add(str(game.view("red")))
        winners.add(result.winner)
    assert len(ends) > 5 and (len(winners) > 1) == bool(winner)


def test_a_difference_is_told_with_seed_and_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference engine that offers one option less is found out at the first choice that has two."""
    offered = ReferenceEngine.options
    monkeypatch.setattr(ReferenceEngine, "options", lambda self, step, names: offered(self, step, names)[:1])
    result = compare((str(HERE / "rulesets" / "dice_race"), None, ()), games=200)
    assert result.difference is not None
    assert result.games == 1
    assert str(result.difference).startswith("seed 0, point ")
    assert " against " in str(result.difference)


@pytest.mark.slow
def test_two_processes_compare_what_one_does() -> None:
    origin = (str(HERE / "rulesets" / "sealed_bids"), None, ())
    assert compare(origin, games=60, jobs=2) == compare(origin, games=60)


def failing(folder: Path, rule: str = "- set: {favourite: 'nth(region, round + 3)'}") -> str:
    """A small ruleset in which a rule fails after the first decision."""
    return str(small(folder, "- choose: deed\n  from: action\n  where: possible(deed)\n" + rule))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("- set: {favourite: 'nth(region, round + 3)'}", "there is no place 3"),
        ("- repeat:\n    while: true\n    do:\n      - set: {round: 1}", "did not end"),
    ],
)
def test_a_rule_that_fails_in_both_engines_is_a_rule_error(rule: str, message: str, tmp_path: Path) -> None:
    """It is reported with its place, as it is wherever else it is met, and is no difference."""
    with pytest.raises(RuleError, match=message) as raised:
        compare((failing(tmp_path, rule), None, ()), games=1)
    assert raised.value.span is not None and raised.value.span.file == "small/play.yaml"


def test_a_rule_that_fails_in_one_engine_only_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever engine goes on, the difference names the game's seed and the point."""

    def nothing(self: ReferenceEngine, option: int | None) -> None:
        if option is None:
            answer(self, option)

    def fails(self: ReferenceEngine, option: int | None) -> None:
        raise LookupError("no such thing")

    answer = ReferenceEngine.answer
    monkeypatch.setattr(ReferenceEngine, "answer", nothing)
    result = compare((failing(tmp_path), None, ()), games=3, first=5)
    assert str(result.difference).startswith("seed 5, point 1: only the compiled engine fails: small/play.yaml:")
    monkeypatch.setattr(ReferenceEngine, "answer", fails)
    result = compare((str(HERE / "rulesets" / "dice_race"), None, ()), games=3, first=5)
    assert str(result.difference).startswith("seed 5, point 1: only the reference engine fails, where the game begins")


def test_the_reference_engine_gives_up_where_rules_do_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts what it walks through, and says at which rule it has enough."""
    monkeypatch.setattr(reference_engine, "MOST_PARTS", 10_000)
    folder = small(tmp_path, "- repeat: {while: round == 0, do: [{set: {round: 0}}]}")
    with pytest.raises(RuleError, match="gives up") as caught:
        ReferenceEngine(polis_rules.load(folder).rules(), seed=1)
    assert caught.value.span is not None and caught.value.span.file.endswith("play.yaml")
