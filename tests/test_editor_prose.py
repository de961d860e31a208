"""The editor is told which values are words for people: those have no colours of expressions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from polis_rules.language_server import Workbench
from polis_rules.language_server.abilities import prose
from polis_rules.schema import PROSE, prose_keys

SMALL = Path(__file__).parent / "rulesets"


def test_all_that_renaming_takes_for_words_is_known_and_nothing_that_is_worked_out() -> None:
    assert set(PROSE) <= prose_keys()
    assert not prose_keys() & {"is", "if", "where", "cost", "to", "was", "type", "do", "choose", "requires", "start"}


@pytest.mark.parametrize(("other", "told"), [("text", True), ("0..3", False)])
def test_attributes_are_words_where_their_type_says_so_everywhere(other: str, told: bool, tmp_path: Path) -> None:
    text = (SMALL / "othello" / "ruleset.yaml").read_text("utf-8")
    path = tmp_path / "othello" / "ruleset.yaml"
    path.parent.mkdir()
    added = "".join(
        f"  {kind}:\n    attributes: {{motto: {{type: {sort}}}}}\n"
        for kind, sort in (("flag_bearer", "text"), ("token", other))
    )
    path.write_text(re.sub(r"(?m)^kinds:\n", f"kinds:\n{added}", text), "utf-8")
    keys, sections = prose(Workbench(), path)
    assert ("motto" in keys) == told and "title" in keys and "book" in sections and "actions" not in sections


def test_a_file_of_no_ruleset_has_the_keys_of_the_language(tmp_path: Path) -> None:
    assert "title" in prose(Workbench(), tmp_path / "alone.yaml")[0]
