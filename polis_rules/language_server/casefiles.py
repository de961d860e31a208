"""The files of a ruleset's cases: what is wrong with them, and which ids they name."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from polis_rules.cases import FOLDER, INHERITED, inspect_cases, read_cases
from polis_rules.diagnostics import Diagnostics
from polis_rules.language_server.index import Index
from polis_rules.language_server.recording import member
from polis_rules.language_server.walk import Walk, entries
from polis_rules.semantics import Symbols
from polis_rules.source import Mapping, Node, Sequence, Text, read_file

__all__ = ["read_case_files"]

VALUES = ("given", "then", "changes")
OPTIONS = ("offers", "offers_not", "options", "drawn", "refused")


OTHERS = 3
"""How many scenarios and choices of variants, beyond the ruleset's own, are compiled to look at open cases."""


def read_case_files(
    folder: Path, symbols: Symbols | None, index: Index, diagnostics: Diagnostics, opened: Collection[Path]
) -> None:
    """Report what is wrong with the cases of a ruleset, and note the ids in them.

    Names in cases are held against the rules in the files that somebody has opened, as long as these are sound.
    """
    for case in read_cases(folder, inherited=False):
        diagnostics.items += [each for each in case.findings if each not in diagnostics.items]
        diagnostics.sources |= case.sources
    open_here = {path for path in opened if path.parent == folder / FOLDER}
    if open_here and not diagnostics.has_errors:
        if folder / FOLDER / INHERITED in open_here:
            open_here |= {case.path for case in read_cases(folder) if case.path.parent != folder / FOLDER}
        inspect_cases(folder, diagnostics, open_here, OTHERS)
    index.sources |= diagnostics.sources
    for path in sorted((folder / FOLDER).glob("*.yaml")):
        tree = read_file(path, f"{folder.name}/{FOLDER}/{path.name}", Diagnostics())
        if tree is not None and symbols is not None:
            walk = Walk(tree, symbols, index)
            for each in entries(tree, "cases").values():
                _note(each, walk)


def _note(case: Node, walk: Walk) -> None:
    for section in VALUES:
        for key, node in entries(case, section).items():
            walk.start(key, node)
    for section, node in entries(case).items():
        if section == "do":
            for decision in node.items if isinstance(node, Sequence) else ():
                _players(decision, walk)
        elif section in ("decides", "scores"):
            _players(node, walk)
        elif section == "ends":
            by, winner = (node.get(key) if isinstance(node, Mapping) else None for key in ("by", "winner"))
            _players(winner, walk)
            if isinstance(by, Text):
                walk.index.add(f"endings.{by}", by.span)
        elif section in OPTIONS:
            _options(node, walk)


def _players(node: Node | None, walk: Walk) -> None:
    """Note players: a single one, or the keys of a mapping, whose values are options."""
    for text in [node] if isinstance(node, Text) else entries(node):
        walk.members("player", text)
    for inner in entries(node).values():
        _options(inner, walk)


def _options(node: Node, walk: Walk) -> None:
    """Note every key and value that is the id of one member only."""
    for text in _texts(node):
        owners = walk.symbols.owners.get(text, ())
        if len(owners) == 1:
            walk.index.add(member(owners[0], text), text.span)


def _texts(node: Node) -> Iterator[Text]:
    if isinstance(node, Text):
        yield node
    elif isinstance(node, Mapping):
        for key, inner in node.entries.items():
            yield key
            yield from _texts(inner)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _texts(item)
