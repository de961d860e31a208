"""In which order the fixed keys of the language are written, and where in a file they stand.

Names that authors choose (ids, labels, what is paid) have an order of their own, which means something and is never
touched: options are offered and conditions are checked in it. The order of fixed keys means nothing to the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from polis_rules.source import Mapping, Node
from polis_rules.source import Sequence as List

Plain = str | list["Plain"] | dict[str, "Plain"]

REST = "*"
"""Where the keys stand that an order does not name, as the author has arranged them."""


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping with fixed keys."""

    order: tuple[str, ...]
    """The keys in the order in which they are written."""
    parts: dict[str, str] = field(default_factory=dict)
    """The sort of what stands under a key, where it holds fixed keys itself."""
    others: str | None = None
    """The sort of what stands under keys that the order does not name."""


@dataclass(frozen=True, slots=True)
class Names:
    """A mapping whose keys the author chooses, or a list."""

    each: str


class Place(NamedTuple):
    """Where in the language one is."""

    sort: str | None
    """A key of `SORTS`; None where no fixed keys are known."""
    keys: str = ""
    """Within an overlay: `path` where keys are paths, `change` where they lead to `was` and `to`."""


_RULE = ("title", "cite", "grade", "ruling")
_STEPS = {"do": "steps"}

_SECTIONS = {
    name: name
    for name in (
        "kinds", "tables", "graphs", "routes", "terms", "supplies",
        "actions", "procedures", "phases", "endings", "score",
    )
} | {"state": "variables"}  # fmt: skip
_FILE = _SECTIONS | {name: name for name in ("remove", "replace", "change", "add")}

_VERBS: dict[str, Record] = {
    "choose": Record(
        ("choose", "who", "title", "from", "where", "if_possible", "secret", "or", "do", "leaving"),
        {"or": "ways", "do": "steps"},
    ),
    "either": Record(("either", "who", "title", "secret"), {"either": "ways"}),
    "repeat": Record(("repeat",), {"repeat": "repeated"}),
    "each": Record(("each", "in", "where", "starting", "do"), _STEPS),
    "if": Record(("if", "then", "else"), {"then": "steps", "else": "steps"}),
    "pay": Record(("pay", "who")),
    "gain": Record(("gain", "who")),
    "lose": Record(("lose", "who")),
    "move": Record(("move", "from", "to")),
    "set": Record(("set",)),
    "let": Record(("let",)),
    "roll": Record(("roll", "dice", "stream")),
    "draw": Record(("draw", "from", "where", "weight", "stream", "if_possible")),
    "do": Record(("do",)),
    "perform": Record(("perform",)),
    "as": Record(("as", "do"), _STEPS),
    "end": Record(("end", "winner")),
}

SORTS: dict[str, Record | Names] = {
    # files
    "manifest": Record(
        ("format", "ruleset", "extends", "title", "why", "sources", "files", "scenario", "rounds", REST),
        _FILE | {"sources": "sources", "scenario": "scenario"},
    ),
    "sections": Record((REST,), _FILE),
    "variant": Record(
        (
            "variant", "title", "extends", "cite", "grade", "requires", "conflicts", "after", "why", "ruling",
            "sources", REST,
        ),
        _FILE | {"sources": "sources"},
    ),
    "scenario": Record(("scenario", *_RULE, "why", REST, "start"), _FILE),
    "cases_file": Record(("inherited", "given", "drawn", "cases"), {"inherited": "inherited", "cases": "cases"}),
    "inherited": Record(("words", "absent", "undrawn", "leaves_out")),
    "composed": Record((REST,), _SECTIONS | {"manifest": "manifest", "scenario": "scenario"}),
    # what stands in them
    "sources": Names("source"),
    "source": Record(("title", "url", "sections")),
    "cases": Names("case"),
    "case": Record(
        (
            *_RULE, "scenario", "variants", "given", "drawn", "rolled", "do", "then", "changes", "decides", "ends",
            "scores", "options", "offers", "offers_not", "refused", "sound",
        ),
        {"ends": "case_end"},
    ),
    "case_end": Record(("by", "winner")),
    "kinds": Names("kind"),
    "kind": Record(
        (*_RULE, "for_each", "in_force", "attributes", "state"), {"attributes": "attributes", "state": "variables"}
    ),
    "attributes": Names("attribute"),
    "attribute": Record(("per", "type", "of", "default")),
    "variables": Names("variable"),
    "variable": Record(("per", "type", "start", "spendable", "title", "seen_by")),
    "tables": Names("table"),
    "table": Names("row"),
    "row": Record(("title", REST), others="value"),
    "graphs": Names("graph"),
    "graph": Record((*_RULE, "from", "edges"), {"edges": "edges"}),
    "edges": Names("edge"),
    "edge": Record((*_RULE, "one_way")),
    "routes": Names("route"),
    "route": Record((*_RULE, "of", "over", "through", "costs", "also")),
    "terms": Names("term"),
    "term": Record(("of", "is", *_RULE)),
    "supplies": Names("supply"),
    "supply": Record((*_RULE, "per", "total", "reserve", "places")),
    "actions": Names("action"),
    "action": Record((*_RULE, "cost", "requires", "choose", "do"), {"choose": "choices", "do": "steps"}),
    "choices": Names("choice"),
    "choice": Record(("title", "from", "where")),
    "procedures": Names("procedure"),
    "phases": Names("procedure"),
    "procedure": Record((*_RULE, "of", "do"), _STEPS),
    "endings": Names("ending"),
    "ending": Record(_RULE),
    "score": Record((*_RULE, "terms", "tie_break")),
    # steps
    "steps": Names("step"),
    "ways": Names("way"),
    "way": Record(("title", "where", "cost", "do"), _STEPS),
    "repeated": Record(("while", "times", "at_least", "finish", "do"), _STEPS),
    "change_entry": Record(("was", "to", "why")),
    **{f"step {verb}": record for verb, record in _VERBS.items()},
}  # fmt: skip
"""Every sort of mapping and list, by name."""

