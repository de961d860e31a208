"""The game on the page: the board, what is asked, what may be chosen, and what everybody has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from polis_rules.diagnostics import PolisError
from polis_rules.studio.page.elements import BoardView, Choices, Select, Standing
from polis_rules.studio.troubles import in_words

if TYPE_CHECKING:
    from polis_rules.studio.chair import Chair
    from polis_rules.studio.scene import Scene

MOST_OFFERED = 60
"""A longer list of choices is shown in part, with a field to look through it."""


FOCUS = """
setTimeout(() => {
  if (document.activeElement === document.body)
    document.querySelector(".choices button")?.focus({ preventScroll: true });
}, 50);
"""
"""Who chooses by keys goes on from the first of the next choices: what had the focus is no more."""
MOST_THOUGHTS = 12
"""What a bot thinks is told of so many options, the best first."""


class GamePane:
    """The game of a table in one browser, as whoever sits there has it."""

    def __init__(self, chair: Chair) -> None:
        self.chair = chair
        self.scene: Scene | None = None
        self.wanted = ""
        self.looked: int | None = None
        """after how many moves the game is looked at; None for now"""
        self.dark = False
        self._head: tuple[object, ...] = ()
        """what is told above the game"""
        self._parted = -1, "", ""
        """a moment from which was gone on, and the name and the rules' hash of the game that it was a moment of"""
        self._chose = False
        """whether something was chosen here, and the next choices are not shown yet"""
        self._again = False
        self._refreshing = False
        self._build()
        self._client = ui.context.client
        self._gone = False
        chair.table.listeners.append(self._changed)
        self._client.on_delete(self._left)
        self._changed()

    def _left(self) -> None:
        """The browser has gone and does not come back."""
        self._gone = True
        self.chair.table.listeners.remove(self._changed)

    # -- the page -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        with ui.element("section").classes("game").props('aria-label="The game"'):
            self.head = ui.element("div").classes("game-head")
            with ui.element("div").classes("asked"):
                self.prompt = ui.label().classes("prompt").props('role="status" aria-live="polite"')
                self.note = ui.label().classes("note").props('role="alert"')
                self.reasons = ui.label().classes("reasons").props('role="status" tabindex=0')
            with ui.element("div").classes("play"):
                self.board = BoardView()
                self.board.on("spot", self._spot)
                self.board.on("theme", self._light_or_dark)
                with ui.element("div").classes("options"):
                    self.search = ui.input(placeholder="Look through the choices", on_change=self._searched).props(
                        'dense clearable aria-label="Look through the choices"'
                    )
                    self.choices = Choices()
                    self.choices.on("choose", self._chosen)
            self.history = ui.element("div").classes("history")
            with ui.element("div").classes("bar"):
                self.missing = Select("Not possible", {"": "why not ...?"}, "", self._missed)
                self.ask = ui.button("What does a bot think?", on_click=self._think).props("flat dense no-caps")
                self.thinking = ui.label().props('role="status"')
            self.why = ui.label().classes("reasons").props('role="status" tabindex=0')
            self.thoughts = ui.element("div").classes("compared")
            self.standing = Standing()
        with self.history:
            if self.chair.is_author:
                ui.button(icon="undo", on_click=lambda: self._do(self.chair.undo)).props(
                    'flat dense aria-label="Take the last decision back"'
                ).tooltip("Take the last decision back")
            ui.button(icon="chevron_left", on_click=lambda: self._step(-1)).props(
                'flat dense aria-label="One move back"'
            )
            self.slider = ui.slider(min=0, max=0, on_change=self._slid).props('aria-label="Moment of the game"')
            ui.button(icon="chevron_right", on_click=lambda: self._step(1)).props('flat dense aria-label="One move on"')
            self.moment = ui.label().classes("moment")
            if self.chair.is_author:
                self.from_here = ui.button("Go on from here", on_click=self._branch).props("flat dense no-caps")
                rules = self.chair.table.rules
                players = {player: rules.titles[player] for player in rules.players}
                asked = self.chair.ASKED
                Select("Seen as", {asked: asked, **players, "": "what all see"}, asked, self._see_as)

    # -- showing ----------------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """The game has changed: show it once more, as soon as that is done which is shown now."""
        if self._refreshing:
            self._again = True
            return
        self._refreshing = True
        background_tasks.create(self._refresh(), name="refresh game")

    async def _refresh(self) -> None:
        try:
            while not self._gone:
                self._again = False
                try:
                    found = await self.chair.scene(self.looked, self.dark)
                    if self.looked is not None and self.looked >= found.moments:
                        self.looked = None  # it is another game, or was taken back
                    show = partial(self._show, found)
                except PolisError as error:  # a rule fails where a preview or the board asks it
                    show = partial(self._note, in_words(error))
                if not self._gone:
                    with self._client:
                        show()
                if not self._again:
                    return
        finally:
            self._refreshing = False

    def _show(self, scene: Scene) -> None:
        if self.scene is None or self.scene.moment != scene.moment:
            self.thoughts.clear()
            self.why.set_text("")
        self.scene = scene
        self._show_head(scene)
        who = f"{scene.asked}: " if scene.asked else ""
        thinking = f"{self.chair.table.thinking} thinks ..." if self.chair.table.thinking else ""
        self.prompt.set_text(thinking or scene.stands.split("\n")[0] if scene.over else thinking or who + scene.prompt)
        moment, name, hash = self._parted
        parted = told_of_kept(name, hash == self.chair.table.rules.hash) if moment == scene.moment else ""
        self._note(self.chair.trouble or parted, is_wrong=bool(self.chair.trouble))
        offered = {each.spot: each.title for each in scene.choices if each.spot}
        self.board.show(scene.board, offered)
        self.board.set_visibility(bool(scene.board))
        self.search.set_visibility(len(scene.choices) > 12)
        self.missing.offer({"": "why not ...?", **dict(scene.missing)}, "")
        self.missing.set_visibility(bool(scene.missing))
        self._show_choices(scene)
        if self._chose and scene.choices:
            self._chose = False
            self._client.run_javascript(FOCUS)
        self._show_history(scene)
        self.standing.show(scene)

    def _show_head(self, scene: Scene) -> None:
        told = (scene.title, scene.round, *self.chair.seats)
        if told == self._head:
            return
        self._head = told
        self.head.clear()
        with self.head:
            ui.label(scene.title).classes("title")
            ui.label(scene.round)
            for title, who in self.chair.seats:
                ui.label(f"{title}: {who}").classes("seat")

    def _show_choices(self, scene: Scene) -> None:
        wanted = self.wanted.casefold()
        fitting = [each for each in scene.choices if wanted in each.title.casefold()]
        more = len(fitting) - MOST_OFFERED
        below = [
            *([f"{more} more; look through them above"] if more > 0 else []),
            *scene.alike,
            *(scene.stands.split("\n")[1:] if scene.over else []),
        ]
        self.choices.show(scene.moment, fitting[:MOST_OFFERED], below)

    def _show_history(self, scene: Scene) -> None:
        if self.slider.props.get("max") != max(scene.moments, 1):
            self.slider.props(f"max={max(scene.moments, 1)}")
        self.slider.set_value(scene.moment)
        self.moment.set_text(f"{scene.moment} of {scene.moments} moves")
        if self.chair.is_author:
            self.from_here.set_visibility(self.looked is not None)

    async def _think(self) -> None:
        """Show what a bot thinks of the decision that is shown."""
        self.ask.disable()
        self.thinking.set_text("thinking ...")
        try:
            found = await self.chair.thoughts(self.looked)
        except PolisError as error:
            self.thinking.set_text(in_words(error))
            return
        finally:
            self.ask.enable()
        self.thinking.set_text("" if found else "There is nothing to decide.")
        self.thoughts.clear()
        with self.thoughts, ui.element("table"):
            rows = [(each.title, f"{each.share:.0%}", f"{each.worth:.0%}") for each in found[:MOST_THOUGHTS]]
            for number, row in enumerate([("option", "tried", "won in these"), *rows]):
                with ui.element("tr"):
                    for cell in row:
                        with ui.element("td" if number else "th"):
                            ui.label(cell)

    # -- answering --------------------------------------------------------------------------------------------------

    async def _chosen(self, event: GenericEventArguments) -> None:
        """Something was chosen that was offered at a moment, which may be over by now."""
        await self._choose(str(event.args.get("id", "")), event.args.get("moment"))

    async def _choose(self, id: str, moment: int) -> None:
        self._chose = True
        self.chair.table.listeners.sort(key=lambda each: each != self._changed)  # who chooses waits, others look on
        await self._do(lambda: self.chair.choose(id, moment))

    async def _spot(self, event: GenericEventArguments) -> None:
        """A place of the board was clicked: it is chosen, or it is told why it cannot be."""
        spot = str(event.args.get("spot", ""))
        if self.scene is None:
            return
        fitting = [each for each in self.scene.choices if each.spot == spot]
        if fitting:
            await self._choose(fitting[0].id, self.scene.moment)
        elif self.scene.choices and spot:
            await self._tell_why(spot.split(" ")[-1], self.reasons)

    async def _missed(self, name: str) -> None:
        """Something in the list of what is not possible was chosen: what is told stands below that list."""
        await self._tell_why(name, self.why)

    async def _tell_why(self, name: str, told: ui.label) -> None:
        """Tell why something cannot be chosen, where somebody looks who has asked for it."""
        try:
            reasons = await self.chair.reasons(name) if name else []
        except PolisError as error:
            reasons = [in_words(error)]
        told.set_text("\n".join(reasons))

    def _note(self, text: str, is_wrong: bool = True) -> None:
        """Say what has gone wrong, if anything has, or been done; and no more why something cannot be chosen."""
        self.note.classes(add=None if is_wrong else "waiting", remove="waiting" if is_wrong else None).set_text(text)
        self.reasons.set_text("")

    def _light_or_dark(self, event: GenericEventArguments) -> None:
        if bool(event.args.get("dark")) != self.dark:
            self.dark = not self.dark
            self._changed()

    def _searched(self, event: ValueChangeEventArguments[str | None]) -> None:
        self.wanted = event.value or ""
        if self.scene is not None:
            self._show_choices(self.scene)

    def _slid(self, event: ValueChangeEventArguments[float | None]) -> None:
        if self.scene is not None and event.value is not None and int(event.value) != self.scene.moment:
            self._look_at(int(event.value))

    def _step(self, moves: int) -> None:
        if self.scene is not None:
            self._look_at(max(0, self.scene.moment + moves))

    def _look_at(self, moment: int) -> None:
        """Show the game here as it stood after so many moves; others go on."""
        self.looked = None if self.scene is None or moment >= self.scene.moments else moment
        self._changed()

    async def _branch(self) -> None:
        if self.looked is not None:
            moment, self.looked = self.looked, None
            path, hash = self.chair.table.session.path, self.chair.table.rules.hash
            await self._do(lambda: self.chair.branch(moment))
            if path is not None and path != self.chair.table.session.path:  # otherwise it could not be done
                self._parted = moment, path.stem, hash

    def _see_as(self, who: str) -> None:
        self.chair.seen_as = who
        self._changed()

    async def _do(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something with the game; what keeps it from being done is told."""
        try:
            await work()
        except PolisError as error:
            self._note(in_words(error))


def told_of_kept(name: str, has_same_rules: bool) -> str:
    """Where the game is that was left for an earlier moment, and how it is gone on with.

    >>> told_of_kept("othello-2", True)
    'The game with all its moves is kept as othello-2: Seats goes on with it.'
    """
    kept = f"The game with all its moves is kept as {name}"
    if has_same_rules:
        return f"{kept}: Seats goes on with it."
    return (
        f"{kept}, by the rules of then: Seats offers it again once those are back. By the rules of now it is played as"
        f" far as they allow with: polis resume {name} --anyway"
    )
