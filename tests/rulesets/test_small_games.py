"""The engine plays small games as models written by hand in Python say that it must."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.sampling import sampled

import polis_rules
from polis_rules.cases import run_cases
from polis_rules.verification.differential import compare

HERE = Path(__file__).parent
GAMES = (
    "sealed_bids",
    "dice_race",
    "random_isles",
    "tricks",
    "harbours",
    "couriers",
    "goofspiel",
    "hex",
    "othello",
    "connect_four",
    "hearts",
    "skirmish",
    "regatta",
)


def load(name: str) -> polis_rules.Ruleset:
    return polis_rules.load(HERE / name)


def view_of(game: polis_rules.Game, viewer: str) -> dict[str, Any]:
    view: dict[str, Any] = game.view(viewer)
    return view


@pytest.mark.parametrize("name", sampled(GAMES, every=3, slow=2))
def test_every_random_game_ends_with_a_result(name: str) -> None:
    """Games of random choices end, in steps with all checks on and as whole playouts without."""
    ruleset = load(name)
    program = ruleset.program(checks=False)
    for seed in range(20):
        game, rng, decisions = ruleset.start(seed=seed), random.Random(seed), 0
        while game.decision is not None:
            game.apply(rng.choice(game.decision.options))
            decisions += 1
        assert game.result is not None
        assert set(game.result.scores) == set(ruleset.players)
        assert decisions > 5
        assert program.playout(program.new_state(seed=seed), random.Random(seed)).decisions > 5


@pytest.mark.parametrize("name", sampled(GAMES, every=3, slow=2))
def test_a_playout_by_one_function_is_the_game_that_is_played_point_by_point(name: str) -> None:
    """Its decisions, options and end are those of the checked program, which has no such function."""
    ruleset = load(name)
    fast, checked = ruleset.program(), ruleset.program(checks=True, trace=True)
    assert fast.whole is not None and checked.whole is None
    for seed in range(3):
        one, other = fast.new_state(seed), checked.new_state(seed)
        assert fast.playout(one, random.Random(seed)) == checked.playout(other, random.Random(seed))
        assert fast.layout.lasting(one) == checked.layout.lasting(other)


# -- sealed bids ------------------------------------------------------------------------------------------------

THEMES = {
    "old_atlas": {"maps"},
    "ruby_mask": {"gems", "masks"},
    "jade_map": {"gems", "maps"},
    "locked_chest": set(),
    "cursed_idol": {"masks"},
}


class Auction:
    """Sealed bids once more, by hand."""

    def __init__(self) -> None:
        self.coins = {"ann": 11, "bea": 12, "cal": 13}
        self.seats = list(self.coins)
        self.buyer: dict[str, str] = {}

    def least(self, lot: str) -> int:
        return 3 if lot == "ruby_mask" else 1

    def award(self, lot: str, bids: dict[str, int], agent: str | None) -> None:
        made = [bid for bid in bids.values() if bid]
        price = max((bid for bid in made if made.count(bid) == 1), default=max(made, default=0))
        if not price:
            return
        tied = [seat for seat in self.seats if bids[seat] == price]
        winner = agent if agent in tied else tied[0]
        assert winner is not None
        self.buyer[lot] = winner
        self.coins[winner] -= price
        if lot == "locked_chest":
            self.coins[winner] += 6
        if lot == "cursed_idol":
            self.coins[winner] = max(0, self.coins[winner] - 1)

    def score(self, seat: str) -> dict[str, int]:
        mine = [lot for lot, buyer in self.buyer.items() if buyer == seat]
        have = Counter(theme for lot in mine for theme in THEMES[lot])
        worth = {
            "old_atlas": 5,
            "ruby_mask": 3 + 2 * have["masks"],
            "jade_map": 2 * have["gems"],
            "locked_chest": 1,
            "cursed_idol": 7 - self.coins[seat] // 2,
        }
        parts = {
            "lots": sum(worth[lot] for lot in mine),
            "full_set": 5 if len(have) == 3 else 0,
            "coins": self.coins[seat] // 3,
        }
        return {"total": sum(parts.values()), **parts}


@pytest.mark.parametrize("seed", range(40))
def test_an_auction_goes_as_by_hand(seed: int) -> None:
    """Turn order, agents, least bids, ties, payments, effects of lots and scores are those of the model."""
    game, rng, model = load("sealed_bids").start(seed=seed), random.Random(seed), Auction()
    while (decision := game.decision) is not None:
        lot = view_of(game, "ann")["game"]["on_offer"]
        agent, bids = None, dict.fromkeys(model.seats, 0)
        for seat in [seat for seat in model.seats if model.coins[seat] > model.least(lot)]:
            decision = game.decision
            assert decision is not None and decision.player == seat
            assert len(decision.options) == (2 if agent is None else 1)
            option = rng.choice(decision.options)
            if option.title == "Hire the agent":
                agent = seat
                model.coins[seat] -= 1
            game.apply(option)
        for seat in model.coins:
            decision = game.decision
            assert decision is not None and decision.player == seat
            offered = [str(bid) for bid in range(model.least(lot), model.coins[seat] + 1)]
            assert [option.title for option in decision.options] == [*offered, "Bid nothing"]
            option = rng.choice(decision.options)
            bids[seat] = 0 if option.title == "Bid nothing" else int(option.title)
            game.apply(option)
        model.award(lot, bids, agent)
        model.seats = [*model.seats[1:], model.seats[0]]
    assert game.result is not None
    assert game.result.scores == {seat: model.score(seat) for seat in model.coins}
    broke = not any(model.coins.values())
    assert game.result.ended_by == ("purses_empty" if broke else "all_lots_offered")


def test_a_bid_is_seen_by_its_bidder_alone_until_all_are_made() -> None:
    """While the bids are made, nobody sees another's; then everybody sees them all."""
    game = load("sealed_bids").start(seed=3)
    while (decision := game.decision) is not None and "bid_in_secret" not in decision.rule:
        game.apply(decision.options[0])
    seen: dict[str, int] = {}
    for _ in range(3):
        decision = game.decision
        assert decision is not None
        seen[decision.player] = int(decision.options[0].title)
        game.apply(decision.options[0])
        for viewer in ("ann", "bea", "cal"):
            purses = view_of(game, viewer)["player"]
            known = {seat for seat, purse in purses.items() if "bid" in purse}
            assert known == ({viewer} if len(seen) < 3 else {"ann", "bea", "cal"})
    assert {seat: purse["bid"] for seat, purse in view_of(game, "ann")["player"].items()} == seen


