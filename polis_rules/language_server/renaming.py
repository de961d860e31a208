"""Rename an id in every file that it stands in; refused when anything would be wrong afterwards."""

from __future__ import annotations

from pathlib import Path

from polis_rules.diagnostics import Span
from polis_rules.language_server.analysis import Analysis, analyse
from polis_rules.language_server.casefiles import ids_in_cases
from polis_rules.language_server.index import is_local, name_of
from polis_rules.language_server.workbench import Workbench
from polis_rules.pipeline import Build, compose, read_shape, run
from polis_rules.semantics import BUILT_IN, Reference, Symbols
from polis_rules.source import edited, is_id

FIXED = ("kinds.player", "phases.game")
"""Names that the language itself knows."""


class RefusedError(Exception):
    """The rename is refused; the text says why."""


def can_rename(analysis: Analysis, found: Reference | None) -> Reference:
    """What would be renamed. Raises RefusedError where nothing can be."""
    if found is None or not any(analysis.index.declarations(found.symbol)):
        raise RefusedError("no id of this ruleset stands here")
    if found.symbol in FIXED:
        raise RefusedError(f"`{name_of(found.symbol)}` is a name that the language itself knows")
    return found


def rename(bench: Workbench, path: Path, line: int, column: int, new: str) -> dict[Path, list[Span]]:
    """The places to replace by the new id, by file. Raises RefusedError with the reason."""
    here = bench.at(path, line, column)
    if here is None:
        raise RefusedError("this file belongs to no ruleset")
    analysis, found = here
    symbol = can_rename(analysis, found).symbol
    _check_name(analysis, symbol, new)
    now = bench.analysis(analysis.target)
    if now.symbols is None:
        raise RefusedError("the ruleset has errors that hide where the id stands; mend them first")
    edits: dict[Path, list[Span]] = {}
    touched: list[Analysis] = [now]
    for where, each in bench.everywhere(analysis.target, symbol):
        file = where.files[each.span.file]
        edits.setdefault(file, []).append(each.span)
        if where not in touched:
            touched.append(where)
    _try_out(bench, touched, edits, name_of(symbol), new)
    return edits


def _check_name(analysis: Analysis, symbol: str, new: str) -> None:
    if not is_id(new):
        raise RefusedError(f"`{new}` is not an id: lower case letters, digits and underscores, a letter first")
    if new == name_of(symbol):
        raise RefusedError(f"it is called `{new}` already")
    symbols = analysis.symbols
    if new in BUILT_IN:
        raise RefusedError(f"`{new}` is a word of the language")
    beside = symbol[: -len(name_of(symbol))] + new
    other = (
        beside.replace(".state.", ".attributes.") if ".state." in beside else beside.replace(".attributes.", ".state.")
    )
    if beside in analysis.index.by_symbol or other in analysis.index.by_symbol:
        raise RefusedError(f"there is a `{new}` already")
    top = is_local(symbol) or symbol.split(".")[0] in ("kinds", "state", "terms", "routes", "tables", "actions")
    if symbols is not None and top and symbol.count(".") < 3 and new in (*symbols.known(), *symbols.terms):
        if symbol.startswith("tables.") and new in symbols.owners:
            return  # members of different kinds may share an id
        raise RefusedError(f"`{new}` already means something")


def _try_out(bench: Workbench, touched: list[Analysis], edits: dict[Path, list[Span]], old: str, new: str) -> None:
    """Refuse when the new id makes an error in anything that is touched.

    A word that stands nowhere yet can clash with nothing: then overlays are only laid over their rulesets.
    """
    texts = {**bench.texts, **{file: replaced(bench.text(file), spans, new) for file, spans in edits.items()}}
    is_new = not any(new in text for analysis in touched for text in analysis.sources.values())
    for analysis in touched:
        target = analysis.target
        if target.cases:
            _check_cases(analysis, edits, old, bench.memory.names[-1].symbols)
            continue
        if is_new and (target.variants or target.scenario):
            with edited(texts, bench.memory.trees):
                made = Build(target.folder, target.scenario, target.variants)
                after = run(made, (compose, read_shape)).diagnostics.items
        else:
            after = analyse(target, texts, bench.memory).findings
        before = {(each.code, each.span.file if each.span else "") for each in analysis.findings}
        wrong = next((each for each in after if each.severity == "error" and _key(each) not in before), None)
        if wrong is not None:
            raise RefusedError(f"it would be an error: {wrong.message} ({wrong.span})")


def _check_cases(analysis: Analysis, edits: dict[Path, list[Span]], old: str, symbols: Symbols) -> None:
    """Refuse when cases would still use the old id, which then means nothing any more."""
    if old in symbols.names():
        return
    for file, tree in analysis.cases.items():
        places = edits.get(analysis.files[file], ())
        for text in ids_in_cases(tree):
            inside = any(text.span.line == each.line and text.span.column <= each.column for each in places)
            if old in text.split(".") and not inside:
                raise RefusedError(
                    f"it would be an error: `{old}` stands in a case where it is not clear ({text.span})"
                )


def _key(finding: object) -> tuple[str, str]:
    span = getattr(finding, "span", None)
    return getattr(finding, "code", ""), span.file if span else ""


def replaced(text: str, spans: list[Span], new: str) -> str:
    """A text with something else at some places, each on one line."""
    lines = text.split("\n")
    for span in sorted(spans, key=lambda each: (each.line, each.column), reverse=True):
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + new + line[span.end_column - 1 :]
    return "\n".join(lines)
