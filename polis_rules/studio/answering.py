"""The language server's answers about the open texts, as the page shows them."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from polis_rules.diagnostics import PolisError
from polis_rules.language_server import (
    Analysis,
    RefusedError,
    Workbench,
    abilities,
    answers,
    complete,
    fixes,
    mendable,
    path_of,
    renamable,
    rename,
)
from polis_rules.studio.edits import Edit, Finding, Fix, Place, Point, offset

SEVERITIES = {
    lsp.DiagnosticSeverity.Error: "error",
    lsp.DiagnosticSeverity.Warning: "warning",
    lsp.DiagnosticSeverity.Information: "note",
}
MOST_OFFERED = 200


class Answers:
    """Answers about the texts in the editor; see `Checker`, which asks one thing after the other."""

    def __init__(self) -> None:
        self._bench = Workbench()
        self.change = self._bench.change
        self.forget = self._bench.forget

    def analysis(self, path: Path, now: bool) -> Analysis:
        target = self._bench.target(path)
        if target is None:
            raise PolisError(f"{path.name} belongs to no ruleset that can be found")
        return self._bench.analysis(target) if now else self._bench.known(target)

    def findings(self, path: Path, thorough: bool) -> dict[Path, list[Finding]]:
        target = self._bench.target(path)
        if target is None:
            return {path: [_finding(each) for each in answers.findings_alone(self._bench, path)]}
        analysis = self._bench.analysis(target)
        found = answers.findings(self._bench, analysis, so_far=not thorough)
        if path not in analysis.files.values():
            found[path] = answers.findings_alone(self._bench, path)
        known = mendable(self._bench, analysis, analysis.told if thorough else analysis.compiled)
        return {file: [_finding(each, (file, each) in known) for each in every] for file, every in found.items()}

    def look_further(self, path: Path) -> bool | None:
        return answers.look_further(self._bench, path)

    def completions(self, path: Path, at: Point) -> list[dict[str, str]]:
        found = complete(self._bench, path, lsp.Position(*at))
        return [
            {"label": each.label, "detail": each.detail or "", "info": str(each.documentation or "")}
            for each in found[:MOST_OFFERED]
        ]

    def hover(self, path: Path, at: Point) -> str:
        found = answers.hover(self._bench, path, lsp.Position(*at))
        return found.contents.value if found is not None and isinstance(found.contents, lsp.MarkupContent) else ""

    def definition(self, path: Path, at: Point) -> list[Place]:
        return _places(answers.definition(self._bench, path, lsp.Position(*at)))

    def path_at(self, path: Path, at: Point) -> str:
        wrong = answers.unreadable(self._bench, path)
        if wrong is not None:
            line = f"line {wrong.span.line}: " if wrong.span is not None else ""
            raise PolisError(f"Mend the text first, which cannot be read as it stands: {line}{wrong.message}")
        return answers.path_at(self._bench, path, lsp.Position(*at))

    def references(self, path: Path, at: Point) -> list[Place]:
        return _places(answers.references(self._bench, path, lsp.Position(*at)))

    def fixes(self, path: Path, line: int, finding: Finding | None) -> list[Fix]:
        whole = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 100_000))
        wanted = [
            Fix(each.title, _edits(each.edit))
            for each in fixes(self._bench, path, whole)
            if finding is None or finding in (_finding(mended, True) for mended in each.diagnostics or ())
        ]
        return list(dict.fromkeys(wanted))  # several findings may be mended by the same

    def renamable(self, path: Path, at: Point) -> str:
        try:
            place = renamable(self._bench, path, lsp.Position(*at))
        except RefusedError as error:
            raise PolisError(str(error)) from None
        text = self._bench.text(path)
        return text[offset(text, _point(place.start)) : offset(text, _point(place.end))]

    def rename(self, path: Path, at: Point, new: str) -> tuple[Edit, ...]:
        try:
            return _edits(rename(self._bench, path, lsp.Position(*at), new))
        except RefusedError as error:
            raise PolisError(str(error)) from None

    def prose(self, path: Path) -> tuple[list[str], list[str]]:
        return abilities.prose(self._bench, path)

    def formatted(self, path: Path) -> str | None:
        edits = abilities.formatting(self._bench, path)
        return edits[0].new_text if edits else None


def _finding(each: lsp.Diagnostic, can_be_mended: bool = False) -> Finding:
    start, end = each.range.start, each.range.end
    severity = SEVERITIES.get(each.severity or lsp.DiagnosticSeverity.Error, "note")
    return Finding(severity, str(each.code or ""), each.message, _point(start), _point(end), can_be_mended)


def _point(place: lsp.Position) -> Point:
    return place.line, place.character


def _edits(edit: lsp.WorkspaceEdit | None) -> tuple[Edit, ...]:
    found = []
    for uri, changes in ((edit.changes if edit is not None else None) or {}).items():
        path = path_of(uri)
        if path is not None:
            found += [
                Edit(
                    path,
                    _point(each.range.start),
                    _point(each.range.end),
                    each.new_text,
                )
                for each in changes
            ]
    return tuple(found)


def _places(found: list[lsp.Location]) -> list[Place]:
    places = ((path_of(each.uri), each.range.start) for each in found)
    return [(path, _point(start)) for path, start in places if path is not None]
