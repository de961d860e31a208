"""Looking for a good option by trying, in native code where there is some."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from math import ceil, inf
from threading import Thread
from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from polis_rules.diagnostics import RuleError
from polis_rules.interpreter.runtime.native import PythonSearch, Search, Secretive, Style, TrappedError, Trees
from polis_rules.play.bots.dealing import Dealer

if TYPE_CHECKING:
    from random import Random

    from polis_rules.interpreter.runtime import Program, State
    from polis_rules.interpreter.runtime.native import Native
    from polis_rules.play.bots.seat import Budget

WORLDS = 32
"""In so many states, dealt anew, a search tries."""

AT_ONCE = 0.05
"""Tries are asked for in groups that take about so many seconds, or a twentieth of the time to think: who stops a
search waits for the end of one."""

LOOKS = 0.25
"""Where there is a time to think, native code is waited for so long a share of it;
tries are in Python until it is there."""

DEALS = 0.25
"""Where there is a time to think, no more states are dealt after this share of it."""

FIRST_TRIES = 8
PATIENCE = 1.0
"""After so many seconds of tries in Python, of all bots together, native code is opened, which finds the same; a search
that goes on then begins again in it."""

CHECKS = 16
"""So often in a search, in its second half, it is asked whether what is tried most can still change."""

HOPELESS = 0.75
"""After so much of a search it ends where its player can hardly win: the rest is for what else may be looked for."""

FAILURES = 50
"""So many tries may fail before a search ends."""

SAID: list[str] = []
"""Why there is no native code, as soon as that was said."""


OWN_TURN = Style(exploration=0.3, after=12, own_turn=True)
"""How a search goes that looks no further than to the end of a player's turn."""

WHOLE_GAME = Style(exploration=0.6, width=4.0, after=200, random=384, gain=512, keeps=True)
"""How one goes that looks as far as it can."""

OPEN_GAME = replace(WHOLE_GAME, random=768, gain=0)
"""The same in games of two without chance or secrets. What was good elsewhere tells less where it is places that are
chosen, and who leads by points may be about to lose."""


SOON = 60
"""After so many decisions it is asked who leads, where few tries come to the end of the game and `advice` says what a
position is worth. Without that a lead tells little: of `mcts:200` in backgammon, who looked so far won 38 of 100 games
against one who looked to the end."""


def whole_game(program: Program) -> Style:
    """How a search goes that looks as far as it can, in a game."""
    if Secretive.of(program.compiled).solves:
        return OPEN_GAME
    return replace(WHOLE_GAME, soon=SOON) if program.rules.advice else WHOLE_GAME


class Shared:
    """What all bots that think about one program have in common, also those of games to come."""

    def __init__(self) -> None:
        self.spent = 0.0
        """how many seconds they have tried in Python"""
        self.looked = False
        self.native: Native | None = None
        """the native code that there is, once that was looked for"""
        self.carry: Callable[[State], State] = list
        """what makes of a state of the program one of the native code, which is of other code where games are told"""
        self.dealer: Dealer | None = None
        self.looking: Thread | None = None

    def look_meanwhile(self, program: Program, seconds: float) -> None:
        """Look for native code while others go on, who wait so long for it: if it has to be made that takes longer."""
        if self.looking is None:
            self.looking = Thread(target=self.look, args=(program,), daemon=True)
            self.looking.start()
        self.looking.join(seconds)

    def look(self, program: Program) -> None:
        """Look for native code, and say why there is none."""
        native, reason = program.native, ""
        if native is None and program.opening is not None:
            native, reason = program.opening()
            if native is not None and program.carried is not None:
                self.carry = program.carried()
        self.native, self.looked = native, True
        if self.native is None and not SAID:
            SAID.append(reason)
            why = f": {reason}" if reason else ""
            warnings.warn(f"bots think in Python, and would be faster in native code{why}", stacklevel=2)


class Asked(NamedTuple):
    """A search: for whom, among which states that this player cannot tell apart, and how long."""

    worlds: list[State]
    player: int
    seed: int
    style: Style
    tries: int
    until: float
    """when it ends, by `perf_counter`"""
    until_settled: bool
    """whether it ends once no other option can be tried more often than the one that was tried most"""
    hope: float
    """it ends early, too, where no option is worth so much"""


SHARED: WeakKeyDictionary[Program, Shared] = WeakKeyDictionary()


