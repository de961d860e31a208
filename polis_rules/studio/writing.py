"""A value that is chosen on the page, written into the text where it belongs: in place, or as a line of the overlay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from polis_rules.authoring import Value, in_place, operation_at, spread, with_key, with_operation, without_line
from polis_rules.composition import plain, reach
from polis_rules.diagnostics import Diagnostics, quote
from polis_rules.schema import HEAD_KEYS
from polis_rules.source import Mapping, Node, found_at, read_text
from polis_rules.studio.workspace import MEND_FIRST, Workspace, WorkspaceError

if TYPE_CHECKING:
    from polis_rules.language_server import Analysis


ONLY_READ = "a shipped ruleset is only read: open a variant of your own beside it"


@dataclass(frozen=True, slots=True)
class Written:
    """A file, its text that was looked at, and the one that it is to have."""

    path: Path
    before: str
    after: str


class Writer:
    """Finds how texts of the editor are to be changed for values of the rules that are open to be others.

    Where a variant is open, that is what the author changes: what stands in the ruleset becomes a line of it. Otherwise
    what stands in the author's own files is written anew in its place, and what stands in a ruleset below becomes a
    line of the edition that is open.
    """

    def __init__(self, workspace: Workspace, analysis: Analysis) -> None:
        self.workspace, self.analysis = workspace, analysis

    def write(self, path: str, value: Value, why: str = "") -> Written:
        """The text in which what stands at a path has another value.

        Raises WorkspaceError where it cannot be written.
        """
        node, row = self._at(path), self._at(path.rpartition(".")[0])
        file = self._file_of(node)
        if node is not None and file is not None and self._is_own(file):
            return self._write_own(file, path, node, value, why)
        file = self._file_of(row)
        if node is None and isinstance(row, Mapping) and row.entries and file and self._is_own(file):
            around = row
            key = path.rpartition(".")[2]
            return self._change(file, lambda text: spread(with_key(text, around, key, value, HEAD_KEYS), value))
        if node is None and "." not in path and not self.workspace.variants and self.analysis.base is None:
            return self._begin(path, value)
        overlay = self._overlay(self._file_of(node) or file)
        if node is not None:
            change: dict[str, Value] = {"was": plain(node), "to": value, **({"why": why} if why else {})}
            return self._change(overlay, lambda text: with_operation(text, "change", path, change))
        gone = operation_at(self._text(overlay), path)
        if gone is not None and gone[0] == "remove":  # it is as it was again
            again = without_line(self._text(overlay), gone[1], gone[2])
            if again is not None:
                return self._change(overlay, lambda text: again)
        while (
            row is None and "." in path
        ):  # the whole attribute is not there: it is added with what belongs to one member
            path, _, key = path.rpartition(".")
            row, value = self._at(path.rpartition(".")[0]), {key: value if isinstance(value, str) else str(value)}
        return self._change(overlay, lambda text: spread(with_operation(text, "add", path, value), value))

    def _begin(self, section: str, value: Value) -> Written:
        """The text of the author's own ruleset with a section that it does not have."""
        if self.workspace.read_only:
            raise WorkspaceError(ONLY_READ)
        file = self.analysis.target.main
        tree = read_text(self._text(file), file.name, Diagnostics())
        if tree is None:
            raise WorkspaceError(f"first mend what is wrong in {file.name}")
        return self._change(file, lambda text: spread(with_key(text, tree, section, value), value))

    def settle(self, name: str, value: str, owner: str = "") -> Written:
        """The text of the open variant, or of the author's own ruleset, in which a setting has a value.

        `owner` is the variant that is on beside it and has that setting, if there is one. Raises WorkspaceError where
        it cannot be written.
        """
        if not self.workspace.variants:
            return self.write(f"settings.{name}.start", value)
        file = self.workspace.variants[0]
        rules = self.analysis.unsettled
        if rules is None:
            raise WorkspaceError(MEND_FIRST)
        if owner and reach(rules, f"settings.{name}").rest:
            raise WorkspaceError(
                f"{quote(name)} is a setting of {quote(owner)}, which {file.name} does not require:"
                f" write `requires: [{owner}]` there first"
            )
        text = self._text(file)
        tree = read_text(text, file.name, Diagnostics())
        if tree is None:
            raise WorkspaceError(f"first mend what is wrong in {file.name}")
        settled = tree.get("settings")
        if not isinstance(settled, Mapping) or not settled.entries:
            return self._change(file, lambda text: with_key(text, tree, "settings", {name: value}))
        around, key, there = settled, name, settled.get(name)
        if isinstance(there, Mapping):  # the variant has this setting, and does not only settle it
            around, key, there = there, "start", there.get("start")
        if there is None:
            return self._change(file, lambda text: with_key(text, around, key, value, HEAD_KEYS))
        return self._change(file, lambda text: in_place(text, there, value) or text)

    def remove(self, path: str) -> Written:
        """The text without what stands at a path. Raises WorkspaceError where that cannot be done."""
        node = self._at(path)
        file = self._file_of(node)
        if node is None:
            raise WorkspaceError(f"there is nothing at {path}")
        if file is None or not self._is_own(file):
            return self._change(self._overlay(file), lambda text: with_operation(text, "remove", path, None))
        text = self._text(file)
        tree = read_text(text, file.name, Diagnostics())
        found = operation_at(text, path) if tree is not None and tree.get("add") is not None else None
        written = [found[1:]] if found is not None else found_at(tree, path)[-1:]
        without = without_line(text, *written[0]) if written else None
        if without is None:
            raise WorkspaceError(f"{path} is not on a line of its own: take it away in {file.name}")
        return self._change(file, lambda text: without)

    def _write_own(self, file: Path, path: str, node: Node, value: Value, why: str) -> Written:
        text = self._text(file)
        operation = operation_at(text, path)
        if operation is not None and operation[0] == "change" and isinstance(operation[2], Mapping):
            was = operation[2].get("was")
            if (
                was is not None
                and plain(was) == value
                and (without := without_line(text, operation[1], operation[2])) is not None
            ):
                return self._change(file, lambda text: without)
        written = in_place(text, node, value)
        if written is None:
            raise WorkspaceError(f"this goes over several lines: change it in {file.name}, line {node.span.line}")
        if operation is not None and why and isinstance(operation[2], Mapping):
            again = operation_at(written, path)
            reason = again[2].get("why") if again is not None and isinstance(again[2], Mapping) else None
            if reason is not None:
                written = in_place(written, reason, why) or written
            elif again is not None and isinstance(again[2], Mapping):
                written = with_key(written, again[2], "why", why)
        return self._change(file, lambda text: written)

    def _is_own(self, path: Path) -> bool:
        """Whether a file belongs to what the author changes: the open variants, or else the ruleset that is open."""
        if self.workspace.variants:
            return path in self.workspace.variants
        return path.is_relative_to(self.workspace.folder) and self.workspace.may_write(path)

    def _at(self, path: str) -> Node | None:
        if self.analysis.tree is None:
            raise WorkspaceError(MEND_FIRST)
        found = reach(self.analysis.tree, path)
        return None if found.rest else found.value

    def _file_of(self, node: Node | None) -> Path | None:
        """The file in which something stands; none for what the reader has made."""
        return self.analysis.files.get(node.span.file) if node is not None else None

    def _overlay(self, below: Path | None) -> Path:
        """Where a change of the ruleset below is written: in an edition best in the file of the same name."""
        if self.workspace.variants:
            return self.workspace.variants[0]
        if self.workspace.read_only:
            raise WorkspaceError(ONLY_READ)
        own = [path for path in self.analysis.files.values() if path.is_relative_to(self.workspace.folder)]
        changing = [path for path in own if "\nchange:" in f"\n{self._text(path)}"]
        same = (path for path in changing if below is not None and path.name == below.name)
        return next(same, changing[0] if changing else self.analysis.target.main)

    def _text(self, path: Path) -> str:
        shown = next((shown for shown, each in self.analysis.files.items() if each == path), "")
        return self.analysis.sources.get(shown, "")

    def _change(self, path: Path, changed: Callable[[str], str]) -> Written:
        before = self._text(path)
        return Written(path, before, changed(before))
