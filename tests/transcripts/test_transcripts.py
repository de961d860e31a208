"""The recorded games: each can be played again to the same position, and together they use all there is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from record import EDITIONS, variants
from support.sampling import sampled
from uses import missing, needless, shows, to_use, used

from polis_rules import Ruleset, load
from polis_rules.play import transcript
from polis_rules.play.transcript import Transcript, TranscriptError

FILES = sorted(Path(__file__).parent.glob("*.jsonl"))
ENDS = sorted((Path(__file__).parent / "ends").glob("*.jsonl"))
RENEW = "\nif the rules were meant to change: python tests/transcripts/record.py"
RENEW_ENDS = "\nif the rules were meant to change: python tests/transcripts/record_ends.py"
VARIANTS = [(ruleset, variant) for ruleset in EDITIONS for variant in variants(ruleset)]


@cache
def rules(file: Path) -> Ruleset:
    played = transcript.read(file)
    return load(played.ruleset, played.scenario, played.variants, settings=played.settings)


@cache
def game(file: Path) -> Transcript:
    """A recorded game as one of the present rules: what is asked here is whether it goes as it did."""
    return replace(transcript.read(file), hash=rules(file).hash)


@cache
def names(file: Path) -> frozenset[str]:
    """What a recorded game uses; nothing when it cannot be played by the present rules."""
    try:
        return frozenset(used(game(file), rules(file)))
    except TranscriptError:
        return frozenset()


def together(ruleset: str, files: list[Path]) -> set[str]:
    """What those of the games use that are played by an edition's own rules."""
    return set().union(*(names(file) for file in files if game(file).ruleset == ruleset and not game(file).variants))


def begun(file: Path, entries: int) -> Transcript:
    """The beginning of a recorded game."""
    return replace(game(file), entries=game(file).entries[:entries], final_hash=None, result=None)


def of(file: Path) -> str:
    return file.stem


@pytest.mark.parametrize("file", sampled(FILES, every=10, name=of, slow=3))
def test_a_recorded_game_ends_in_the_same_position_when_it_is_played_again(file: Path) -> None:
    again = transcript.replay(game(file), rules(file))
    assert again.divergence is None, f"{again.divergence}{RENEW}"
    assert game(file).finished


@pytest.mark.parametrize("file", sampled(ENDS, every=20, slow=2, name=of))
def test_a_game_that_is_recorded_for_its_end_comes_to_it_again(file: Path) -> None:
    again = transcript.replay(game(file), rules(file))
    assert again.divergence is None, f"{again.divergence}{RENEW_ENDS}"


@pytest.mark.parametrize("ruleset", ["politeia", "colonnades", "hellenes_training"])
def test_a_game_is_recorded_for_every_ending(ruleset: str) -> None:
    results = [transcript.read(file).result for file in ENDS if file.name.startswith(ruleset)]
    reached = {result.ended_by for result in results if result is not None}
    assert reached == set(load(ruleset).rules().endings)


def test_a_game_is_recorded_for_every_way_in_which_a_score_decides() -> None:
    """One player has most points, a tie is broken, nobody wins; and where the rules say so, several share it."""
    ways: dict[str, set[str]] = {file.name.partition("_")[0]: set() for file in ENDS}
    for file in ENDS:
        result = transcript.read(file).result
        assert result is not None
        totals = sorted(terms["total"] for terms in result.scores.values())
        won = "shared" if result.shared else "nobody" if result.winner is None else "one"
        ways[file.name.partition("_")[0]].add(f"{won}, tied" if totals[-1] == totals[-2] else won)
    assert ways["colonnades"] == {"one", "one, tied", "nobody, tied"}
    assert ways["politeia"] >= {"one", "shared, tied"}


@pytest.mark.slow
def test_every_recorded_game_names_the_present_rules_so_that_polis_replay_takes_it() -> None:
    stale = [file.name for file in FILES if transcript.read(file).hash != rules(file).hash]
    assert not stale, f"recorded by other rules: {', '.join(stale)}{RENEW}"


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", EDITIONS)
def test_the_games_of_an_edition_use_all_that_it_has(ruleset: str) -> None:
    lacking = missing(ruleset, together(ruleset, FILES))
    assert not lacking, f"{ruleset}: used by no recorded game: {', '.join(lacking)}{RENEW}"


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", EDITIONS)
def test_nothing_is_excused_that_a_game_uses_or_that_is_not_there(ruleset: str) -> None:
    assert needless(ruleset, together(ruleset, FILES)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "variant"), VARIANTS)
def test_every_variant_makes_a_difference_in_a_game_that_uses_all_it_brings(ruleset: str, variant: str) -> None:
    files = [file for file in FILES if game(file).ruleset == ruleset and variant in game(file).variants and names(file)]
    files.reverse()  # a variant is in one game after the other until one shows it
    assert any(shows(game(file), variant) for file in files), f"no recorded game shows {variant}{RENEW}"


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", EDITIONS)
def test_without_any_one_game_something_would_be_missing(ruleset: str) -> None:
    games = [file for file in FILES if game(file).ruleset == ruleset and not game(file).variants]
    needless = [file.name for file in games if not missing(ruleset, together(ruleset, [f for f in games if f != file]))]
    assert not needless, f"{', '.join(needless)}: all that is used here is used elsewhere{RENEW}"


def test_what_no_game_uses_is_told_by_name() -> None:
    most = set(to_use("devir")) - {"event holy_war", "action trade"}
    assert missing("devir", most) == ["action trade", "event holy_war"]


def test_an_action_is_used_from_the_entry_on_that_takes_it() -> None:
    file = next(file for file in FILES if "action trade" in names(file))
    number = next(n for n, (kind, _, what) in enumerate(game(file).entries) if (kind, what) == ("decision", "trade"))
    assert "action trade" not in used(begun(file, number), rules(file))
    assert "action trade" in used(begun(file, number + 1), rules(file))


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", EDITIONS)
def test_a_recorded_game_can_be_broken_off_anywhere_and_resumed(ruleset: str) -> None:
    file = next(file for file in FILES if game(file).ruleset == ruleset)
    whole = [(kind, what) for kind, _, what in game(file).entries]
    for cut in range(0, len(whole), max(1, len(whole) // 5)):
        first = rules(file).start(seed=game(file).seed)
        for kind, what in whole[:cut]:
            if kind == "decision":
                first.apply(what)
        again = transcript.resume(transcript.record(rules(file), first, {}), rules(file))
        for kind, what in whole[len(again.log) :]:
            if kind == "decision":
                again.apply(what)
        assert again.hash() == game(file).final_hash
