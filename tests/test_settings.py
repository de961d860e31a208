"""Settings: what is settled before play is left out or constant, in every value, and said where it cannot be."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st
from support.reading import page_of

from polis_rules import RulesetError, load, play
from polis_rules.authoring.canonical import resolved
from polis_rules.cases import run_cases
from polis_rules.composition import compose
from polis_rules.composition.choices import split_choices, with_choices
from polis_rules.composition.settled_expressions import Settled
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.documentation import diff, explain
from polis_rules.documentation.explain import UnknownPathError
from polis_rules.documentation.rulebook import read
from polis_rules.play.transcript import dump, parse as parse_transcript
from polis_rules.semantics.expressions.parse import parse
from polis_rules.source import Text
from polis_rules.validation import validate
from polis_rules.verification.coverage import cover
from polis_rules.verification.differential import compare

HARBOURS = Path(__file__).parent / "rulesets" / "harbours"

WHO = {
    2: ("red", "blue"),
    3: ("red", "green", "blue"),
    4: ("red", "green", "blue", "white"),
    5: ("white", "red", "green", "blue", "black"),
}


def messages(**settings: object) -> list[str]:
    with pytest.raises(RulesetError) as caught:
        load(HARBOURS, settings=settings)
    return [each.message for each in caught.value.diagnostics]


@pytest.mark.slow
def test_the_small_game_has_no_finding_and_its_cases_hold() -> None:
    """Neither with what it starts with nor with other values, scenarios and variants."""
    result = validate(HARBOURS)
    assert result.findings == []
    assert {"seats 5", "storms true", "map large", "days 6", "variant big_days"} <= set(result.combinations)
    assert [case.failures for case in run_cases(HARBOURS) if not case.passed] == []


@pytest.mark.parametrize("seats", WHO)
def test_players_sit_as_the_ruleset_says(seats: int) -> None:
    """Those who do not sit have no place in tables, first values and supplies."""
    ruleset = load(HARBOURS, settings={"seats": seats})
    assert ruleset.players == WHO[seats] and ruleset.settings["seats"] == str(seats)
    rules = ruleset.rules()
    gifts = rules.symbols.kinds["isle"].attributes["gift"]
    assert len(gifts.values) == 2 * seats
    assert [supply.per for supply in rules.supplies] == ["player"]
    assert ("feast" in rules.symbols.kinds["action"].members) == (seats >= 3)


def test_what_does_not_hold_is_left_out_before_play() -> None:
    """Rows, edges, ways, steps, terms and procedures, and the names of rows in sets."""
    small, large = load(HARBOURS).rules(), load(HARBOURS, settings={"map": "large", "storms": True}).rules()
    assert small.symbols.kinds["isle"].members == ("alfa", "beta")
    assert large.symbols.kinds["isle"].members == ("alfa", "beta", "gamma")
    assert small.symbols.kinds["isle"].attributes["near"].values == (0b10, 0)
    assert large.symbols.kinds["isle"].attributes["near"].values == (0b110, 0, 0b10)
    assert [len(each.symbols.graphs["straits"]) for each in (small, large)] == [1, 1]
    assert "procedures.storm" in large.procedures and "procedures.storm" not in small.procedures
    assert "lost_in_a_storm" in large.symbols.terms and "lost_in_a_storm" not in small.symbols.terms


def test_ranges_and_dice_follow_settings() -> None:
    """In types, limits of lists, dice and plain values of tables."""
    rules = load(HARBOURS, settings={"seats": 5, "catch": 3, "days": 6}).rules()
    assert rules.symbols.kinds["player"].state["fish"].high == 21
    assert rules.symbols.state["last_visits"].at_most == 5
    assert rules.symbols.kinds["isle"].attributes["room"].values == (5, 1)
    game = load(HARBOURS, settings={"catch": 3}).start(chance="manual")
    game.apply("fish")
    assert game.chance is not None and list(game.chance.outcomes) == ["1", "2", "3"]


def test_the_hash_is_that_of_the_rules_as_they_are_settled() -> None:
    """A value that is asked for and is there anyway makes no other rules; another one does, and a spelling does not."""
    usual = load(HARBOURS).hash
    assert load(HARBOURS, settings={"catch": 4, "storms": False}).hash == usual
    assert load(HARBOURS, settings={"catch": 5}).hash != usual
    assert load(HARBOURS, None, ["storms=TRUE"]).hash == load(HARBOURS, settings={"storms": True}).hash


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seats": 6}, "the setting 'seats' is 2 to 5, not '6'"),
        ({"catch": 1}, "the setting 'catch' is 2 to 6, not '1'"),
        ({"storms": "maybe"}, "the setting 'storms' is false or true, not 'maybe'"),
        ({"map": "larg"}, "the setting 'map' is small or large, not 'larg'"),
        ({"chatch": 3}, "there is no setting 'chatch'"),
    ],
)
def test_a_value_that_there_is_not_is_refused(settings: dict[str, object], message: str) -> None:
    """With what is allowed."""
    assert messages(**settings) == [message]


def test_a_game_that_leaves_its_seats_not_open_says_how_many_play() -> None:
    with pytest.raises(RulesetError, match="2 play here, and nothing says who would sit if 3 did"):
        load("yucata", settings={"seats": 3})
    assert load("yucata", settings={"seats": 2}).hash == load("yucata").hash


def test_what_a_scenario_settles_cannot_be_chosen() -> None:
    """But may be asked for as it is."""
    assert load(HARBOURS, "rough_sea").settings == {
        "catch": "4", "storms": "true", "map": "small", "days": "4", "seats": "2",
    }  # fmt: skip
    assert load(HARBOURS, "rough_sea", settings={"days": 4}).settings["days"] == "4"
    with pytest.raises(RulesetError, match="scenario rough_sea settles that days is 4, so it cannot be 5"):
        load(HARBOURS, "rough_sea", settings={"days": 5})


def test_a_variant_may_have_settings_of_its_own() -> None:
    """They are chosen as those of the ruleset are, and what it settles is said by explain."""
    ruleset = load(HARBOURS, None, ["big_days"], settings={"bounty": 3, "seats": 3})
    assert ruleset.settings["bounty"] == "3" and ruleset.settings["map"] == "large"
    (touch,) = compose(HARBOURS, None, ["big_days"]).origins["terms.map.is"]
    assert (touch.layer, touch.old, touch.new) == ("variant big_days", "small", "large")


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {"seats": seats, "storms": storms, "map": size, "catch": catch}
        for (seats, storms), (size, catch) in zip(
            product((2, 3, 5), ("true", "false")), product(("small", "large"), (2, 4, 6)), strict=True
        )
    ],
    ids=str,
)
def test_both_engines_play_all_settings_alike(settings: dict[str, object]) -> None:
    """And games that are recorded are replayed with the settings that they were played with."""
    assert compare((HARBOURS, None, with_choices((), settings)), 3).difference is None
    ruleset = load(HARBOURS, settings=settings)
    game, rng = ruleset.start(seed=5), Random(5)
    while game.decision is not None:
        game.apply(rng.choice(game.decision.options))
    transcript = parse_transcript(dump(play.record(ruleset, game, {})))
    assert transcript.settings == {name: str(value) for name, value in sorted(settings.items())}
    assert play.replay(transcript, play.rules_of(transcript, HARBOURS)).ok


NUMBERS = st.sampled_from(["a", "b", "3", "0", "(a + b)", "a * 2", "(b - 1)", "max(a, b)", "a // 2", "b % 3"])
TESTS = st.recursive(
    st.one_of(
        st.sampled_from(["x", "y", "true", "not x"]),
        st.builds("{} {} {}".format, NUMBERS, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), NUMBERS),
    ),
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
)


@given(TESTS, st.integers(-3, 9), st.integers(-3, 9), st.booleans(), st.booleans())
def test_conditions_on_settings_mean_what_they_mean_in_rules(test: str, a: int, b: int, x: bool, y: bool) -> None:
    """They come to what Python makes of them, and rules can be written with the same words."""
    settled = Settled({"a": a, "b": b, "x": x, "y": y}, {})
    text = Text(test, Span("a.yaml", 1, 1, 1, 1 + len(test)))
    assert settled.holds(text, Diagnostics()) is eval(test, {"a": a, "b": b, "x": x, "y": y, "true": True, "max": max})
    assert parse(text, Diagnostics()) is not None


@given(st.lists(st.sampled_from(["costly", "seats=3", "long=true", "rules/a=b.yaml"])), st.integers(2, 5))
def test_choices_stand_apart_from_variants(laid_over: list[str], seats: int) -> None:
    """A path with = in it is a path, and what is chosen last counts."""
    files, chosen = split_choices(with_choices(laid_over, {"seats": seats}))
    assert files == [each for each in laid_over if each in ("costly", "rules/a=b.yaml")]
    assert chosen["seats"] == str(seats) and set(chosen) <= {"seats", "long"}


def test_a_row_called_as_a_setting_is_told_so(tmp_path: Path) -> None:
    """Though settings are terms while rules are read."""
    folder = tmp_path / "harbours"
    shutil.copytree(HARBOURS, folder)
    manifest = folder / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("  days: 3..6", "  days: 3..6\n  beta: 3..6"), "utf-8")
    said = [each.message for each in validate(folder, others=False).findings]
    assert "`beta` is a setting already" in said


def test_documents_tell_what_is_settled() -> None:
    """The rulebook first, a difference in its first sentences, explain of a setting and of what it leaves out."""
    page = page_of(read(HARBOURS, None, ["seats=3"]))
    assert "- Players: 3 (2 to 5)." in page and "### Catch" not in page
    assert "- Map: small (small or large)." in page and "### Map" not in page
    told = diff(read(HARBOURS), read(HARBOURS, None, ["seats=4", "catch=6"])).headlines
    assert told[:2] == ("Sides of the die for a catch: 6 instead of 4.", "Players: 4 instead of 2.")
    days = explain(HARBOURS, "settings.days", "rough_sea")
    first, touch = days.layers
    assert (days.path, days.value, first.layer, first.new) == ("settings.days", "4", "harbours", "3..6")
    assert (touch.layer, touch.path, touch.old, touch.new) == ("scenario rough_sea", "settings.days", "3", "4")
    every = explain(HARBOURS, "settings")
    assert every.sentence.endswith("Map: small (small or large). Days: 3 (3 to 6). Players: 2 (2 to 5).")
    assert every.layers == ()
    with pytest.raises(UnknownPathError, match=r"did you mean 'settings\.days'"):
        explain(HARBOURS, "settings.dayz")
    with pytest.raises(UnknownPathError, match="`gamma` is left out here, as map is small"):
        explain(HARBOURS, "tables.isle.gamma")


def test_what_is_resolved_plays_as_it_was_settled(tmp_path: Path) -> None:
    """One file without settings, with the same hash."""
    folder = tmp_path / "harbours"
    folder.mkdir()
    composed = compose(HARBOURS, "rough_sea", ["seats=4", "map=large"])
    (folder / "ruleset.yaml").write_text(resolved(composed, "harbours"), encoding="utf-8")
    again = load(folder)
    assert again.hash == composed.hash and again.settings == {} and len(again.players) == 4


def test_coverage_does_not_ask_games_to_meet_settings() -> None:
    """What is settled is no rule that games could come to."""
    labels = {count.label for count in cover(HARBOURS, 2, ["standard"], ["storms=true"]).counts if count.what == "term"}
    assert labels == {"worth_of_a_boat", "lost_in_a_storm"}
