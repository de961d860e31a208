"""The files that an author has opened: which there are, what they hold, and how they are saved."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from polis_rules.composition import MANIFEST
from polis_rules.diagnostics import PolisError
from polis_rules.source import write_whole
from polis_rules.studio.drafts import Draft, Drafts, digest
from polis_rules.studio.edits import merged

LARGEST = 1_000_000
"""A file has at most so many characters."""


MEND_FIRST = "first mend what is wrong with the rules"


class WorkspaceError(PolisError):
    """A file may not be read or written here, or cannot be."""


@dataclass
class Document:
    """A file as it stands in the editor."""

    path: Path
    name: str
    """What it is called on the page."""
    text: str
    saved: str
    """The text of the file when it was read or written last."""
    draft: Draft | None = None
    """What an earlier session has not saved, and the author has not decided about."""

    @property
    def changed(self) -> bool:
        """Whether there is something to save."""
        return self.text != self.saved


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file that was changed by another program since it was read."""

    theirs: str
    is_gone: bool = False
    """whether the file is no more, or no longer one that can be read"""


class Workspace:
    """The files of one ruleset's folder and the variants that are open; no other file is read or written, but shipped
    variants that are laid over it are read.

    `variants` are files too, inside or outside of the folder. `read_only`: the folder belongs to the package.
    """

    def __init__(
        self, folder: Path, variants: tuple[Path, ...] = (), read_only: bool = False, drafts: Drafts | None = None
    ) -> None:
        self.folder, self.read_only = folder.resolve(), read_only
        self.variants = [path.resolve() for path in variants]
        self.more: list[Path] = []
        """files that the studio has written beside the variants"""
        self.beside: dict[str, Path] = {}
        """shipped variants that have been laid over the ruleset, by what messages call them"""
        self.below: list[Path] = []
        """folders of rulesets that this one extends: none of their files is opened, but they are looked at"""
        self.drafts = drafts or Drafts()
        self.documents: dict[Path, Document] = {}
        """by place: what a file is called changes where another one of its name comes"""
        self._seen: dict[Path, tuple[int, int]] | None = None
        self.listeners: list[Callable[[Document], None]] = []
        """Told after a text has changed or was saved."""

    # -- which files ------------------------------------------------------------------------------------------------

    def names(self) -> dict[str, Path]:
        """The files that may be opened, by what they are called: open variants first, shipped ones last."""
        length = len(self.folder.as_posix().rstrip("/")) + 1
        named = {path.as_posix()[length:]: path for path in _files(self.folder) if path not in self.variants}
        found: dict[str, Path] = {}
        for path in (*self.variants, *self.more, *self.beside.values()):
            parts, count = path.parts, 1
            while (name := "/".join(parts[-count:])) in found or name in named:
                count += 1
            found[name] = path
        own = {name: path for name, path in found.items() if path not in self.beside.values()}
        return own | named | found

    @property
    def first(self) -> str:
        """What is opened before the author chooses: a variant, or else what the ruleset begins with."""
        return next(iter(self.names())) if self.variants else MANIFEST

    def know(self, path: Path) -> str:
        """What a file is called that the studio has written: it may be opened from now on."""
        inside = path.resolve()
        if not inside.is_relative_to(self.folder) and inside not in (*self.variants, *self.more):
            self.more.append(inside)
        name = next(name for name, each in self.names().items() if each == inside)
        document = self.documents.get(inside)
        if document is not None and not document.changed:
            self.take_theirs(document)
        return name

    def may_write(self, path: Path) -> bool:
        """Whether a file is the author's."""
        return path in (*self.variants, *self.more) or not (self.read_only or path in self.beside.values())

    def refusal(self, document: Document) -> str:
        """Why the text of a file cannot be changed now; empty where it can."""
        if not self.may_write(document.path):
            return f"{document.name} belongs to a shipped ruleset: change it by a variant"
        if document.draft is not None:
            return f"{document.name} was changed and not saved earlier: first open it and recover that or throw it away"
        return ""

    # -- texts ------------------------------------------------------------------------------------------------------

    def open(self, name: str) -> Document:
        """A file by its name. Raises WorkspaceError where there is none that may be read."""
        path = self.names().get(name)
        if path is None:
            raise WorkspaceError(f"there is no file {name!r} here")
        if path not in self.documents:
            text, draft = _read(path), self.drafts.of(path)
            if draft is not None and draft.text == text:
                self.drafts.drop(path)
                draft = None
            self.documents[path] = Document(path, name, text, text, draft)
        document = self.documents[path]
        document.name = name
        return document

    @property
    def texts(self) -> dict[Path, str]:
        """The texts of all files that are open, as they are now."""
        return {each.path: each.text for each in self.documents.values()}

    def of(self, path: Path) -> Document:
        """A file by its place. Raises WorkspaceError where there is none that may be read."""
        found = next((name for name, each in self.names().items() if each == path), None)
        if found is None:
            raise WorkspaceError(f"{path.name} is not open here")
        return self.open(found)

    def named(self, shown: str, names: Mapping[str, Path] | None = None) -> str | None:
        """What a file is called here of which messages speak; None of one that is not open here.

        A path, or one from the folder's name on, as `mygame/map.yaml` or `shipped:mygame/map.yaml`. Who asks about many
        gives the `names`, for which all folders are looked through.
        """
        names = self.names() if names is None else names
        inside = shown.removeprefix("shipped:").removeprefix(f"{self.folder.name}/")
        if shown not in self.beside and inside in names:
            return inside
        place = str(self.beside.get(shown, shown))
        return next((name for name, path in names.items() if str(path) == place), None)

    def by_names(self, text: str, names: Mapping[str, Path] | None = None) -> str:
        """A message with files as they are called here, instead of where they lie."""
        names = self.names() if names is None else names
        for name, path in sorted(names.items(), key=lambda each: -len(str(each[1]))):  # one may end as another does
            text = text.replace(f"{path.as_posix()}:", f"{name}:")
        return text

    def change(self, document: Document, text: str) -> None:
        """A file has another text in the editor. Raises WorkspaceError for one that may not be changed."""
        refusal = self.refusal(document)
        if refusal:
            raise WorkspaceError(refusal)
        if len(text) > LARGEST:
            raise WorkspaceError(f"a file has at most {LARGEST:,} characters")
        if text != document.text:
            self._put(document, text)

    def _put(self, document: Document, text: str) -> None:
        document.text = text
        self.tell(document)

    def tell(self, document: Document) -> None:
        """Tell every page of a file that its text is another, or was saved."""
        for listener in list(self.listeners):
            listener(document)

    def keep(self, document: Document) -> None:
        """Write the draft of a file down, or away where there is nothing to save. Raises OSError.

        There is one for each file: what is offered there already stays in it, below what was typed beside it.
        """
        text, offered = document.text, document.draft
        if text != document.saved:
            kept = text if offered is None else merged(text, offered.text, "recovered")
            is_copy = offered is not None and offered.is_copy
            self.drafts.keep(document.path, kept, digest(document.saved), is_copy)
        elif offered is None:
            self.drafts.drop(document.path)

    def keep_all(self) -> None:
        """The same of all files that are open. Raises OSError."""
        for document in list(self.documents.values()):
            self.keep(document)

    def take_left(self, document: Document, text: str, over: str) -> None:
        """A browser has kept what it could not send any more, typed over a text of that digest: it is offered.

        Where another browser's copy is offered already, or a draft of what others have typed since, both are, one below
        the other. One with nothing typed in it is let go. Raises OSError; then nothing is offered, and the browser is
        to keep it.
        """
        if digest(text) == over:
            return
        draft = document.draft
        if draft is not None and text != draft.text and (draft.is_copy or not _goes_on(text, draft, document.saved)):
            text, over = merged(draft.text, text, "another browser"), draft.over
        if text != document.text and self.may_write(document.path) and len(text) <= LARGEST:
            document.draft = self.drafts.keep(document.path, text, over, is_copy=True)
            self.keep(document)
            self.tell(document)

    def recover(self, document: Document) -> None:
        """Go on with what was not saved; where something was typed since, with both, one below the other.

        A browser that comes back late offers its copy when another one has gone on with the file.
        """
        if document.draft is not None:
            text, document.draft = document.draft.text, None
            self._put(document, merged(document.text, text, "recovered") if document.changed else text)

    def discard_draft(self, document: Document) -> None:
        """What was not saved is not wanted."""
        if document.draft is not None:
            document.draft = None
            self.drafts.drop(document.path)
            self._put(document, document.text)

    def conflict(self, document: Document) -> Conflict | None:
        """What another program has made of a file since it was read; None where that is what the author knows."""
        try:
            now, is_gone = _read(document.path), False
        except WorkspaceError:
            now, is_gone = "", True
        return None if now in (document.saved, document.text) else Conflict(now, is_gone)

    def save(self, document: Document, over: str | None = None) -> Conflict | None:
        """Write a file; where another program has written it meanwhile, nothing is written and its text comes back.

        `over` is the text of the file that the author knows of and gives up. Raises OSError, with nothing lost, and
        WorkspaceError.
        """
        if not self.may_write(document.path):
            raise WorkspaceError(f"{document.name} belongs to a shipped ruleset: change it by a variant")
        if _is_another(document.path):
            raise WorkspaceError(f"{document.name} is no file any more, or leads elsewhere")
        conflict = self.conflict(document)
        if conflict is not None and conflict.theirs != over:
            return conflict
        text = document.text  # more may be typed while it is written
        write_whole(document.path, text.replace("\n", _line_end(document.path)))
        document.saved = text
        if document.draft is None and not document.changed:
            self.drafts.drop(document.path)
        return None

    def take_theirs(self, document: Document) -> None:
        """Give up one's own text for that of the file. Raises WorkspaceError where that cannot be read."""
        text = _read(document.path)
        document.saved = text
        if document.draft is None:
            self.drafts.drop(document.path)
        if text != document.text:
            self._put(document, text)

    def take_both(self, document: Document) -> None:
        """Go on with one's own text and that of the file, one below the other. Raises WorkspaceError where that cannot
        be read."""
        mine = document.text
        self.take_theirs(document)
        self.change(document, merged(mine, document.saved))

    def changed_elsewhere(self) -> bool:
        """Whether any file is another since this was asked last, or is there or not since."""
        now = {}  # several pages ask at the same time
        for path in (*self.names().values(), *(path for folder in self.below for path in _files(folder))):
            with suppress(OSError):
                found = path.stat()
                now[path] = found.st_mtime_ns, found.st_size
        before, self._seen = self._seen, now
        return before is not None and before != now

    def take_all(self) -> None:
        """Read each file again in which nothing was changed here; one that cannot be read stays as it was."""
        for document in list(self.documents.values()):
            if not document.changed:
                with suppress(WorkspaceError):
                    self.take_theirs(document)


