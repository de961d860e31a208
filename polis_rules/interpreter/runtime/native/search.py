"""Search trees, made in native code, or by the same functions in Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polis_rules.interpreter.compiler.native import KNOWN_MOST, LOG, NODE, NODE_WORDS, TREE, WORD, WORTH, per_player
from polis_rules.interpreter.machine import PC, draw64, salt
from polis_rules.interpreter.runtime.native.native import BEFORE, Native, Playing, native_of, signed

if TYPE_CHECKING:
    from polis_rules.interpreter.machine import Compiled

State = list[int]

LONGEST_PATH = 4096
"""How deep a tree can be."""
ALWAYS = 1024
"""All of the decisions after the tree are made at random."""
SEARCH = salt("search")


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found out: by option, how often it was tried, and what that was worth for who decides.

    Values go from 0 (lost) to 1 (won).
    """

    visits: dict[int, int]
    values: dict[int, float]
    tries: int
    nodes: int
    depth: float
    """how many decisions of a try were those of the tree, on average"""
    lost: frozenset[int] = frozenset()
    """the options by which somebody else wins for certain"""

    @property
    def best(self) -> int:
        """The option that was tried most often."""
        return max(self.visits, key=lambda option: self.visits[option])


@dataclass(frozen=True, slots=True)
class Style:
    """How trees are made. As it is: UCT with playouts at random to the end of the game."""

    exploration: float = 1.0
    """how much options that are little known are preferred, up to 1000"""
    margin: int = 0
    """by so many points a game is won as well as can be; 0: only who wins counts"""
    points: bool = False
    """whether it counts by how much a player leads in the end, where points decide, and not only who wins"""
    width: float = 0
    """at a node that was come to n times so many times the root of n options are tried; 0: all"""
    after: int = 1 << 30
    """so many decisions after the tree it is asked how much a player leads"""
    soon: int = 1 << 30
    """after so many, if fewer than nine tries of ten come to the end of the game before"""
    random: int = ALWAYS
    """of 1024 such decisions so many are made at random, the others by what has been good elsewhere"""
    keeps: bool = False
    """whether it is still known what has been good elsewhere before this decision, at half its weight"""
    gain: int = 0
    """of 1024 parts of what a choice has been worth elsewhere so many come from what its turn has made of the lead"""
    own_turn: bool = False
    """whether a try ends when somebody else decides"""


class Trees(ABC):
    """Looks for good options by trying: each try has dice and draws of its own.

    There are at most so many `nodes`; when these are there, tries go on in the trees as they are.
    """

    def __init__(self, compiled: Secretive, nodes: int) -> None:
        if nodes < compiled.trees:
            raise ValueError("a tree has at least one node")
        self.nodes, self.trees = nodes, compiled.trees
        players = compiled.players
        self.places = TREE | per_player(players)
        parts = {
            "RECORD": len(TREE) + 3 * players, "NODES": nodes * NODE_WORDS, "PATH": LONGEST_PATH,
            "LOG": len(LOG) * LONGEST_PATH, "KNOWN": 2 * KNOWN_MOST, "SECRET": len(compiled.secret),
            "FLAGS": 1 + len(compiled.flags),
        }  # fmt: skip
        self.starts, self.size = {}, 0
        for name, words in parts.items():
            self.starts[name] = self.size
            self.size += words
        self.compiled = compiled

    words: Any
    """where all this is kept"""
    first: int
    """the place of the first word"""
    base: int
    """the address of the word at place 0"""

    def _begin(self) -> None:
        for name in ("NODES", "PATH", "LOG", "KNOWN", "SECRET", "FLAGS"):
            self._put(name, self.base + WORD * (self.first + self.starts[name]))
        self._fill("SECRET", self.compiled.secret)
        self._fill("FLAGS", (len(self.compiled.flags), *self.compiled.flags))
        self._put("MOST", self.nodes)
        self._put("LONGEST", LONGEST_PATH)
        self._put("TREES", self.trees)

    def _fill(self, name: str, words: Sequence[int]) -> None:
        at = self.first + self.starts[name]
        self.words[at : at + len(words)] = list(words)

    def _put(self, name: str, value: int, more: int = 0) -> None:
        self.words[self.first + self.places[name] + more] = value

    def _got(self, name: str) -> int:
        found: int = self.words[self.first + self.places[name]]
        return found

    @property
    def record(self) -> int:
        """The address of the record."""
        return self.base + WORD * self.first

    def begin(self, roots: Sequence[State], player: int, seed: int, style: Style) -> None:
        """Begin anew, to search for a player who cannot tell some states apart.

        Raises ValueError where nobody decides in them.
        """
        if style.margin < 0 or not 0 <= style.exploration <= 1000:
            raise ValueError("a search has tries, margin and exploration (at most 1000) of 0 or more")
        finished, is_chance = self.compiled.finished, self.compiled.is_chance
        if any(state[PC] == finished or is_chance[state[PC]] for state in roots):
            raise ValueError("nobody decides in this state")
        self._fill("NODES", [0] * (NODE_WORDS * self.trees))
        self._fade(int(style.keeps))
        for name, value in (
            ("USED", self.trees), ("KEY", signed(draw64(seed, SEARCH, 0))), ("LUCK", draw64(seed, SEARCH, 1) >> 1),
            ("DONE", 0), ("DEPTH", 0), ("WEIGHT", round(style.exploration * 1024)), ("MARGIN", style.margin),
            ("POINTS", int(style.points)),
            ("WIDTH", round(style.width * 16)), ("AFTER", style.after), ("SOON", style.soon),
            ("PLAYED", 0), ("ENDED", 0), ("RANDOM", style.random),
            ("TURN", int(style.own_turn)),
            ("SOLVES", int(self.compiled.solves and len(roots) == 1)), ("PLAYER", player), ("SPREAD", 0), ("SEEN", 0),
            ("GAIN", style.gain), ("GAINS", 0), ("TURNS", 0),
        ):  # fmt: skip
            self._put(name, value)
        self._root(roots)
        for who in range(self.compiled.players):
            self._put("LEADS", self._lead(who), who)

    @abstractmethod
    def _root(self, roots: Sequence[State]) -> None:
        """Take over the states to search from, and make the first one the present state."""

    @abstractmethod
    def _fade(self, keeps: int) -> None:
        """What has been good elsewhere counts half as much, or is forgotten where `keeps` is 0."""

    @abstractmethod
    def _lead(self, who: int) -> int:
        """How much a player leads there."""

    @abstractmethod
    def go_on(self, tries: int) -> None:
        """So many tries more. Raises TrappedError, or RuleError, where a rule fails; it may then go on."""

    @property
    def known(self) -> list[int]:
        """What has been good elsewhere, also before this decision; other trees of the same rules may take it over."""
        at = self.first + self.starts["KNOWN"]
        return [*self.words[at : at + 2 * KNOWN_MOST]]

    @known.setter
    def known(self, words: list[int]) -> None:
        self._fill("KNOWN", words)

    @property
    def done(self) -> int:
        """How many tries there were."""
        return self._got("DONE")

    def found(self) -> Searched:
        """What has been found out."""
        words, base = self.words, self.base
        found, tree = [], 0
        if self.trees > 1:
            tree = self._got("PLAYER")
        child = words[self.first + self.starts["NODES"] + NODE_WORDS * tree + NODE["CHILD"]]
        while child:
            at = (child - base) // WORD
            node = words[at : at + NODE_WORDS]
            if node[NODE["VISITS"]]:
                found.append(node)
            child = node[NODE["SIBLING"]]
        return Searched(
            {node[NODE["OPTION"]]: node[NODE["VISITS"]] for node in found},
            {node[NODE["OPTION"]]: node[NODE["VALUE"]] / node[NODE["VISITS"]] / WORTH for node in found},
            self.done,
            self._got("USED"),
            self._got("DEPTH") / max(self.done, 1),
            frozenset(
                node[NODE["OPTION"]] for node in found if node[NODE["PROVEN"]] not in (0, 1 + self._got("PLAYER"))
            ),
        )


