"""How long it takes from a key to what is found being drawn, in a real browser: `benchmarks/studio.py keys`."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

import psutil
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.browser import browser, studio, until

WATCH = """
window.keyTimes = [];
let pressed = 0, grown = "";
document.addEventListener("keydown", (event) => {
  if (event.key.length !== 1) return;
  grown += event.key;
  pressed = event.timeStamp;
}, true);
new MutationObserver(() => {
  if (!pressed || !document.querySelector(".findings").textContent.includes(arguments[0] + grown)) return;
  const since = pressed;
  pressed = 0;
  requestAnimationFrame(() => setTimeout(() => keyTimes.push(performance.now() - since))); // when it has been drawn
}).observe(document.querySelector(".findings"), { childList: true, subtree: true, characterData: true });
"""
"""Notes the milliseconds from each key to the first picture of the page whose findings name what has been typed."""


def machine() -> float:
    """Milliseconds for adding up a million numbers: how fast the machine is now."""
    took = []
    for _ in range(9):
        begun = time.perf_counter()
        sum(range(10**6))
        took.append((time.perf_counter() - begun) * 1000)
    return median(took)


def keys(ruleset: Path, file: str, name: str, strokes: int, pace: float) -> None:
    """Type letters behind a name of a file, each of which makes what is found another, and tell what it took."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        copy = Path(shutil.copytree(ruleset, home / ruleset.name))
        with studio(copy, home=home) as address, browser(home / "profile") as page:
            page.get(address)
            until(lambda: page.find_elements(By.CSS_SELECTOR, ".choice, .prompt"), "there is no game")
            choose(page, file)
            until(lambda: page.find_element(By.CSS_SELECTOR, ".status").text == "nothing wrong", "not checked")
            cursor_behind(page, name)
            server = next(each for each in psutil.Process().children() if "studio" in each.cmdline())
            text = page.find_element(By.CSS_SELECTOR, ".cm-content")
            page.execute_script(WATCH, name)  # type: ignore[no-untyped-call]
            speed, cpu = machine(), sum(server.cpu_times()[:2])
            for number in range(strokes):
                text.send_keys("q")
                until(lambda: len(times(page)) > number, "nothing is found")  # noqa: B023
                time.sleep(pace)
            cpu = sum(server.cpu_times()[:2]) - cpu
            took = sorted(times(page))
    late = quantiles(took, n=20)[-1]
    print(f"{strokes} keys, {pace:g} s between: median {median(took):.0f} ms, 95th percentile {late:.0f} ms")
    print(f"worst {took[-1]:.0f} ms; {cpu / strokes * 1000:.0f} ms of the server's CPU time each")
    print(f"the machine adds up a million numbers in {speed:.0f} ms before, {machine():.0f} ms after")


def times(page: WebDriver) -> list[float]:
    """The milliseconds so far."""
    return list(page.execute_script("return keyTimes"))  # type: ignore[no-untyped-call]


def choose(page: WebDriver, file: str) -> None:
    """Open a file."""
    page.execute_script(  # type: ignore[no-untyped-call]
        "const each = document.querySelector('.rules select'); each.value = arguments[0];"
        "each.dispatchEvent(new Event('change', {bubbles: true}))",
        file,
    )


def cursor_behind(page: WebDriver, name: str) -> None:
    """Put the cursor at the end of the first line that ends with a name."""

    def line() -> object:
        lines = page.find_elements(By.CSS_SELECTOR, ".cm-line")
        return next((each for each in lines if each.text.endswith(name)), None)

    until(line, f"no line ends with {name}").click()  # type: ignore[attr-defined]
    page.switch_to.active_element.send_keys(Keys.END)
