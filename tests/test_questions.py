"""The questions by which a rulebook is tried: each rests on a case that there is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from ruamel.yaml import YAML

QUESTIONS = YAML(typ="safe").load((Path(__file__).parent / "data" / "questions.yaml").read_text("utf-8"))
RULESETS = Path(__file__).parent.parent / "rulesets"


@pytest.mark.parametrize("ruleset", QUESTIONS)
def test_every_question_rests_on_a_case_of_its_game(ruleset: str) -> None:
    cases = "".join(path.read_text("utf-8") for path in sorted((RULESETS / ruleset / "cases").glob("*.yaml")))
    assert [each["case"] for each in QUESTIONS[ruleset] if f"\n  {each['case']}:\n" not in cases] == []


def test_there_are_twenty_questions_a_game_and_none_twice() -> None:
    assert {ruleset: len(asked) for ruleset, asked in QUESTIONS.items()} == dict.fromkeys(QUESTIONS, 20)
    assert max(Counter(each["q"] for asked in QUESTIONS.values() for each in asked).values()) == 1
