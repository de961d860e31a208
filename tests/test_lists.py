"""Lists in state: what always holds of them, and what steps and expressions make of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

import polis_rules
from polis_rules import Game
from polis_rules.cases import case_of, run_cases
from polis_rules.interpreter.runtime.list_functions import keep, listed, place_of, put_on, take_out, take_top, turned
from polis_rules.semantics import packed, unpacked
from polis_rules.validation.validate import validate
from polis_rules.verification.differential.compare import Pair
from polis_rules.verification.soak.soak_checks import Checks

MOST = 8
members = st.lists(st.integers(0, 4), max_size=MOST)


@given(members)
def test_a_packed_list_is_the_list_again(some: list[int]) -> None:
    """No two lists are packed alike, as each is unpacked to itself."""
    assert unpacked(packed(some, 5), 5) == some


@given(members, members, st.integers(0, MOST), st.booleans())
def test_members_that_move_are_neither_lost_nor_made(
    one: list[int], other: list[int], number: int, under: bool
) -> None:
    """What leaves one list comes to the other in its order; what does not fit changes nothing around the lists."""
    state = [77, *[0] * (1 + MOST), 78, *[0] * (1 + 2 * MOST), 79]
    source, target = 1, MOST + 3
    keep(state, source, MOST, one)
    keep(state, target, 2 * MOST, other)
    number = min(number, len(one))
    put_on(state, target, 2 * MOST, take_top(state, source, MOST, number), under)
    assert listed(state, source) == one[number:]
    assert listed(state, target) == (other + one[:number] if under else one[:number] + other)
    if one[number:]:
        take_out(state, source, MOST, one[-1])
    rest = listed(state, source)
    assert Counter(rest + one[-1:] if one[number:] else rest) == Counter(one[number:])
    assert (state[0], state[MOST + 2], state[-1]) == (77, 78, 79)
    assert state[source + 1 + len(rest) : MOST + 2] == [-1] * (MOST - len(rest))


@given(members, st.integers(0, 4))
def test_a_turned_list_has_the_same_neighbours(some: list[int], first: int) -> None:
    """It begins with the first of some member, and goes on around."""
    after = turned(some, first)
    assert Counter(after) == Counter(some)
    assert after == some or after[0] == first
    assert (after + after)[: len(some)] == after and "".join(map(str, some)) in "".join(map(str, after + after))


@given(st.lists(st.booleans()))
def test_the_place_is_the_first_that_fits(tests: list[bool]) -> None:
    """Or the one after the last."""
    assert place_of(list(tests)) == (tests.index(True) if True in tests else len(tests))


# -- in play ----------------------------------------------------------------------------------------------------------

GAME = """
format: 2
ruleset: lab
title: Lab
scenario: {scenario: only, title: Only}
kinds:
  player:
    state:
      hand: {type: list of gem, at_most: 6, seen_by: viewer == it, start: "[g for g in gem if g.price > it.least]"}
      purse: {type: list of gem, at_most: 6, seen_by: viewer == it, size_seen_by: viewer == it, start: [ruby]}
    attributes:
      least: 0..9
  gem:
    attributes:
      price: 0..9
      parts: {type: list of gem, default: []}
    state:
      sold: 0..9
state:
  pile: {type: list of gem, at_most: 12, start: [ruby, opal, ruby, jade]}
  heap: {type: list of gem, at_most: 12}
  order_of_play: {type: list of player, at_most: 4, start: [bob, amy]}
  heard: {type: list of player, at_most: 40}
  turns: 0..99
tables:
  player: {amy: {least: 3}, bob: {least: 9}}
  gem:
    ruby: {price: 5, parts: [opal, opal]}
    opal: {price: 2}
    jade: {price: 5, parts: [ruby, opal, ruby]}
terms:
  priciest: {of: {some: list of gem}, is: "first(g for g in some if all(h.price <= g.price for h in some))"}
  both: {is: pile + heap}
