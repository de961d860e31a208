"""The files of a ruleset's cases: what is wrong with them, and which ids they name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping as Dict
from pathlib import Path

from polis_rules.cases import FOLDER, INHERITED, Known, Runner, inspect_cases, is_inside, read_cases
from polis_rules.composition import file_bytes
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.incremental import Memory
from polis_rules.language_server.index import texts
from polis_rules.semantics import ExpressionChecker, Reference, References, StartReader, Symbols, member
from polis_rules.source import Mapping, Node, Sequence, Text, entries_at, files_in, node_at, read_file
from polis_rules.validation import Kept

VALUES = ("given", "then", "changes")
OPTIONS = ("offers", "offers_not", "options", "drawn", "refused")


OTHERS = 3
"""How many scenarios and choices of variants, beyond the ruleset's own, are compiled to look at open cases."""


def ids_in_cases(tree: Mapping) -> Iterator[Text]:
    """Every text in cases that should be an id of the rules, but for what chance gives."""
    for case in entries_at(tree, "cases").values():
        for section, node in entries_at(case).items():
            if section in (*VALUES, "do", "decides", "scores", "offers", "offers_not", "options", "refused"):
                yield from texts(node)


class EditorMemory(Memory):
    """What is known of rules and cases that were read before."""

    def __init__(self) -> None:
        super().__init__()
        self.cases: Known = {}
        self.runners: dict[Path, tuple[object, Runner]] = {}
        self.checked: defaultdict[object, Kept] = defaultdict(Kept)
        """By target what the checks beyond types have found out."""
        self.noted: dict[str, tuple[Mapping, Symbols, list[Reference]]] = {}

    def runner(self, folder: Path, rules: object) -> Runner:
        """What compiles the rules of a ruleset once, for as long as they stay the same."""
        known = self.runners.get(folder)
        if known is None or known[0] != rules:
            known = self.runners[folder] = (rules, Runner(folder, memory=self))
        return known[1]

    def references(self, trees: dict[str, Mapping], symbols: Symbols, word: str | None) -> Iterator[Reference]:
        """What the ids in files of cases mean; with a word, in those cases that hold it."""
        for file, tree in trees.items():
            known = self.noted.get(file)
            if known is None or known[0] is not tree or known[1] is not symbols:
                reader = _CaseReferences(symbols)
                for each in entries_at(tree, "cases").values():
                    if word is None or any(word in text for text in texts(each)):
                        reader.case(each)
                known = (tree, symbols, reader.references.found)
                if word is None:
                    self.noted[file] = known
            yield from known[2]


def read_case_files(
    folder: Path, diagnostics: Diagnostics, unsaved: Dict[Path, str], memory: EditorMemory, word: str | None
) -> dict[str, Mapping]:
    """Report what is wrong with the cases of a ruleset; the trees of their files, by their names in messages.

    Names in cases are held against the rules in the files that somebody has opened, as long as these are sound. With a
    word, nothing is reported, and only the files that hold it are read.
    """
    cases = read_cases(folder, inherited=False, known=memory.cases) if word is None else []
    for case in cases:
        diagnostics.items += [each for each in case.findings if each not in diagnostics.items]
        diagnostics.sources |= case.sources
    opened = {path for path in unsaved if path.parent == folder / FOLDER and word is None}
    if opened and not diagnostics.has_errors:
        if folder / FOLDER / INHERITED in opened:
            cases = read_cases(folder, known=memory.cases)
            opened |= {case.path for case in cases if case.path.parent != folder / FOLDER}
        rules = {path: text for path, text in unsaved.items() if path.parent.name != FOLDER}
        looked_at = [case for case in cases if case.path in opened]
        inspect_cases(folder, diagnostics, OTHERS, memory.runner(folder, rules), looked_at)
    trees = {}
    for path in files_in(folder / FOLDER):
        if not is_inside(path, folder) or (word is not None and word.encode() not in (file_bytes(path) or b"")):
            continue
        shown, findings = f"{folder.name}/{FOLDER}/{path.name}", Diagnostics()
        tree = read_file(path, shown, findings)
        diagnostics.sources |= findings.sources
        if tree is not None:
            trees[shown] = tree
    return trees


class _CaseReferences:
    """Notes the ids in cases."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.references = References()
        expressions = ExpressionChecker(symbols, Diagnostics(), lambda term: None)
        expressions.references = self.references
        self.values = StartReader(expressions)

    def case(self, case: Node) -> None:
        for section in VALUES:
            noted = len(self.references.found)
            self.values.read(entries_at(case, section))
            known = {each.span for each in self.references.found[noted:]}
            self.options(node_at(case, section), known)  # state of a variant that the case chooses
        decisions = node_at(case, "do")
        for decision in decisions.items if isinstance(decisions, Sequence) else ():
            self.players(decision)
        for path in (("decides",), ("scores",), ("ends", "winner")):
            self.players(node_at(case, *path))
        if isinstance(by := node_at(case, "ends", "by"), Text):
            self.references.note(f"endings.{by}", by.span)
        for section, node in entries_at(case).items():
            if section in OPTIONS:
                self.options(node)

    def players(self, node: Node | None) -> None:
        """Note players: a single one, those of a list, or the keys of a mapping, whose values are options."""
        listed = [text for text in node.items if isinstance(text, Text)] if isinstance(node, Sequence) else ()
        for text in [node] if isinstance(node, Text) else listed or entries_at(node):
            if text in self.symbols.kinds["player"].index:
                self.references.note(member("player", text), text.span)
        for inner in entries_at(node).values():
            self.options(inner)

    def options(self, node: Node | None, known: Collection[Span] = ()) -> None:
        """Note every key and value that is the id of one member only, but at places where it is known what stands."""
        for text in texts(node) if node is not None else ():
            owners = self.symbols.owners.get(text, ())
            if len(owners) == 1 and text.span not in known:
                self.references.note(member(owners[0], text), text.span)
