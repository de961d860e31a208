"""Libraries in games: one used twice, three together, and the examples of those that are shipped."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import polis_rules
from polis_rules.cases import run_cases
from polis_rules.composition import find, shipped_libraries
from polis_rules.validation.validate import validate
from polis_rules.verification.differential import compare
from polis_rules.verification.soak import Plan, soak

AGORA = Path(__file__).parent / "agora"
PLAYED = [str(AGORA), *(name for name, _ in shipped_libraries())]


@pytest.mark.parametrize("name", PLAYED)
def test_their_cases_hold_and_nothing_is_found(name: str) -> None:
    results = run_cases(name)
    assert len(results) >= 3 and [str(each) for each in results if not each.passed] == []
    assert validate(name).findings == []


@pytest.mark.parametrize("name", PLAYED)
def test_both_engines_play_them_alike(name: str) -> None:
    assert compare((str(find(name)), None, ()), games=4).difference is None


@pytest.mark.slow
def test_sealed_bids_stay_hidden_until_all_are_made() -> None:
    """Those of one auction do not tell those of the other."""
    assert soak(Plan(str(AGORA), ("standard",), games=5)).ok
    game = polis_rules.load(AGORA).start(seed=1)
    game.apply("3")
    assert game.view("ann")["game"]["trade_bid_of"]["ann"] == 3
    assert "ann" not in game.view("bob")["game"]["trade_bid_of"]


@pytest.mark.parametrize("seed", range(20))
def test_an_agora_goes_as_by_hand(seed: int) -> None:
    """The highest bid wins and pays, the speaker or the next one among equals; outbid citizens bid again at once."""
    game, rng = polis_rules.load(AGORA).start(seed=seed), random.Random(seed)
    seats, speaker = ["ann", "bob", "cid"], "ann"
    purses = {"coins": dict.fromkeys(seats, 12), "favour": {"ann": 4, "bob": 5, "cid": 4}}
    holder: dict[str, str] = {}
    rent = {"gate": 2, "well": 4, "steps": 5, "arch": 7}

    def decide(player: str, options: list[str]) -> str:
        decision = game.decision
        assert decision is not None and decision.player == player
        assert [option.id for option in decision.options] == options
        chosen = rng.choice(options)
        game.apply(chosen)
        return chosen

    def sealed(purse: str, least: int, first: str) -> str | None:
        bids = {}
        for seat in seats:
            fitting = [0, *range(max(least, 1), purses[purse][seat] + 1)]
            bids[seat] = int(decide(seat, list(map(str, fitting))))
        best = max(bids.values())
        order = seats[seats.index(first) :] + seats[: seats.index(first)]
        winner = next(seat for seat in order if bids[seat] == best)
        if best:
            purses[purse][winner] -= best
        return winner if best else None

    def bid_for_stall(seat: str, held: dict[str, tuple[str, int]]) -> str | None:
        least = {s: max(rent[s] // 2, held[s][1] + 1 if s in held else 1) for s in rent if s not in holder}
        fitting = [s for s in rent if s not in holder and least[s] <= purses["coins"][seat]]
        stall = decide(seat, [*fitting, "pass"])
        if stall == "pass":
            return None
        bid = int(decide(seat, [str(n) for n in range(least[stall], purses["coins"][seat] + 1)]))
        loser = held.get(stall, (None, 0))[0]
        held[stall] = (seat, bid)
        return loser

    turns = list(seats)
    for day, least in enumerate((1, 2, 3)):
        sealed("coins", least, speaker)
        speaker = sealed("favour", 1 + day, seats[(seats.index(speaker) + 1) % 3]) or speaker
        held: dict[str, tuple[str, int]] = {}
        for seat in seats[seats.index(speaker) :] + seats[: seats.index(speaker)]:
            bidder: str | None = seat
            while bidder is not None:
                bidder = bid_for_stall(bidder, held)
        for stall, (seat, bid) in held.items():
            purses["coins"][seat] -= bid
            holder[stall] = seat
        turns.sort(key=lambda seat: purses["favour"][seat])
        for seat in turns:
            purses["coins"][seat] += sum(rent[stall] for stall, who in holder.items() if who == seat)
            treat = int(decide(seat, [str(n) for n in range(min(purses["coins"][seat], 3) + 1)]))
            purses["coins"][seat] -= treat
            purses["favour"][seat] += treat
    assert game.result is not None
    assert {seat: scores["coins"] for seat, scores in game.result.scores.items()} == purses["coins"]
