"""A ruleset and those that it extends: their manifests and files, joined edition by edition."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path, PurePosixPath

from polis_rules.composition.catalog import (
    MANIFEST,
    MOST_EDITIONS,
    file_bytes,
    find_base,
    shipped_folders,
    shown_folder,
)
from polis_rules.composition.citing import headed, with_citations, with_heads
from polis_rules.composition.headers import check_format, check_keys, id_at, text_at, texts_at
from polis_rules.composition.libraries import User, used_by
from polis_rules.composition.library_findings import Used
from polis_rules.composition.operations import OPERATIONS, Operation, read_operations
from polis_rules.composition.overlay import Origin, Origins, apply, leaves
from polis_rules.composition.variant_order import Variant
from polis_rules.diagnostics import Diagnostics, quote
from polis_rules.schema import HEAD_KEYS, SECTIONS, Manifest, ManifestFile
from polis_rules.source import Mapping, Node, Text, entry, read_file

MOST_TEXT = 768 * 1024
"""How many characters all files of a ruleset may hold together."""

MOST_FILES = 500
"""How many files one manifest may list."""

_SECTIONS = (*SECTIONS, *HEAD_KEYS)
"""What a file of a ruleset may hold besides operations."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One ruleset of a chain in which each extends the one before."""

    id: str
    folder: Path
    shown: str
    manifest: Mapping


def read_editions(folder: Path, diagnostics: Diagnostics) -> list[Edition]:
    """The ruleset and those it extends, the first of them first."""
    chain: list[Edition] = []
    place: Text | None = None
    while True:
        if any(each.folder == folder.resolve() for each in chain):
            names = " -> ".join([*(each.id for each in chain), chain[0].id])
            message = f"these rulesets extend each other in a circle: {names}"
            diagnostics.error("extends-loop", message, place.span if place else None)
            break
        edition = _read_edition(folder, {each.shown for each in chain}, diagnostics)
        if edition is None:
            break
        chain.append(edition)
        place = text_at(edition.manifest, "extends", diagnostics)
        if place is None:
            break
        if len(chain) == MOST_EDITIONS:
            message = f"more than {MOST_EDITIONS} rulesets extend one another"
            diagnostics.error("too-many-files", message, place.span)
            break
        base = find_base(place, folder)
        if base is None:
            message = f"there is no ruleset {quote(place)} beside this one, and none is shipped"
            known = [each.name for each in shipped_folders()]
            diagnostics.unknown("unknown-ruleset", message, place.span, place, known)
            break
        folder = base
    return chain[::-1]


def _read_edition(folder: Path, taken: set[str], diagnostics: Diagnostics) -> Edition | None:
    folder = folder.resolve()
    shown = shown_folder(folder)
    shown = shown if shown not in taken else folder.as_posix()
    if not Path(os.path.realpath(folder / MANIFEST)).is_relative_to(folder):  # realpath: a link may lead to itself
        diagnostics.error("file-outside", f"{quote(f'{shown}/{MANIFEST}')} leads out of the ruleset's folder", None)
        return None
    manifest = read_file(folder / MANIFEST, f"{shown}/{MANIFEST}", diagnostics)
    if manifest is None:
        return None
    id = id_at(manifest, "ruleset", diagnostics)
    check_format(manifest, folder, diagnostics)
    known = {*ManifestFile.order, *SECTIONS, *OPERATIONS}
    if manifest.get("extends") is None:
        known -= {*OPERATIONS, "citations"}
    check_keys(manifest, known, diagnostics)
    return Edition(id or "?", folder, shown, manifest)


def add_edition(
    tree: Mapping,
    edition: Edition,
    origins: Origins | None,
    diagnostics: Diagnostics,
    chosen: Sequence[Path] = (),
    uses: list[Used] | None = None,
) -> Mapping:
    """Lay one edition over the tree; the first, which has nothing below, leaves no origins.

    Of files in its folder that it does not list and that are not `chosen` as variants it is warned. Libraries that it
    uses are noted in `uses`.
    """
    files: list[Mapping] = []
    operations: list[Operation] = []
    is_read = True

    def take(file: Mapping) -> None:
        files.append(with_heads(file))
        if origins is not None:
            operations.extend(headed(read_operations(file, diagnostics), file))

    take(edition.manifest)
    names = texts_at(edition.manifest, "files", diagnostics)
    if len(names) > MOST_FILES:
        message = f"a ruleset has at most {MOST_FILES} files, not {len(names)}"
        diagnostics.error("too-many-files", message, names[MOST_FILES].span)
    for name in names[:MOST_FILES]:
        if sum(map(len, diagnostics.sources.values())) > MOST_TEXT:
            message = f"with the files before this one, the rules hold more than {MOST_TEXT} characters"
            diagnostics.error("too-many-files", message, name.span)
            break
        path = _inside(edition.folder, name, diagnostics)
        shown = f"{edition.shown}/{PurePosixPath(name)}"
        if path and shown in diagnostics.sources:
            diagnostics.error("duplicate-id", f"the file {quote(name)} is listed twice", name.span)
            continue
        file = read_file(path, shown, diagnostics, name.span) if path else None
        is_read = is_read and file is not None
        if file:
            check_keys(file, (*_SECTIONS, "uses", *(OPERATIONS if origins is not None else ())), diagnostics, "section")
            if (uses_here := file.key("uses")) is not None:
                hint = f"move it to {MANIFEST}"
                diagnostics.error("unknown-section", "libraries are named in the manifest only", uses_here.span, hint)
            take(file)
    _unlisted(edition, [*(edition.folder / name for name in names), *chosen], diagnostics)
    operations.sort(key=lambda each: OPERATIONS.index(each.kind))
    notes: Origins = {} if origins is None else origins
    if origins is not None:
        tree = with_citations(tree, edition.manifest, edition.id, origins, diagnostics)
    alter = [each for each in operations if each.kind != "add"]
    tree = apply(tree, alter, edition.id, SECTIONS, notes, diagnostics)
    if edition.manifest.get("uses") is not None and is_read:  # else what a use needs may stand in the file
        own = reduce(partial(_join, diagnostics=Diagnostics()), files, tree)
        user = User(edition.manifest, edition.folder, edition.shown, own, uses=[] if uses is None else uses)
        files = [*used_by(user, diagnostics), *files]
    for file in files:
        tree = _join(tree, file, diagnostics)
        if origins is not None:
            _note_added(origins, file, edition.id)
    add = [each for each in operations if each.kind == "add"]
    return apply(tree, add, edition.id, SECTIONS, notes, diagnostics)


