"""What the heads of files say: ids, single texts and lists of them, and no keys that mean nothing."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from polis_rules.diagnostics import Diagnostics, quote
from polis_rules.source import ID_RULE, Mapping, Sequence, Text, as_id, is_id

FORMAT = "2"
"""The version of the language that is read."""

OLDEST = 1
"""The oldest version that can be brought forward to it."""


def check_keys(mapping: Mapping, known: Collection[str], diagnostics: Diagnostics, what: str = "key") -> None:
    """Report keys that mean nothing at the top of this file."""
    for key in mapping.entries:
        if key not in known:
            diagnostics.unknown(f"unknown-{what}", f"there is no {what} {quote(key)}", key.span, key, known)


def text_at(mapping: Mapping, key: str, diagnostics: Diagnostics, needed: bool = False) -> Text | None:
    """The text that a key holds; None, and reported, where it is no single value or `needed` and not there."""
    value = mapping.get(key)
    if isinstance(value, Text) and value:
        return value
    if value is not None and not isinstance(value, Text):
        diagnostics.error("not-text", f"{quote(key)} is a single value", value.span)
    elif value is not None or needed:
        message = f"{quote(key)} has no value" if value is not None else f"the key {quote(key)} is missing"
        diagnostics.error("missing-key", message, value.span if value is not None else mapping.span)
    return None


def texts_at(mapping: Mapping, key: str, diagnostics: Diagnostics) -> list[Text]:
    """The values of a list; a single value counts as a list of one."""
    value = mapping.get(key)
    if isinstance(value, Text) and value:
        return [value]
    if value is None:
        return []
    items = value.items if isinstance(value, Sequence) else []
    texts = [item for item in items if isinstance(item, Text)]
    if len(texts) < len(items) or not isinstance(value, Sequence):
        diagnostics.error("not-a-list", f"{quote(key)} is a list of single values", value.span)
    return texts


def id_at(mapping: Mapping, key: str, diagnostics: Diagnostics) -> Text | None:
    """The text that a key, which is needed, holds; reported where it is not an id."""
    id = text_at(mapping, key, diagnostics, needed=True)
    if id is not None and not is_id(id):
        diagnostics.error("invalid-id", f"{quote(id)} is not an id", id.span, ID_RULE, suggestion=as_id(id))
    return id


def check_id(mapping: Mapping, key: str, id: str, diagnostics: Diagnostics) -> None:
    """Report where a file states another id than its name."""
    stated = id_at(mapping, key, diagnostics)
    if stated is not None and stated != id:
        message = f"this is {quote(id)} by its file or folder, but states the id {quote(stated)}"
        diagnostics.error("wrong-id", message, stated.span)


def check_format(manifest: Mapping, folder: Path, diagnostics: Diagnostics) -> None:
    """Report rules of another format: what to do depends on which of the two is older."""
    version = text_at(manifest, "format", diagnostics, needed=True)
    if version is None or version == FORMAT:
        return
    number = int(version) if version.isdecimal() and version.isascii() and len(version) < 10 else -1
    message, hint = f"{quote(version)} is no format; formats are plain numbers", f"write `format: {FORMAT}`"
    if 0 <= number < OLDEST:
        message = f"format {version} is older than any that this version knows"
        hint = "another version of polis-rules reads it"
    elif 0 <= number < int(FORMAT):
        message = f"format {version} is an older one; this version reads format {FORMAT}"
        hint = f"`polis migrate {folder.name} --dry-run` shows what would change; without --dry-run it is done"
    elif number > int(FORMAT):
        message = f"format {version} is newer than format {FORMAT}, which this version reads"
        hint = "a newer version of polis-rules reads it"
    diagnostics.error("unsupported-format", message, version.span, hint=hint)
