"""Whole stories in a real browser: a rule is broken and mended, the board played on, rules changed in mid-game."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from socket import socket

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from support.browser import browser, studio, until
from support.on_page import click_line, cursor_at, key, one, press, tab, wrong

pytestmark = pytest.mark.slow
SHELF = Path(__file__).parent / "rulesets"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[WebDriver, str]]:
    """A browser, and the address of a studio whose files and game are only looked at."""
    home = tmp_path_factory.mktemp("looked_at")
    with (
        studio(SHELF / "othello", "--seat", "black=human", "--seat", "white=human", home=home) as address,
        browser(home / "profile") as page,
    ):
        yield page, address


def test_a_rule_is_broken_and_mended_and_changed_under_the_game(game: Path, tmp_path: Path) -> None:
    with (
        studio(game, "--seat", "black=human", "--seat", "white=human", home=tmp_path) as address,
        browser(tmp_path / "profile") as page,
    ):
        page.get(address)
        one(page, ".prompt", "Where do you put a disc?")
        assert "/open/" not in page.current_url

        press(page, "[data-spot].offered")
        one(page, ".moment", "1 of 1 moves")

        text = one(page, ".cm-content")
        text.send_keys(Keys.CONTROL, Keys.HOME)
        click_line(page, "title: Othello")
        text.send_keys(Keys.END, Keys.BACKSPACE, Keys.ENTER, "titel: x")
        one(page, ".findings", "titel")
        one(page, ".findings button", "Mend").click()
        until(lambda: "titel" not in one(page, ".cm-content").text, "still wrong")
        text.send_keys(Keys.CONTROL, "z")

        click_line(page, "titel: x")
        text.send_keys(Keys.END, *[Keys.BACKSPACE] * 9, "rs")
        text.send_keys(Keys.CONTROL, "s")
        until(lambda: "title: Othellrs" in (game / "ruleset.yaml").read_text("utf-8"), "not saved")
        one(page, ".replayed", "the same so far")
        one(page, ".game-head", "Othellrs")
        text.send_keys(Keys.ENTER, Keys.CONTROL, Keys.SPACE, Keys.NULL)
        one(page, ".cm-tooltip-autocomplete")
        text.send_keys(Keys.ESCAPE)
        until(lambda: not page.find_elements(By.CSS_SELECTOR, ".cm-tooltip-autocomplete"), "the list stays")
        one(page, ".replayed", "the same so far")
        text.send_keys(Keys.ESCAPE)
        one(page, ".replayed", "again what it was before")
        one(page, ".game-head", "Othello")
        assert wrong(page) == []


def test_the_author_is_told_who_says_so_and_which_cases_depend_on_it(looked_at: tuple[WebDriver, str]) -> None:
    page, address = looked_at
    page.get(address)
    one(page, ".prompt", "Where do you put a disc?")
    click_line(page, "title: Othello")
    one(page, ".cm-content").send_keys(Keys.ALT, "w")
    one(page, ".told-changes .title", "manifest.title")
    layer = one(page, ".told-changes li .q-btn__content", "othello has Othello (othello/ruleset.yaml:")
    assert layer.value_of_css_property("text-align") == "left"
    one(page, ".told-changes .title", "Layers")
    one(page, ".told-changes .title", "No case carries it out or names it.", 90)
    assert wrong(page) == []


def test_the_text_is_left_by_keys_alone(looked_at: tuple[WebDriver, str]) -> None:
    page, address = looked_at
    page.get(address)
    one(page, ".cm-line", "title: Othello")
    text = one(page, ".cm-content")
    until(lambda: text.get_attribute("aria-describedby"), "it is not told how")
    told = page.find_element(By.ID, text.get_attribute("aria-describedby") or "")
    assert "Ctrl+M" in (told.get_attribute("textContent") or "")
    text.send_keys(Keys.CONTROL, "m", Keys.NULL, Keys.TAB)
    until(lambda: page.switch_to.active_element != text, "the text keeps the focus")
    assert "not saved" not in one(page, ".status").text


def test_what_has_the_focus_by_keys_has_an_outline(looked_at: tuple[WebDriver, str]) -> None:
    page, address = looked_at
    page.get(address)
    one(page, ".choice")
    page.execute_script("document.querySelector('.title').tabIndex = -1; document.querySelector('.title').focus()")  # type: ignore[no-untyped-call]
    outlined = "return [document.activeElement.innerText, getComputedStyle(document.activeElement).outlineStyle]"
    found = []
    for _ in range(4):
        key(page, Keys.TAB)
        found.append(page.execute_script(outlined))  # type: ignore[no-untyped-call]
    one(page, ".q-tab").send_keys(Keys.ARROW_RIGHT)
    found.append(page.execute_script(outlined))  # type: ignore[no-untyped-call]
    assert found[-1][0] == "Tables" and not [each for each in found if each[1] == "none"]


def test_what_is_chosen_by_keys_leads_to_the_next_choices(game: Path, tmp_path: Path) -> None:
    with (
        studio(game, "--seat", "black=human", "--seat", "white=human", home=tmp_path) as address,
        browser(tmp_path / "profile") as page,
    ):
        page.get(address)
        one(page, ".choice").send_keys(Keys.ENTER)
        one(page, ".moment", "1 of 1 moves")
        until(lambda: page.switch_to.active_element.get_attribute("class") == "choice", "no choice has the focus")


def test_the_board_shows_where_a_choice_lies_as_long_as_it_is_looked_at(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "hex", tmp_path / "hex"))
    seats = ("--seat", "red=human", "--seat", "blue=human")
    with studio(game, *seats, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        ActionChains(page).move_to_element(one(page, "button.choice")).perform()
        one(page, "[data-spot].looked")
        one(page, "input[placeholder='Look through the choices']").send_keys("nothing is called so")
        until(lambda: not page.find_elements(By.CSS_SELECTOR, "button.choice"), "choices are left")
        until(lambda: not page.find_elements(By.CSS_SELECTOR, ".looked"), "a choice that is gone is shown")


def test_expressions_have_colours_and_titles_have_not(looked_at: tuple[WebDriver, str]) -> None:
    page, address = looked_at
    page.get(address)
    line = one(page, ".cm-line", "is: square[it.column.number + on.right")
    until(lambda: line.find_elements(By.CSS_SELECTOR, ".yaml-value"), "values are as keys are")
    until(lambda: one(page, ".cm-line", "half: {").find_elements(By.CSS_SELECTOR, ".expression-number"), "no colours")
    assert one(page, ".cm-line", "type: player or none").find_element(By.CSS_SELECTOR, ".expression-word").text == "or"
    title = one(page, ".cm-line", "title: Four discs in the middle")
    assert not title.find_elements(By.CSS_SELECTOR, "[class^=expression]")


def test_the_board_and_what_may_be_chosen_and_the_history_are_seen_at_once(looked_at: tuple[WebDriver, str]) -> None:
    page, address = looked_at
    page.get(address)
    choice, board, history = (one(page, css).rect for css in ("button.choice", ".game .board", ".history"))
    assert choice["x"] >= board["x"] + board["width"]
    assert history["y"] + history["height"] <= page.execute_script("return innerHeight")  # type: ignore[no-untyped-call]


def test_a_game_that_was_left_for_an_earlier_moment_is_kept_and_offered(game: Path, tmp_path: Path) -> None:
    with (
        studio(game, "--seat", "black=human", "--seat", "white=human", home=tmp_path) as address,
        browser(tmp_path / "profile") as page,
    ):
        page.get(address)
        press(page, "[data-spot].offered")
        one(page, ".moment", "1 of 1 moves")
        one(page, "[aria-label='One move back']").click()
        one(page, "button", "Go on from here").click()
        name = one(page, ".game .note", "is kept as ").text.split("kept as ")[1].split(":")[0]
        tab(page, "Seats")
        until(lambda: name in page.find_element(By.CSS_SELECTOR, "[aria-label='Games']").text, "it is not offered")


def test_why_something_of_the_list_is_not_possible_is_told_below_the_list(looked_at: tuple[WebDriver, str]) -> None:
    page, address = looked_at
    page.get(address)
    offered = one(page, ".game label.select", "Not possible").find_element(By.TAG_NAME, "select")
    until(lambda: len(offered.find_elements(By.TAG_NAME, "option")) > 1, "nothing is impossible")
    page.execute_script(  # type: ignore[no-untyped-call]
        "arguments[0].selectedIndex = 1; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))", offered
    )
    told = one(page, ".game .reasons", "cannot be chosen:")
    assert told.rect["y"] >= offered.rect["y"] + offered.rect["height"]


def test_a_click_on_a_place_tells_after_which_actions_it_can_be_chosen_and_the_board_stays(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "harbours", tmp_path / "harbours"))
    people = ("--seat", "red=human", "--seat", "blue=human")
    with studio(game, *people, home=tmp_path) as address, browser(tmp_path / "profile", 1024, 768) as page:
        page.get(address)
        one(page, ".prompt", "What do you do?")
        before = one(page, ".game .board").rect["y"]
        press(page, '[data-spot="isle beta"]')
        one(page, ".asked .reasons", "Beta can be chosen after Sail.")
        press(page, '[data-spot="isle alfa"]')
        told = one(page, ".asked .reasons", "Alfa can be chosen after no action now.\nNot after Sail: ")
        assert "[harbours/play.yaml:34]" in told.text
        assert 0 < one(page, ".game .board").rect["y"] - before < 160
        assert wrong(page) == []


def things_opened(page: WebDriver) -> None:
    """Open another file in the editor."""
    page.execute_script(  # type: ignore[no-untyped-call]
        "const each = document.querySelector('.rules select'); each.value = 'things.yaml';"
        "each.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    click_line(page, "title: Fisher")


def test_undo_ends_where_a_file_was_opened(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "harbours", tmp_path / "harbours"))
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        click_line(page, "title: Harbours")
        one(page, ".cm-content").send_keys("x")
        one(page, ".status", "not saved")
        things_opened(page)
        text = one(page, ".cm-content")
        text.send_keys(Keys.END, "y")
        one(page, ".cm-line", "title: Fishery")
        text.send_keys(Keys.CONTROL, "zzzz")
        until(lambda: "Fishery" not in text.text, "it is not undone")
        text.send_keys(Keys.NULL, Keys.END, "s")
        one(page, ".cm-line", "title: Fishers")
        assert text.text.startswith("kinds:")


def test_all_is_undone_in_a_file_that_was_opened_after_many_changes_of_another(tmp_path: Path) -> None:
    """Of these the oldest are forgotten meanwhile; a key between two letters makes each of them a change of its own."""
    game = Path(shutil.copytree(SHELF / "harbours", tmp_path / "harbours"))
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        click_line(page, "title: Harbours")
        one(page, ".cm-content").send_keys(*["x", Keys.LEFT] * 115)
        one(page, ".cm-line", "x" * 115)
        things_opened(page)
        text = one(page, ".cm-content")
        text.send_keys(Keys.END, *["y", Keys.LEFT] * 25)
        one(page, ".cm-line", "title: Fisher" + "y" * 25)
        text.send_keys(Keys.CONTROL, "z" * 40)
        until(lambda: "Fishery" not in text.text, "not all is undone")
        assert text.text.startswith("kinds:")


def test_an_evening_with_a_variant_from_a_table_to_a_case_a_comparison_and_a_page(game: Path, tmp_path: Path) -> None:
    variant = tmp_path / "mine.yaml"
    variant.write_text("variant: mine\ntitle: Mine\nextends: othello\nwhy: To see.\n", "utf-8")
    everybody = [each for player in ("black", "white") for each in ("--seat", f"{player}=human")]
    with (
        studio(game, "--variant", str(variant), *everybody, home=tmp_path) as address,
        browser(tmp_path / "profile") as page,
    ):
        page.get(address)
        press(page, "[data-spot].offered")
        one(page, ".moment", "1 of 1 moves")
        tab(page, "Tables")
        one(page, 'td[data-at="0 0"]').click()
        key(page, Keys.ENTER)
        key(page, Keys.CONTROL, "a")
        key(page, "Night", Keys.ENTER)
        one(page, ".cm-content", "tables.player.black.title: {was: Black, to: Night}")
        one(page, ".cm-content").send_keys(Keys.CONTROL, "s")
        one(page, ".replayed", "the same so far")
        assert "to: Night" in variant.read_text("utf-8")
        tab(page, "Changes")
        one(page, 'section[aria-label="Changes"] [role="status"]', "1 changed", 90)
        tab(page, "Cases")
        one(page, 'input[aria-label="Name of the case"]').send_keys("first_disc")
        one(page, "button", "Pick on the board").click()
        press(page, 'section[aria-label="Cases"] [data-spot].offered')
        one(page, ".picked .q-btn")
        one(page, "button", "Done").click()
        one(page, "button", "Make a case of this moment").click()
        one(page, ".cm-content", "first_disc:")
        one(page, "button", "Run all cases").click()
        one(page, ".lamps .passed", "", 90)
        tab(page, "Compare")
        one(page, "button", "Compare").click()
        until(lambda: page.find_elements(By.CSS_SELECTOR, ".interval"), "nothing is compared", 90)
        one(page, "button", "Stop").click()
        tab(page, "Share")
        one(page, "button", "The game, as a page").click()
        one(page, 'section[aria-label="Share"] [role="status"]', "kB")
        one(page, "button", "its changes marked").click()
        one(page, 'section[aria-label="Share"] [role="status"]', "marked.pdf: ", 90)
        assert wrong(page) == []


def test_a_comparison_goes_on_and_a_sweep_can_be_gone_on_with_when_the_page_is_loaded_anew(
    game: Path, tmp_path: Path
) -> None:
    variant = tmp_path / "mine.yaml"
    variant.write_text("variant: mine\ntitle: Mine\nextends: othello\nwhy: To see.\n", "utf-8")
    compare, sweep = ('section[aria-label="Compare"]', 'section[aria-label="Sweep"]')
    with (
        studio(game, "--variant", str(variant), home=tmp_path) as address,
        browser(tmp_path / "profile") as page,
    ):
        page.get(address)
        tab(page, "Compare")
        one(page, f"{sweep} input[type=number]").send_keys(Keys.CONTROL, "a")
        key(page, "4", Keys.TAB)
        one(page, f"{sweep} button", "Sweep").click()
        one(page, f'{sweep} [role="status"]', "1 of 3 values", 90)
        one(page, f"{sweep} button", "Stop").click()
        one(page, f"{compare} button", "Compare").click()
        one(page, f'{compare} [role="status"]', "playing", 90)
        page.refresh()
        tab(page, "Compare")
        one(page, f"{compare} button", "Stop").click()
        one(page, f'{sweep} [role="status"]', "of 3 values")
        assert one(page, f"{sweep} input[type=number]").get_attribute("value") == "4"
        one(page, f"{sweep} button", "Go on").click()
        one(page, f'{sweep} [role="status"]', "3 of 3 values", 90)
        assert wrong(page) == []


def test_a_seat_of_another_browser_sees_the_game_and_no_file(game: Path, tmp_path: Path) -> None:
    with (
        studio(game, "--seat", "black=human", "--seat", "white=human", home=tmp_path) as address,
        browser(tmp_path / "author") as author,
        browser(tmp_path / "player", 390, 844) as player,
    ):
        author.get(address)
        one(author, ".q-tab", "Seats").click()
        for title in ("White", "Black"):
            one(author, ".seats .bar", title).find_element(By.TAG_NAME, "button").click()
            until(lambda title=title: "/open/" in one(author, ".seats .bar", title).text, "no link")
        player.get(one(author, ".seats .bar", "White").find_element(By.CSS_SELECTOR, ".link").text)
        one(player, ".moment", "0 of 0 moves")
        assert not player.find_elements(By.CSS_SELECTOR, ".cm-content, .seats, .choice")
        one(author, ".q-tab", "Game").click()
        press(author, "[data-spot].offered")
        one(player, ".moment", "1 of 1 moves")
        one(player, ".choice").click()
        one(author, ".moment", "2 of 2 moves")
        player.refresh()
        one(player, ".moment", "2 of 2 moves")
        player.execute_script("document.querySelector('.sheets table').style.width = '2000px'")  # type: ignore[no-untyped-call]
        assert player.execute_script("return document.documentElement.scrollWidth <= innerWidth")  # type: ignore[no-untyped-call]
        assert wrong(player) == []


def test_a_failing_case_is_opened_in_the_game_and_in_the_rules(game: Path, tmp_path: Path) -> None:
    case = "cases:\n  no_turn:\n    do: [{black: column_1_row_1}]\n    then: {turn: white}\n"
    (game / "cases" / "more.yaml").write_text(case, "utf-8")
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".prompt")
        tab(page, "Cases")
        one(page, "button", "Run all cases").click()
        one(page, ".lamps button", "Show where it fails", 90).click()
        one(page, ".replayed", "No turn: here it fails")
        until(lambda: "Game" in page.find_element(By.CSS_SELECTOR, ".q-tab--active").text, "the game is not shown")
        until(lambda: cursor_at(page).startswith("it_must_turn_a_disc"), "the rule is not opened")
        page.switch_to.active_element.send_keys(Keys.ESCAPE)
        one(page, ".replayed", "Your game is on the table again")
        assert wrong(page) == []


def test_nothing_of_a_pane_is_cut_off_on_a_narrow_page(looked_at: tuple[WebDriver, str]) -> None:
    page, address = looked_at
    narrow = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", narrow)
    try:
        page.get(address)
        one(page, ".prompt", "Where do you put a disc?")
        for number, pane in enumerate((".game", ".seats", ".pane")):
            page.execute_script("document.querySelectorAll('.q-tab')[arguments[0]].click()", (0, 3, 7)[number])  # type: ignore[no-untyped-call]
            shown = one(page, f".right {pane}")
            assert shown.rect["x"] + shown.rect["width"] <= page.execute_script("return document.body.clientWidth")  # type: ignore[no-untyped-call]
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_buttons_of_the_editor_stand_in_one_row_on_a_page_of_1024(looked_at: tuple[WebDriver, str]) -> None:
    page, address = looked_at
    size = {"width": 1024, "height": 768, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page.get(address)
        save, saving = one(page, ".rules .bar button", "Save"), one(page, ".rules .bar .q-checkbox")
        assert saving.rect["y"] < save.rect["y"] + save.rect["height"]
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_what_was_not_saved_is_recovered_beside_what_another_program_has_written(game: Path, tmp_path: Path) -> None:
    file = game / "ruleset.yaml"
    with browser(tmp_path / "profile") as page:
        with studio(game, home=tmp_path) as address:
            page.get(address)
            click_line(page, "title: Othello")
            page.switch_to.active_element.send_keys(Keys.END, " mine")
            until(lambda: list((tmp_path / "drafts").glob("*.json")), "no draft is kept")
        file.write_text(file.read_text("utf-8").replace("title: Othello", "title: Theirs"), "utf-8")
        with studio(game, home=tmp_path) as address:
            page.get(address)
            one(page, ".banner", "another program has changed it since")
            assert one(page, ".cm-content").get_attribute("contenteditable") == "false"
            one(page, ".banner button", "Both").click()
            one(page, ".cm-line", "title: Othello mine")
            one(page, ".cm-line", "title: Theirs")
            until(lambda: one(page, ".cm-content").get_attribute("contenteditable") == "true", "it cannot be changed")


def test_what_is_typed_into_the_page_of_a_studio_that_has_ended_is_offered_by_the_next(
    game: Path, tmp_path: Path
) -> None:
    with closing(socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with browser(tmp_path / "profile") as page:
        with studio(game, "--port", port, home=tmp_path) as address:
            page.get(address)
            click_line(page, "title: Othello")
        one(page, ".cm-content").send_keys(Keys.END, " too late")
        one(page, ".unsent", f"for port {port}")
        page.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
        page.execute_script("document.querySelector('.unsent button').click()")  # type: ignore[no-untyped-call]
        until((tmp_path / "ruleset.yaml").is_file, "it is not saved as a file")
        assert "title: Othello too late" in (tmp_path / "ruleset.yaml").read_text("utf-8")
        with studio(game, "--port", port, home=tmp_path) as address:
            page.get(address)
            one(page, ".banner button", "Recover").click()
            one(page, ".cm-line", "title: Othello too late")
            page.switch_to.active_element.send_keys(Keys.CONTROL, "s")
            until(lambda: "title: Othello too late" in (game / "ruleset.yaml").read_text("utf-8"), "not saved")


def test_a_file_is_saved_for_every_page_and_the_places_of_a_name_are_listed(game: Path, tmp_path: Path) -> None:
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        first = page.current_window_handle
        click_line(page, "title: Othello")
        one(page, ".cm-content").send_keys(Keys.END, " again")
        page.switch_to.new_window("tab")
        page.get(address.partition("/open/")[0])
        one(page, ".status", "not saved")
        one(page, ".rules button", "Save").click()
        page.switch_to.window(first)
        until(lambda: "not saved" not in one(page, ".status").text, "it is not told that it was saved")
        click_line(page, "half: {type")
        one(page, ".cm-content").send_keys(Keys.HOME, Keys.SHIFT, Keys.F12)
        one(page, ".q-dialog .title", "7 places")
        one(page, ".q-dialog button", "row: {title: Row").click()
        until(lambda: cursor_at(page).startswith("row"), "it does not lead to the place")
        one(page, ".cm-content").send_keys(Keys.F12)
        until(lambda: cursor_at(page).startswith("half"), "it does not lead from there to where it is declared")


def test_a_name_is_given_another_id_by_typing_over_todays(game: Path, tmp_path: Path) -> None:
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        one(page, ".status", "nothing wrong")
        click_line(page, "# Othello on a board")
        one(page, ".cm-content").send_keys(Keys.HOME, Keys.F2)
        one(page, ".status", "no id of this ruleset stands here")
        click_line(page, "attributes: {right")
        one(page, ".cm-content").send_keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 13, Keys.F2)
        field = one(page, ".q-dialog input")
        until(lambda: page.execute_script("return getSelection().toString()") == "right", "it is not selected")  # type: ignore[no-untyped-call]
        assert field == page.switch_to.active_element
        field.send_keys("across", Keys.ENTER)
        one(page, ".cm-line", "attributes: {across")
        until(lambda: not page.find_elements(By.CSS_SELECTOR, ".q-dialog input"), "it still asks")
        assert wrong(page) == []


def test_a_file_is_saved_in_the_form_of_polis_format_where_that_is_asked_for(game: Path, tmp_path: Path) -> None:
    file = game / "ruleset.yaml"
    file.write_text(file.read_text("utf-8").replace("\n  half: {", "\n      half: {"), "utf-8")
    with studio(game, home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        click_line(page, "title: Othello")
        text = one(page, ".cm-content")
        text.send_keys(Keys.END, " mine", Keys.CONTROL, "s", Keys.NULL)
        until(lambda: "title: Othello mine\n" in file.read_text("utf-8"), "not saved")
        assert "\n      half: {" in file.read_text("utf-8")
        one(page, '[aria-label="Format on saving"]').click()
        click_line(page, "title: Othello mine")
        text.send_keys(Keys.END, " too", Keys.CONTROL, "s", Keys.NULL)
        until(lambda: "title: Othello mine too\n" in file.read_text("utf-8"), "not saved once more")
        assert "\n  half: {" in file.read_text("utf-8")
        until(lambda: "\n  half: {" in one(page, ".cm-content").text, "the page shows another text than the file has")
        assert wrong(page) == []
