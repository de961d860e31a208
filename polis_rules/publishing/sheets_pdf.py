"""Sheets as PDF, to be printed at full size and cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from polis_rules.publishing.sheets import MAP_HIGH, MAP_WIDE, MapPages, Sheet
from polis_rules.publishing.typesetting import Paper, typeset

TEMPLATE = Path(__file__).with_name("sheets.typ")
PICTURE = "map.svg"


def sheets_pdf(title: str, chosen: Iterable[Sheet], paper: Paper = Paper.a4) -> bytes:
    """Sheets as PDF. Raises PolisError where typst is not installed."""
    files: dict[str, str] = {}
    found: list[dict[str, Any]] = []
    for sheet in chosen:
        data = {"type": type(sheet).__name__, **asdict(sheet)}
        if isinstance(sheet, MapPages):
            files[PICTURE] = data.pop("svg")
            data |= {"file": PICTURE, "wide": MAP_WIDE, "high": MAP_HIGH}
        found.append(data)
    return typeset(TEMPLATE, {"title": title, "sheets": found}, paper, files)
