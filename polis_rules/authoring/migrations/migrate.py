"""`polis migrate`: files of an older format of the language, brought forward one format at a time.

A migration works on the files as they are written, not on what they are composed to, so comments and layout stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from polis_rules.authoring.formatting import files_at
from polis_rules.authoring.migrations import format_0
from polis_rules.authoring.migrations.edits import Edits
from polis_rules.composition import FORMAT, MANIFEST
from polis_rules.diagnostics import Diagnostics, quote
from polis_rules.schema import file_sort
from polis_rules.source import Mapping, Text, read_file, read_text


@dataclass(frozen=True, slots=True)
class Migration:
    """The step from one format to the next."""

    source: int
    """The format that it takes."""
    target: int
    """The format that it gives."""
    title: str
    """What it does, for people."""
    by_hand: str
    """What it leaves to people."""
    sections: tuple[str, ...]
    """Sections that there are no more after it."""
    apply: Callable[[Mapping, Edits, Diagnostics], None]
    """Notes the edits that a file needs; what is in the new format already it leaves alone."""


MIGRATIONS = (Migration(0, 1, format_0.TITLE, format_0.BY_HAND, format_0.SECTIONS, format_0.migrate),)
"""Every step there is, oldest first; each begins where the one before it ends."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file that a migration alters."""

    path: Path
    before: str
    after: str


def migrate(path: Path, diagnostics: Diagnostics) -> tuple[list[Migration], list[Change]]:
    """The migrations that a ruleset's folder, or a variant's or scenario's file, needs, and what they change.

    Nothing is written. A folder's manifest says which format it has; a single file says nothing about it, so every
    migration is tried on it. What cannot be done by a program is an error; so is a format that is newer than this
    version of the program.
    """
    oldest = _format_of(path, diagnostics)
    if oldest is None:
        return [], []
    needed = [each for each in MIGRATIONS if each.source >= oldest]
    changes = []
    for file in files_at([path]):
        shown = file.as_posix()
        before = _read(file, shown, diagnostics)
        if before is not None:
            after = _forward(before, shown, needed, diagnostics)
            if after != before:
                changes.append(Change(file, before, after))
    return needed, changes


def _format_of(path: Path, diagnostics: Diagnostics) -> int | None:
    """The format of a folder's ruleset; the oldest one for a single file that is no manifest."""
    manifest = path / MANIFEST if path.is_dir() else path
    tree = read_file(manifest, manifest.as_posix(), diagnostics)
    if tree is None:
        return None
    version = tree.get("format")
    if version is None and not path.is_dir():
        return MIGRATIONS[0].source
    if not isinstance(version, Text) or not version.isdecimal() or len(version) > 9:
        place = tree.span if version is None else version.span
        diagnostics.error("unsupported-format", "it does not say which format it has: `format: 0`", place)
        return None
    if int(version) > int(FORMAT):
        message = f"format {version} is newer than format {FORMAT}, the last that this version knows"
        hint = "a newer version of polis-rules reads it"
        diagnostics.error("unsupported-format", message, version.span, hint=hint)
        return None
    return int(version)


def _read(file: Path, shown: str, diagnostics: Diagnostics) -> str | None:
    """The text of a file that is part of a ruleset and can be read."""
    found = Diagnostics()
    tree = read_file(file, shown, found)
    diagnostics.items += found.items
    diagnostics.sources |= found.sources
    if tree is None or found.has_errors:
        return None
    former = {section for each in MIGRATIONS for section in each.sections}
    if not former & set(tree.entries) and file_sort(tree.entries) is None:
        return None
    return found.sources[shown]


def _forward(text: str, shown: str, needed: Iterable[Migration], diagnostics: Diagnostics) -> str:
    for migration in needed:
        tree = read_text(text, shown, Diagnostics())
        assert tree is not None  # a migration gives what can be read; its tests say so
        edits = Edits(text)
        version = tree.get("format")
        if isinstance(version, Text):
            edits.replace(version.span, str(migration.target))
        migration.apply(tree, edits, diagnostics)
        after = edits.done()
        if read_text(after, shown, Diagnostics()) is None:
            message = f"{quote(shown)} could not be brought to format {migration.target}"
            diagnostics.error("migrate-by-hand", message, tree.span, hint=migration.by_hand)
            return text
        text = after
    return text
