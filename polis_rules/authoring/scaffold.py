"""Begin a ruleset of one's own: a folder that extends another ruleset, and validates and runs at once."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

from polis_rules.composition import Composed, family, find, leaves, shipped
from polis_rules.diagnostics import Diagnostic, RulesetError, printable, quote
from polis_rules.pipeline import documented
from polis_rules.schema import Document, write_schemas
from polis_rules.source import ID_RULE, Text, as_id, is_id, spoken

MANIFEST = """\
# yaml-language-server: $schema=./schema/ruleset.json
# The line above helps an editor. After changes to kinds or tables: `polis schema {folder} --out {folder}/schema`.
format: 2
ruleset: {name}
extends: {base}
title: {title}
sources:
  own: {{title: House rules of {title}}}
files: [rules.yaml]
"""

RULES = """\
# yaml-language-server: $schema=./schema/sections.json
# What {title} changes about {base_title}.
#
# The next step: write these two lines, without the #, in the place of the line `change: {{}}`, and run
# `polis validate {folder}`, `polis explain {base} {example}` and `polis diff {base} {folder}`.
#
# change:
#   {example}: {{was: {value}, to: {other}, why: Say why.}}
#
# `was` is the value that stands there now; when the base moves on, you are told instead of surprised.
change: {{}}

# A path that is free takes something new:
#
# add:
#   terms.my_own_quantity: {{is: 3, cite: "own, my page", grade: quoted}}
#
# `remove` and `replace` take a path that exists.
"""


GUIDE = "README.md"
"""The page, beside the shipped rulesets, that writes a small ruleset file by file."""

BLOCK = re.compile(r"^```yaml\n# (\w+)/(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A file, or a part of one, on that page: the folder, the name and the text."""


def begin(name: str, base: str, folder: Path) -> list[Path]:
    """Write `folder` with a ruleset `name` that extends `base`, and schemas for editors; the paths written.

    Raises RulesetError when the name is no id, the base does not exist, the name or that of the folder is one of a
    ruleset that would be extended, or the folder is there already.
    """
    _check(name, folder)
    home = find(base)
    composed, document = documented(home)
    taken = {str(document.manifest.ruleset), *(each.resolve().name for each in family(home))}
    for called in taken.intersection((name, folder.resolve().name)):
        message = f"a ruleset that extends {quote(base)} cannot be called {quote(called)} too: it would extend itself"
        raise RulesetError([Diagnostic("extends-loop", message, None, "choose another name")])
    path, value = example(composed)
    title = spoken(name).capitalize()
    words = {
        "folder": _line(shlex.quote(folder.as_posix())),
        "name": name,
        "title": title,
        "base": str(document.manifest.ruleset),
        "base_title": _line(str(document.manifest.title)),
        "example": path,
        "value": value,
        "other": str(int(value) + 1) if value.isdigit() else value,
    }
    texts = {file: text.format(**words) for file, text in (("ruleset.yaml", MANIFEST), ("rules.yaml", RULES))}
    return _written(folder, texts, document)


def begin_small(name: str, folder: Path) -> list[Path]:
    """Write `folder` with the small whole game that the guide beside the shipped rulesets writes; the paths written.

    Raises RulesetError when the name is no id or the folder is there already.
    """
    _check(name, folder)
    guide = (shipped()[0].path.parent / GUIDE).read_text(encoding="utf-8")
    blocks: list[tuple[str, str, str]] = BLOCK.findall(guide)
    whole = next(home for home, file, _ in blocks if file == "ruleset.yaml")  # of others only parts are shown
    texts = {file: _renamed(text, whole, name) for home, file, text in blocks if home == whole}
    return _written(folder, texts)


def _renamed(text: str, old: str, new: str) -> str:
    """A file of a ruleset for one of another id."""
    return re.sub(rf"^(ruleset|extends): {old}$", rf"\1: {new}", text, flags=re.MULTILINE)


def _check(name: str, folder: Path) -> None:
    """Raise RulesetError where no ruleset of that name can be written there."""
    if not is_id(name):
        raise RulesetError([Diagnostic("invalid-id", f"`{name}` is not an id", None, ID_RULE, suggestion=as_id(name))])
    if folder.exists():
        raise RulesetError([Diagnostic("already-there", f"{folder} exists already; nothing was written", None)])


def _written(folder: Path, texts: dict[str, str], document: Document | None = None) -> list[Path]:
    """Write files, and schemas for a document, into a new folder: all of them or nothing; the paths written."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".", dir=folder.parent) as place:
        draft = Path(place) / folder.name
        written = write_schemas(draft / "schema", document) if document is not None else []
        for file, text in texts.items():
            (draft / file).parent.mkdir(parents=True, exist_ok=True)
            (draft / file).write_text(text, encoding="utf-8")
            written.append(draft / file)
        draft.rename(folder)
    return [folder / path.relative_to(draft) for path in written]


def _line(text: str) -> str:
    """Text as it may stand in a comment."""
    return printable(" ".join(text.split()))


def example(base: Composed) -> tuple[str, str]:
    """A path of the base with a plain number, to show how a change is written."""
    values = dict(leaves(base.tree, ""))
    for pattern in (r"terms\.\w+\.is", r"actions\.\w+\.cost\.\w+"):
        for path, value in values.items():
            if isinstance(value, Text) and value.isdigit() and re.fullmatch(pattern, path):
                return path, str(value)
    return "terms.some_term.is", "1"
