"""Cases that lie with a variant, and those of its ruleset that it changes on purpose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from polis_rules.cases.inherited import is_called
from polis_rules.cases.reading import FOLDER, Case, cases_in, named_cases, unreadable
from polis_rules.composition import VARIANT, find, find_variant, split_choices, texts_at
from polis_rules.diagnostics import Diagnostics, RulesetError, quote
from polis_rules.source import Mapping, Text, read_file

CHANGED = "changes_cases"


def with_variants(cases: Iterable[Case], ruleset: str | Path, variants: Sequence[str | Path]) -> list[Case]:
    """The cases of a ruleset that must hold with some variants too, and after them those of the variants.

    Cases that are about other variants are left out. A name of a case that a variant changes, and that there is not, is
    a case that says so.
    """
    folder, own = find(ruleset), list[Case]()
    chosen = {path.resolve() for path, _ in _files(ruleset, variants)}
    kept = [case for case in cases if not chosen or _named(case, folder) <= chosen]
    for path, shown in _files(ruleset, variants):
        diagnostics = Diagnostics()
        names = _changed(path, shown, diagnostics)
        kept = [case for case in kept if not any(is_called(case.key, case.id, name) for name in names)]
        check_changed(ruleset, [path], diagnostics)
        if diagnostics.items:
            own.append(unreadable(path, shown, diagnostics))
        own += cases_of(path, shown)
    return kept + own


def cases_of(path: Path, shown: str) -> list[Case]:
    """The cases of a variant, given its file: those in the folder `cases` beside it, if it has a folder of its own."""
    if path.name != VARIANT:
        return []
    files = sorted((path.parent / FOLDER).glob("*.yaml"))
    called = shown.rpartition("/")[0]
    return [case for file in files for case in cases_in(file, f"{called}/{FOLDER}/{file.name}", path.parent.resolve())]


def own_cases(ruleset: str | Path, variants: Sequence[str | Path]) -> list[Case]:
    """The cases that lie with some variants."""
    return [case for path, shown in _files(ruleset, variants) for case in cases_of(path, shown)]


def check_changed(ruleset: str | Path, variants: Sequence[str | Path], diagnostics: Diagnostics) -> None:
    """Report names of cases that variants say they change, where none of their rulesets has such a case."""
    for path, shown in _files(ruleset, variants):
        names = _changed(path, shown, diagnostics)
        known = list(_known(ruleset, path)) if names else []
        for name in names:
            if not any(is_called(case.key, case.id, name) for case in known):
                message = f"there is no case {quote(name)} that this variant could change"
                diagnostics.unknown("unknown-case", message, name.span, name, [case.id for case in known])


def _named(case: Case, folder: Path) -> set[Path]:
    """The files of the variants that a case names itself; what cannot be found is told when it is run."""
    files: set[Path] = set()
    for each in case.entry.variants if case.entry is not None else ():
        with suppress(RulesetError):
            named = case.path.parent / each if each.endswith(".yaml") else str(each)
            files.add(find_variant(named, folder)[0].resolve())
    return files


def _files(ruleset: str | Path, variants: Sequence[str | Path]) -> Iterator[tuple[Path, str]]:
    folder = find(ruleset)
    for each in split_choices(variants)[0]:
        yield find_variant(each, folder)


def _changed(path: Path, shown: str, diagnostics: Diagnostics) -> list[Text]:
    read = Diagnostics()
    tree = read_file(path, shown, read)
    if tree is None:
        return []
    diagnostics.sources |= read.sources
    return texts_at(tree, CHANGED, diagnostics)


def _known(ruleset: str | Path, path: Path) -> Iterator[Case]:
    """The cases of the ruleset, and of the others for which the variant is written."""
    tree = read_file(path, path.name, Diagnostics())
    others = texts_at(tree, "extends", Diagnostics()) if isinstance(tree, Mapping) else []
    folders = {find(ruleset).resolve()}
    for each in others:
        try:
            folders.add(find(str(each)).resolve())
        except RulesetError:
            continue
    for folder in sorted(folders):
        yield from named_cases(folder)
