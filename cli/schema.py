"""`polis schema`: the JSON Schemas that let an editor complete and check a ruleset's files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from polis_rules.pipeline import documented
from polis_rules.schema import write_schemas

from .options import argument, option
from .output import say


def command(
    out: Annotated[Path, option("FOLDER", "Where to write the schemas. Example: --out mygame/schema")],
    ruleset: Annotated[
        str | None,
        argument("RULESET", "Whose kinds, tables and state to describe as well; a name or a folder. Example: mygame"),
    ] = None,
) -> None:
    """Write JSON Schemas for editors, one for each sort of file.

    With a RULESET they also know its kinds and members, so an editor completes and checks its tables. An editor with
    a YAML language server reads a schema when the first line of a file names it.

    \b
    Example:
      polis schema --out schema
      polis schema mygame --out mygame/schema
    """
    document = None
    if ruleset is not None:
        document = documented(ruleset)[1]
    for path in write_schemas(out, document):
        say(f"Wrote {path}")
    say(f"A file names its schema in its first line: # yaml-language-server: $schema=./{out.name}/sections.json")
