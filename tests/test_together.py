"""What players do at the same time: none sees it before all have finished, and nobody's turn comes first."""

from __future__ import annotations

import textwrap
from collections import Counter
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import polis_rules
from polis_rules.cases import case_of, run_cases
from polis_rules.diagnostics import RulesetError
from polis_rules.interpreter.machine import PC
from polis_rules.interpreter.runtime import Program, State
from polis_rules.verification.differential import compare
from polis_rules.verification.perft import settled

HERE = Path(__file__).parent
GOOFSPIEL = HERE / "rulesets" / "goofspiel"

MARKET = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text("utf-8")


def market(folder: Path, steps: str, where: str = "          - set: {told: page}\n") -> polis_rules.Ruleset:
    """The market with other steps at the beginning of a day."""
    home = folder / "market"
    home.mkdir()
    put = textwrap.indent(textwrap.dedent(steps).strip("\n"), " " * 10)
    (home / "ruleset.yaml").write_text(MARKET.replace(where, f"{where}{put}\n"), "utf-8")
    return polis_rules.load(home)


def seen(game: polis_rules.Game, viewer: str, whose: str) -> dict[str, Any]:
    """What one player sees of another one's state."""
    players: Any = game.view(viewer)["player"]
    return dict(players.get(whose, {}))


# -- goofspiel --------------------------------------------------------------------------------------------------------


def margins(program: Program, state: State, scores: tuple[Any, ...]) -> Counter[int]:
    """How often each difference of points comes out in all games from here."""
    here = settled(program, state)
    if here[PC] == program.finished:
        first, second = (program.layout.bases["player", "points"] + at for at in (0, 1))
        return Counter([here[first] - here[second]])
    found = Counter[int]()
    for option in program.options(here):
        then = here[:]
        program.apply(then, option)
        found += margins(program, then, scores)
    return found


@pytest.mark.slow
def test_all_games_of_four_rounds_come_out_as_counted_by_hand() -> None:
    """Each margin of points comes from as many histories as a loop over all orders of both hands finds."""
    ruleset = polis_rules.load(GOOFSPIEL)
    game = ruleset.start(seed=1)
    while game.decision is not None:
        game.apply(game.decision.options[0])
    view: Any = game.view("ann")["game"]
    ranks = ["ace", "two", "three", "four", "five"]
    prizes = [ranks.index(prize) + 1 for prize in reversed(view["turned"])]
    by_hand = Counter[int]()
    for mine in permutations(range(1, 6)):
        for other in permutations(range(1, 6)):
            by_hand[sum(p * ((m > o) - (m < o)) for p, m, o in zip(prizes, mine, other, strict=True))] += 1
    program = ruleset.program()
    found = margins(program, program.new_state(seed=1), ())
    assert found == by_hand and found.total() == 120 * 120


def test_the_cases_of_goofspiel_hold_in_both_engines() -> None:
    """Cards that are laid at the same time can be given and expected in cases, and mean the same to both engines."""
    assert [str(each) for each in run_cases(GOOFSPIEL) if not each.passed] == []
    assert compare((str(GOOFSPIEL), None, ()), games=10).difference is None


# -- who sees what ----------------------------------------------------------------------------------------------------


def test_what_is_chosen_and_set_is_unseen_until_all_have_finished() -> None:
    """Whoever has acted sees it; the others see it in state, log and report when the last one has acted."""
    game = polis_rules.load(GOOFSPIEL).start(seed=1)
    before = game.hash()
    assert game.decision is not None and game.decision.secret
    game.apply("four")
    assert seen(game, "ann", "ann")["laid"] == "four"
    assert "laid" not in seen(game, "bob", "ann") and "hand" not in seen(game, "bob", "ann")
    assert game.log_for("bob")[-1] == ("decision", "ann", "hidden") != game.log_for("ann")[-1]
    assert "  Ann (laid): Four" in game.report_for("ann")
    assert not [line for line in game.report_for("bob") if "Four" in line or "Which" in line]
    game.apply("two")
    told = ["Ann: Which card - Four", "  Ann (laid): Four", "Bob: Which card - Two", "  Bob (laid): Two"]
    assert [line for line in game.report_for("bob") if line in told] == told[2:] + told[:2]
    assert [line for line in game.report_for("ann") if line in told] == told
    assert game.log_for("bob")[-2] == ("decision", "ann", "four")
    assert game.undo() and "laid" not in seen(game, "bob", "ann")
    assert game.log_for("bob")[-1] == ("decision", "ann", "hidden")
    assert game.undo() and game.hash() == before


