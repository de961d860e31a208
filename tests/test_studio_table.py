"""The game on the studio's table: what each seat is sent, and the same game under rules that were just changed."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from threading import current_thread, main_thread

import pytest
from support.tried_variant import HEAD, RENAMED

from polis_rules import load
from polis_rules.cases.reading import read_case_text
from polis_rules.diagnostics import PolisError
from polis_rules.play import HUMAN, Session
from polis_rules.play.bots.dealing import Dealer
from polis_rules.play.transcript import read
from polis_rules.studio.chair import Chair
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.pictures import Pictures
from polis_rules.studio.scene import Scene, scene
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened
from polis_rules.studio.table import Replayed, Table
from polis_rules.studio.trials import differences, knobs, lamps, unfit

SHELF = Path(__file__).parent / "rulesets"

VARIANT = HEAD + "\n{change}\n"
NO_RIM = RENAMED + "\nadd:\n  phases.put_a_disc.do.place.where.not_on_the_rim: place.column.number != 3"
BROKEN = "change:\n  tables.player.blac.title: {was: Black, to: Dark}"


def played(table: Table, decisions: int) -> None:
    """Random decisions for all seats."""
    rng = Random(1)
    for _ in range(decisions):
        decision = table.session.decision
        if decision is None:
            break
        table.session.choose(rng.choice(decision.options))


def on_table(name: str, work: Callable[[Table], Awaitable[None]], folder: Path, decisions: int = 20) -> None:
    rules = load(SHELF / name)
    table = Table(rules, dict.fromkeys(rules.players, HUMAN), 1, folder)
    played(table, decisions)
    try:
        asyncio.run(work(table))  # type: ignore[arg-type]
    finally:
        table.close()


@pytest.mark.parametrize("name", ["hearts", "leduc", "masks", "tricks", "passing"])
def test_a_seat_is_sent_the_same_whatever_is_hidden_from_it(name: str) -> None:
    rules = load(SHELF / name)
    game = rules.start(seed=3)
    rng, told = Random(2), 0
    board, dealer = Pictures.of(rules), Dealer(game.program)
    for _ in range(12):
        decision = game.decision
        if decision is None:
            break
        for number, player in enumerate(rules.players):
            sent = {
                scene(
                    Session(rules, dict.fromkeys(rules.players, HUMAN), keep=False, game=game.at(world)), player, board
                )
                for world in dealer.worlds(game.state, number, rng, 6)
            }
            assert len(sent) == 1, player
        told += len({game.at(world).hash() for world in dealer.worlds(game.state, 0, rng, 6)}) > 1
        game.apply(rng.choice(decision.options))
    assert told, "nothing was hidden"


def test_what_may_come_out_is_offered_by_title() -> None:
    rules = load("yucata")
    session = Session(rules, dict.fromkeys(rules.players, HUMAN), by_hand=True, keep=False, seed=1)
    shown = scene(session, None, Pictures.of(rules))
    assert shown.prompt == "What came out: project?"
    assert ("statue_of_an_ephebe", "Statue of an Ephebe") in {(each.id, each.title) for each in shown.choices}


def test_only_the_seat_that_is_asked_is_offered_anything(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        for player in table.rules.players:
            found = await table.scene(player)
            assert bool(found.choices) == (player == table.session.asked)

    on_table("hearts", work, tmp_path)


def test_what_could_be_chosen_otherwise_is_named_with_the_reasons_to_whoever_is_asked(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        found = await table.scene(table.session.asked)
        assert not {each.title for each in found.choices} & {title for _, title in found.missing}
        assert len(found.choices) + len(found.missing) == 36
        asked, name = table.session.asked, found.missing[0][0]
        assert await table.reasons(asked, name) == await table.reasons(None, name) != []
        assert not any([await table.reasons(each, name) for each in table.rules.players if each != asked])

    on_table("othello", work, tmp_path)


def test_a_seat_cannot_answer_for_another_or_for_a_moment_that_is_over(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        session = table.session
        option = session.decision.options[0].id  # type: ignore[union-attr]
        other = next(each for each in table.rules.players if each != session.asked)
        moment = session.game.moment
        with pytest.raises(PolisError, match="not this seat's turn"):
            await table.choose(other, option, moment)
        with pytest.raises(PolisError, match="gone on"):
            await table.choose(session.asked, option, moment - 1)
        assert session.game.moment == moment

    on_table("othello", work, tmp_path)


def test_what_a_person_chooses_is_shown_before_a_bot_goes_on(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        await table.seat("white", "random")
        shown: list[asyncio.Task[Scene]] = []
        table.listeners.append(lambda: shown.append(asyncio.ensure_future(table.scene("black"))))
        decision = table.session.decision
        assert decision is not None and decision.player == "black"
        await table.choose("black", decision.options[0].id, table.session.game.moment)
        assert [each.moment for each in await asyncio.gather(*shown)] == [1, 2]

    on_table("othello", work, tmp_path, decisions=0)


def test_bots_that_were_stopped_do_not_go_on_because_a_page_is_opened(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        table.stop_bots()
        table.session = Session(table.rules, dict.fromkeys(table.rules.players, "random"), 1, keep=False)
        await table.let_bots_begin()
        assert table.session.game.moment == 0
        await table.let_bots_play()
        assert table.session.game.finished

    on_table("othello", work, tmp_path, decisions=0)


def test_what_is_taken_back_before_a_bot_begins_to_think_stays_so(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        await table.seat("white", "random")
        undone: list[asyncio.Task[None]] = []
        table.listeners.append(lambda: undone or undone.append(asyncio.ensure_future(table.undo())))
        decision = table.session.decision
        assert decision is not None
        await table.choose("black", decision.options[0].id, table.session.game.moment)
        await undone[0]
        assert (table.session.game.moment, table.session.asked, table.trouble) == (0, "black", None)

    on_table("othello", work, tmp_path, decisions=0)


def test_a_game_may_end_while_a_page_asks_whose_turn_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread of the table goes on with it meanwhile for another page: here as soon as another thread has asked."""
    asked = Session.asked.fget  # type: ignore[attr-defined]

    def and_then_the_end(session: Session) -> str | None:
        found: str | None = asked(session)
        while current_thread() is main_thread() and session.game.decision is not None:
            session.game.apply(session.game.decision.options[0])
        return found

    async def work(table: Table) -> None:
        monkeypatch.setattr(Session, "asked", property(and_then_the_end))
        assert (await Chair(table).scene()).asked == "Black"
        for player in table.rules.players:
            await table.seat(player, "random")
        assert (await Chair(table).scene()).over
        assert table.trouble is None

    on_table("othello", work, tmp_path, decisions=0)


