"""A ruleset's files, what it extends, a scenario and variants to one tree."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from polis_rules.catalog import MANIFEST, as_id, find, find_base, find_variant, is_id, one_of, scenario_files, shipped
from polis_rules.diagnostics import Diagnostics, Span, nearest, quote
from polis_rules.key_order import Place, Plain, inside, meaning
from polis_rules.overlay import (
    OPERATIONS,
    Operation,
    Origin,
    Origins,
    Variant,
    apply,
    in_order,
    leaves,
    read_operations,
)
from polis_rules.source import LARGEST, Mapping, Node, Text, read_file
from polis_rules.source import Sequence as List

__all__ = ["SECTIONS", "Composed", "compose", "content_key"]

SECTIONS = (
    "kinds",
    "state",
    "tables",
    "graphs",
    "routes",
    "terms",
    "supplies",
    "invariants",
    "actions",
    "procedures",
    "phases",
    "endings",
    "score",
)
"""The sections of the language."""

MOST_TEXT = 768 * 1024
"""How many characters all files of a ruleset may hold together."""

MOST_FILES = 500
"""How many files one manifest may list."""

MOST_EDITIONS = 16
"""How many rulesets may extend one another."""

MOST_VARIANTS = 64
"""How many variants may be laid over a ruleset together."""

FORMAT = "1"
"""The version of the language that is read."""

_RULE_KEYS = ("title", "cite", "grade", "ruling")
_MANIFEST_KEYS = ("format", "ruleset", "title", "sources", "files", "scenario", "rounds", "extends", "why")
_SCENARIO_KEYS = ("scenario", *_RULE_KEYS, "start", "why")
_VARIANT_KEYS = ("variant", *_RULE_KEYS, "extends", "why", "requires", "conflicts", "after", "sources")
_PATCHED = (*SECTIONS, "scenario")
_ORDERED = ("actions", "phases", "score", "scenario")
"""Sections whose order of ids is part of the rules. In the others, and among tables, it does not reach the
hash; names inside an id, the rows of a table too, are hashed in their order."""


@dataclass(frozen=True, slots=True)
class Composed:
    """One ruleset as it is played: everything joined, every overlay applied."""

    tree: Mapping
    """The sections of the language, and `manifest` and `scenario`."""
    manifest: Mapping
    """The manifest without what only composing needs; with the sources of every layer."""
    scenario: str
    """The scenario's id."""
    variants: tuple[str, ...]
    """The variants' ids, in the order applied."""
    layers: tuple[str, ...]
    """What was laid over what, for people: `("first", "second", "scenario short", "variant quick")`."""
    scenarios: tuple[str, ...]
    """The ids of the scenarios that could have been chosen."""
    hash: str
    """SHA-256 of what the rules say, in hexadecimal: the same however they are spread over files,
    quoted or commented, and in whatever order the fixed keys of rules and rows are written; another one
    when any value, or the order in a table, is another."""
    sources: dict[str, str]
    """The text of every file read, by the name shown in messages."""
    origins: Origins
    """Which layers touched which value; values not named here are those of the first layer."""


def compose(ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()) -> Composed:
    """Read a ruleset and everything that belongs to it.

    `ruleset` is a shipped name or a folder, `scenario` an id (default: the manifest's), each of
    `variants` a shipped name or a file. Variants are applied in an order that does not depend on
    the order given: by `after` and `requires`, then by id.

    Raises RulesetError with everything that is wrong with the files, the lists of files or the overlays.
    """
    diagnostics = Diagnostics()
    folder = find(ruleset)
    chosen = [find_variant(each) for each in variants]
    if len(chosen) > MOST_VARIANTS:
        message = f"{len(chosen)} variants are more than the {MOST_VARIANTS} that may be laid over a ruleset together"
        diagnostics.error("too-many-files", message, None)
    diagnostics.raise_if_errors()
    editions = _editions(folder, diagnostics)
    diagnostics.raise_if_errors()

    origins: Origins = {}
    tree = Mapping({}, editions[-1].manifest.span)
    for number, edition in enumerate(editions):
        tree = _add_edition(tree, edition, origins if number else None, diagnostics)
    overlays = [_read_variant(path, shown, editions, diagnostics) for path, shown in chosen]
    manifest = _manifest(editions, overlays)
    known = _scenarios(editions)
    played = _read_scenario(scenario, manifest, known, diagnostics)
    diagnostics.raise_if_errors()

    tree = _with(tree, "scenario", played.entry)
    tree = apply(tree, played.operations, played.layer, _PATCHED, origins, diagnostics)
    ordered = in_order(overlays, diagnostics)
    diagnostics.raise_if_errors()
    for overlay in ordered:
        tree = apply(tree, overlay.operations, overlay.layer, _PATCHED, origins, diagnostics)
    diagnostics.raise_if_errors()

    tree = _with(tree, "manifest", manifest)
    return Composed(
        tree=tree,
        manifest=manifest,
        scenario=played.id,
        variants=tuple(each.id for each in ordered),
        layers=(*(each.id for each in editions), played.layer, *(each.layer for each in ordered)),
        scenarios=tuple(sorted(known)),
        hash=_hash(tree),
        sources=diagnostics.sources,
        origins=origins,
    )


