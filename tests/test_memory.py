"""What rules remember while they are carried out, what they answer, and state that lasts as long as a rule."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import polis_rules
from polis_rules.cases import case_of
from polis_rules.diagnostics import RuleError
from polis_rules.validation.validate import validate
from polis_rules.verification.soak.soak import Plan, soak

COURIERS = Path(__file__).parent / "rulesets" / "couriers"
TEXT = (COURIERS / "ruleset.yaml").read_text("utf-8")

SIGHT = """\
format: 2
ruleset: sight
title: Sight
scenario: {scenario: standard, title: Standard}
kinds: {player: {state: {n: 0..9}}}
tables: {player: {ann: {}, bea: {}}}
phases:
  game:
    - each: you
      in: player
      do:
        - do: guess(you)
    - end: over
procedures:
  guess:
    of: {who: player}
    do:
      - roll: result
        dice: 1d6
        seen_by: viewer == you
      - let: {number: {type: 0..6, start: result, title: number, seen_by: SIGHT}}
      - as: next(you)
        do:
          - either:
              try: {title: "Try {number}"}
              pass: {title: Pass}
      - set: {number: 0}
      - set: {who.n: 1}
endings: {over: {title: Over}}
score: {terms: {n: who.n}}
"""


def edited(tmp_path: Path, *edits: tuple[str, str]) -> Path:
    """The couriers with other words."""
    text = TEXT
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    folder = tmp_path / "couriers"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(text, "utf-8")
    return folder


def remembered(game: polis_rules.Game) -> dict[str, object]:
    """What the game shows of the memory of rules."""
    shown = game.view("bob")["game"]
    assert isinstance(shown, dict)
    return {name: value for name, value in shown.items() if "." in name}


def test_what_a_rule_remembers_is_seen_while_it_lasts_and_gone_when_it_ends() -> None:
    """Between two trips nothing is left, so that equal positions are equal whatever was remembered before."""
    ruleset = polis_rules.load(COURIERS)
    game, straight = ruleset.start(seed=1), ruleset.start(seed=1)
    first = remembered(game)
    assert first["procedures.round_trip.left"] == 6
    game.apply("dale")
    now = remembered(game)
    assert now["procedures.round_trip.left"] == 5
    assert now["procedures.round_trip.way"] == ["dale"]
    assert now["procedures.round_trip.bag"] == {"dale": 1, "ford": 0, "moor": 0, "peak": 0}
    game.undo()
    assert game.hash() == straight.hash()
    game.apply("finish")
    assert remembered(game) == first


def test_answers_and_memory_leave_no_trace_at_the_end() -> None:
    """When no rule that remembers is being carried out, all of it is as it was at first."""
    ruleset = polis_rules.load(COURIERS)
    answer = ruleset.program().layout.bases["", "procedures.best_of.gives"]
    for seed in range(5):
        game, rng = ruleset.start(seed=seed), Random(seed)
        while game.decision is not None:
            assert game.state[answer] == -1  # none
            assert "procedures.best_of.gives" not in remembered(game)  # which is the rule's own
            game.apply(rng.choice(game.decision.options))
        memory = remembered(game)
        assert memory["procedures.round_trip.left"] == 0 and memory["procedures.round_trip.way"] == []


def test_what_a_rule_remembers_may_be_hidden(tmp_path: Path) -> None:
    """Neither views nor reports tell others of it, and a moment with it becomes a case."""
    left = "left: {type: 0..6, start: 6 - you.tired, title: left, seen_by: viewer == ann}"
    folder = edited(tmp_path, ("left: {type: 0..6, start: 6 - you.tired}", left))
    game = polis_rules.load(folder).start(seed=1)
    game.apply("dale")
    assert game.view("ann")["game"]["procedures.round_trip.left"] == 5  # type: ignore[call-overload, index]
    assert "procedures.round_trip.left" not in remembered(game)
    assert [any("left: 5" in line for line in game.report_for(who)) for who in ("ann", "bob")] == [True, False]
    assert case_of(polis_rules.load(folder), game, "on_the_way", last=1).decisions == 0


@pytest.mark.parametrize("sight", ["viewer == you", "viewer == who"])
def test_what_a_rule_remembers_may_be_seen_by_its_player_alone(sight: str, tmp_path: Path) -> None:
    """`you` and parameters are those of the rule that remembers, whoever acts inside it, in reports after it, too."""
    folder = tmp_path / "sight"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(SIGHT.replace("SIGHT", sight), "utf-8")
    assert {each.code for each in validate(folder).findings} <= {"hidden-state"}  # in a title, for another one
    game, name = polis_rules.load(folder).start(seed=2), "procedures.guess.number"
    for who, other, told in (("ann", "bea", [1, 0]), ("bea", "ann", [1, 1])):
        assert game.decision is not None and game.decision.player == other
        assert game.view(who)["game"][name] in range(1, 7)  # type: ignore[call-overload, index]
        assert "game" not in game.view(other)
        assert game.decision.options[0].title == "Try hidden"
        game.apply("try")
        assert [sum("number: 0" in line for line in game.report_for(each)) for each in (who, other)] == told
    assert all("game" not in game.view(each) for each in ("ann", "bea"))
    assert soak(Plan(folder, ("standard",), games=3, check_every=1)).ok


def test_memory_that_shows_a_secret_roll_to_all_is_a_finding(tmp_path: Path) -> None:
    """What only one player may see come out is not to be remembered in the open."""
    (tmp_path / "ruleset.yaml").write_text(SIGHT.replace(", seen_by: SIGHT", ""), "utf-8")
    assert "everybody sees `number`" in " ".join(each.message for each in validate(tmp_path).findings)


@pytest.mark.parametrize(("sight", "found"), [("", []), (", size_seen_by: 'false'", ["hidden-state"])])
def test_memory_may_hold_how_many_lie_in_a_pile_that_all_can_count(
    tmp_path: Path, sight: str, found: list[str]
) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        f"""
format: 2
ruleset: piles
title: Piles
scenario: {{scenario: standard, title: Standard}}
kinds:
  player: {{state: {{points: {{type: 0..9, title: points}}}}}}
