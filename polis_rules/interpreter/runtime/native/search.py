"""Search trees in native code."""

from __future__ import annotations

from dataclasses import dataclass

from polis_rules.interpreter.compiler.native import NODE, NODE_WORDS, TREE, WORD, WORTH
from polis_rules.interpreter.machine import PC, draw64, salt
from polis_rules.interpreter.runtime.native.native import BEFORE, Native, Playing, native_of, signed

LONGEST_PATH = 4096
"""How deep a tree can be."""
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

    @property
    def best(self) -> int:
        """The option that was tried most often."""
        return max(self.visits, key=lambda option: self.visits[option])


class Search:
    """Looks for good options by trying: UCT with random playouts, each with dice and draws of its own.

    A tree has at most so many `nodes` (64 bytes each); when it is full, tries go on in the tree as it is. Who decides
    knows the whole state, hidden or not. Raises MemoryError.
    """

    def __init__(self, program: Playing | Native, nodes: int = 1 << 17) -> None:
        if nodes < 1:
            raise ValueError("a tree has at least one node")
        self.nodes = nodes
        native = native_of(program)
        record = len(TREE) + native.players
        words = record + nodes * NODE_WORDS + LONGEST_PATH + 3 + 2 * BEFORE + native.shape.size
        self.native = native = native.another(words)
        self._record = at = native.more
        self._nodes = at + record
        path = self._nodes + nodes * NODE_WORDS
        tally = path + LONGEST_PATH
        scratch = tally + 3 + BEFORE
        native.words[scratch - 1] = native.instance.base
        for name, place in (("NODES", self._nodes), ("PATH", path), ("TALLY", tally), ("SCRATCH", scratch)):
            self._put(name, native.instance.base + WORD * place)
        self._put("MOST", nodes)
        self._put("LONGEST", LONGEST_PATH)

    def _put(self, name: str, value: int) -> None:
        self.native.words[self._record + TREE[name]] = value

    def _got(self, name: str) -> int:
        return self.native.words[self._record + TREE[name]]

    def search(
        self, state: list[int], tries: int, seed: int = 0, exploration: float = 1.0, margin: int = 0
    ) -> Searched:
        """What so many tries from a state find out; the same for the same seed.

        `exploration` says how much options that are little known are preferred. With a `margin`, it counts by how many
        points a game is won: so many are as good as can be; else only who wins.

        Raises ValueError where nobody decides in that state, TrappedError where a rule fails.
        """
        if tries < 0 or margin < 0 or not 0 <= exploration <= 1000:
            raise ValueError("a search has tries, margin and exploration (at most 1000) of 0 or more")
        words, key = self.native.words, draw64(seed, SEARCH, 0)
        self.native.load(state)
        if state[PC] == self.native.finished or self.native.is_chance[state[PC]]:
            raise ValueError("nobody decides in this state")
        words[self._nodes : self._nodes + NODE_WORDS] = [0] * NODE_WORDS
        for name, value in (
            ("USED", 1), ("KEY", signed(key)), ("LUCK", signed(draw64(seed, SEARCH, 1))), ("DONE", 0), ("DEPTH", 0),
            ("WEIGHT", round(exploration * 1024)), ("MARGIN", margin),
        ):  # fmt: skip
            self._put(name, value)
        self.native.call("search", self.native.state, self.native.instance.base + WORD * self._record, tries)
        return self._searched(tries)

    def _searched(self, tries: int) -> Searched:
        words, base = self.native.words, self.native.instance.base
        found = []
        child = words[self._nodes + NODE["CHILD"]]
        while child:
            at = (child - base) // WORD
            found.append(words[at : at + NODE_WORDS])
            child = words[at + NODE["SIBLING"]]
        found.sort()
        return Searched(
            {node[NODE["OPTION"]]: node[NODE["VISITS"]] for node in found},
            {node[NODE["OPTION"]]: node[NODE["VALUE"]] / node[NODE["VISITS"]] / WORTH for node in found},
            tries,
            self._got("USED"),
            self._got("DEPTH") / max(tries, 1),
        )