def content_key(ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()) -> str:
    """A key for caches: SHA-256 of the bytes of every file that `compose` could read with these arguments.

    It is much quicker than composing. Raises RulesetError when the ruleset or a variant is not found.
    """
    files: list[tuple[str, Path]] = []
    seen: list[Path] = []
    folder: Path | None = find(ruleset).resolve()
    while folder is not None and folder not in seen and len(seen) <= MOST_EDITIONS:
        seen.append(folder)
        paths = sorted(path for path in folder.rglob("*.yaml") if path.parent != folder / "cases")
        files += [(f"{folder.name}/{path.relative_to(folder).as_posix()}", path) for path in paths]
        folder = _base_folder(folder)
    files += [(shown, path) for path, shown in sorted(map(find_variant, variants))]
    digest = hashlib.sha256(repr(scenario).encode())
    for shown, path in files:
        for part in (shown.encode("utf-8", "backslashreplace"), _bytes(path)):
            digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class _Edition:
    """One ruleset of a chain in which each extends the one before."""

    id: str
    folder: Path
    shown: str
    manifest: Mapping


@dataclass(frozen=True, slots=True)
class _Scenario:
    id: str
    entry: Mapping
    operations: list[Operation]

    @property
    def layer(self) -> str:
        return f"scenario {self.id}"


def _editions(folder: Path, diagnostics: Diagnostics) -> list[_Edition]:
    """The ruleset and those it extends, the first of them first."""
    chain: list[_Edition] = []
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
        place = _text(edition.manifest, "extends", diagnostics)
        if place is None:
            break
        if len(chain) == MOST_EDITIONS:
            message = f"more than {MOST_EDITIONS} rulesets extend one another"
            diagnostics.error("too-many-files", message, place.span)
            break
        base = find_base(place, folder)
        if base is None:
            message = f"there is no ruleset {quote(place)} beside this one, and none is shipped"
            hint = one_of(place, (each.name for each in shipped()))
            diagnostics.error("unknown-ruleset", message, place.span, hint=hint)
            break
        folder = base
    return chain[::-1]


def _read_edition(folder: Path, taken: set[str], diagnostics: Diagnostics) -> _Edition | None:
    folder = folder.resolve()
    shown = folder.name if folder.name not in taken else folder.as_posix()
    manifest = read_file(folder / MANIFEST, f"{shown}/{MANIFEST}", diagnostics)
    if manifest is None:
        return None
    id = _id(manifest, "ruleset", diagnostics)
    version = _text(manifest, "format", diagnostics, needed=True)
    if version is not None and version != FORMAT:
        _other_format(version, folder, diagnostics)
    known = (*_MANIFEST_KEYS, *SECTIONS, *(OPERATIONS if manifest.get("extends") is not None else ()))
    _only(manifest, known, diagnostics)
    return _Edition(id or "?", folder, shown, manifest)


def _other_format(version: Text, folder: Path, diagnostics: Diagnostics) -> None:
    """A ruleset of another format: what to do depends on which of the two is older."""
    number = int(version) if version.isdecimal() and version.isascii() and len(version) < 10 else -1
    message, hint = f"{quote(version)} is no format; formats are plain numbers", f"write `format: {FORMAT}`"
    if 0 <= number < int(FORMAT):
        message = f"format {version} is an older one; this version reads format {FORMAT}"
        hint = f"`polis migrate {folder.name} --dry-run` shows what would change; without --dry-run it is done"
    elif number > int(FORMAT):
        message = f"format {version} is newer than format {FORMAT}, which this version reads"
        hint = "a newer version of polis-rules reads it"
    diagnostics.error("unsupported-format", message, version.span, hint=hint)


