"""Variants and settings that are switched under the game of a studio."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from support.command import Polis, command

from polis_rules import load
from polis_rules.play import HUMAN
from polis_rules.studio.chair import Chair
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened
from polis_rules.studio.table import Table
from polis_rules.studio.workspace import WorkspaceError

polis = pytest.fixture(command)
SHELF = Path(__file__).parent / "rulesets"
LONG = """\
variant: long
title: Long
extends: harbours
why: To try.
settings:
  wind: {type: 1..6, start: 2, title: Wind}
"""
CALM = "variant: calm\ntitle: Calm\nextends: harbours\nwhy: To try.\n"


def on_the_table(tmp_path: Path, work: Callable[[Studio], Awaitable[None]], named: str = "calm") -> None:
    """A game with two variants beside it, one of which has a setting; the one that is named is open."""
    folder = Path(shutil.copytree(SHELF / "harbours", tmp_path / "harbours"))
    (folder / "variants").mkdir(exist_ok=True)
    for name, text in (("long", LONG), ("calm", CALM)):
        (folder / "variants" / f"{name}.yaml").write_text(text, "utf-8")
    opened = Opened(folder, variants=(folder / "variants" / f"{named}.yaml",), seed=1)
    studio = Studio(opened, Drafts(tmp_path), tmp_path / "games")

    async def run() -> None:
        await studio.begin()
        assert studio.table is not None, studio.trouble
        await work(studio)

    try:
        asyncio.run(run())
    finally:
        studio.close()


def test_what_is_switched_while_something_else_is_being_switched_undoes_nothing_of_it(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        await asyncio.gather(
            studio.settle("catch", "5"), studio.switch("long", True), studio.settle("storms", "true"),
            studio.settle("catch", "6"),
        )  # fmt: skip
        assert studio.chosen == {"catch": "6", "storms": "true"} and studio.has("long") and studio.has("calm")
        assert studio.table is not None and studio.table.rules.settings["catch"] == "6"

    on_the_table(tmp_path, work)


def test_a_seat_of_a_player_who_does_not_sit_there_is_told(tmp_path: Path) -> None:
    opened = Opened(SHELF / "othello", seats={"blak": "human"})
    studio = Studio(opened, Drafts(tmp_path), tmp_path / "games")
    try:
        asyncio.run(studio.begin())
        assert studio.table is not None
        assert Chair(studio.table).trouble == "othello has no player 'blak': did you mean 'black'?"
        assert Chair(studio.table, "black").trouble == ""
    finally:
        studio.close()


@pytest.mark.parametrize("option", [("--seat", "red=human"), ("--variant", "mine.yaml"), ("--seed", "1")])
def test_an_option_of_a_ruleset_is_refused_where_none_is_named(option: tuple[str, str], polis: Polis) -> None:
    done = polis("studio", *option, "--no-browser")
    assert done.status == 2 and "name the ruleset" in done.err


def test_what_was_chosen_for_a_setting_goes_with_the_variant_that_has_it(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        await studio.switch("long", True)
        await studio.settle("wind", "4")
        await studio.settle("catch", "5")
        await studio.switch("long", False)
        assert studio.chosen == {"catch": "5"} and not studio.has("long")

    on_the_table(tmp_path, work)


def test_a_setting_of_another_variant_is_not_written_where_nothing_requires_that_one(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        await studio.switch("long", True)
        await studio.settle("wind", "4")
        with pytest.raises(WorkspaceError, match=r"'wind' is a setting of 'long', which calm\.yaml does not require"):
            await studio.write_settings()
        document = studio.workspace.open("calm.yaml")
        assert not document.changed
        await studio.switch("long", False)
        await studio.settle("catch", "5")
        assert await studio.write_settings() == document.name
        assert document.text == CALM + "settings: {catch: 5}\n"
        await studio.switch("long", True)
        await studio.settle("wind", "4")
        studio.workspace.change(document, CALM + "requires: [long]\n")
        assert await studio.write_settings() == document.name
        assert document.text == CALM + "requires: [long]\nsettings: {catch: 5, wind: 4}\n"

    on_the_table(tmp_path, work)


def test_a_setting_that_the_variant_has_itself_is_written_as_its_start_and_stays_declared(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        await studio.settle("wind", "4")
        await studio.settle("catch", "5")
        document = studio.workspace.open(await studio.write_settings())
        assert document.text == LONG.replace("start: 2", "start: 4") + "  catch: 5\n"
        studio.workspace.change(document, LONG.replace(", start: 2", ""))
        await studio.write_settings()
        assert document.text == LONG.replace("start: 2, title: Wind", "title: Wind, start: 4") + "  catch: 5\n"

    on_the_table(tmp_path, work, "long")


def test_settings_can_be_switched_before_it_is_told_what_is_different_and_what_does_not_go_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nicegui")
    from nicegui import Client, core
    from nicegui.page import page

    from polis_rules.studio.page.changing import ChangesPane

    async def work(studio: Studio) -> None:
        monkeypatch.setattr(core, "loop", asyncio.get_running_loop())
        there: dict[str, set[str]] = {}
        with Client(page("/")):
            pane = ChangesPane(studio, Mock(listeners=[]))
            for name in ("differences", "unfit"):
                told = getattr(studio, name)

                async def noted(name: str = name, told: Callable[[], Awaitable[object]] = told) -> object:
                    there[name] = set(pane.fields)
                    return await told()

                monkeypatch.setattr(studio, name, noted)
            pane.seen = True
            await pane.look()
        assert all({"catch", "wind"} <= fields for fields in there.values()) and [*there] == ["differences", "unfit"]

    on_the_table(tmp_path, work, "long")


def test_another_game_begins_where_a_player_has_another_id_in_the_rules_that_are_saved(tmp_path: Path) -> None:
    """The game before stays open under the rules with which it began."""

    async def work(studio: Studio) -> None:
        for path in studio.workspace.folder.glob("*.yaml"):
            text = path.read_text("utf-8")
            path.write_text(re.sub(r"\bred\b", "crimson", text), "utf-8")
        assert await studio.take_rules() is None and studio.trouble == ""
        assert len(studio.tables) == 2 and studio.table is not None and "crimson" in studio.table.rules.players
        assert "red" in studio.tables[min(studio.tables)].rules.players

    on_the_table(tmp_path, work)


def test_the_page_of_a_game_has_the_board_as_it_was_moved_under_the_game(tmp_path: Path) -> None:
    variant = tmp_path / "moved.yaml"
    line = "board.places.polis.samos: {was: [1679, 1036], to: [1803, 1098]}"
    variant.write_text(f"variant: moved\ntitle: M\nextends: yucata\nwhy: To see.\nchange:\n  {line}\n", "utf-8")
    rules, moved = load("yucata"), load("yucata", None, [variant])
    table = Table(rules, dict.fromkeys(rules.players, HUMAN), 1, tmp_path)

    async def work() -> None:
        before = await table.page(None)
        assert await table.change_rules(moved) is None
        assert await table.page(None) != before

    try:
        asyncio.run(work())
    finally:
        table.close()


def test_what_a_shipped_variant_makes_new_is_told_with_its_place_which_is_opened_and_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nicegui")
    from nicegui import Client, core, ui
    from nicegui.page import page

    from polis_rules.studio.page.replaying import ReplayPane

    studio = Studio(Opened("yucata", seed=1), Drafts(tmp_path), tmp_path / "games")
    name = "print_and_play_siege.yaml"

    async def work() -> None:
        monkeypatch.setattr(core, "loop", asyncio.get_running_loop())
        await studio.begin()
        assert name not in studio.workspace.names()
        found = [await studio.switch("print_and_play_siege", on) for on in (True, False)]
        editor = Mock()
        for replayed, word in zip(found, ("is new", "is gone"), strict=True):
            assert replayed is not None
            with Client(page("/")):
                pane = ReplayPane(studio, editor)
                pane.show(replayed)
                told = [each for each in pane.box.descendants() if isinstance(each, (ui.button, ui.label))]
            texts = [each.text for each in told if f" {word}" in each.text and f"({name}:" in each.text]
            assert texts and all(isinstance(each, ui.button) for each in told if each.text in texts)
        document = studio.workspace.open(name)
        with pytest.raises(WorkspaceError, match="belongs to a shipped ruleset"):
            studio.workspace.change(document, "")

    try:
        asyncio.run(work())
    finally:
        studio.close()


def test_a_shipped_variant_is_only_read_also_beside_a_ruleset_of_the_author(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SHELF / "harbours", tmp_path / "harbours"))
    studio = Studio(Opened(folder, variants=("print_and_play_siege",)), Drafts(tmp_path), tmp_path / "games")
    try:
        shipped = studio.workspace.open("print_and_play_siege.yaml")
        assert not studio.workspace.may_write(shipped.path)
        assert studio.workspace.may_write(studio.workspace.open("ruleset.yaml").path)
        assert list(studio.workspace.names())[-1] == shipped.name
    finally:
        studio.close()
