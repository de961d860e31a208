"""axe-core finds no serious fault on the studio's pages, wide and narrow, light and dark."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from support.browser import browser, studio, until

pytestmark = pytest.mark.slow
SHELF = Path(__file__).parent / "rulesets"
TABS = ("Tables", "Map", "Seats", "Who says so", "Cases", "Changes", "Compare", "Share", "Game")
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(found => done(found.violations), error => done(String(error)));
"""


def axe() -> str:
    """The script of axe-core, from the package that brings it along; it is not imported."""
    found = find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core is not installed: pip install axe-core-python")
    return (Path(found.origin).parent / "axe.min.js").read_text("utf-8")


def faults(page: WebDriver) -> list[str]:
    """What is serious or worse, with the places."""
    found: Any = page.execute_async_script(RUN)  # type: ignore[no-untyped-call]
    assert isinstance(found, list), found
    return [
        f"{each['id']}: {each['help']}: {[node['html'][:160] for node in each['nodes'][:3]]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def test_no_page_has_a_serious_fault(tmp_path: Path) -> None:
    script = axe()
    people = ("--seat", "black=human", "--seat", "white=human")
    wrong: dict[str, list[str]] = {}
    with (
        studio(SHELF / "othello", *people, home=tmp_path) as address,
        browser(tmp_path / "profile") as page,
    ):
        page.set_script_timeout(60)
        page.get(address)
        until(lambda: page.find_elements(By.CSS_SELECTOR, ".choice"), "there is no game")
        page.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # type: ignore[attr-defined]
        page.execute_script(script)  # type: ignore[no-untyped-call]
        for dark in (False, True):
            if dark:
                page.find_element(By.CSS_SELECTOR, 'button[aria-label="Light or dark"]').click()
                until(lambda: "body--dark" in page.find_element(By.TAG_NAME, "body").get_attribute("class"), "light")
            for width in (1440, 1024, 390):
                page.set_window_size(width, 900)
                for tab in TABS if width == 1440 else ("Game",):
                    next(each for each in page.find_elements(By.CSS_SELECTOR, ".q-tab") if each.text == tab).click()
                    until(lambda tab=tab: page.find_element(By.CSS_SELECTOR, ".q-tab--active").text == tab, tab)
                    if found := faults(page):
                        wrong[f"{tab}, {width} pixels, {'dark' if dark else 'light'}"] = found
    assert not wrong, "\n".join(f"{where}\n  " + "\n  ".join(found) for where, found in wrong.items())
