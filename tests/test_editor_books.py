"""Editors know the layout of a rulebook: rules by their paths in chapters, and by section and id in what is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.editor import Editor
from support.small_ruleset import small

PLAN = """
book:
  chapters:
    claims: {title: Claims, rules: [actions.claim]}
  says:
    actions:
      claim: {text: Claim what you like., case: a_claim}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = small(tmp_path)
    path = folder / "things.yaml"
    path.write_text(path.read_text("utf-8") + PLAN, "utf-8")
    return folder


def test_completion_offers_rules_where_the_book_names_them(editor: Editor, home: Path) -> None:
    """Paths in chapters, sections and ids in what it says of rules."""
    for old, new, wanted, unwanted in (
        ("rules: [actions.claim]", "rules: [|]", {"actions.claim", "procedures.take", "phases.turn"}, {"claim"}),
        ("  says:\n    actions:\n      claim", "  says:\n    |:\n      claim", {"actions", "procedures"}, {"terms"}),
        ("    actions:\n      claim: {text", "    actions:\n      |: {text", {"claim", "work"}, {"take"}),
    ):
        found = editor.completions(home / "things.yaml", old, new)
        assert wanted <= found and not unwanted & found, (new, found)


def test_a_rule_in_a_chapter_leads_to_the_rule_and_says_what_it_is(editor: Editor, home: Path) -> None:
    path = home / "things.yaml"
    text = path.read_text("utf-8")
    found = editor.at("hover", path, text, "rules: [actions.cl")
    assert "Claim" in str(found)
    target = editor.at("definition", path, text, "rules: [actions.cl")
    assert "play.yaml" in str(target)
