"""The layers over the editions: the scenario that is played, and variants."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path

from polis_rules.composition.catalog import find_scenario, leads_away, scenario_files, variant_name
from polis_rules.composition.citing import headed
from polis_rules.composition.editions import Edition
from polis_rules.composition.headers import check_id, check_keys, id_at, text_at, texts_at
from polis_rules.composition.operations import OPERATIONS, Operation, read_operations
from polis_rules.composition.settings import Fixed, declarations
from polis_rules.composition.variant_order import Variant
from polis_rules.diagnostics import Diagnostics, Span, listing, nearest, quote
from polis_rules.schema import ScenarioFile, VariantFile
from polis_rules.source import Mapping, Text, read_file


@dataclass(frozen=True, slots=True)
class Scenario:
    """The scenario that is played: what it says, and what it does to the rules."""

    id: str
    entry: Mapping
    operations: list[Operation]
    settles: list[Fixed] = field(default_factory=list)
    """The values of settings that it fixes."""

    @property
    def layer(self) -> str:
        """Its name among the layers, for people."""
        return f"scenario {self.id}"


def all_scenarios(editions: list[Edition]) -> dict[str, tuple[Edition, Path | Mapping]]:
    """Every scenario, in a file or in a manifest; one of a later edition stands for one of the same id before it."""
    scenarios: dict[str, tuple[Edition, Path | Mapping]] = {}
    for each in editions:
        scenarios |= {id: (each, path) for id, path in scenario_files(each.folder).items()}
        inline = each.manifest.get("scenario")
        if isinstance(inline, Mapping) and isinstance(id := inline.get("scenario"), Text):
            scenarios[id] = (each, inline)
    return scenarios


def read_scenario(
    wanted: str | None,
    manifest: Mapping,
    known: dict[str, tuple[Edition, Path | Mapping]],
    diagnostics: Diagnostics,
) -> Scenario:
    """The scenario that is wanted, or the manifest's; one that says nothing, and reported, where there is none."""
    nothing = Scenario("", Mapping({}, manifest.span), [])
    default = text_at(manifest, "scenario", diagnostics) if wanted is None else None
    id = default if wanted is None else wanted
    place = default.span if default else None
    if wanted is not None and (file := find_scenario(wanted)) is not None:
        return _scenario_in(file, file.as_posix(), file.stem, diagnostics)
    if id is None and manifest.get("scenario") is not None:
        return nothing  # what it says is reported
    if id is None:
        hint = f"add `scenario:` and an id; {listing(sorted(known))}"
        diagnostics.error("missing-key", "no scenario is named to be played", manifest.span, hint=hint)
        return nothing
    if id not in known:
        message = f"there is no scenario {quote(id)}"
        diagnostics.unknown("unknown-scenario", message, place, id, sorted(known))
        return nothing
    edition, path = known[id]
    if isinstance(path, Mapping):
        return _scenario_of(path, id, diagnostics)
    shown = f"{edition.shown}/scenarios/{path.name}"
    if not path.resolve().is_relative_to(edition.folder):
        message = f"{quote(shown)} leads out of the ruleset's folder"
        diagnostics.error("file-outside", message, place)
        return nothing
    return _scenario_in(path, shown, id, diagnostics)


def _scenario_in(path: Path, shown: str, id: str, diagnostics: Diagnostics) -> Scenario:
    """A scenario from its file."""
    tree = read_file(path, shown, diagnostics) or Mapping({}, Span(shown, 1, 1, 1, 1))
    if tree.entries:
        check_id(tree, "scenario", id, diagnostics)
    return _scenario_of(tree, id, diagnostics)


def _scenario_of(tree: Mapping, id: str, diagnostics: Diagnostics) -> Scenario:
    """A scenario from what its file, or the manifest, says."""
    check_keys(tree, tuple(ScenarioFile.written_keys()), diagnostics)
    kept = {key: value for key, value in tree.entries.items() if key not in (*OPERATIONS, "why")}
    if "start" not in kept:
        kept[Text("start", tree.span)] = Mapping({}, tree.span)
    settings = _mapping_at(tree, "settings", "values of settings", diagnostics)
    own, fixed = declarations(settings, f"scenario {id}")
    for each in own:
        message = f"a scenario settles what {quote(each.path.partition('.')[2])} is; it has no settings of its own"
        diagnostics.error("unfit-value", message, each.span)
    return Scenario(id, Mapping(kept, tree.span), headed(read_operations(tree, diagnostics), tree), fixed)


def _mapping_at(tree: Mapping, key: str, what: str, diagnostics: Diagnostics) -> Mapping | None:
    """The mapping under a key, if there is one; what is none is reported."""
    value = tree.get(key)
    if value is not None and not isinstance(value, Mapping):
        diagnostics.error("not-a-mapping", f"'{key}' is a mapping of {what}", value.span)
    return value if isinstance(value, Mapping) else None


def read_variant(path: Path, shown: str, editions: list[Edition], diagnostics: Diagnostics) -> Variant:
    """A variant's file, which must be for the ruleset or for one that it extends."""
    place = Span(shown, 1, 1, 1, 1)
    if away := leads_away(path, editions[-1].folder):
        diagnostics.error("file-outside", f"{quote(shown)} leads out of the folder of rules", None)
    tree = None if away else read_file(path, shown, diagnostics)
    if tree is None:
        return Variant(shown, place)
    check_keys(tree, tuple(VariantFile.written_keys()), diagnostics)
    id = id_at(tree, "variant", diagnostics)
    targets = texts_at(tree, "extends", diagnostics)
    names = [each.id for each in editions]
    if targets and not any(target in names for target in targets):
        message = f"this variant is for {' and '.join(map(quote, targets))}, not for {quote(names[-1])}"
        near = nearest(targets[0], names)
        name = shown if path.as_posix() == shown else variant_name(path)
        hint = None if near else f"lay it over that: polis validate {targets[0]} --variant {shlex.quote(name)}"
        if not near and path.resolve().parent == editions[-1].folder.resolve() / "variants":
            hint = f"it lies in the folder of {quote(names[-1])}: write `extends: {names[-1]}`, or move it out"
        diagnostics.error("variant-elsewhere", message, targets[0].span, hint, suggestion=near)
    operations = headed(read_operations(tree, diagnostics), tree)
    requires, conflicts, after = (texts_at(tree, key, diagnostics) for key in ("requires", "conflicts", "after"))
    at = id.span if id else place
    start = _mapping_at(tree, "start", "first values", diagnostics)
    settings = _mapping_at(tree, "settings", "settings", diagnostics)
    own, fixed = declarations(settings, f"variant {id or shown}")
    sources = tree.get("sources")
    title = tree.get("title")
    return Variant(
        id or shown, at, [*operations, *own], requires, conflicts, after, sources, start, fixed,
        title=str(title) if isinstance(title, Text) else "",
    )  # fmt: skip
