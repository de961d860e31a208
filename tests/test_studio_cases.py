"""A case that fails is opened where it fails: the game as it stands there, and the rule that has to do with it."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest

from polis_rules import verification
from polis_rules.cases import read_cases
from polis_rules.diagnostics import PolisError
from polis_rules.play import HUMAN
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened
from polis_rules.studio.trials import Lamp, cases_beside, lamps, said
from polis_rules.verification import cases_of

SHELF = Path(__file__).parent / "rulesets"
PEOPLE = {"black": HUMAN, "white": HUMAN}
MUST_TURN = "it_must_turn_a_disc: turns_something(place, you)"
CASE = """\
cases:
  two_discs:
    do: [{black: column_2_row_4}, {white: %s}]
    then: {square: {column_2_row_4: {owner: %s}}}
"""


def line_of(folder: Path, text: str) -> int:
    lines = (folder / "ruleset.yaml").read_text("utf-8").split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize(
    ("second", "owner", "moves", "rule"),
    [
        ("column_1_row_1", "black", 1, MUST_TURN),
        ("column_2_row_4", "black", 1, "it_must_be_empty:"),
        ("column_2_row_3", "white", 2, "put_a_disc:"),
    ],
)
def test_a_failing_case_is_shown_where_it_fails(second: str, owner: str, moves: int, rule: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    (folder / "cases" / "more.yaml").write_text(CASE % (second, owner), "utf-8")
    studio = Studio(Opened(folder, seats=PEOPLE), Drafts(tmp_path / "drafts"), tmp_path / "games")

    async def story() -> None:
        await studio.begin()
        assert await studio.show_case("two_discs") == ("ruleset.yaml", line_of(folder, rule))
        assert studio.table is not None and studio.table.session.game.moment == moves
        assert await studio.go_back() and studio.table.session.game.moment == 0 and not studio.table.shown
        with pytest.raises(PolisError, match="no case"):
            await studio.show_case("three_discs")

    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_a_case_whose_position_breaks_what_must_always_hold_opens_that(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    with (folder / "ruleset.yaml").open("a", encoding="utf-8") as file:
        file.write("invariants:\n  the_corner_is_free: column_1_row_1.owner is none\n")
    case = "cases:\n  two_discs: {given: {square: {column_1_row_1: {owner: black}}}, decides: black}\n"
    (folder / "cases" / "more.yaml").write_text(case, "utf-8")
    studio = Studio(Opened(folder, seats=PEOPLE), Drafts(tmp_path / "drafts"), tmp_path / "games")

    async def story() -> None:
        await studio.begin()
        assert await studio.show_case("two_discs") == ("ruleset.yaml", line_of(folder, "the_corner_is_free"))

    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_a_case_on_the_table_is_played_anew_when_rules_are_saved(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    (folder / "cases" / "more.yaml").write_text(CASE % ("column_1_row_1", "black"), "utf-8")
    studio = Studio(Opened(folder, seats=PEOPLE), Drafts(tmp_path / "drafts"), tmp_path / "games")

    async def story() -> None:
        await studio.begin()
        await studio.show_case("two_discs")
        document = studio.workspace.open("ruleset.yaml")
        studio.workspace.change(document, document.text.replace(MUST_TURN, "it_must_turn_a_disc: true"))
        assert await studio.save(document) is None and not studio.trouble
        assert studio.table is not None and studio.table.session.game.moment == 2
        assert ("two_discs", ()) in [(each.id, each.failures) for each in lamps(*studio.about)]
        assert await studio.go_back() and studio.table.session.game.moment == 0

    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_a_case_made_with_a_variant_of_a_shipped_ruleset_is_run_with_the_others(tmp_path: Path) -> None:
    variant = tmp_path / "mine.yaml"
    variant.write_text("variant: mine\ntitle: Mine\nextends: politeia\nwhy: To see.\n", "utf-8")
    studio = Studio(Opened("politeia", variants=(variant,), seed=1), Drafts(tmp_path / "drafts"), tmp_path / "games")

    async def story() -> None:
        await studio.begin()
        assert studio.table is not None
        studio.table.session.choose(studio.table.session.game.decision.options[0])  # type: ignore[union-attr]
        name, _ = await studio.make_case("a_moment", 1, None)
        assert name == "mine_cases.yaml"
        found = lamps(*studio.about)
        assert len(found) > 1 and [each.failures for each in found if each.id == "a_moment"] == [()]
        await studio.show_case("a_moment")
        assert studio.table.shown == "a_moment"

    try:
        asyncio.run(story())
    finally:
        studio.close()
    later = Studio(Opened("politeia", variants=(variant,)), Drafts(tmp_path / "drafts"), tmp_path / "games")
    assert "a_moment" in later.workspace.open("mine_cases.yaml").text
    later.close()


def test_no_case_is_written_where_the_file_beside_a_variant_is_a_link_out_of_its_folder(tmp_path: Path) -> None:
    variant, outside = tmp_path / "strange" / "mine.yaml", tmp_path / "others.yaml"
    variant.parent.mkdir()
    variant.write_text("variant: mine\ntitle: Mine\nextends: politeia\nwhy: To see.\n", "utf-8")
    outside.write_text("cases:\n", "utf-8")
    variant.with_name("mine_cases.yaml").symlink_to(outside)
    studio = Studio(Opened("politeia", variants=(variant,), seed=1), Drafts(tmp_path / "drafts"), tmp_path / "games")

    async def story() -> None:
        await studio.begin()
        with pytest.raises(PolisError, match="leads out of the folder"):
            await studio.make_case("a_moment", 1, None)
        assert outside.read_text("utf-8") == "cases:\n"
        assert "mine_cases.yaml" not in studio.workspace.names()

    try:
        asyncio.run(story())
    finally:
        studio.close()


@pytest.mark.parametrize(
    ("change", "does_more"),
    [
        ('from: {was: square, to: "[s for s in square if s.row.number > 1]"}', True),
        ("title: {was: Where do you put a disc?, to: Where?}", False),
    ],
    ids=["what may be chosen", "only words"],
)
def test_a_failing_case_opens_the_line_of_the_variant_that_changes_what_the_rule_does(
    change: str, does_more: bool, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    (folder / "cases" / "more.yaml").write_text(CASE % ("column_2_row_3", "white"), "utf-8")
    variant = tmp_path / "mine.yaml"
    text = "variant: mine\ntitle: Mine\nextends: othello\nwhy: To see.\nchange:\n  phases.put_a_disc.do.choose."
    variant.write_text(f"{text}{change}\n", "utf-8")
    studio = Studio(Opened(folder, variants=(variant,), seats=PEOPLE), Drafts(tmp_path / "drafts"), tmp_path / "games")
    other = ("ruleset.yaml", line_of(folder, "put_a_disc:"))

    async def story() -> None:
        await studio.begin()
        assert await studio.show_case("two_discs") == (("mine.yaml", 6) if does_more else other)

    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_a_case_may_be_named_in_words(tmp_path: Path) -> None:
    game = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    studio = Studio(Opened(game, seats=PEOPLE, seed=1), Drafts(tmp_path / "drafts"), tmp_path / "games")

    async def story() -> None:
        await studio.begin()
        name, line = await studio.make_case("My first Case", 0, None)
        assert studio.workspace.open(name).text.split("\n")[line - 1].strip() == "my_first_case:"

    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_who_says_so_is_told_before_the_cases_that_depend_on_it_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def played(*about: object) -> None:
        raise AssertionError("cases are played")

    monkeypatch.setattr(verification, "carried", played)
    found = said(SHELF / "othello", None, (), "phases.put_a_disc")
    assert [each.words.split(" (")[0] for each in found.layers] == ["othello has it"]


@pytest.mark.slow
def test_all_cases_are_played_for_the_first_rule_that_is_asked_about_and_again_where_one_has_changed(
    tmp_path: Path,
) -> None:
    game = Path(shutil.copytree(SHELF / "harbours", tmp_path / "harbours"))
    studio, told = Studio(Opened(game), Drafts(tmp_path / "drafts"), tmp_path / "games"), list[tuple[int, int]]()
    every, rules = read_cases(game), ("actions.sail", "actions.fish", "actions.moor")
    asked = {rule: [each.title or each.id for each in cases_of(rule, game)] for rule in rules}

    async def cases(path: str) -> list[str]:
        told.clear()
        return [each.words for each in await studio.dependent(path, lambda done, of: told.append((done, of)))]

    async def story() -> None:
        assert await cases("kinds.isle") and not told  # which cases only name
        assert await cases("actions.sail.where") == asked["actions.sail"] and told[-1] == (len(every), len(every))
        for rule in rules[1:]:
            assert await cases(rule) == asked[rule] and not told
        with every[0].path.open("a", encoding="utf-8") as file:
            file.write("\n# other words\n")
        both = await asyncio.gather(cases("actions.fish"), studio.dependent("actions.fish", lambda done, of: None))
        assert len(both[0]) == len(both[1]) == len(asked["actions.fish"])
        assert told.count((len(every), len(every))) == 1

    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_a_case_of_the_author_is_listed_before_those_of_a_shipped_ruleset_and_what_is_left_out_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nicegui")
    from nicegui import Client, ui
    from nicegui.page import page

    from polis_rules.studio.page import testing

    variant = tmp_path / "mine.yaml"
    variant.write_text("variant: mine\ntitle: Mine\nextends: yucata\nwhy: To see.\n", "utf-8")
    own = cases_beside(variant)
    own.write_text("cases: {}\n", "utf-8")
    studio = Studio(Opened("yucata", variants=(variant,)), Drafts(tmp_path / "drafts"), tmp_path / "games")
    shipped = studio.workspace.folder / "cases" / "trade.yaml"
    found = [Lamp(f"c{number}", "", str(shipped), 1, ("no",) if number == 3 else ()) for number in range(5)]
    monkeypatch.setattr(testing, "MOST", 2)
    try:
        with Client(page("/")):
            pane = testing.CasesPane(studio, Mock())
            pane._show_lamps([*found, Lamp("own", "", str(own), 1, ())])
            words = [each.text for each in pane.list.descendants() if isinstance(each, (ui.button, ui.label))]
            assert words == ["✗", "c3", "no", "Show where it fails", "✓", "own", "List 4 more"]
            pane._list_all([*found, Lamp("own", "", str(own), 1, ())])
            words = [each.text for each in pane.list.descendants() if isinstance(each, ui.button)]
        assert words == ["c3", "Show where it fails", "own", "c0", "c1", "c2", "c4"]
    finally:
        studio.close()


def test_what_is_told_of_a_case_and_of_layers_has_the_name_of_a_variant_and_not_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nicegui")
    from nicegui import Client, core, ui
    from nicegui.page import page

    from polis_rules.studio.page.explaining import ExplainPane
    from polis_rules.studio.page.replaying import ReplayPane
    from polis_rules.studio.page.testing import CasesPane

    variant = tmp_path / "mine.yaml"
    rule = "phases.put_a_disc.title: {was: A disc, to: One}"
    variant.write_text(f"variant: mine\ntitle: Mine\nextends: othello\nwhy: To see.\nchange:\n  {rule}\n", "utf-8")
    studio = Studio(Opened(SHELF / "othello", variants=(variant,)), Drafts(tmp_path / "drafts"), tmp_path / "games")
    lamp = Lamp("no", "", str(variant), 1, (f"refused: never [{variant.as_posix()}:6]",))

    async def story() -> None:
        monkeypatch.setattr(core, "loop", asyncio.get_running_loop())
        with Client(page("/")):
            cases, explain, replay = CasesPane(studio, Mock()), ExplainPane(studio, Mock()), ReplayPane(studio, Mock())
            cases._show_lamps([lamp])
            with explain.told:
                explain._show(said(*studio.about, "phases.put_a_disc.title"))
            replay.show_case("no", lamp.failures)
            boxes = (cases.list, explain.told, replay.box)
            told = [
                each.text
                for box in boxes
                for each in box.descendants()
                if isinstance(each, (ui.button, ui.label)) and "mine.yaml" in each.text
            ]
        assert told[::2] == ["refused: never [mine.yaml:6]"] * 2
        assert told[1].endswith("(mine.yaml:6:3)") and len(told) == 3

    try:
        asyncio.run(story())
    finally:
        studio.close()
