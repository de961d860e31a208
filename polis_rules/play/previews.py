"""What each option of a decision would change, tried on copies, as far as its player may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from polis_rules.diagnostics import PolisError
from polis_rules.interpreter.game import Game, Option, Options
from polis_rules.interpreter.machine import FINISH, LEAVE, PC, SEED
from polis_rules.interpreter.runtime import Program, State
from polis_rules.play.changes import MOST_TOLD, YES, Change, Changes, told
from polis_rules.play.known import Known
from polis_rules.play.situation import Situation
from polis_rules.semantics import ir

MOST_LEAVES = 40
"""An option that chance may turn out in more ways than these is not tried in all of them."""

MOST_TRIES = 600
"""So many ways are tried for all options of a decision together."""

MOST_WAYS = 3
"""Where chance leads to more different ends than these, each thing that changes is told with all that it may become."""

MANY = 5
"""Of so many options and more it is told once what nearly all of them change."""

MOST_STEPS = 200
"""How often a try may be passed on without anybody deciding."""

OVER = Change("", "the game ends", "no", YES, "bool", 0)
NEARLY_OVER = Change("", "the game ends with the next answer", "no", YES, "bool", 0)
"""Whatever another one answers, who is asked next."""
OVER_ANYWAY = Change("", "the game ends whatever is answered next", "no", YES, "bool", 0)
MOST_ANSWERS, MOST_OPTIONS = 3, 40
"""So many answers are looked ahead for the end of the game, where no more can be chosen at each."""


@dataclass(frozen=True, slots=True)
class Preview:
    """An option, and what taking it would change at once: up to the next decision of anybody."""

    option: Option
    way: str
    """the route that its price is for; empty where there is none"""
    parts: tuple[str, ...]
    """what would change, in words: for certain, then with each outcome of chance; none where nothing does that the
    player sees"""
    apart: str = ""
    """what sets the thing that is chosen apart from the others: the numbers on it, and what is told of it now"""
    anyway: str = ""
    """what would change with every option alike, and is not among the parts; each preview of a decision has the same"""
    mostly: str = ""
    """the same of what would change with nearly every option"""
    left: str = ""
    """of the one thing that it costs, how much the player had and has: `3 to 2`"""
    may_end: bool = False
    """whether the game ends with some of the options, which change nothing of `anyway`"""
    whole: tuple[str, ...] = ()
    """all that it would change, as `parts`, with what others change too, and nothing is left out to keep it short"""

    @property
    def price(self) -> str:
        """What it costs, what that leaves, and by which route: `costs 1 coin (3 to 2) by the pass`."""
        left = f" ({self.left})" if self.left else ""
        cost = f"costs {self.option.cost}{left}" if self.option.cost else ""
        return " ".join(filter(None, [cost, f"by {self.way}" if self.way else ""]))

    @property
    def common(self) -> list[str]:
        """What several options have in common, in sentences."""
        unless = ", as long as the game goes on" if self.may_end else ""
        whatever = [f"Whatever you choose{unless}: {self.anyway}"] if self.anyway else []
        return [*whatever, *([f"With most of these also: {self.mostly}"] if self.mostly else [])]

    @property
    def changes(self) -> str:
        """The same in a line."""
        return " / ".join(self.parts)


class Said(NamedTuple):
    """Something in words: as short as it is told beside an option, and with nothing left out."""

    short: str
    whole: str


class Tried(NamedTuple):
    """What an option does: what it changes for certain, and in words what depends on chance."""

    sure: Sequence[Change]
    rest: tuple[Said, ...]


HIDDEN, ROLLS, FAILS = (
    Said(each, each) for each in ("more depends on what is hidden", "more depends on chance", "a rule fails")
)


class Leaf(NamedTuple):
    """One way in which an option may turn out."""

    outcomes: tuple[int, ...]
    changes: tuple[Change, ...]


class HiddenReadError(Exception):
    """What the rules do now depends on what the player may not see."""


class ChanceError(Exception):
    """Dice or a draw come before anybody decides again."""


class Watched(list[int]):
    """A state of which some values are hidden: reading one raises HiddenReadError, whatever has been written counts."""

    hidden: set[int]

    def copy(self) -> Watched:
        other = Watched(list.__iter__(self))
        other.hidden = set(self.hidden)
        return other

    def __getitem__(self, at: Any) -> Any:
        if type(at) is int:
            if at in self.hidden:
                raise HiddenReadError
            return list.__getitem__(self, at)
        if at == slice(None):
            return self.copy()
        if not self.hidden.isdisjoint(range(*at.indices(len(self)))):
            raise HiddenReadError
        return list.__getitem__(self, at)

    def __setitem__(self, at: Any, value: Any) -> None:
        self.hidden.difference_update((at,) if type(at) is int else range(*at.indices(len(self))))
        list.__setitem__(self, at, value)

    def index(self, value: int, *ends: Any) -> int:
        first, last, _ = slice(*(ends or (None,))).indices(len(self)) if len(ends) != 1 else (ends[0], len(self), 1)
        if not self.hidden.isdisjoint(range(first, last)):
            raise HiddenReadError
        return list.index(self, value, *ends)


class Previews:
    """Tries the options of games of one program."""

    def __init__(self, program: Program, known: Known | None = None) -> None:
        self.program = program
        self.known = Known(program) if known is None else known
        self.changes = Changes(program)
        self.actions = {each.procedure for each in program.rules.actions}

    def of(self, game: Game) -> list[Preview]:
        """The options of the decision that waits, in their order, each with what it would change."""
        decision = game.decision
        if decision is None:
            return []
        viewer = game.players.index(decision.player)
        most = max(4, min(MOST_LEAVES, MOST_TRIES // len(decision.options)))
        hidden = set(self.program.views.hidden(game.state, viewer))
        tried = [self._tried(game, option.value, viewer, hidden, most) for option in decision.options]
        tried = self._without_restored(game, _without_repeated(tried, decision.options), viewer)
        going_on = [each for each in tried if OVER not in each.sure]
        may_end = 1 < len(going_on) < len(tried)
        alike, often = _alike(going_on if may_end else tried), Counter(change for each in tried for change in each.sure)
        anyway = "; ".join(_parts(alike))
        usual = {change for change, times in often.items() if 2 * times > len(tried)}
        nearly = (
            []
            if len(tried) < MANY
            else [change for change in often if change not in alike.sure and 4 * often[change] >= 3 * len(tried)]
        )
        alike = Tried([*alike.sure, *nearly], alike.rest)
        mostly = told(nearly)
        apart = Situation(game, decision.player, self.known).differences(decision.options)
        found = []
        for option, each in zip(decision.options, tried, strict=True):
            own = each if may_end and OVER in each.sure else _without(each, alike)
            paid = next((change for change in own.sure if change.is_cost(option.cost)), None)
            price = Tried([paid] if paid else [], ())
            parts, whole = _parts(_without(own, price), usual, option.title), _whole(_without(each, price))
            left, about = paid.how if paid else "", apart.get(option.id, "")
            found.append(Preview(option, game.way(option), parts, about, anyway, mostly, left, may_end, whole))
        return found

    def _without_restored(self, game: Game, tried: list[Tried], viewer: int) -> list[Tried]:
        """What is tried without what becomes again, whatever is chosen, as it was before the action that goes on.

        Rules take pieces away meanwhile. What is paid with is told in any case: it is paid, and gained.
        """
        sure = set[Change]().union(*(each.sure for each in tried))
        same = {each for each in sure if each.kind == "int" and not each.is_paid_with}
        same = {change for change in same if all(change in each.sure for each in tried)}
        if not same or (before := self._before_action(game)) is None:
            return tried
        since = {(each.what, each.was, each.now) for each in self.changes.between(before, game.state, viewer)}
        same = {change for change in same if (change.what, change.now, change.was) in since}
        return [each._replace(sure=[change for change in each.sure if change not in same]) for each in tried]

    def _before_action(self, game: Game) -> State | None:
        """The state at which the action was chosen that goes on; None where none does."""
        decision, rules = game.decision, {each.id: each for each in self.program.rules.actions}
        assert decision is not None
        if self.program.points[game.state[PC]].procedure in {rules[each].procedure for each in rules}:
            made = [entry for entry in game.log if entry[0] == "decision" or not game.automatic]
            for moment in reversed(range(game.moment)):
                kind, who, id = made[moment - game.moment]
                if kind == "decision" and who == decision.player and id in rules:
                    return game.earlier(moment).state
        return None

    def _tried(self, game: Game, value: int, viewer: int, hidden: set[int], most: int) -> Tried:
        state = Watched(game.state)
        state.hidden = hidden
        state[SEED] = 0  # what comes of chance later is nothing that a player knows
        begin = state.copy() if hidden else list(state)
        asked = game.state[PC]
        leaves: list[Leaf] = []
        dice: list[ir.Roll | ir.Draw] = []
        try:
            for outcomes, end, steps in self._ends(begin, value):
                self._go_through(end, asked, viewer)
                dice = max(dice, steps, key=len)
                leaves.append(Leaf(outcomes, (*self._ends_soon(end, viewer), *self._changed(game, end, viewer))))
                if len(leaves) > most:
                    return self._before_chance(game, state.copy() if hidden else list(state), value, viewer)
        except HiddenReadError:
            return Tried((), (HIDDEN,)) if dice or leaves else self._so_far(game, begin, viewer)
        except PolisError:
            return Tried((), (FAILS,))
        return self._in_words(leaves, dice, game)

    def _ends(
        self, state: State, value: int, outcomes: tuple[int, ...] = (), steps: tuple[Any, ...] = ()
    ) -> Iterator[tuple[tuple[int, ...], State, list[Any]]]:
        """The states at the next decisions, or at the end, each with the outcomes of chance that lead there."""
        program = self.program
        program.apply(state, value)
        for _ in range(MOST_STEPS):
            if state[PC] == program.finished:
                break
            if program.is_chance[state[PC]]:
                step, found = program.points[state[PC]].step, program.options(state)
                for outcome in found:
                    yield from self._ends(state[:], outcome, (*outcomes, outcome), (*steps, step))
                if found:
                    return
                if not program.may_be_empty(state):
                    raise program.dead_end(state)
            elif not program.may_be_empty(state) or self._can_decide(state):
                break
            program.apply(state, LEAVE)
        yield outcomes, state, list(steps)

    def _go_through(self, state: State, asked: int, viewer: int) -> None:
        """Answer what follows with only one option in the same rule, and finish an action that may be finished.

        As far as nothing hidden is read, and no chance comes. Asked the same once more, what is left is no part of
        what the option does.
        """
        program = self.program
        rule = program.points[asked].procedure
        try:
            for _ in range(MOST_STEPS):
                here = state[PC]
                if here == program.finished or program.is_chance[here] or program.decider(state) != viewer:
                    return
                options = program.options(state)
                ends = here == asked and FINISH in options and rule in self.actions
                follows = here != asked and len(options) == 1 and program.points[here].procedure == rule
                if not (ends or follows):
                    return
                state = self.passed_on(state, FINISH if ends else options[0])
        except (HiddenReadError, ChanceError):
            return

    def passed_on(self, state: State, value: int) -> State:
        """Apply an option to a state, up to where somebody may decide. Raises ChanceError where chance comes first."""
        program, after = self.program, state[:]
        program.apply(after, value)
        for _ in range(MOST_STEPS):
            if after[PC] == program.finished:
                break
            if program.is_chance[after[PC]]:
                raise ChanceError
            if not program.may_be_empty(after) or program.options(after):
                break
            program.apply(after, LEAVE)
        if isinstance(state, Watched) and isinstance(after, Watched):
            state.hidden = after.hidden
        list.__setitem__(state, slice(None), list.__iter__(after))
        return state

    def _can_decide(self, state: State) -> bool:
        """Whether somebody has an option; where that cannot be known the try ends as if."""
        try:
            return bool(self.program.options(state))
        except HiddenReadError:
            return True

    def _changed(self, game: Game, state: State, viewer: int) -> list[Change]:
        """What has become another in a tried state."""
        over = [OVER] if state[PC] == self.program.finished else []
        return [*over, *self.changes.between(game.state, list(list.__iter__(state)), viewer)]

    def _ends_soon(self, state: State, viewer: int) -> list[Change]:
        """That the game is over whatever comes next, as far as may be known; nothing of what the player is asked next
        with a choice, as the options tell it then."""
        program = self.program
        here = state[PC]
        try:
            if here == program.finished or program.is_chance[here]:
                return []
            if program.decider(state) == viewer and len(program.options(state)) > 1:
                return []
            answers = self._answers_to_end(state, MOST_ANSWERS)
        except (HiddenReadError, ChanceError, PolisError):
            return []
        return [] if not answers else [NEARLY_OVER if answers == 1 else OVER_ANYWAY]

    def _answers_to_end(self, state: State, most: int) -> int:
        """After how many answers the game is over whatever they are; 0 where it goes on, or may after more of them."""
        options = self.program.options(state)
        if not most or not 0 < len(options) <= MOST_OPTIONS:
            return 0
        longest = 0
        for option in options:
            after = self.passed_on(state[:], option)
            is_over = after[PC] == self.program.finished
            rest = 0 if is_over else self._answers_to_end(after, most - 1)
            if not (is_over or rest):
                return 0
            longest = max(longest, 1 + rest)
        return longest

    # -- in words ---------------------------------------------------------------------------------------------------

    def _in_words(self, leaves: list[Leaf], dice: Sequence[Any], game: Game) -> Tried:
        same, rest = _parted(leaves)
        ends: dict[tuple[Change, ...], list[tuple[int, ...]]] = {}
        for leaf, own in zip(leaves, rest, strict=True):
            ends.setdefault(own, []).append(leaf.outcomes)
        if len(ends) == 1:
            return Tried(same, ())
        if len(ends) > MOST_WAYS or any(len(leaf.outcomes) != 1 for leaf in leaves):
            return Tried(same, tuple(_ranges(rest)))
        parts, options = [], game.options
        for changes, ways in ends.items():
            numbers = [way[0] for way in ways]
            if changes:
                when = self._when(numbers, dice[0], options)
                parts.append(Said(f"{when}: {told(changes)}", f"{when}: {told(changes, len(changes))}"))
        return Tried(same, tuple(parts))

    def _so_far(self, game: Game, state: State, viewer: int) -> Tried:
        """What has changed before it mattered what is hidden."""
        return Tried(self._changed(game, state, viewer), (HIDDEN,))

    def _before_chance(self, game: Game, state: State, value: int, viewer: int) -> Tried:
        """What has changed when dice or a draw are first asked for."""
        self.program.apply(state, value)  # up to there, as chance is a point where games wait
        return Tried(self._changed(game, state, viewer), (ROLLS,))

    @staticmethod
    def _when(numbers: list[int], step: Any, options: Options) -> str:
        """With which outcomes, in words."""
        if not isinstance(step, ir.Roll):
            return f"if {_either([options.outcome(step, number) for number in numbers])} is drawn"
        sort = f"{step.dice}d{step.sides}" if isinstance(step.dice, int) and isinstance(step.sides, int) else ""
        return f"on {_either(list(_runs(numbers)))}{f' of {sort}' if sort else ''}"


def _without_repeated(tried: list[Tried], options: Sequence[Option]) -> list[Tried]:
    """What is tried without what only says once more that what is chosen is chosen, if it does so with each of them."""
    chosen = [(each.sure, option.title) for each, option in zip(tried, options, strict=True) if option.refers_to]
    said = [{change.what for change in sure if change.only_says(title)} for sure, title in chosen]
    always = set.intersection(*said) if said else set()
    return [
        each._replace(sure=[change for change in each.sure if change.what not in always]) if option.refers_to else each
        for each, option in zip(tried, options, strict=True)
    ]


def _alike(tried: Sequence[Tried]) -> Tried:
    """What every one of several options changes; nothing where there is one."""
    if len(tried) < 2:
        return Tried((), ())
    first, *others = tried
    sure = [change for change in first.sure if all(change in other.sure for other in others)]
    return Tried(sure, first.rest if all(other.rest == first.rest for other in others) else ())


def _without(each: Tried, alike: Tried) -> Tried:
    """What an option changes that not every option does."""
    return Tried([change for change in each.sure if change not in alike.sure], () if alike.rest else each.rest)


def _parts(each: Tried, usual: Set[Change] = frozenset(), chosen: str = "") -> tuple[str, ...]:
    """What is tried in words; where that is too much to be told whole, what most options change alike comes last.

    Where nothing changes but what is `chosen`, its title is not repeated.

    >>> changes = [Change("", each, "0", "1", "int", 0) for each in "abcdefg"]
    >>> _parts(Tried(changes, ()), set(changes[:6]))
    ('g 0 to 1, a 0 to 1, b 0 to 1, c 0 to 1, d 0 to 1, e 0 to 1; and 1 more',)
    """
    sure = sorted(each.sure, key=usual.__contains__) if len(each.sure) > MOST_TOLD else each.sure
    if all(change.whose == chosen for change in sure):
        sure = [replace(change, whose="") for change in sure]
    return (*([told(sure)] if sure else []), *(said.short for said in each.rest))


def _whole(each: Tried) -> tuple[str, ...]:
    """The same with nothing left out.

    >>> _whole(Tried([Change("", each, "0", "1", "int", 0) for each in "abcdefg"], ()))
    ('a 0 to 1, b 0 to 1, c 0 to 1, d 0 to 1, e 0 to 1, f 0 to 1, g 0 to 1',)
    """
    return (*([told(each.sure, len(each.sure))] if each.sure else []), *(said.whole for said in each.rest))


def _parted(leaves: Sequence[Leaf]) -> tuple[list[Change], list[tuple[Change, ...]]]:
    """What changes in any case, and what else changes in each."""
    often = Counter(change for leaf in leaves for change in set(leaf.changes))
    same = [change for change in leaves[0].changes if often[change] == len(leaves)]
    return same, [tuple(change for change in leaf.changes if often[change] < len(leaves)) for leaf in leaves]


def _ranges(ends: Iterable[Sequence[Change]]) -> Iterator[Said]:
    """Each thing that may change, with all that it may become."""
    found: dict[str, list[Change]] = {}
    for changes in ends:
        for each in changes:
            found.setdefault(each.what, []).append(each)
    for what, changes in found.items():
        if all(each.kind == "int" for each in changes):
            numbers = sorted({int(each.now) for each in changes})
            low, high = numbers[0], numbers[-1]
            short = whole = f"{what} {changes[0].was} to {low if low == high else f'{low} .. {high}'}"
        else:
            words = list(dict.fromkeys(each.how for each in changes))
            whole = f"{what} {_either(words)}"
            short = whole if len(words) <= MOST_LISTED else f"{what} another one"
        yield Said(f"{short} by chance", f"{whole} by chance")


MOST_LISTED = 5


def _runs(numbers: list[int]) -> Iterator[str]:
    """Numbers with those that follow each other as from and to.

    >>> list(_runs([1, 3, 4, 5, 8, 9]))
    ['1', '3 to 5', '8', '9']
    """
    for _, group in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        run = [number for _, number in group]
        yield from [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)


def _either(words: list[str]) -> str:
    """
    >>> _either(["1", "2", "3 to 5"])
    '1, 2 or 3 to 5'
    """
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