def test_what_the_last_one_does_is_told_after_the_choice_that_it_follows() -> None:
    """Also where nobody is asked together any more."""
    game = polis_rules.load(HERE.parent / "rulesets" / "libraries" / "sealed_auction" / "example").start(seed=1)
    for bid in (0, 0, 0, 0, 2, 3):
        game.apply(str(bid))
    assert game.report_for("ann")[-6:-2] == [
        "Ann: How much - 2", "  Ann (bid): 2", "Bob: How much - 3", "  Bob (bid): 3"
    ]  # fmt: skip


def test_what_is_secret_besides_stays_so() -> None:
    """A secret choice is not told afterwards, and state with `seen_by` is shown to nobody else."""
    text = (GOOFSPIEL / "ruleset.yaml").read_text("utf-8")
    hidden = text.replace(
        "{type: rank or none, title: laid}", "{type: rank or none, title: laid, seen_by: viewer == it}"
    )
    hidden = hidden.replace("title: Which card?\n", "title: Which card?\n            secret: true\n")
    with polis_rules.source.edited({(GOOFSPIEL / "ruleset.yaml").resolve(): hidden}):
        game = polis_rules.load(GOOFSPIEL).start(seed=1)
    game.apply("four")
    game.apply("two")
    while game.decision is not None:
        game.apply(game.decision.options[0])
    assert "laid" not in seen(game, "bob", "ann") and seen(game, "bob", "ann")["hand"] == []
    assert "  Ann (laid): Four" not in game.report_for("bob")
    assert ("decision", "ann", "hidden") in game.log_for("bob")


def test_two_steps_hide_their_own_state_only(tmp_path: Path) -> None:
    """What was set in an earlier one is seen while players act together once more."""
    steps = """
    - together: you
      in: player
      do:
        - choose: much
          from: 0..3
        - lose: {coins: much}
    - together: you
      in: player
      where: you.coins > 2
      do:
        - choose: town_of_mine
          from: town
        - set: {you.place: town_of_mine}
    """
    game = market(tmp_path, steps).start(seed=1)
    game.apply("1")
    assert "coins" not in seen(game, "blue", "red") and "place" in seen(game, "blue", "red")
    game.apply("0")
    assert seen(game, "blue", "red")["coins"] == 3
    game.apply("mill")
    assert "place" not in seen(game, "blue", "red") and seen(game, "blue", "red")["coins"] == 3
    assert seen(game, "red", "red")["place"] == "mill"


def test_what_is_remembered_inside_is_forgotten_before_the_next_one_acts(tmp_path: Path) -> None:
    """Memory of the steps is seen by whoever acts, and nothing of it is left."""
    steps = """
    - together: you
      in: player
      do:
        - let: {spent: {type: 0..9}}
        - repeat:
            times: 2
            do:
              - choose: much
                from: 0..2
              - set: {spent: spent + much}
        - lose: {coins: spent}
    """
    game = market(tmp_path, steps).start(seed=1)
    game.apply("2")
    own: Any = game.view("red")["game"]
    other: Any = game.view("blue")["game"]
    assert own["phases.game.spent"] == 2 and "phases.game.spent" not in other
    game.apply("1")
    after: Any = game.view("blue")["game"]
    assert after["phases.game.spent"] == 0
    assert seen(game, "red", "red")["coins"] == 1


def test_a_moment_at_which_all_begin_to_act_becomes_a_case(tmp_path: Path) -> None:
    """Where nothing but that is new, the case says who decides."""
    steps = """
    - as: red
      do:
        - choose: idle
          from: 0..1
    - together: you
      in: player
      do:
        - choose: much
          from: 0..2
        - lose: {coins: much}
    """
    ruleset = market(tmp_path, steps)
    game = ruleset.start(seed=1)
    game.apply("1")
    assert "then" not in case_of(ruleset, game, "all_begin", last=1).text


