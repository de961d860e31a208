"""Files read as trees, from the disk or from an editor, and written whole."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping as Dict
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.diagnostics import nearest, quote
from polis_rules.source.limits import LARGEST

if TYPE_CHECKING:
    from polis_rules.diagnostics import Diagnostic, Diagnostics, Span
    from polis_rules.source.tree import Mapping

Trees = dict[str, "tuple[str, Mapping | None, list[Diagnostic]]"]
"""By its name in messages: the text of a file, its tree, and what is wrong with it."""


class EditorBuffers:
    """What somebody edits: texts that are not saved yet, and which files have been read."""

    __slots__ = ("read", "trees", "unsaved")

    def __init__(self, unsaved: Dict[Path, str], trees: Trees) -> None:
        self.unsaved = unsaved
        """By the file's resolved path; such a text is read in place of the file's own."""
        self.trees = trees
        """What was read before: what is the same in a file at the same place is the same node of the tree again."""
        self.read: dict[str, Path] = {}
        """The resolved path of each file that was read, by its name in messages."""

    def tree(self, text: str, shown_as: str, diagnostics: Diagnostics) -> Mapping | None:
        """The tree of a text, as `read_text` has it."""
        from polis_rules.diagnostics import Diagnostics
        from polis_rules.source.reader import read_text
        from polis_rules.source.tree import Mapping, kept

        known = self.trees.get(shown_as)
        if known is None or known[0] != text:
            findings = Diagnostics()
            tree = read_text(text, shown_as, findings)
            if tree is not None and known is not None and known[1] is not None:
                same = kept(tree, known[1])
                tree = same if isinstance(same, Mapping) else tree
            known = self.trees[shown_as] = (text, tree, findings.items)
        diagnostics.sources[shown_as] = text
        diagnostics.extend(known[2])
        return known[1]


_buffers: ContextVar[EditorBuffers | None] = ContextVar("buffers", default=None)


@contextmanager
def edited(unsaved: Dict[Path, str], trees: Trees | None = None) -> Iterator[EditorBuffers]:
    """Within it, files are read as somebody sees them in an editor.

    >>> from polis_rules.diagnostics import Diagnostics
    >>> place = Path("a.yaml").resolve()
    >>> with edited({place: "coin: 2"}) as buffers:
    ...     tree = read_file(place, "mine/a.yaml", Diagnostics())
    >>> tree.get("coin"), buffers.read == {"mine/a.yaml": place}
    ('2', True)
    """
    buffers = EditorBuffers(unsaved, {} if trees is None else trees)
    token = _buffers.set(buffers)
    try:
        yield buffers
    finally:
        _buffers.reset(token)


def unsaved_text(path: Path) -> str | None:
    """The text of a file that somebody has open, within `edited`; None where it is read from the disk."""
    buffers = _buffers.get()
    return buffers.unsaved.get(Path(os.path.realpath(path))) if buffers is not None else None


def is_file(path: str | Path) -> bool:
    """Whether there is a plain file, on the disk or, within `edited`, in the editor only.

    Unlike the method of a path, it is false where the name is too long or one may not look.
    """
    if os.path.isfile(path):  # noqa: PTH113
        return True
    with suppress(ValueError):
        return unsaved_text(Path(path)) is not None
    return False


def files_in(folder: Path, below: bool = False) -> list[Path]:
    """The YAML files in a folder, or anywhere `below` it, on the disk or, within `edited`, in the editor only; sorted.

    >>> with edited({Path("nowhere/b.yaml").resolve(): "coin: 2"}):
    ...     [path.as_posix() for path in files_in(Path("nowhere"))]
    ['nowhere/b.yaml']
    """
    found: set[Path] = set()
    with suppress(OSError, ValueError):
        found = {*(folder.rglob("*.yaml") if below else folder.glob("*.yaml"))}
    if (buffers := _buffers.get()) is not None:
        home = Path(os.path.realpath(folder))
        near = (path for path in buffers.unsaved if home in (path.parents if below else path.parents[:1]))
        found |= {folder / path.relative_to(home) for path in near}
    return sorted(path for path in found if path.suffix == ".yaml")


def read_file(path: Path, shown_as: str, diagnostics: Diagnostics, listed: Span | None = None) -> Mapping | None:
    """The tree of a YAML file, or None with an error when it cannot be read or is not a mapping.

    `shown_as` is the file's name in messages, `listed` the place where it is asked for. Errors that leave the rest
    of the file readable (a duplicate key, a tag) are reported too, and the rest of the tree is returned.
    """
    from polis_rules.diagnostics import Span
    from polis_rules.source.reader import plain_lines, point, read_text

    where = Span(shown_as, 1, 1, 1, 1)
    try:
        if (buffers := _buffers.get()) is not None:
            resolved = Path(os.path.realpath(path))  # unlike resolve, at ease with a link that leads to itself
            buffers.read[shown_as] = resolved
            if (unsaved := buffers.unsaved.get(resolved)) is not None:
                return buffers.tree(plain_lines(unsaved), shown_as, diagnostics)
        if not path.is_file():
            absent = not os.path.lexists(path)
            message = f"there is no file {quote(shown_as)}" if absent else f"{quote(shown_as)} is not a plain file"
            diagnostics.error("unreadable-file", message, listed, suggestion=_beside(path) if absent else None)
            return None
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a name of a file"
        diagnostics.error("unreadable-file", f"cannot read {quote(shown_as)}: {reason}", listed)
        return None
    if len(raw) > LARGEST:
        diagnostics.error("file-too-large", f"{quote(shown_as)} is larger than {LARGEST} bytes", where)
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        at = point(shown_as, before.count("\n"), len(before) - before.rfind("\n") - 1)
        message = f"byte {raw[error.start]:#04x} is not part of UTF-8 text"
        diagnostics.error("not-utf8", message, at, hint="save the file as UTF-8")
        return None
    if buffers is not None:
        return buffers.tree(plain_lines(text), shown_as, diagnostics)
    return read_text(text, shown_as, diagnostics)


def _beside(path: Path) -> str | None:
    """The file in the same folder that was most likely meant by one that is not there."""
    with suppress(OSError, ValueError):
        return nearest(path.name, (each.name for each in path.parent.glob(f"*{path.suffix}")))
    return None


def write_whole(path: Path, content: str | bytes) -> None:
    """Put a text or bytes in the place of a file, which is never half written; its permissions stay.

    What is no file, such as a pipe, is written to. Raises OSError, which names the file.
    """
    target, temporary = path.resolve(), None
    data = content.encode() if isinstance(content, str) else content
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        beside = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
        with beside.open("xb") as stream:
            temporary = beside
            stream.write(data)
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o7777)
        temporary.replace(target)
    except BaseException as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise
