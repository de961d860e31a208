"""From format 1 to format 2: citations and grades said once, single steps under a `when`, values below their members.

Everything is done on lines, so that comments and layout stay. What a file says of its rules stays the same.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from polis_rules.authoring.formatting import Entry, Node, lay_out
from polis_rules.authoring.nested_values import Edit, nested_values, paths_by_member, states_of
from polis_rules.composition import read_operations
from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import CITE, LEVELS
from polis_rules.source import read_text

Texts = dict[Path, str]

NAMING = {"choose", "draw", "let", "roll", "if"}
"""Steps that stay under an `if`."""
FEWEST = 3
"""So many rules must share a citation for it to stand above them."""


def to_format_2(texts: Texts, users: Iterable[str] = ()) -> Texts:
    """The files of a ruleset, or a variant's, in format 2, so that those of `users` still fit over them."""
    grades = _grades_of_sources(texts.values())
    altered = {path for text in (*texts.values(), *users) for path in _altered(text)}
    states = {state for text in texts.values() for state in states_of(lay_out(text, text.split("\n")))}
    return {path: _forward(text, grades, altered, states) for path, text in texts.items()}


def _forward(text: str, grades: dict[str, str], altered: set[str], states: set[tuple[str, str]]) -> str:
    text = _edited(text, lambda root, lines: paths_by_member(root, lines, states))
    text = _edited(text, lambda root, _: _grades_in_sources(root, grades))
    text = _edited(text, lambda root, _: _needless_grades(root, grades, altered))
    text = _edited(text, _shared_citations)
    text = _edited(text, nested_values)
    while (changed := _edited(text, _whens)) != text:
        text = changed
    return text


def _edited(text: str, edits_of: Callable[[Node, list[str]], Iterable[Edit]]) -> str:
    """A text with edits that do not overlap; a line of which nothing is left goes."""
    lines = text.split("\n")
    for (line, column), (last, end), new in sorted(edits_of(lay_out(text, lines), list(lines)), reverse=True):
        there = (lines[line][:column] + new + lines[last][end:]).rstrip()
        if there.lstrip().startswith("#"):  # beside what is gone
            there = " " * column + there.lstrip()
        lines[line : last + 1] = [there] if there else []
    return "\n".join(lines)


# -- what stands where ------------------------------------------------------------------------------------------------


def _named(node: Node) -> Iterator[tuple[str, Node]]:
    return ((each.key.text, each.value) for each in node.entries if each.key is not None)


def _holders(root: Node) -> Iterator[tuple[str, Node]]:
    """The sections and tables of a file that hold rules by id, with their paths."""
    for section, value in _named(root):
        if LEVELS.get(section) == 1:
            yield section, value
        elif LEVELS.get(section) == 2:
            yield from ((f"{section}.{name}", inner) for name, inner in _named(value))


def _rules(root: Node) -> Iterator[tuple[str, Node]]:
    """Every mapping of a file that may be cited and graded: rules, edges of graphs, the file's own head.

    Each with the path by which operations alter it; empty for the head and for what operations put there.
    """
    yield "", root
    for operation in ("add", "replace"):
        yield from (("", inner) for each in root.at(operation).entries for inner in _inside(each.value))
    for path, holder in _holders(root):
        for name, rule in _named(holder):
            yield f"{path}.{name}", rule
            yield from ((f"{path}.{name}.edges.{edge}", value) for edge, value in _named(rule.at("edges")))


def _inside(node: Node) -> Iterator[Node]:
    yield node
    for each in node.entries:
        yield from _inside(each.value)


def _without(rule: Node, entry: Entry) -> Edit:
    """The edit that takes out an entry that is not the first of a list's item."""
    at = rule.entries.index(entry)
    if rule.block:
        return entry.start, entry.value.end, ""
    if at:
        return rule.entries[at - 1].value.end, entry.value.end, ""
    return entry.start, rule.entries[1].start if len(rule.entries) > 1 else entry.value.end, ""


# -- grades and citations ---------------------------------------------------------------------------------------------


def _source(rule: Node) -> str:
    match = CITE.match(rule.at("cite").text)
    return match[1] if match else ""


def _grades_of_sources(texts: Iterable[str]) -> dict[str, str]:
    """The grade that most rules have that cite a source; of sources that the files declare."""
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    declared: set[str] = set()
    for text in texts:
        root = lay_out(text, text.split("\n"))
        declared |= {name for name, _ in _named(root.at("sources"))}
        for _, rule in _rules(root):
            if (grade := rule.at("grade").text) not in ("", "house"):
                counted[_source(rule)][grade] += 1
    return {source: grades.most_common(1)[0][0] for source, grades in counted.items() if source in declared}