def test_procedures_and_actions_may_act_for_you(tmp_path: Path) -> None:
    """A call is followed: what it changes of whoever it is given is that player's own."""
    steps = """
    - together: you
      in: player
      do:
        - let: {worth: 1}
        - do: pay_toll(you, worth)
    """
    text = "procedures:\n  pay_toll:\n    of: {who: player, much: number}\n    do:\n"
    text += "      - lose: {coins: much}\n        who: who\n"
    home = tmp_path / "market"
    home.mkdir()
    where = "          - set: {told: page}\n"
    put = textwrap.indent(textwrap.dedent(steps).strip("\n"), " " * 10)
    whole = MARKET.replace(where, f"{where}{put}\n").replace("procedures:\n", text)
    (home / "ruleset.yaml").write_text(whole, "utf-8")
    game = polis_rules.load(home).start(seed=1)
    assert seen(game, "blue", "red")["coins"] <= 4


# -- what would depend on an order ------------------------------------------------------------------------------------

WRONG = {
    "shared state": ("- set: {day: 2}", "change only what is their own"),
    "another one's": ("- lose: {coins: 1}\n  who: you.rival", "change only what is their own"),
    "another place for each": ("- set: {ford.owner: you}", "change only what is their own"),
    "read of another one": ("- lose: {coins: you.rival.coins}", "this reads `coins` of others"),
    "read of all": ("- lose:\n    coins: count(p for p in player if p.coins > 1)", "this reads `coins` of others"),
    "read in a term": (
        "- if: can_buy(you.rival, wine)\n  then:\n    - lose: {coins: 1}",
        "this reads `coins` of others",
    ),
    "read on a way": (
        "- if: route_exists(drive(you.rival), mill, ford)\n  then:\n    - lose: {coins: 1}",
        "this reads `coins` of others",
    ),
    "a die": ("- roll: luck\n  dice: 1d6\n- lose: {coins: luck}", "chance decides before or after"),
    "a draw": ("- draw: luck\n  from: town\n- set: {you.place: luck}", "chance decides before or after"),
    "an end": ("- end: fair_is_over", "the game cannot end"),
    "another one acts": ("- as: you.rival\n  do:\n    - lose: {coins: 1}", "act for themselves alone"),
    "turns": ("- each: you\n  in: player\n  do:\n    - lose: {coins: 1}", "take no turns"),
    "once more": ("- together: you\n  in: player\n  do:\n    - lose: {coins: 1}", "cannot do so once more"),
    "another one decides": ("- choose: goal\n  who: you.rival\n  from: town", "decide for themselves"),
    "a stop": ("- when: you.coins == 0\n  do: stop", "`stop` is only allowed"),
    "a turn": ("- do: take_turn(you)", "and this `owner` is not that of `you`"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_would_depend_on_the_order_is_refused(name: str, tmp_path: Path) -> None:
    """Whatever one player could notice or spoil of what another one does at the same time is an error."""
    steps, said = WRONG[name]
    with pytest.raises(RulesetError) as error:
        market(tmp_path, "- together: you\n  in: player\n  do:\n" + textwrap.indent(steps, "    "))
    assert said in str(error.value)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_players_makes_no_difference(seed: int, tmp_path: Path) -> None:
    """With the rows of the players the other way round, the same choices lead to the same scores."""
    text = (GOOFSPIEL / "ruleset.yaml").read_text("utf-8")
    rows = ["    ann: {title: Ann}\n", "    bob: {title: Bob}\n"]
    assert "".join(rows) in text
    home = tmp_path / "goofspiel"
    home.mkdir()
    (home / "ruleset.yaml").write_text(text.replace("".join(rows), "".join(reversed(rows))), "utf-8")
    games = [polis_rules.load(GOOFSPIEL).start(seed=seed), polis_rules.load(home).start(seed=seed)]
    rng = Random(seed)
    while games[0].decision is not None:
        chosen = {}
        for player in ("ann", "bob"):
            hand: Any = seen(games[0], player, player)["hand"]
            chosen[player] = rng.choice(hand)
        for game in games:
            for _ in chosen:
                assert game.decision is not None
                game.apply(chosen[game.decision.player])
    one, other = (game.result for game in games)
    assert one is not None and other is not None and one.scores == other.scores
