"""Rename an id in every file that it stands in; refused when anything would be wrong afterwards."""

from __future__ import annotations

from pathlib import Path

from polis_rules.diagnostics import Span
from polis_rules.language_server.analysis import Analysis, analyse
from polis_rules.language_server.index import is_local, name_of
from polis_rules.language_server.workbench import Workbench
from polis_rules.semantics import BUILT_IN, Reference
from polis_rules.source import is_id

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
    _try_out(bench, touched, edits, new)
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
    if beside in analysis.index.by_symbol:
        raise RefusedError(f"there is a `{new}` already")
    top = is_local(symbol) or symbol.split(".")[0] in ("kinds", "state", "terms", "routes", "tables", "actions")
    if symbols is not None and top and symbol.count(".") < 3 and new in (*symbols.known(), *symbols.terms):
        if symbol.startswith("tables.") and new in symbols.owners:
            return  # members of different kinds may share an id
        raise RefusedError(f"`{new}` already means something")


def _try_out(bench: Workbench, touched: list[Analysis], edits: dict[Path, list[Span]], new: str) -> None:
    """Compile everything that is touched with the new id; refuse when that makes an error."""
    texts = {**bench.texts, **{file: replaced(bench.text(file), spans, new) for file, spans in edits.items()}}
    for analysis in touched:
        before = {(each.code, each.span.file if each.span else "") for each in analysis.findings}
        after = analyse(analysis.target, texts, bench.memory)
        wrong = next(
            (each for each in after.build.diagnostics.items if each.severity == "error" and _key(each) not in before),
            None,
        )
        if wrong is not None:
            raise RefusedError(f"it would be an error: {wrong.message} ({wrong.span})")


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
