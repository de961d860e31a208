"""Where a path of ids leads in a ruleset: along keys, and through lists of steps along the names that steps make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from polis_rules.diagnostics import Span
from polis_rules.schema import VERBS, step_lists, verbs_of
from polis_rules.source import Mapping, Node, Sequence, Text, node_at

Keys = tuple[str | int, ...]
"""The keys, and places in lists, that lead from one node to another."""

_LAST_NAME = re.compile(r"[a-z][a-z0-9_]*$")


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a path leads."""

    keys: Keys
    value: Node
    """What stands there."""
    rest: list[str]
    """The parts that lead nowhere from there."""
    several: list[Keys] = field(default_factory=list)
    """Where the steps stand, from `value` on, that the first of these parts may mean; empty where there is none."""

    @property
    def place(self) -> str:
        """The path of what layers are noted for: no names lead into a list."""
        return ".".join(str(key) for key in self.keys[: _depth(self.keys)])


def _depth(keys: Keys) -> int:
    return next((at for at, key in enumerate(keys) if isinstance(key, int)), len(keys))


def to_list(keys: Keys) -> Keys:
    """The keys as far as the first list."""
    return keys[: _depth(keys)]


def reach(tree: Node, path: str) -> Reached:
    """How far a path of ids joined by dots leads. A key may hold one dot.

    >>> from polis_rules.diagnostics import Diagnostics
    >>> from polis_rules.source import read_text
    >>> rules = "dig: {do: [{if: wet, then: [{roll: depth, dice: 1d4}]}, {gain: {coin: 1}}, rest]}"
    >>> tree = read_text(rules, "a", Diagnostics())
    >>> [reach(tree, path).keys for path in ("dig.do.depth.dice", "dig.do.gain.coin", "dig.do.rest")]
    [('dig', 'do', 0, 'then', 0, 'dice'), ('dig', 'do', 1, 'gain', 'coin'), ('dig', 'do', 2)]
    """
    return _reach(tree, path.split("."), ())


def _reach(node: Node, parts: list[str], keys: Keys) -> Reached:
    best = Reached(keys, node, parts)
    if not parts:
        return best
    if isinstance(node, Sequence):
        return _in_list(node, parts, keys)
    for width in (1, 2):
        key = ".".join(parts[:width])
        below = node.get(key) if isinstance(node, Mapping) and len(parts) >= width else None
        if below is not None:
            best = min(best, _reach(below, parts[width:], (*keys, key)), key=lambda each: len(each.rest))
    return best


def _in_list(node: Sequence, parts: list[str], keys: Keys) -> Reached:
    """The same from a list on: the first part is a name that one of the steps makes, or a verb that only one has."""
    places = named(node, parts[0])
    verb = None
    if not places and parts[0] == "do" and not {*keys[-1:]} & step_lists():
        return _reach(node, parts[1:], keys)  # a bare list is short for {do: list}
    if not places:
        verb = parts[0]
        every = [(place, step) for place, step in steps(node) if isinstance(step, Mapping) and verb in verbs_of(step)]
        places = [place for place, _ in every if len(place) == 1] or [place for place, _ in every]
    if len(places) != 1:
        return Reached(keys, node, parts, places)
    step = node_at(node, *places[0])
    assert step is not None
    found = _reach(step, parts[1:], (*keys, *places[0]))
    value = step.get(verb) if verb and isinstance(step, Mapping) else None
    if found.rest and verb and value is not None:
        found = min(found, _reach(value, parts[1:], (*keys, *places[0], verb)), key=lambda each: len(each.rest))
    return found


def steps(node: Node, keys: Keys = ()) -> Iterator[tuple[Keys, Node]]:
    """Every step in the lists of a rule, or of a list, with the keys that lead to it."""
    if isinstance(node, Sequence):
        for number, step in enumerate(node.items):
            yield (*keys, number), step
            if isinstance(step, Mapping):
                yield from steps(step, (*keys, number))
    elif isinstance(node, Mapping):
        for key, value in node.entries.items():
            if isinstance(value, Mapping) or (isinstance(value, Sequence) and key in step_lists()):
                yield from steps(value, (*keys, str(key)))


def names(step: Node) -> Iterator[tuple[Text, Keys]]:
    """The names by which a step is found, each with the keys that lead from the step to what has it.

    These are names of values that it makes, of its ways, and of the rule that it carries out.
    """
    if isinstance(step, Text):
        yield step, ()
        return
    verbs = verbs_of(step) if isinstance(step, Mapping) else []
    for key in dict.fromkeys(key for verb in verbs for key in VERBS[verb].makes):
        value = node_at(step, key)
        if isinstance(value, Mapping):
            yield from ((name, () if key == "choose" else (key, str(name))) for name in value.entries)
        elif isinstance(value, Text):
            yield _called(value), ()


def _called(text: Text) -> Text:
    """The name of what a text calls, without what it is called for or with: `build` in `card.build[you](place)`."""
    end, depth = len(text), 0
    while text[end - 1 : end] in (")", "]"):
        for at in range(end - 1, -1, -1):
            depth += (text[at] in ")]") - (text[at] in "([")
            if not depth:
                end = at
                break
        else:
            return text
    name = _LAST_NAME.search(text[:end])
    return text.part(name.start(), end) if name else text


def named(node: Node, name: str) -> list[Keys]:
    """The keys that lead, in a rule or list of steps, to whatever has a name there."""
    return [(*place, *inner) for place, step in steps(node) for each, inner in names(step) if each == name]


def all_names(node: Node) -> list[str]:
    """The names by which the steps of a rule or list are found, each once."""
    return list(dict.fromkeys(str(name) for _, step in steps(node) for name, _ in names(step)))


def words_along(tree: Node, path: str) -> list[Text]:
    """What the parts of a path are called where they are written, as far as the path leads."""
    reached = reach(tree, path)
    parts = path.split(".")
    words: list[Text] = []
    while sum(word.count(".") + 1 for word in words) < len(parts) - len(reached.rest):
        begin = sum(word.count(".") + 1 for word in words)
        for width in (1, 2):
            inner = reach(tree, ".".join(parts[: begin + width]))
            if not inner.rest and (word := _word(tree, inner.keys, ".".join(parts[begin : begin + width]))) is not None:
                words.append(word)
                break
        else:
            break
    return words


def _word(tree: Node, keys: Keys, part: str) -> Text | None:
    """The key or name in a rule by which the last part of a path has found what stands at some keys."""
    around, step = node_at(tree, *keys[:-1]), node_at(tree, *keys)
    if isinstance(around, Mapping):
        return around.key(str(keys[-1]))
    name = next((name for name, _ in names(step) if name == part), None) if step is not None else None
    return name if name is not None or not isinstance(step, Mapping) else step.key(part)


def ways_into(node: Node | None) -> list[str]:
    """The parts by which a path may go on into a rule, a row or a list."""
    if isinstance(node, Mapping):
        return [str(key) for key in node.entries]
    if not isinstance(node, Sequence):
        return []
    verbs = [str(verb) for step in node.items if isinstance(step, Mapping) for verb in verbs_of(step)]
    return [*all_names(node), *(verb for verb in dict.fromkeys(verbs) if verbs.count(verb) == 1)]


def step_of(keys: Keys) -> Keys:
    """The keys that lead to the step in which something stands, given those that lead to it in a list."""
    last = max(at for at, key in enumerate(keys) if isinstance(key, int))
    return keys[: last + 1]


def first_word(step: Node) -> Span:
    """Where a step begins."""
    return next(iter(step.entries), step).span if isinstance(step, Mapping) else step.span