# -- dice race --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_a_race_ends_at_the_goal_at_once(seed: int) -> None:
    """Whoever reaches the goal wins; nobody moves after that, not even in the same lap."""
    game, rng = load("dice_race").start(seed=seed), random.Random(seed)
    while (decision := game.decision) is not None:
        before = view_of(game, "red")["player"]
        assert max(runner["position"] for runner in before.values()) < 30
        game.apply(rng.choice(decision.options))
    assert game.result is not None
    places = {name: runner["position"] for name, runner in view_of(game, "red")["player"].items()}
    ended = game.result.ended_by
    assert (ended, max(places.values()) == 30) in (("goal_reached", True), ("nightfall", False))
    if ended == "goal_reached":
        assert places[str(game.result.winner)] == 30


def test_a_runner_sees_neither_the_other_hand_nor_the_pile() -> None:
    """A view holds the viewer's own cards and no others, and does not count the pile."""
    game = load("dice_race").start(seed=1)
    for viewer in ("red", "blue"):
        cards = view_of(game, viewer)["card"].values()
        assert sum(card["hand"][viewer] for card in cards) == 2
        assert all(set(card["hand"]) == {viewer} and "in_pile" not in card for card in cards)


@pytest.mark.slow
def test_weather_changes_what_a_roll_is_worth() -> None:
    """Under the tailwind every roll counts one more; in the mud the leader's counts one less."""
    found: set[tuple[str | None, int]] = set()
    for seed in range(60):
        game, rng = load("dice_race").start(seed=seed), random.Random(seed)
        while (decision := game.decision) is not None:
            view, runner = view_of(game, "red"), decision.player
            option = rng.choice(decision.options)
            game.apply(option)
            if option.title not in ("Walk", "Sprint"):
                continue
            eyes = [entry[2] for entry in game.log if entry[0] == "chance" and entry[1] != "pile"][-1]
            there = view_of(game, "red")["player"][runner]["position"]
            start = view["player"][runner]["position"]
            if there < 30:
                bonus = there - start - int(eyes)
                leads = start > view["player"]["blue" if runner == "red" else "red"]["position"]
                weather = view["game"]["weather"]
                assert bonus == {None: 0, "tailwind": 1, "mud": -1 if leads else 0}[weather]
                found.add((weather, bonus))
    assert found == {(None, 0), ("tailwind", 1), ("mud", -1), ("mud", 0)}


