"""What bots find out while they play, followed on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nicegui import Client, background_tasks, ui

from polis_rules.diagnostics import PolisError
from polis_rules.studio.streams import Stream
from polis_rules.studio.troubles import in_words

T = TypeVar("T")
PREPARING = "preparing ..."


def follow(
    stream: Stream[T],
    client: Client,
    status: ui.label,
    show: Callable[[T], None],
    running: Callable[[bool], None],
    first: str = PREPARING,
) -> None:
    """Begin a stream and `show` each thing that it finds; `status` says `first` until then, and what went wrong.

    `running` is told at once that work goes on, and in the end that it does not.
    """

    async def followed() -> None:
        try:
            async for found in stream:
                with client:
                    show(found)
        except PolisError as error:
            with client:
                status.set_text(in_words(error))
        finally:
            with client:
                running(False)
                if status.text == first:  # it was stopped before anything was found
                    status.set_text("stopped")

    running(True)
    status.set_text(first)
    background_tasks.create(followed(), name="bots play")
