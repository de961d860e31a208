"""Rulings that stand beside a rule which an overlay has changed.

Why: a ruling says how an unclear passage is read. Where an overlay changes the rule or what it cites, the old reading
may be false, and nothing else tells.
Example: an edition changes `terms.rent.is`, and `terms.rent.ruling` is still what the first edition needed.
A citation that still names the old passage is no other one. Who has looked and found that the ruling still holds says
why beside the change: `# polis: ignore[stale-ruling] the text is the same`.
"""

from __future__ import annotations

from polis_rules.composition import RESTATED, Origin
from polis_rules.source import node_at
from polis_rules.validation.analysis import Subject

BESIDE = ("title", "grade", "why", "ruling")
"""What a rule says of itself that no ruling speaks of."""


def check(subject: Subject) -> None:
    """Report `stale-ruling`."""
    composed = subject.composed
    order = {layer: number for number, layer in enumerate(composed.layers)}
    changed: dict[str, Origin] = {}
    for path, origins in composed.origins.items():
        rule, _, key = path.rpartition(".")
        for origin in origins:
            if rule and _speaks_of(subject, rule, key, origin):
                last = changed.setdefault(rule, origin)
                changed[rule] = max(last, origin, key=lambda each: order[each.layer])
    for rule, origin in changed.items():
        ruled = max((order[each.layer] for each in composed.origins.get(f"{rule}.ruling", ())), default=0)
        if node_at(composed.tree, *rule.split("."), "ruling") is not None and order[origin.layer] > ruled:
            message = f"`{rule}` is changed here, and its ruling was made for what it was before"
            still = "say why: # polis: ignore[stale-ruling] reason"
            hint = f"change the ruling too or remove it; if it still holds, {still}"
            subject.found.warning("stale-ruling", message, origin.span, hint, confidence="likely")


def _speaks_of(subject: Subject, rule: str, key: str, origin: Origin) -> bool:
    """Whether a ruling may be false for what a layer did to this key of a rule."""
    if key in BESIDE or origin.kind == "add" or origin.why == RESTATED:
        return False
    if key == "cite":
        return origin.new is None or str(origin.old) not in str(origin.new)
    section, *names = rule.split(".")
    if section != "tables":
        return len(names) == 1
    kind = subject.symbols.kinds.get(names[0])
    attribute = kind.attributes.get(key) if kind is not None else None
    return attribute is not None and attribute.spec.kind in ("formula", "condition", "changes", "effects")
