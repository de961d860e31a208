"""The studio ends when it is asked to."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn

from polis_rules.studio.server import _Server


def test_a_comparison_is_stopped_before_the_studio_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    async def ended(*_: object) -> None:
        told.append("ended")

    monkeypatch.setattr(uvicorn.Server, "shutdown", ended)
    compared = SimpleNamespace(stop=lambda: told.append("stopped"))
    gallery: Any = SimpleNamespace(studio=SimpleNamespace(compared=compared))
    asyncio.run(_Server(uvicorn.Config("none"), gallery).shutdown())
    assert told == ["stopped", "ended"]
