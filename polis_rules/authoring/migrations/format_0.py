"""Format 0 to format 1: plain numbers become terms, and an action `requires` what were its `requirements`."""

from __future__ import annotations

import re

from polis_rules.authoring.migrations.edits import Edits
from polis_rules.composition import OPERATIONS
from polis_rules.diagnostics import Diagnostics, quote
from polis_rules.source import Mapping, Node, Text

TITLE = "Parameters become terms, requirements become requires"

BY_HAND = (
    "A file that has both `parameters` and `terms` must be divided first; parameters that are no plain numbers go."
)

SECTIONS = ("parameters",)

_NUMBER = re.compile("-?[0-9]+")

Path = tuple[str, ...]


def migrate(tree: Mapping, edits: Edits, diagnostics: Diagnostics) -> None:
    """Note the edits of one file.

    `parameters: {limit: 8}` was a section of its own; the same is a term now: `terms: {limit: {is: 8}}`.

    >>> from polis_rules.source.reader import read_text
    >>> text = "parameters: {limit: 8}"
    >>> edits = Edits(text)
    >>> migrate(read_text(text, "a.yaml", Diagnostics()), edits, Diagnostics())
    >>> edits.done()
    'terms: {limit: {is: 8}}'
    """
    old = tree.key("parameters")
    if old is not None and tree.get("terms") is not None:
        message = "this file has both `parameters` and `terms`, and both are terms now"
        hint = "move `parameters` to a file of its own, name that under `files`, and migrate again"
        diagnostics.error("migrate-by-hand", message, old.span, hint=hint)
        return
    _rules(tree, (), edits, diagnostics)
    for operation in OPERATIONS:
        body = tree.get(operation)
        if isinstance(body, Mapping):
            _operation(operation, body, (), edits, diagnostics)


def _rules(node: Node, path: Path, edits: Edits, diagnostics: Diagnostics) -> None:
    """What stands at a path: below the top, the two sections, and each of their entries."""
    if path[:1] == ("parameters",) and len(path) == 2:
        _parameter(node, edits, diagnostics)
    elif isinstance(node, Mapping):
        for key, value in node.entries.items():
            _rename(key, (*path, key), edits)
            if len(path) < 2 and (*path, key)[0] in ("parameters", "actions"):
                _rules(value, (*path, key), edits, diagnostics)


def _parameter(node: Node, edits: Edits, diagnostics: Diagnostics) -> None:
    if isinstance(node, Text) and not node.quoted and _NUMBER.fullmatch(node):
        edits.wrap(node.span, "{is: ", "}")
    else:
        what = quote(node) if isinstance(node, Text) else "this"
        message = f"a parameter was a plain number, and {what} is none"
        diagnostics.error("migrate-by-hand", message, node.span, hint="write the number")


def _operation(kind: str, body: Mapping, above: Path, edits: Edits, diagnostics: Diagnostics) -> None:
    """The paths of an overlay, and what stands at them."""
    for key, value in body.entries.items():
        path = (*above, *key.split("."))
        ends = isinstance(value, Mapping) and bool({"was", "to"} & {str(each) for each in value.entries})
        if kind == "change" and ends and isinstance(value, Mapping):
            _rename(key, path, edits, ".is" if _is_parameter(path) else "")
            if not _is_parameter(path):
                for part in ("was", "to"):
                    if (inner := value.get(part)) is not None:
                        _rules(inner, path, edits, diagnostics)
            continue
        _rename(key, path, edits)
        if kind in ("add", "replace"):
            _rules(value, path, edits, diagnostics)
        elif isinstance(value, Mapping):
            _operation(kind, value, path, edits, diagnostics)


def _is_parameter(path: Path) -> bool:
    return len(path) == 2 and path[0] == "parameters"


def _rename(key: Text, path: Path, edits: Edits, suffix: str = "") -> None:
    """A key whose path ends with it, as it is spelt now."""
    at = len(path) - len(key.split("."))
    new = list(path)
    if path[0] == "parameters":
        new[0] = "terms"
    if path[0] == "actions" and len(path) > 2 and path[2] == "requirements":
        new[2] = "requires"
    if (written := ".".join(new[at:]) + suffix) != key:
        edits.replace(key.span, written)
