"""What a random ruleset declares: kinds, attributes, state, and which terms, formulas and routes it will have."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random


@dataclass(frozen=True, slots=True)
class Type:
    """What an expression gives: `int`, `flag`, a member (`ref`, perhaps none), a `set` or a `list` of members."""

    base: str
    kind: str = ""
    maybe: bool = False

    def __str__(self) -> str:
        if self.base in ("set", "list"):
            return f"{self.base} of {self.kind}"
        if self.base == "ref":
            return f"{self.kind} or none" if self.maybe else self.kind
        return {"int": "number", "flag": "flag"}[self.base]


INT, FLAG = Type("int"), Type("flag")


@dataclass(frozen=True, slots=True)
class Value:
    """An attribute or a state variable; `owner` is a kind, or "" for the game itself."""

    owner: str
    name: str
    type: Type
    low: int = 0
    high: int = 0
    per: tuple[str, ...] = ()
    state: bool = False
    fixed: bool = False
    """rules read it and never set it"""
    derived: int = 0
    """above 0 it is worked out before play, of what is derived before it"""

    def written(self) -> str:
        """The type as a ruleset says it."""
        return f"{self.low}..{self.high}" if self.type == INT else str(self.type)


@dataclass(frozen=True, slots=True)
class Word:
    """A term, formula or route; expressions of a word use only words that are made before it."""

    sort: str
    name: str
    owner: str
    params: tuple[tuple[str, Type], ...]
    result: Type


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may use at its place."""

    names: tuple[tuple[str, Type], ...] = ()
    """local names, and paths that have just been checked against none"""
    words: int = 0
    """how many words are made already"""
    possible: bool = False
    fixed: int = 0
    """above 0 only what is fixed is known, and of what is derived that with a lower number"""
    titles: bool = False
    chosen: frozenset[str] = frozenset()
    """what the choices around choose: their ways may not use these names"""

    def having(self, name: str, kind: Type) -> Scope:
        """With a name more, or with another type of it."""
        return replace(self, names=(*(each for each in self.names if each[0] != name), (name, kind)))

    @property
    def you(self) -> bool:
        return any(name == "you" for name, _ in self.names)

    def fresh(self, kind: Type, first: str = "abcdefgh") -> str:
        """A local name that is not taken; names of a type are used again and again in different places."""
        ending = kind.kind or kind.base
        middle = f"{kind.base}_" if kind.base in ("set", "list") else ""
        taken = {name for name, _ in self.names} | self.chosen
        return next(name for one in first + "mnopqrstuvwxyz" if (name := f"{one}_{middle}{ending}") not in taken)


@dataclass(slots=True)
class World:
    """The declared things of one ruleset."""

    rng: Random
    members: dict[str, list[str]] = field(default_factory=dict)
    values: list[Value] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    stand_ins: bool = False
    """whether something may be paid instead of goods"""
    banked: bool = False
    """whether coins come from and go to a vault"""


TABLELESS = ("pair", "rank", "plot")
"""Kinds whose members nobody writes."""

PLAYERS = ["ann", "ben", "cid", "dan"]


