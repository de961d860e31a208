"""Find the case files of a ruleset and read the cases in them, as far as that goes without the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from polis_rules.cases.schema import CaseEntry
from polis_rules.catalog import MANIFEST, as_id, find, find_base, is_id
from polis_rules.diagnostics import Diagnostic, Diagnostics, Span, nearest, quote
from polis_rules.interpreter.wording import spoken
from polis_rules.source import Mapping, Text, read_file, read_text

__all__ = ["FOLDER", "Case", "read_case_file", "read_case_text", "read_cases"]

FOLDER = "cases"
"""The folder of a ruleset that holds its cases."""


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


def read_cases(ruleset: str | Path, inherited: bool = False) -> list[Case]:
    """All cases of a ruleset (a shipped name or a folder), file by file, in the order written.

    With `inherited` those of the rulesets that it extends come first. Raises RulesetError when there is no ruleset.

    >>> read_cases("yucata")[0].file.startswith("yucata/cases/")
    True
    """
    folder = find(ruleset).resolve()
    folders = [folder, *(_bases(folder) if inherited else ())]
    return [case for each in reversed(folders) for path in _files(each) for case in _read(path, each)]


def _bases(folder: Path) -> Iterator[Path]:
    seen = [folder]
    while True:
        manifest = read_file(seen[-1] / MANIFEST, MANIFEST, Diagnostics())
        name = manifest.get("extends") if manifest else None
        base = find_base(name, seen[-1]) if isinstance(name, Text) else None
        if base is None or base.resolve() in seen:
            return
        seen.append(base.resolve())
        yield seen[-1]


def _files(folder: Path) -> list[Path]:
    return sorted((folder / FOLDER).glob("*.yaml"))


def read_case_file(path: Path) -> list[Case]:
    """The cases of one file, wherever it is. A file that cannot be read is a case that says why."""
    diagnostics = Diagnostics()
    return list(_cases(read_file(path, path.as_posix(), diagnostics), path, path.as_posix(), diagnostics))


def read_case_text(text: str, path: Path) -> list[Case]:
    """The cases in the text of a file, as `read_case_file` reads them once it stands at `path`."""
    diagnostics = Diagnostics()
    return list(_cases(read_text(text, path.as_posix(), diagnostics), path, path.as_posix(), diagnostics))


def _read(path: Path, folder: Path) -> Iterator[Case]:
    shown = f"{folder.name}/{FOLDER}/{path.name}"
    diagnostics = Diagnostics()
    return _cases(read_file(path, shown, diagnostics), path, shown, diagnostics)


def _cases(tree: Mapping | None, path: Path, shown: str, diagnostics: Diagnostics) -> Iterator[Case]:
    cases = tree.get("cases") if tree is not None else None
    if tree is not None:
        _check_top(tree, diagnostics)
    if diagnostics.items:
        span = diagnostics.items[0].span or Span(shown, 1, 1, 1, 1)
        yield Case("", shown, path, path.name, "", span, None, tuple(diagnostics.items), diagnostics.sources)
    for id, node in cases.entries.items() if isinstance(cases, Mapping) else ():
        found = Diagnostics()
        if not is_id(id):
            found.error("invalid-id", f"{quote(id)} is not an id", id.span, hint=as_id(id))
        entry = _build(node, id, found)
        title = (entry and entry.title) or spoken(id).capitalize()
        cite = str((entry and entry.cite) or "")
        yield Case(str(id), shown, path, str(title), cite, id.span, entry, tuple(found.items), diagnostics.sources)


def _check_top(tree: Mapping, diagnostics: Diagnostics) -> None:
    for key in tree.entries:
        if key != "cases":
            hint = "did you mean 'cases'?" if nearest(key, ["cases"]) else "a file of cases has the one key 'cases'"
            diagnostics.error("unknown-key", f"a file of cases has no key {quote(key)}", key.span, hint=hint)
    cases = tree.get("cases")
    if not isinstance(cases, Mapping) and not diagnostics.items:
        span = cases.span if cases is not None else tree.span
        diagnostics.error("not-a-mapping", "'cases' is a mapping of ids", span, hint="write `cases:`, then `id: {...}`")


def _build(node: object, id: Text, diagnostics: Diagnostics) -> CaseEntry | None:
    """The case, or None after reporting what is wrong with its shape."""
    from pydantic import ValidationError

    from polis_rules.schema.base import Reading
    from polis_rules.schema.report import in_order, report

    reading = Reading()
    if not isinstance(node, Mapping):
        diagnostics.error("not-a-mapping", f"the case {quote(id)} must be a mapping", id.span)
        return None
    try:
        entry = CaseEntry.model_validate(node, context=reading)
    except ValidationError as error:
        found = Diagnostics()
        for each in error.errors(include_url=False, include_input=False):
            report(each, node, reading, found)
        diagnostics.items += in_order(found)
        return None
    if not entry.expects_something():
        hint = "say with `then`, `changes`, `offers` or `refused` what must come of it"
        diagnostics.error("missing-key", f"the case {quote(id)} expects nothing", id.span, hint=hint)
    return entry
