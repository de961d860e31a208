"""Lines of an overlay that change nothing.

Why: an overlay says what is different; a line that is not leads readers and reports astray.
Example: `terms.price.is: {was: 2, to: 2}`; a `replace` that writes what stands there already.
"""

from __future__ import annotations

from polis_rules.composition import plain
from polis_rules.diagnostics import Span
from polis_rules.validation.analysis import Subject


def check(subject: Subject) -> None:
    """Report `changes-nothing`."""
    changing: dict[tuple[str, Span], bool] = {}
    for origins in subject.composed.origins.values():
        for origin in origins:
            old, new = (None if node is None else plain(node) for node in (origin.old, origin.new))
            key = (origin.kind, origin.span)
            changing[key] = changing.get(key, False) or old != new
    for (kind, span), changes in changing.items():
        if not changes and kind in ("change", "replace", "extend"):
            subject.found.warning("changes-nothing", "this line changes nothing: the value is the same already", span)
