"""`polis format`: files in canonical form, by moving whole lines, so that nothing else changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from polis_rules.authoring.formatting.comments import place_comments
from polis_rules.authoring.formatting.layout import lay_out
from polis_rules.authoring.formatting.writing import reorder_brackets, write
from polis_rules.diagnostics import Diagnostics, Span, quote
from polis_rules.schema import Place, file_sort, meaning
from polis_rules.source import read_file, read_text


def format_text(text: str, shown_as: str, diagnostics: Diagnostics) -> str | None:
    """The canonical form of a file's text, or None with findings when it cannot be read.

    Fixed keys stand in the order of the language, lines are indented by two, blank lines are single, and no line ends
    with spaces. Comments go along with what they belong to. What the file says stays the same. Text that is no
    part of a ruleset (it has none of the language's keys at its top) is returned as it is.

    >>> text = "terms:\\n   limit:\\n      title: Limit\\n      is: 8\\n"
    >>> print(format_text(text, "a.yaml", Diagnostics()), end="")
    terms:
      limit:
        is: 8
        title: Limit
    """
    findings = Diagnostics()
    tree = read_text(text, shown_as, findings)
    diagnostics.sources |= findings.sources
    diagnostics.items += findings.items
    if tree is None or findings.has_errors:
        return None
    sort = file_sort(tree.entries)
    if sort is None:
        return text
    place = Place(sort)
    formatted = _formatted(findings.sources[shown_as], place)
    again = read_text(formatted, shown_as, Diagnostics())
    if again is None or str(meaning(again, place)) != str(meaning(tree, place)):
        message = f"{quote(shown_as)} would say something else afterwards, so it is left alone"
        hint = "please report this file" if text.endswith("\n") else "end the file with a line break"
        diagnostics.error("not-formatted", message, Span(shown_as, 1, 1, 1, 1), hint=hint)
        return None
    return formatted


def _formatted(text: str, place: Place) -> str:
    lines = text.split("\n")
    text = reorder_brackets(lay_out(text, lines), place, text, lines)
    lines = text.split("\n")
    if any(line.rstrip() in ("---", "...") or line.startswith(("--- ", "... ")) for line in lines):
        return text  # marks of documents say nothing here; whoever writes them has reasons
    root = lay_out(text, lines)
    if not root.block:
        return text.strip("\n") + "\n"
    place_comments(root, lines)
    return "\n".join(write(root, place, lines)) + "\n"


def format_file(path: Path, diagnostics: Diagnostics) -> tuple[str, str] | None:
    """A file's text and its canonical form; None with findings when it cannot be read."""
    shown = path.as_posix()
    findings = Diagnostics()
    if read_file(path, shown, findings) is None or findings.has_errors:
        diagnostics.sources |= findings.sources
        diagnostics.items += findings.items
        return None
    with path.open(encoding="utf-8", newline="") as stream:
        text = stream.read()
    formatted = format_text(text, shown, diagnostics)
    return None if formatted is None else (text, formatted)


def files_at(paths: Iterable[Path]) -> Iterator[Path]:
    """The files themselves, and the YAML files in folders and their subfolders.

    What is hidden is left out, and so is a link that leads out of the folder.

    >>> [path.name for path in files_at([Path("a.yaml")])]
    ['a.yaml']
    """
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for each in sorted(path.rglob("*.yaml")):
            hidden = any(part.startswith(".") for part in each.relative_to(path).parts)
            if each.is_file() and not hidden and each.resolve().is_relative_to(path.resolve()):
                yield each
