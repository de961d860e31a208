"""Two browsers type into one file: what both have typed is there in the end."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from random import Random

import pytest
from support.browser import studio

from polis_rules.studio.meeting import changed, length, met
from polis_rules.studio.workspace import LARGEST

LETTERS = "ab \n\N{GREEK SMALL LETTER PI}\N{ROLLING ON THE FLOOR LAUGHING}"


def edit(text: str, rng: Random, mark: str) -> tuple[list[int], list[list[str]]]:
    """An insertion of a mark somewhere between the letters of a text, as an editor tells it."""
    at = length(text[: rng.randrange(len(text) + 1)])
    rest = length(text) - at
    return [at, -1, 0, length(mark), rest, -1], [[], mark.split("\n")]


@pytest.mark.parametrize("seed", range(30))
def test_what_both_have_typed_is_there(seed: int) -> None:
    rng = Random(seed)
    base = "".join(rng.choice(LETTERS) for _ in range(rng.randrange(30)))
    theirs = changed(base, *edit(base, rng, "<theirs\nof two lines>"))
    both = met(base, theirs, *edit(base, rng, "<mine>"))
    assert both.replace("<mine>", "") == theirs


@pytest.mark.parametrize("seed", range(30))
def test_what_the_other_one_has_typed_stays_where_the_text_around_it_is_replaced(seed: int) -> None:
    rng = Random(seed)
    base = "".join(rng.choice(LETTERS) for _ in range(rng.randrange(2, 30)))
    theirs = changed(base, *edit(base, rng, "<theirs\nof two lines>"))
    start, stop = sorted(length(base[: rng.randrange(len(base) + 1)]) for _ in range(2))
    mine = [start, -1, stop - start, length("<mine>"), length(base) - stop, -1]
    both = met(base, theirs, mine, [[], ["<mine>"]])
    assert "<mine>" in both and "<theirs\nof two lines>" in both.replace("<mine>", "")


def test_a_deletion_elsewhere_deletes_the_same_letters() -> None:
    base = "title: Sieges\nwhy: Because\n"
    sections = [length("title: "), -1, length("Sieges"), 0, length("\nwhy: Because\n"), -1]
    assert met(base, base + "more: 1\n", sections, []) == "title: \nwhy: Because\nmore: 1\n"
    assert met(base, "# first\n" + base, sections, []) == "# first\ntitle: \nwhy: Because\n"


def test_what_the_other_one_changed_is_not_deleted() -> None:
    base = "a\nb\nc\n"
    assert met(base, "a\nBIG\nc\n", [2, -1, 2, 0, 2, -1], []) == "a\nBIG\nc\n"


@pytest.mark.slow
def test_a_text_that_is_too_long_is_refused_and_does_not_stay_in_the_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be neither saved nor kept as a draft."""
    root = Path(__file__).parent
    monkeypatch.syspath_prepend(str(root.parent / "benchmarks"))
    from studio_clients import Client

    async def story(address: str) -> None:
        page = Client(address)
        await page.open()
        [(editor, part)] = page.parts("editor")
        base = part["props"]["value"]
        typed = {"sections": [0, LARGEST, length(base), -1], "inserted": [["x" * LARGEST]]}
        await page.emit(editor, "update:value", typed)
        async with asyncio.timeout(20):
            while "has at most" not in str(page.parts("status")[0][1].get("text")):
                await asyncio.sleep(0.05)
        await asyncio.sleep(1)
        assert "has at most" in page.parts("status")[0][1]["text"]
        assert page.page[editor]["props"]["value"] == base
        await page.leave()

    with studio(shutil.copytree(root / "rulesets" / "othello", tmp_path / "othello"), home=tmp_path) as address:
        asyncio.run(story(address))


@pytest.mark.slow
def test_two_tabs_that_type_at_once_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parent
    monkeypatch.syspath_prepend(str(root.parent / "benchmarks"))
    from studio_clients import Client

    async def story(address: str) -> None:
        tabs = [Client(address), Client(address)]
        for tab in tabs:
            await tab.open()
        editors = [next(id for id, part in tab.page.items() if "editor" in part.get("class", ())) for tab in tabs]
        base = tabs[0].page[editors[0]]["props"]["value"]
        long = length(base)
        typed = ([0, 13, long, -1], [["# the first", ""]]), ([long, -1, 0, 13], [[], ["# the second"]])
        for tab, id, (sections, inserted) in zip(tabs, editors, typed, strict=True):
            listener = next(each for each in tab.page[id]["events"] if each["type"] == "update:value")
            await tab.send(
                "event",
                {
                    "id": int(id),
                    "client_id": tab.query["client_id"],
                    "listener_id": listener["listener_id"],
                    "args": [json.dumps({"sections": sections, "inserted": inserted})],
                },
            )
        async with asyncio.timeout(20):
            while any(
                tab.page[id]["props"]["value"] != f"# the first\n{base}# the second"
                for tab, id in zip(tabs, editors, strict=True)
            ):
                await asyncio.sleep(0.05)
        for tab in tabs:
            await tab.leave()

    with studio(shutil.copytree(root / "rulesets" / "othello", tmp_path / "othello"), home=tmp_path) as address:
        asyncio.run(story(address))