def test_a_bot_tells_a_seat_what_it_thinks_of_its_own_decision_only(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        asked = table.session.asked
        found = await table.thoughts(asked)
        assert {each.option for each in found} == {each.id for each in table.session.decision.options}  # type: ignore
        assert abs(sum(each.share for each in found) - 1) < 1e-6 and all(0 <= each.worth <= 1 for each in found)
        with pytest.raises(PolisError, match="not this seat's turn"):
            await table.thoughts(next(each for each in table.rules.players if each != asked))
        assert await table.thoughts(None, 3)

    on_table("othello", work, tmp_path)


def test_a_game_stays_in_its_file_where_somebody_else_plays_on(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        path = table.session.path
        await table.seat("white", "random")
        await table.seat("white", HUMAN)
        played(table, 1)
        assert path is not None and table.session.path == path and [*tmp_path.glob("*.jsonl")] == [path]
        assert len(read(path).entries) == len(table.session.game.log)

    on_table("othello", work, tmp_path)


def test_a_branch_leaves_the_other_game_in_its_file(tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        before = table.session.path
        await table.branch(5)
        assert table.session.game.moment == 5 and table.session.path != before
        assert before is not None and len(before.read_text("utf-8").splitlines()) > 20

    on_table("othello", work, tmp_path)


def rules_changed(tmp_path: Path, after: str) -> tuple[Studio, Replayed | None]:
    """The game on the table after 12 decisions, when a variant is saved that says something else."""
    variant = tmp_path / "tried.yaml"
    variant.write_text(VARIANT.format(change=RENAMED), "utf-8")
    studio = Studio(Opened(SHELF / "othello", variants=(variant,), seed=1), Drafts(tmp_path), tmp_path / "games")

    async def work() -> Replayed | None:
        await studio.begin()
        assert studio.table is not None, studio.trouble
        played(studio.table, 12)
        document = studio.workspace.open(variant.name)
        studio.workspace.change(document, VARIANT.format(change=after))
        found = await studio.save(document)
        assert found is None or isinstance(found, Replayed)
        return found

    found = asyncio.run(work())
    assert studio.table is not None
    return studio, found


def test_a_game_stands_at_the_same_moment_where_the_new_rules_allow_it_all(tmp_path: Path) -> None:
    studio, found = rules_changed(tmp_path, RENAMED.replace("Dark", "Night"))
    assert found is not None and found.whole and found.found.first is None
    assert studio.table.session.game.moment == 12 and studio.table.rules.titles["black"] == "Night"
    studio.close()


def test_a_game_goes_as_far_as_new_rules_allow_and_names_the_rule_and_goes_back(tmp_path: Path) -> None:
    studio, found = rules_changed(tmp_path, NO_RIM)
    table = studio.table
    assert found is not None and not found.whole and found.found.first is not None
    assert table.session.game.moment == found.reached == found.parted < found.moves == 12
    place = found.found.changed[0]
    assert "not_on_the_rim" in place.path and place.span is not None and place.span.file.endswith("tried.yaml")
    assert any("not on the rim" in reason for reason in found.found.first.reasons)
    assert asyncio.run(table.back_to_earlier_rules())
    assert table.session.game.moment == 12 and table.replayed is None
    studio.close()


def test_why_something_cannot_be_chosen_names_the_file_of_a_variant_and_not_its_folder(tmp_path: Path) -> None:
    variant = tmp_path / "tried.yaml"
    variant.write_text(VARIANT.format(change=NO_RIM), "utf-8")
    rules = load(SHELF / "othello", variants=(variant,))
    table = Table(rules, dict.fromkeys(rules.players, HUMAN), 1, tmp_path / "games")
    told = "".join(asyncio.run(table.reasons("black", "column_3_row_1")))
    assert "[tried.yaml:" in told and str(tmp_path) not in told
    table.close()


def test_a_place_while_an_action_is_asked_for_is_told_in_titles_with_values_and_citation(tmp_path: Path) -> None:
    rules = load("yucata")
    table = Table(rules, dict.fromkeys(rules.players, HUMAN), 1, tmp_path / "games")
    told = asyncio.run(table.reasons("sparta", "korinthos"))
    assert told[0] == "Korinthos can be chosen after Move Proxenos."
    assert any(
        re.fullmatch(r'Not after Besiege Polis: .* \(.*target.base is 4\) \[yucata, "7. Besiege Polis"; .*]', line)
        for line in told
    )
    assert not re.search("[a-z]_[a-z]+ korinthos", "".join(told))
    table.close()


def test_how_far_a_game_goes_is_told_in_moves_and_not_in_cards_drawn(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SHELF / "tricks", tmp_path / "tricks"))
    play = folder / "play.yaml"
    play.write_text(play.read_text("utf-8").replace("min(you.coins, 3)", "min(you.coins, 2)"), "utf-8")

    async def work(table: Table) -> None:
        found = await table.change_rules(load(folder))
        assert found is not None and found.found.first is not None
        assert found.found.first.entry > 1
        assert (found.parted, found.reached, found.moves) == (0, table.session.game.moment, 20)

    on_table("tricks", work, tmp_path)


def test_rules_that_are_saved_are_played_also_where_another_file_cannot_be_written(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        other, main = studio.workspace.open("cases/turning.yaml"), studio.workspace.open("ruleset.yaml")
        studio.workspace.change(other, f"{other.text}# more\n")
        studio.workspace.change(main, main.text.replace("title: Black", "title: Dark"))
        other.path.unlink()
        other.path.mkdir()
        with pytest.raises(PolisError, match=r"turning.yaml is no file any more.*\(all else is saved\)"):
            await studio.save(main)
        assert studio.table is not None and studio.table.rules.titles["black"] == "Dark"
        assert other.changed and not main.changed

    opened(tmp_path, work)


def test_rules_that_do_not_compile_leave_the_game_as_it_is(tmp_path: Path) -> None:
    studio, found = rules_changed(tmp_path, BROKEN)
    assert found is None and "blac" in studio.trouble
    assert studio.table.session.game.moment == 12
    studio.close()


def opened(tmp_path: Path, work: Callable[[Studio], Awaitable[None]], *variants: str) -> None:
    """A studio of a ruleset of one's own, with a game of which 6 decisions are made."""
    folder = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    studio = Studio(Opened(folder, variants=variants, seed=1), Drafts(tmp_path), tmp_path / "games")

    async def run() -> None:
        await studio.begin()
        assert studio.table is not None, studio.trouble
        played(studio.table, 6)
        await work(studio)

    try:
        asyncio.run(run())
    finally:
        studio.close()


@pytest.mark.parametrize(("name", "card"), [("tricks", "Card"), ("othello", "")])
def test_what_does_not_lie_on_the_board_is_chosen_as_a_card(name: str, card: str, tmp_path: Path) -> None:
    async def work(table: Table) -> None:
        found = await table.scene(table.session.asked)
        assert {each.card for each in found.choices if each.spot} == {card}

    on_table(name, work, tmp_path)


def test_any_moment_becomes_a_case_that_passes(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        name, line = await studio.make_case("a_moment", 1, 3)
        text = studio.workspace.open(name).text
        assert text.split("\n")[line - 1].strip() == "a_moment:"
        assert ("a_moment", ()) in [(each.id, each.failures) for each in lamps(*studio.about)]
        await studio.show_case("a_moment")
        assert studio.table is not None and await studio.table.back_to_earlier_rules()
        assert studio.table.session.game.moment == 6

    opened(tmp_path, work)


def test_what_must_hold_of_a_moment_may_be_picked(tmp_path: Path) -> None:
    """Then the case tells what the board shows of that, and not what the last decision changed."""

    async def work(studio: Studio) -> None:
        assert studio.table is not None
        spot = next(each for each in studio.table.holding if not each.startswith("player "))
        name, _ = await studio.make_case("picked", 1, 3, [spot])
        (case,) = read_case_text(studio.workspace.open(name).text, Path("cases.yaml"))
        assert case.entry is not None and not case.entry.changes
        assert [f"{kind} {member}" for kind, held in case.entry.then.items() for member in held.entries] == [spot]
        assert ("picked", ()) in [(each.id, each.failures) for each in lamps(*studio.about)]

    opened(tmp_path, work)


def test_no_case_is_written_where_the_folder_of_cases_is_a_link_out_of_the_ruleset(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()

    async def work(studio: Studio) -> None:
        cases = studio.workspace.folder / "cases"
        shutil.rmtree(cases, ignore_errors=True)
        cases.symlink_to(outside)
        with pytest.raises(PolisError, match="leads out of the folder"):
            await studio.make_case("a_moment", 1, 3)
        assert not list(outside.iterdir())

    opened(tmp_path, work)


def test_a_variant_that_does_not_fit_is_told_and_nothing_is_switched(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        folder = studio.workspace.folder / "variants"
        folder.mkdir()
        (folder / "tried.yaml").write_text(VARIANT.format(change=RENAMED), "utf-8")
        (folder / "other.yaml").write_text(VARIANT.format(change=BROKEN).replace("variant: tried", "variant: other"))
        found = await studio.switch("tried", True)
        assert found is not None and found.whole and studio.has("tried")
        with pytest.raises(PolisError, match="blac"):
            await studio.switch("other", True)
        assert studio.has("tried") and not studio.has("other")
        told = differences(*studio.about, None)
        assert any("Dark" in line for _, lines in told.groups for line in lines) or "1 changed" in told.summary
        await studio.switch("tried", False)
        assert studio.table is not None and studio.table.rules.titles["black"] == "Black"
        assert await studio.go_back() and studio.has("tried") and studio.table.rules.titles["black"] == "Dark"
        assert await studio.go_back() and not studio.has("tried") and not await studio.go_back()

    opened(tmp_path, work)


def test_variants_are_listed_by_their_titles_also_those_that_require_others(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        folder = studio.workspace.folder / "variants"
        folder.mkdir()
        text = VARIANT.format(change=RENAMED)
        (folder / "tried.yaml").write_text(text, "utf-8")
        further = text.replace("variant: tried", "variant: further\nrequires: [tried]").replace(
            "title: Tried", "title: On top"
        )
        (folder / "further.yaml").write_text(further, "utf-8")
        assert studio.variants_near() == [("further", "On top"), ("tried", "Tried")]

    opened(tmp_path, work)


def test_variants_that_would_conflict_are_told_before_they_are_switched_on(tmp_path: Path) -> None:
    """By their titles, and what both touch by what the rules that are open call it."""
    folder = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    (folder / "variants").mkdir()
    for name in ("tried", "other"):
        text = VARIANT.format(change=RENAMED).replace("variant: tried", f"variant: {name}")
        (folder / "variants" / f"{name}.yaml").write_text(text, "utf-8")
    near, titles = {"other": ("other",)}, {"tried": "Tried", "other": "Something else"}
    assert unfit(folder, None, (), near, titles) == {}
    told = unfit(folder, None, ("tried",), near, titles)
    assert list(told) == ["other"] and told["other"] == "'Tried' and 'Something else' both touch 'Dark'"


def test_a_setting_is_given_another_value_under_the_game_and_other_seats_begin_another(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        await studio.begin()
        assert studio.table is not None, studio.trouble
        found = {each.name: (each.kind, each.value) for each in knobs(*studio.about)}
        assert found == {
            "catch": ("number", "4"), "storms": ("flag", "false"), "map": ("words", "small"), "days": ("number", "3"),
            "seats": ("number", "2"),
        }  # fmt: skip
        changed = await studio.settle("catch", "5")
        assert changed is not None and studio.table.rules.settings["catch"] == "5" and len(studio.tables) == 1
        with pytest.raises(PolisError):
            await studio.settle("catch", "7")
        await studio.settle("seats", "3")
        assert len(studio.tables) == 2 and len(studio.seat_keys) == 3 and studio.table.rules.settings["catch"] == "5"

    studio = Studio(Opened(SHELF / "harbours"), Drafts(tmp_path), tmp_path / "games")
    try:
        asyncio.run(work(studio))
    finally:
        studio.close()


def test_settings_that_were_tried_are_written_into_the_variant(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SHELF / "harbours", tmp_path / "harbours"))
    variant = folder / "variants" / "calm.yaml"
    variant.parent.mkdir(exist_ok=True)
    variant.write_text("variant: calm\nextends: harbours\nwhy: To try.\n", "utf-8")

    async def work(studio: Studio) -> None:
        await studio.begin()
        for name, value in (("catch", "5"), ("storms", "true"), ("catch", "6")):
            await studio.settle(name, value)
            shown = await studio.write_settings()
        text = studio.workspace.open(shown).text
        assert text == f"{variant.read_text('utf-8')}settings: {{catch: 6, storms: true}}\n"
        variant.write_text(text, "utf-8")

    studio = Studio(Opened(folder, variants=(variant,)), Drafts(tmp_path), tmp_path / "games")
    try:
        asyncio.run(work(studio))
    finally:
        studio.close()
    assert load(folder, variants=[variant]).settings["catch"] == "6"