def _add_edition(tree: Mapping, edition: _Edition, origins: Origins | None, diagnostics: Diagnostics) -> Mapping:
    """Lay one edition over the tree; the first, which has nothing below, leaves no origins."""
    operations = read_operations(edition.manifest, diagnostics) if origins is not None else []
    own = {key: value for key, value in edition.manifest.entries.items() if key in SECTIONS}
    files = [Mapping(own, edition.manifest.span)]
    names = _texts(edition.manifest, "files", diagnostics)
    if len(names) > MOST_FILES:
        message = f"a ruleset has at most {MOST_FILES} files, not {len(names)}"
        diagnostics.error("too-many-files", message, names[MOST_FILES].span)
    for name in names[:MOST_FILES]:
        if _is_full(diagnostics):
            message = f"with the files before this one, the rules hold more than {MOST_TEXT} characters"
            diagnostics.error("too-many-files", message, name.span)
            break
        path = _inside(edition.folder, name, diagnostics)
        shown = f"{edition.shown}/{PurePosixPath(name)}"
        if path and shown in diagnostics.sources:
            diagnostics.error("duplicate-id", f"the file {quote(name)} is listed twice", name.span)
            continue
        file = read_file(path, shown, diagnostics, name.span) if path else None
        if file:
            files.append(file)
            _only(file, SECTIONS if origins is None else (*SECTIONS, *OPERATIONS), diagnostics)
            operations += read_operations(file, diagnostics) if origins is not None else []
    operations.sort(key=lambda each: OPERATIONS.index(each.kind))
    notes: Origins = {} if origins is None else origins
    alter = [each for each in operations if each.kind != "add"]
    tree = apply(tree, alter, edition.id, SECTIONS, notes, diagnostics)
    for file in files:
        tree = _join(tree, file, diagnostics)
        if origins is not None:
            _note_added(origins, file, edition.id)
    add = [each for each in operations if each.kind == "add"]
    return apply(tree, add, edition.id, SECTIONS, notes, diagnostics)


def _is_full(diagnostics: Diagnostics) -> bool:
    """Whether the files read so far hold all the text that a ruleset may hold."""
    return sum(map(len, diagnostics.sources.values())) > MOST_TEXT


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
                origins.setdefault(path, []).append(Origin(layer, "add", value.span, None, None))


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


def _manifest(editions: list[_Edition], overlays: Iterable[Variant]) -> Mapping:
    """What the manifests say together: later ones win, sources are joined."""
    entries: dict[Text, Node] = {}
    sources: dict[Text, Node] = {}
    span = editions[-1].manifest.span
    for edition in editions:
        entries |= {
            key: value
            for key, value in edition.manifest.entries.items()
            if key in _MANIFEST_KEYS and key not in ("extends", "why")
        }
    for listed in (
        *(each.manifest.get("sources") for each in editions),
        *(each.sources for each in overlays),
    ):
        sources |= listed.entries if isinstance(listed, Mapping) else {}
    if sources:
        entries[Text("sources", span)] = Mapping(sources, span)
    inline = next((value for key, value in entries.items() if key == "scenario"), None)
    if isinstance(inline, Mapping) and isinstance(id := inline.get("scenario"), Text):
        entries[Text("scenario", inline.span)] = id
    return Mapping(entries, span)


def _scenarios(editions: list[_Edition]) -> dict[str, tuple[_Edition, Path | Mapping]]:
    """Every scenario, in a file or in a manifest; one of a later edition stands for one of the same id before it."""
    found: dict[str, tuple[_Edition, Path | Mapping]] = {}
    for each in editions:
        found |= {id: (each, path) for id, path in scenario_files(each.folder).items()}
        inline = each.manifest.get("scenario")
        if isinstance(inline, Mapping) and isinstance(id := inline.get("scenario"), Text):
            found[id] = (each, inline)
    return found


def _read_scenario(
    wanted: str | None,
    manifest: Mapping,
    known: dict[str, tuple[_Edition, Path | Mapping]],
    diagnostics: Diagnostics,
) -> _Scenario:
    nothing = _Scenario("", Mapping({}, manifest.span), [])
    default = _text(manifest, "scenario", diagnostics) if wanted is None else None
    id = default if wanted is None else wanted
    place = default.span if default else None
    if id is None and manifest.get("scenario") is not None:
        return nothing  # what it says is reported
    if id is None:
        hint = f"add `scenario:` and an id; {one_of('', known)}"
        diagnostics.error("missing-key", "no scenario is named to be played", manifest.span, hint=hint)
        return nothing
    if id not in known:
        message = f"there is no scenario {quote(id)}"
        diagnostics.error("unknown-scenario", message, place, hint=one_of(id, known))
        return nothing
    edition, path = known[id]
    if isinstance(path, Mapping):
        return _scenario_of(path, id, diagnostics)
    shown = f"{edition.shown}/scenarios/{path.name}"
    if not path.resolve().is_relative_to(edition.folder):
        message = f"{quote(shown)} leads out of the ruleset's folder"
        diagnostics.error("file-outside", message, place)
        return nothing
    tree = read_file(path, shown, diagnostics)
    if tree is None:
        return nothing
    _same_id(tree, "scenario", id, diagnostics)
    return _scenario_of(tree, id, diagnostics)


