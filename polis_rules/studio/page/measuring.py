"""What a change does to games, on the page: win rates and everything else that is different, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nicegui import background_tasks, ui

from polis_rules.diagnostics import PolisError, some
from polis_rules.studio.comparing import Comparing
from polis_rules.studio.studio import Studio
from polis_rules.studio.troubles import in_words

if TYPE_CHECKING:
    from polis_rules.lab import Comparison, Difference, WinRate

SHOWN = 15
PREPARING = "Bots learn to play these rules fast; the first time this may take a minute ..."
OTHERS = "The rules are others now than those that this tells of: Compare begins anew, by those of now."
VERDICTS = {
    "more": "more often than before",
    "less": "less often than before",
    "same": "no difference that matters",
    "open": "not known yet",
}


class ComparePane:
    """Compares the rules that are open with those without variants, or with the ruleset below."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.comparing: Comparing | None = studio.compared
        self.seen = False
        """whether the author looks at it"""
        self._client = ui.context.client
        with ui.element("section").classes("pane").props('aria-label="Compare"'):
            ui.label("Bots play pairs of games by both rules until it is known who wins more often.")
            with ui.element("div").classes("bar"):
                self.start = ui.button("Compare", on_click=self._begin).props("dense no-caps unelevated")
                self.stop = ui.button("Stop", on_click=self._stop).props("flat dense no-caps")
                self.more = ui.button("Go on", on_click=self._go_on).props("flat dense no-caps")
                self.status = ui.label().props('role="status" aria-live="polite"')
            self.others = ui.label().classes("note").props('role="status"')
            self.found = ui.element("div").classes("compared")
        self.stop.set_visibility(False)
        self.more.set_visibility(False)
        self._follow()
        self._client.on_delete(self._leave)

    async def look(self) -> None:
        """Tell whether what stands here is of other rules than those of now: the author looks at it, or has saved."""
        try:
            others = self.comparing is not None and await self.studio.has_other_rules(self.comparing)
        except PolisError:  # that they are broken is told in the editor, and what was found holds for those before
            others = True
        self.others.set_text(OTHERS if others else "")

    async def _begin(self) -> None:
        self.others.set_text("")
        self.status.set_text(PREPARING)
        self.found.clear()
        try:
            found = await self.studio.comparison()
        except PolisError as error:
            self.status.set_text(in_words(error))
            return
        self._leave()
        if self._client.is_deleted:  # nobody would look at it, nor stop it
            return
        self.comparing = found
        self._follow()
        self._go_on()

    def _follow(self) -> None:
        """Show what comes of a comparison; one that was begun before the page was loaded goes on."""
        if self.comparing is not None:
            self.comparing.listeners.append(self._told)
            self._told()

    def _leave(self) -> None:
        """Follow it no longer; if nobody does, it stops."""
        if self.comparing is not None:
            if self._told in self.comparing.listeners:
                self.comparing.listeners.remove(self._told)
            if not self.comparing.listeners:
                self.comparing.stop()

    def _go_on(self) -> None:
        if self.comparing is not None and not self.comparing.running:
            background_tasks.create(self.comparing.go_on(self.studio.jobs), name="compare")

    def _stop(self) -> None:
        if self.comparing is not None:
            self.comparing.stop()

    def _told(self) -> None:
        """Show what is known so far."""
        work = self.comparing
        if work is None:
            return
        with self._client:
            running = work.running and not work.over
            self.start.set_visibility(not running)
            self.stop.set_visibility(running)
            self.more.set_visibility(not running and not work.over)
            state = "playing" if running else "known" if work.pairs.known else "stopped"
            played = f"{some(work.done, 'pair')} of at most {work.now.games}, {state}"
            self.status.set_text(work.trouble or (PREPARING if running and not work.done else played))
            if work.latest is not None:
                self._show(work.latest, work.now.loaded().titles)

    def _show(self, found: Comparison, titles: Mapping[str, str]) -> None:
        self.found.clear()
        with self.found:
            for rate in found.rates:
                self._rate(rate)
            stand = [each for each in found.differences if each.stands]
            others = [each for each in found.differences if not each.stands and each.interval is not None]
            for title, several in (("Different", stand), ("Perhaps chance", others)):
                if several:
                    ui.label(title).classes("title")
                    self._table(several[:SHOWN], titles)
            ui.label(
                f"{found.looked_at} other numbers were looked at; of those that are different"
                f" {100 * found.error:g} % may be chance."
            )

    @staticmethod
    def _rate(rate: WinRate) -> None:
        low, high = rate.interval
        ui.label(
            f"{rate.title} wins {100 * rate.now:.1f} % now, {100 * rate.before:.1f} % before: "
            f"{100 * rate.difference:+z.1f} points ({100 * low:+z.1f} to {100 * high:+z.1f}); {VERDICTS[rate.verdict]}"
        )
        with ui.element("div").classes("interval").props('aria-hidden="true"'):
            ui.element("span").classes("zero")
            ui.element("span").classes("range").style(f"left: {50 + 50 * low:.1f}%; width: {50 * (high - low):.1f}%")
            ui.element("span").classes("point").style(f"left: {50 + 50 * rate.difference:.1f}%")

    @staticmethod
    def _table(several: list[Difference], titles: Mapping[str, str]) -> None:
        with ui.element("table"):
            with ui.element("thead"), ui.element("tr"):
                for head in ("in a game, on average", "player", "before", "now", "difference"):
                    with ui.element("th").props('scope="col"'):
                        ui.label(head)
            with ui.element("tbody"):
                for each in several:
                    low, high = each.interval or (0.0, 0.0)
                    change = f"{each.difference:+z.2f} ({low:+z.2f} to {high:+z.2f})"
                    cells = (titles.get(each.player, ""), f"{each.before:.2f}", f"{each.now:.2f}", change)
                    with ui.element("tr"):
                        with ui.element("th").props('scope="row"'):
                            ui.label(named(each))
                        for cell in cells:
                            with ui.element("td"):
                                ui.label(cell)


def named(found: Difference) -> str:
    """What is counted: of what can be taken or drawn, how often it was."""
    return {
        "lead": "points ahead of the best other player",
        "ending": f"ends: {found.title}",
        "uses": f"takes {found.title}",
        "drawn": f"{found.title} is drawn",
    }.get(found.what, found.title)
