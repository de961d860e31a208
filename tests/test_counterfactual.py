"""`polis counterfactual`: a recorded game under other rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Polis, command

import polis_rules
from polis_rules.lab import LabError, counterfactual
from polis_rules.play import Transcript, TranscriptError, bots, play_game, record, write

polis = pytest.fixture(command)

SHELF = Path(__file__).parent / "rulesets"
COSTLY = """\
variant: costly_sieges
title: Costly sieges
extends: yucata
why: Sieges end our games too early.
change:
  actions.besiege_polis.cost.prestige: {was: 1, to: 2}
"""


@pytest.fixture(scope="module")
def rules() -> polis_rules.Ruleset:
    return polis_rules.load("yucata")


@pytest.fixture(scope="module")
def costly(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("variant") / "costly_sieges.yaml"
    file.write_text(COSTLY, "utf-8")
    return file


def played(rules: polis_rules.Ruleset, seed: int) -> Transcript:
    game = rules.start(seed=seed)
    play_game(game, dict(zip(rules.players, bots.seated(["random", "random"], seed), strict=True)))
    return record(rules, game, dict.fromkeys(rules.players, "random"))


def test_by_the_same_rules_a_game_is_the_same_to_its_end(rules: polis_rules.Ruleset) -> None:
    transcript = played(rules, 9)
    found = counterfactual(transcript, rules, polis_rules.load("yucata"))
    assert (found.changed, found.first, found.stopped_by, found.values) == ((), None, "", ())
    assert found.followed == len(transcript.entries)
    assert found.results == (transcript.result, transcript.result)


def test_the_first_decision_that_differs_is_told_with_the_rule_that_does_it(
    rules: polis_rules.Ruleset, costly: Path
) -> None:
    """Before it nothing that any player reads is another; at it a cost is."""
    transcript = played(rules, 9)
    others = polis_rules.load("yucata", None, [costly])
    found = counterfactual(transcript, rules, others)
    (line,) = found.changed
    assert (line.path, line.before, line.now) == ("actions.besiege_polis.cost.prestige", "1", "2")
    assert line.span is not None
    assert COSTLY.splitlines()[line.span.line - 1].startswith("  actions.besiege_polis")
    first = found.first
    assert first is not None
    assert first.costs == (("Besiege Polis", "1 prestige", "2 prestige"),)
    here, there = rules.start(seed=9, chance="manual"), others.start(seed=9, chance="manual")
    for entry in transcript.entries[: first.entry - 1]:
        assert here.decision == there.decision
        here.replay([entry])
        there.replay([entry])
    assert here.decision != there.decision


def test_a_link_that_is_gone_is_told_as_a_whole_and_not_by_what_it_cited(
    rules: polis_rules.Ruleset, tmp_path: Path
) -> None:
    parted = tmp_path / "parted.yaml"
    text = "variant: parted\ntitle: Parted\nextends: yucata\nwhy: To see.\n"
    parted.write_text(f"{text}remove:\n  graphs.land.edges.megaris-boiotia:\n", "utf-8")
    others = polis_rules.load("yucata", None, [parted])
    transcript = played(rules, 9)
    (line,) = counterfactual(transcript, rules, others).changed
    assert str(line) == "graphs.land.edges.megaris-boiotia is gone"
    game = others.start(seed=9)
    (line,) = counterfactual(record(others, game, dict.fromkeys(rules.players, "random")), others, rules).changed
    assert str(line).startswith("graphs.land.edges.megaris-boiotia is new: cite: yucata")


def test_what_is_no_longer_possible_ends_the_comparison_with_its_reason(
    rules: polis_rules.Ruleset, costly: Path
) -> None:
    others = polis_rules.load("yucata", None, [costly])
    transcript = played(rules, 9)
    found = counterfactual(transcript, rules, others)
    assert found.followed < len(transcript.entries)
    assert found.stopped_by
    assert found.values


def test_what_only_the_other_rules_count_is_no_difference_before_it_changes(rules: polis_rules.Ruleset) -> None:
    """By the variant a siege lasts, and each polis has numbers of its own for that from the start."""
    found = counterfactual(played(rules, 9), rules, polis_rules.load("yucata", None, ["print_and_play_siege"]))
    assert found.first is not None and found.first.entry > 1
    assert ("polis.athenai.besiegers", "nothing", "0") not in found.first.values


def test_a_transcript_of_other_rules_is_refused(rules: polis_rules.Ruleset, costly: Path) -> None:
    others = polis_rules.load("yucata", None, [costly])
    with pytest.raises(TranscriptError, match="played with other rules"):
        counterfactual(played(rules, 9), others, rules)


def test_other_players_are_refused(rules: polis_rules.Ruleset) -> None:
    with pytest.raises(LabError, match="has other players"):
        counterfactual(played(rules, 9), rules, polis_rules.load(Path(__file__).parent / "rulesets" / "leduc"))


def test_of_a_game_that_is_not_over_no_end_is_told(polis: Polis, rules: polis_rules.Ruleset, tmp_path: Path) -> None:
    begun = record(rules, rules.start(seed=9), dict.fromkeys(rules.players, "random"))
    write(tmp_path / "game.jsonl", begun)
    told = polis("counterfactual", tmp_path / "game.jsonl", "--variant", "free_ransom")
    assert "The game is the same as far as it was played." in told.out


def test_where_the_game_goes_on_by_the_other_rules_that_is_told(
    polis: Polis, rules: polis_rules.Ruleset, tmp_path: Path
) -> None:
    """With much prestige at the start a capital that cannot be fed is no end yet."""
    write(tmp_path / "game.jsonl", played(rules, 9))
    told = polis("counterfactual", tmp_path / "game.jsonl", "--variant", "tweaks", "--set", "more_prestige=9")
    assert "The same decisions are possible to the end." in told.out
    assert "Before: A capital cannot be fed" in told.out and "Now: the game goes on" in told.out


def test_another_value_of_a_setting_is_told_as_a_setting_and_not_as_the_term_that_is_made_of_it() -> None:
    one, other = (polis_rules.load(SHELF / "harbours", settings={"catch": sides}) for sides in (4, 6))
    told = [str(line) for line in counterfactual(played(one, 1), one, other).changed]
    assert "settings.catch: 4 becomes 6" in told and not any("terms.catch" in line for line in told), told


@pytest.mark.slow
def test_the_command_tells_it(polis: Polis, rules: polis_rules.Ruleset, costly: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    write(file, played(rules, 9))
    told = polis("counterfactual", file, "--variant", costly)
    assert told.status == 0
    assert "Besiege Polis costs 2 prestige, before 1 prestige" in told.out
    assert f"becomes 2 [{costly}:6]" in told.out
    data = polis("counterfactual", file, "--variant", costly, "--format", "json").data
    assert data["first"]["costs"] == [["Besiege Polis", "1 prestige", "2 prestige"]]


def test_without_a_variant_there_is_nothing_to_compare(polis: Polis, tmp_path: Path) -> None:
    told = polis("counterfactual", tmp_path / "game.jsonl")
    assert (told.status, "a variant or a setting is needed" in told.err) == (2, True)