def _scenario_of(tree: Mapping, id: str, diagnostics: Diagnostics) -> _Scenario:
    """A scenario from what its file, or the manifest, says."""
    _only(tree, (*_SCENARIO_KEYS, *OPERATIONS), diagnostics)
    kept = {key: value for key, value in tree.entries.items() if key not in (*OPERATIONS, "why")}
    if "start" not in kept:
        kept[Text("start", tree.span)] = Mapping({}, tree.span)
    return _Scenario(id, Mapping(kept, tree.span), read_operations(tree, diagnostics))


def _read_variant(path: Path, shown: str, editions: list[_Edition], diagnostics: Diagnostics) -> Variant:
    place = Span(shown, 1, 1, 1, 1)
    tree = read_file(path, shown, diagnostics)
    if tree is None:
        return Variant(shown, place, [], [], [], [], None)
    _only(tree, (*_VARIANT_KEYS, *OPERATIONS), diagnostics)
    id = _id(tree, "variant", diagnostics)
    target = _text(tree, "extends", diagnostics)
    names = [each.id for each in editions]
    if target is not None and target not in names:
        message = f"this variant is for {quote(target)}, not for {quote(names[-1])}"
        hint = one_of(target, names) if nearest(target, names) else None
        diagnostics.error("variant-elsewhere", message, target.span, hint=hint)
    return Variant(
        id=id or shown,
        place=id.span if id else place,
        operations=read_operations(tree, diagnostics),
        requires=_texts(tree, "requires", diagnostics),
        conflicts=_texts(tree, "conflicts", diagnostics),
        after=_texts(tree, "after", diagnostics),
        sources=tree.get("sources"),
    )


def _hash(tree: Mapping) -> str:
    content: dict[str, Plain] = {}
    for name, section in sorted(tree.entries.items()):
        value = meaning(section, inside(Place("composed"), (), name))
        if isinstance(value, dict) and name not in _ORDERED:
            value = {id: value[id] for id in sorted(value)}
        if isinstance(value, dict) and name == "manifest":
            value = {id: part for id, part in value.items() if id not in ("files", "scenario")}
        content[name] = value
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()


def _base_folder(folder: Path) -> Path | None:
    """The folder of what a ruleset extends; its manifest is only parsed when it may say so."""
    raw = _bytes(folder / MANIFEST)
    if b"extends" not in raw and b"\\" not in raw:  # an escape in quotes could spell it otherwise
        return None
    manifest = read_file(folder / MANIFEST, MANIFEST, Diagnostics())
    name = manifest.get("extends") if manifest else None
    return find_base(name, folder) if isinstance(name, Text) else None


def _bytes(path: Path) -> bytes:
    """What a file holds, as far as it is read; nothing where there is no plain file."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except OSError:
        return b""


def _with(tree: Mapping, name: str, value: Node) -> Mapping:
    return Mapping({**tree.entries, Text(name, value.span): value}, tree.span)


def _only(mapping: Mapping, known: Sequence[str], diagnostics: Diagnostics) -> None:
    """Report keys that mean nothing at the top of this file."""
    for key in mapping.entries:
        if key not in known:
            sections = known[0] == SECTIONS[0]
            code, what = ("unknown-section", "section") if sections else ("unknown-key", "key")
            diagnostics.error(code, f"there is no {what} {quote(key)}", key.span, hint=one_of(key, known))


def _text(mapping: Mapping, key: str, diagnostics: Diagnostics, needed: bool = False) -> Text | None:
    value = mapping.get(key)
    if isinstance(value, Text) and value:
        return value
    if value is not None and not isinstance(value, Text):
        diagnostics.error("not-text", f"{quote(key)} is a single value", value.span)
    elif value is not None or needed:
        message = f"{quote(key)} has no value" if value is not None else f"the key {quote(key)} is missing"
        diagnostics.error("missing-key", message, value.span if value is not None else mapping.span)
    return None


def _texts(mapping: Mapping, key: str, diagnostics: Diagnostics) -> list[Text]:
    """The values of a list; a single value counts as a list of one."""
    value = mapping.get(key)
    if isinstance(value, Text) and value:
        return [value]
    if value is None:
        return []
    items = value.items if isinstance(value, List) else []
    texts = [item for item in items if isinstance(item, Text)]
    if len(texts) < len(items) or not isinstance(value, List):
        diagnostics.error("not-a-list", f"{quote(key)} is a list of single values", value.span)
    return texts


def _id(mapping: Mapping, key: str, diagnostics: Diagnostics) -> Text | None:
    id = _text(mapping, key, diagnostics, needed=True)
    if id is not None and not is_id(id):
        diagnostics.error("invalid-id", f"{quote(id)} is not an id", id.span, hint=as_id(id))
    return id


def _same_id(mapping: Mapping, key: str, id: str, diagnostics: Diagnostics) -> None:
    stated = _id(mapping, key, diagnostics)
    if stated is not None and stated != id:
        message = f"this file is {quote(id + '.yaml')}, but states the id {quote(stated)}"
        diagnostics.error("wrong-id", message, stated.span)
