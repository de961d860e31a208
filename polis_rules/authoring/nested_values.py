"""From format 1 to format 2: `field.owner: {north: red}` becomes `field: {north: {owner: red}}`.

What is said of the states of a member comes together. Comments beside a state come above its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from polis_rules.authoring.canonical import flow
from polis_rules.authoring.formatting import Entry, Node, place_comments

Edit = tuple[tuple[int, int], tuple[int, int], str]
"""From where to where, as lines and columns from 0, and what is to stand there."""

WIDTH = 120

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