_SECTION = re.compile(rb"^(?:" + "|".join(SECTIONS).encode() + rb"):", re.MULTILINE)
_VARIANT = re.compile(rb"^variant:", re.MULTILINE)


def _unlisted(edition: Edition, listed: list[Path], diagnostics: Diagnostics) -> None:
    """Warn of files in the ruleset's folder with rules that it does not list, or with variants that nobody looks for.

    What is another ruleset's is left out.
    """
    known = {edition.folder / MANIFEST, *listed}
    apart = (edition.folder / "scenarios", edition.folder / "cases", edition.folder / "variants")
    key = edition.manifest.key("files")
    place = key.span if key else edition.manifest.span
    near = (*edition.folder.glob("*.yaml"), *edition.folder.glob("*/*.yaml"))  # a folder may lie at the top of a disk
    for path in sorted(near):
        around = path.parents[: len(path.relative_to(edition.folder).parts) - 1]
        if path in known or any(each in apart or (each / MANIFEST).exists() for each in around):
            continue
        text, name = file_bytes(path) or b"", path.relative_to(edition.folder).as_posix()
        if _VARIANT.search(text):
            message = f"the variant {quote(name)} is not in the folder `variants`, so it is neither checked nor found"
            diagnostics.warning("unlisted-file", message, place, f"move it to variants/{path.name}")
        elif _SECTION.search(text):
            message = f"the file {quote(name)} is not listed under `files`, so nothing in it counts"
            diagnostics.warning("unlisted-file", message, place, f"add {name}")


def _join(tree: Mapping, file: Mapping, diagnostics: Diagnostics) -> Mapping:
    """The tree with a file's sections added; an id that is there already is an error."""
    sections = dict(tree.entries)
    for name, section in file.entries.items():
        if name not in SECTIONS:
            continue
        if not isinstance(section, Mapping):
            message = f"the section {quote(name)} is a mapping of ids"
            diagnostics.error("not-a-mapping", message, section.span if section else name.span)
            continue
        there = sections.get(name)
        if isinstance(there, Mapping):
            sections[name] = _joined(there, section, 2 if name == "tables" else 1, diagnostics)
        else:
            sections[name] = section
    return Mapping(sections, tree.span)


def _note_added(origins: Origins, file: Mapping, layer: str) -> None:
    for name, section in file.entries.items():
        if name in SECTIONS:
            for path, value in leaves(section, name):
                origins.setdefault(path, []).append(Origin(layer, "add", value.span, None, value, None))


def _joined(there: Mapping, more: Mapping, levels: int, diagnostics: Diagnostics) -> Mapping:
    """Two mappings of ids as one; with two levels, what two ids of the same name hold is joined likewise."""
    entries = dict(there.entries)
    for key, value in more.entries.items():
        old = entries.get(key)
        if old is None:
            entries[key] = value
        elif levels > 1 and isinstance(old, Mapping) and isinstance(value, Mapping):
            entries[key] = _joined(old, value, levels - 1, diagnostics)
        else:
            first = there.key(key)
            related = (("it is written here first", first.span),) if first else ()
            hint = "what is extended is altered by `change`, `replace` and `remove`"
            message = f"{quote(key)} is written in two places"
            diagnostics.error("duplicate-id", message, key.span, related=related, hint=hint)
    return Mapping(entries, there.span)


def _inside(folder: Path, name: Text, diagnostics: Diagnostics) -> Path | None:
    """The path of a listed file, if the name cannot lead out of the ruleset's folder."""
    parts = PurePosixPath(name)
    sound = name and not parts.is_absolute() and ".." not in parts.parts and not set(name) & set("\\:")
    if sound and name.endswith(".yaml"):
        try:
            path = (folder / name).resolve()
        except (OSError, ValueError, RuntimeError):
            path = folder / name
        if path.is_relative_to(folder):
            return path
    message = f"{quote(name)} does not name a .yaml file inside the ruleset's folder"
    diagnostics.error("file-outside", message, name.span, hint="write the path from that folder: parts/map.yaml")
    return None


def joined_manifest(editions: list[Edition], overlays: Iterable[Variant]) -> Mapping:
    """What the manifests say together: later ones win, sources are joined."""
    entries: dict[Text, Node] = {}
    sources: dict[Text, Node] = {}
    span = editions[-1].manifest.span
    for edition in editions:
        entries |= {key: value for key, value in edition.manifest.entries.items() if key in Manifest.model_fields}
    for listed in (*(each.manifest.get("sources") for each in editions), *(each.sources for each in overlays)):
        sources |= listed.entries if isinstance(listed, Mapping) else {}
    if sources:
        entries[Text("sources", span)] = Mapping(sources, span)
    inline = entry(entries, "scenario")
    if isinstance(inline, Mapping) and isinstance(id := inline.get("scenario"), Text):
        entries[Text("scenario", inline.span)] = id
    return Mapping(entries, span)
