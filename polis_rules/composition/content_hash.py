"""The bytes of the files that say what the rules are, read once, and a name for them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from polis_rules.composition.catalog import (
    VARIANT,
    family,
    file_bytes,
    find,
    find_scenario,
    find_variant,
    leads_away,
    libraries_of,
    shown_folder,
)
from polis_rules.composition.choices import split_choices
from polis_rules.source import LARGEST, files_in

AWAY = " (outside)"
"""Marks a file that composing refuses."""


class Snapshot(NamedTuple):
    """Every file that `compose` could read with some arguments, as it was read once."""

    key: str
    """SHA-256 of the names and bytes of all of them: a key for caches."""
    texts: dict[Path, str]
    """The texts by resolved path; what is no text is left out, so that whoever reads it says what is wrong."""


def take_snapshot(
    ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = (), cases: bool = False
) -> Snapshot:
    """Read the files of a ruleset and those it extends, of its scenarios and of variants; with `cases`, theirs too.

    It is much quicker than composing. Raises RulesetError when the ruleset or a variant is not found.
    """
    return Snapshots().take(ruleset, scenario, variants, cases)


class Snapshots:
    """Takes several snapshots of about the same files at one time: each file is read once."""

    def __init__(self) -> None:
        self._families = cache(family)
        self._listed = cache(_listed)
        self._libraries = cache(libraries_of)
        self._read = cache(_read)

    def take(
        self, ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = (), cases: bool = False
    ) -> Snapshot:
        """What `take_snapshot` takes."""
        folders = self._families(find(ruleset).resolve())
        files = [file for folder in folders for file in self._listed(folder, cases)]
        libraries = dict.fromkeys(file for folder in folders for file in self._libraries(folder))
        files += [(f"{shown_folder(file.parent)}/{file.name}", file) for file in libraries]
        if scenario is not None and (chosen := find_scenario(scenario)) is not None:
            files.append((scenario, chosen.resolve()))
        named, choices = split_choices(variants)
        laid_over = sorted(find_variant(each, folders[0]) for each in named)
        files += [
            (f"{shown}{AWAY if leads_away(path, folders[0]) else ''}", path.resolve()) for path, shown in laid_over
        ]
        asked = repr(scenario) if not choices else repr((scenario, sorted(choices.items())))
        digest = hashlib.sha256(asked.encode())
        texts: dict[Path, str] = {}
        for shown, path in files:
            raw, place, text = self._read(path)
            name = shown if raw is not None else f"{shown} (unreadable)"  # which is not the same as empty
            for part in (name.encode("utf-8", "backslashreplace"), raw or b""):
                digest.update(len(part).to_bytes(8) + part)
            if text:
                texts[place] = text
        return Snapshot(digest.hexdigest(), texts)


def _listed(folder: Path, cases: bool) -> list[tuple[str, Path]]:
    """The files in a ruleset's folder, and what they are called."""
    files, called = [], shown_folder(folder)
    for path in (path for path in files_in(folder, below=True) if cases or not _is_of_cases(path, folder)):
        inside = Path(os.path.realpath(path)).is_relative_to(folder)  # realpath: a link may lead to itself
        away = "" if inside else AWAY
        files.append((f"{called}/{path.relative_to(folder).as_posix()}{away}", path))
    return files


def _is_of_cases(path: Path, folder: Path) -> bool:
    """Whether a file in a ruleset's folder holds cases, of the ruleset or of a variant."""
    around = path.parent
    return around == folder / "cases" or (around.name == "cases" and (around.parent / VARIANT).is_file())


def _read(path: Path) -> tuple[bytes | None, Path, str]:
    """What a file holds, its resolved path, and its text; no text where it is empty, too large or no text at all."""
    raw = file_bytes(path)
    with suppress(UnicodeDecodeError):
        if raw and len(raw) <= LARGEST:
            return raw, path.resolve(), raw.decode("utf-8")
    return raw, path, ""