class Thinker:
    """Searches for one program; the same for the same tries, in Python as in native code."""

    def __init__(self, program: Program, budget: Budget) -> None:
        self.program, self.budget = program, budget
        self.stopped: Callable[[], bool] | None = None
        self.worth: dict[int, float] = {}
        """what each option was worth in the last search for who decides, from 0 (lost) to 1 (won)"""
        self.shared = SHARED.setdefault(program, Shared())

    @property
    def dealer(self) -> Dealer:
        """Who deals what players cannot see."""
        if self.shared.dealer is None:
            self.shared.dealer = Dealer(self.program)
        return self.shared.dealer

    @cached_property
    def in_python(self) -> PythonSearch:
        """Trees in Python."""
        return PythonSearch(self.program, self._nodes(1 << 15))

    @cached_property
    def native(self) -> list[Search]:
        """Trees in native code, one for each thread; none where there is no native code."""
        if not self.shared.looked:
            self.shared.look(self.program)
        opened = self.shared.native
        if opened is None:
            return []
        about = Secretive.of(self.program.compiled)
        found = [Search(opened, self._nodes(1 << 17), WORLDS, about) for _ in range(self.budget.jobs)]
        if "in_python" in vars(self):
            for tree in found:
                tree.known = self.in_python.known
        return found

    def _nodes(self, most: int) -> int:
        return most if self.budget.seconds else min(most, 4096 + 8 * self.budget.tries)

    def visits(
        self,
        state: State,
        style: Style,
        rng: Random,
        tries: int = 0,
        *,
        until_settled: bool = False,
        hope: float = 0.0,
    ) -> Counter[int]:
        """How often each option was tried in the end; nothing where all tries failed.

        With `until_settled` a search of one tree ends once no other option can be tried more often than the one that
        was tried most. One in which no option is worth as much as `hope` ends after so much of it (`HOPELESS`).
        """
        now, player = perf_counter(), self.program.decider(state)
        if self.budget.seconds and not self.shared.looked and self.program.native is None:
            self.shared.look_meanwhile(self.program, LOOKS * self.budget.seconds)
        trees: Sequence[Trees] = self.native if self._waits_no_longer() else []
        dealt, until = inf, inf
        if self.budget.seconds:
            dealt, until = perf_counter() + DEALS * self.budget.seconds, now + self.budget.seconds
        worlds = self.dealer.worlds(state, player, rng, WORLDS, dealt)
        seed, tries = rng.getrandbits(60), tries or self.budget.tries
        asked = Asked(worlds, player, seed, style, tries, until, until_settled, hope)
        if trees:
            self._search(trees, asked)
        else:
            known, trees = self.in_python.known, [self.in_python]
            if self._search(trees, asked):  # what was tried counts no more: the same is tried again, in less time
                trees = self.native
                for each in trees:
                    each.known = known
                self._search(trees, asked)
        found, lost = Counter[int](), set[int]()
        sums: dict[int, float] = {}
        for tree in trees:
            searched = tree.found()
            found.update(searched.visits)
            lost |= searched.lost
            for option, value in searched.values.items():
                sums[option] = sums.get(option, 0.0) + value * searched.visits.get(option, 0)
        self.worth = {option: total / found[option] for option, total in sums.items() if found[option]}
        return Counter({option: visits for option, visits in found.items() if option not in lost}) or found

    def _waits_no_longer(self) -> bool:
        shared = self.shared
        if shared.looked or self.program.native is not None:
            return True
        return not self.budget.seconds and shared.spent > PATIENCE

    def _search(self, trees: Sequence[Trees], asked: Asked) -> bool:
        """Search in these trees; whether that was given up in Python, as it takes long and there is native code."""
        carry = list if isinstance(trees[0], PythonSearch) else self.shared.carry
        roots = [*map(carry, asked.worlds)]
        for number, tree in enumerate(trees):
            tree.begin(roots, asked.player, asked.seed + number, asked.style)
        if len(trees) == 1:
            return self._try(trees[0], asked)
        part = asked._replace(tries=-(-asked.tries // len(trees)), until_settled=False)
        with ThreadPoolExecutor(len(trees)) as pool:
            for done in [pool.submit(self._try, tree, part) for tree in trees]:
                done.result()
        return False

    def _try(self, tree: Trees, asked: Asked) -> bool:
        """Go on with a tree as long as may be; whether native code has to go on instead."""
        timed, tries, until = self.budget.seconds > 0, asked.tries, asked.until
        at_once = min(AT_ONCE, self.budget.seconds / 20) if timed else AT_ONCE
        group, failures = 1 if timed else FIRST_TRIES, 0
        first = perf_counter()
        check = 0.5 if asked.until_settled else HOPELESS  # after this share of the search
        while failures < FAILURES and not (self.stopped and self.stopped()):
            begun, spent = perf_counter(), process_time()
            share = (begun - first) / max(until - first, 1e-6) if timed else tree.done / tries
            if share >= check:
                if asked.until_settled and _is_settled(tree, tree.done / share - tree.done):
                    return False
                if share >= HOPELESS and _is_hopeless(tree, asked.hope):
                    return False
                check = check + 0.5 / CHECKS if asked.until_settled else inf
            left = group if timed else ceil(min(check, 1) * tries) - tree.done
            if left <= 0 or begun >= until:
                return False
            try:
                tree.go_on(min(group, left))
            except (TrappedError, RuleError):
                failures += 1
            taken = perf_counter() - begun
            group = max(1, min(2 * group, int(group * at_once / max(taken, 1e-6))))
            if isinstance(tree, PythonSearch):
                self.shared.spent += process_time() - spent
                if not self.shared.looked and self._waits_no_longer() and self.native:
                    return True
        return False


def _is_settled(tree: Trees, left: float) -> bool:
    """Whether an option was tried so often that no other one can be tried more in so many tries that are left."""
    found = tree.found()
    most = sorted((visits for option, visits in found.visits.items() if option not in found.lost), reverse=True)
    return bool(most) and most[0] - (most[1] if len(most) > 1 else 0) > left


def _is_hopeless(tree: Trees, hope: float) -> bool:
    """Whether no option is worth so much."""
    return max(tree.found().values.values(), default=hope) < hope
