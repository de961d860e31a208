"""Costs that can be paid in several ways: what may stand in, what need not be paid, and banks."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import polis_rules
from polis_rules.cases import run_cases
from polis_rules.validation.validate import validate
from polis_rules.verification.differential import compare

WORKSHOP = Path(__file__).parent / "rulesets" / "workshop"

PURSES = ("coins", "gems", "wood", "salt")

TINY = """
format: 2
ruleset: tiny
title: Tiny
scenario: {{scenario: standard, title: Standard}}
kinds:
  player:
    state:
      coins: {{type: 0..9, start: {coins}, spendable: true}}
      gems: {{type: 0..9, start: {gems}, spendable: true}}
      stock: {{per: {{which: good}}, type: 0..9, spendable: true,
        start: "{wood} if which == wood else {salt}"{instead}}}
      done: flag
  good: {{}}
state:
  ware: good
tables:
  player: {{ann: {{}}}}
  good: {{wood: {{}}, salt: {{}}}}
actions:
  buy:
    cost: {cost}
    do: [{{set: {{you.done: true}}}}]
phases:
  game:
    - each: you
      in: player
      do:
        - choose: deed
          from: action
          where: possible(deed)
          or: {{rest: {{}}}}
        - when: deed is not none
          perform: deed
    - end: over
endings: {{over: {{}}}}
score: {{terms: {{coins: who.coins}}}}
"""


class Bill:
    """A random cost, and by trying everything out in which ways it can be paid."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        self.start = {purse: rng.randint(0, 4) for purse in PURSES}
        self.rates = dict.fromkeys(PURSES, 1)
        self.instead = rng.choice([(), (), ("coins",), ("gems", "coins")])
        for purse in self.instead:
            self.rates[purse] = rng.choice([1, 1, 2])
        pairs = [rng.sample(PURSES, rng.choice([1, 2, 2, 3])) for _ in range(rng.choice([1, 1, 2, 2, 3]))]
        if self.instead:  # what is named besides has another rate
            pairs = [[purse for purse in pair if purse in ("wood", "salt")] or ["wood"] for pair in pairs]
        self.parts = {" or ".join(pair): (pair, rng.randint(1, 4)) for pair in pairs}

    def written(self) -> str:
        """The ruleset that asks for it."""
        cost = ", ".join(f"{key}: {amount}" for key, (_, amount) in self.parts.items())
        rates = ", ".join(f"{purse}: {self.rates[purse]}" for purse in self.instead)
        instead = f", instead: {{{rates}}}" if self.instead else ""
        return TINY.format(**self.start, cost=f"{{{cost}}}", instead=instead)

    def ways(self) -> set[tuple[int, ...]]:
        """What may be left in the purses when it is paid."""
        left = {tuple(self.start[purse] for purse in PURSES)}
        for pair, amount in self.parts.values():
            purses = [*pair, *(each for each in self.instead if each not in pair)]
            after = set()
            for have, counts in product(left, product(range(amount + 1), repeat=len(purses))):
                if sum(counts) == amount:
                    now = dict(zip(PURSES, have, strict=True))
                    for purse, count in zip(purses, counts, strict=True):
                        now[purse] -= count * self.rates[purse]
                    if min(now.values()) >= 0:
                        after.add(tuple(now.values()))
            left = after
        return left


def purses(game: polis_rules.Game) -> tuple[int, ...]:
    """What the player has."""
    shown: dict[str, Any] = game.view("ann")["player"]  # type: ignore[assignment]
    state = shown["ann"]
    return (state["coins"], state["gems"], state["stock"]["wood"], state["stock"]["salt"])


def reached(game: polis_rules.Game) -> set[tuple[int, ...]]:
    """What is left after each way of answering all that is asked."""
    if game.decision is None:
        return {purses(game)}
    assert len(game.decision.options) > 1  # nobody is asked where there is one way only
    every = set()
    for option in game.decision.options:
        game.apply(option)
        every |= reached(game)
        game.undo()
    return every


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_a_bill_is_paid_in_every_way_in_which_it_can_be_paid_and_in_no_other(tmp_path: Path, first: int) -> None:
    """An action is possible exactly if its cost can be paid at all, and whatever is answered the rest can be paid."""
    for seed in range(first, first + 10):
        bill = Bill(seed)
        (tmp_path / "tiny").mkdir(exist_ok=True)
        (tmp_path / "tiny" / "ruleset.yaml").write_text(bill.written(), "utf-8")
        game, ways = polis_rules.load(tmp_path / "tiny").start(seed=1), bill.ways()
        assert game.decision is not None
        offered = "buy" in [option.id for option in game.decision.options]
        assert offered == bool(ways), bill.written()
        assert bool(game.why_not("buy")) != offered
        if offered:
            game.apply("buy")
            assert reached(game) == ways, bill.written()