def world(rng: Random, spots: int = 0) -> World:
    """Decide what there is; so many spots at least."""
    made = World(rng)
    made.members = {
        "player": PLAYERS[: rng.randint(2, 4)],
        "good": [f"good_{n}" for n in range(rng.randint(1, 3))],
        "spot": [f"spot_{n}" for n in range(max(rng.randint(2, 5), spots))],
        "card": [f"card_{n}" for n in range(rng.randint(1, 3))],
    }
    made.members["pair"] = [f"{good}_{card}" for good in made.members["good"] for card in made.members["card"]]
    if rng.random() < 0.4:
        low = rng.randint(0, 2)
        made.members["rank"] = [f"rank_{number}" for number in range(low, low + rng.randint(2, 4))]
        made.members["plot"] = [f"{rank}_{good}" for rank in made.members["rank"] for good in made.members["good"]]
    made.actions = [f"deed_{n}" for n in range(rng.randint(1, 3))]
    made.stand_ins, made.banked = rng.random() < 0.2, rng.random() < 0.2
    made.values += [
        Value("", "vault", INT, 0, rng.choice([9, 40]), state=True, fixed=True),
        Value("", "fuel", INT, 0, 9, state=True, fixed=True),
        Value("", "tally", INT, 0, rng.choice([3, 9]), state=True),
        Value("player", "coins", INT, 0, rng.choice([2, 9, 30]), state=True, fixed=made.banked),
        Value("player", "purse", INT, 0, rng.choice([1, 9]), ("good",), state=True),
        Value("player", "stock", INT, 0, 12, state=True, fixed=True),
        Value("spot", "units", INT, 0, 12, ("player",), state=True, fixed=True),
        Value("", "pile", Type("list", "card"), 0, 9, state=True),
        Value("player", "hand", Type("list", "card"), 0, 9, state=True),
        Value("card", "spent", INT, 0, 30, state=True),
        Value("", "turns", Type("list", "player"), 0, 9, state=True),
    ]
    for owner in ("", *made.members):
        for number in range(rng.randint(1, 3)):
            made.values.append(_value(made, owner, f"{owner or 'game'}_state_{number}", True))
        for number in range(rng.randint(1, 3) if owner not in ("", *TABLELESS) else 0):
            made.values.append(_value(made, owner, f"{owner}_fact_{number}", False))
    made.values += [Value("pair", kind, Type("ref", kind)) for kind in ("good", "card")]
    if "plot" in made.members:
        low = int(made.members["rank"][0].rpartition("_")[2])
        made.values.append(Value("rank", "number", INT, low, low + len(made.members["rank"]) - 1))
        made.values += [Value("plot", kind, Type("ref", kind)) for kind in ("rank", "good")]
        made.values += _derived(made)
    for number in range(rng.randint(3, 7)):
        made.words.append(_word(made, number))
    return made


def _value(made: World, owner: str, name: str, state: bool) -> Value:
    rng = made.rng
    kind = a_type(made)
    per = tuple(rng.sample(list(made.members), rng.choice([0, 0, 0, 1, 1, 2])))
    if len(per) * (kind.base in ("set", "list")):
        per = ()
    if kind.base == "list":
        return Value(owner, name, kind, 0, 9, per if state else (), state)
    low = rng.choice([0, 0, 0, -3, -1, 1, 2])
    return Value(owner, name, kind, low, low + rng.choice([1, 2, 5, 9, 40]), per, state)


def _derived(made: World) -> list[Value]:
    """Attributes that are worked out, among them some that tell a next member."""
    rng = made.rng
    kinds = [rng.choice(["plot", "rank", "spot", "player"]) for _ in range(rng.randint(1, 3))]
    steps = [(kind, Type("ref", kind, True)) for kind in ("plot", rng.choice(["spot", "rank"]))]
    every = [*((kind, a_type(made)) for kind in kinds), *steps]
    return [
        Value(owner, f"derived_{number}", kind, 0, rng.choice([1, 5, 9]), derived=number,
              per=tuple(rng.sample(["good", "rank"], rng.choice([0, 0, 1]))))
        for number, (owner, kind) in enumerate(every, 1)
    ]  # fmt: skip


def a_type(made: World) -> Type:
    """Any type that state may have."""
    rng = made.rng
    base = rng.choice(["int", "int", "flag", "ref", "ref", "maybe", "set", "list"])
    kind = rng.choice(list(made.members))
    if base in ("int", "flag"):
        return Type(base)
    return Type(base, kind) if base in ("set", "list") else Type("ref", kind, base == "maybe")


def _word(made: World, number: int) -> Word:
    rng = made.rng
    sort = rng.choice(["term", "term", "formula", "route"])
    params = []
    for at in range(rng.randint(0, 2)):
        kind = a_type(made)
        if sort == "route":
            kind = Type("ref", rng.choice(list(made.members)))
        params.append((f"{'pqr'[at]}_{sort}", kind))
    if sort == "route":
        return Word(sort, f"route_{number}", "", tuple(params[:1]), INT)
    if sort == "formula":
        return Word(sort, f"formula_{number}", rng.choice(["spot", "card"]), tuple(params), INT if number % 2 else FLAG)
    return Word(sort, f"term_{number}", "", tuple(params), a_type(made))
