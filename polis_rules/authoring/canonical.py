"""A composed ruleset as one file of canonical YAML, which loads to the same rules."""

from __future__ import annotations

import json
import re

from polis_rules.authoring.formatting import format_text
from polis_rules.composition import Composed
from polis_rules.diagnostics import Diagnostics
from polis_rules.source import Mapping, Node, Sequence

PLAIN = re.compile(r"[A-Za-z0-9_(][^\n\t]*")
"""Texts that may stand without quotes, unless something in them means more to YAML."""

NUMBER = re.compile(r"-?\d+")

LITERAL = re.compile(r"-?\d+|true|false|null|~|", re.IGNORECASE)
"""What is a value of another kind unless it stands in quotes."""

UNSAFE = re.compile("[][{},#&*!|>%@`\"':\n]|^[-?]|^\\s|\\s$")
"""What a value between braces must not hold without quotes."""

RISKY = re.compile(r": |:$| #|^[\[{&*!|>'\"%@`?-]|\s$|[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


def scalar(text: str) -> str:
    """A value as it is written in canonical YAML: bare where that is safe, otherwise in double quotes.

    >>> scalar("you.coins >= 3"), scalar("Isle: north")
    ('you.coins >= 3', '"Isle: north"')
    """
    if NUMBER.fullmatch(text) or (PLAIN.fullmatch(text) and not RISKY.search(text)):
        return text
    return json.dumps(text, ensure_ascii=False)


def flow(value: object) -> str:
    """Texts, lists and dictionaries on one line: what could mean something else between braces stands in quotes.

    >>> flow({"you": ["dig", "Isle: north"], "size": "3"})
    '{you: [dig, "Isle: north"], size: 3}'
    >>> flow({"was": "3", "to": "-5"})
    '{was: 3, to: -5}'
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    text = str(value)
    bare = NUMBER.fullmatch(text) or (text and not UNSAFE.search(text))
    return text if bare else json.dumps(text, ensure_ascii=False)


def lines(node: Node, depth: int = 0) -> list[str]:
    """A mapping or a list in block style; two spaces a level."""
    indent = "  " * depth
    written: list[str] = []
    if isinstance(node, Mapping):
        for key, value in node.entries.items():
            written += _entry(f"{indent}{scalar(key)}:", value, depth + 1)
    elif isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Mapping) and item.entries:
                inner = lines(item, depth + 1)
                written += [f"{indent}- {inner[0].lstrip()}", *inner[1:]]
            else:
                written += _entry(f"{indent}-", item, depth + 1)
    return written


def _entry(start: str, value: Node, depth: int) -> list[str]:
    if isinstance(value, Mapping | Sequence):
        inner = lines(value, depth)
        return [start, *inner] if inner else [f"{start} {'{}' if isinstance(value, Mapping) else '[]'}"]
    if value.quoted and LITERAL.fullmatch(value):
        return [f"{start} {json.dumps(str(value))}"]
    return [f"{start} {scalar(value)}" if value else start]


def resolved(composed: Composed, folder: str | None = None) -> str:
    """The whole ruleset, overlays applied, as the text of a `ruleset.yaml` that needs no other file.

    It keeps the id, and with it the hash, also in a `folder` of another name, which a comment explains.
    """
    written = [f"# {' + '.join(composed.layers)}", f"# hash {composed.hash}"]
    head = lines(composed.manifest.without("files", "scenario"))
    id = composed.manifest.get("ruleset")
    if folder is not None and folder != id:
        head[head.index(f"ruleset: {id}")] += "  # polis: ignore[wrong-id] resolve keeps id and hash"
    written += head
    for name in ("scenario", *(key for key in composed.tree.entries if key not in ("scenario", "manifest"))):
        section = composed.tree.get(name)
        if section is not None:
            written += ["", *_entry(f"{name}:", section, 1)]
    text = "\n".join(written) + "\n"
    return format_text(text, "ruleset.yaml", Diagnostics()) or text
