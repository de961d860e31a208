"""Writes the JSON Schemas that editors read, one file for each sort of file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.schema.export import export_schemas

if TYPE_CHECKING:
    from polis_rules.schema.document import Document


def schema_texts(document: Document | None = None) -> dict[str, str]:
    """The text of each schema file by the file's name; with a document, for the tables of that ruleset.

    >>> sorted(schema_texts())
    ['cases.json', 'ruleset.json', 'scenario.json', 'sections.json', 'variant.json']
    """
    schemas = export_schemas(document)
    return {f"{name}.json": json.dumps(each, indent=1, ensure_ascii=False) + "\n" for name, each in schemas.items()}


def write_schemas(folder: Path, document: Document | None = None) -> list[Path]:
    """Write the schema files into a folder, over those that are there; the paths written. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in sorted(schema_texts(document).items()):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        written.append(folder / name)
    return written
