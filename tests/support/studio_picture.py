"""Takes the README's picture of the studio: `PYTHONPATH=.:dev:tests python tests/support/studio_picture.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from selenium.webdriver.common.by import By

from support.browser import browser, studio, until

ROOT = Path(__file__).parent.parent.parent
PICTURE = ROOT / "docs" / "studio.png"
VARIANT = """\
variant: costly_sieges
title: Costly sieges
extends: yucata
why: Sieges end our games too early.
change:
  actions.besiege_polis.cost.prestige: {was: 1, to: 2}
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        variant = home / "costly_sieges.yaml"
        variant.write_text(VARIANT, "utf-8")
        people = [each for player in ("athens", "sparta") for each in ("--seat", f"{player}=human")]
        with (
            studio(Path("yucata"), "--variant", str(variant), *people, home=home) as address,
            browser(home / "profile", 1440, 960) as page,
        ):
            page.get(address)
            until(lambda: page.find_elements(By.CSS_SELECTOR, ".choice"), "there is no game")
            until(lambda: "nothing wrong" in page.find_element(By.CSS_SELECTOR, ".status").text, "not checked")
            page.save_screenshot(str(PICTURE))


if __name__ == "__main__":
    main()
