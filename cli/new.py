"""`polis new`: begin a ruleset of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from polis_rules.authoring import begin

from .options import argument, option
from .output import say


def command(
    name: Annotated[str, argument("NAME", "The id of the new ruleset. Example: my_rules")],
    extends: Annotated[str, option("RULESET", "What it begins from, a name or a folder. Example: --extends mygame")],
    folder: Annotated[
        Path | None, option("FOLDER", "Where to write it; by default a folder of that id here. Example: --folder x")
    ] = None,
) -> None:
    """Begin a ruleset of your own that extends another.

    \b
    Example:
      polis new my_rules --extends mygame
      polis validate my_rules
    """
    id = name.replace("-", "_")
    written = begin(id, extends, folder or Path(id))
    for path in written:
        say(f"Wrote {path}")
    place = written[-1].parent
    say(f"Next: open {written[-1]}, then `polis validate {place}` and `polis run {place}`.")