procedures:
  say: {of: {who: player}, do: [{set: {heard: "heard + [who]"}}]}
  act:
    do:
      - either:
          one_down: {where: len(pile) > 0, do: [{move: 1, from: pile, to: heap}]}
          two_under: {where: len(pile) > 1, do: [{move: 2, from: pile, to: under(heap)}]}
          all_back: {where: len(both) < 12, do: [{move: all, from: heap, to: under(pile)}]}
          jade_out: {where: jade in pile, do: [{move: jade, from: pile, to: heap}]}
          sell: {where: len(heap) > 0, do: [{move: "heap[-1]", from: heap, to: "heap[-1].sold"}]}
          buy: {where: ruby.sold > 0 and len(pile) < 12, do: [{move: ruby, from: ruby.sold, to: under(pile)}]}
          by_price: {do: [{sort: pile, by: 0 - it.price}]}
          mix: {do: [{shuffle: pile, stream: mixing}]}
          every_part:
            where: len(pile) < 4
            do: [{set: {heap: "[part for n in range(1, 3) for g in pile if order(g) < n for part in g.parts]"}}]
          parts:
            do:
              - {set: {pile: jade.parts, heap: "[g for g in pile if g.price < 5]"}}
              - {each: g, in: pile, where: g.price < 5, do: [{set: {heap: "[g]"}}]}
          turn:
            do:
              - {sort: order_of_play, by: order(it)}
              - each: you
                in: order_of_play
                starting: bob
                do:
                  - {do: say(you)}
                  - {roll: eyes, dice: 1d2, stream: luck}
                  - {move: you, from: order_of_play, to: under(order_of_play)}
phases:
  game:
    - repeat:
        while: turns < 30
        do:
          - set: {turns: turns + 1}
          - as: amy
            do: [act]
    - end: done
