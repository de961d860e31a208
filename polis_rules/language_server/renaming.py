"""Rename an id in every file that it stands in; refused when anything would be wrong afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp

from polis_rules.authoring import with_edits
from polis_rules.diagnostics import Span
from polis_rules.language_server.analysis import Analysis, analyse
from polis_rules.language_server.casefiles import ids_in_cases
from polis_rules.language_server.index import is_local, name_of
from polis_rules.language_server.targets import Target, dependents
from polis_rules.language_server.workbench import Workbench
from polis_rules.pipeline import Build, compose, read_shape, run
from polis_rules.semantics import BUILT_IN, Reference, References, Symbols
from polis_rules.source import edited, is_id

FIXED = ("kinds.player", "phases.game")
"""Names that the language itself knows."""


class RefusedError(Exception):
    """The rename is refused; the text says why."""


def _here(bench: Workbench, path: Path, place: lsp.Position) -> tuple[Analysis, Reference]:
    """What would be renamed. Raises RefusedError where nothing can be."""
    here = bench.at(path, place)
    if here is None:
        raise RefusedError("this file belongs to no ruleset")
    analysis, name = here
    if name is None or not any(analysis.index.declarations(name.symbol)):
        raise RefusedError("no id of this ruleset stands here")
    declared = [span.end_column - span.column for span in analysis.index.declarations(name.symbol)]
    if name.symbol.startswith("libraries.") or any(width != len(name_of(name.symbol)) for width in declared):
        raise RefusedError(f"`{name_of(name.symbol)}` belongs to a library, which others may use too")
    if name.symbol in FIXED:
        raise RefusedError(f"`{name_of(name.symbol)}` is a name that the language itself knows")
    return analysis, name


def renamable(bench: Workbench, path: Path, place: lsp.Position) -> lsp.Range:
    """What would be renamed at a place. Raises RefusedError where nothing can be."""
    return bench.range(_here(bench, path, place)[1].span, bench.text(path))


def rename(bench: Workbench, path: Path, place: lsp.Position, new: str) -> lsp.WorkspaceEdit:
    """The new id in every place of the old one. Raises RefusedError with the reason."""
    analysis, name = _here(bench, path, place)
    symbols = analysis.index.with_its_name(name.symbol)
    for symbol in symbols:
        _check_name(analysis, symbol, new)
    now = bench.analysis(analysis.target)
    if now.symbols is None:
        raise RefusedError("the ruleset has errors that hide where the id stands; mend them first")
    edits: dict[Path, list[Span]] = {}
    whole = bench.analysis(Target(now.target.folder))
    touched = [now] if now is whole else [now, whole]
    for where, each in (place for symbol in symbols for place in bench.everywhere(analysis.target, symbol)):
        spans = edits.setdefault(where.files[each.span.file], [])
        if not any((span.line, span.column) == (each.span.line, each.span.column) for span in spans):
            spans.append(each.span)
        if where not in touched:
            touched.append(where)
    after = _try_out(bench, touched, edits, name_of(name.symbol), new)
    anew = {file: [(span, new) for span in spans] for file, spans in edits.items()}
    for path, span, id in _made_anew(bench, whole, after, name_of(name.symbol)):
        anew.setdefault(path, []).append((span, id))
    changes = {}
    for file, spans_and_ids in anew.items():
        text = bench.text(file)
        changes[file.as_uri()] = [lsp.TextEdit(bench.range(span, text), id) for span, id in spans_and_ids]
    return lsp.WorkspaceEdit(changes=changes)


def _made_anew(bench: Workbench, whole: Analysis, after: Symbols | None, old: str) -> Iterator[tuple[Path, Span, str]]:
    """The places in cases of members that `numbers` and `for_each` make, which are called after what is renamed, each
    with its id from now on."""
    if whole.symbols is None or after is None:
        return
    kinds = zip(whole.symbols.kinds.values(), after.kinds.values(), strict=True)
    pairs = (pair for one, other in kinds for pair in zip(one.members, other.members, strict=True))
    ids = {before: id for before, id in pairs if id != before != old}
    for target in dependents(whole.target, bench.texts, {old}, bench.text) if ids else ():
        if target.cases:
            analysis = bench.known(target)
            for file, tree in analysis.cases.items():
                for text in ids_in_cases(tree):
                    named = References()
                    named.words(text, ids)
                    yield from ((analysis.files[file], each.span, each.symbol) for each in named.found)


def _check_name(analysis: Analysis, symbol: str, new: str) -> None:
    if not is_id(new):
        raise RefusedError(f"`{new}` is not an id: lower case letters, digits and underscores, a letter first")
    if new == name_of(symbol):
        raise RefusedError(f"it is called `{new}` already")
    symbols = analysis.symbols
    if new in BUILT_IN:
        raise RefusedError(f"`{new}` is a word of the language")
    beside = symbol[: -len(name_of(symbol))] + new
    also = (beside.replace(".state.", ".attributes."), beside.replace(".attributes.", ".state."))
    if any(each in analysis.index.by_symbol for each in (beside, *also)):
        raise RefusedError(f"`{new}` exists already")
    top = is_local(symbol) or symbol.split(".")[0] in ("kinds", "state", "terms", "routes", "tables", "actions")
    if symbols is not None and top and symbol.count(".") < 3 and new in (*symbols.known(), *symbols.terms):
        if symbol.startswith("tables.") and new in symbols.owners:
            return  # members of different kinds may share an id
        raise RefusedError(f"`{new}` already means something")


def _try_out(
    bench: Workbench, touched: list[Analysis], edits: dict[Path, list[Span]], old: str, new: str
) -> Symbols | None:
    """Refuse when the new id makes an error in anything that is touched; what the ruleset of the first of these is
    then, with nothing laid over it.

    A word that stands nowhere yet can clash with nothing: then overlays are only laid over their rulesets.
    """
    whole = None
    edited_texts = {
        file: with_edits(bench.text(file), [(each, new) for each in spans]) for file, spans in edits.items()
    }
    texts = {**bench.texts, **edited_texts}
    is_new = not any(new in text for analysis in touched for text in analysis.sources.values())
    symbols = touched[0].symbols
    for analysis in touched:
        target = analysis.target
        if target.cases:
            _check_cases(analysis, edits, old, symbols)
            continue
        if is_new and (target.variants or target.scenario):
            with edited(texts, bench.memory.trees):
                built = Build(target.folder, target.scenario, target.variants)
                after = run(built, (compose, read_shape)).diagnostics.items
        else:
            tried = analyse(target, texts, bench.memory)
            after, symbols = tried.findings, tried.symbols
            whole = symbols if target == Target(touched[0].target.folder) else whole
        before = {(each.code, each.span and each.span.file) for each in analysis.findings}
        errors = (each for each in after if each.severity == "error")
        wrong = next((each for each in errors if (each.code, each.span and each.span.file) not in before), None)
        if wrong is not None:
            raise RefusedError(f"it would be an error: {wrong.message} ({wrong.span})")
    return whole


def _check_cases(analysis: Analysis, edits: dict[Path, list[Span]], old: str, symbols: Symbols | None) -> None:
    """Refuse when cases would still use the old id, which then means nothing any more."""
    if symbols is None or old in symbols.names():
        return
    for file, tree in analysis.cases.items():
        places = edits.get(analysis.files[file], ())
        for text in ids_in_cases(tree):
            inside = any(text.span.line == each.line and text.span.column <= each.column for each in places)
            if old in text.split(".") and not inside:
                raise RefusedError(
                    f"it would be an error: `{old}` stands in a case where it is not clear ({text.span})"
                )
