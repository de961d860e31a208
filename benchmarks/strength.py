"""How strong bots are: paired games with exchanged seats, each share with its interval of 95 % (Wilson).

    python benchmarks/strength.py yucata greedy random --games 400
    python benchmarks/strength.py tests/rulesets/othello mcts:300 greedy
    python benchmarks/strength.py connect_four mcts:200 openspiel --games 200
    python benchmarks/strength.py yucata mcts:1s greedy --games 400 --log games.jsonl

A pair of games has the same seed, with bot A in each seat in turn and bot B in all others; a bot against itself has one
game of each seed, as the others would be the same. Where several win, each gets its share. `openspiel` is OpenSpiel's
own Monte Carlo tree search with as many simulations as A has tries; it plays `connect_four`, `othello` and `backgammon`
(`pip install -e '.[peers]'`). In backgammon it moves two checkers by one decision, and A one: so A has half as many
tries for each.

With `--log` each game is kept in a file as soon as it is over, and games that are there are not played again. Ctrl-C
ends the work with the figures of what was played. The logs of the longest matches are in `benchmarks/strength`, so that
they can be gone on with. When the bots or the rules have been changed, `--again N` plays N games of the file once more,
evenly spread: if each ends as it did, the file is taken to be of the rules of today, such as where a rule was only told
in other words. If one does not, it says which; begin a new file then.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from backgammon_boards import RULESET as BACKGAMMON, Ours, Theirs

import polis_rules
from polis_rules.interpreter.machine import ENDING, LEAVE, PC
from polis_rules.interpreter.runtime import Program, State
from polis_rules.play import bots

SHELF = Path(__file__).resolve().parents[1] / "tests" / "rulesets"
OPENSPIEL = "openspiel"


@dataclass(frozen=True)
class Peer:
    """A game of the shelf, its settings, the same game of OpenSpiel, and what an action there is called here."""

    settings: dict[str, Any]
    name: str
    option: Callable[[int], str | None]
    """None where nobody is asked here, such as for a pass"""


PEERS = {
    "connect_four": Peer({}, "connect_four", lambda action: f"column_{action + 1}"),
    "othello": Peer(
        {"half": 4},
        "othello",
        lambda action: None if action == 64 else f"column_{action % 8 + 1}_row_{8 - action // 8}",
    ),
}

Ended = tuple[float, str, int]
"""What share of the win A has, how the game ended, and after how many decisions."""


class Log:
    """The games of one match that are over, by number; in a file too, if there is one, whose first line is the match.

    `renewing` says that its rules may be other ones. Raises SystemExit where the file holds games of another match, or
    of other rules without that.
    """

    def __init__(self, file: Path | None, match: dict[str, Any], renewing: bool = False) -> None:
        self.file, self.match = file, match
        self.ended: dict[int, Ended] = {}
        if file is not None and file.exists():
            first, *games = file.read_text(encoding="utf-8").splitlines()
            if json.loads(first) | ({"rules": match["rules"]} if renewing else {}) != match:
                raise SystemExit(f"{file} holds games of another match: {first}")
            self.ended = {number: tuple(ended) for number, *ended in map(json.loads, games)}
        elif file is not None:
            file.write_text(json.dumps(match) + "\n", encoding="utf-8")

    def add(self, game: int, ended: Ended) -> None:
        """A game is over."""
        self.ended[game] = ended
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps([game, *ended]) + "\n")

    def renew(self) -> None:
        """Write the file anew, as games of the rules of today."""
        if self.file is not None:
            games = (json.dumps([game, *ended]) for game, ended in self.ended.items())
            self.file.write_text("\n".join([json.dumps(self.match), *games]) + "\n", encoding="utf-8")


def play_again(log: Log, count: int, play: Callable[[list[int]], Iterator[Ended]]) -> None:
    """Play so many games of a log once more, evenly spread; if each ends as it did, the log is of the rules of today.

    Raises SystemExit where a game ends otherwise.
    """
    kept = sorted(log.ended)
    chosen = kept[:: max(1, len(kept) // count)][:count]
    for done, (game, ended) in enumerate(zip(chosen, play(chosen), strict=True)):
        if ended != log.ended[game]:
            raise SystemExit(f"game {game} ended with {log.ended[game]}, and ends with {ended} now ({done} were alike)")
    log.renew()
    print(f"{len(chosen)} of {len(kept)} games were played again, and ended as they did")


def interval(won: float, games: int) -> tuple[float, float]:
    """The interval in which the share of so many wins lies, with 95 % confidence (Wilson, 1927).

    >>> [round(end, 2) for end in interval(8, 10)]
    [0.49, 0.94]
    """
    z, share = 1.96, won / games
    middle = share + z * z / (2 * games)
    wide = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - wide) / (1 + z * z / games), (middle + wide) / (1 + z * z / games)


def share_of(program: Program, state: State, seat: int) -> float:
    """What share of the win a seat has."""
    won = program.winners(state)
    return (seat in won) / len(won) if won else 1 / program.compiled.players


def between_bots(program: Program, one: str, other: str, games: Iterable[int], first: int) -> Iterator[Ended]:
    """Games of these numbers of one bot against another one."""
    players, endings = program.compiled.players, list(program.rules.endings)
    seats = 1 if one == other else players
    for game in games:
        seed, seat = first + game // seats, game % seats
        names = [one if place == seat else other for place in range(players)]
        state, decisions = program.new_state(seed), 0
        for options, _ in program.steps(state, bots.chooser(program, names, seed)):
            decisions += bool(options)
        yield share_of(program, state, seat), endings[state[ENDING]], decisions


def openspiel_bot(game: Any, tries: int, seed: int) -> Any:
    """OpenSpiel's search with so many simulations."""
    pyspiel: Any = import_module("pyspiel")
    return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, tries, 100, True, seed, False)


