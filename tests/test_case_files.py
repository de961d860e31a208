"""Files of cases: what they say for all their cases, and which files they may lead to."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_cases import small

from polis_rules.cases.reading import read_cases
from polis_rules.cases.runner import run_cases

SECRET = "password: swordfish\n"


def test_given_and_drawn_stand_for_a_whole_file(tmp_path: Path) -> None:
    """Each case takes what its file gives and draws, unless it says so itself; a case need not need the draw."""
    text = """
given: {player: {red: {position: 10}, blue: {position: 3}}}
drawn: {pile: [mud]}
cases:
  as_given:
    given: {player: {blue: {position: 4}}}
    then: {player: {red: {position: 10}, blue: {position: 4}}, card: {mud: {hand: {red: 1}}}}
  its_own:
    rolled: {pile: [tailwind]}
    then: {player: {blue: {position: 3}}, card: {mud: {hand: {red: 0}}, tailwind: {hand: {red: 1}}}}
"""
    assert [each.failures for each in run_cases(small(tmp_path, {"shared": text}))] == [(), ()]


def test_decisions_before_stand_for_a_whole_file(tmp_path: Path) -> None:
    """Each case makes the decisions of its file first, then its own; what is no list of them is an error there."""
    text = """
before:
  - red: walk
cases:
  as_given:
    decides: blue
  its_own:
    do: [{blue: walk}]
    decides: red
"""
    assert [each.failures for each in run_cases(small(tmp_path, {"before": text}))] == [(), ()]
    (finding, *_) = read_cases(small(tmp_path / "wrong", {"before": "before: 3\ncases: {one: {decides: red}}\n"}))[
        0
    ].findings
    assert finding.span is not None
    assert (finding.code, finding.span.line) == ("not-a-list", 1)


@pytest.mark.parametrize("name", ["stolen.yaml", "inherited.yaml"])
def test_a_file_of_cases_that_is_a_link_out_of_the_ruleset_is_not_read(name: str, tmp_path: Path) -> None:
    """It is `file-outside`, as it is for rules, and nothing of it is told."""
    game = small(tmp_path, {})
    (tmp_path / "secret.yaml").write_text(SECRET)
    if name == "inherited.yaml":
        longer = tmp_path / "longer"
        (longer / "cases").mkdir(parents=True)
        (longer / "ruleset.yaml").write_text("format: 2\nruleset: longer\ntitle: Longer\nextends: dice_race\n")
        game = longer
    (game / "cases" / name).symlink_to(tmp_path / "secret.yaml")
    (result,) = run_cases(game)
    assert [each.code for each in result.findings] == ["file-outside"]
    assert "password" not in str(result)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("variants: [../../../secret.yaml]", "file-outside"),
        ("variants: [{folder}/secret.yaml]", "file-outside"),
        ("variants: [../leak.yaml]", "file-outside"),
        ("variants: [{folder}/secret]", "unknown-variant"),
        ("scenario: ../secret.yaml", None),
        ("scenario: {folder}/secret.yaml", None),
    ],
)
def test_a_case_opens_no_file_that_is_far_from_its_ruleset(words: str, code: str | None, tmp_path: Path) -> None:
    """Variants are ids, or files in the folder that holds the ruleset; a scenario is an id."""
    case = f"cases:\n  it:\n    {words.format(folder=tmp_path)}\n    offers: sprint\n"
    (tmp_path / "games").mkdir()
    game = small(tmp_path / "games", {"it": case})
    for name in ("secret.yaml", "secret"):
        (tmp_path / name).write_text(SECRET)
    (game / "leak.yaml").symlink_to(tmp_path / "secret.yaml")
    (result,) = run_cases(game)
    assert result.findings and code in (None, result.findings[0].code)
    assert result.findings[0].span is not None and result.findings[0].span.file.endswith("it.yaml")
    assert "password" not in str(result)


def test_a_file_of_cases_that_is_in_no_ruleset_names_variants_beside_it_only(tmp_path: Path) -> None:
    """A single file of cases leads no further than its own folder and the one that holds the ruleset."""
    game = small(tmp_path / "games", {})
    (tmp_path / "secret.yaml").write_text(SECRET)
    (tmp_path / "notes").mkdir()
    file = tmp_path / "notes" / "moments.yaml"
    (tmp_path / "notes" / "costly.yaml").write_text((game / "costly.yaml").read_text())
    for variant, code in (
        ("costly.yaml", None),
        ("../games/dice_race/costly.yaml", None),
        ("../secret.yaml", "file-outside"),
    ):
        file.write_text(f"cases:\n  it: {{variants: [{variant}], offers: walk}}\n")
        (result,) = run_cases(game, file=file)
        assert [each.code for each in result.findings] == ([] if code is None else [code])
        assert result.passed == (code is None)
