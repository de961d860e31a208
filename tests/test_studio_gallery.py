"""The gallery: each shipped ruleset to play or to write a variant of, and the tour, which notices what was done."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from support.browser import browser, studio, until
from support.on_page import one, wrong

from polis_rules import load
from polis_rules.composition import shipped
from polis_rules.diagnostics import PolisError, some
from polis_rules.lab import GameRow, Plan
from polis_rules.play import HUMAN
from polis_rules.studio.answering import Answers
from polis_rules.studio.comparing import Comparing
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.gallery import MOVES, PAIRS, VARIANT, Gallery, card, example
from polis_rules.studio.studio import AUTHOR, Studio
from polis_rules.studio.switching import Opened


def gallery(folder: Path) -> Gallery:
    return Gallery(folder=folder, drafts=Drafts(folder / "drafts"), games=folder / "games")


def test_a_variant_of_one_s_own_is_a_new_file_that_can_be_played(tmp_path: Path) -> None:
    async def story(opened: Gallery) -> None:
        await opened.write_variant("politeia")
        assert opened.studio is not None and opened.studio.table is not None, opened.studio
        opened.studio.table.stop_bots()
        first = opened.studio.workspace.variants
        keys = list(opened.studio.seat_keys.values())
        await opened.write_variant("politeia")
        assert opened.studio.workspace.variants != first
        assert not any(map(opened.keys.knows, keys)) and opened.keys.purpose(opened.author) == AUTHOR
        opened.leave()
        assert opened.studio is None

    opened = gallery(tmp_path)
    asyncio.run(story(opened))
    opened.close()
    assert sorted(path.name for path in tmp_path.glob("*.yaml")) == ["my_politeia.yaml", "my_politeia1.yaml"]
    assert load("politeia", variants=(tmp_path / "my_politeia.yaml",)).title


def test_a_variant_of_one_s_own_is_laid_over_the_one_that_was_chosen(tmp_path: Path) -> None:
    opened = gallery(tmp_path)
    asyncio.run(opened.write_variant("politeia", "allies"))
    assert opened.studio is not None and opened.studio.about[2] == ("allies", tmp_path / "my_politeia.yaml")
    opened.close()


def test_a_variant_of_one_s_own_is_gone_on_with_and_what_was_not_saved_is_offered(tmp_path: Path) -> None:
    async def story(opened: Gallery) -> None:
        await opened.write_variant("politeia")
        assert opened.studio is not None
        document = opened.studio.workspace.open("my_politeia.yaml")
        opened.studio.workspace.change(document, document.text + "requires: [allies]\n")
        opened.leave()
        (tmp_path / "other.yaml").write_text("variant: other\nextends: devir\n", "utf-8")
        (tmp_path / "no_variant.yaml").write_text("extends: politeia\n", "utf-8")
        assert opened.own("politeia") == {"my_politeia.yaml": ""} and opened.own("yucata") == {}
        await opened.go_on("politeia", "my_politeia.yaml")
        assert opened.studio.about[2] == (tmp_path / "my_politeia.yaml",)
        again = opened.studio.workspace.open("my_politeia.yaml")
        assert again.draft is not None and "requires" in again.draft.text
        opened.leave()
        (tmp_path / "my_politeia.yaml").write_text(again.draft.text, "utf-8")
        await opened.go_on("politeia", "my_politeia.yaml")
        assert opened.studio.about[2] == ("allies", tmp_path / "my_politeia.yaml")
        with pytest.raises(PolisError):
            await opened.go_on("politeia", "../my_politeia.yaml")

    opened = gallery(tmp_path)
    asyncio.run(story(opened))
    opened.close()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("variant: mine\nextends: politeia\nwhy: one\nchange\n  x: 1\n", "line 4, column 1: "),
        ('variant: mine\ntitle: "Mine\nextends: [politeia]  # the game\n', "line 2, column 8: "),
        ("variant: mine\ntitle:\tMine\nextends:\n- yucata\n- politeia\n", "line 2, column 7: "),
        ("variant: mine\nextends politeia\nwhy: one\n", "line 2, column 1: "),
    ],
)
def test_a_variant_that_cannot_be_read_is_gone_on_with_and_told_where_it_is_broken(
    text: str, place: str, tmp_path: Path
) -> None:
    async def story(opened: Gallery) -> None:
        await opened.go_on("politeia", "mine.yaml")
        assert opened.studio is not None and opened.studio.table is None and opened.studio.trouble
        assert opened.studio.about[2] == ("allies", tmp_path / "mine.yaml")
        assert opened.studio.workspace.open("mine.yaml").text == text + "requires: [allies]\n"

    (tmp_path / "mine.yaml").write_text(text + "requires: [allies]\n", "utf-8")
    opened = gallery(tmp_path)
    assert opened.own("politeia")["mine.yaml"].startswith(place) and opened.own("devir") == {}
    asyncio.run(story(opened))
    opened.close()


@pytest.mark.parametrize("name", [each.name for each in shipped()])
def test_the_change_that_a_new_variant_proposes_is_one_that_the_ruleset_allows(name: str, tmp_path: Path) -> None:
    path, was, to = example(name)
    file = tmp_path / "mine.yaml"
    text = VARIANT.format(id="mine", base=name, path=path, was=was, to=to)
    file.write_text(text.replace("#change", "change").replace("#  ", "  "), "utf-8")
    assert load(name, variants=(file,)).hash != load(name).hash or path == "manifest.title"


def test_of_two_pages_that_open_a_ruleset_at_once_one_studio_is_left(tmp_path: Path) -> None:
    async def story(opened: Gallery) -> None:
        await asyncio.gather(opened.open("politeia"), opened.open("politeia"))
        assert opened.studio is not None
        keys = {opened.author, *opened.studio.seat_keys.values()}
        assert set(opened.keys._known) == keys

    opened = gallery(tmp_path)
    asyncio.run(story(opened))
    opened.close()


def test_nothing_but_a_shipped_ruleset_gets_a_variant(tmp_path: Path) -> None:
    with pytest.raises(PolisError):
        asyncio.run(gallery(tmp_path).write_variant("../politeia"))
    assert not list(tmp_path.glob("*.yaml"))


def test_the_tour_begins_with_nothing_done_and_notices_the_first_step(tmp_path: Path) -> None:
    opened = gallery(tmp_path)
    assert not any(each.done for each in opened.steps())
    asyncio.run(opened.write_variant("politeia"))
    assert [each.done for each in opened.steps()] == [True, False, False, False, False]
    opened.close()


def test_the_tour_begins_with_nothing_done_whatever_was_opened_before(tmp_path: Path) -> None:
    opened = gallery(tmp_path)
    opened.tour()
    asyncio.run(opened.write_variant("politeia"))
    assert opened.steps()[0].done
    opened.tour()
    opened.leave()
    opened.tour()
    assert opened.touring and not any(each.done for each in opened.steps())
    opened.close()


def test_only_what_people_have_chosen_counts_as_played_in_the_tour(tmp_path: Path) -> None:
    opened = gallery(tmp_path)
    asyncio.run(opened.write_variant("politeia"))
    assert opened.studio is not None and opened.studio.table is not None
    session = opened.studio.table.session
    bots, session.seats = session.seats, dict.fromkeys(session.seats, "random")
    for _ in range(MOVES):
        session.choose(session.decision.options[0])  # type: ignore[union-attr]
    assert not opened.steps()[1].done
    session.seats = dict.fromkeys(bots, HUMAN)
    assert opened.steps()[1].done
    opened.close()


def test_the_tour_counts_pairs_of_games_and_is_done_only_when_they_tell_something(tmp_path: Path) -> None:
    opened = gallery(tmp_path)
    asyncio.run(opened.write_variant("politeia"))
    assert opened.studio is not None
    compared = opened.studio.compared = Comparing(Plan("politeia"), Plan("politeia"))
    totals = tuple({"total": total} for total in (5, 4, 3))
    for number in range(1, PAIRS + 1):
        assert not opened.steps()[-1].done
        rows = [GameRow(game=0, seed=0, seats=(), shares=shares, scores=totals) for shares in ((1, 0, 0), (0, 1, 0))]
        compared.pairs.add(rows[number % 2], rows[0])
        compared.latest = compared.pairs.comparison()
        assert opened.steps()[-1].text.endswith(f"So far there is {some(number, 'pair')}.") == (number < PAIRS)
    assert opened.steps()[-1].done
    assert re.search(
        r"After 10 pairs .* wins 100 % now, 50 % before\. .* more pairs would narrow down\.", opened.outcome()
    )
    opened.close()


def test_the_rules_are_known_to_the_editor_before_a_page_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool]] = []
    monkeypatch.setattr(Answers, "findings", lambda _, path, thorough: asked.append((path.name, thorough)) or {})
    given = Studio(Opened("politeia"), Drafts(tmp_path), tmp_path / "games")
    opened = Gallery(given, tmp_path)
    opened.warm()
    asyncio.run(given.checker.findings(tmp_path / "page.yaml"))
    assert asked == [("ruleset.yaml", False), ("page.yaml", True)]
    opened.close()


def click(page: WebDriver, css: str, text: str) -> None:
    """Click on an element, which may move or be drawn anew meanwhile."""

    def clicked() -> bool:
        try:
            one(page, css, text).click()
        except WebDriverException:
            return False
        return True

    until(clicked, f"{text} cannot be clicked")


def written(page: WebDriver, title: str) -> bool:
    """Ask for a variant of a ruleset, which may be drawn anew meanwhile."""
    try:
        place = next(each for each in page.find_elements(By.CSS_SELECTOR, ".gallery li") if title in each.text)
        next(each for each in place.find_elements(By.TAG_NAME, "button") if "WRITE" in each.text.upper()).click()
    except WebDriverException:
        return False
    return True


def played(page: WebDriver) -> bool:
    """Choose something, unless the tour says that this was done."""
    if "Done: Play" in page.execute_script("return document.querySelector('.tour').textContent"):  # type: ignore[no-untyped-call]
        return True
    page.execute_script("document.querySelector('.choice')?.click()")  # type: ignore[no-untyped-call]
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", ["colonnades", "devir", "hellenes_training", "politeia", "yucata"])
def test_each_ruleset_has_a_sentence_and_a_picture(name: str) -> None:
    found = card(name)
    assert found.sentence.endswith(".") and found.picture.startswith("<svg")


@pytest.mark.slow
def test_a_picture_is_drawn_for_a_dark_page_too() -> None:
    assert card("politeia", dark=True).picture not in ("", card("politeia").picture)


@pytest.mark.slow
def test_each_shipped_variant_tells_why_it_is_there_and_has_a_picture_of_its_own_board() -> None:
    variants = [(each.name, variant) for each in shipped() for variant, _ in each.variants]
    found = {key: card(key[0], variant=key[1]) for key in variants}
    assert [key for key, each in found.items() if not each.sentence.endswith(".") or not each.picture] == []
    assert found["yucata", "print_and_play_start"].picture != card("yucata").picture


@pytest.mark.slow
def test_a_variant_that_is_chosen_is_shown_in_the_gallery(tmp_path: Path) -> None:
    with studio(None, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".gallery select")
        page.execute_script(  # type: ignore[no-untyped-call]
            "const each = document.querySelector('.gallery select'); each.selectedIndex = 1;"
            "each.dispatchEvent(new Event('change', {bubbles: true}))"
        )
        name, variant = next((each.name, each.variants[0][0]) for each in shipped() if each.variants)
        one(page, ".gallery li", card(name, variant=variant).sentence, 90)


@pytest.mark.slow
def test_a_dark_gallery_has_dark_pictures(tmp_path: Path) -> None:
    with studio(None, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        features = [{"name": "prefers-color-scheme", "value": "dark"}]
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        page.get(address)
        one(page, ".gallery svg")
        found = page.find_element(By.CSS_SELECTOR, ".gallery .board").get_attribute("innerHTML") or ""
        name = page.find_element(By.CSS_SELECTOR, ".gallery .id").text
        assert set(re.findall("#[0-9a-f]{6}", found)) == set(re.findall("#[0-9a-f]{6}", card(name, dark=True).picture))


@pytest.mark.slow
def test_the_tour_leads_from_the_gallery_to_a_played_variant(tmp_path: Path) -> None:
    with studio(None, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, "button", "Take the tour").click()
        one(page, ".tour li", "Choose a game")
        until(lambda: written(page, "Politeia"), "no variant of Politeia can be written")
        one(page, ".tour .done", "Done: Choose a game")
        until(lambda: played(page), "no three moves")
        text = one(page, ".cm-content")
        text.send_keys(Keys.CONTROL, Keys.END)
        text.send_keys("change: {tables.player.athens.title: {was: Athens, to: Athenai}}")
        text.send_keys(Keys.CONTROL, "s")
        one(page, ".tour .done", "Done: Change a value")
        click(page, ".q-tab", "Changes")
        click(page, "button", "What is different?")
        one(page, ".tour .done", "Done: Open Changes")
        click(page, ".q-tab", "Compare")
        click(page, "[aria-label=Compare] button", "Compare")
        one(page, ".tour .done", "Done: Open Compare", 120)
        told = one(page, ".tour [role=status]", "You have written a variant, played it and compared it. After ").text
        pairs, low, high = map(int, re.findall(r"After (\d+) pairs .* lies between ([+-]\d+) and ([+-]\d+)", told)[0])
        assert pairs >= PAIRS and -100 < low < high < 100
        click(page, "button", "Gallery")
        one(page, "h1", "Choose what to begin from")
        assert wrong(page) == []
