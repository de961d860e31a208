"""From format 1 to format 2: `field.owner: {north: red}` becomes `field: {north: {owner: red}}`.

What is said of the states of a member comes together. Comments beside a state come above its kind. Paths of overlays
into first values name the member first, too: `scenario.start.field.north.owner`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from polis_rules.authoring.canonical import flow
from polis_rules.authoring.formatting import Entry, Node, place_comments
from polis_rules.composition import OPERATIONS

Edit = tuple[tuple[int, int], tuple[int, int], str]
"""From where to where, as lines and columns from 0, and what is to stand there."""

WIDTH = 120

START = "scenario.start."

_COMMENT = re.compile(r"(?:^|\s)#\s*(.*)$")


def nested_values(root: Node, lines: list[str]) -> Iterator[Edit]:
    """The edits that write first values, and those of cases, below kinds and members."""
    place_comments(root, lines)
    holders = [root, root.at("scenario"), *(each.value for each in root.at("cases").entries)]
    keys = ("start", "given", "then", "changes")
    entries = [entry for holder in holders for key in keys if (entry := holder.entry(key)) is not None]
    for entry in (*entries, *root.at("inherited").at("undrawn").entries):
        in_braces = lines[entry.start[0] : entry.value.end[0]] if entry.value.style else ()
        kinds = {name.partition(".")[0] for name in entry.value.keys if "." in name}
        if kinds and not kinds & {*entry.value.keys} and not any(map(_COMMENT.search, in_braces)):
            yield _edit(entry, lines)


def states_of(root: Node) -> Iterator[tuple[str, str]]:
    """The state that a file declares, each with its kind; that which an overlay adds, too."""
    for kind, each in zip(root.at("kinds").keys, root.at("kinds").entries, strict=True):
        yield from ((kind, state) for state in each.value.at("state").keys)
    for path in root.at("add").keys:
        if match := re.fullmatch(r"kinds\.(\w+)\.state\.(\w+)", path):
            yield match[1], match[2]


def paths_by_member(root: Node, lines: list[str], states: set[tuple[str, str]]) -> Iterator[Edit]:
    """The edits that put members before their state in the paths of operations."""
    for operation in OPERATIONS:
        changes = root.at(operation)
        for entry in changes.entries:
            path = entry.key.text if entry.key is not None else ""
            kind, state, *inner = [*path.removeprefix(START).split("."), ""]
            if not path.startswith(START) or (kind, state) not in states:
                continue
            assert entry.key is not None
            if inner[0]:
                new = ".".join([kind, inner[0], state, *inner[1:-1]])
                yield entry.key.start, entry.key.end, f"{START}{new}"
            elif changes.block and entry.value.block and not {*entry.value.keys} & {"was", "to", "why"}:
                start = entry.start
                for member in entry.value.entries:
                    assert member.key is not None
                    yield start, member.key.end, f"{START}{kind}.{member.key.text}.{state}"
                    following = entry.value.entries[entry.value.entries.index(member) + 1 :]
                    start = (following[0].start[0], entry.start[1]) if following else start


@dataclass
class _Said:
    """What is said of the members of a kind, or of one state of the game."""

    value: Any
    lead: list[str] = field(default_factory=list)
    """Comments and blank lines above it."""
    written: list[str] = field(default_factory=list)
    """Its lines, where they stay as they are."""
    roomy: bool = False
    """Whether members have lines of their own."""

    def lines(self, key: str, width: int) -> Iterator[str]:
        line = f"{key}: {flow(self.value)}"
        yield from self.lead
        if self.written:
            yield from self.written
        elif isinstance(self.value, dict) and (self.roomy or len(line) > width):
            yield f"{key}:"
            yield from (f"  {member}: {flow(states)}" for member, states in self.value.items())
        else:
            yield line


def _edit(entry: Entry, lines: list[str]) -> Edit:
    """What writes one mapping of values anew."""
    node, said = entry.value, dict[str, _Said]()
    for name, each in zip(node.keys, node.entries, strict=True):
        kind, dot, state = name.partition(".")
        there = lines[each.start[0] : each.value.end[0] + 1] if node.block else []
        if not dot or each.value.kind != "mapping":
            kept = [line[node.start[1] :] for line in there]
            said[name] = _Said(_plain(each.value), each.lead, kept)
            continue
        known = said.setdefault(kind, _Said({}, each.lead[:1] if each.lead[:1] == [""] else []))
        known.lead += filter(None, each.lead)
        known.lead += [f"# {state}: {match[1]}" for line in there if (match := _COMMENT.search(line))]
        known.roomy |= each.value.block
        for member, value in _plain(each.value).items():
            known.value.setdefault(member, {})[state] = value
    assert entry.key is not None
    (line, column), (last, end) = entry.key.end, node.end
    before, header = lines[line][:column], lines[line][column:] if node.block else ":"
    whole = f": {flow({name: each.value for name, each in said.items()})}"
    if not node.block and (len(before + whole) <= WIDTH or "{" in before):
        return (line, column), (last, end), whole
    indent = node.start[1] if node.block else entry.start[1] + 2
    written = [text for name, each in said.items() for text in each.lines(name, WIDTH - indent)]
    indented = "\n".join(f"{' ' * indent}{text}".rstrip() for text in written).lstrip("\n")
    return (line, column), (last, len(lines[last]) if node.block else end), f"{header}\n{indented}"


def _plain(node: Node) -> Any:
    if node.kind == "mapping":
        return {key: _plain(each.value) for key, each in zip(node.keys, node.entries, strict=True)}
    return [_plain(each.value) for each in node.entries] if node.kind == "sequence" else node.text
