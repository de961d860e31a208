"""The games of a studio: each has seats, links and a file of its own, also where they are begun and closed at once."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest
from test_studio_table import SHELF, opened, played

from polis_rules.diagnostics import PolisError
from polis_rules.play import HUMAN, Session
from polis_rules.play.transcript import read
from polis_rules.source import keep_others_out
from polis_rules.studio.chair import Chair
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened
from polis_rules.studio.table import TableError


def test_a_seat_opens_nothing_but_its_own_game(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        seats = [studio.seat(key) for key in studio.seat_keys.values()]
        assert seats == [(studio.table, "black"), (studio.table, "white")]
        assert studio.seat(studio.author) is None and studio.is_author(studio.author)
        assert not studio.keys.knows("wrong")

    opened(tmp_path, work)


def test_each_game_has_its_own_seats_and_links(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        first, first_keys = studio.table, dict(studio.seat_keys)
        await studio.add_table(seed=2)
        second, second_keys = studio.table, dict(studio.seat_keys)
        assert second is not first and second is not None and second.session.game.moment == 0
        assert studio.seat(first_keys["black"]) == (first, "black")
        assert studio.seat(second_keys["black"]) == (second, "black")
        assert not studio.is_author(first_keys["black"])
        studio.put_forward(1)
        await studio.close_table()
        assert studio.table is second and not studio.keys.knows(first_keys["black"])
        await studio.close_table()
        assert studio.table is second
        with pytest.raises(PolisError, match="closed"):
            studio.put_forward(1)

    opened(tmp_path, work)


def test_a_game_that_is_begun_anew_where_others_sit_is_another_one_with_a_link_for_each_seat(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        await studio.begin()
        first = studio.table
        assert first is not None, studio.trouble
        await studio.settle("seats", "3")
        studio.put_forward(1)
        await studio.begin_anew(first, seed=1)
        assert first.rules.players == ("red", "blue") and list(studio.tables) == [1, 2, 3]
        assert list(studio.seat_keys) == ["red", "green", "blue"]
        await studio.begin_anew(studio.tables[3], seed=2)
        assert list(studio.tables) == [1, 2, 3] and studio.tables[3].session.game.seed == 2

    studio = Studio(Opened(SHELF / "harbours"), Drafts(tmp_path), tmp_path / "games")
    try:
        asyncio.run(work(studio))
    finally:
        studio.close()


def test_a_seat_that_changes_writes_over_nothing_that_was_played_elsewhere(
    tmp_path: Path,
) -> None:
    async def work(studio: Studio) -> None:
        await studio.add_table(seed=2)
        assert studio.table is not None
        played(studio.table, 3)
        path = studio.table.session.path
        assert path is not None
        await studio.close_table()
        await studio.resume(path.stem)
        elsewhere = Session.resume(path.stem, tmp_path / "games")
        for _ in range(2):
            elsewhere.choose(elsewhere.decision.options[0])  # type: ignore[union-attr]
        elsewhere.close()
        await studio.table.seat("white", "random")
        await studio.table.seat("white", HUMAN)
        played(studio.table, 1)
        assert len(read(path).entries) == 5 and studio.table.session.path != path
        assert "gone on with elsewhere" in Chair(studio.table).trouble

    opened(tmp_path, work)


def test_games_that_are_begun_at_the_same_time_all_stay_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*about: object, **named: object) -> Session:
        time.sleep(0.1)
        return Session(*about, **named)  # type: ignore[arg-type]

    async def work(studio: Studio) -> None:
        monkeypatch.setattr("polis_rules.studio.table.Session", slow)
        await asyncio.gather(studio.add_table(), studio.add_table())
        assert list(studio.tables) == [1, 2, 3]

    opened(tmp_path, work)


def test_a_seat_of_a_game_that_was_closed_is_told_so_and_its_file_is_let_go(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        await studio.add_table(seed=2)
        studio.put_forward(1)
        table, told = studio.table, list[str]()
        assert table is not None and table.session.path is not None
        chair = Chair(table, "black")
        table.listeners.append(lambda: told.append("changed"))
        await studio.close_table()
        assert told == ["changed"]
        for asks in (chair.scene(), chair.choose("column_1_row_1", 6)):
            with pytest.raises(TableError, match="this game is closed"):
                await asks
        with table.session.path.open("r+b") as file:
            keep_others_out(file, table.session.path, "it is still held")

    opened(tmp_path, work)


def test_a_case_on_the_table_is_kept_in_no_file_also_where_somebody_else_plays_it_on(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        assert studio.table is not None
        await studio.make_case("a_moment", 1, 3)
        await studio.show_case("a_moment")
        before = sorted((tmp_path / "games").iterdir())
        await studio.table.seat("white", HUMAN)
        session = studio.table.session
        await studio.table.choose(session.asked, session.decision.options[0].id, session.game.moment)  # type: ignore
        assert sorted((tmp_path / "games").iterdir()) == before

    opened(tmp_path, work)


def test_a_variant_that_was_removed_meanwhile_is_not_switched_on(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        with pytest.raises(PolisError, match="no variant 'gone' any more"):
            await studio.switch("gone", True)

    opened(tmp_path, work)


def test_a_game_that_was_kept_is_gone_on_with_in_its_own_file(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        await studio.add_table(seed=2)
        assert studio.table is not None and await studio.kept() == {}
        played(studio.table, 3)
        path = studio.table.session.path
        await studio.close_table()
        assert path is not None and list(await studio.kept()) == [path.stem]
        await studio.resume(path.stem)
        assert studio.table.session.game.moment == 3 and await studio.kept() == {}
        assert set(studio.seat_keys) == {"black", "white"}
        played(studio.table, 1)
        assert studio.table.session.path == path and len(path.read_text("utf-8").splitlines()) == 5

    opened(tmp_path, work)


def test_a_game_that_was_left_is_told_to_be_of_other_rules_while_they_are_and_is_gone_on_with_by_those_of_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nicegui")
    from nicegui import Client, core
    from nicegui.page import page

    from polis_rules.studio.page.playing import GamePane

    async def work(studio: Studio) -> None:
        monkeypatch.setattr(core, "loop", asyncio.get_running_loop())
        table = studio.table
        assert table is not None
        await table.seat("white", HUMAN)
        path, then = table.session.path, table.rules.hash
        with Client(page("/")):
            pane = GamePane(Chair(table))
            pane.looked = 4
            await pane._branch()
            told = []
            file = tmp_path / "othello" / "ruleset.yaml"
            text = file.read_text("utf-8")
            file.write_text(text.replace("title: Othello", "title: Reversi", 1), "utf-8")
            for change in (studio.take_rules, studio.go_back):
                pane._show(await pane.chair.scene())
                told.append(pane.note.text)
                await change()
            pane._show(await pane.chair.scene())
            told.append(pane.note.text)
        assert path is not None
        offers = f"is kept as {path.stem}: Seats goes on with it."
        assert offers in told[0] and told[2] == told[0], told
        assert f"is kept as {path.stem}, by the rules of then" in told[1]
        assert path.stem in await studio.kept()
        await studio.resume(path.stem)
        assert studio.table.session.game.moment == 6 and studio.table.rules.hash == then

    opened(tmp_path, work)


def test_where_bots_are_chosen_it_is_told_how_each_plays(tmp_path: Path) -> None:
    pytest.importorskip("nicegui")
    from nicegui import Client, ui
    from nicegui.page import page

    from polis_rules.studio.page.elements import Select
    from polis_rules.studio.page.seating import SeatsPane

    async def work(studio: Studio) -> None:
        assert studio.table is not None
        with Client(page("/")) as client:
            SeatsPane(studio, studio.table)
            shown = list(client.elements.values())
        words = " ".join(each.text for each in shown if isinstance(each, ui.label))
        offered = {id for each in shown if isinstance(each, Select) for id, _ in each._props["options"]}
        assert "mcts:300" in offered and all(re.search(rf"\b{each} (is|does) ", words) for each in offered)

    opened(tmp_path, work)
