"""Completion: what may stand at the cursor.

A probe is put there and the file is compiled: the type checker itself then says which names it would have taken.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from lsprotocol import types as lsp

from polis_rules.composition import OPERATIONS, all_names, library_names, needs_of, reach, ways_into
from polis_rules.diagnostics import Diagnostics
from polis_rules.language_server.analysis import Analysis
from polis_rules.language_server.places import Where, line_of, locate
from polis_rules.language_server.shapes import rule_path
from polis_rules.language_server.targets import Target, role_of
from polis_rules.language_server.workbench import Workbench
from polis_rules.schema import COUNTED, PROSE, UNIT
from polis_rules.semantics import EVERY, FUNCTIONS, TOLD, References, Symbols
from polis_rules.semantics.expressions import Scope, Type
from polis_rules.source import Mapping, Node, entries_at, node_at, read_text

KINDS = {
    "kind": lsp.CompletionItemKind.Class,
    "state": lsp.CompletionItemKind.Variable,
    "setting": lsp.CompletionItemKind.Constant,
    "term": lsp.CompletionItemKind.Constant,
    "function": lsp.CompletionItemKind.Function,
    "key": lsp.CompletionItemKind.Property,
    "verb": lsp.CompletionItemKind.Keyword,
    "value": lsp.CompletionItemKind.Value,
    "phase or procedure": lsp.CompletionItemKind.Method,
}
NAMED_AT = {"end": ("ending", "endings"), "over": ("graph", "graphs"), "cite": ("source", "manifest", "sources")}
"""Keys whose value is no expression but a name: of what, and under which path these are declared."""
PURSES = ("cost", "pay", "gain", "lose", "instead")
PROBE = "zz_here"
"""A name that stands for what somebody is about to type."""

LONGEST = 2500
"""In longer lines nothing is offered: no expression has so many letters, and to look for one would take long."""

CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class _Probe:
    """A file with the probe in it, and where it stands."""

    text: str
    tree: Mapping
    where: Where

    @property
    def path(self) -> tuple[str | int, ...]:
        """What holds the probe; of a key, the mapping."""
        return self.where.path[:-1] if self.where.on_key else self.where.path


def complete(bench: Workbench, path: Path, position: lsp.Position) -> list[lsp.CompletionItem]:
    """Everything that may stand at a place of a file."""
    text = bench.text(path)
    line = line_of(text, position.line + 1)
    if len(line) > LONGEST:
        return []
    at = bench.column(path, position) - 1
    probes = _probes(text, position.line, line, at)
    first = next(probes, None)
    if first is None:
        return []
    target = bench.target(path)
    role = role_of(path, text)
    offers = _by_place(bench, target, role, first)
    if target is not None and not _is_new_key(first, role):
        offers += _by_checker(bench, target, path, first, probes)
    if role == "library" and target is not None:
        offers = _in_library(bench.known(target), bench.known(target).shown(path), offers)
    different = {each.label: each for each in offers}.values()
    for number, each in enumerate(different):
        each.sort_text = f"{number:04}"
    return list(different)


def _in_library(analysis: Analysis, shown: str | None, offers: list[lsp.CompletionItem]) -> list[lsp.CompletionItem]:
    """What may stand in a library's file: its own names, and no names of the ruleset that uses it."""
    composed = analysis.build.composed
    uses = [use for use in composed.uses if use.file == shown] if composed is not None else []
    names = {name: own for use in uses for name, own in use.names.items()}
    for each in offers:
        each.label = names.get(each.label, each.label)
    declared = analysis.symbols.declared if analysis.symbols is not None else {}
    return [each for each in offers if each.label not in declared or each.label == "player"]


def _offer(label: str, what: str, told: str = "") -> lsp.CompletionItem:
    """One thing that may stand at the cursor."""
    kind = KINDS.get(what, lsp.CompletionItemKind.Variable)
    return lsp.CompletionItem(label, kind=kind, detail=what, documentation=told or None)


# -- the probe ------------------------------------------------------------------------------------------------------


