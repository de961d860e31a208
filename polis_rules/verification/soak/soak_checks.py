"""What must hold at every position of a game: each check says what is wrong, or nothing.

The checks take nothing but the game as it stands and leave it as it is, so that a game that fails one can be shrunk.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice, permutations, product

from polis_rules.diagnostics import PolisError
from polis_rules.interpreter.game import Game, decisions
from polis_rules.interpreter.machine import PC, YOU, limits, limits_of
from polis_rules.interpreter.runtime import Program, State
from polis_rules.semantics import Variable, every_variable, ir

WORLDS = 1
"""How many other worlds are looked at for each player and position."""

MOST_NAMES = 3
"""How many things that are not offered are asked about: other ones from decision to decision."""

MOST_KNOWN = 1000
"""Among how many of the things that could be called at a decision these are."""

MOST_CHANCES = 4
"""How many dice and draws after a decision are looked at."""

MOST_LATER = 20
"""For how many decisions, dice and draws two games are followed that something secret has parted."""

SHOWN = {"view": "view of {} shows", "report_for": "report for {} tells", "log_for": "log for {} tells"}
"""What of a game is shown to one player: methods, and how it is said that they tell too much."""


class Checks:
    """The checks of one ruleset. `worlds` counts how often something hidden was exchanged.

    >>> from polis_rules import load
    >>> game = load("yucata").start(seed=7)
    >>> Checks(game.program).wrong(game)
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.worlds = 0
        symbols = program.rules.symbols
        self.variables = every_variable(symbols)
        self.secret = [each for each in self.variables if not each.open]
        steps = [point.step for point in program.points]
        self.secretive = any(each.secret if isinstance(each, ir.Choose) else each.seen_by is not None for each in steps)
        """whether something is chosen, or comes out, that not everybody is told"""
        self.players = symbols.kinds["player"].members
        self.sizes = {name: len(kind.members) for name, kind in symbols.kinds.items()}
        self.limits = limits(symbols, program.layout)
        self.numbers = {slot for each in self.variables if each.type.base == "int" for slot in self.slots(each)}
        self.lists = [
            (slot, each)
            for each in self.variables
            if each.type.base == "list"
            for slot in self.slots(each)[:: each.width]
        ]
        """the slots at which lists begin"""
        self.always = [holds for _, holds in program.invariants]
        # one line of code for all ranges: a loop over them takes longer than the game
        ranges = [f"{low} <= s[{slot}] <= {high}" for slot, (low, high) in self.limits.items()]
        self.in_range = eval(f"lambda s: {' and '.join(ranges) or True}")

    def slots(self, variable: Variable) -> range:
        """Where the values of a variable stand in a state."""
        base = self.program.layout.bases[variable.owner, variable.name]
        return range(base, base + variable.size)

    def ends(self, variable: Variable) -> Iterator[tuple[int, tuple[int, int]]]:
        """The slots of a variable, each with the least and the greatest number that may stand there."""
        return limits_of(variable, self.program.rules.symbols, self.program.layout)

    def wrong(self, game: Game) -> str | None:
        """What is wrong with a game as it stands, or None."""
        return self.out_of_range(game.state) or self.not_undone(game) or self.leaked(game)

    # -- ranges -----------------------------------------------------------------------------------------------------

    def out_of_range(self, state: State) -> str | None:
        """The first value that its declaration does not allow."""
        if self.in_range(state):
            return self.torn(state)
        for variable in self.variables:
            for slot, (low, high) in self.ends(variable):
                if not low <= state[slot] <= high:
                    return f"{variable.owner}.{variable.name} is {state[slot]}, outside of {low}..{high}"
        return None

    def torn(self, state: State) -> str | None:
        """The first list whose members do not stand where its length says."""
        for slot, variable in self.lists:
            members = state[slot + 1 : slot + variable.width]
            if -1 in members[: state[slot]] or members[state[slot] :] != [-1] * (variable.at_most - state[slot]):
                return f"{variable.owner}.{variable.name} holds {members} and says that these are {state[slot]}"
        return None

    # -- undo -------------------------------------------------------------------------------------------------------

    def not_undone(self, game: Game) -> str | None:
        """What is not as it was after the next decision is made and taken back, or the last one is taken back and made.

        All of it is done on copies; the game itself must not notice.
        """
        now = told(game)
        other = game.copy()
        if other.decision is not None:
            other.apply(one_option(other))
            told(other)  # what was told is taken back, too
            other.undo()
            if what := parted(now, told(other)):
                return f"undo does not restore the {what}"
        if not other.undo():
            return None
        earlier = told(other)
        kind, _, what = game.log[len(other.log)]
        (other.apply if kind == "decision" else other.answer)(what)
        if what := parted(now, told(other)):
            return f"what is taken back and done again leads to another {what}"
        second = game.copy()
        second.undo()
        if what := parted(earlier, told(second)) or parted(now, told(game)):
            return f"undo on a copy changes the {what} of the game that it was copied from"
        return None

    # -- what is hidden ---------------------------------------------------------------------------------------------

    def leaked(self, game: Game) -> str | None:
        """How a player could tell something that the player may not see."""
        if not self.secret and not self.secretive:
            return None
        for viewer, player in enumerate(self.players):
            hidden = self.hidden(game.state, viewer)
            for world in islice(self.other_worlds(game.state, hidden, len(game.log)), WORLDS if hidden else 0):
                if self.hidden(world, viewer) != hidden:
                    continue  # what is hidden hangs on what it is: the player can tell this world by that
                self.worlds += 1
                other = game.at(world)
                if what := self.told_apart(game, other, player) or self.told_apart_later(game, other, viewer):
                    return what
        return self.choice_tells(game) or self.chance_tells(game)

    def hidden(self, state: State, viewer: int) -> set[int]:
        """The slots of what a player may not see."""
        return set(self.program.views.hidden(state, viewer))

    def told_apart(self, one: Game, other: Game, player: str, since: Game | None = None) -> str | None:
        """How a player could tell two positions apart that look alike to this player.

        If players have finished to act together `since` then, what they did has been told to all, and may be hidden
        again because they act together once more. So may be what has lain open in between.
        """
        told = since is not None and (since.disclosures, one.open_report) != (one.disclosures, other.open_report)
        for name, words in SHOWN.items():
            if told and name != "view":
                continue
            if getattr(one, name)(player) != getattr(other, name)(player):
                return f"the {words.format(player)} what {player} may not see"
        decision = one.decision
        if decision is None or decision.player != player:
            return None
        if decision != other.decision:
            return f"the options of {player} tell what {player} may not see"
        if any(one.why_not(name) != other.why_not(name) for name in self.not_offered(one)):
            return f"the refusals for {player} tell what {player} may not see"
        return None

    def not_offered(self, game: Game) -> list[str]:
        """Some of what a decision does not offer."""
        decision, step = game.decision, self.program.points[game.state[PC]].step
        if decision is None or not isinstance(step, ir.Choose):
            return []
        kinds = self.program.rules.symbols.kinds
        members = [kinds[source.type.kind].members for _, source in step.chosen if source is not None]
        names = chain((way.id for way in step.ways), map(" ".join, product(*members) if members else ()))
        offered = {option.id for option in decision.options}
        refused = [name for name in islice(names, MOST_KNOWN) if name not in offered]
        begin = MOST_NAMES * len(game.log) % max(1, len(refused))
        return (refused[begin:] + refused[:begin])[:MOST_NAMES]

    def told_apart_later(self, game: Game, other: Game, viewer: int) -> str | None:
        """The same after a decision that is made in both positions."""
        if game.decision is None:
            return None
        option = one_option(game)
        here, there = game.copy(), other.copy()
        here.apply(option)
        try:
            there.apply(option)
        except PolisError:
            return None  # the other player could not have decided so there, and that is no secret
        return self.told_apart(here, there, self.players[viewer], game) if self.alike(here, there, viewer) else None

    def choice_tells(self, game: Game) -> str | None:
        """How another player could tell what is chosen in secret: each time one option is held against another."""
        if game.decision is None or not game.decision.secret:
            return None
        chosen, options = one_option(game), game.decision.options
        for other in sorted({options[0].id, options[-1].id} - {chosen}):
            here, there = game.copy(), game.copy()
            here.automatic = there.automatic = False
            here.apply(chosen)
            try:
                there.apply(other)
            except PolisError:
                continue  # what fails is found where a game comes to it
            if what := self.told_apart_since(here, there, game.disclosures):
                return what
        return None

    def chance_tells(self, game: Game) -> str | None:
        """How a player could tell what came out where dice or a draw only change what the player may not see."""
        if game.decision is None:
            return None
        if decisions(game.log):
            here = game.copy()
            here.automatic = False
            here.apply(one_option(game))
        else:
            here = Game(self.program, game.seed, "manual")
        for _ in range(MOST_CHANCES):
            if here.chance is None:
                break
            first, last = here.chance.outcomes[0], here.chance.outcomes[-1]
            one, two = here.copy(), here.copy()
            try:
                one.answer(first)
                two.answer(last)
            except PolisError:
                break  # what fails is found where the game comes to it
            if what := self.told_apart_since(one.copy(), two, here.disclosures):
                return what
            here = one
        return None

    def told_apart_since(self, one: Game, other: Game, disclosed: int) -> str | None:
        """How a player could tell which of two answers was given to a secret choice, a roll or a draw.

        Both games were played by the rules and from now on go the same way. So whoever was told the same in both, up to
        some step at which different things are hidden from this player, may not be told them by that step either. A
        player who has been shown a difference that is not hidden (what was chosen is revealed, or the games wait for
        different things) is asked no more, for what follows may be deduced. Nor is anybody after players have finished
        to act together, which they had done `disclosed` times before: all are told then what each of them did. Nor is
        anybody after something else has lain open.
        """
        unaware = list(range(len(self.players)))
        for _ in range(MOST_LATER):
            if one.disclosures != disclosed or one.open_report != other.open_report:
                break
            for viewer in unaware[:]:
                what = None
                if self.alike(one, other, viewer):
                    what = self.told_apart(one, other, self.players[viewer])
                    differs = any(one.state[slot] != other.state[slot] for slot in self.hidden(one.state, viewer))
                    self.worlds += differs
                    if what and (differs or self.untold(one, other, self.players[viewer])):
                        return what
                    if what is None:
                        continue
                unaware.remove(viewer)
            if not unaware or not moved_on(one, other):
                break
        return None

    def untold(self, one: Game, other: Game, player: str) -> bool:
        """Whether the logs of two games differ in nothing but what they hide from a player."""
        return one.log != other.log and one.log_for(player) == other.log_for(player)

    def alike(self, one: Game, two: Game, viewer: int) -> bool:
        """Whether a player sees the same at the same step of two games, and no more of one than of the other."""
        player = self.players[viewer]
        same_step = one.state[PC] == two.state[PC] and one.state[YOU] == two.state[YOU]
        return (
            same_step
            and self.hidden(one.state, viewer) == self.hidden(two.state, viewer)
            and one.view(player) == two.view(player)
        )

    def other_worlds(self, state: State, hidden: set[int], turn: int) -> Iterator[State]:
        """Positions that differ in nothing but what is hidden: of two members of a kind, or at two places of lists.

        Two members have changed places in all of it, or they have exchanged one of what is counted in two places, as a
        card of a hand and one of a pile; or two cards of lists have changed places.
        Those that break an invariant or a supply are no such positions. `turn` says where the search begins.
        """
        worlds = [self.exchanged(state, hidden, turn), self.with_others(state, hidden, turn)]
        for world in chain(*(worlds if turn % 2 else reversed(worlds))):
            if world != state and self.allowed(world):
                yield world

    def with_others(self, state: State, hidden: set[int], turn: int) -> Iterator[State]:
        """States in which something hidden of two members is exchanged."""
        for owner in dict.fromkeys(each.owner for each in self.secret if each.owner):
            pairs = list(combinations(self.rows(owner, hidden), 2))
            begin = turn % len(pairs) if pairs else 0
            for one, other in pairs[begin:] + pairs[:begin]:
                yield from (_swapped(state, one, other), *self.shifted(state, one, other))

    def exchanged(self, state: State, hidden: set[int], turn: int) -> Iterator[State]:
        """States in which two members of a kind have changed places in hidden lists."""
        places: dict[str, list[int]] = {}
        for slot, variable in self.lists:
            for place in range(slot + 1, slot + 1 + state[slot]):
                if place in hidden:
                    places.setdefault(variable.type.kind, []).append(place)
        for slots in places.values():
            begin = turn % len(slots)
            turned = slots[begin:] + slots[:begin]
            yield from (_swapped(state, [one], [other]) for one, other in combinations(turned, 2))

    def allowed(self, world: State) -> bool:
        """Whether the invariants and the supplies hold; what has failed is asked first the next time."""
        for number, holds in enumerate(self.always):
            if not holds(world):
                self.always.insert(0, self.always.pop(number))
                return False
        return True

    def rows(self, owner: str, hidden: set[int]) -> list[list[int]]:
        """The hidden slots of each member of a kind of which something is hidden; -1 stands for one that is not."""
        rows = []
        for member in range(self.sizes[owner]):
            row = []
            for variable in self.secret:
                if variable.owner == owner and variable.type.base != "list":
                    slots, stride = self.slots(variable), variable.size // self.sizes[owner]
                    row += [slot if slot in hidden else -1 for slot in slots[member * stride : (member + 1) * stride]]
            if any(slot >= 0 for slot in row):
                rows.append(row)
        return rows

    def shifted(self, state: State, one: list[int], other: list[int]) -> Iterator[State]:
        """States where two members have exchanged one between two of their slots, so that all sums stay."""
        for (a, b), (c, d) in permutations(zip(one, other, strict=True), 2):
            if min(a, b, c, d) >= 0 and self.numbers.issuperset((a, b, c, d)):
                world = state[:]
                for slot, more in ((a, -1), (c, 1), (b, 1), (d, -1)):
                    world[slot] += more
                if self.in_range(world):
                    yield world