@dataclass(frozen=True, slots=True)
class Secretive:
    """What a search must know of rules."""

    players: int
    finished: int
    is_chance: tuple[bool, ...]
    secret: tuple[int, ...] = ()
    """for each point whether it is a secret what is chosen there"""
    flags: tuple[int, ...] = ()
    """the slots that are not 0 while all is a secret"""

    @property
    def trees(self) -> int:
        """One tree, or where something is a secret one for each player."""
        return self.players if any(self.secret) or self.flags else 1

    @property
    def solves(self) -> bool:
        """Whether what is known for certain of a position stays so: in games of two, without chance and secrets."""
        return self.players == 2 and self.trees == 1 and not any(self.is_chance)

    @classmethod
    def of(cls, compiled: Compiled) -> Secretive:
        """That of compiled rules."""
        secret = tuple(int(getattr(point.step, "secret", False)) for point in compiled.points)
        flags = tuple(compiled.layout.bases["", path] for path in compiled.rules.symbols.together)
        is_chance = tuple(each.is_chance for each in compiled.waits)
        return cls(compiled.players, len(compiled.waits), is_chance, secret, flags)


class Search(Trees):
    """Such trees in native code. For one thread at a time. Raises MemoryError."""

    def __init__(
        self, program: Playing | Native, nodes: int = 1 << 17, most_roots: int = 1, about: Secretive | None = None
    ) -> None:
        native = native_of(program)
        open_rules = Secretive(native.players, native.finished, tuple(native.is_chance), (0,) * native.finished)
        super().__init__(about or open_rules, nodes)
        stride = native.shape.size + BEFORE
        self.native = native = native.another(self.size + most_roots * (stride + 1))
        self.words, self.first, self.base = native.words, native.more, native.instance.base
        self._begin()
        self.roots = self.first + self.size
        self.states = [self.roots + most_roots + BEFORE + stride * place for place in range(most_roots)]
        self._put("ROOTS", self.base + WORD * self.roots)
        for place, at in enumerate(self.states):
            self.words[self.roots + place] = self.base + WORD * at

    def _root(self, roots: Sequence[State]) -> None:
        for state, at in zip(roots, self.states[: len(roots)], strict=True):
            self.native.put(at, state)
        self.native.load(roots[0])
        self._put("MANY", len(roots))

    def _fade(self, keeps: int) -> None:
        self.native.call("faded", self.record, keeps)

    def _lead(self, who: int) -> int:
        return self.native.call("lead", self.native.state, who)

    def go_on(self, tries: int) -> None:
        self.native.call("search", self.native.state, self.record, tries)

    def search(self, state: State, tries: int, seed: int = 0, exploration: float = 1.0, margin: int = 0) -> Searched:
        """What so many tries from a state find out, by UCT with playouts at random; the same for the same seed.

        `exploration` says how much options that are little known are preferred. With a `margin`, it counts by how many
        points a game is won: so many are as good as can be; else only who wins. Who decides knows the whole state.

        Raises ValueError where nobody decides in that state, TrappedError where a rule fails.
        """
        if tries < 0:
            raise ValueError("a search has tries, margin and exploration (at most 1000) of 0 or more")
        self.begin([state], 0, seed, Style(exploration, margin))
        self.go_on(tries)
        return self.found()