# -- tricks ---------------------------------------------------------------------------------------------------------

RANKS = ("one", "two", "three", "four", "five", "six")
CARDS = [f"{suit}_{rank}" for suit in ("oak", "elm", "fir") for rank in RANKS]


class Table:
    """Tricks and bids once more, by hand."""

    def __init__(self) -> None:
        self.order = ["ann", "bea", "cal"]
        self.coins = {"ann": 5, "bea": 6, "cal": 6}
        self.hands: dict[str, list[str]] = {}
        self.won: dict[str, list[str]] = {}

    def deal(self, hands: dict[str, list[str]]) -> None:
        self.hands, self.won = {who: list(hand) for who, hand in hands.items()}, {who: [] for who in hands}

    def bid(self, bids: dict[str, int]) -> None:
        self.coins = {who: coins - bids[who] for who, coins in self.coins.items()}
        self.order = sorted(self.order, key=lambda who: -bids[who])

    def may_play(self, who: str, trick: list[str]) -> set[str]:
        same = {card for card in self.hands[who] if trick and card[:3] == trick[0][:3]}
        return same or set(self.hands[who])

    def take(self, trick: list[str]) -> None:
        best = max((card for card in trick if card[:3] == trick[0][:3]), key=CARDS.index)
        winner = trick.index(best)
        self.won[self.order[winner]][:0] = trick
        self.order = self.order[winner:] + self.order[:winner]


@pytest.mark.parametrize("seed", range(20))
def test_tricks_are_played_as_by_hand(seed: int) -> None:
    """Deals, turn orders, cards that may be played, tricks, what is left over and scores are those of the model."""
    game, rng, model = load("tricks").start(seed=seed), random.Random(seed), Table()

    def decide(player: str) -> str:
        decision = game.decision
        assert decision is not None and decision.player == player
        option = rng.choice(decision.options)
        game.apply(option)
        return option.id

    for size in (4, 5):
        model.deal({who: view_of(game, who)["player"][who]["hand"] for who in model.coins})
        assert {who: len(hand) for who, hand in model.hands.items()} == dict.fromkeys(model.coins, size)
        assert view_of(game, "ann")["player"]["bea"]["hand"] == [None] * size
        model.bid({who: int(decide(who)) for who in model.order})
        for _ in range(size):
            trick: list[str] = []
            for who in model.order:
                assert game.decision is not None
                assert {option.id for option in game.decision.options} == model.may_play(who, trick)
                trick.append(decide(who))
                model.hands[who].remove(trick[-1])
            model.take(trick)
            view = view_of(game, "ann")
            assert size == 5 or view["game"]["turn_order"] == model.order
        most = max(map(len, model.won.values()))
        left = [card for card in CARDS if not any(card in won for won in model.won.values())]
        for who in [who for who in model.order if len(model.won[who]) == most]:
            assert game.decision is not None
            assert [option.id for option in game.decision.options] == [*left, "none_of_these"]
            if (taken := decide(who)) != "none_of_these":
                left.remove(taken)
                model.won[who].insert(0, taken)
    assert game.result is not None
    heights = {who: sum(RANKS.index(card[4:]) + 1 for card in won) for who, won in model.won.items()}
    totals = {who: scores["total"] for who, scores in game.result.scores.items()}
    assert totals == {who: heights[who] + model.coins[who] for who in model.coins}
    assert view_of(game, "cal")["player"]["ann"]["won"] == model.won["ann"]


def test_reports_name_what_moves_to_whoever_may_see_it() -> None:
    """Others are told how many cards go to a hand; a card that is played is named to all."""
    game = load("tricks").start(seed=1)
    hand = [each.title() for each in view_of(game, "ann")["player"]["ann"]["hand"]]
    dealt = f"  {'; '.join(card.replace('_', ', ') for card in hand)} from deck to Ann (hand)"
    assert dealt in game.report_for("ann") and dealt in game.report
    assert dealt not in game.report_for("bea") and "  4 from deck to Ann (hand)" in game.report_for("bea")
    for _ in range(3):
        game.apply("0")
    assert game.decision is not None
    card = game.decision.options[0]
    game.apply(card)
    assert game.report_for("cal")[-1] == f"  {card.title} from Ann (hand) to the bottom of trick"


