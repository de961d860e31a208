"""Find the case files of a ruleset and read the cases in them, as far as that goes without the rules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from polis_rules.cases.inherited import CHANCE, Inherited, laid_over
from polis_rules.composition import MANIFEST, find, find_base
from polis_rules.diagnostics import Diagnostic, Diagnostics, RulesetError, Span, quote
from polis_rules.schema import CaseEntry, InheritedEntry, Model, read_as
from polis_rules.source import (
    ID_RULE,
    Mapping,
    Node,
    Sequence,
    Text,
    as_id,
    edited,
    entries_at,
    files_in,
    is_file,
    is_id,
    node_at,
    read_file,
    spoken,
)

FOLDER = "cases"
"""The folder of a ruleset that holds its cases."""

INHERITED = "inherited.yaml"
"""The file in it that says how the cases of the ruleset that it extends are read here."""

SHARED = ("settings", "given", "drawn")
"""What a file may say for all its cases."""

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Case:
    """One case. What is wrong with it stands in `findings`; a whole file that cannot be read is a case without an id.

    `file` is its file as shown to people, `path` the file itself; `sources` hold the text for the findings.
    """

    id: str
    file: str
    path: Path
    title: str
    cite: str
    span: Span
    entry: CaseEntry | None
    findings: tuple[Diagnostic, ...] = ()
    sources: dict[str, str] = field(default_factory=dict, repr=False)
    shared: frozenset[str] = frozenset()
    """The streams of chance that its file answers for all its cases: this one need not ask for them."""

    @property
    def key(self) -> str:
        """Its name among all cases, e.g. `mygame/cases/dice.yaml::a_high_roll_wins`."""
        return f"{self.file}::{self.id}" if self.id else self.file

    def matches(self, pattern: str) -> bool:
        """Whether a part of its key or title is `pattern`; or all of its id or key, where `pattern` has * or ?."""
        wanted = pattern.lower()
        if set(wanted) & set("*?["):
            return fnmatchcase(self.id, wanted) or fnmatchcase(self.key.lower(), wanted)
        return wanted in self.key.lower() or wanted in self.title.lower()


Known = dict[str, tuple[Node, Case]]
"""Cases that were read before, by their key, with what was written."""


def read_cases(ruleset: str | Path, inherited: bool | None = None, known: Known | None = None) -> list[Case]:
    """All cases of a ruleset (a shipped name or a folder), file by file, in the order written.

    With `inherited` those of the rulesets that it extends come first; None means: where its `inherited.yaml` says how
    they are read here. A case of its own takes the place of an inherited one of the same id. What is the same as in
    `known` is taken from there. Raises RulesetError when there is no ruleset.

    >>> read_cases("yucata")[0].file.startswith("yucata/cases/")
    True
    """
    folder = find(ruleset).resolve()
    return [_known_case(case, node, known) for case, node in _written(folder, [folder], inherited)]


def named_cases(ruleset: str | Path, inherited: bool | None = None) -> list[Case]:
    """All cases of a ruleset as `read_cases` finds them, of which nothing but name and place is read."""
    folder = find(ruleset).resolve()
    return [case for case, _ in _written(folder, [folder], inherited)]


Written = tuple[Case, Node | None]
"""A case of which nothing but its place is read yet, with what is written; a file that cannot be read has None."""


def _written(folder: Path, seen: list[Path], inherited: bool | None) -> list[Written]:
    """The cases of a ruleset, after those that it inherits."""
    files = [path for path in files_in(folder / FOLDER) if path.name != INHERITED]
    own = [each for path in files for each in _in_file(path, f"{folder.name}/{FOLDER}/{path.name}", folder)]
    path, shown = folder / FOLDER / INHERITED, f"{folder.name}/{FOLDER}/{INHERITED}"
    base = _base(folder) if inherited or (inherited is None and is_file(path)) else None
    if base is None or base in seen:
        return own
    diagnostics = Diagnostics()
    rules = Inherited(_inherited_entry(path, shown, folder, diagnostics) if is_file(path) else None)
    ids = {case.id for case, node in own if node is not None}
    cases = _written(base, [*seen, base], inherited)
    for _, node in cases:
        if node is not None:
            rules.meet(node)
    kept = [
        (case, node if node is None else rules.adapted(node))
        for case, node in cases
        if node is None or not (rules.leaves_out(case.key, case.id) or case.id in ids)
    ]
    rules.unused([case.id for case, node in cases if node is not None], diagnostics)
    if diagnostics.items:  # until that is right, what would be read wrongly is not read at all
        kept = [(unreadable(path, shown, diagnostics), None)]
    return kept + own


def _base(folder: Path) -> Path | None:
    """The folder of the ruleset that one extends."""
    manifest = read_file(folder / MANIFEST, MANIFEST, Diagnostics())
    name = node_at(manifest, "extends")
    base = find_base(name, folder) if isinstance(name, Text) else None
    return base.resolve() if base is not None else None


def unreadable(path: Path, shown: str, diagnostics: Diagnostics) -> Case:
    """A case that only says what is wrong with a file."""
    at = diagnostics.items[0].span or Span(shown, 1, 1, 1, 1)
    return Case("", shown, path, path.name, "", at, None, tuple(diagnostics.items), diagnostics.sources)


def cases_in(path: Path, shown: str, folder: Path) -> list[Case]:
    """The cases of one file, which no link may lead out of a folder; `shown` is what messages call it."""
    return [_read(case, node) for case, node in _in_file(path, shown, folder)]


def read_case_file(path: Path) -> list[Case]:
    """The cases of one file, wherever it is. A file that cannot be read is a case that says why."""
    return [_read(case, node) for case, node in _in_file(path, path.as_posix())]


def read_case_text(text: str, path: Path) -> list[Case]:
    """The cases in the text of a file, as `read_case_file` reads them once it stands at `path`."""
    with edited({path.resolve(): text}):
        return read_case_file(path)


def _in_file(path: Path, shown: str, folder: Path | None = None) -> Iterator[Written]:
    """The cases of a file; with `folder`, the ruleset's own, of one that no link leads out of that folder."""
    diagnostics = Diagnostics()
    tree = read_file(path, shown, diagnostics) if _inside(path, shown, folder, diagnostics) else None
    with suppress(RulesetError):  # too many errors, which are all told
        if tree is not None:
            _check_top(tree, diagnostics)
    if diagnostics.items:
        yield unreadable(path, shown, diagnostics), None
    for id, node in entries_at(tree, "cases").items():
        whole, shared = _with_shared(node, tree)
        yield Case(str(id), shown, path, "", "", id.span, None, (), diagnostics.sources, shared), whole