endings: {done: {}}
score: {terms: {none_at_all: 0}}
"""

Model = dict[str, list[str]]


def lab(folder: Path, text: str = GAME) -> polis_rules.Ruleset:
    (folder / "lab").mkdir(exist_ok=True)
    (folder / "lab" / "ruleset.yaml").write_text(text, "utf-8")
    return polis_rules.load(folder / "lab")


@pytest.fixture(scope="module")
def game_of_lists(tmp_path_factory: pytest.TempPathFactory) -> polis_rules.Ruleset:
    return lab(tmp_path_factory.mktemp("lists"))


def pile_and_heap(game: polis_rules.Game) -> tuple[list[str], list[str]]:
    state: Any = game.view("amy")["game"]
    return state["pile"], state["heap"]


def expected(way: str, pile: list[str], heap: list[str], now: list[str]) -> tuple[list[str], list[str]]:
    """What the two lists become; `now` is the pile as it is after it was shuffled."""
    price = {"ruby": 5, "opal": 2, "jade": 5}
    match way:
        case "one_down":
            return pile[1:], [*pile[:1], *heap]
        case "two_under":
            return pile[2:], [*heap, *pile[:2]]
        case "all_back":
            return [*pile, *heap], []
        case "jade_out":
            at = pile.index("jade")
            return [*pile[:at], *pile[at + 1 :]], ["jade", *heap]
        case "sell":
            at = heap.index(heap[-1])
            return pile, [*heap[:at], *heap[at + 1 :]]
        case "buy":
            return [*pile, "ruby"], heap
        case "by_price":
            return sorted(pile, key=lambda gem: -price[gem]), heap
        case "mix":
            assert Counter(now) == Counter(pile)
            return now, heap
        case "parts":
            return ["ruby", "opal", "ruby"], ["opal"]
        case "every_part":
            own = {"ruby": ["opal", "opal"], "opal": [], "jade": ["ruby", "opal", "ruby"]}
            known = ["ruby"], ["ruby", "opal"]
            return pile, [part for some in known for gem in pile if gem in some for part in own[gem]]
    return pile, heap


@pytest.mark.parametrize("seed", range(12))
def test_steps_do_to_lists_what_python_does(game_of_lists: polis_rules.Ruleset, seed: int) -> None:
    """Every step with lists has the effect of the same lines with lists of Python."""
    game, rng = game_of_lists.start(seed=seed), Random(seed)
    while (decision := game.decision) is not None:
        before = pile_and_heap(game)
        option = rng.choice(decision.options)
        game.apply(option)
        after = pile_and_heap(game)
        assert after == expected(option.id, *before, after[0]), option.id


def test_both_engines_make_the_same_lists(tmp_path: Path) -> None:
    """Also lists with several `for`, and a place that is told by the member that moves there."""
    pair = Pair(lab(tmp_path, GAME))
    assert [pair.play(seed).difference for seed in range(4)] == [None] * 4


def test_a_loop_goes_through_the_list_as_it_was(game_of_lists: polis_rules.Ruleset) -> None:
    """From `starting` on and around, though the game waits in it and its steps change the list."""
    game = game_of_lists.start(seed=1)
    game.apply("turn")
    state: Any = game.view("amy")["game"]
    assert state["heard"] == ["bob", "amy"] and state["order_of_play"] == ["bob", "amy"]


def test_views_show_of_a_hidden_list_how_long_it_is(game_of_lists: polis_rules.Ruleset) -> None:
    """Unless that is hidden too; whoever sees a list sees its members in their order."""
    game = game_of_lists.start(seed=1)
    own: Any = game.view("amy")["player"]
    other: Any = game.view("bob")["player"]
    assert own["amy"]["hand"] == ["ruby", "jade"] and own["amy"]["purse"] == ["ruby"]
    assert other["amy"]["hand"] == [None, None] and "purse" not in other["amy"]


@pytest.mark.slow
def test_a_shuffle_gives_each_order_as_often_as_any_other(game_of_lists: polis_rules.Ruleset) -> None:
    """Of four cards, two of them the same, there are twelve orders, and each comes in a twelfth of the games."""
    orders = Counter[tuple[str, ...]]()
    for seed in range(1200):
        game = game_of_lists.start(seed=seed)
        game.apply("mix")
        orders[tuple(pile_and_heap(game)[0])] += 1
    assert len(orders) == 12 and all(60 < count < 140 for count in orders.values())


def test_a_list_that_overflows_and_a_member_that_is_not_there_stop_the_game(tmp_path: Path) -> None:
    """With the place of the step, with checks and without."""
    for number, (step, words) in enumerate(
        {
            "{set: {pile: 'pile + pile + pile + pile'}}": "holds at most 12",
            "{move: jade, from: heap, to: pile}": "not in it",
            "{move: 5, from: pile, to: heap}": "5 cannot leave a list of 4",
        }.items()
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        broken = lab(folder, GAME.replace("{do: [{sort: pile, by: 0 - it.price}]}", f"{{do: [{step}]}}"))
        for checks in (True, False):
            program = broken.program(checks=checks)
            state = program.new_state(seed=1)
            names = [way.id for way in program.points[state[0]].step.ways]  # type: ignore[union-attr]
            with pytest.raises(polis_rules.RuleError, match=words) as raised:
                program.apply(state, 1_000_000 + names.index("by_price"))
            assert raised.value.span is not None


SUPPLY = """
supplies:
  players: {total: 2, places: {around: len(order_of_play), those_heard: len(heard)}}
