"""One pipeline: every way in finds the same, and one mistake hides no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from polis_rules import RulesetError, load
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.language_server.analysis import analyse
from polis_rules.language_server.casefiles import EditorMemory
from polis_rules.language_server.targets import Target
from polis_rules.pipeline import Build, run
from polis_rules.validation.validate import validate

BEGUN = """\
format: 2
ruleset: begun
title: Begun
scenario: {scenario: only}
kinds:
  player: {state: {coins: {type: 0..9, spendable: true}}}
tables: {player: {red: {}, blue: {}}}
actions:
  dig: {do: [{gain: {coins: 1}}]}
  sell: {requires: {rich: you.coinz > 2}, do: [{gain: {coins: gold}}, {end: bored}]}
"""
"""The first lines of a new game, with two mistakes."""

TOO_MANY = """\
format: 2
ruleset: pieces
title: Pieces
scenario: {scenario: only, start: {player: {red: {fruit: 5}, blue: {fruit: 4}}}}
kinds: {player: {state: {fruit: 0..9}}}
tables: {player: {red: {}, blue: {}}}
state: {basket: 0..5}
supplies: {fruit: {total: 5, reserve: basket, places: {players: sum(p.fruit for p in player)}}}
phases: {game: [{end: over}]}
endings: {over: {}}
score: {terms: {fruit: who.fruit}}
"""


def ruleset(folder: Path, text: str) -> Path:
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return folder


def seen(findings: list[Diagnostic] | tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    return [(str(each.span).partition(":")[2], each.code) for each in findings]


def loaded(folder: Path) -> list[tuple[str, str]]:
    with pytest.raises(RulesetError) as raised:
        load(folder)
    return seen(raised.value.diagnostics)


def edited(folder: Path) -> list[tuple[str, str]]:
    return seen(analyse(Target(folder), {}, EditorMemory()).judged)


def test_a_game_without_a_course_endings_and_score_is_typechecked_already(tmp_path: Path) -> None:
    """What is not written yet is missed, and what is written is checked; nothing else is said."""
    begun = ruleset(tmp_path, BEGUN)
    expected = [(place, "missing-section") for place in ["2:10"] * 3]
    expected += [("10:31", "unknown-name"), ("10:63", "unknown-name")]
    assert seen(validate(begun).findings) == loaded(begun) == edited(begun) == expected


def test_a_set_up_with_too_many_pieces_is_found_by_every_way_in(tmp_path: Path) -> None:
    """The editor tells what the command tells."""
    pieces = ruleset(tmp_path, TOO_MANY)
    (finding,) = validate(pieces).findings
    assert finding.code == "unfit-start"
    assert seen([finding]) == loaded(pieces) == edited(pieces)


def test_a_wrong_shape_hides_no_wrong_type_in_any_way_in(tmp_path: Path) -> None:
    """What cannot be read is left out, and what names it is not called unknown; the rest is checked."""
    text = BEGUN.replace("  dig: {do: [", "  dig: {does: [").replace("{end: bored}", "{do: rest}")
    text += "procedures: {rest: {do: 3}, idle: {do: [{set: {you.coins: gold}}]}}\n"
    text += "phases: {game: [{end: over}]}\nendings: {over: {}}\nscore: {terms: {coins: who.coins}}\n"
    broken = ruleset(tmp_path, text)
    expected = [("9:9", "unknown-key"), ("10:31", "unknown-name"), ("10:63", "unknown-name"), ("11:25", "not-a-list")]
    assert seen(validate(broken).findings) == loaded(broken) == edited(broken) == expected


def test_an_entry_left_out_hides_only_what_names_it(tmp_path: Path) -> None:
    """A broken procedure called `name` does not hide an error whose message has that word."""
    text = BEGUN + "procedures: {name: {do: 3}}\nphases: {game: [name, {end: over}]}\n"
    text += "endings: {over: {}}\nscore: {terms: {coins: who.coins}}\n"
    messages = [each.message for each in validate(ruleset(tmp_path, text)).findings]
    assert "there is no name `gold`" in messages
    assert not [each for each in messages if "`name`" in each]


def test_stages_say_how_far_they_came(tmp_path: Path) -> None:
    """Composing fails, so nothing after it runs."""
    build = run(Build(tmp_path))
    assert build.done == [] and [each.code for each in build.findings] == ["unknown-ruleset"]
