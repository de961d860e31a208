"""What a page has of a game: a seat reads of errors what everybody may, and does what its player may."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from test_studio_table import SHELF, on_table

from polis_rules import load
from polis_rules.diagnostics import IllegalMove, PolisError, RuleError, Span
from polis_rules.play import HUMAN, Session
from polis_rules.play.transcript import read
from polis_rules.studio.chair import Chair
from polis_rules.studio.table import Table, TableError

HOME = "/home/somebody/rules"
FAILED: tuple[tuple[OSError | PolisError, str], ...] = (
    (OSError(28, "No space left on device", f"{HOME}/game.txt"), "No space left on device"),
    (
        RuleError("cards would be 7, outside of 0..6", Span(f"{HOME}/mine.yaml", 4, 9, 4, 12), "90ab"),
        "mine.yaml:4: a rule has failed, and the game cannot go on so",
    ),
    (IllegalMove(f"it is not allowed: it is not yours [{HOME}/mine.yaml:4]"), "that cannot be done now"),
    (TableError("it is not this seat's turn"), "it is not this seat's turn"),
)


@pytest.mark.parametrize(("error", "told"), FAILED, ids=[type(error).__name__ for error, _ in FAILED])
def test_a_seat_reads_that_something_went_wrong_and_not_where_files_lie_or_what_hidden_values_are(
    error: Exception, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(table: Table) -> None:
        def fails(*_: object) -> None:
            raise error

        monkeypatch.setattr(table.session, "choose", fails)
        monkeypatch.setattr(table.session.game, "why_not", fails)
        asked, moment = table.session.asked, table.session.game.moment
        for player, expected in ((asked, told), (None, str(error))):
            chair = Chair(table, player)
            for asks in (chair.choose("anything", moment), chair.reasons("anything")):
                with pytest.raises(TableError) as raised:
                    await asks
                assert str(raised.value) == expected

    on_table("othello", work, tmp_path)


def test_a_seat_is_told_that_a_bot_cannot_go_on_and_not_where_files_lie(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        table.trouble, told = FAILED[1]
        assert Chair(table).trouble == str(table.trouble) and Chair(table, "black").trouble == told
        table.trouble, table.session.told = None, f"{HOME}/game.txt was deleted"
        assert Chair(table).trouble == table.session.told and Chair(table, "black").trouble == ""

    on_table("othello", work, tmp_path)


def test_what_is_chosen_is_shown_where_there_is_no_room_to_keep_it_and_kept_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(table: Table) -> None:
        def full() -> None:
            raise FAILED[0][0]

        told: list[str] = []
        table.listeners.append(lambda: told.append(Chair(table, "black").trouble))
        with monkeypatch.context() as patched:
            patched.setattr(table.session, "write", full)
            with pytest.raises(OSError, match="No space"):
                await table.choose(table.session.asked, table.session.decision.options[0].id, 20)  # type: ignore
        assert told == ["No space left on device"] and table.session.game.moment == 21
        await table.choose(table.session.asked, table.session.decision.options[0].id, 21)  # type: ignore
        path = table.session.path
        assert told[-1] == "" and path is not None and len(read(path).entries) == 22

    on_table("othello", work, tmp_path)


def test_a_seat_sees_the_game_as_its_player_and_neither_takes_back_nor_branches(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        for player in table.rules.players:
            chair = Chair(table, player)
            chair.seen_as = next(each for each in table.rules.players if each != player)
            assert await chair.scene() == await table.scene(player)
            for asks in (chair.undo(), chair.branch(3)):
                with pytest.raises(TableError, match="only the author"):
                    await asks
        await Chair(table).undo()
        assert table.session.game.moment == 19

    on_table("hearts", work, tmp_path)


def test_what_a_draw_that_not_everybody_may_see_is_entered_from_is_told_to_the_author_only(tmp_path: Path) -> None:
    """Of cards that are dealt by hand those which are left tell what others hold."""
    rules = load(SHELF / "hearts")
    session = Session(rules, dict.fromkeys(rules.players, HUMAN), by_hand=True, folder=tmp_path)
    while not session.chance_is_secret:
        session.answer(session.chance.outcomes[0])  # type: ignore[union-attr]
    assert session.chance is not None
    table, cards, moment = Table(rules, session.seats, session=session), session.chance.outcomes, session.game.moment

    async def story() -> None:
        for player in rules.players:
            shown = await Chair(table, player).scene()
            assert shown.choices == () and "The author enters it" in shown.prompt
            with pytest.raises(TableError, match="only the author"):
                await Chair(table, player).choose(cards[0], moment)
        assert len((await Chair(table).scene()).choices) == len(cards)
        await Chair(table).choose(cards[0], moment)

    try:
        asyncio.run(story())
        assert session.game.moment == moment + 1
    finally:
        table.close()


def test_a_person_is_called_as_in_the_list_of_who_may_play(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        assert ("Black", HUMAN) in Chair(table).seats

    on_table("othello", work, tmp_path)
