"""A value that is changed in a table of the studio stands in the text where it belongs; nothing else is touched."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.browser import browser, studio as studio_of
from support.on_page import one, tab

from polis_rules.diagnostics import PolisError
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.grids import Grid, value_of
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened

ROOT = Path(__file__).parent.parent
VARIANT = """\
variant: tried
title: Tried
extends: yucata
# My comment.
change:
  actions.besiege_polis.cost.prestige: {was: 1, to: 2}   # dear
why: To see.
"""


MINE = "format: 2\nruleset: mine\nextends: yucata\ntitle: Mine\nfiles: [actions.yaml, map.yaml]\n"
LAND = "Borders on land"


def written(tmp_path: Path, work: Callable[[Studio], Awaitable[None]], own: bool = False) -> Studio:
    """A studio of a variant, or of a ruleset of one's own, and what came of some work in it."""
    if own:
        opened = Opened(shutil.copytree(ROOT / "rulesets" / "yucata", tmp_path / "yucata"))
    else:
        (tmp_path / "tried.yaml").write_text(VARIANT, "utf-8")
        opened = Opened("yucata", variants=(tmp_path / "tried.yaml",))
    studio = Studio(opened, Drafts(tmp_path / "drafts"), tmp_path / "games")
    try:
        asyncio.run(work(studio))  # type: ignore[arg-type]
    finally:
        studio.close()
    return studio


def in_a_copy(tmp_path: Path, name: str, work: Callable[[Studio], Awaitable[None]]) -> None:
    """Do something in a studio of a ruleset that may be written."""
    folder = Path(shutil.copytree(ROOT / "tests" / "rulesets" / name, tmp_path / name))
    studio = Studio(Opened(folder), Drafts(tmp_path / "drafts"), tmp_path / "games")
    try:
        asyncio.run(work(studio))  # type: ignore[arg-type]
    finally:
        studio.close()


def test_what_stands_below_an_edition_is_changed_by_a_line_of_its_file_of_the_same_name(tmp_path: Path) -> None:
    edition = tmp_path / "mine"
    edition.mkdir()
    (edition / "ruleset.yaml").write_text(MINE, "utf-8")
    for name, path, title in (("actions", "actions.move_hoplites", "Move Hoplites"), ("map", "graphs.land", LAND)):
        change = f"change:\n  {path}.title: {{was: {title}, to: Another title}}\n"
        (edition / f"{name}.yaml").write_text(change, "utf-8")
    studio = Studio(Opened(edition), Drafts(tmp_path / "drafts"), tmp_path / "games")
    try:
        assert asyncio.run(studio.link("land", "attika", "megaris")) == "map.yaml"
        assert studio.workspace.open("map.yaml").text.endswith("remove:\n  graphs.land.edges.attika-megaris:\n")
    finally:
        studio.close()


def cell(grid: Grid, row: str, column: str) -> str:
    at = [each.name for each in grid.columns].index(column)
    return next(cells for id, _, cells in grid.rows if id == row)[at].shown


