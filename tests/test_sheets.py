"""`polis print`: cards, boards, the map and the reference card, from the ruleset's data alone."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from polis_cli.main import main
from support.html_pages import checked
from support.shipping import shipped
from support.small_ruleset import small

from polis_rules import load
from polis_rules.documentation.rulebook import read, rulebook
from polis_rules.publishing import pictures, rulebook_page, rulebook_pdf, sheets_of, sheets_page, sheets_pdf
from polis_rules.publishing.sheets import MAP_HIGH, Cards, MapPages, Reference, Sheet

HOSTILE = '</article><script>alert(1)</script>#import "x" $ *a* #read("/etc/passwd") <img src=x onerror=y>'


def sheets(ruleset: str | Path) -> dict[str, Sheet]:
    return sheets_of(read(ruleset), load(ruleset))


def test_a_kind_has_as_many_cards_as_copies_are_there_at_first() -> None:
    cards = sheets("yucata")["battle_card"]
    assert isinstance(cards, Cards)
    kind = load("yucata").rules().symbols.kinds["battle_card"]
    assert len(cards.cards) == sum(kind.attributes["copies"].values)


def test_a_card_says_what_its_row_does(tmp_path: Path) -> None:
    cards = sheets(small(tmp_path))["card"]
    assert isinstance(cards, Cards)
    assert [line.text for line in cards.cards[0].lines][:2] == ["Now:", "Gain 1 coin."]


def test_a_card_tells_the_short_rules_that_it_names() -> None:
    cards = sheets("yucata")["event"]
    assert isinstance(cards, Cards)
    named = next(card for card in cards.cards if card.title == "Betrayal")
    lines = [line.text for line in named.lines]
    assert lines[0].startswith("Each player chooses a polis of the opponent") and lines[1] == "Capture:"


def test_the_board_of_a_player_has_a_place_for_each_step_of_a_small_number(tmp_path: Path) -> None:
    boards = sheets(small(tmp_path))["players"]
    assert isinstance(boards, Cards)
    assert boards.cards[0].title == "Red"
    assert [(track.called, len(track.steps)) for track in boards.cards[0].tracks] == [("Coins", 10)]


def test_the_reference_card_says_what_actions_cost_and_what_happens_in_phases(tmp_path: Path) -> None:
    card = sheets(small(tmp_path))["reference"]
    assert isinstance(card, Reference)
    lines = {group.title: [line.text for line in group.lines] for group in card.groups}
    assert lines["Actions"] == ["Work", "Claim", "Pay 1 coin."]
    assert lines["Course of the game"][:2] == ["Game", "Each player in turn:"]


@pytest.mark.slow
def test_the_reference_card_tells_for_what_an_action_is_done_where_its_own_words_begin_with_that() -> None:
    told = sheets("hellenes_training")["reference"]
    assert isinstance(told, Reference)
    actions = next(each for each in told.groups if each.title == "Actions").lines
    assert all(line.text.startswith("For 1 action") for line in actions if line.depth)
    assert sum(line.depth for line in actions) == len(actions) / 2


def test_the_map_fills_whole_pages() -> None:
    found = sheets("yucata")["map"]
    assert isinstance(found, MapPages)
    assert found.rows * MAP_HIGH >= found.height > (found.rows - 0.6) * MAP_HIGH


@pytest.mark.parametrize("name", ["yucata", "politeia"])
def test_the_page_is_well_formed_and_loads_nothing(name: str) -> None:
    found = sheets(name)
    page = checked(sheets_page(name, found.values()))
    assert {"article", "img", "table"} <= page.tags


def test_no_title_becomes_markup_or_a_command(tmp_path: Path) -> None:
    folder = small(tmp_path)
    path = folder / "things.yaml"
    path.write_text(path.read_text().replace("    feast:\n", f"    feast:\n      title: '{HOSTILE}'\n"))
    found = sheets(folder).values()
    page = checked(sheets_page(HOSTILE, found))
    assert not page.tags & {"script", "img"}
    assert "<img src=x onerror=y>" in page.text
    pytest.importorskip("typst")
    assert sheets_pdf(HOSTILE, found)[:5] == b"%PDF-"


def test_a_reference_card_has_two_pages_at_most() -> None:
    pytest.importorskip("typst")
    pdf = sheets_pdf("yucata", [sheets("yucata")["reference"]])
    pages = re.search(rb"/Type/Pages/Count (\d+)", pdf)
    assert pages is not None and int(pages[1]) <= 2


def test_the_command_writes_a_file_and_names_the_sheets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, folder = tmp_path / "cards.html", str(small(tmp_path))
    assert run(monkeypatch, folder, "--sheet", "card", "--out", str(out)) == 0
    assert "Feast" in checked(out.read_text("utf-8")).text
    assert run(monkeypatch, folder, "--sheet", "nothing", "--out", str(out)) == 2
    assert "there are reference, players" in " ".join(capsys.readouterr().err.split())


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["polis", "print", *words])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.path for each in shipped()], ids=lambda path: path.name)
def test_all_that_is_printed_of_a_shipped_ruleset_is_sound(name: Path) -> None:
    pytest.importorskip("typst")
    book = rulebook(read(name))
    drawn = pictures(book, name)
    checked(rulebook_page(book, drawn))
    found = sheets(name)
    checked(sheets_page(book.title, found.values()))
    pages = {
        part: int(re.findall(rb"/Type/Pages/Count (\d+)", pdf)[0])
        for part, pdf in (
            ("book", rulebook_pdf(book, drawn)),
            ("sheets", sheets_pdf(book.title, found.values())),
            ("reference", sheets_pdf(book.title, [found["reference"]])),
        )
    }
    assert pages["book"] > 3
    assert pages["sheets"] > 2
    assert pages["reference"] <= 2
