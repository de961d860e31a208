"""`polis new`: begin a ruleset of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from polis_rules.authoring import begin, begin_small

from .options import Options, argument, option
from .output import say


class Command(Options):
    """Begin a ruleset of your own that extends another.

    Without --extends it is a whole small game, the one that rulesets/README.md writes.

    \b
    Example:
      polis new my_rules --extends mygame
      polis new my_game
      polis validate my_rules
    """

    name: Annotated[str, argument("NAME")]
    """The id of the new ruleset. Example: my_rules"""
    extends: Annotated[str | None, option("RULESET")] = None
    """What it begins from, a name or a folder; without it a small game is written. Example: --extends mygame"""
    folder: Annotated[Path | None, option("FOLDER")] = None
    """Where to write it; by default a folder of that id here. Example: --folder x"""

    def run(self) -> None:
        id = self.name.replace("-", "_")
        place = self.folder or Path(id)
        written = begin_small(id, place) if self.extends is None else begin(id, self.extends, place)
        for path in written:
            say(f"Wrote {path}")
        first = place / "ruleset.yaml" if self.extends is None else written[-1]
        say(f"Next: open {first}, then `polis validate {place}` and `polis run {place}`.")
