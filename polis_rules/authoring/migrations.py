"""`polis migrate`: files of an older format of the language, brought forward one format at a time.

A migration works on the files as they are written, not on what they are composed to, so comments and layout stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from polis_rules.authoring.format_2 import to_format_2
from polis_rules.authoring.formatting import files_at
from polis_rules.composition import FORMAT, MANIFEST, family, file_bytes
from polis_rules.diagnostics import Diagnostics, Span, quote
from polis_rules.source import Text, read_file, read_text

Edits = list[tuple[Span, str]]
"""What is to stand at places of a text, each of them on one line."""


def with_edits(text: str, edits: Edits) -> str:
    """A text with all edits done at once.

    >>> with_edits("coin: 1\\n", [(Span("a.yaml", 1, 7, 1, 8), "2")])
    'coin: 2\\n'
    """
    lines = text.split("\n")
    for span, new in sorted(edits, key=lambda each: (each[0].line, each[0].column), reverse=True):
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + new + line[span.end_column - 1 :]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Migration:
    """The step from one format to the next."""

    source: int
    """The format that it takes; it gives the one after it."""
    title: str
    """What it does, for people."""
    by_hand: str
    """What it leaves to people."""
    apply: Callable[[dict[Path, str], list[str], Diagnostics], dict[Path, str]]
    """Gives the texts of a ruleset's files, given also those of editions and variants beside that are laid over it.

    What is in the new format already it leaves alone.
    """


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        source=1,
        title="citations and grades are said once, single steps have a `when`, first values stand below their members",
        by_hand="Labels may be shortened. In a variant by itself, paths into `scenario.start` name members first.",
        apply=lambda texts, users, _: to_format_2(texts, users),
    ),
)
"""Every step there is, oldest first; each begins where the one before it ends. Format 1 is the first."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file that a migration alters."""

    path: Path
    before: str
    after: str


def migrate(path: Path, diagnostics: Diagnostics) -> tuple[list[Migration], list[Change]]:
    """The migrations that a ruleset's folder, or a variant's or scenario's file, needs, and what they change.

    Nothing is written. A folder's manifest says which format it has; a single file says nothing about it, so every
    migration is tried on it. What cannot be done by a program is an error; so is a format that no migration takes.
    """
    oldest = _format_of(path, diagnostics)
    needed = [] if oldest is None else [each for each in MIGRATIONS if each.source >= oldest]
    before: dict[Path, str] = {}
    for file in files_at([path]) if needed else ():
        if read_file(file, file.as_posix(), diagnostics) is not None:
            before[file] = diagnostics.sources[file.as_posix()]
    after = before
    beside = files_at(_users(path)) if needed and path.is_dir() else ()
    users = [(file_bytes(each) or b"").decode("utf-8", "replace") for each in beside]
    for migration in needed:
        after = _forward(after, users, migration, diagnostics)
    return needed, [Change(file, before[file], after[file]) for file in before if after[file] != before[file]]


def _format_of(path: Path, diagnostics: Diagnostics) -> int | None:
    """The format of a folder's ruleset; the oldest one for a single file that is no manifest."""
    manifest = path / MANIFEST if path.is_dir() else path
    tree = read_file(manifest, manifest.as_posix(), diagnostics)
    if tree is None:
        return None
    version = tree.get("format")
    known = [*(each.source for each in MIGRATIONS), int(FORMAT)]
    if version is None and not path.is_dir():
        return known[0]
    place = tree.span if version is None else version.span
    if not isinstance(version, Text) or not version.isdecimal() or len(version) > 9:
        diagnostics.error("unsupported-format", f"it does not say which format it has: `format: {FORMAT}`", place)
        return None
    if int(version) not in known:
        newer = int(version) > int(FORMAT)
        message = f"format {version} is {'newer' if newer else 'older'} than any that this version knows"
        hint = f"{'a newer' if newer else 'another'} version of polis-rules reads it"
        diagnostics.error("unsupported-format", message, place, hint=hint)
        return None
    return int(version)


def _users(folder: Path) -> Iterator[Path]:
    """Folders beside that of a ruleset whose files are laid over it: variants, and editions that extend it."""
    folder = folder.resolve()
    for manifest in folder.parent.glob(f"*/{MANIFEST}"):
        if manifest.parent != folder and folder in [each.resolve() for each in family(manifest.parent)]:
            yield manifest.parent
    if (variants := folder.parent / "variants").is_dir():
        yield variants


def _forward(
    texts: dict[Path, str], users: list[str], migration: Migration, diagnostics: Diagnostics
) -> dict[Path, str]:
    """The texts after one migration; those of before, and an error, where one could not be read any more."""
    applied = migration.apply(texts, users, diagnostics)
    made = {path: _numbered(text, migration.source + 1) for path, text in applied.items()}
    for path, text in made.items():
        shown = path.as_posix()
        if read_text(text, shown, Diagnostics()) is None:
            message = f"{quote(shown)} could not be brought to format {migration.source + 1}"
            diagnostics.error("migrate-by-hand", message, Span(shown, 1, 1, 1, 1), hint=migration.by_hand)
            return texts
    return made


def _numbered(text: str, number: int) -> str:
    """A text that says which format it has, if it said so before."""
    tree = read_text(text, "", Diagnostics())
    version = tree.get("format") if tree is not None else None
    return with_edits(text, [(version.span, str(number))]) if isinstance(version, Text) else text
