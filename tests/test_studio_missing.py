"""What the studio answers to requests of its own browsers that no page makes."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from support.browser import studio

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent


def test_where_there_is_nothing_no_page_is_made_that_would_be_kept(tmp_path: Path) -> None:
    with (
        studio(ROOT / "tests" / "rulesets" / "othello", home=tmp_path) as address,
        httpx.Client(follow_redirects=True, timeout=60) as browser,
    ):
        assert browser.get(address).status_code == 200
        for path in ("/nothing", "/open", "/_nicegui/nothing", "/%2e%2e/%2e%2e/etc/passwd"):
            answer = browser.get(httpx.URL(address).join(path))
            assert answer.status_code == 404 and answer.headers["content-type"].startswith("text/plain")
