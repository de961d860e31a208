"""`polis resolve`: the merged ruleset as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polis_rules.authoring import resolved
from polis_rules.composition import compose

from .options import Chosen, RulesetName, option
from .output import say


class Command(Chosen):
    """Print a ruleset with all its layers merged, as YAML.

    The result is a whole ruleset in one file, with the same hash as what it was made of.

    \b
    Example:
      polis resolve mygame --variant costly
      polis resolve mygame --scenario short --out merged && polis validate merged
    """

    ruleset: RulesetName
    out: Annotated[Path | None, option("FOLDER")] = None
    """Write FOLDER/ruleset.yaml instead of printing. Example: --out merged"""

    def run(self) -> None:
        composed = compose(self.ruleset, self.scenario, self.variants)
        text = resolved(composed, self.out.resolve().name if self.out is not None else None)
        if self.out is None:
            typer.echo(text, nl=False)
            return
        target = self.out / "ruleset.yaml"
        if target.exists():
            raise typer.BadParameter(f"{target} exists already; nothing was written", param_hint="--out")
        self.out.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        say(f"Wrote {target}.")
