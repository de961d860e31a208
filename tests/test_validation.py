"""Findings: as text, JSON and SARIF; silenced by comments and baselines; after every stage that could run."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from polis_rules.diagnostics import baseline
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.merging import merged
from polis_rules.diagnostics.sarif import sarif
from polis_rules.diagnostics.span import Span
from polis_rules.diagnostics.suppressions import ignores, silence
from polis_rules.validation.validate import validate

HERE = Path(__file__).parent
SARIF = json.loads((HERE / "data" / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))
"""The structure of the schema that OASIS publishes for SARIF 2.1.0, without its prose."""


def warning(line: int, code: str = "unused-term") -> Diagnostic:
    return Diagnostic(code, "nobody uses this", Span("mine/a.yaml", line, 3, line, 8), severity="warning")


def test_sarif_output_meets_the_published_schema() -> None:
    related = (("defined here", Span("mine/b.yaml", 1, 1, 1, 4)),)
    findings = [
        warning(1),
        Diagnostic("unknown-name", "there is no `coinn`", Span("mine/a.yaml", 2, 9, 2, 14), "coin?", related),
        Diagnostic("no-beginning", "play begins nowhere", None),
        Diagnostic("empty-draw", "nothing may be left", Span("c.yaml", 3, 1, 3, 2), None, (), "note", "possible"),
    ]
    for found in (findings, []):
        jsonschema.Draft4Validator(SARIF).validate(sarif(found, "0.1.0"))


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("mine/a.yaml", "mine/a.yaml"),
        ("my rules/é#1.yaml", "my%20rules/%C3%A9%231.yaml"),
        ("/home/me/a.yaml", "file:///home/me/a.yaml"),
    ],
)
def test_sarif_names_files_by_uris(file: str, uri: str) -> None:
    finding = Diagnostic("unused-term", "nobody uses this", Span(file, 1, 1, 1, 2), severity="warning")
    location = sarif([finding], "0.1.0")["runs"][0]["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_sarif_names_the_exact_region_of_each_finding() -> None:
    result = sarif([warning(7)], "0.1.0")["runs"][0]["results"][0]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 7, "startColumn": 3, "endLine": 7, "endColumn": 8}


@pytest.mark.parametrize(
    "text",
    [
        "  name: 1  # polis: ignore[unused-term] kept for later\n",
        "# polis: ignore[unused-term] kept for later\n  name: 1\n",
        "# polis: ignore[other, unused-term] kept for later\n  name: 1\n",
    ],
)
def test_a_comment_silences_a_warning_on_its_line_or_on_the_next(text: str) -> None:
    line = 1 if text.startswith(" ") else 2
    assert silence([warning(line)], {"mine/a.yaml": text}) == []


def test_a_comment_that_silences_nothing_is_reported_at_its_place() -> None:
    (found,) = silence([], {"mine/a.yaml": "a: 1\nb: 2  # polis: ignore[unused-term] why\n"})
    assert (found.code, str(found.span)) == ("unused-ignore", "mine/a.yaml:2:7")


def test_a_comment_without_a_reason_is_reported() -> None:
    (found,) = silence([warning(1)], {"mine/a.yaml": "a: 1  # polis: ignore[unused-term]\n"})
    assert found.code == "ignore-without-reason"


def test_an_error_cannot_be_silenced() -> None:
    error = Diagnostic("unknown-name", "there is no `x`", Span("mine/a.yaml", 1, 4, 1, 5))
    found = silence([error], {"mine/a.yaml": "a: x  # polis: ignore[unknown-name] please\n"})
    assert [each.code for each in found] == ["unknown-name", "ignored-error"]


def test_comments_are_found_with_their_codes_and_reasons() -> None:
    (found,) = ignores({"a.yaml": "x: 1 # polis: ignore[one, two] because of this\n"})
    assert (found.codes, found.reason, found.line) == (("one", "two"), "because of this", 1)


def test_one_cause_is_reported_once_with_its_other_places_counted() -> None:
    places = [Span("mine/a.yaml", line, 3, line, 8) for line in (2, 5, 9)]
    (found,) = merged([Diagnostic("unknown-name", "there is no `coinn`", place) for place in places])
    assert found.span == places[0]
    assert found.related == (("and in 2 other places, such as this one", places[1]),)


def test_a_baseline_covers_as_many_findings_as_it_lists_wherever_they_moved(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    assert baseline.write(path, [warning(1), warning(5), Diagnostic("unknown-name", "error", None)]) == 2
    known = baseline.read(path)
    assert baseline.unknown([warning(11), warning(15)], known) == []
    assert baseline.unknown([warning(11), warning(15), warning(16)], known) == [warning(16)]


def test_a_baseline_never_covers_an_error(tmp_path: Path) -> None:
    error = Diagnostic("unknown-name", "there is no `x`", None)
    path = tmp_path / "known.json"
    baseline.write(path, [error])
    assert baseline.unknown([error], baseline.read(path)) == [error]


@pytest.mark.parametrize("text", ["", "[]", '{"format": 9}', '{"format": 1, "findings": {"a": "b"}}'])
def test_a_damaged_baseline_is_refused_with_its_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(baseline.BaselineError, match=r"known\.json"):
        baseline.read(path)


def test_errors_of_an_early_stage_say_which_checks_were_skipped(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("format: 1\nruleset: broken\ntitle: Broken\nfiles: [none.yaml]\n")
    found = validate(tmp_path)
    assert found.errors
    assert "typecheck" in found.skipped


def test_what_is_wrong_in_shape_hides_no_other_error(tmp_path: Path) -> None:
    """A misspelt key is read as it was meant, what cannot be read is left out, and the rest is checked."""
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    for old, new in (
        ("where:\n          it_must_be_sold_here", "were:\n          it_must_be_sold_here"),
        ("is: who.coins >= item.price and", "grade: sure\n    is: who.coin >= item.price and"),
        ("- gain: {ware: 1}", "- gian: {ware: 1}"),
        ("last_day: {is: 4}", "last_day: [4]"),
        ("daily_moves: {is: 2}", "Daily_moves: {is: 2}"),
        ("reserve: owner.carts", "reserve: owner.cart"),
    ):
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    found = [each.code for each in validate(tmp_path).findings]
    assert sorted(found) == [
        "invalid-id", "not-a-mapping", "unfit-value", "unknown-key", "unknown-name", "unknown-name", "unknown-verb"
    ]  # fmt: skip


def test_a_broken_rule_hides_no_error_whose_message_has_its_name_in_it(tmp_path: Path) -> None:
    """Which errors follow from what was left out is known from the missing name, not read from messages."""
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    text = text.replace("reserve: owner.carts", "reserve: owner.cart")
    text = text.replace("\nprocedures:\n", "\nprocedures:\n  state: {do: 7}\n")
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    found = [(each.code, each.suggestion) for each in validate(tmp_path).findings]
    assert sorted(found, key=str) == [("not-a-list", None), ("unknown-name", "carts")]


def test_a_file_that_is_not_listed_is_named(tmp_path: Path) -> None:
    """Rules in a file that the manifest forgot are told of, beside the errors that follow from it."""
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    begin, end = text.index("supplies:\n"), text.index("invariants:\n")
    (tmp_path / "ruleset.yaml").write_text(
        text[:begin] + text[end:].replace("day <= last_day", "day <= lats_day"), "utf-8"
    )
    (tmp_path / "pieces").mkdir()
    (tmp_path / "pieces" / "carts.yaml").write_text(text[begin:end], encoding="utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "ruleset.yaml").write_text("kinds: {}\n", encoding="utf-8")
    (found, _) = sorted(validate(tmp_path).findings, key=lambda each: each.severity, reverse=True)
    assert (found.code, found.hint) == ("unlisted-file", "add pieces/carts.yaml")


def test_a_misspelt_definition_is_named_beside_its_uses(tmp_path: Path) -> None:
    """Where a use is unknown and a name that nothing uses is one slip away, the finding has both places."""
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(text.replace("  last_day: {is: 4}", "  lats_day: {is: 4}"), encoding="utf-8")
    (found,) = validate(tmp_path).findings
    assert (found.code, found.missing, found.suggestion) == ("unknown-name", "last_day", "lats_day")
    ((what, _),) = [each for each in found.related if "misspelt" in each[0]]
    assert what == "`lats_day`, which nothing uses, is declared here: is this the one that is misspelt?"


def test_a_member_that_a_variant_removes_is_said_to_be_removed(tmp_path: Path) -> None:
    """A rule that names a member taken away by an overlay is told which layer did so, and where."""
    variant = tmp_path / "no_wine.yaml"
    variant.write_text("variant: no_wine\ntitle: No wine\nremove: {tables.good.wine: }\n", encoding="utf-8")
    found = validate(HERE / "errors" / "sound" / "market", variants=[variant]).findings
    related = {what for each in found for what, _ in each.related}
    assert "variant no_wine removes `wine` here" in related


def test_a_full_validation_plays_every_scenario_and_variant_of_a_sound_ruleset() -> None:
    found = validate(HERE / "rulesets" / "dice_race", full=True)
    assert found.errors == 0
    assert any(each.startswith("games of dice_race") for each in found.checked)


def test_a_full_validation_says_which_endings_no_game_came_to(tmp_path: Path) -> None:
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    text = text.replace(
        "    - end: fair_is_over\n",
        """    - if: sum(p.coins for p in player) == 40
      then: [{end: riches}]
    - end: fair_is_over
""",
    ).replace("endings:\n", "endings:\n  riches: {title: Both are rich}\n")
    (tmp_path / "market").mkdir()
    (tmp_path / "market" / "ruleset.yaml").write_text(text, encoding="utf-8")
    told: list[str] = []
    found = validate(tmp_path / "market", full=True, progress=told.append)
    (note,) = found.findings
    assert (note.code, note.severity, note.message) == (
        "ending-not-seen",
        "note",
        "none of 200 random games ended with `riches`",
    )
    assert found.checked[-1] == "games of market: fair_is_over 200; none ended with riches"
    assert told[-1] == "games of market (1 of 1)"