def _probes(text: str, number: int, line: str, at: int) -> Iterator[_Probe]:
    """The file with the probe at the cursor, in every way in which it can be read; the likeliest first."""
    word = re.search("[A-Za-z0-9_]*$", line[:at])
    begin = word.start() if word else at
    before = line[:begin]
    after = line[at:].lstrip("abcdefghijklmnopqrstuvwxyz0123456789_") if begin < at else line[at:]
    closing, closed = _closing(before), _closing(before + after)
    opens_key = re.fullmatch(r"(\s|- )*[\w.]*", before) or re.search(r"[{,]\s*[\w.]*$", before)
    if closing.startswith("]"):  # entries of a list are no keys
        opens_key = None
    lines = [before + PROBE + after, before + PROBE + after + closed, before + PROBE + closing]
    if opens_key and not after.lstrip().startswith(":"):
        lines = [f"{before}{PROBE}: 0{after}", f"{before}{PROBE}: 0{closing}", *lines]
    chain = re.search(r"(?:[a-z_]\w*(?:\[[^\]]*\])?\.)*$", before)
    value = re.match(r"(\s|- )*[\w.]+:\s+['\"]?", before)
    if chain and value and chain.start() >= value.end():
        lines.append(before[: value.end()] + chain[0] + PROBE)
    every = text.split("\n")
    for each in dict.fromkeys(lines):
        tried = "\n".join([*every[:number], each, *every[number + 1 :]])
        tree = read_text(tried, "probe", Diagnostics())
        if tree is not None and (where := locate(tree, lambda text: PROBE in text)) is not None:
            yield _Probe(tried, tree, where)