state:
  pile: {{type: list of player, at_most: 3, start: [ann, bea], seen_by: 'false'{sight}}}
tables:
  player: {{ann: {{}}, bea: {{}}}}
phases:
  game:
    - let: {{left: {{type: 0..3}}}}
    - shuffle: pile
    - set: {{left: len(pile)}}
    - each: you
      in: player
      do:
        - choose: number
          title: How many?
          from: 0..left
        - set: {{you.points: number}}
    - when: pile[0] == ann
      end: over
      winner: ann
    - end: over
endings: {{over: {{title: Over}}}}
score: {{terms: {{points: who.points}}}}
""",
        "utf-8",
    )
    assert [each.code for each in validate(tmp_path).findings if each.code == "hidden-state"] == found


def test_memory_keeps_to_its_range(tmp_path: Path) -> None:
    """What a rule remembers may no more leave its range than state."""
    game = polis_rules.load(edited(tmp_path, ("type: 0..6, start: 6 - you.tired", "type: 4..6, start: 6"))).start()
    game.apply("dale")
    with pytest.raises(RuleError, match=r"left"):
        game.apply("ford")


def test_state_that_lasts_is_set_back_by_its_rule_alone(tmp_path: Path) -> None:
    """With another rule to last for it begins anew with that one."""
    folder = edited(
        tmp_path,
        ("tired: {type: 0..9, title: tired, lasts: day_out}", "tired: {type: 0..9, title: tired, lasts: round_trip}"),
    )
    game = polis_rules.load(folder).start()
    for option in ("dale", "ford", "finish"):
        game.apply(option)
    assert remembered(game)["procedures.round_trip.left"] == 6


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("left: {type: 0..6, start: 6 - you.tired}", "left: {type: 0..6, start: you}", "wrong-type"),
        ("left: {type: 0..6, start: 6 - you.tired}", "left: {type: 0..6, begin: 6}", "unknown-key"),
        ("way: {type: list of town, at_most: 4}", "way: {type: list of town}", "unknown-type"),
        ("            way: {type: list of town, at_most: 4}", "            tired: {type: text}", "unknown-type"),
        ("gives: town or none", "gives: text", "unknown-type"),
        ("gives: town or none", "gives: towns", "unknown-name"),
        ("give: place", "give: who", "wrong-type"),
        ("title: tired, lasts: day_out", "title: tired, lasts: day", "unknown-name"),
        ("result: favourite", "result: left", "shadowing"),
        ("      - do: best_of(you)\n", "      - do: best_of(you)\n        when: you.tired > 0\n", "unfit-keys"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, old: str, new: str, code: str) -> None:
    """Wrong declarations, answers and names are findings at their place."""
    text = TEXT if old in TEXT else ""
    old = old if text else old.strip()
    assert code in {each.code for each in validate(edited(tmp_path, (old, new.strip() if not text else new))).findings}


# -- choices that belong together -------------------------------------------------------------------------------------


def test_a_repeat_of_different_choices_offers_none_twice(tmp_path: Path) -> None:
    """What differs may be any member that is made of the choice; a finished loop begins anew."""
    folder = edited(
        tmp_path,
        ("nobody_goes_twice: goal not in way", "nothing_else_is_asked: true"),
        ("finish: Go home\n", "finish: Go home\n          different: goal\n"),
    )
    game, plain = polis_rules.load(folder).start(seed=1), polis_rules.load(COURIERS).start(seed=1)
    rng = Random(3)
    while game.decision is not None and plain.decision is not None:
        assert [each.id for each in game.decision.options] == [each.id for each in plain.decision.options]
        option = rng.choice(game.decision.options).id
        game.apply(option)
        plain.apply(option)
    assert game.result == plain.result


def test_a_choice_that_leads_to_another_is_not_offered_where_that_has_no_option(tmp_path: Path) -> None:
    """The refusal is told by the label; values named between the two are known there."""
    first = """\
      - choose: home
        from: town
        leads_to: {somewhere_must_be_near: goal}
      - let: {far: home.distance + 2}
"""
    folder = edited(
        tmp_path,
        ("      - repeat:\n          at_least: 0\n", f"{first}      - repeat:\n          at_least: 0\n"),
        ("goal.distance <= left", "goal.distance <= left and goal.distance >= far"),
    )
    game = polis_rules.load(folder).start(seed=1)
    assert game.decision is not None
    assert [each.id for each in game.decision.options] == ["dale", "ford"]
    assert [each.label for each in game.why_not("moor")] == ["somewhere must be near"]
    game.apply("ford")
    assert game.decision is not None
    assert [each.id for each in game.decision.options] == ["peak", "finish"]


@pytest.mark.parametrize(
    ("between", "code"),
    [("", "unknown-name"), ("      - set: {you.tired: 1}\n", "changed-between")],
)
def test_what_a_choice_leads_to_comes_next(tmp_path: Path, between: str, code: str) -> None:
    """Nothing may change before it, and it has to be there."""
    name = "goal" if between else "goel"
    first = f"      - choose: home\n        from: town\n        leads_to: {name}\n{between}"
    folder = edited(
        tmp_path, ("      - repeat:\n          at_least: 0\n", f"{first}      - repeat:\n          at_least: 0\n")
    )
    assert code in {each.code for each in validate(folder).findings}
