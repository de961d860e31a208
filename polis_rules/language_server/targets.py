"""Which ruleset a file belongs to, and as what."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from polis_rules.composition import (
    EXAMPLE,
    LIBRARY,
    MANIFEST,
    family,
    file_bytes,
    find_base,
    required_variants,
    texts_at,
    variant_files,
    variant_folder,
)
from polis_rules.diagnostics import Diagnostics
from polis_rules.source import Mapping, edited, files_in, is_file, is_id, read_file, read_text

HEAD = re.compile(r"^(?:variant|extends|requires):.*(?:\n[ -].*)*", re.MULTILINE)
"""What a variant says it is, is laid over and asks for."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is compiled to find out about a file."""

    folder: Path
    """The ruleset's."""
    scenario: str | None = None
    variants: tuple[Path, ...] = ()
    cases: bool = False
    """Whether it is about the ruleset's cases."""

    @property
    def main(self) -> Path:
        """The file that findings without a place are shown in."""
        if self.variants:
            return self.variants[0]
        return self.folder / "scenarios" / f"{self.scenario}.yaml" if self.scenario else self.folder / MANIFEST

    def owns(self, path: Path) -> bool:
        """Whether findings in a file are this target's to report."""
        if self.variants or self.scenario:
            return path == self.main
        if path == self.folder.parent / LIBRARY:
            return not self.cases
        inside = path.is_relative_to(self.folder) and "variants" not in path.relative_to(self.folder).parts
        return inside and self.cases == (path.parent == self.folder / "cases")


def target_of(path: Path, unsaved: dict[Path, str]) -> Target | None:
    """The target of a file; None when it belongs to no ruleset.

    A variant says what it extends. Any other file belongs to the ruleset whose manifest lies in the nearest parent
    folder; a file in `scenarios` is laid over it, one in `cases` tests it.
    """
    path = path.resolve()
    with edited(unsaved):
        may_be_variant = b"variant" in (file_bytes(path) or b"")  # reading a tree takes long, at each key that is typed
        tree = (read_file(path, path.name, Diagnostics()) or _head(path)) if may_be_variant else None
        if tree is not None and tree.get("variant") is not None:
            return _of_variant(path, tree)
        folder = next((each for each in path.parents if is_file(each / MANIFEST)), None)
        if folder is None and path.name == LIBRARY and is_file(path.parent / EXAMPLE / MANIFEST):
            folder = path.parent / EXAMPLE
    if folder is None:
        return None
    if path.parent == folder / "scenarios" and is_id(path.stem):
        return Target(folder, scenario=path.stem)
    return Target(folder, cases=path.parent == folder / "cases")


def role_of(path: Path, text: str) -> str:
    """Which sort of file it is: ruleset, library, sections, scenario, variant or cases."""
    if path.name == MANIFEST:
        return "ruleset"
    if path.name == LIBRARY:
        return "library"
    if any(line.startswith("variant:") for line in text.splitlines()):
        return "variant"
    return {"scenarios": "scenario", "cases": "cases"}.get(path.parent.name, "sections")


def _head(path: Path) -> Mapping | None:
    """What a file says it is, where the rest of it cannot be read: somebody is just typing there."""
    text = (file_bytes(path) or b"").decode("utf-8", "replace")
    return read_text("\n".join(HEAD.findall(text)), path.name, Diagnostics())


def _of_variant(path: Path, tree: Mapping) -> Target | None:
    folder = _ruleset_near(path, next(iter(texts_at(tree, "extends", Diagnostics())), ""))
    if folder is None:
        return None
    needed = map(str, texts_at(tree, "requires", Diagnostics()))
    return Target(folder.resolve(), variants=(path, *required_variants(needed, path, folder)))


def _ruleset_near(path: Path, name: str) -> Path | None:
    """The folder of the ruleset that a variant extends: around it, beside it, or shipped; else the one around it."""
    around = next((each for each in path.parents if is_file(each / MANIFEST)), None)
    if around is not None and name in ("", around.name):
        return around
    place = variant_folder(path)
    beside = (folder / name for folder in (place, place.parent) if is_id(name))
    named = next((each for each in beside if is_file(each / MANIFEST)), None) or find_base(name, path)
    return named or around  # there it is said that the variant is for another one


def dependents(
    target: Target, unsaved: dict[Path, str], words: Collection[str], text: Callable[[Path], str]
) -> Iterator[Target]:
    """Everything near a target that is built on its ruleset, in files that hold all of some words.

    The rulesets that the target itself is built on come first; then editions, scenarios, cases and variants.
    `text` says what a file holds.
    """

    def speaks(paths: Iterable[Path]) -> bool:
        return any(all(word in written for word in words) for written in map(text, paths))

    def files(folder: Path) -> list[Path]:
        with edited(unsaved):
            return files_in(folder)

    roots = [target.folder, *bases(target.folder, unsaved)]
    folders = {root.parent for root in roots}
    rulesets = sorted(path.parent for folder in folders for path in folder.glob(f"*/{MANIFEST}"))
    relatives = [each for each in rulesets if each in roots or set(roots) & set(bases(each, unsaved))]
    for folder in sorted(relatives, key=lambda each: (each not in roots, roots.index(each) if each in roots else 0)):
        if folder in roots or speaks(files(folder)):
            yield Target(folder)
        for path in files(folder / "scenarios"):
            if is_id(path.stem) and speaks([path]):
                yield Target(folder, scenario=path.stem)
        if speaks(files(folder / "cases")):
            yield Target(folder, cases=True)
    homes = [*folders, *(folder / "variants" for folder in folders), *(each / "variants" for each in relatives)]
    with edited(unsaved):
        variants = sorted(each for home in homes for each in variant_files(home).values())
    for path in variants:
        if speaks([path]):
            other = target_of(path, unsaved)
            if other is not None and other.variants and other.folder in relatives:
                yield other


def bases(folder: Path, unsaved: dict[Path, str]) -> list[Path]:
    """The folders of the rulesets that one is built on, the nearest first; none when they go in a circle."""
    with edited(unsaved):
        editions = family(folder)
        goes_round = len(family(editions[-1])) > 1
    return [] if goes_round else [each.resolve() for each in editions[1:]]