"""


def test_members_of_a_first_list_are_written_once_with_how_many(tmp_path: Path) -> None:
    """In declarations, in scenarios and, for each value, in cases; not beyond what the list may hold."""
    text = GAME.replace("[ruby, opal, ruby, jade]", "[ruby * 3, jade]")
    start = "title: Only, start: {heap: [opal, jade * 4], heard: [amy *2]}}"
    state = lab(tmp_path, text.replace("title: Only}", start)).start(seed=1).view("amy")["game"]
    assert [state[name] for name in ("pile", "heap", "heard")] == [  # type: ignore[index]
        ["ruby"] * 3 + ["jade"],
        ["opal"] + ["jade"] * 4,
        ["amy"] * 2,
    ]
    with pytest.raises(polis_rules.RulesetError, match="these are 13, and the list holds at most 12"):
        lab(tmp_path, text.replace("title: Only}", start.replace("jade * 4", "jade * 12")))


def test_a_supply_without_a_reserve_holds_all_in_its_lists(tmp_path: Path) -> None:
    """From the first position on, and whatever moves; what sets one of the lists is refused."""
    moved = (
        GAME.replace('{set: {heard: "heard + [who]"}}', "{move: all, from: heard, to: under(order_of_play)}") + SUPPLY
    )
    ruleset = lab(tmp_path, moved)
    assert not validate(tmp_path / "lab").errors
    game = ruleset.start(seed=1)
    while game.decision is not None:
        game.apply(game.decision.options[len(game.log) % len(game.decision.options)])
    for number, (text, code, message) in enumerate((
        (GAME + SUPPLY, "not-moved", "heard"),
        (moved.replace("total: 2", "total: 3"), "unfit-start", "places 2 players of 3, and there is no reserve"),
        (moved.replace("total: 2,", "total: 2, reserve: pile,"), "wrong-type", "no state that is a number"),
    )):  # fmt: skip
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "ruleset.yaml").write_text(text, "utf-8")
        (found,) = (each for each in validate(folder).findings if each.severity == "error")
        assert found.code == code and message in found.message


CHECKED = [
    ("any(g.price > 3 for g in pile) and len(pile) > 1 and pile[1].price > 2", None),
    ("len(pile) > 1 and pile[2].price > 2", "maybe-none"),
    ("len(pile) >= 2 and pile[-2].price > 2", None),
    ("pile != [] and pile[-1].price > 2", None),
    ("len(pile) == 0 or pile[0].price > 2", None),
    ("pile[0].price > 2", "maybe-none"),
    ("pile[0] is not none and pile[0].price > 2", None),
    ("priciest(pile + [opal]) == ruby", None),
    ("priciest([]) is none", None),
    ("place_of(g for g in gem if g == ruby) == 0", "wrong-type"),
    ("[ruby] == {ruby}", "wrong-type"),
    ("amy in pile", "wrong-type"),
    ("pile + [amy] == pile", "wrong-type"),
    ("pile - [ruby] == pile", "wrong-type"),
    ("len([p for p in order_of_play if p != amy]) == 1", None),
    ("jade.parts[1] == opal", None),
    ("order_of_play[order(amy)] == bob", None),
    ("[ruby * 2, opal] == [ruby, ruby, opal] and len([jade * 30]) == 30", None),
    ("[2 * ruby] == pile", "wrong-type"),
    ("ruby in {ruby * 2}", "wrong-type"),
]


@pytest.mark.parametrize(("condition", "code"), CHECKED)
def test_what_expressions_may_ask_of_lists(tmp_path: Path, condition: str, code: str | None) -> None:
    """A length that is known to be large enough makes a place sure; types must fit."""
    text = GAME.replace("mix: {do", f"mix: {{where: '{condition}', do")
    if code is None:
        assert lab(tmp_path, text).start(seed=1).decision is not None
        return
    with pytest.raises(polis_rules.RulesetError) as raised:
        lab(tmp_path, text)
    assert [each.code for each in raised.value.diagnostics] == [code]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("procedures:\n  say: {of: {who: player}, do: [", "{let: {x: flag}}, ", "write `x: {type: flag}`"),
        ("procedures:\n  say: {of: {who: player}, ", "gives: list of gem, ", "give a set, or keep the list in state"),
        ("heap: {type: list of gem, at_most: 12", "0000000000", "`heap` would have 120000000001 values"),
    ],
)
def test_what_is_told_of_types_and_limits_is_true(tmp_path: Path, old: str, new: str, told: str) -> None:
    """The way out is one that the language has, and a number is the one that is written."""
    with pytest.raises(polis_rules.RulesetError) as raised:
        lab(tmp_path, GAME.replace(old, old + new))
    assert told in str(raised.value)


def test_a_phase_that_is_left_out_names_its_setting(tmp_path: Path) -> None:
    """Also where it is the one in which play begins."""
    settings = "settings:\n  longer: {type: flag, start: false}\nkinds:\n"
    text = GAME.replace("kinds:\n", settings, 1).replace("  game:\n", "  game:\n    when: longer\n    do:\n")
    with pytest.raises(polis_rules.RulesetError, match="it is there when longer"):
        lab(tmp_path, text)


def test_a_move_to_what_is_not_there_is_one_finding(tmp_path: Path) -> None:
    """Where it goes is unknown, so nothing is said of what may go there."""
    with pytest.raises(polis_rules.RulesetError) as raised:
        lab(tmp_path, GAME.replace("{move: 1, from: pile, to: heap}", "{move: 1, from: pile, to: gone}"))
    assert [each.code for each in raised.value.diagnostics] == ["unknown-name"]


def leaks(ruleset: polis_rules.Ruleset) -> set[str]:
    """What the soak test says of some games."""
    checks, found = Checks(ruleset.program(checks=True, trace=True)), set[str]()
    for seed in range(8):
        game, rng = Game(checks.program, seed), Random(seed)
        while game.decision is not None:
            found.add(checks.wrong(game) or "")
            game.apply(rng.choice(game.decision.options))
    return found - {""}


@pytest.mark.slow
def test_a_hidden_order_that_decides_what_is_offered_is_found_out(tmp_path: Path) -> None:
    """Members of hidden lists are exchanged; what nobody can tell by that is no leak."""
    for name, condition, wrong in (("told", "pile[0] == ruby", True), ("counted", "len(pile) > 2", False)):
        (tmp_path / name).mkdir()
        text = GAME.replace("pile: {type: list of gem,", "pile: {type: list of gem, seen_by: false,")
        for where in ("where: len(pile) > 0, ", "where: len(pile) > 1, ", "where: jade in pile, "):
            text = text.replace(where, "where: false, ")
        text = text.replace(
            "parts: {do: [{set: {pile: jade.parts}}", "parts: {where: false, do: [{set: {pile: jade.parts}}"
        )
        found = leaks(lab(tmp_path / name, text.replace("mix: {do", f"mix: {{where: '{condition}', do")))
        assert any("the options of amy tell" in each for each in found) is wrong, found
        assert wrong or not found


def test_a_moment_with_lists_becomes_a_case(tmp_path: Path) -> None:
    """Written with its lists as they are, and played from there."""
    ruleset = lab(tmp_path)
    game = ruleset.start(seed=3)
    for option in ("one_down", "jade_out", "two_under", "by_price"):
        game.apply(option)
    written = case_of(ruleset, game, "some_moment")
    assert "pile: [ruby]" in written.text or "pile" in written.text
    file = tmp_path / "lab" / "cases" / "moment.yaml"
    file.parent.mkdir()
    file.write_text(f"cases:\n{written.text}" if "cases:" not in written.text else written.text, "utf-8")
    (result,) = run_cases(tmp_path / "lab")
    assert result.passed, str(result)


def test_lists_that_double_again_and_again_are_refused(tmp_path: Path) -> None:
    """Thirty terms, each of two of the one before, would fill the memory: before anything is worked out, or at once."""
    twice = "".join(f"  twice_{n}: {{is: twice_{n - 1} + twice_{n - 1}}}\n" for n in range(1, 30))
    more = "".join(f"  more_{n}: {{of: {{some: list of gem}}, is: more_{n - 1}(some + some)}}\n" for n in range(1, 30))

    def wild(name: str, terms: str, asked: str) -> polis_rules.Ruleset:
        (tmp_path / name).mkdir()
        text = GAME.replace("terms:\n", f"terms:\n{terms}").replace("mix: {do", f"mix: {{where: '{asked}', do")
        return lab(tmp_path / name, text)

    with pytest.raises(polis_rules.RulesetError) as refused:
        wild("plain", f"  twice_0: {{is: pile}}\n{twice}", "len(twice_29) > 3")
    assert {each.code for each in refused.value.diagnostics} == {"too-much-work"}
    with pytest.raises(polis_rules.RuleError, match="too long"):
        wild("given", f"  more_0: {{of: {{some: list of gem}}, is: len(some)}}\n{more}", "more_29(pile) > 3").start(
            seed=1
        )
