"""A small game for tests of how rulesets are joined, and what comes of joining them."""

from __future__ import annotations

from collections.abc import Mapping as Files
from pathlib import Path
from typing import Any

import pytest

from polis_rules.composition.composed import Composed, compose
from polis_rules.composition.overlay import plain
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.errors import RulesetError

GAME = {
    "ruleset.yaml": "format: 2\nruleset: game\ntitle: A game\nsources: {own: {title: Own}}\n"
    "files: [things.yaml, play.yaml]\nscenario: short\nrounds: lap\n",
    "things.yaml": "kinds:\n  player: {title: Player}\n  card: {title: Card}\n"
    "tables:\n  player: {red: {}, blue: {}}\n  card:\n    fox: {points: 1}\n    owl: {points: 2}\n",
    "play.yaml": "actions:\n  dig:\n    title: Dig\n    cost: {coin: 1}\n    do: [{gain: {coin: 2}}]\n"
    "  rest: {do: [stop]}\nterms:\n  limit: {is: 8}\ngraphs:\n  road:\n    edges:\n      a-b: {}\n",
    "scenarios/short.yaml": "scenario: short\ntitle: Short\nstart:\n  lap: 2\n"
    "  player: {red: {coin: 3}, blue: {coin: 4}}\n",
    "scenarios/long.yaml": "scenario: long\nchange:\n  terms.limit.is: {was: 8, to: 9, why: it is long}\n",
}


def lay(folder: Path, files: Files[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def variant(folder: Path, id: str, text: str) -> Path:
    return lay(folder, {f"{id}.yaml": f"variant: {id}\n{text}\n"}) / f"{id}.yaml"


def at(composed: Composed, path: str) -> Any:
    found: Any = plain(composed.tree)
    for part in path.split("/"):
        found = found[part]
    return found


def failures(ruleset: str | Path, scenario: str | None = None, variants: Any = ()) -> list[Diagnostic]:
    with pytest.raises(RulesetError) as raised:
        compose(ruleset, scenario, variants)
    return [each for each in raised.value.diagnostics if each.severity == "error"]


def failure(ruleset: str | Path, scenario: str | None = None, variants: Any = ()) -> Diagnostic:
    found = failures(ruleset, scenario, variants)
    assert len(found) == 1, [each.message for each in found]
    return found[0]