_WITHIN_ROWS = ("cite", "grade", "ruling")
"""In a row the attributes stand where the author has put them, and these among them, in this order."""


def file_sort(keys: Iterable[str]) -> str | None:
    """Which sort of file has these keys at its top; None for one that is no part of a ruleset.

    >>> file_sort(["variant", "change"]), file_sort(["services"])
    ('variant', None)
    """
    written = set(keys)
    if written & {"ruleset", "format"}:
        return "manifest"
    for key in ("variant", "scenario"):
        if key in written:
            return key
    if written & {"cases", "inherited"}:
        return "cases_file"
    return "sections" if written & {*_FILE, "invariants"} else None


def record_at(place: Place, keys: Sequence[str]) -> Record | None:
    """What a mapping with these keys is, if its keys are fixed ones."""
    if place.keys == "change":
        found = SORTS["change_entry"] if {"was", "to"} & set(keys) else None
    elif place.keys:
        found = None
    elif place.sort == "step":
        found = _VERBS.get(_verb(keys))
    else:
        found = SORTS.get(place.sort) if place.sort is not None else None
    return found if isinstance(found, Record) else None


def in_order(place: Place, keys: Sequence[str]) -> list[int]:
    """The positions of a mapping's keys in the order in which they should stand.

    >>> in_order(Place("term"), ["title", "is"])
    [1, 0]
    """
    record = record_at(place, keys)
    positions = list(range(len(keys)))
    if record is None:
        return positions
    rest = record.order.index(REST) if REST in record.order else len(record.order)
    ranks = {key: rank for rank, key in enumerate(record.order)}
    positions.sort(key=lambda at: ranks.get(keys[at], rest))
    if place.sort == "row":
        slots = [slot for slot, at in enumerate(positions) if keys[at] in _WITHIN_ROWS]
        sorted_keys = sorted((positions[slot] for slot in slots), key=lambda at: _WITHIN_ROWS.index(keys[at]))
        for slot, at in zip(slots, sorted_keys, strict=True):
            positions[slot] = at
    return positions


def inside(place: Place, keys: Sequence[str], key: str | None, holds_mappings: bool = False) -> Place:
    """The place of what stands under a key of a mapping with these keys, or in a list when `key` is None.

    `holds_mappings` says whether that list holds mappings; only those of a row's value are steps.
    """
    if key is None:
        bare = place.sort == "procedure" or (place.sort == "value" and holds_mappings)
        sort = "steps" if bare else place.sort
        listed = SORTS.get(sort) if sort is not None and not place.keys else None
        return Place(listed.each if isinstance(listed, Names) else None)
    if place.keys:
        return _along(place, keys, key)
    record = record_at(place, keys)
    if record is None:
        named = SORTS.get(place.sort) if place.sort is not None else None
        return Place(named.each if isinstance(named, Names) else "value" if place.sort == "value" else None)
    if key in ("add", "replace", "change") and record.parts.get(key) == key:
        return Place("composed", "change" if key == "change" else "path")
    sort = record.parts.get(key, record.others if key not in (*record.order, *_RULE) else None)
    return Place(sort if sort in SORTS or sort in ("step", "value") else None)


def meaning(node: Node, place: Place) -> Plain:
    """A node without places, and alike for files that differ only in the order of their fixed keys.

    >>> from polis_rules.diagnostics.diagnostics import Diagnostics
    >>> from polis_rules.source.reader import read_text
    >>> one, other = (read_text(text, "a.yaml", Diagnostics()) for text in ("{title: A, is: 1}", "{is: 1, title: A}"))
    >>> list(meaning(one, Place("term"))) == list(meaning(other, Place("term")))
    True
    """
    if isinstance(node, Mapping):
        keys = [str(key) for key in node.entries]
        found = {key: meaning(node.entries[key], inside(place, keys, key)) for key in node.entries}
        return {key: found[key] for key in (sorted(found) if record_at(place, keys) else found)}
    if isinstance(node, List):
        within = inside(place, (), None, any(isinstance(item, Mapping) for item in node.items))
        return [meaning(item, within) for item in node.items]
    return str(node)


def _along(place: Place, keys: Sequence[str], key: str) -> Place:
    """One key of an overlay further: a path, or what was and will be at its end."""
    if place.keys == "change" and {"was", "to"} & set(keys):
        return Place(place.sort)
    there = Place(place.sort)
    for part in key.split("."):
        there = inside(there, (), part) if there.sort != "step" else Place(None)
    return Place(there.sort, "change" if place.keys == "change" else "")


def _verb(keys: Sequence[str]) -> str:
    """The verb of a step; `do` is one only where there is no other."""
    verbs = [key for key in keys if key in _VERBS]
    return next((verb for verb in verbs if verb != "do"), verbs[0] if verbs else "")
