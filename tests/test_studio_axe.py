"""axe-core finds no serious fault on the pages and in the dialogs of the studio, wide and narrow, light and dark."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from support.browser import browser, studio, until
from support.on_page import click_line, key, one

pytestmark = pytest.mark.slow
SHELF = Path(__file__).parent / "rulesets"
TABS = ("Tables", "Map", "Seats", "Who says so", "Cases", "Changes", "Compare", "Share", "Game")
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(found => done(found.violations), error => done(String(error)));
"""
PRESS = """
[...document.querySelectorAll(arguments[0])].find(each => each.textContent.trim() === arguments[1]).click();
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


class Look:
    """Looks at pages with axe-core, and keeps what is wrong with them."""

    def __init__(self, page: WebDriver) -> None:
        self.page, self.script = page, axe()
        self.wrong: dict[str, list[str]] = {}
        page.set_script_timeout(60)
        page.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # type: ignore[attr-defined]

    def at(self, what: str, *widths: int) -> None:
        """Look at the page as it is now, in each width, light and dark."""
        for width in widths or (1440, 390):
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            self.page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)  # type: ignore[attr-defined]
            for shade in ("light", "dark"):
                asked = {"features": [{"name": "prefers-color-scheme", "value": shade}]}
                self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", asked)  # type: ignore[attr-defined]
                until(lambda shade=shade: self.is_shown(shade), f"{what} is not {shade}")
                if not self.page.execute_script("return !!window.axe"):  # type: ignore[no-untyped-call]
                    self.page.execute_script(self.script)  # type: ignore[no-untyped-call]
                if found := faults(self.page):
                    self.wrong[f"{what}, {width} pixels, {shade}"] = found

    def is_shown(self, shade: str) -> bool:
        """Whether the page is light or dark, and nothing is moving any more."""
        classes = self.page.find_element(By.TAG_NAME, "body").get_attribute("class") or ""
        still = "return document.getAnimations().every(each => each.playState !== 'running')"
        return ("body--dark" in classes) == (shade == "dark") and bool(self.page.execute_script(still))  # type: ignore[no-untyped-call]

    def told(self) -> str:
        """What is wrong, in lines."""
        return "\n".join(f"{where}\n  " + "\n  ".join(found) for where, found in self.wrong.items())


def test_no_tab_dialog_or_seat_has_a_serious_fault(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    people = ("--seat", "black=human", "--seat", "white=human")
    with studio(game, *people, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        look = Look(page)
        page.get(address)
        one(page, ".choice")
        for name in TABS:
            page.execute_script(PRESS, ".q-tab", name)  # type: ignore[no-untyped-call]
            until(lambda name=name: page.find_element(By.CSS_SELECTOR, ".q-tab--active").text == name, name)
            look.at(name)
        look.at("Game", 1024)
        for asked, dialog in (((Keys.F2,), "input"), ((Keys.SHIFT, Keys.F12), ".finding")):
            click_line(page, "attributes: {right")
            one(page, ".cm-content").send_keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 13, *asked)
            one(page, f".q-dialog {dialog}")
            look.at(f"a dialog with {dialog}")
            key(page, Keys.ESCAPE)
            until(lambda: not page.find_elements(By.CSS_SELECTOR, ".q-dialog"), "the dialog stays")
        page.execute_script(PRESS, ".q-tab", "Seats")  # type: ignore[no-untyped-call]
        one(page, ".seats button", "Copy the link of this seat").click()
        page.get(one(page, ".seats .link", "/open/").text)
        one(page, ".seat-page .prompt")
        look.at("a seat")
    assert not look.wrong, look.told()


def test_what_mends_broken_rules_has_no_serious_fault(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    file = game / "ruleset.yaml"
    file.write_text(file.read_text("utf-8").replace("{type: 2..4, start: 3,", "{tpye: 2..4, strat: 3,"), "utf-8")
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        look = Look(page)
        page.get(address)
        one(page, ".findings button", "Mend")
        one(page, ".trouble", "The rules as they are saved are not played")
        look.at("rules that are broken")
        click_line(page, "half: {tpye")
        one(page, ".cm-content").send_keys(Keys.CONTROL, ".")
        one(page, ".q-dialog button", "instead of")
        look.at("what mends a line")
    assert not look.wrong, look.told()


def test_neither_the_gallery_nor_the_tour_has_a_serious_fault(tmp_path: Path) -> None:
    with studio(None, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        look = Look(page)
        page.get(address)
        until(lambda: len(page.find_elements(By.CSS_SELECTOR, ".gallery .board svg")) > 1, "nothing is drawn")
        look.at("the gallery")
        one(page, "button", "Take the tour").click()
        one(page, ".tour li")
        look.at("the tour")
    assert not look.wrong, look.told()
