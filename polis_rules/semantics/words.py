"""The words of the expression language: whoever must know them all reads them here."""

from __future__ import annotations

OVER = {**dict.fromkeys(("any", "all", "count", "sum", "first"), "... for x in kind if condition"),
        "place_of": "x for x in list if condition", "line_of": "x.next for x in member if condition",
        **dict.fromkeys(("most", "least"), "number for x in kind, tie=member"),
        **dict.fromkeys(("min", "max"), "a, b")}  # fmt: skip
"""Functions that go over members, and what they take; `min` and `max` also take several numbers."""

MOST = {"most": "max", "least": "min"}
"""Functions that find the member with the greatest or least number."""

DOMAINS = {"range": "low, high", "reachable": "route, start"}
"""Functions that stand after `in` alone."""

FUNCTIONS = {
    **OVER,
    **DOMAINS,
    "abs": "number",
    "len": "set or list",
    "next": "member",
    "order": "member",
    "nth": "kind, number",
    "possible": "action",
    "route_exists": "route, start, goal",
    "cheapest_route": "route, start, goal",
}
"""Every function, and what it takes."""

ELSEWHERE = {
    "it": "where a row or a member's own state is spoken of",
    "viewer": "in seen_by",
    "base": "in the changes of a row",
    "space": "in the conditions and costs of a route",
    "stop": "as a step",
    "under": "in the `to` of a `move`",
}
"""Words that are names in some places, and where."""

BUILT_IN = frozenset([
    *(FUNCTIONS.keys() - MOST), *ELSEWHERE, "you", "none", "true", "false", "True", "False", "None",
    "and", "or", "not", "in", "is", "if", "else", "for",
])  # fmt: skip
"""Words that no name of a ruleset may take; `most` and `least` are words only where they are called."""
