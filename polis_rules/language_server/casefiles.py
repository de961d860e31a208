"""The files of a ruleset's cases: what is wrong with them, and which ids they name."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from polis_rules.cases import FOLDER, INHERITED, inspect_cases, read_cases
from polis_rules.diagnostics import Diagnostics
from polis_rules.language_server.index import entries, texts
from polis_rules.semantics import ExpressionChecker, References, StartReader, Symbols, member
from polis_rules.source import Mapping, Node, Sequence, Text, read_file

VALUES = ("given", "then", "changes")
OPTIONS = ("offers", "offers_not", "options", "drawn", "refused")


OTHERS = 3
"""How many scenarios and choices of variants, beyond the ruleset's own, are compiled to look at open cases."""


def read_case_files(
    folder: Path, symbols: Symbols | None, references: References, diagnostics: Diagnostics, opened: Collection[Path]
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
    for path in sorted((folder / FOLDER).glob("*.yaml")):
        tree = read_file(path, f"{folder.name}/{FOLDER}/{path.name}", Diagnostics())
        if tree is not None and symbols is not None:
            noted = _CaseReferences(symbols, references)
            for each in entries(tree, "cases").values():
                noted.case(each)


class _CaseReferences:
    """Notes the ids in cases."""

    def __init__(self, symbols: Symbols, references: References) -> None:
        self.symbols = symbols
        self.references = references
        expressions = ExpressionChecker(symbols, Diagnostics(), lambda term: None)
        expressions.references = references
        self.values = StartReader(symbols, expressions, expressions.diagnostics)

    def case(self, case: Node) -> None:
        for section in VALUES:
            self.values.read(entries(case, section))
        for section, node in entries(case).items():
            if section == "do":
                for decision in node.items if isinstance(node, Sequence) else ():
                    self.players(decision)
            elif section in ("decides", "scores"):
                self.players(node)
            elif section == "ends":
                by, winner = (node.get(key) if isinstance(node, Mapping) else None for key in ("by", "winner"))
                self.players(winner)
                if isinstance(by, Text):
                    self.references.note(f"endings.{by}", by.span)
            elif section in OPTIONS:
                self.options(node)

    def players(self, node: Node | None) -> None:
        """Note players: a single one, or the keys of a mapping, whose values are options."""
        for text in [node] if isinstance(node, Text) else entries(node):
            if text in self.symbols.kinds["player"].index:
                self.references.note(member("player", text), text.span)
        for inner in entries(node).values():
            self.options(inner)

    def options(self, node: Node) -> None:
        """Note every key and value that is the id of one member only."""
        for text in texts(node):
            owners = self.symbols.owners.get(text, ())
            if len(owners) == 1:
                self.references.note(member(owners[0], text), text.span)
