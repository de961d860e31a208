"""`polis rulebook` as HTML and PDF: links, pictures, what is new, an index, and nothing that a title could break."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from polis_cli.main import main
from support.html_pages import checked
from support.small_ruleset import small

from polis_rules.cases import read_cases
from polis_rules.diagnostics import PolisError
from polis_rules.documentation.rulebook import read, rulebook
from polis_rules.documentation.rulebook.structure import (
    Chapter,
    Example,
    Gone,
    Indexed,
    Line,
    Rulebook,
    Section,
    Sentence,
    Table,
)
from polis_rules.publishing import (
    Edition,
    Paper,
    pictures,
    rulebook_page,
    rulebook_pdf,
    with_examples,
    with_gone,
    with_others,
)

HOSTILE = '</h3></style><script>alert(1)</script>#import "x" $ *a* `b` #read("/etc/passwd") <img src=x onerror=y>'


def hostile(folder: Path) -> Path:
    """A ruleset whose titles are markup."""
    ruleset = small(folder)
    for path in ruleset.glob("*.yaml"):
        text = path.read_text()
        for title in ("title: Small", "title: Work"):
            text = text.replace(title, f"title: '{HOSTILE}'")
        path.write_text(text)
    return ruleset


def test_the_page_is_well_formed_and_all_links_lead_somewhere() -> None:
    book = rulebook(read("yucata"))
    page = checked(rulebook_page(book, pictures(book, "yucata")))
    assert {each.anchor for each in book.sections} <= {*page.ids}
    assert {"img", "input", "table", "nav", "main"} <= page.tags
    assert "Search" in page.text


def test_an_example_has_the_picture_of_its_position() -> None:
    book = rulebook(read("yucata"))
    known = next(case for case in read_cases("yucata") if case.entry is not None and "units" in str(case.entry.given))
    example = Example(known.id, "A trial", (Sentence("It is told."),))
    chapter = replace(book.chapters[0], blocks=(example,))
    told = replace(book, chapters=(chapter, *book.chapters[1:]))
    drawn = pictures(told, "yucata")
    assert list(drawn) == ["", known.id]
    assert drawn[known.id].light != drawn[""].light
    assert "Example: A trial. It is told." in checked(rulebook_page(told, drawn)).text


def test_what_the_other_edition_does_not_say_is_marked(tmp_path: Path) -> None:
    folder = small(tmp_path)
    path = tmp_path / "trial.yaml"
    path.write_text("variant: trial\nextends: small\nchange:\n  actions.claim.cost.coins: {was: 1, to: 2}\n")
    before = Edition.of(rulebook(read(folder)))
    page = checked(rulebook_page(rulebook(read(folder, variants=(path,))), before=before))
    assert "new Pay 2 coins." in page.text
    assert page.text.count(" new ") == 2
    assert "is marked new" in page.text


def test_what_only_the_other_edition_says_is_crossed_out_where_it_stood_or_at_the_end(tmp_path: Path) -> None:
    folder = small(tmp_path)
    path = tmp_path / "trial.yaml"
    path.write_text("variant: trial\nextends: small\nremove: {procedures.take: , actions.claim.cost.coins: }\n")
    before = Edition.of(rulebook(read(folder)))
    book = with_gone(rulebook(read(folder, variants=(path,))), before)
    gone = [(each.title, block.said) for each in book.sections for block in each.blocks if isinstance(block, Gone)]
    assert ("Claim", ("Pay 1 coin.",)) in gone
    assert [section.title for section in book.chapters[-1].sections] == ["Take"]
    page = checked(rulebook_page(book, before=before))
    assert "del" in page.tags
    assert "No longer: Pay 1 coin." in page.text


def test_a_row_whose_number_alone_has_changed_is_not_gone_and_one_that_is_goes_by_its_words() -> None:
    def components(*rows: tuple[str, str]) -> Rulebook:
        table = Table(("number", "what"), tuple(Line(row) for row in rows))
        return Rulebook("", (), (Chapter("Components", "components", (table,)),))

    before = Edition.of(components(("6", "Goods"), ("40", "Events")))
    chapter = with_gone(components(("24", "Events")), before).chapters[0]
    assert [block.said for block in chapter.blocks if isinstance(block, Gone)] == [("Goods",)]


def sentences_of(section: Section) -> Iterator[Sentence]:
    yield from Rulebook("", (), (Chapter("", "", section.blocks),)).sentences()


def test_each_other_scenario_and_variant_has_a_section_with_what_it_changes(tmp_path: Path) -> None:
    folder = small(tmp_path)
    (folder / "scenarios" / "rich.yaml").write_text(
        "scenario: rich\ntitle: Rich\nchange: {terms.limit.is: {was: 5, to: 7}}\n"
    )
    (folder / "variants").mkdir()
    (folder / "variants" / "dear.yaml").write_text(
        "variant: dear\nextends: small\nwhy: Claims are cheap.\nchange: {actions.claim.cost.coins: {was: 1, to: 2}}\n"
    )
    opened = read(folder)
    book = with_others(rulebook(opened), opened, folder)
    sections = [section for chapter in book.chapters[-2:] for section in chapter.sections]
    rich, dear = (" ".join(each.text for each in sentences_of(section)) for section in sections)
    assert rich.startswith("'Limit' is 7")
    assert dear == "Claims are cheap. Claim costs 2 coins. Before: Claim costs 1 coin."
    assert with_others(book, read(folder, variants=("dear",)), folder) == book


def test_no_title_becomes_markup_on_the_page(tmp_path: Path) -> None:
    page = checked(rulebook_page(rulebook(read(hostile(tmp_path)))))
    assert page.scripts == 1
    assert "img" not in page.tags
    assert "<img src=x onerror=y>" in page.text


def test_no_title_becomes_a_command_in_the_pdf(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    assert rulebook_pdf(rulebook(read(hostile(tmp_path))))[:5] == b"%PDF-"


def test_a_pdf_has_pages_of_the_paper_asked_for_with_a_link_for_each_entry_of_the_index(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    book = rulebook(read(small(tmp_path)))
    for paper, size in ((Paper.a4, b"[0 0 595.27"), (Paper.letter, b"[0 0 612 792]")):
        pdf = rulebook_pdf(book, paper=paper)
        pages = re.search(rb"/Type/Pages/Count (\d+)", pdf)
        assert pages is not None and int(pages[1]) > 2
        assert pdf.count(b"/MediaBox" + size) == int(pages[1])
        in_contents = sum(1 + len(chapter.sections) for chapter in book.chapters)
        assert pdf.count(b"/Subtype/Link") >= in_contents + len(book.index)


def test_chapters_without_a_name_in_latin_letters_and_of_the_same_name_have_places_of_their_own(tmp_path: Path) -> None:
    book = rulebook(read(small(tmp_path)))
    chapters = tuple(replace(chapter, title="Πόλις", anchor="") for chapter in book.chapters[:3])
    again = (*chapters, book.chapters[3], replace(book.chapters[3], title="Again"))
    told = replace(book, chapters=again, index=(*book.index, Indexed("Nowhere", ("nowhere",))))
    assert "Πόλις" in checked(rulebook_page(told)).words
    pytest.importorskip("typst")
    assert rulebook_pdf(told)[:5] == b"%PDF-"


def test_without_typst_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(PolisError, match=r'PDF needs one more package: pip install "polis-rules\[print\]"'):
        rulebook_pdf(rulebook(read(small(tmp_path))))


def test_the_command_writes_the_page_and_says_what_needs_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, folder = tmp_path / "rules.html", str(small(tmp_path))
    assert run(monkeypatch, folder, "--format", "html", "--out", str(out)) == 0
    assert "Small" in checked(out.read_text("utf-8")).text
    assert run(monkeypatch, folder, "--format", "pdf") != 0
    assert "a PDF is written to a file" in capsys.readouterr().err


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["polis", "rulebook", *words])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


def test_what_holds_no_more_after_an_example_is_said_in_words() -> None:
    opened = read("colonnades")
    book = with_examples(rulebook(opened), opened, "colonnades")
    told = [
        each.text
        for block in book.sections
        for part in block.blocks
        if isinstance(part, Example)
        for each in part.sentences
    ]
    assert any("Well: owner Red, not under construction" in each for each in told)


def test_a_worked_example_is_told_as_its_case_is_played() -> None:
    opened = read("yucata")
    book = with_examples(rulebook(opened), opened, "yucata")
    told = [block for section in book.sections for block in section.blocks if isinstance(block, Example)]
    assert [each.case for each in told] == ["example_1_matched_on_land", "example_3_mercenaries_and_a_wrong_card"]
    position, *_, last, result = (each.text for each in told[0].sentences)
    assert position.startswith("Position: Round 5") and position.endswith("; Boiotia: units Athens 5, Sparta 3.")
    assert last.endswith("Sparta gains 1 prestige.")
    assert result == "Result: Sparta: prestige +1."