def _grades_in_sources(root: Node, grades: dict[str, str]) -> Iterator[Edit]:
    for name, source in _named(root.at("sources")):
        if name in grades and source.entries and source.entry("grade") is None:
            last = (source.entry("title") if source.block else None) or source.entries[-1]
            between = "\n" + " " * last.start[1] if source.block else ", "
            yield last.value.end, last.value.end, f"{between}grade: {grades[name]}"


def _altered(text: str) -> Iterator[str]:
    """The paths of rules of which an overlay alters the grade, or the citation that would tell it."""
    tree = read_text(text, "", Diagnostics())
    for each in read_operations(tree, Diagnostics()) if tree is not None else ():
        rule, *cited = re.split(r"\.(?:cite|grade)\b", each.path)
        if cited:
            yield rule


def _needless_grades(root: Node, grades: dict[str, str], altered: set[str]) -> Iterator[Edit]:
    for path, rule in _rules(root):
        entry = rule.entry("grade")
        if entry is not None and path not in altered and entry.value.text == grades.get(_source(rule)):
            yield _without(rule, entry)


def _shared_citations(root: Node, lines: list[str]) -> Iterator[Edit]:
    """The citation that most rules of a section or table have stands above them, if none lacks one."""
    for _, holder in _holders(root):
        if not holder.block or any(holder.entry(key) for key in ("cite", "grade", "ruling")):
            continue
        rules = [each.value for each in holder.entries]
        cites = Counter(rule.at("cite").text for rule in rules if rule.at("grade").text != "house")
        shared, number = cites.most_common(1)[0] if cites else ("", 0)
        if "" in cites or number < FEWEST or 2 * number <= len(rules):
            continue
        citing = [rule for rule in rules if rule.at("cite").text == shared]
        written = citing[0].entry("cite")
        first = holder.entries[0]
        assert written is not None
        above = first.start[0]
        while not lines[above - 1].strip() or lines[above - 1].lstrip().startswith("#"):
            above -= 1
        gap = "\n\n" if any(not line.strip() for line in _between(holder, lines)) else "\n"
        line, column = written.value.start
        as_written = lines[line][column : written.value.end[1]]
        yield (above, 0), (above, 0), f"{' ' * first.start[1]}cite: {as_written}{gap}"
        for rule in citing:
            entry = rule.entry("cite")
            assert entry is not None
            yield _without(rule, entry)


def _between(holder: Node, lines: list[str]) -> Iterator[str]:
    """The lines between the entries."""
    for one, other in zip(holder.entries, holder.entries[1:], strict=False):
        yield from lines[one.value.end[0] + 1 : other.start[0]]


# -- steps under a condition ------------------------------------------------------------------------------------------


def _whens(root: Node, lines: list[str]) -> Iterator[Edit]:
    """Innermost `if`s with one step and nothing else, as that step with a `when`."""
    for node in _inside(root):
        then = node.at("then")
        keys = [key for key, _ in _named(node)]
        if keys != ["if", "then"] or not node.block or len(then.entries) != 1:
            continue
        (item,) = then.entries
        verbs = {key for key, _ in _named(item.value)}
        if verbs & {*NAMING, "when"} or any(key == "then" for part in _inside(item.value) for key, _ in _named(part)):
            continue
        condition, entry = node.entries
        assert condition.key is not None
        if item.value.kind == "scalar":
            yield condition.key.start, condition.key.end, "when"
            yield entry.start, then.end, f"do: {item.value.text}"
        elif then.block and item.value.block:
            yield condition.key.start, condition.key.end, "when"
            indent = " " * entry.start[1]
            by = item.value.entries[0].start[1] - entry.start[1]
            moved = [
                line[by:] if line[:by].strip() in ("", "-") else line.lstrip()
                for line in lines[entry.start[0] + 1 : then.end[0] + 1]
            ]
            first = item.start[0] - entry.start[0] - 1
            moved[first] = indent + lines[item.start[0]][item.value.entries[0].start[1] :]
            moved[:first] = [indent + line.lstrip() for line in moved[:first]]
            yield entry.start, (then.end[0], len(lines[then.end[0]])), "\n".join(moved).lstrip(" ")
