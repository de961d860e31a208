"""A file's lines again: in order, indented by two, with everything inside a line as it was."""

from __future__ import annotations

from polis_rules.authoring.formatting.layout import Entry, Node, place_within, prose_column
from polis_rules.schema import Place, in_order


def write(node: Node, place: Place, lines: list[str], top: bool = True) -> list[str]:
    """The lines of a mapping or a list, from its own column on; comments have their places already."""
    gaps, heading, leads = _separate(node.entries, top)
    order = in_order(place, node.keys) if node.kind == "mapping" else list(range(len(node.entries)))
    written = [""] if gaps[0] and not top else []
    written += heading
    for slot, at in enumerate(order):
        entry = node.entries[at]
        if gaps[slot] and slot:
            written.append("")
        written += leads[at]
        written += _entry(node, entry, place_within(node, place, entry), lines)
    return written + _single_spaced(node.foot)


def _separate(entries: list[Entry], top: bool) -> tuple[list[bool], list[str], list[list[str]]]:
    """What stays in its place when entries change theirs, blank lines and a heading, and what goes along with them."""
    gaps = [bool(entry.lead) and not entry.lead[0] for entry in entries]
    leads = [_single_spaced(entry.lead) for entry in entries]
    leads = [lead[1:] if gap else lead for gap, lead in zip(gaps, leads, strict=True)]
    first = leads[0]
    blank = max((at for at, line in enumerate(first) if not line), default=-1)
    if blank < 0 and top and first and "yaml-language-server" in first[0]:
        blank = 0
    heading, leads[0] = first[: blank + 1], first[blank + 1 :]
    return gaps, heading, leads


def _single_spaced(comments: list[str]) -> list[str]:
    """Comments with never more than one blank line in a row."""
    return [text for at, text in enumerate(comments) if text or at == 0 or comments[at - 1]]


def _entry(node: Node, entry: Entry, place: Place, lines: list[str]) -> list[str]:
    value, (line, column) = entry.value, entry.start
    if not value.block:
        return _leaf(node, entry, lines)
    inner = write(value, place, lines, top=False)
    if node.kind == "mapping" or line != value.start[0]:
        header = lines[line][column:].rstrip()
        if node.kind == "sequence":
            header = f"- {header[1:].strip()}".rstrip()
        return [header, *(_indented(each, 2) for each in inner)]
    first = next(at for at, each in enumerate(inner) if each and not each.startswith("#"))
    return [*inner[:first], f"- {inner[first]}", *(_indented(each, 2) for each in inner[first + 1 :])]


def _indented(line: str, by: int) -> str:
    return " " * by + line if line else ""


def _leaf(node: Node, entry: Entry, lines: list[str]) -> list[str]:
    """An entry whose value is a scalar or stands in brackets; its further lines keep their distance to the first."""
    (line, column), value = entry.start, entry.value
    text = lines[line][column:]
    if entry.key is None and value.start[0] == line and value.start[1] > column:
        text = "- " + text[value.start[1] - column :] if value.start != value.end else "-" + text[1:]
    last = max(line, value.end[0])
    quoted = value.style in ("'", '"') and value.start[0] <= line < value.end[0]
    written = [text if quoted else text.rstrip()]
    if value.style and value.style in "|>":
        return written + _prose(node, entry, lines)
    for number in range(line + 1, last + 1):
        raw = lines[number]
        said = quoted or (value.style in ("'", '"') and value.start[0] <= number < value.end[0])
        indent = len(raw) - len(raw.lstrip()) - (column if value.start[0] == line and entry.key else value.start[1] - 2)
        written.append(_indented(raw.lstrip() if said and number < last else raw.strip(), max(indent, 2)))
    return written


def _prose(node: Node, entry: Entry, lines: list[str]) -> list[str]:
    """The lines of a `|` or `>`: moved together, and otherwise untouched, as blanks in them are part of the text."""
    value = entry.value
    column = prose_column(value, node.start[1], lines)
    header = lines[value.start[0]][value.start[1] : value.start[1] + 3].split()[0]
    between = lines[entry.start[0] + 1 : value.start[0] + 1]
    written = [_indented(text.strip(), 2) for text in between]
    indent = column - node.start[1] if any(sign.isdigit() for sign in header) else 2
    return written + [_indented(text[column:], indent) for text in lines[value.start[0] + 1 : value.end[0] + 1]]


def reorder_brackets(root: Node, place: Place, text: str, lines: list[str]) -> str:
    """The text with the keys of mappings in braces in order."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def index(mark: tuple[int, int]) -> int:
        return starts[mark[0]] + mark[1]

    def rewritten(node: Node, place: Place) -> str:
        start, end = index(node.start), index(node.end)
        if not node.entries:
            return text[start:end]
        bounds = [
            (index(each.start), index(max(each.value.end, each.key.end if each.key else each.start)))
            for each in node.entries
        ]
        parts = []
        for entry, (first, last) in zip(node.entries, bounds, strict=True):
            value = rewritten(entry.value, place_within(node, place, entry))
            parts.append(text[first : index(entry.value.start)] + value + text[index(entry.value.end) : last])
        braces = node.kind == "mapping" and node.style == "["
        if braces and not (node.start[0] < node.end[0] and "#" in text[start:end]):
            parts = [parts[at] for at in in_order(place, node.keys)]
        pieces, before = [], start
        for (first, last), part in zip(bounds, parts, strict=True):
            pieces += [text[before:first], part]
            before = last
        return "".join(pieces) + text[before:end]

    start, end = index(root.start), index(root.end)
    return text[:start] + rewritten(root, place) + text[end:]
