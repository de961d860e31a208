"""The fixed part of the language: models of every section, built from a ruleset's tree.

The models are in `document`, `kinds`, `rules` and `steps`. Importing this package is cheap;
pydantic is only loaded when a ruleset is built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polis_rules.diagnostics import Diagnostics
    from polis_rules.schema.document import Document
    from polis_rules.source import Mapping

__all__ = ["Document", "build"]


def __getattr__(name: str) -> object:
    """`Document`, imported when it is asked for."""
    if name == "Document":
        from polis_rules.schema.document import Document

        return Document
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def build(tree: Mapping, diagnostics: Diagnostics) -> Document | None:
    """The typed document of a composed ruleset, or None after reporting what is wrong with it.

    The keys of `tree` are `manifest`, the sections of the language, and `scenario`.
    """
    from polis_rules.schema.building import build_document

    return build_document(tree, diagnostics)
