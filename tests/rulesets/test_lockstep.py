"""Games of the shelf in lockstep with OpenSpiel's: same movers, same options, same returns, and nobody knows more."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import polis_rules
from polis_rules import Game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'polis-rules[peers]'")
pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
GAMES = 200


def winner_takes_one(game: Game) -> list[float]:
    """1 for the winner and -1 for the other; 0 for both of a tie."""
    assert game.result is not None
    winner = game.result.winner
    return [0.0 if winner is None else 1.0 if winner == player else -1.0 for player in game.players]


def half_chips(game: Game) -> list[float]:
    assert game.result is not None
    return [game.result.scores[player]["total"] / 2 for player in game.players]


def lost_points(game: Game) -> list[float]:
    assert game.result is not None
    return [26.0 + game.result.scores[player]["total"] for player in game.players]


@dataclass(frozen=True)
class Pair:
    """A game of the shelf and the same one of OpenSpiel; its players sit in the same order."""

    ruleset: str
    peer: str
    option: Callable[[Any, int], str | None]
    """What an action of the peer is called here; None if nobody is asked here, such as for a pass."""
    outcome: Callable[[str], int] = int
    """What the peer calls an outcome of chance."""
    returns: Callable[[Game], list[float]] = winner_takes_one
    settings: Mapping[str, Any] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    waiting: bool = True
    """whether those who wait are told there that others have chosen, though not what"""


def leduc(players: int) -> Pair:
    ranks = ("jack", "queen", "king", "ace")

    def option(state: Any, action: int) -> str:
        name = str(state.action_to_string(action)).lower()
        # What they call a call is a check while nobody has raised.
        return "check" if name == "call" and 0 not in state.legal_actions() else name

    def card(name: str) -> int:
        rank, suit = name.split("_")
        return 2 * ranks.index(rank) + ("spades", "hearts").index(suit)

    peer = f"leduc_poker(players={players})"
    return Pair("leduc", peer, option, card, half_chips, settings={"seats": players})


def goofspiel() -> Pair:
    ranks = ("ace", "two", "three", "four", "five")
    peer = "turn_based_simultaneous_game(game=goofspiel(num_cards=5,returns_type=win_loss))"
    return Pair("goofspiel", peer, lambda state, action: ranks[action], ranks.index)


def hex_board(size: int) -> Pair:
    # Their first player joins the first and the last row, ours the first and the last column.
    def option(state: Any, action: int) -> str:
        return f"column_{action // size + 1}_row_{action % size + 1}"

    return Pair("hex", f"hex(board_size={size})", option, settings={"size": size})


def othello() -> Pair:
    def option(state: Any, action: int) -> str | None:
        return None if action == 64 else f"column_{action % 8 + 1}_row_{8 - action // 8}"

    return Pair("othello", "othello", option, settings={"half": 4})


def breakthrough() -> Pair:
    # Their first player comes from the last row, ours from the first.
    rows = {"4": "one", "3": "two", "2": "three", "1": "four"}

    def option(state: Any, action: int) -> str:
        move = str(state.action_to_string(action))
        return f"{move[0]}_{rows[move[1]]} {move[2]}_{rows[move[3]]}"

    return Pair("crossing", "breakthrough(rows=4,columns=4)", option, variants=("one_row",))


def connect_four() -> Pair:
    return Pair("connect_four", "connect_four", lambda state, action: f"column_{action + 1}")


def hearts() -> Pair:
    numbers = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    ranks = (*numbers, "jack", "queen", "king", "ace")
    suits = ("clubs", "diamonds", "hearts", "spades")
    cards = [f"{rank}_{suit}" for rank in ranks for suit in suits]
    drawn = {
        name: number for names in (("kept", "left", "across", "right"), cards) for number, name in enumerate(names)
    }
    return Pair("hearts", "hearts", lambda state, action: cards[action], drawn.__getitem__, lost_points, waiting=False)


PAIRS = [
    leduc(2), leduc(3), goofspiel(), hex_board(3), hex_board(5), othello(), breakthrough(), connect_four(), hearts(),
]  # fmt: skip


def known(game: Game, player: str) -> str:
    """Whatever a player sees and has been told."""
    return repr((game.view(player), game.report_for(player), game.log_for(player)))


def knows(peer: Any, index: int) -> str:
    """The same there; where nothing is hidden, it is all that has happened."""
    told = peer.get_game().get_type().provides_information_state_string
    return str(peer.information_state_string(index) if told else peer.history_str())


def catch_up(pair: Pair, game: Game, peer: Any) -> None:
    """Chance decides there as it did here, and what is no decision here is carried out there."""
    drawn = [entry[2] for entry in game.log if entry[0] == "chance"]
    while not peer.is_terminal():
        if peer.is_chance_node():
            before = sum(1 for each in peer.full_history() if each.player == pyspiel.PlayerId.CHANCE)
            peer.apply_action(pair.outcome(drawn[before]))
        elif len(actions := peer.legal_actions()) == 1 and pair.option(peer, actions[0]) is None:
            peer.apply_action(actions[0])
        else:
            return


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.peer)
def test_both_play_the_same_game(pair: Pair) -> None:
    """In random games; two positions are told apart by a player here exactly if they are there."""
    ruleset = polis_rules.load(HERE / pair.ruleset, settings=pair.settings, variants=pair.variants)
    theirs = pyspiel.load_game(pair.peer)
    there: dict[tuple[int, str], str] = {}
    here: dict[tuple[int, str], str] = {}
    for seed in range(GAMES):
        game, peer, rng = ruleset.start(seed=seed), theirs.new_initial_state(), random.Random(seed)
        while (decision := game.decision) is not None:
            catch_up(pair, game, peer)
            if peer.is_terminal():  # OpenSpiel plays the last card by itself
                assert len(decision.options) == 1
                game.apply(decision.options[0])
                continue
            assert game.players.index(decision.player) == peer.current_player()
            actions = {pair.option(peer, action): action for action in peer.legal_actions()}
            assert {option.id for option in decision.options} == set(actions)
            for index, player in enumerate(game.players):
                if not pair.waiting and player != decision.player:
                    continue
                ours, other = known(game, player), knows(peer, index)
                assert there.setdefault((index, ours), other) == other, "somebody knows too little"
                assert here.setdefault((index, other), ours) == ours, "somebody knows too much"
            option = rng.choice(decision.options)
            game.apply(option)
            peer.apply_action(actions[option.id])
        catch_up(pair, game, peer)
        assert peer.is_terminal()
        assert pair.returns(game) == peer.returns()
