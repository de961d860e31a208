"""`polis schema`: the JSON Schemas that let an editor complete and check a ruleset's files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from polis_rules.pipeline import documented
from polis_rules.schema import write_schemas

from .options import Options, argument, option
from .output import say


class Command(Options):
    """Write JSON Schemas for editors, one for each sort of file.

    With a RULESET they also know its kinds and members, so an editor completes and checks its tables. An editor with
    a YAML language server reads a schema when the first line of a file names it.

    \b
    Example:
      polis schema --out schema
      polis schema mygame --out mygame/schema
    """

    out: Annotated[Path, option("FOLDER")]
    """Where to write the schemas. Example: --out mygame/schema"""
    ruleset: Annotated[str | None, argument("RULESET")] = None
    """Whose kinds, tables and state to describe as well; a name or a folder. Example: mygame"""

    def run(self) -> None:
        document = None
        if self.ruleset is not None:
            document = documented(self.ruleset)[1]
        for path in write_schemas(self.out, document):
            say(f"Wrote {path}")
        first = f"# yaml-language-server: $schema=./{self.out.name}/sections.json"
        say(f"A file names its schema in its first line: {first}")
