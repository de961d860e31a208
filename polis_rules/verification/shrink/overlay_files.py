"""Copies of a ruleset's variants, from which lines can be left out to see whether a game still fails."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from polis_rules import cache
from polis_rules.composition import find, find_variant, split_choices, variant_name, with_choices
from polis_rules.diagnostics import PolisError
from polis_rules.ruleset import Ruleset, load
from polis_rules.verification.shrink.overlay_lines import Line, compact, lines_of, without

VARIANTS = "variants"


class OverlayFiles:
    """A folder with a copy of the variants of a ruleset."""

    def __init__(self, ruleset: Ruleset, folder: Path) -> None:
        self.root, self.scenario, laid_over = ruleset.origin
        variants, self.choices = split_choices(laid_over)
        self.folder = folder
        self.texts: dict[str, str] = {}
        for number, each in enumerate(variants):
            path, _ = find_variant(each, find(self.root))
            name = f"{VARIANTS}/{variant_name(path)}.yaml"
            if name in self.texts:
                name = f"{VARIANTS}/{number}_{variant_name(path)}.yaml"
            self.texts[name] = path.read_text("utf-8")
        (folder / VARIANTS).mkdir()
        self.lines = [line for name, text in self.texts.items() for line in lines_of(text, name)]

    def load(self, kept: Collection[Line]) -> Ruleset | None:
        """The ruleset with these lines of its overlays only; None where it cannot be used so."""
        files = self.reduced(kept)
        for name, text in files.items():
            (self.folder / name).write_text(text, "utf-8")
        try:
            with cache.unused():
                variants = with_choices((self.folder / name for name in files), self.choices)
                ruleset = load(self.root, self.scenario, variants)
                ruleset.rules()
                ruleset.program(checks=True, trace=True)
        except PolisError:
            return None
        return ruleset

    def reduced(self, kept: Collection[Line]) -> dict[str, str]:
        """The variants of which something is left, with these lines only, each at its place."""
        return {
            name: without(text, {each for each in self.lines if each.file == name and each not in kept})
            for name, text in self.texts.items()
            if any(each.file == name for each in kept)
        }

    def results(self, kept: Collection[Line]) -> dict[str, str]:
        """The same as they are to be kept: without gaps where lines were left out."""
        files = self.reduced(kept).items()
        return {name: text if text == self.texts[name] else compact(text, name) for name, text in files}
