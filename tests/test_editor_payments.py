"""Editors know what is paid with: what may stand beside `or`, what stands in, and where it is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.editor import Editor, edited

from polis_rules.validation.validate import validate

WORKSHOP = Path(__file__).parent / "rulesets" / "workshop"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WORKSHOP, tmp_path / "workshop"))


def test_completion_offers_what_may_be_paid_with(editor: Editor, home: Path) -> None:
    """Spendable state, and the members that it is kept for."""
    for old, new, wanted, unwanted in (
        ("cost: {tokens or points: 1}", "cost: {tokens or |: 1}", {"points", "coins"}, {"owner"}),
        ("cost: {tokens or points: 1}", "cost: {|: 1}", {"tokens", "wood"}, {"makes"}),
        ("instead: {tokens: 1, coins: 2}", "instead: {tokens: 1, |: 2}", {"coins", "points"}, {"makes"}),
        ("instead: {tokens: 1, coins: 2}", "instead: [|]", {"coins", "tokens"}, {"makes"}),
        ("first: it.makes[ware]", "first: it.|", {"makes", "goods"}, {"needs"}),
        ("        spendable: true\n", "        |\n", {"spendable", "bank"}, {"cost"}),
        ("bank: bank,", "bank: |,", {"bank"}, {"cost"}),
    ):
        found = editor.completions(home / "ruleset.yaml", old, new)
        assert wanted <= found and not unwanted & found, (new, found)


@pytest.mark.slow
def test_what_is_paid_with_is_renamed_wherever_it_stands(editor: Editor, home: Path) -> None:
    """Beside `or` and among stand-ins, too; and the rules stay sound."""
    rules = home / "ruleset.yaml"
    text = rules.read_text("utf-8")
    shutil.rmtree(home / "cases")
    editor.open(rules)
    for path, changed in edited(editor.at("rename", rules, text, "      tok|ens: {type", newName="chits")).items():
        path.write_text(changed, encoding="utf-8")
    renamed = rules.read_text("utf-8")
    assert "chits or points: 1" in renamed and "instead: {chits: 1, coins: 2}" in renamed
    assert not validate(home).errors