def tries_of(name: str) -> int:
    """How many tries a bot has for a decision."""
    tries: int = bots.make(name, 0).budget.tries  # type: ignore[attr-defined]
    return tries


def against_openspiel(
    peer: Peer, ruleset: polis_rules.Ruleset, one: str, games: Iterable[int], first: int
) -> Iterator[Ended]:
    """Games of these numbers of one bot against OpenSpiel's search with as many simulations."""
    pyspiel: Any = import_module("pyspiel")
    theirs = pyspiel.load_game(peer.name)
    for game in games:
        seed, seat = first + game // 2, game % 2
        search = openspiel_bot(theirs, tries_of(one), seed)
        bot, state, decisions = bots.make(one, seed), theirs.new_initial_state(), 0
        here = ruleset.start(seed=seed)
        while not state.is_terminal():
            if state.current_player() == seat and here.decision is not None:
                chosen = bot.choose(here).id
                action = next((each for each in state.legal_actions() if peer.option(each) == chosen), None)
                action = state.legal_actions()[0] if action is None else action
            else:
                action = search.step(state)
            if (name := peer.option(action)) is not None:
                here.apply(name)
                decisions += 1
            state.apply_action(action)
        yield (state.returns()[seat] + 1) / 2, "over", decisions


def backgammon_against_openspiel(program: Program, one: str, games: Iterable[int], first: int) -> Iterator[Ended]:
    """The same in backgammon, where a throw is played here and there by different decisions: after it the boards are
    the same."""
    for game in games:
        seed, seat = first + game // 2, game % 2
        theirs, ours, decisions = Theirs(), Ours(program), 0
        search = openspiel_bot(theirs.state.get_game(), tries_of(one), seed)
        bot, rng = bots.make(f"mcts:{tries_of(one) // 2}", seed), Random(seed)
        while not theirs.state.is_terminal():
            dice = theirs.throw(rng)
            mover = theirs.state.current_player()
            ours.throw(dice, mover)
            if mover == seat:
                decisions += played(ours, bot)
                theirs = theirs.reached()[ours.board()]
            else:
                while theirs.state.current_player() == mover:
                    theirs.state.apply_action(search.step(theirs.state))
                    decisions += 1
                ours = ours.reached()[theirs.board()]
        yield (theirs.state.returns()[seat] + 1) / 2, "over", decisions


