"""Elements of the page with JavaScript of our own: the board, what helps in the editor, and lists to choose from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

if TYPE_CHECKING:
    from polis_rules.studio.grids import Grid
    from polis_rules.studio.scene import Choice, Scene

OFFERED = ("id", "title", "cost", "apart", "changes", "spot", "card")
"""What the page is told of a choice."""


class BoardView(Element, component="board.js"):
    """A board in which spots can be chosen.

    It emits `spot` with `{"spot": "kind member"}`, `moved` with how far `right` and `down` besides, in units of the
    picture, `joined` with the `other` on which it was dropped, where that `joins` them, and `theme` with
    `{"dark": ...}` at first and when that changes.
    """

    def __init__(self) -> None:
        super().__init__()
        self._props.update(picture="", offered={}, looked=[], movable=[], joins=False, links=[])

    def show(self, picture: str, offered: Mapping[str, str]) -> None:
        """Show a picture; `offered` gives the titles of the spots that may be chosen."""
        _show(self, picture=picture, offered=dict(offered))

    def allow(self, movable: Collection[str], joins: bool) -> None:
        """Let these spots be moved, and joined by dropping one on another; it is to be shown after that."""
        self._props.update(movable=sorted(movable), joins=joins)

    def connect(self, links: Collection[tuple[str, str]]) -> None:
        """Draw a line between the spots of each of these pairs."""
        self._props["links"] = [*map(list, links)]
        self.update()

    def set_looked(self, *spots: str) -> None:
        """Mark spots at which somebody looks; those of a choice beside the board are marked without being told."""
        self._props["looked"] = spots
        self.update()


class Choices(Element, component="choices.js"):
    """What may be chosen, as buttons, which are not an element each: there are many, and others with every move.

    It emits `choose` with the `id` of what is chosen and the `moment` of the game at which that was offered.
    """

    def __init__(self) -> None:
        super().__init__()
        self._props.update(moment=0, choices=[], below=[])
        self.classes("choices")

    def show(self, moment: int, choices: Sequence[Choice], below: Sequence[str]) -> None:
        """Show choices of a moment, and lines below them."""
        offered = [{name: getattr(each, name) for name in OFFERED} for each in choices]
        _show(self, moment=moment, choices=offered, below=list(below))


class Standing(Element, component="standing.js"):
    """What everybody has, and what has happened: tables with many cells, which are not an element each."""

    def show(self, scene: Scene) -> None:
        """Show what a scene tells of that."""
        _show(
            self,
            sheets=[{"title": each.title, "head": each.head, "rows": each.rows} for each in scene.sheets],
            common=scene.common,
            news=scene.news[::-1],
        )


class GridView(Element, component="grid.js"):
    """A table of cells to be changed.

    It emits `put` with `row`, `column` and `text`, `look` with `row` and `column` where somebody is, and `text` for a
    cell that is changed in the text only.
    """

    def __init__(self) -> None:
        super().__init__()
        self._props.update(name="", columns=[], rows=[])

    def show(self, grid: Grid) -> None:
        """Show a table."""
        rows = [
            [
                id,
                title,
                [{name: getattr(cell, name) for name in ("text", "shown", "said", "changed")} for cell in cells],
            ]
            for id, title, cells in grid.rows
        ]
        columns = [{**asdict(each), "about": each.about} for each in grid.columns]
        self._props.update(name=grid.title, columns=columns, rows=rows)
        self.update()


class Assist(Element, component="assist.js"):
    """Asks for completion, hover, definition, references and fixes in an editor.

    It emits `ask` with `what`, `id`, `line` and `character`, and is answered by `answer`. Of a text that cannot be sent
    any more the browser keeps a copy, and emits `left` with `file`, `over` and `text` when that file is shown again.
    """

    def __init__(self, editor: ui.codemirror) -> None:
        super().__init__()
        self._props.update(editor=editor.id, file="", over="", name="", prose=None)

    def about(self, file: str, over: str, name: str) -> None:
        """Tell by what id a file goes that is shown, by what digest its text on the disk, and what it is called."""
        _show(self, file=file, over=over, name=name)

    def colour(self, keys: Sequence[str], sections: Sequence[str]) -> None:
        """Give expressions their colours: all values but those of some keys, and in some sections of a file."""
        _show(self, prose={"keys": keys, "sections": sections})

    def forget(self, file: str) -> None:
        """The copy of a file's text is not needed any more."""
        self.run_method("forget", file)

    def answer(self, id: int, found: object) -> None:
        """Answer a question."""
        self.run_method("answer", id, found)

    def show(self, line: int, character: int = 0) -> None:
        """Put the cursor at a place; lines are counted from 1."""
        self.run_method("show", line, character)


class Escape(Element, component="escape.js"):
    """Emits `pressed` for each Escape that closes nothing."""


class Select(Element, component="select.js"):
    """A list to choose from; with `free` something else may be typed too. `chosen` is told what is chosen."""

    def __init__(
        self,
        name: str,
        options: Mapping[str, str],
        value: str,
        chosen: Callable[[str], Awaitable[None] | None],
        free: bool = False,
    ) -> None:
        super().__init__()
        self._props.update(name=name, free=free)
        self.offer(options, value)

        def told(event: GenericEventArguments) -> Awaitable[None] | None:
            value = str(event.args.get("value", ""))
            self._props["value"] = value
            return chosen(value)

        self.on("chosen", told)

    @property
    def value(self) -> str:
        """What is chosen."""
        return str(self._props["value"])

    def offer(self, options: Mapping[str, str], value: str) -> None:
        """Offer these, with their titles, and show one of them as chosen."""
        _show(self, options=[[id, title] for id, title in options.items()], value=value)


def named_dialog(name: str) -> ui.dialog:
    """A dialog with a name, which a screen reader tells when it opens."""
    dialog = ui.dialog()
    dialog.props["aria-label"] = name
    return dialog


def _show(element: Element, **props: object) -> None:
    """Give an element these properties; where it has them the browser is told nothing."""
    if any(element._props.get(name) != value for name, value in props.items()):
        element._props.update(props)
        element.update()
