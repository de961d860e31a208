"""What the checks of single rules have made, kept while their text and all that it speaks of stay the same.

A rule is checked again when its node of the tree is another, when a word in it means something else, see `meanings`, or
when something that was asked for besides (`questions`) has another answer. Checks look at nothing else. Where there was
something to complain about, the rule is checked again every time.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from polis_rules.schema import Document
from polis_rules.semantics.made import Bounded, Made
from polis_rules.semantics.questions import Asked
from polis_rules.semantics.references import Reference
from polis_rules.semantics.symbols import ANSWER, Indexed, Params, Symbols, every_variable
from polis_rules.semantics.well_formed import Shared
from polis_rules.semantics.write_sets import read_list
from polis_rules.source import Mapping, Node, Once, node_at, walk

MOST_VERSIONS = 4
"""How many versions of one rule are kept: each variant may have its own, and then comes the first one again."""

WORD = re.compile(r"[^\W\d]\w*")

Meanings = dict[str, list[object]]
"""What each word means to the checks of rules."""


@dataclass(slots=True, eq=False)
class Unit:
    """What the check of one rule has made."""

    node: Node | None
    more: tuple[object, ...]
    """What else the check was given."""
    words: frozenset[str] = frozenset()
    meant: Meanings = field(default_factory=dict)
    """What those words meant that have a meaning."""
    asked: Asked = field(default_factory=dict)
    """What was asked besides, with the answers."""
    value: Any = None
    made: list[Made] = field(default_factory=list)
    bounded: list[Bounded] = field(default_factory=list)
    noted: list[Reference] = field(default_factory=list)


class Units:
    """The units of rulesets that are checked one after the other. `begin` goes over to the next one."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], list[Unit]] = {}
        self.tree: Mapping | None = None
        self.meanings: Meanings = {}
        self.changes = Once(read_list)
        self.well_formed = Shared()

    def begin(self, tree: Mapping | None) -> None:
        """What is checked from now on has been read from this tree; None where not all of it was."""
        self.tree = tree

    def declare(self, now: Meanings) -> None:
        """What words mean from now on. What means the same as before is the same object, which is soon compared."""
        before = self.meanings
        self.meanings = {word: known if (known := before.get(word)) == mean else mean for word, mean in now.items()}

    def of(self, path: str, name: str, more: tuple[object, ...], same: Callable[[Unit], bool]) -> tuple[Unit, bool]:
        """The unit of a rule, and whether it is one that was checked before; if so, it is still `same`.

        `path` leads to its node, `name` tells apart what one node holds, `more` is whatever else the check is given.
        """
        node = node_at(self.tree, *path.split("."))
        for unit in self.known.get((path, name), ()):
            same_input = unit.node is node and all(map(operator.is_, unit.more, more))
            if same_input and self._mean(unit.words) == unit.meant and same(unit):
                self.keep(path, name, unit)
                return unit, True
        return Unit(node, more), False

    def checked(self, path: str, name: str, unit: Unit) -> None:
        """Keep a unit that has been checked without anything to complain about."""
        if unit.node is not None:
            texts = (text for keys, each in walk(unit.node) for text in (*keys[-1:], each) if isinstance(text, str))
            unit.words = frozenset(word for text in (path, name, *texts) for word in WORD.findall(text))
            unit.meant = self._mean(unit.words)
            self.keep(path, name, unit)

    def keep(self, path: str, name: str, unit: Unit) -> None:
        """A version of a rule is the one that was used last."""
        known = self.known.setdefault((path, name), [])
        known[:] = [unit, *(each for each in known if each is not unit)][:MOST_VERSIONS]

    def _mean(self, words: frozenset[str]) -> Meanings:
        return {word: self.meanings[word] for word in words & self.meanings.keys()}


def _params(params: Params) -> tuple[object, ...]:
    return [*params.items()], params.ranges


def meanings(document: Document, symbols: Symbols) -> Meanings:
    """What each word means to the checks of rules: everything that they look up by it.

    What cells of tables hold and what terms are explained by is no part of it: no check looks at that.
    """

    def sizes(item: Indexed) -> list[object]:
        return [(name, kind, symbols.count(kind)) for name, kind in item.per]

    known: defaultdict[str, list[object]] = defaultdict(list)
    for kind in symbols.kinds.values():
        known[kind.name].append("kind")
        for number, member in enumerate(kind.members):
            known[member].append((kind.name, number))
        for name, attribute in kind.attributes.items():
            known[name].append((kind.name, attribute.spec, sizes(attribute), *_params(attribute.params)))
    for each in every_variable(symbols):
        values = each.type, each.low, each.high, each.bounded, each.spendable, each.at_most
        known[each.name].append((each.owner, values, sizes(each)))
    for name, term in symbols.terms.items():
        known[name].append(("term", *_params(term.params)))
    for name, route in symbols.routes.items():
        known[name].append(("route", *_params(route.params)))
    for name, (path, params) in symbols.signatures.items():
        answer = symbols.memory.get(f"{path}.{ANSWER}")
        gives = answer and (answer.type, answer.low, answer.high)
        known[name].append((path, *_params(params), gives))
    for what, names in (("graph", document.graphs), ("ending", document.endings)):
        for name in names:
            known[str(name)].append(what)
    for owner, name in symbols.broken:
        known[name].append(("broken", owner))
    return dict(known)