def played(ours: Ours, bot: bots.SeatBot) -> int:
    """A bot plays a throw; by how many decisions."""
    program, state, decisions = ours.program, ours.state, 0
    while state[PC] != program.finished and not program.is_chance[state[PC]]:
        options = program.options(state)
        program.apply(state, bot.pick(program, state, options) if options else LEAVE)
        decisions += bool(options)
    return decisions


def main() -> None:
    """Play, and print the share of A with its interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset", help="a shipped ruleset, a folder, or a game of the shelf")
    parser.add_argument("a", help="a bot, such as mcts:300")
    parser.add_argument("b", help=f"another one, or {OPENSPIEL}")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scenario")
    parser.add_argument("--variant", action="append", default=[])
    parser.add_argument("--native", choices=["auto", "wasm", "c"], default="auto", help="in which code bots think")
    parser.add_argument("--log", type=Path, help="a file that keeps the games, to go on with later")
    parser.add_argument("--again", type=int, metavar="N", help="play N games of the log once more, and compare")
    given = parser.parse_args()
    name = str(SHELF / given.ruleset) if (SHELF / given.ruleset).is_dir() else given.ruleset
    if name == BACKGAMMON.name:
        name = str(BACKGAMMON)
    peer = PEERS.get(Path(name).name) if given.b == OPENSPIEL else None
    ruleset = polis_rules.load(name, given.scenario, given.variant, settings=peer.settings if peer else None)
    match = {key: getattr(given, key) for key in ("ruleset", "a", "b", "seed", "scenario", "variant")}
    log = Log(given.log, match | {"rules": ruleset.hash}, given.again is not None)

    def play(games: list[int]) -> Iterator[Ended]:
        if peer is not None:
            return against_openspiel(peer, ruleset, given.a, games, given.seed)
        program = ruleset.program(native=given.native)
        if given.b == OPENSPIEL and name == str(BACKGAMMON):
            return backgammon_against_openspiel(program, given.a, games, given.seed)
        return between_bots(program, given.a, given.b, games, given.seed)

    if given.again is not None:
        play_again(log, given.again, play)
        return
    left = [game for game in range(given.games) if game not in log.ended]
    begun, made = time.process_time(), 0
    with suppress(KeyboardInterrupt):
        for game, ended in zip(left, play(left), strict=True):
            log.add(game, ended)
            made += 1
    spent = (time.process_time() - begun) / max(made, 1)
    seats = list(ruleset.rules().symbols.kinds["player"].members)
    report(
        f"{given.ruleset}: {given.a} against {given.b}",
        {game: log.ended[game] for game in sorted(log.ended) if game < given.games},
        seats[:1] if given.a == given.b else seats,
        spent,
    )


def report(title: str, numbered: dict[int, Ended], seats: list[str], spent: float) -> None:
    """Print the figures of some games, each of which took so many seconds, in all and for each of A's seats."""
    if not numbered:
        print(f"{title}: no game is over")
        return
    ended = list(numbered.values())
    games, won = len(ended), sum(share for share, _, _ in ended)
    endings, decisions = Counter(ending for _, ending, _ in ended), sum(count for _, _, count in ended)
    low, high = interval(won, games)
    print(f"{title}, {games} games: {won / games:.1%} ({low:.1%} to {high:.1%})")
    print(f"  {spent:.2f} s of CPU time and {decisions / games:.0f} decisions a game")
    for place, seat in enumerate(seats):
        shares = [share for game, (share, _, _) in numbered.items() if game % len(seats) == place]
        if shares:
            print(f"  as {seat}: {sum(shares) / len(shares):.1%} of {len(shares)}")
    for ending, times in endings.most_common():
        low, high = interval(times, games)
        print(f"  {ending}: {times / games:.1%} ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
