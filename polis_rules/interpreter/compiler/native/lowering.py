"""Compiled rules as a unit of native code: what their generated Python says, on the library that both stand on."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from polis_rules.interpreter.compiler.native import records, tree as t
from polis_rules.interpreter.compiler.native.conditions import shortened
from polis_rules.interpreter.compiler.native.guards import FITS, guarded
from polis_rules.interpreter.compiler.native.reading import Read, givers, read, takers
from polis_rules.interpreter.compiler.native.searching import by_words, made_of, rows
from polis_rules.interpreter.compiler.native.statements import Statements
from polis_rules.interpreter.compiler.native.straight import straightened
from polis_rules.interpreter.compiler.native.trials import in_place
from polis_rules.interpreter.compiler.native.wide import ANSWER, Words
from polis_rules.interpreter.compiler.native.widths import Widths
from polis_rules.interpreter.compiler.native.words import ZERO, NotNativeError, binary, number
from polis_rules.interpreter.machine import (
    CHOICES,
    ENDING,
    LEAVE,
    LONGEST_GAME,
    MOST_AT_ONCE,
    MOST_ROUNDS,
    PC,
    SCORE,
    SEED,
    SEVERAL,
    SHIFT,
    STEP,
    WINNER,
    YOU,
    Compiled,
    CostTable,
    ReachTable,
    limits,
)
from polis_rules.semantics import LONGEST_LIST, MOST_NUMBERS
from polis_rules.semantics.expressions import NO_ROUTE

TOP, LIMIT, TICKS, BOTTOM, KEPT, QUESTION, COUNTS, UNCOUNTED = range(8)
"""The words of a context: what is used of the working memory, its end, how often loops went round, its begin, where
answers are kept, how often something was asked, where is counted what rules meet (0: nowhere), where that goes which is
not to be counted."""

MOST_WORDS = 64
"""How many words a set may have."""

CONTEXT = ANSWER + MOST_WORDS
"""How many words a context has."""

MOST_TOLL = 1 << 40
"""What is asked for crossing a space is below this, so that no way costs more than a word holds."""

KEPT_BITS = 10
"""2 to the power of this is how many answers are kept of what routes cost of each graph, each in the place that its key
gives it."""

REACH_BITS = 8
"""The same of what routes of all graphs lead to."""

COSTS_BITS = 8
"""And of lists of what crossing costs, which are known by a number as long as they are kept."""

ASKED = {"options", "chance", "apply", "blocks", "who", "invariant", "score", "tie", "worth"}
"""The generated functions that the library asks for, by the first part of their keys."""

EXPORTS = (
    "begin", "options", "outcome", "apply", "playout", "playouts", "decider", "score", "worth",
    "begun", "settled", "step", "begin_all", "step_all", "search", "faded", "lead", "paths",
)  # fmt: skip


class Lowering(Statements):
    """Lowers one compiled ruleset.

    >>> from polis_rules import load
    >>> unit = Lowering(load("yucata").program().compiled).unit()
    >>> sorted(unit.tables)
    ['apply', 'blocks', 'chance', 'invariants', 'options', 'who']
    """

    def __init__(self, compiled: Compiled) -> None:
        super().__init__()
        self.compiled = compiled
        self.into = t.Unit(exports=EXPORTS, inlined=INLINED)
        self.places: dict[str, int] = {}
        """where constants begin in the pool"""
        self.sizes: dict[str, int] = {}
        """how many words each graph of a route takes there"""
        self.kept_places, self.kept = kept_places(compiled)
        self.takers: set[str] = set()
        """the functions that take working memory and give it back at their end"""
        self.players = compiled.players
        self.finished = len(compiled.waits)

    # -- the unit ------------------------------------------------------------------------------------------------------

    def unit(self) -> t.Unit:
        """The whole program.

        Raises NotNativeError where something in the rules has no native form, RecursionError where they are nested too
        deeply.
        """
        library = {each.name: read(each) for each in _library() if isinstance(each, ast.FunctionDef)}
        generated = self.needed({name for name, each in library.items() if each.changes})
        functions = [*library.values(), *generated]
        self.widths = Widths(self.compiled, [each.node for each in generated])
        self._wide_places()
        params = {each.node.name: [arg.arg for arg in each.node.args.args] for each in functions}
        self.callable = {name: len(given) if given[:1] == ["s"] else 0 for name, given in params.items()}
        self.givers = givers(functions, {each for each in library if library[each].gives == "List"}, self.is_costs)
        self.numbers = self._numbers()
        self.takers = {each for each in takers(functions) if self.callable[each]}
        self.takers -= {each for each in library if library[each].gives == "Room"}
        for each in generated:
            self.lower(each)
        size = self.into.shape.size
        for name, function in self.into.functions.items():
            self.into.functions[name] = straightened(shortened(guarded(function)), size)
        self.called_for |= {*EXPORTS, "fits", "factor"}
        while left := self.called_for & library.keys() - self.into.functions.keys():
            for name in sorted(left):
                self.lower(library[name])
        self._tables()
        self._others()
        return self.into

    def lower(self, each: Read) -> None:
        """Lower one function into the unit. Raises NotNativeError where its code has a form that is not foreseen."""
        try:
            self.into.functions[each.node.name] = self.function(each, each.node.name in self.takers)
        except AssertionError as error:
            raise NotNativeError(f"generated code of an unforeseen form: {each.node.name}") from error

    def needed(self, changing: set[str]) -> list[Read]:
        """The generated functions that a game may come to, in the order in which they stand. Functions of the library
        are known that change slots of the state."""
        generated = (each for part in self.compiled.parts for each in ast.parse(part.source).body)
        named = {each.name: read(each) for each in generated if isinstance(each, ast.FunctionDef)}
        named = by_words(in_place(named, changing), self.compiled)
        left = {name for key, name in self.compiled.names.items() if key[0] in ASKED} & named.keys()
        found = set(left)
        while left:
            more = (named[left.pop()].calls & named.keys()) - found
            left |= more
            found |= more
        return [each for name, each in named.items() if name in found]

    def _wide_places(self) -> None:
        """Reserve words after the slots for those that hold sets of several words."""
        size = self.compiled.layout.size
        runs = [(base, end - base) for base, end, wide in self.widths.runs if wide and self.count > 1]
        self.wide_places = {}
        wide: list[tuple[int, int]] = []
        for base, slots in [*runs, *((slot, 1) for slot in sorted(self.widths.slots))]:
            self.wide_places[base] = size
            size += slots * self.count
            wide += [(base + at, self.wide_places[base] + at * self.count) for at in range(slots)]
        if self.count > MOST_WORDS:
            raise NotNativeError(f"sets of more than {64 * MOST_WORDS} members")
        self.into.shape = t.Shape(size, self.count, tuple(wide))

    def first_words(self) -> list[int]:
        """The words of the state before the first step."""
        words = [*self.compiled.first, *[0] * (self.into.shape.size - len(self.compiled.first))]
        for slot, place in self.into.shape.wide:
            for at, word in enumerate(self.known(words[slot])):
                assert isinstance(word, t.Const)
                words[place + at] = word.value
            words[slot] = 0
        return words

    def _numbers(self) -> dict[str, int]:
        """What the upper-case names of the library stand for."""
        compiled = self.compiled
        self.places["IS_CHANCE"] = self.pooled(int(each.is_chance) for each in compiled.waits)
        self.places["LEAVES"] = self.pooled([point.leave for point in compiled.points])
        self.places["INVERSE_ROOTS"] = self.pooled(records.inverse_roots())
        self.places["LOG_ROOTS"] = self.pooled(records.log_roots())
        self.places["FIRST"] = self.pooled(self.first_words())
        ranges = limits(compiled.rules.symbols, compiled.layout)
        for slot, _ in self.into.shape.wide:  # a set is always within its range
            ranges.pop(slot, None)
        self.places["RANGES"] = self.pooled(word for slot, ends in ranges.items() for word in (slot, *ends))
        return {
            "TOP": TOP, "LIMIT": LIMIT, "TICKS": TICKS, "BOTTOM": BOTTOM, "KEPT": KEPT, "QUESTION": QUESTION,
            "KEPT_BITS": KEPT_BITS, "REACH_BITS": REACH_BITS, "COSTS_BITS": COSTS_BITS,
            "COSTS_ROW": costs_row(compiled), "SIZE": self.into.shape.size, "WIDE": self.count,
            "ANSWER": ANSWER, "COUNTS": COUNTS, "UNCOUNTED": UNCOUNTED, "MOST_RANGES": len(ranges),
            "INVARIANTS": len(compiled.invariants), "RANKS": 1 + compiled.ties,
            "MOST_AT_ONCE": MOST_AT_ONCE, "MOST_ROUNDS": MOST_ROUNDS, "LONGEST_GAME": LONGEST_GAME,
            "LONGEST_LIST": LONGEST_LIST, "NO_ROUTE": NO_ROUTE, "PC": PC, "YOU": YOU,
            "SEED": SEED, "ENDING": ENDING, "WINNER": WINNER, "LEAVE": LEAVE, "PLAYERS": self.players,
            "POINTS": self.finished, "BLOCKS": compiled.blocks, "FINISHED": self.finished,
            "BEGIN": self.finished + 1 + compiled.begin, "CHOICES": CHOICES, "STEP": STEP, "SHIFT": SHIFT,
            "MOST_NUMBERS": MOST_NUMBERS, "FITTING": 1 << FITS, "MOST_TOLL": MOST_TOLL,
            "SCORE": SCORE, "SEVERAL": SEVERAL, **records.numbers(self.players),
        }  # fmt: skip

    def _tables(self) -> None:
        rows = (*range(self.players), -1)
        for what in ("options", "chance", "apply"):
            names = [self.named(what, point, you) for you in rows for point in range(self.finished)]
            self.into.tables[what] = tuple(names)
        blocks = range(self.compiled.blocks)
        self.into.tables["blocks"] = tuple(self.named("blocks", block, you) for you in rows for block in blocks)
        who = [self.compiled.names.get(("who", point), "acting") for point in range(self.finished)]
        self.into.tables["who"] = tuple(who)
        named = self.compiled.names
        self.into.tables["worth"] = (named["worth",],)
        self.into.tables["rank"] = (named["score",], *(named["tie", each] for each in range(self.compiled.ties)))
        held = range(len(self.compiled.invariants))
        # with a last place that is never asked, as no table may be empty
        self.into.tables["invariants"] = (*(self.compiled.names["invariant", each] for each in held), "acting")

    def named(self, what: str, number: int, you: int) -> str:
        """The function of a point or block for who acts."""
        return self.compiled.names.get((what, number, you), "")

    def _others(self) -> None:
        """What is asked from outside and bears no name of the library's."""
        s, who = t.Local("s"), t.Local("who")
        scored, worth = (t.Call(self.compiled.names[what,], (s, who)) for what in ("score", "worth"))
        acting = t.Load(s, ZERO, YOU)
        decider = t.CallTable("who", t.Load(s, ZERO, PC), (s,))
        for name, params, answer in (
            ("score", ("s", "who"), scored), ("worth", ("s", "who"), worth),
            ("acting", ("s",), acting), ("decider", ("s",), decider),
        ):  # fmt: skip
            self.into.functions[name] = t.Function(name, params, (t.Return(answer),))

    # -- constants -----------------------------------------------------------------------------------------------------

    def pooled(self, words: Iterable[int]) -> int:
        """Where some words begin in the pool."""
        at = len(self.into.pool)
        self.into.pool += [number(word).value for word in words]
        return at

    def written(self, members: list[int]) -> t.Expr:
        return t.Pool(self.pooled([len(members), *members]))

    def expr(self, node: ast.expr) -> t.Expr:
        if isinstance(node, ast.Name) and node.id in POOLED:
            return t.Pool(self.places[node.id])
        if isinstance(node, ast.Name) and " " in node.id:
            if node.id not in self.places:
                self.places[node.id] = self.pooled(made_of(node.id, self.compiled, self.count))
            return t.Pool(self.places[node.id])
        return super().expr(node)

    def constant(self, name: str, place: t.Expr) -> t.Expr:
        if name not in self.compiled.constants:  # a list that a function was given
            return t.Load(t.Local(name), binary("+", place, t.Const(1)))
        values = self.compiled.constants[name]
        assert isinstance(values, tuple)
        if name not in self.places:
            words = values
            if values and isinstance(values[0], tuple):
                words = tuple(self.pooled([len(each), *each]) for each in values)
            # once more in front, as generated code may count places from the end of a table
            self.places[name] = self.pooled((*words, *words)) + len(words)
        here = t.Load(t.Pool(self.places[name]), place)
        if values and isinstance(values[0], tuple):
            return t.Binary("+", t.Pool(0), t.Binary("*", here, t.Const(t.WORD)))
        return here

    def wide_constant(self, name: str, place: t.Expr) -> Words:
        key = f"{name} wide"
        if key not in self.places:
            values = self.compiled.constants[name]
            assert isinstance(values, tuple)
            words = [word for value in (*values, *values) for word in self.known(value)]
            self.places[key] = self.pooled(word.value for word in words if isinstance(word, t.Const))
            self.places[key] += len(values) * self.count
        start = self.simple(binary("*", place, t.Const(self.count)))
        return tuple(t.Load(t.Pool(self.places[key]), start, at) for at in range(self.count))

    def is_costs(self, name: str) -> bool:
        values = self.compiled.constants.get(name)
        return isinstance(values, list) and isinstance(values[0], CostTable)

    def set_words(self) -> int:
        return self.widths.members // 64 + 1

    # -- routes --------------------------------------------------------------------------------------------------------

    def route(self, name: str, opened: t.Expr, key: ast.expr) -> t.Expr:
        tables = self.compiled.constants[name]
        assert isinstance(tables, list)
        if name not in self.places:
            self.places[name] = self._graphs(name, tables)
        size = self.sizes[name]
        graph = binary("+", t.Pool(self.places[name]), binary("*", opened, t.Const(t.WORD * size)))
        if isinstance(key, ast.Tuple):
            node, costs = key.elts
            assert isinstance(costs, ast.Starred)
            words = kept_words(tables[0])
            kept = binary("+", t.Const(self.kept_places[name]), binary("*", opened, t.Const(words)))
            return self.call("costs_from", t.Local("s"), graph, kept, self.expr(node), self.listed(costs.value))
        assert isinstance(key, ast.BinOp) and isinstance(key.left, ast.BinOp)
        if self.count > 1:
            passable = self.words(key.left.left)
            given = self.keep(self.call("room", t.Local("s"), t.Const(self.count)), "passable")
            self.block += [t.Store(given, ZERO, at, word) for at, word in enumerate(passable)]
            return self.call("reach_far", t.Local("s"), graph, given, self.expr(key.right))
        nodes = t.Const(len(tables[0].neighbours))
        return self.call("reached_from", t.Local("s"), graph, nodes, self.expr(key.left.left), self.expr(key.right))

    def _graphs(self, name: str, tables: list[ReachTable | CostTable]) -> int:
        """Where the graphs of a route begin in the pool, one for each combination of extra edges, equally long."""
        records = [_record(table, self.count) for table in tables]
        size = max(map(len, records))
        at = self.pooled(word for record in records for word in [*record, *[0] * (size - len(record))])
        self.sizes[name] = size
        return at