def _closing(text: str) -> str:
    """The brackets that close what a text has opened."""
    waiting: list[str] = []
    for letter in text:
        if letter in CLOSING:
            waiting.append(CLOSING[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
    return "".join(reversed(waiting))


# -- what the place allows ------------------------------------------------------------------------------------------


def _by_place(bench: Workbench, target: Target | None, role: str, probe: _Probe) -> list[lsp.CompletionItem]:
    """Keys, and values that can be listed."""
    shapes = bench.shapes(target)
    analysis = bench.known(target) if target is not None else None
    if not probe.where.on_key:
        offers = [_offer(each, "value") for each in shapes.values(role, probe.tree, probe.path)]
        if analysis is None:
            return offers
        offers += _needs(analysis, target, probe) if target is not None else []
        return offers + _names(analysis, role, probe) + _within_overlay(analysis.base or analysis, probe)
    offers = _needs(analysis, target, probe) if analysis is not None and target is not None else []
    if probe.path[:1] and probe.path[0] in OPERATIONS and analysis is not None:
        offers += _patches(analysis.base or analysis, probe)
    keys = shapes.keys(role, probe.tree, probe.path)
    alone = re.search(r"-\s+[\w.]*" + PROBE, probe.text) is not None
    what = "verb" if alone and probe.path and isinstance(probe.path[-1], int) else "key"
    offers += [_offer(key, what, told) for key, told in keys.items()]
    if analysis is None or analysis.symbols is None:
        return offers
    if what == "verb":
        offers += [_offer(each, "phase or procedure") for each in _callable(analysis)]
    if probe.path == ("settings",) and role in ("scenario", "variant"):
        offers += _settings(analysis.base or analysis)
    if probe.path and probe.path[-1] in PURSES:
        offers += _purses(analysis.symbols)
    if rule_path(role, probe.path) == ("tables",):
        offers += [_offer(each, "kind") for each in analysis.symbols.kinds if each != "action"]
    path = rule_path(role, probe.path)
    offers += _of_board(analysis.symbols, path) + _of_targets(analysis, analysis.symbols, path)
    return offers + _of_book(analysis, probe)


def _of_board(symbols: Symbols, path: Sequence[object]) -> list[lsp.CompletionItem]:
    """The names that are keys within `board`."""
    kinds = {name: kind for name, kind in symbols.kinds.items() if name != "action"}
    match tuple(path):
        case ("board", "symbols" | "places"):
            return [_offer(each, "kind") for each in kinds]
        case ("board", "places", str(kind)) if kind in kinds:
            return [_offer(each, "member") for each in kinds[kind].members]
        case ("board", "lines"):
            return [_offer(each, "graph") for each in symbols.graphs]
        case ("board", "show"):
            owned = (f"{kind.name}.{each}" for kind in kinds.values() for each in kind.state)
            return [_offer(each, "state") for each in (*symbols.state, *owned)]
        case ("board", "colours"):
            members = kinds["player"].members if "player" in kinds else ()
            return [*(_offer(each, "kind") for each in kinds), *(_offer(each, "member") for each in members)]
    return []


def _of_targets(analysis: Analysis, symbols: Symbols, path: Sequence[object]) -> list[lsp.CompletionItem]:
    """The names that are keys within `targets`."""
    match tuple(path):
        case ("targets", "win_rate"):
            players = symbols.kinds["player"].members if "player" in symbols.kinds else ()
            return [_offer(each, "player") for each in players]
        case ("targets", "endings"):
            return [_offer(str(each), "ending") for each in entries_at(analysis.tree, "endings")]
        case ("targets", "used"):
            return [_offer(each, "kind") for each in symbols.kinds]
        case ("targets", "used", str(kind)) if kind in symbols.kinds:
            members = symbols.kinds[kind].members
            return [_offer(EVERY, "each that has no line of its own"), *(_offer(each, "member") for each in members)]
    return []


def _of_book(analysis: Analysis, probe: _Probe) -> list[lsp.CompletionItem]:
    """The sections and ids of the rules of which the rulebook may say something itself."""
    match probe.path:
        case ("book", "says"):
            return [_offer(each, "section") for each in TOLD]
        case ("book", "says", str(section)) if section in TOLD:
            return [_offer(str(each), "rule") for each in entries_at(analysis.tree, section)]
    return []


def _names(analysis: Analysis, role: str, probe: _Probe) -> list[lsp.CompletionItem]:
    """Names that the place of a value asks for and that are no expression."""
    keys = [each for each in rule_path(role, probe.path) if isinstance(each, str)]
    last = keys[-1] if keys else ""
    if last in ("when", "at_most", "dice", "numbers") or (last == "type" and ".." in probe.where.text):
        return _settings(analysis)
    if last in NAMED_AT:
        what, *section = NAMED_AT[last]
        return [_offer(str(each), what) for each in entries_at(analysis.tree, *section)]
    if keys[:1] == ["book"] and last in ("rules", "inside"):
        return [_offer(f"{each}.{name}", "rule") for each in TOLD for name in entries_at(analysis.tree, each)]
    if last == "instead" and analysis.symbols is not None:
        return _purses(analysis.symbols)
    if isinstance(probe.path[-1], int) and last in ("do", "then", "else"):
        return [_offer(each, "phase or procedure") for each in _callable(analysis)]
    is_told = bool(keys) and last in (UNIT, *PROSE) and COUNTED.get(keys[0]) == len(keys)
    if is_told or last in ("is", "start", "seen_by", "size_seen_by"):
        return []
    in_type = (
        last in ("type", "per", "for_each")
        or {"of", "for_each"} & set(keys)
        or keys[:1] == ["state"]
        or keys[2:3] in (["attributes"], ["state"])
    )
    if in_type and analysis.symbols is not None and keys[:1] != ["tables"]:
        return [_offer(each, "kind") for each in analysis.symbols.kinds]
    return []


def _needs(analysis: Analysis, target: Target, probe: _Probe) -> list[lsp.CompletionItem]:
    """What may stand below `uses`: libraries, what they need, and kinds and state that a need may be."""
    match probe.path, probe.where.on_key:
        case ((("uses", _) | ("uses", _, "library")), False):
            return [_offer(each, "library") for each in library_names(target.folder)]
        case ("uses", _), True:
            library = node_at(probe.tree, *map(str, probe.path), "library")
            return [_offer(name, "need", told) for name, told in needs_of(str(library), target.folder).items()]
        case ("uses", _, _), False if analysis.symbols is not None and "player" in analysis.symbols.kinds:
            state = analysis.symbols.kinds["player"].state
            return [
                *(_offer(each, "kind") for each in analysis.symbols.kinds),
                *(_offer(each, "state") for each in state),
            ]
    return []


def _settings(analysis: Analysis) -> list[lsp.CompletionItem]:
    """The settings of a ruleset, and the words that they may be."""
    composed = analysis.build.composed
    settings = composed.settings if composed is not None else {}
    offers = [_offer(name, "setting", each.title) for name, each in settings.items()]
    return offers + [_offer(word, "value") for each in settings.values() for word in each.words if each.kind]


def _callable(analysis: Analysis) -> list[str]:
    sections = ("procedures", "phases")
    return ["stop", *(str(each) for section in sections for each in entries_at(analysis.tree, section))]


def _purses(symbols: Symbols) -> list[lsp.CompletionItem]:
    """What can be paid with."""
    offers = []
    for name, variable in symbols.kinds["player"].state.items() if "player" in symbols.kinds else ():
        if variable.spendable and not variable.per:
            offers.append(_offer(name, "state"))
        elif variable.spendable and len(variable.per) == 1:
            kind = variable.per[0][1]
            offers += [_offer(each, kind) for each in symbols.kinds[kind].members]
    return offers


def _patches(base: Analysis, probe: _Probe) -> list[lsp.CompletionItem]:
    """How an overlay's path may go on."""
    if probe.path[0] == "insert" and len(probe.path) > 1:
        return []
    *above, _ = ".".join([*(str(each) for each in probe.path[1:]), probe.where.text]).split(".")
    keys = ways_into(_reached(base, ".".join(above)))
    if probe.path[0] == "change" and len(probe.path) > 1:
        keys += ["was", "to", "why"]
    return [_offer(each, "key") for each in keys if each != "manifest"]


def _reached(base: Analysis, path: str) -> Node | None:
    """What a path of an overlay leads to in the rules that it is laid over."""
    if base.unsettled is None or not path:
        return base.unsettled
    reached = reach(base.unsettled, path)
    return None if reached.rest else reached.value


def _within_overlay(base: Analysis, probe: _Probe) -> list[lsp.CompletionItem]:
    """What may stand beside the keys of an insertion, and the word for what is extended."""
    if probe.path[:1] == ("extend",):
        return [_offer("base", "name", "The expression that stands there.")]
    if probe.path[:1] != ("insert",) or probe.path[-1] not in ("before", "after", "at"):
        return []
    rule = _reached(base, str(probe.path[1])) if probe.path[-1] != "at" else None
    return [_offer(each, "name") for each in (all_names(rule) if rule is not None else ("start", "end"))]


def _is_new_key(probe: _Probe, role: str) -> bool:
    """Whether the checker has nothing to say about it: a key that is no expression."""
    path = rule_path(role, probe.path)
    return probe.where.on_key and not (path and path[-1] in ("set", *PURSES))


# -- what the checker knows -----------------------------------------------------------------------------------------


def _by_checker(
    bench: Workbench, target: Target, path: Path, first: _Probe, others: Iterator[_Probe]
) -> list[lsp.CompletionItem]:
    compiled = False
    for probe in chain([first], others):
        asked = _Asked()
        analysis = bench.probe(target, path, probe.text, asked)
        compiled |= analysis.symbols is not None
        if asked.known and analysis.symbols is not None:
            return asked.offers(analysis.symbols)
    return [] if compiled else _guessed(bench.known(target), first)


class _Asked(References):
    """Hears which names the checker would have taken for the probe."""

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[str, str] = {}
        """Each name with what was looked for; "name" is any value."""
        self.scope = Scope()
        self.want: Type | None = None
        """The type that the value should have, where that is known."""

    def missing(self, what: str, name: str, known: Collection[str], scope: Scope | None, want: Type | None) -> None:
        if name == PROBE:
            self.known |= dict.fromkeys(known, what)
            self.scope, self.want = scope or self.scope, want or self.want

    def offers(self, symbols: Symbols) -> list[lsp.CompletionItem]:
        items = [_offer(name, _sort_of(name, symbols) if what == "name" else what) for name, what in self.known.items()]
        if "name" in self.known.values():
            items += [_offer(name, "function") for name in FUNCTIONS]
            items += [_offer(name, "route") for name in symbols.routes]
        order = ("name", "kind", "state", "term", "function", "route")
        return sorted(
            items,
            key=lambda each: (
                not self.fits(each.label, self.known.get(each.label, ""), symbols),
                order.index(each.detail) if each.detail in order else 0,
            ),
        )

    def fits(self, name: str, what: str, symbols: Symbols) -> bool:
        """Whether a name alone may be a value of the type that is wanted; all are when no type is."""
        if self.want is None:
            return True
        owner = symbols.kinds.get(what.partition(" ")[0])
        if owner is not None:
            value = owner.attributes.get(name) or owner.state.get(name)
            types: list[Type | None] = [value.type if value is not None else Type("ref", owner.name)]
        elif name in self.scope.names:
            types = [self.scope.names[name]]
        elif (declared := symbols.state.get(name) or symbols.terms.get(name)) is not None:
            types = [declared.type]
        else:
            kinds = symbols.owners.get(name, ())
            types = [Type("set", name)] if name in symbols.kinds else [Type("ref", kind) for kind in kinds]
        return any(each is not None and (each.base, each.kind) == (self.want.base, self.want.kind) for each in types)


def _sort_of(name: str, symbols: Symbols) -> str:
    for sort, names in (("kind", symbols.kinds), ("state", symbols.state), ("term", symbols.terms)):
        if name in names:
            return sort
    return " or ".join(symbols.owners[name]) if name in symbols.owners else "name"


def _guessed(analysis: Analysis, probe: _Probe) -> list[lsp.CompletionItem]:
    """Where the ruleset cannot be compiled now: what was known before, without regard to the place."""
    symbols = analysis.symbols
    if symbols is None or probe.where.on_key:
        return []
    match = re.search(r"(?:(\w+)\.)?" + PROBE, probe.where.text)
    owner = match[1] if match else None
    if owner is None:
        return []
    if owner in symbols.kinds:
        return [_offer(each, owner) for each in symbols.kinds[owner].members]
    return [_offer(each, kind.name) for kind in symbols.kinds.values() for each in (*kind.attributes, *kind.state)]
