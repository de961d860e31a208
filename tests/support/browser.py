"""A real browser without a window, and a studio in a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webdriver import WebDriver

T = TypeVar("T")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
QUIET = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@contextmanager
def browser(profile: Path, width: int = 1440, height: int = 900) -> Iterator[WebDriver]:
    """Chromium with a new profile; a test that asks for it is skipped where there is none."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("there is no chromium with its driver here")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for each in (*QUIET, f"--window-size={width},{height}", f"--user-data-dir={profile}"):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


@contextmanager
def studio(folder: Path | None, *options: str, home: Path, told: list[str] | None = None) -> Iterator[str]:
    """`polis studio` of a ruleset, or its gallery, in a folder; the address that it prints.

    `told` is given the lines of its terminal that come after it.
    """
    places = {"POLIS_GAMES_DIR": str(home / "games"), "POLIS_DRAFTS_DIR": str(home / "drafts")}
    places["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, os.environ.get("PYTHONPATH", ".").split(os.pathsep)))
    named = () if folder is None else (str(folder), "--seed", "1")
    with subprocess.Popen(
        [sys.executable, "-m", "polis_cli", "studio", *named, "--no-browser", *options],
        cwd=home, env=os.environ | places, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                if found := re.search(r"http://\S+", line):
                    yield found[0]
                    break
            else:
                raise AssertionError(said)
        finally:
            process.terminate()
            if told is not None and process.stdout is not None:
                told += process.stdout.read().splitlines()
            process.wait(10)


def until(found: Callable[[], T], what: str, seconds: float = 120.0) -> T:
    """What a function finds, as soon as it finds something."""
    end = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < end, what
        time.sleep(0.05)
    return value