def _swapped(state: State, one: list[int], other: list[int]) -> State:
    """A state where two members have changed places in what is hidden of both."""
    world = state[:]
    for a, b in zip(one, other, strict=True):
        if a >= 0 and b >= 0:
            world[a], world[b] = state[b], state[a]
    return world


def one_option(game: Game) -> str:
    """One of the options that wait, another one from decision to decision."""
    assert game.decision is not None
    return game.decision.options[len(game.log) % len(game.decision.options)].id


def moved_on(one: Game, other: Game) -> bool:
    """Make the same decision, die or draw in two games that wait for the same; False where none fits both."""
    both = sorted({*answers(one)} & {*answers(other)})
    if not both:
        return False
    what = both[len(one.log) % len(both)]
    try:
        for game in (one, other):
            (game.apply if game.chance is None else game.answer)(what)
    except PolisError:
        return False  # what fails is found where a game comes to it
    return True


def answers(game: Game) -> tuple[str, ...]:
    """The ids of what may be decided now, or of how the waiting chance may come out; none when the game is over."""
    if game.chance is not None:
        return game.chance.outcomes
    return tuple(option.id for option in game.decision.options) if game.decision is not None else ()


def told(game: Game) -> dict[str, object]:
    """All that a game shows of where it stands."""
    state, report = game.state[:], game.report
    return {"state": state, "decision": game.decision, "chance": game.chance, "report": report, "log": game.log}


def parted(one: dict[str, object], other: dict[str, object]) -> str | None:
    """The name of the first thing in which two positions differ."""
    return next((what for what, was in one.items() if other[what] != was), None)