def test_what_nobody_ever_has_is_found_beside_what_somebody_has(tmp_path: Path) -> None:
    """The finding stands where the one alternative is named."""
    start = {"coins": 3, "gems": 0, "wood": 1, "salt": 1}
    text = TINY.format(**start, cost="{coins or gems: 1}", instead="")
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "ruleset.yaml").write_text(text, "utf-8")
    found = [each for each in validate(tmp_path / "tiny").findings if each.code == "never-gained"]
    column = len(text[: text.index("gems: 1}")].rpartition("\n")[2]) + 1
    assert [each.span.column for each in found if each.span] == [column]


def a_shop(tmp_path: Path, cost: str, instead: str = "") -> polis_rules.Game:
    """A game whose one action has a cost, with 3 coins, 2 gems, a wood and a salt."""
    text = TINY.format(coins=3, gems=2, wood=1, salt=1, cost=cost, instead=instead)
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "ruleset.yaml").write_text(text, "utf-8")
    return polis_rules.load(tmp_path / "tiny").start(seed=1)


def test_what_turns_out_to_be_the_same_is_counted_once(tmp_path: Path) -> None:
    """The ware is wood: with one wood, `ware or wood` cannot pay two, and one is not asked for."""
    assert a_shop(tmp_path, "{ware or wood: 2}").why_not("buy")


def test_what_turns_out_to_be_the_same_is_one_way_to_pay(tmp_path: Path) -> None:
    """Nobody is asked whether the ware or the wood that it is shall be paid."""
    game = a_shop(tmp_path, "{ware or wood: 1}")
    game.apply("buy")
    assert game.decision is None
    assert purses(game) == (3, 2, 0, 1)


def test_a_refusal_tells_what_there_is_and_what_is_needed(tmp_path: Path) -> None:
    """Everything that the cost may be paid with is counted together."""
    (refusal,) = a_shop(tmp_path, "{wood or gems: 4}").why_not("buy")
    assert (refusal.label, refusal.expression) == ("cost", "wood or gems >= 4")
    assert refusal.values == {"your wood or gems": "3", "the cost": "4"}


def test_a_refusal_leads_to_the_amount_where_a_variant_has_changed_it(tmp_path: Path) -> None:
    a_shop(tmp_path, "{gems: 2}")
    dear = tmp_path / "dear.yaml"
    dear.write_text("variant: dear\nextends: tiny\nchange:\n  actions.buy.cost.gems: {was: 2, to: 4}\n", "utf-8")
    (refusal,) = polis_rules.load(tmp_path / "tiny", variants=(dear,)).start(seed=1).why_not("buy")
    assert (Path(refusal.span.file).name, refusal.span.line) == ("dear.yaml", 4)


def test_an_option_tells_all_ways_to_pay_it(tmp_path: Path) -> None:
    """Also those that stand in, at their rate."""
    game = a_shop(tmp_path, "{wood: 2}", ", instead: {gems: 1, coins: 2}")
    assert game.decision is not None
    assert game.decision.options[0].cost == "2 wood or 2 gems or 4 coins"
    game.apply("buy")
    assert game.decision.prompt == "How much wood? The rest is paid with gems or coins"


# -- the workshop -----------------------------------------------------------------------------------------------------


def test_the_cases_of_the_workshop_hold() -> None:
    """They say what is offered, refused and paid."""
    assert not [result for result in run_cases(WORKSHOP) if not result.passed]


def test_engines_agree_about_the_workshop() -> None:
    """Both pay, gain and lose the same, also where the bank runs dry."""
    assert compare((str(WORKSHOP), None, ()), games=20).difference is None


def test_coins_come_from_the_bank_and_go_there() -> None:
    """Whatever is done, all coins are in purses or in the bank; and the bank does run dry."""
    dry = 0
    for seed in range(20):
        game, rng = polis_rules.load(WORKSHOP).start(seed=seed), Random(seed)
        while game.decision is not None:
            game.apply(rng.choice(game.decision.options))
            shown: dict[str, Any] = game.view("ada")
            coins = [each["coins"] for each in shown["player"].values()]
            assert sum(coins) + shown["game"]["bank"] == 20
            dry += shown["game"]["bank"] == 0
    assert dry


def test_a_payment_to_the_bank_by_players_together_is_told_at_the_payment(tmp_path: Path) -> None:
    """Not where the bank is declared, which is right."""
    text = (WORKSHOP / "ruleset.yaml").read_text("utf-8")
    both = "        do:\n          - together: you\n            in: player\n            do: [{gain: {coins: 1}}]\n"
    text = text.replace("        times: 6\n        do:\n", f"        times: 6\n{both}")
    (tmp_path / "ruleset.yaml").write_text(text, "utf-8")
    (found,) = validate(tmp_path).findings
    assert found.code == "not-apart" and found.span is not None
    line = text.split("\n")[found.span.line - 1]
    assert line[found.span.column - 1 :].startswith("coins: 1}}]")
