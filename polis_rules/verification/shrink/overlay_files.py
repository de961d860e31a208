"""Copies of a ruleset's files, from which lines of overlays can be left out to see whether a game still fails."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from polis_rules import cache
from polis_rules.composition import family, find, find_variant, scenario_files
from polis_rules.diagnostics import PolisError
from polis_rules.ruleset import Ruleset, load
from polis_rules.verification.shrink.overlay_lines import Line, compact, lines_of, without

VARIANTS = "variants"


@dataclass(frozen=True, slots=True)
class Place:
    """A line of an overlay and the file in which it stands, as seen from the overlays."""

    file: str
    line: Line

    def __str__(self) -> str:
        return f"{self.file}:{self.line.first + 1}: {self.line.name}"


class OverlayFiles:
    """A folder with a copy of the variants of a ruleset; with `editions` also of the ruleset and those it extends."""

    def __init__(self, ruleset: Ruleset, folder: Path, editions: bool) -> None:
        root, self.scenario, variants = ruleset.origin
        self.folder = folder
        self.root: str | Path = root
        self.variants: list[str] = []
        if variants:
            (folder / VARIANTS).mkdir()
        for number, each in enumerate(variants):
            path, _ = find_variant(each)
            name = f"{VARIANTS}/{path.name}"
            if name in self.variants:
                name = f"{VARIANTS}/{number}_{path.name}"
            shutil.copyfile(path, folder / name)
            self.variants.append(name)
        copied = self.copy_editions(find(root), ruleset.scenario) if editions else []
        self.texts = {name: (folder / name).read_text("utf-8") for name in (*self.variants, *copied)}
        self.lines = [Place(name, line) for name, text in self.texts.items() for line in lines_of(text)]

    def copy_editions(self, home: Path, scenario: str) -> list[str]:
        """Copy the ruleset and those it extends side by side; the files in them that may hold overlays."""
        editions = family(home.resolve())
        for each in editions:
            shutil.copytree(each, self.folder / each.name, ignore=shutil.ignore_patterns("cases"))
        self.root = self.folder / editions[0].name
        found = [path for each in editions[:-1] for path in sorted((self.folder / each.name).rglob("*.yaml"))]
        found = [path for path in found if path.parent.name != "scenarios"]
        scenarios = (scenario_files(self.folder / each.name).get(scenario) for each in editions)
        found += [path for path in scenarios if path is not None][:1]  # the first one is played
        return [path.relative_to(self.folder).as_posix() for path in found]

    def load(self, kept: Collection[Place]) -> Ruleset | None:
        """The ruleset with these lines of its overlays only; None where it cannot be used so."""
        for name, text in self.texts.items():
            (self.folder / name).write_text(self.reduced(name, text, kept), "utf-8")
        variants = tuple(self.folder / name for name in self.used(kept))
        try:
            with cache.unused():
                ruleset = load(self.root, self.scenario, variants)
                ruleset.rules()
                ruleset.program(checks=True, trace=True)
        except PolisError:
            return None
        return ruleset

    def reduced(self, name: str, text: str, kept: Collection[Place]) -> str:
        return without(text, {each.line for each in self.lines if each.file == name and each not in kept})

    def used(self, kept: Collection[Place]) -> list[str]:
        """The variants of which something is left."""
        return [name for name in self.variants if any(each.file == name for each in kept)]

    def results(self, kept: Collection[Place]) -> dict[str, str]:
        """The files as they are to be kept: those of variants, and those of editions where a line was left out."""
        names: Iterable[str] = self.used(kept)
        changed = {each.file for each in self.lines if each not in kept and each.file not in self.variants}
        if changed:
            files = sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.yaml"))
            names = (*names, *(name for name in files if name not in self.variants))
        found = {}
        for name in names:
            text = self.texts.get(name) or (self.folder / name).read_text("utf-8")
            small = self.reduced(name, text, kept)
            found[name] = compact(small, name) if small != text else text
        return found
