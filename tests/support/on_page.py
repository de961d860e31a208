"""What tests find and do on a page of the studio."""

from __future__ import annotations

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

from support.browser import until


def one(page: WebDriver, css: str, text: str = "", seconds: float = 20) -> WebElement:
    """An element that can be seen, as soon as it can, with a text in it."""

    def found() -> WebElement | None:
        try:
            several = page.find_elements(By.CSS_SELECTOR, css)
            return next((each for each in several if text in each.text and each.is_displayed()), None)
        except StaleElementReferenceException:  # it is just being drawn anew
            return None

    return until(found, f"nothing like {css} {text}", seconds)


def press(page: WebDriver, css: str) -> None:
    """Press a part of the board, which may be drawn anew between finding and clicking it."""
    one(page, css)
    page.execute_script(  # type: ignore[no-untyped-call]
        "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))", css
    )


def click_line(page: WebDriver, text: str) -> None:
    """Click a line of the text. What the pointer's rest has shown beside another one goes first, as it may cover it."""
    one(page, ".cm-line", text)

    def is_left_alone() -> bool:
        over, away = one(page, ".cm-scroller"), one(page, "header.top")
        ActionChains(page).move_to_element(over).move_to_element(away).perform()  # type: ignore[no-untyped-call]
        return not page.find_elements(By.CSS_SELECTOR, ".cm-tooltip")

    until(is_left_alone, "a tooltip covers the text")
    one(page, ".cm-line", text).click()


def cursor_at(page: WebDriver) -> str:
    """The line of the text in which the cursor is."""
    line = "getSelection().anchorNode?.parentElement?.closest('.cm-line')?.textContent"
    return str(page.execute_script(f"return {line} ?? ''")).strip()  # type: ignore[no-untyped-call]


def wrong(page: WebDriver) -> list[str]:
    """What the browser has complained of."""
    return [each["message"] for each in page.get_log("browser") if each["level"] == "SEVERE"]


def tab(page: WebDriver, name: str) -> None:
    one(page, ".q-tab", name).click()
    until(lambda: name in page.find_element(By.CSS_SELECTOR, ".q-tab--active").text, name)


def key(page: WebDriver, *keys: str) -> None:
    page.switch_to.active_element.send_keys(*keys)