def test_a_cell_of_a_shipped_ruleset_becomes_a_line_of_the_open_variant_and_goes_again(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        assert await studio.write("tables.polis.athenai.base", "6", "Walls.") == "tried.yaml"
        await studio.write("tables.polis.chalkis.hosts", ["statue"])
        await studio.write("tables.territory.attika.tribute_spaces.wood", "2")
        text = studio.workspace.open("tried.yaml").text
        assert text == VARIANT.replace(
            "why: To", "  tables.polis.athenai.base: {was: 5, to: 6, why: Walls.}\nwhy: To"
        ) + ("add:\n  tables.polis.chalkis.hosts: [statue]\n  tables.territory.attika.tribute_spaces.wood: 2\n")
        assert cell(await studio.grid("polis"), "athenai", "base") == "6"
        assert cell(await studio.grid("territory"), "attika", "tribute_spaces.wood") == "2"
        assert not any(await studio.checker.findings(tmp_path / "tried.yaml"))
        await studio.write("tables.polis.athenai.base", "7")
        assert "{was: 5, to: 7, why: Walls.}" in studio.workspace.open("tried.yaml").text
        await studio.write("tables.polis.athenai.base", "-5")
        assert "{was: 5, to: -5, why: Walls.}" in studio.workspace.open("tried.yaml").text
        await studio.write("tables.polis.athenai.base", "5")
        assert "athenai" not in studio.workspace.open("tried.yaml").text

    written(tmp_path, work)


def test_a_cell_of_one_s_own_ruleset_is_changed_in_its_file(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        before = studio.workspace.open("poleis.yaml").text
        await studio.write("tables.polis.argos.base", "4")
        await studio.write("tables.polis.gytheion.hosts", ["statue"])
        after = studio.workspace.open("poleis.yaml").text
        assert after == before.replace("ports: [myrtoo], base: 3", "ports: [myrtoo], base: 4").replace(
            "commercial_for: sparta\n      grade:", "commercial_for: sparta\n      hosts: [statue]\n      grade:", 1
        )

    written(tmp_path, work, own=True)


def test_places_and_links_of_the_board_become_lines_and_go_again(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        def text() -> str:
            return studio.workspace.open("tried.yaml").text

        for _ in range(2):
            await studio.move("polis sparta", 10, -5)
        assert "  board.places.polis.sparta: {was: [719, 1204], to: [759, 1184]}\n" in text()
        await studio.link("land", "attika", "megaris")
        await studio.link("land", "attika", "messenia")
        assert text().endswith(
            "remove:\n  graphs.land.edges.attika-megaris:\nadd:\n  graphs.land.edges.attika-messenia: {}\n"
        )
        assert "attika-messenia" in {link.id for link in (await studio.chart(False)).links["land"]}
        await studio.link("land", "megaris", "attika")
        await studio.link("land", "messenia", "attika")
        await studio.move("polis sparta", -20, 10)
        assert text() == VARIANT

    written(tmp_path, work)


@pytest.mark.parametrize("with_variant", [False, True])
def test_where_a_board_is_worked_out_moving_a_place_writes_down_where_all_of_them_lie(
    tmp_path: Path, with_variant: bool
) -> None:
    game = Path(shutil.copytree(ROOT / "tests" / "rulesets" / "random_isles", tmp_path / "random_isles"))
    variant, head = tmp_path / "tried.yaml", "variant: tried\nextends: random_isles\nwhy: To see.\nadd:\n"
    variant.write_text(head.replace("add:\n", ""), "utf-8")
    name = variant.name if with_variant else "ruleset.yaml"

    async def story() -> None:
        before, picture = (await studio.chart(False)).movable, (await studio.chart(False)).picture
        assert await studio.move("cell a1", 30, 10) == name
        text = studio.workspace.open(name).text
        board = text.removeprefix(head).replace("\n  ", "\n").removeprefix("  ") if with_variant else text
        assert "board:\n  size: [1000, 460]\n  lines: {shallows: solid, " in board
        assert "\n  places:\n    cell:\n      a1: [553, 243]\n      b1: [587, 350]\n" in board
        look = re.compile(r'viewBox=".*?"|<\w+|fill="\S+"|stroke="\S+"')
        assert look.findall((await studio.chart(False)).picture) == look.findall(picture)
        assert (await studio.chart(False)).movable == before and len(before) == 6
        map_before = studio.workspace.open("map.yaml").text
        if not with_variant:
            assert await studio.link("shallows", "a1", "b2") == await studio.link("shallows", "b2", "a1") == "map.yaml"
            assert studio.workspace.open("map.yaml").text == map_before
        await studio.move("cell a1", 0, -20)
        again = studio.workspace.open(name).text
        assert re.sub(r"a1: \[553, \d+\]", "a1: [553, 243]", again) == text != again
        assert not any((await studio.checker.findings(studio.workspace.open(name).path)).values())

    studio = Studio(Opened(game, variants=(variant,) if with_variant else ()), Drafts(tmp_path / "d"), tmp_path / "g")
    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_the_cells_of_a_grid_that_is_worked_out_cannot_be_moved(tmp_path: Path) -> None:
    game = Path(shutil.copytree(ROOT / "tests" / "rulesets" / "othello", tmp_path / "othello"))
    studio = Studio(Opened(game), Drafts(tmp_path / "drafts"), tmp_path / "games")

    async def story() -> None:
        assert not (await studio.chart(False)).movable
        with pytest.raises(PolisError, match="worked out from its columns and rows"):
            await studio.move("square column_1_row_1", 10, 0)

    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_a_name_is_given_another_id_in_every_text_and_all_of_them_are_saved_together(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        await studio.begin()
        document = studio.workspace.open("things.yaml")
        lines = document.text.split("\n")
        line = next(number for number, each in enumerate(lines) if "moored:" in each)
        at = (line, lines[line].index("moored") + 2)
        with pytest.raises(PolisError):
            await studio.rename(document, at, "no id")
        assert await studio.checker.renamable(document.path, at) == "moored"
        with pytest.raises(PolisError, match="no id of this ruleset"):
            await studio.checker.renamable(document.path, (0, 0))
        assert await studio.rename(document, at, "anchored") > 1
        await studio.save(document)
        assert not any(each.changed for each in studio.workspace.documents.values()) and not studio.trouble
        texts = [path.read_text("utf-8") for path in (tmp_path / "harbours").rglob("*.yaml")]
        assert not any("moored:" in text for text in texts) and any("anchored" in text for text in texts)

    in_a_copy(tmp_path, "harbours", work)


def test_a_name_is_given_another_id_also_in_an_expression_over_several_lines(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        document = studio.workspace.open("ruleset.yaml")
        lines = document.text.split("\n")
        line = next(number for number, each in enumerate(lines) if each.startswith("  half:"))
        assert await studio.rename(document, (line, 2), "side") == 1
        assert document.text.count("half") == 0

    in_a_copy(tmp_path, "othello", work)


def test_no_name_is_given_another_id_in_a_text_into_which_something_is_typed_meanwhile(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        document = studio.workspace.open("ruleset.yaml")
        line = next(number for number, each in enumerate(document.text.split("\n")) if each.startswith("  half:"))
        renaming = asyncio.ensure_future(studio.rename(document, (line, 2), "side"))
        await asyncio.sleep(0)
        typed = f"# typed\n{document.text}"
        studio.workspace.change(document, typed)
        with pytest.raises(PolisError, match="has changed meanwhile"):
            await renaming
        assert document.text == typed

    in_a_copy(tmp_path, "othello", work)


def test_a_column_of_numbers_says_what_they_count(tmp_path: Path) -> None:
    """Beside their range, of formulas in brackets; and so does the message that one must stand there."""

    async def work(studio: Studio) -> None:
        document = studio.workspace.open("kinds.yaml")
        text = document.text.replace("prestige: {type: formula,", "prestige: {type: formula, unit: laurels,")
        studio.workspace.change(document, text)
        poleis = {each.name: each for each in (await studio.grid("polis")).columns}
        projects = {each.name: each for each in (await studio.grid("project")).columns}
        told = [poleis[name].about for name in ("base", "most", "territory")]
        assert told == ["1 to 9 cubes", "1 to 20 cubes", "Territory or none"]
        assert projects["prestige"].about == "formula (laurels)"
        with pytest.raises(ValueError, match="base is a number: 1 to 9 cubes"):
            value_of(poleis["base"], "many")

    written(tmp_path, work, own=True)


@pytest.mark.slow
def test_a_column_says_so_to_who_sees_it_and_to_who_hears_it(tmp_path: Path) -> None:
    with studio_of(Path("yucata"), home=tmp_path) as address, browser(tmp_path / "profile") as page:
        page.get(address)
        tab(page, "Tables")
        one(page, 'section[aria-label="Tables"] option[value="polis"]').click()
        assert one(page, ".grid-box th", "base").text == "base\n1 to 9 cubes"
        nodes = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]  # type: ignore[no-untyped-call]
        heads = [each["name"]["value"] for each in nodes if each.get("role", {}).get("value") == "columnheader"]
        one(page, f'td[data-at="0 {heads.index("base 1 to 9 cubes") - 1}"]').click()
        one(page, "#grid-help", "Athenai, base (1 to 9 cubes): 5")


def test_what_cannot_stand_in_a_cell_is_refused_and_so_is_a_change_of_broken_rules(tmp_path: Path) -> None:
    async def work(studio: Studio) -> None:
        columns = {each.name: each for each in (await studio.grid("polis")).columns}
        assert str(value_of(columns["base"], "-" + "9" * 18)) == "-" + "9" * 18  # the range is looked at later
        wrong = ("base", "many"), ("base", "9" * 19), ("territory", "atlantis"), ("hosts", "temple, pub")
        for name, text in (*wrong, ("title", "a\nb")):
            with pytest.raises(ValueError, match=r"number|digits|one of|no such|text"):
                value_of(columns[name], text)
        document = studio.workspace.open("tried.yaml")
        studio.workspace.change(document, "variant: tried\nextends: yucata\nchange: [")
        with pytest.raises(PolisError):
            await studio.write("tables.polis.athenai.base", "6")

    written(tmp_path, work)
