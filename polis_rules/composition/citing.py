"""Where rules come from, said once: a `cite` holds for what stands below it, and a source's grade for what cites it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from polis_rules.composition.headers import check_keys
from polis_rules.composition.operations import Operation
from polis_rules.composition.overlay import Origin, Origins
from polis_rules.diagnostics import Diagnostics, quote
from polis_rules.schema import CITE, HEAD_KEYS, LEVELS
from polis_rules.source import Mapping, Node, Sequence, Text, entries_at, node_at

RESTATED = "the edition cites its own text for what it takes over"
"""Why an edition's `citations` touch a rule; they say nothing else of it."""

Said = dict[Text, Node]
"""What stands above a rule, by key."""

Edit = Callable[[Mapping, Said, str], Mapping]
"""Gives a rule another form: the rule, what stands above it, its path."""


def with_heads(file: Mapping) -> Mapping:
    """A file in which each rule has what it lacks of the `cite`, `grade` and `ruling` that stand above it.

    They stand at the top of the file, of a section or of a table. A rule of grade `house` needs no citation; one with a
    citation of its own needs no grade, and one with a citation or a grade no ruling.
    """
    return _edited(file, _with_what_is_said, _said(file, {}))


def headed(operations: Iterable[Operation], file: Mapping) -> list[Operation]:
    """The operations of a file, in which the rules that are put there whole have what stands at the file's top."""
    said = _said(file, {})
    return [
        replace(each, value=_at_path(each.value, each.path, said))
        if said and each.value is not None and each.kind in ("add", "replace")
        else each
        for each in operations
    ]


def with_grades(tree: Mapping, manifest: Mapping) -> Mapping:
    """The tree in which each rule that has a citation and no grade has that of the source which it names first."""
    sources = entries_at(manifest, "sources")
    grades = {str(id): grade for id, source in sources.items() if (grade := node_at(source, "grade")) is not None}

    def graded(rule: Mapping, _said: Said, _path: str) -> Mapping:
        cite = rule.get("cite")
        match = CITE.match(cite) if isinstance(cite, Text) and not _is_graded(rule) else None
        grade = grades.get(match[1]) if match else None
        return rule if grade is None else _with_more(rule, {Text("grade", grade.span): grade})

    return _edited(tree, graded, {}) if grades else tree


def with_citations(tree: Mapping, manifest: Mapping, layer: str, origins: Origins, diagnostics: Diagnostics) -> Mapping:
    """The tree in which the citations that an edition's `citations` names are those of the edition's own text.

    An entry is a citation, or a mapping with `cite`, `grade` or both. Reports `unknown-citation` for what nothing has.
    """
    wanted = entries_at(manifest, "citations")
    for key, value in wanted.items():
        if isinstance(value, Mapping):
            check_keys(value, ("cite", "grade"), diagnostics)
        if isinstance(value, Sequence) or not (isinstance(value, Text) or value.entries):
            message = f"{quote(key)} becomes a citation, or a mapping with `cite` or `grade`"
            diagnostics.error("not-text", message, value.span)
            return tree
    met: set[str] = set()

    def cited(rule: Mapping, _said: Said, path: str) -> Mapping:
        cite = rule.get("cite")
        if not isinstance(cite, Text):
            return rule
        met.add(str(cite))
        new = wanted.get(cite)
        if new is None:
            return rule
        said: Said = new.entries if isinstance(new, Mapping) else {Text("cite", new.span): new}
        if not path.startswith("tables."):  # only rows have grades of single values
            whole = {key: each.get("default") if isinstance(each, Mapping) else each for key, each in said.items()}
            said = {key: each for key, each in whole.items() if each is not None}
        for key, value in said.items():
            origins.setdefault(f"{path}.{key}", []).append(
                Origin(layer, "change", value.span, rule.get(key), value, RESTATED)
            )
        return Mapping({**rule.entries, **said}, rule.span)

    tree = _edited(tree, cited, {}) if wanted else tree
    for key in wanted:
        if key not in met:
            message = f"nothing that this ruleset extends is cited as {quote(key)}"
            diagnostics.unknown("unknown-citation", message, key.span, key, sorted(met))
    return tree


def _edited(tree: Mapping, edit: Edit, said: Said) -> Mapping:
    """The tree with every rule of its sections edited."""
    entries = {
        key: _rules(value, LEVELS[key], edit, said, key) if key in LEVELS else value
        for key, value in tree.entries.items()
    }
    return Mapping(entries, tree.span)


def _at_path(node: Node, path: str, said: Said) -> Node:
    """What an operation puts at a path, with what is said of it; what is less than a rule as it is."""
    section, *ids = path.split(".")
    levels = LEVELS.get(section, 0) - len(ids)
    if levels < 0 and section == "graphs" and ids[1:2] == ["edges"]:
        levels += 2
    return _rules(node, levels, _with_what_is_said, said, path) if levels >= 0 else node


def _rules(node: Node, levels: int, edit: Edit, said: Said, path: str) -> Node:
    """A rule, or names that lead through so many `levels` to rules, with each rule edited."""
    if levels == 0 and said and isinstance(node, Sequence):  # a bare list is short for a procedure
        node = Mapping({Text("do", node.span): node}, node.span)
    if not isinstance(node, Mapping):
        return node
    if levels == 0:
        rule = edit(node, said, path)
        edges = rule.get("edges") if path.startswith("graphs.") else None
        if not isinstance(edges, Mapping):
            return rule
        above = {key: value for key, value in _said(rule, {}).items() if key != "ruling"}  # that is the graph's own
        inner = _rules(edges, 1, edit, above, f"{path}.edges")
        return Mapping({**rule.entries, Text("edges", edges.span): inner}, rule.span)
    said = _said(node, said)
    entries = {
        name: _rules(value, levels - 1, edit, said, f"{path}.{name}")
        for name, value in node.entries.items()
        if name not in HEAD_KEYS or not isinstance(value, Text)
    }
    return Mapping(entries, node.span)


def _said(node: Mapping, above: Said) -> Said:
    """What holds below a mapping: what it says itself, and what it does not make needless of what stands above it."""
    own: Said = {key: value for key, value in node.entries.items() if key in HEAD_KEYS and isinstance(value, Text)}
    return own | _lacking(own, above)


def _lacking(own: Said, above: Said) -> Said:
    needless: set[str] = {*own}
    if own.get("grade") == "house":  # type: ignore[call-overload]
        needless.add("cite")
    elif needless & {"cite", "grade"}:
        needless.add("ruling")
    if "cite" in own:
        needless.add("grade")
    return {key: value for key, value in above.items() if key not in needless}


def _with_what_is_said(rule: Mapping, said: Said, _path: str) -> Mapping:
    own = {key: value for key, value in rule.entries.items() if key in HEAD_KEYS}
    if not _is_graded(rule):
        own.pop("grade", None)  # type: ignore[call-overload]
    lacking = _lacking(own, said)
    return _with_more(rule, lacking) if lacking else rule


def _is_graded(rule: Mapping) -> bool:
    """Whether all that a rule says has a grade; a row may have some for single values only."""
    grade = rule.get("grade")
    return grade is not None and not (isinstance(grade, Mapping) and grade.get("default") is None)


def _with_more(rule: Mapping, said: Said) -> Mapping:
    """A rule of which more is said; a grade is then that of the values which have none."""
    own = rule.get("grade")
    if isinstance(own, Mapping):
        said = {key: own.having("default", value) if key == "grade" else value for key, value in said.items()}
    return Mapping(rule.entries | said, rule.span)