def _inside(path: Path, shown: str, folder: Path | None, diagnostics: Diagnostics) -> bool:
    """Whether a file lies in a ruleset's folder, also when it is a link; else an error."""
    if folder is None or is_inside(path, folder):
        return True
    place = Span(shown, 1, 1, 1, 1)
    diagnostics.error("file-outside", f"{quote(shown)} leads out of the ruleset's folder", place)
    return False


def is_inside(path: Path, folder: Path) -> bool:
    """Whether what a path leads to, over links and dots, lies in a folder (a resolved path).

    >>> is_inside(Path("cases/../../secret.yaml"), Path.cwd())
    False
    """
    try:
        return Path(os.path.realpath(path)).is_relative_to(folder)  # unlike resolve, at ease with a link to itself
    except ValueError:
        return False


def _with_shared(node: Node, tree: Mapping | None) -> tuple[Node, frozenset[str]]:
    """A case with what its file gives, draws and does for all cases, and the streams of what is drawn.

    What the case itself gives and draws wins; what it does comes after.
    """
    said = {key: value for key in SHARED if (value := node_at(tree, key)) is not None}
    before = node_at(tree, "before")
    if not isinstance(node, Mapping) or not (said or before is not None):
        return node, frozenset()
    streams: frozenset[str] = frozenset()
    if isinstance(drawn := said.get("drawn"), Mapping):
        own = {stream for key in CHANCE for stream in entries_at(node, key)}
        left = {stream: outcomes for stream, outcomes in drawn.entries.items() if stream not in own}
        said["drawn"], streams = Mapping(left, drawn.span), frozenset(map(str, left))
    below = Mapping({Text(key, value.span): value for key, value in said.items()}, node.span)
    whole = laid_over(below, node)
    return whole if before is None else _with_decisions(before, whole), streams


