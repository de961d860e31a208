"""Hover: what a name is, what its rule says in words, and where that comes from."""

from __future__ import annotations

from contextlib import suppress

from polis_rules.composition import inline, reach
from polis_rules.language_server.analysis import Analysis
from polis_rules.language_server.index import is_local, name_of
from polis_rules.language_server.outline import SORTS
from polis_rules.schema import UNIT
from polis_rules.source import Node, Text, node_at

TYPED = ("attributes", "state")


def told(analysis: Analysis, symbol: str) -> str:
    """What a symbol is, as Markdown."""
    name = name_of(symbol)
    if is_local(symbol):
        return f"`{name}`: {analysis.index.types.get(symbol, 'a name of this rule')}"
    parts = symbol.split(".")
    what = SORTS[parts[0]].word if parts[0] in SORTS else "name"
    composed = analysis.build.composed
    if composed is not None and parts[0] == "terms" and name in composed.settings:
        what = "setting"
    elif parts[0] == "tables":
        what = parts[1]
    elif parts[0] == "kinds" and len(parts) > 2:
        what = f"{SORTS[parts[2]].word} of {parts[1]}"
    if parts[0] == "libraries" and analysis.build.composed is not None:
        use = next(use for use in analysis.build.composed.uses if use.library == name)
        return "\n\n".join([f"**{use.title}** (`{name}`, library)", *use.needs])
    node = at(analysis, parts)
    title = _text(node, "title")
    head = f"**{title}** (`{name}`, {what})" if title else f"`{name}` ({what})"
    declared = node if isinstance(node, Text) else node_at(node, "type")
    if isinstance(declared, Text) and (parts[0] == "state" or (parts[2:3] and parts[2] in TYPED)):
        head += f": {declared} {_text(node, UNIT)}".rstrip()
    return "\n\n".join([head, *told_path(analysis, parts)])


def told_path(analysis: Analysis, parts: list[str]) -> list[str]:
    """The sentence of the rule at a path, and its citation; nothing where there is none."""
    lines = []
    build = analysis.build
    if build.rules is not None and build.composed is not None and analysis.document is not None:
        with suppress(Exception):  # words are a help; without them the rest still is one
            from polis_rules.documentation.rulebook import Book, sentence

            book = Book(build.composed, analysis.document, build.rules)
            lines.append(sentence(book, ".".join(parts)))
    node = at(analysis, parts)
    cite, grade, ruling = (_text(node, key) for key in ("cite", "grade", "ruling"))
    source = ", ".join(each for each in (cite, grade.replace("_", " ")) if each)
    if source:
        lines.append(f"*{source}*")
    if ruling:
        lines.append(f"Ruling: {ruling}")
    return lines


def at(analysis: Analysis, parts: list[str]) -> Node | None:
    """What stands at a path of the composed ruleset."""
    reached = reach(analysis.tree, ".".join(parts)) if analysis.tree is not None else None
    return reached.value if reached is not None and not reached.rest else None


def _text(node: Node | None, key: str) -> str:
    value = node_at(node, key)
    return inline(value) if value is not None else ""
