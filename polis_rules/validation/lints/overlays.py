"""Lines of an overlay that change nothing.

Why: an overlay says what is different; a line that is not leads readers and reports astray.
Example: `terms.price.is: {was: 2, to: 2}`; a `replace` that writes what stands there already.
"""

from __future__ import annotations

from polis_rules.composition import Origin, inline
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.source import Mapping, Node
from polis_rules.validation.analysis import Subject


def check(subject: Subject, diagnostics: Diagnostics) -> None:
    """Report `changes-nothing`."""
    final = _leaves(subject.composed.tree)
    changing: dict[tuple[str, Span], bool] = {}
    for path, origins in subject.composed.origins.items():
        values = [*(origin.old for origin in origins[1:]), final.get(path)]
        for origin, after in zip(origins, values, strict=True):
            key = (origin.kind, origin.span)
            changing[key] = changing.get(key, False) or _changes(origin, after)
    for (kind, span), changes in changing.items():
        if not changes and kind in ("change", "replace"):
            diagnostics.warning("changes-nothing", "this is so already, so the line changes nothing", span)


def _changes(origin: Origin, after: str | None) -> bool:
    return origin.old != after


def _leaves(tree: Mapping) -> dict[str, str]:
    """Path -> value, for every value that holds no further names."""
    found: dict[str, str] = {}
    waiting: list[tuple[str, Node]] = [("", tree)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, Mapping) and node.entries:
            waiting.extend((f"{path}.{key}" if path else str(key), inner) for key, inner in node.entries.items())
        else:
            found[path] = inline(node)
    return found