def _with_decisions(before: Node, case: Node) -> Node:
    """A case that makes some decisions before its own."""
    own = node_at(case, "do")
    if not isinstance(case, Mapping):
        return case
    if isinstance(before, Sequence) and isinstance(own, Sequence):
        before = Sequence([*before.items, *own.items], own.span)
    return Mapping({**case.entries, Text("do", before.span): before}, case.span)


def _inherited_entry(path: Path, shown: str, folder: Path, diagnostics: Diagnostics) -> InheritedEntry | None:
    """What `inherited.yaml` says, or None after reporting what is wrong with it."""
    tree = read_file(path, shown, diagnostics) if _inside(path, shown, folder, diagnostics) else None
    if tree is None:
        return None
    for key in tree.entries:
        if key != "inherited":
            hint = "this file has the one key 'inherited'; cases stand in other files"
            diagnostics.error("unknown-key", f"{quote(shown)} has no key {quote(key)}", key.span, hint=hint)
    return _model(InheritedEntry, tree.get("inherited"), "'inherited'", tree.span, diagnostics)


def _known_case(case: Case, node: Node | None, known: Known | None) -> Case:
    """The case, read unless that was done before."""
    if known is None or node is None:
        return _read(case, node)
    before, done = known.get(case.key, (None, None))
    if done is None or before is not node or done.span != case.span:
        done = _read(case, node)
        known[case.key] = (node, done)
    return done if done.sources == case.sources else replace(done, sources=case.sources)


def _read(case: Case, node: Node | None) -> Case:
    """The case with all that is written."""
    if node is None:
        return case
    findings = Diagnostics()
    if not is_id(case.id):
        findings.error("invalid-id", f"{quote(case.id)} is not an id", case.span, ID_RULE, suggestion=as_id(case.id))
    entry = _model(CaseEntry, node, f"the case {quote(case.id)}", case.span, findings)
    if entry is not None and not entry.expects_something():
        hint = "say with `then`, `changes`, `offers` or `refused` what must come of it"
        findings.error("missing-key", f"the case {quote(case.id)} expects nothing", case.span, hint=hint)
    title = (entry and entry.title) or spoken(case.id).capitalize()
    cite = (entry and entry.cite) or ""
    return replace(case, title=str(title), cite=str(cite), entry=entry, findings=tuple(findings.items))


def _check_top(tree: Mapping, diagnostics: Diagnostics) -> None:
    for key in tree.entries:
        if key not in (known := [*SHARED, "before", "cases"]):
            diagnostics.unknown("unknown-key", f"a file of cases has no key {quote(key)}", key.span, key, known)
    cases = tree.get("cases")
    if not isinstance(cases, Mapping) and not diagnostics.items:
        span = cases.span if cases is not None else tree.span
        diagnostics.error("not-a-mapping", "'cases' is a mapping of ids", span, hint="write `cases:`, then `id: {...}`")


def _model(model: type[M], node: Node | None, called: str, at: Span, diagnostics: Diagnostics) -> M | None:
    """A mapping read as what it is meant to be, or None after reporting what is wrong with its shape."""
    if not isinstance(node, Mapping):
        diagnostics.error("not-a-mapping", f"{called} must be a mapping", at)
        return None
    findings, entry = Diagnostics(), None
    with suppress(RulesetError):  # too many errors, which are all told
        entry = read_as(model, node, findings)
    diagnostics.items += findings.items
    return entry
