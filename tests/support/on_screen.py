"""Games on a screen that is not there, played by keys."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from polis_cli.screen import PlayApp
from textual.pilot import Pilot
from textual.widgets import Input, Static

from polis_rules import load
from polis_rules.play import HUMAN, Session

SHELF = Path(__file__).parents[1] / "rulesets"
Play = Callable[["Pilot[None]", PlayApp], Awaitable[None]]


def session_of(name: str, seed: int = 1, people: int = 1, by_hand: bool = False, keep: bool = False) -> Session:
    rules = load(name if name in ("yucata", "devir") else SHELF / name)
    bots = dict.fromkeys(rules.players, "random")
    return Session(rules, bots | dict.fromkeys(rules.players[:people], HUMAN), seed, by_hand, keep=keep)


def on_screen(session: Session, play: Play, size: tuple[int, int] = (100, 30), answer_single: bool = False) -> PlayApp:
    """Run a session on a screen that is not there, and play it so."""
    app = PlayApp(session, answer_single)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(pilot, app)
            await play(pilot, app)

    asyncio.run(run())
    return app


async def settled(pilot: Pilot[None], app: PlayApp) -> None:
    """Wait until a person, or nobody, has to go on, and all is shown."""
    for _ in range(2000):
        await pilot.pause()
        if not app.is_thinking:
            break
    await pilot.pause()


async def typed(pilot: Pilot[None], app: PlayApp, line: str) -> None:
    app.query_one("#line", Input).value = line
    await pilot.press("enter")
    await settled(pilot, app)


def text(app: PlayApp, id: str) -> str:
    return str(app.query_one(id, Static).render())
