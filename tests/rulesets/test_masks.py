"""A bluffing game goes as a model by hand says: who is asked, what may be answered, who loses what, and who wins."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

import polis_rules

RULES = Path(__file__).parent / "masks"
MASKS = ("steward", "dagger", "envoy", "scribe", "guard")

Play = Generator[tuple[str, set[str]], str, None]
"""Asks (who, which options) and is sent what is chosen."""
Answer = Generator[tuple[str, set[str]], str, bool]


class OverError(Exception):
    """One courtier is left."""


class Court:
    """Masks at Court once more, by hand. `drawn` tells what chance drew next."""

    def __init__(self, seats: list[str], drawn: Callable[[], str]) -> None:
        self.seats, self.drawn = seats, drawn
        self.coins = dict.fromkeys(seats, 2)
        self.worn: dict[str, list[str]] = {seat: [] for seat in seats}
        self.pile: list[str] = [mask for mask in MASKS for _ in range(3)]

    def shuffle(self) -> None:
        left, self.pile = Counter(self.pile), []
        while left.total() > 1:
            self.pile.append(self.drawn())
            left[self.pile[-1]] -= 1
            assert left[self.pile[-1]] >= 0
        self.pile += list(left.elements())

    def others(self, who: str) -> list[str]:
        """Those at court after this one, around the table."""
        place = self.seats.index(who)
        around = self.seats[place + 1 :] + self.seats[:place]
        return [seat for seat in around if self.worn[seat]]

    def lose(self, who: str) -> Play:
        self.worn[who].remove((yield who, set(self.worn[who])))
        if not self.worn[who]:
            self.coins[who] = 0
            if sum(map(bool, self.worn.values())) == 1:
                raise OverError

    def claim(self, who: str, mask: str) -> Answer:
        for other in self.others(who):
            if (yield other, {"believe", "doubt"}) == "doubt":
                if mask not in self.worn[who]:
                    yield from self.lose(who)
                    return False
                yield from self.lose(other)
                self.worn[who].remove(mask)
                self.pile.append(mask)
                self.shuffle()
                self.worn[who].append(self.pile.pop(0))
                return True
        return True

    def stopped(self, who: str, by: list[str], *masks: str) -> Answer:
        for other in by:
            if self.worn[other] and (mask := (yield other, {*masks, "let_it_be"})) != "let_it_be":
                return (yield from self.claim(other, mask))
        return False

    def turn(self, who: str) -> Play:
        rich, others = self.coins[who] >= 10, self.others(who)
        with_coins = {other for other in others if self.coins[other]}
        deeds = set() if rich else {"collect", "alms", "levy", "change_masks"}
        deeds |= {"depose"} if self.coins[who] >= 7 else set()
        deeds |= {"strike"} if 3 <= self.coins[who] < 10 else set()
        deeds |= {"raid"} if with_coins and not rich else set()
        deed = yield who, deeds
        if deed == "collect":
            self.coins[who] += 1
        elif deed == "alms":
            if not (yield from self.stopped(who, others, "steward")):
                self.coins[who] += 2
        elif deed == "levy":
            if (yield from self.claim(who, "steward")):
                self.coins[who] += 3
        elif deed == "change_masks":
            if (yield from self.claim(who, "scribe")):
                self.worn[who] += [self.pile.pop(0), self.pile.pop(0)]
                for _ in range(2):
                    back = yield who, set(self.worn[who])
                    self.worn[who].remove(back)
                    self.pile.append(back)
                self.shuffle()
        else:
            yield from self.against(who, deed, with_coins if deed == "raid" else set(others))

    def against(self, who: str, deed: str, targets: set[str]) -> Play:
        self.coins[who] -= {"depose": 7, "strike": 3, "raid": 0}[deed]
        target = yield who, targets
        if deed == "depose":
            yield from self.lose(target)
        elif deed == "raid":
            if (yield from self.claim(who, "envoy")) and not (
                yield from self.stopped(who, [target], "envoy", "scribe")
            ):
                taken = min(self.coins[target], 2)
                self.coins[target] -= taken
                self.coins[who] += taken
        elif not (yield from self.claim(who, "dagger")):
            self.coins[who] += 3 if self.worn[who] else 0
        elif not (yield from self.stopped(who, [target], "guard")) and self.worn[target]:
            yield from self.lose(target)

    def play(self) -> Play:
        self.shuffle()
        for seat in self.seats:
            self.worn[seat] = [self.pile.pop(0), self.pile.pop(0)]
        while True:
            for seat in self.seats:
                if self.worn[seat]:
                    yield from self.turn(seat)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_masks_are_worn_as_by_hand(seats: int) -> None:
    """Who decides, the options, coins, masks and the winner are those of the model, whoever lies and whoever doubts."""
    ruleset = polis_rules.load(RULES, settings={"seats": seats})
    for seed in range(15):
        game, rng = ruleset.start(seed=seed), random.Random(seed)
        taken = 0

        def drawn(game: polis_rules.Game = game) -> str:
            nonlocal taken
            taken += 1
            return [entry[2] for entry in game.log if entry[0] == "chance"][taken - 1]

        court = Court(list(game.players), drawn)
        play = court.play()
        player, options = next(play)
        while (decision := game.decision) is not None:
            assert (decision.player, {option.id for option in decision.options}) == (player, options)
            believing = [option for option in decision.options if option.id in ("believe", "let_it_be")]
            pool = believing if believing and rng.random() < 0.6 else list(decision.options)
            option = rng.choice(pool)
            game.apply(option)
            try:
                player, options = play.send(option.id)
            except OverError:
                assert game.finished
                break
            for seat in court.seats:
                seen = game.view(seat)["player"]
                assert sorted(seen[seat]["worn"]) == sorted(court.worn[seat])
                assert {each: seen[each]["coins"] for each in court.seats} == court.coins
        assert game.result is not None and game.result.ended_by == "alone"
        assert [game.result.winner] == [seat for seat in court.seats if court.worn[seat]]


def test_what_a_courtier_wears_is_seen_by_nobody_else() -> None:
    """Also after masks are changed in secret."""
    game, rng = polis_rules.load(RULES, settings={"seats": 4}).start(seed=1), random.Random(1)
    while game.decision is not None:
        game.apply(rng.choice(game.decision.options))
        for viewer in game.players:
            others = [each["worn"] for seat, each in game.view(viewer)["player"].items() if seat != viewer]
            assert all(mask is None for worn in others for mask in worn)