def _goes_on(text: str, draft: Draft, saved: str) -> bool:
    """Whether a text was typed on from a draft: what that has beside the file it has too, if only to a line's end."""
    lines, typed = sorted(text.split("\n")), set(draft.text.split("\n")) - set(saved.split("\n"))
    places = ((line, bisect_left(lines, line)) for line in typed)
    return all(at < len(lines) and lines[at].startswith(line) for line, at in places)


def _files(folder: Path) -> list[Path]:
    """The YAML files in a folder and below it, none of which leads out of it, sorted.

    A name that is no text in UTF-8 cannot be sent to a page. Every key that is pressed asks for them: only what is a
    link is looked at closely.
    """
    found = set()
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)  # noqa: PTH118
            if not name.endswith(".yaml"):
                continue
            if os.path.islink(path):  # noqa: PTH114
                inside = Path(os.path.realpath(path))
                if inside.suffix != ".yaml" or not inside.is_relative_to(folder):
                    continue
                path = str(inside)
            if os.path.isfile(path) and _is_text(path):  # noqa: PTH113
                found.add(Path(path))
    return sorted(found)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_another(path: Path) -> bool:
    """Whether a file that was opened has become a link, lies behind one, or is a folder or a pipe."""
    return path.resolve() != path or (path.exists() and not path.is_file())


def _line_end(path: Path) -> str:
    """What the lines of a file end with, as its first one does; an editor in a browser knows one end only."""
    with suppress(OSError), path.open("rb") as stream:
        if stream.readline(LARGEST).endswith(b"\r\n"):
            return "\r\n"
    return "\n"


def _read(path: Path) -> str:
    if _is_another(path):  # whoever reads from a pipe waits for somebody to write into it
        raise WorkspaceError(f"{path.name} is no file any more, or leads elsewhere")
    try:
        with path.open("rb") as stream:
            data = stream.read(4 * LARGEST + 1)
    except OSError as error:
        raise WorkspaceError(f"{path.name} cannot be read: {error.strerror}") from error
    if len(data) > 4 * LARGEST:
        raise WorkspaceError(f"{path.name} is too long")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{path.name} is no text in UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
