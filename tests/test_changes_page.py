"""`polis diff --format html`: what is new in an edition, as a page."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from polis_cli.main import main
from support.html_pages import checked
from support.small_ruleset import small

from polis_rules.documentation.rulebook import Retelling, read
from polis_rules.publishing import changes_page

ISLES = Path(__file__).parent / "rulesets" / "random_isles"


def test_the_page_of_an_edition_is_well_formed_and_its_links_lead_somewhere() -> None:
    page = checked(changes_page(read("yucata"), read("devir")))
    assert {"In short", "Actions", "Tables", "Besides"} <= {*page.words}


def changed(folder: Path, operations: str, title: str = "Small") -> str:
    """What a variant of a ruleset with this title changes, as a page."""
    path = folder / "trial.yaml"
    path.write_text(f"variant: trial\nextends: small\n{operations}")
    base = small(folder)
    manifest = base / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("title: Small", f"title: '{title}'"))
    return changes_page(read(base), read(base, variants=(path,)))


def test_a_changed_value_stands_beside_the_one_before_with_its_reason(tmp_path: Path) -> None:
    why = "The west is too strong."
    page = checked(changed(tmp_path, f"why: {why}\nchange:\n  tables.region.west.wet: {{was: true, to: false}}\n"))
    assert "Value Now Before" in page.text
    assert "wet no yes" in page.text
    assert why in page.words


def test_nothing_that_a_ruleset_says_becomes_markup(tmp_path: Path) -> None:
    title = '</details><script>alert(1)</script><img src="https://example.org/x.png" onerror="x()">'
    page = checked(
        changed(
            tmp_path,
            f"why: '<b onclick=x()>because</b>'\nadd:\n  tables.season.wet: {{title: '{title}'}}\n",
            title,
        )
    )
    assert not page.tags & {"script", "img", "b"}
    assert "<img src=" in page.text


def test_the_command_prints_the_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["polis", "diff", str(ISLES), str(ISLES), "--format", "html"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert not stopped.value.code
    assert "have the same rules" in checked(capsys.readouterr().out).text


def test_what_both_editions_say_in_their_own_words_is_compared_by_sentences() -> None:
    """The page tells the words, and how the rule is written only on request."""
    told = {each.title: each for each in Retelling(read("yucata"), read("devir")).changes()}
    assert ("After the last the score decides.", False) in told["Polis"].now
    assert told["Polis"].before[0].startswith("Play the four rounds") and told["Ransom"].before == ()


def test_variants_are_called_by_their_titles(tmp_path: Path) -> None:
    path = tmp_path / "dark.yaml"
    path.write_text("variant: dark\ntitle: Black is Dark\nextends: politeia\n", "utf-8")
    assert "with Black is Dark</h1>" in changes_page(read("politeia"), read("politeia", variants=(path,)))
