"""The map of the rules on the page: what is dragged there, in a real browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from support.browser import browser, studio, until
from support.on_page import one, tab, wrong

pytestmark = pytest.mark.slow
SHELF = Path(__file__).parent / "rulesets"


def test_members_are_connected_by_dragging_one_onto_the_other_and_parted_so_again(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "random_isles", tmp_path / "random_isles"))
    chart = 'section[aria-label="Map"]'
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        tab(page, "Map")

        def dropped(one_spot: str, other: str) -> None:
            ends = (one(page, f'{chart} [data-spot="cell {each}"] circle') for each in (one_spot, other))
            ActionChains(page).drag_and_drop(*ends).perform()  # type: ignore[no-untyped-call]

        one(page, f'{chart} [data-spot="cell a1"]')
        chosen = one(page, f"{chart} select")
        until(lambda: "shallows" in chosen.text, "there are no graphs")
        chosen.send_keys("shallows")
        one(page, f"{chart} .links", "A1 - B1")
        dropped("a1", "b2")
        one(page, f"{chart} .links", "A1 - B2")
        dropped("b2", "a1")
        until(lambda: "A1 - B2" not in one(page, f"{chart} .links").text, "they are still joined")
        assert "places" not in one(page, ".cm-content").text
        assert wrong(page) == []