@cache
def _library() -> tuple[ast.stmt, ...]:
    files = sorted(Path(__file__).with_name("library").glob("*.py"))
    return tuple(each for file in files for each in ast.parse(file.read_text("utf-8")).body)


def kept_words(table: CostTable) -> int:
    """How many words are reserved for the answers that are kept of one graph."""
    return (4 + len(table.neighbours)) << KEPT_BITS


def costs_row(compiled: Compiled) -> int:
    """How many words a list of costs takes that is kept, with its number; 0 where there are none."""
    tables = (each[0] for each in compiled.constants.values() if isinstance(each, list))
    return max((2 + len(table.inner) for table in tables if isinstance(table, CostTable)), default=0)


def kept_places(compiled: Compiled) -> tuple[dict[str, int], int]:
    """Where the answers of each table of costs are kept, and how many words are reserved for all that is kept."""
    places: dict[str, int] = {}
    words = (4 << REACH_BITS) + 1 + (costs_row(compiled) << COSTS_BITS)
    for name, tables in compiled.constants.items():
        if isinstance(tables, list) and isinstance(tables[0], CostTable):
            places[name] = words
            words += len(tables) * kept_words(tables[0])
    return places, words


def _record(table: ReachTable | CostTable, words: int) -> list[int]:
    """A graph as `reach`, `reach_far`, `cheapest` or `cheapest_far` of the library want it."""
    if isinstance(table, ReachTable):
        return table.neighbours if words == 1 else rows(table.neighbours)
    head = [len(table.neighbours), len(table.inner), *table.inner]
    if words == 1:
        return [*head, *table.neighbours]
    goals = [[to for to in range(mask.bit_length()) if mask >> to & 1] for mask in table.neighbours]
    starts = [0]
    for each in goals:
        starts.append(starts[-1] + len(each))
    return [*head, *starts, *(to for each in goals for to in each)]


POOLED = {"RANGES", "IS_CHANCE", "LEAVES", "FIRST", "INVERSE_ROOTS", "LOG_ROOTS"}
"""Words in the pool that the library has a name for."""

INLINED = frozenset({"room", "fresh", "run", "row"})
"""Functions of the library that are best put where they are called."""
