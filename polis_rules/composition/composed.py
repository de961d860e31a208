"""A ruleset's files, what it extends, a scenario and variants to one tree."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import itemgetter
from pathlib import Path
from typing import get_origin

from polis_rules.composition.catalog import MOST_VARIANTS, find, find_variant
from polis_rules.composition.choices import split_choices
from polis_rules.composition.citing import with_grades
from polis_rules.composition.editions import add_edition, joined_manifest, read_editions
from polis_rules.composition.layers import all_scenarios, read_scenario, read_variant
from polis_rules.composition.leaving_the_book import without_the_removed
from polis_rules.composition.library_findings import Used
from polis_rules.composition.overlay import Origins, apply
from polis_rules.composition.settings import Setting, read_settings
from polis_rules.composition.settled import Removed, settled
from polis_rules.composition.variant_order import in_order
from polis_rules.diagnostics import Diagnostic, Diagnostics, Span
from polis_rules.schema import ORDERED, PRESENTATION, SECTIONS, Document, Place, inside, meaning
from polis_rules.source import Mapping, Node, Once, spoken

_PATCHED = (*SECTIONS, "scenario")


@dataclass(frozen=True)
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
    variant_titles: tuple[str, ...]
    """What these are called."""
    layers: tuple[str, ...]
    """What was laid over what, for people: `("first", "second", "scenario short", "variant quick")`."""
    scenarios: tuple[str, ...]
    """The ids of the scenarios that could have been chosen."""
    other_scenarios: tuple[Path | Mapping, ...]
    """The scenarios that were not chosen: their files, or what the manifest says of them."""
    sources: dict[str, str]
    """The text of every file read, by the name shown in messages."""
    warnings: tuple[Diagnostic, ...]
    """What was found that is no error."""
    base: Mapping
    """What `tree` would be without everything that is laid over the first layer."""
    unsettled: Mapping
    """What layers patch: the rules with their settings, and with what these leave out."""
    origins: Origins
    """Which layers touched which value; values not named here are those of the first layer."""
    settings: dict[str, Setting]
    """What is settled before play, by name."""
    chosen: dict[str, str]
    """The values of settings that were asked for."""
    left_out: Removed
    """Rules and rows that are not there as things are settled."""
    members_left_out: dict[str, list[str]]
    """The ids of the members of each kind among them."""
    uses: tuple[Used, ...]
    """The libraries that are used."""
    named: tuple[tuple[str, Span], ...]
    """Where settings are named that are plain values in the tree, each with the path of its term."""

    @cached_property
    def hash(self) -> str:
        """SHA-256 of what the rules say, in hexadecimal: the same however they are spread over files,
        quoted or commented, and in whatever order the fixed keys of rules and rows are written; another one
        when any value, or the order in a table, is another."""
        return rules_hash(self.tree)

    @property
    def removed(self) -> Removed:
        """The ids of rules and rows that a layer has removed, or that are left out: why, and where that is said."""
        removed = dict(self.left_out)
        for path, origins in self.origins.items():
            ids = path.split(".")[1:3]
            for each in origins:
                if each.kind == "remove" and ids:
                    name = ids[-1] if path.startswith("tables.") else ids[0]
                    removed[name] = f"{each.layer} removes `{name}` here", each.span, ""
        return removed


def compose(ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()) -> Composed:
    """Read a ruleset and everything that belongs to it.

    `ruleset` is a shipped name or a folder, `scenario` an id (default: the manifest's), each of
    `variants` a file or the name of one in a folder `variants`, or the value of a setting, `name=value`.
    Variants are applied in an order that does not depend on the order given: by `after` and `requires`, then by id.

    Raises RulesetError with everything that is wrong with the files, the lists of files or the overlays.
    """
    diagnostics = Diagnostics()
    folder = find(ruleset)
    named, choices = split_choices(variants)
    chosen = [find_variant(each, folder) for each in named]
    if len(chosen) > MOST_VARIANTS:
        message = f"{len(chosen)} variants are more than the {MOST_VARIANTS} that may be laid over a ruleset together"
        diagnostics.error("too-many-files", message, None)
    diagnostics.raise_if_errors()
    editions = read_editions(folder, diagnostics)
    diagnostics.raise_if_errors()

    files = [path.resolve() for path, _ in chosen]
    origins: Origins = {}
    tree = Mapping({}, editions[-1].manifest.span)
    uses: list[Used] = []
    tree = base = add_edition(tree, editions[0], None, diagnostics, files, uses)
    for edition in editions[1:]:
        tree = add_edition(tree, edition, origins, diagnostics, files, uses)
    overlays = [read_variant(path, shown, editions, diagnostics) for path, shown in chosen]
    manifest = joined_manifest(editions, overlays)
    known = all_scenarios(editions)
    played = read_scenario(scenario, manifest, known, diagnostics)
    diagnostics.raise_if_errors()

    tree = tree.having("scenario", played.entry)
    tree = apply(tree, played.operations, played.layer, _PATCHED, origins, diagnostics)
    if tree.get("settings") is None and any(each.settings for each in overlays):
        tree = tree.having("settings", Mapping({}, tree.span))
    ordered = in_order(overlays, tree, diagnostics)
    diagnostics.raise_if_errors()
    for overlay in ordered:
        tree = apply(tree, overlay.touching(tree), overlay.layer, _PATCHED, origins, diagnostics)
    diagnostics.raise_if_errors()
    tree = without_the_removed(tree, origins)
    fixed = [*played.settles, *(each for overlay in ordered for each in overlay.settles)]
    settings = read_settings(tree, fixed, choices, origins, diagnostics)
    unsettled = tree
    tree, left_out, gone, named_settings = settled(unsettled, settings, diagnostics)
    diagnostics.raise_if_errors()

    tree = with_grades(tree, manifest).having("manifest", manifest)
    told = [f"{name} {value}" for name, value in sorted(choices.items())]
    return Composed(
        tree=tree,
        manifest=manifest,
        scenario=played.id,
        variants=tuple(each.id for each in ordered),
        variant_titles=tuple(each.title or spoken(each.id).capitalize() for each in ordered),
        layers=(*(each.id for each in editions), played.layer, *(each.layer for each in ordered), *told),
        scenarios=tuple(sorted(known)),
        other_scenarios=tuple(path for id, (_, path) in sorted(known.items()) if id != played.id),
        sources=diagnostics.sources,
        warnings=tuple(diagnostics.items),
        base=with_grades(base, manifest).having("scenario", played.entry).having("manifest", manifest),
        unsettled=unsettled,
        origins=origins,
        settings=settings,
        chosen=dict(sorted(choices.items())),
        left_out=left_out,
        members_left_out={kind: sorted(ids) for kind, ids in sorted(gone.items())},
        uses=tuple(uses),
        named=(*named_settings, *((f"terms.{each.name}", each.name.span) for each in fixed)),
    )


def rules_hash(tree: Mapping) -> str:
    """SHA-256 of what the rules say, in hexadecimal; see `Composed.hash`."""
    sections = sorted(item for item in tree.entries.items() if item[0] not in PRESENTATION)
    said = (f"{_json(name)}:{_said(name, section)}" for name, section in sections)
    return hashlib.sha256(f"{{{','.join(said)}}}".encode()).hexdigest()


def _said(name: str, section: Node) -> str:
    """What a section says, as JSON."""
    place = inside(Place(Document), (), name)
    if get_origin(place.sort) is dict and isinstance(section, Mapping):
        entries = section.entries.items() if name in ORDERED else sorted(section.entries.items(), key=itemgetter(0))
        say = _entries(name)
        say.begin()
        return f"{{{','.join(f'{_json(id)}:{say(entry)}' for id, entry in entries)}}}"
    value = meaning(section, place, telling=False)
    if isinstance(value, dict) and name not in ORDERED:
        value = {id: value[id] for id in sorted(value)}
    if isinstance(value, dict) and name == "manifest":
        value = {id: part for id, part in value.items() if id not in ("files", "scenario")}
    return _json(value)


@cache
def _entries(section: str) -> Once[Node, str]:
    """What an entry of a section says, as JSON; rulesets with other variants have most entries in common."""
    place = inside(inside(Place(Document), (), section), (), "")
    return Once(lambda entry: _json(meaning(entry, place, telling=False)), most=200)


_json = json.JSONEncoder(separators=(",", ":")).encode
