"""To which entry each comment and each blank line of a file belongs."""

from __future__ import annotations

from polis_rules.authoring.formatting.layout import Entry, Node


def place_comments(root: Node, lines: list[str]) -> None:
    """Give every comment line and every blank line to the entry below it, or to the end of the block before it.

    A comment belongs to what follows unless it is indented deeper; then it ends the block that it is indented like.
    """
    listed = list(_in_order(root, ()))
    before = -1
    above: tuple[Node, ...] = ()
    for entry, parents in listed:
        gap = lines[before + 1 : entry.start[0]]
        first = bool(above) and above[-1] not in parents
        closing = above[_shared(above, parents) :] if first else ()
        rest = _close(gap, closing, parents[-1].start[1])
        entry.lead += rest
        before = entry.header_end
        above = (*parents, entry.value) if entry.value.block else parents
        if entry.value.block and not entry.value.entries:
            above = parents
    _close(lines[before + 1 :], tuple(each for each in above if each.entries), -1)  # every comment ends a block


def _in_order(node: Node, parents: tuple[Node, ...]) -> list[tuple[Entry, tuple[Node, ...]]]:
    """Every entry in the order of the file, with the blocks that it stands in."""
    pairs: list[tuple[Entry, tuple[Node, ...]]] = []
    if node.block:
        for entry in node.entries:
            pairs.append((entry, (*parents, node)))
            pairs += _in_order(entry.value, (*parents, node))
    return pairs


def _shared(one: tuple[Node, ...], other: tuple[Node, ...]) -> int:
    """How many blocks from the outermost on are the same."""
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] is not pair[1]), len(other))


def _close(gap: list[str], closing: tuple[Node, ...], column: int) -> list[str]:
    """Give what is indented deeper than `column` to the blocks that end here; what is left is returned."""
    pending: list[str] = []
    open_blocks = list(closing)
    for at, line in enumerate(gap):
        comment = line.strip()
        if not comment:
            pending.append("")
            continue
        indent = len(line) - len(line.lstrip())
        if not open_blocks or indent <= column:
            return pending + [each.strip() for each in gap[at:]]
        while len(open_blocks) > 1 and open_blocks[-1].start[1] > indent:
            open_blocks.pop()
        open_blocks[-1].foot += [*pending, comment]
        pending = []
    return pending
