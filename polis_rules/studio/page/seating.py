"""Who sits where: bots and people, and the links with which people join from their own browsers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from polis_rules.diagnostics import PolisError
from polis_rules.play import HUMAN
from polis_rules.play.bots import check
from polis_rules.studio.page.elements import Select
from polis_rules.studio.studio import Studio
from polis_rules.studio.troubles import in_words

if TYPE_CHECKING:
    from polis_rules.studio.table import Table

USUAL = {
    HUMAN: "is a person, here or with the link of the seat",
    "random": "is a bot that takes any option",
    "greedy": "is one that tries what it can do until its turn is over",
    "mcts:300": "is one that thinks ahead: before each decision it tries out 300 ways in which the game may go on",
    "mcts:1s": "does so for a second",
}
"""Who may play, and how."""
EXPLAINED = (
    f"{'; '.join(f'{name} {how}' for name, how in USUAL.items())}."
    " With more tries or time it plays better and takes longer; others can be typed, such as mcts:2000 or mcts:5s."
)

LARGEST_SEED = 10**9 - 1
"""Longer ones are not kept as they are typed: the page counts in floating point."""


class SeatsPane:
    """The seats of a table, for the author."""

    def __init__(self, studio: Studio, table: Table) -> None:
        self.studio, self.table = studio, table
        self.links: dict[str, ui.label] = {}
        """where the link of each seat that was copied stands"""
        with ui.element("section").classes("seats").props('aria-label="Seats"'):
            ui.label("Seats").classes("title")
            ui.label(EXPLAINED)
            for player in table.rules.players:
                with ui.element("div").classes("bar"):
                    ui.label(table.rules.titles[player]).classes("name")
                    who = table.session.seats[player]
                    known = dict.fromkeys([*USUAL, who])
                    Select(
                        f"Who plays {table.rules.titles[player]}",
                        {each: each for each in known},
                        who,
                        partial(self._seat, player),
                        free=True,
                    )
                    ui.button("Copy the link of this seat", on_click=partial(self._copy, player)).props(
                        "flat dense no-caps"
                    )
                    self.links[player] = ui.label().classes("link").props('role="status"')
            with ui.element("div").classes("bar"):
                self.seed = (
                    ui.number("Seed (empty: any)", min=0, max=LARGEST_SEED, step=1, format="%d")
                    .classes("seed")
                    .props("dense outlined")
                )
                ui.button("Begin this game anew", on_click=self._begin).props("dense no-caps unelevated")
                ui.button("Stop bots", on_click=table.stop_bots).props("flat dense no-caps")
                ui.button("Let bots play", on_click=table.let_bots_play).props("flat dense no-caps")
            self.note = ui.label().classes("note").props('role="alert"')

    async def _seat(self, player: str, who: str) -> None:
        try:
            if who != HUMAN:
                check(who)
            await self.table.seat(player, who)
        except (PolisError, OSError) as error:
            self.note.set_text(in_words(error))
            return
        self.note.set_text("")

    async def _copy(self, player: str) -> None:
        key = self.studio.seat_keys[player]
        link = f"location.origin + '/open/{key}'"
        shown = await ui.run_javascript(f"navigator.clipboard?.writeText({link}).catch(() => 0); {link}", timeout=5)
        self.links[player].set_text(str(shown))  # also where the browser does not let it be copied

    async def _begin(self) -> None:
        try:
            await self.studio.begin_anew(self.table, None if self.seed.value is None else int(self.seed.value))
        except (PolisError, OSError) as error:
            self.note.set_text(in_words(error))