def test_the_cases_of_tricks_hold() -> None:
    """Lists can be given, drawn and expected in cases."""
    results = run_cases(HERE / "tricks")
    assert len(results) == 5 and [str(each) for each in results if not each.passed] == []


def test_both_engines_play_tricks_alike() -> None:
    """Lists, shuffles and loops in an order mean the same to the engine that compiles nothing."""
    assert compare((str(HERE / "tricks"), None, ()), games=6).difference is None


# -- random isles -----------------------------------------------------------------------------------------------

WORTH = {"forest": 2, "grove": 3, "beach": 2, "lagoon": 4, "volcano": 6, "reef": 0}
WATERS = "a1-b1 b1-c1 a2-b2 b2-c2 a1-a2 c1-c2 a1-c1"


def fares(view: dict[str, Any], who: str) -> dict[str, int]:
    """The fare from a tribe's ship to each place that it can reach."""
    cells, rival = view["cell"], "south" if who == "north" else "north"
    near: dict[str, set[str]] = {cell: set() for cell in cells}
    bridge = ["b1-b2"] if view["game"]["bridge_stands"] else []
    for edge in [*WATERS.split(), *bridge]:
        one, other = edge.split("-")
        near[one].add(other)
        near[other].add(one)
    near["c2"].add("a2")  # the current runs one way

    start = view["player"][who]["ship"]
    finding, waiting = {start: 0}, [(0, start)]
    while waiting:
        fare, here = heapq.heappop(waiting)
        huts = cells[here]["huts"]
        if here != start:
            if cells[here]["tile"] == "reef" or huts[rival] > huts[who]:
                continue
            fare += huts[rival] + (view["game"]["season_now"] == "winter" and huts[who] == 0)
        for there in near[here]:
            if fare < finding.get(there, 9999):
                finding[there] = fare
                heapq.heappush(waiting, (fare, there))
    return finding


@pytest.mark.parametrize("seed", range(40))
def test_ships_and_huts_go_where_the_map_lets_them(seed: int) -> None:
    """Routes, fares, ferries, the current, the bridge and the seasons open exactly the model's options."""
    game, rng = load("random_isles").start(seed=seed), random.Random(seed)
    while (decision := game.decision) is not None:
        who, view = decision.player, view_of(game, decision.player)
        cells, own, offered = view["cell"], view["player"][who], {option.title for option in decision.options}
        fare = fares(view, who)
        sail = {c.upper() for c, cost in fare.items() if c != own["ship"] and cost <= own["stock"]["shells"]}
        land = {c.upper() for c in fare if cells[c]["tile"] != "reef" and cells[c]["huts"][who] < 3}
        if decision.rule.endswith("haven"):
            assert offered == sail
        elif decision.rule.endswith("site"):
            assert offered == land
        elif decision.rule.endswith("deed"):
            price = 2 if view["game"]["season_now"] == "autumn" else 1
            can_build = own["stock"]["wood"] >= price and own["huts"] > 0 and bool(land)
            assert ("Set sail" in offered, "Build a hut" in offered) == (bool(sail), can_build)
        game.apply(rng.choice(decision.options))
    assert game.result is not None
    cells = view_of(game, "north")["cell"].values()
    for who, rival in (("north", "south"), ("south", "north")):
        isles = sum(WORTH[cell["tile"]] for cell in cells if cell["huts"][who] > cell["huts"][rival])
        assert game.result.scores[who]["isles"] == isles


def test_the_isles_lie_differently_in_each_game() -> None:
    """Every tile lies once, and the lay-out depends on the seed alone."""
    lays = []
    for seed in [*range(10), *range(10)]:
        view = view_of(load("random_isles").start(seed=seed), "north")
        lays.append(tuple(cell["tile"] for cell in view["cell"].values()))
    assert lays[:10] == lays[10:]
    assert all(sorted(lay) == sorted(WORTH) for lay in lays)
    assert len(set(lays)) > 5
