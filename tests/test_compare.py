"""`polis compare`: pairs of games by two rules, stopped when the answer is known."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.command import Polis, command

from polis_rules import load
from polis_rules.lab import (
    Comparison,
    GameRow,
    LabError,
    Pairs,
    Plan,
    compare,
    contributions,
    in_pairs,
    parts_of,
    table_of,
)

polis = pytest.fixture(command)

CARAVANS = Path(__file__).parent / "rulesets" / "caravans"
HARBOURS = CARAVANS.with_name("harbours")
RANDOM = ("--seat", "athens=random", "--seat", "sparta=random", "--jobs", "1")
PLAIN = Plan("yucata", games=240, seats=("random", "random")).settled()
RICH = Plan("yucata", variants=("tweaks", "more_prestige=9"), games=240, seats=("random", "random")).settled()


@pytest.fixture(scope="module")
def richer() -> Comparison:
    """What more prestige at the start does to games of random players."""
    return compare(PLAIN, RICH)


def test_both_games_of_a_pair_have_the_same_seed_and_bots() -> None:
    pairs = [pair for portion in in_pairs(replace(PLAIN, games=30), replace(RICH, games=30)) for pair in portion]
    assert [one.seed for one, _ in pairs] == [other.seed for _, other in pairs] == list(range(30))
    assert {row.seats for pair in pairs for row in pair} == {("random", "random")}


def test_what_a_change_does_to_length_is_found(richer: Comparison) -> None:
    found = {(each.what, each.name): each for each in richer.differences}
    for each in (found["rounds", ""], found["decisions", ""]):
        assert each.stands and each.interval is not None and each.interval[0] > 0
        assert each.difference == pytest.approx(each.now - each.before)


def test_differences_that_stand_come_first_and_then_the_largest_effects(richer: Comparison) -> None:
    order = [(not each.stands, -abs(each.effect)) for each in richer.differences]
    assert order == sorted(order) and len(order) == richer.looked_at


def test_the_same_rules_differ_in_nothing_and_that_is_said_early() -> None:
    found = compare(PLAIN, PLAIN)
    assert {each.verdict for each in found.rates} == {"same"} and found.pairs < PLAIN.games
    assert not any(each.stands for each in found.differences)


def test_games_of_other_players_are_not_compared() -> None:
    other = Plan("politeia", seats=("random",) * 3)
    with pytest.raises(LabError, match="players"):
        compare(PLAIN, other.settled())


@pytest.mark.slow
def test_games_of_equal_rules_with_other_seeds_raise_no_more_alarms_than_stated() -> None:
    """200 comparisons of real games at an error of 0.05: 18 alarms or more have the probability 0.012."""
    table = table_of(Plan(CARAVANS.with_name("leduc"), seats=("random", "random")).settled())
    alarms = 0
    for seed in range(200):
        pairs, alarmed = Pairs(table, table), False
        for number in range(60):
            first = 200 * seed + 2 * number
            pairs.add(table.play(number, first).games[0], table.play(number, first + 1).games[0])
            alarmed |= number % 10 == 9 and pairs.rates.verdict(0, pairs.within) in ("more", "less")
        alarms += alarmed
    assert alarms < 18


def test_a_pair_of_which_one_game_fails_is_left_out_and_told() -> None:
    table = table_of(PLAIN)
    pairs = Pairs(table, table)
    row = table.play(0, 7).games[0]
    pairs.add(row, row)
    pairs.add(row, GameRow(game=1, seed=8, seats=row.seats, failed="a rule is wrong"))
    found = pairs.comparison()
    assert found.pairs == 1 and found.failed == ((8, "a rule is wrong"),)


@pytest.mark.slow
def test_the_operations_of_a_variant_are_its_parts_and_can_be_played_alone(tmp_path: Path) -> None:
    start = replace(PLAIN, variants=("print_and_play_start",))
    parts = parts_of(PLAIN, start, tmp_path)
    assert [name for name, *_ in parts] == [
        "change scenario.start.player.athens.prestige",
        "change scenario.start.player.sparta.prestige",
        "change scenario.start.territory.myrtoo.units.sparta",
    ]
    _, alone, others = parts[0]
    whole, one, rest = (
        load("yucata", variants=laid).program(compact=True).new_state(7) for laid in (start.variants, alone, others)
    )
    plain = PLAIN.loaded().program(compact=True).new_state(7)
    changed = [sum(a != b for a, b in zip(plain, state, strict=True)) for state in (whole, one, rest)]
    assert changed[0] == changed[1] + changed[2] and changed[1] == 1


def test_an_operation_alone_is_laid_over_the_rules_that_it_is_compared_with(tmp_path: Path) -> None:
    before = replace(PLAIN, variants=("free_ransom",))
    for _, alone, others in parts_of(before, replace(PLAIN, variants=("print_and_play_start",)), tmp_path):
        assert (alone[:-1], others[:-1]) == (("free_ransom",), ())


def test_of_several_variants_and_settings_each_is_a_part(tmp_path: Path) -> None:
    now = replace(PLAIN, variants=("free_ransom", "tweaks", "more_prestige=9"))
    before = replace(PLAIN, variants=("tweaks",))
    assert parts_of(before, now, tmp_path) == [
        ("free_ransom", ("tweaks", "free_ransom"), ("tweaks", "more_prestige=9")),
        ("more_prestige=9", ("tweaks", "more_prestige=9"), ("free_ransom", "tweaks")),
    ]
    with pytest.raises(LabError, match="no parts"):
        parts_of(PLAIN, replace(PLAIN, variants=("battles_of_seven",)), tmp_path)


def test_a_part_that_needs_another_is_told_as_not_to_be_played_alone(tmp_path: Path) -> None:
    before = Plan(CARAVANS, games=4, variants=("seats=2",), seats=("random", "random"))
    now = replace(before, variants=("market_day", "evening_fair", "seats=2"))
    first, second = contributions(before, now, parts_of(before, now, tmp_path))
    assert first.alone is not None and first.in_all is None
    assert second.alone is None and second.in_all is not None
    assert [each.player for each in first.alone] == ["ann", "bea"]


def test_ctrl_c_tells_what_is_known_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    from polis_rules.lab import pairs as module

    def interrupted(*of: Any) -> Iterator[Any]:
        yield next(iter(in_pairs(replace(PLAIN, games=30), replace(RICH, games=30))))
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "in_pairs", interrupted)
    found = compare(PLAIN, RICH, within=0.001)
    assert found.stopped and found.pairs == 30


def test_games_that_end_their_processes_leave_what_was_played_before(monkeypatch: pytest.MonkeyPatch) -> None:
    from polis_rules.lab import pairs as module

    def lost(*of: Any) -> Iterator[Any]:
        yield next(iter(in_pairs(replace(PLAIN, games=30), replace(RICH, games=30))))
        raise LabError("two processes were ended")

    monkeypatch.setattr(module, "in_pairs", lost)
    found = compare(PLAIN, RICH, within=0.001)
    assert found.lost == "two processes were ended" and found.pairs == 30 and not found.stopped


def test_an_author_reads_who_wins_more_often_and_keeps_a_table(polis: Polis, tmp_path: Path) -> None:
    out = tmp_path / "table.csv"
    told = polis(
        "compare", "yucata", "--variant", "tweaks", "--set", "more_prestige=9", *RANDOM, "--games", "200", "--out", out
    )
    assert told.status == 0, told.err
    assert "200 pairs" in told.out and "Athens wins" in told.out and "points (" in told.out
    rows = list(csv.DictReader(out.open()))
    assert [each["player"] for each in rows if each["what"] == "win_rate"] == ["athens", "sparta"]
    assert {"rounds", "decisions", "lead", "ending", "uses", "drawn"} <= {each["what"] for each in rows}
    length = next(each for each in rows if each["what"] == "decisions")
    assert 0 < float(length["effect_low"]) < float(length["effect"]) < float(length["effect_high"])
    told_of = f"effect {float(length['effect']):+.2f} ({float(length['effect_low']):+.2f} to "
    assert told_of in told.out


def test_the_table_has_what_each_part_contributes(polis: Polis, tmp_path: Path) -> None:
    out = tmp_path / "table.csv"
    seats = ("--seat", "red=random", "--seat", "blue=random", "--games", "10", "--jobs", "1")
    told = polis("compare", HARBOURS, "--set", "catch=6", "--set", "storms=true", "--parts", *seats, "--out", out)
    assert told.status == 0, told.err
    rows = [(each["what"], each["name"], each["player"]) for each in csv.DictReader(out.open())]
    for part in ("catch=6", "storms=true"):
        for what in ("part_alone", "part_beside_others"):
            assert [player for *each, player in rows if each == [what, part]] == ["red", "blue"]


def test_a_comparison_with_itself_is_refused(polis: Polis) -> None:
    assert "a variant or a setting is needed" in polis("compare", "yucata", *RANDOM).err


def test_a_table_is_csv_or_json(polis: Polis) -> None:
    assert ".csv or .json" in polis("compare", "yucata", "--variant", "tweaks", "--out", "x.txt").err


def test_what_both_rules_lay_over_can_be_named(polis: Polis) -> None:
    told = polis(
        "compare", CARAVANS, "--variant", "market_day", "--variant", "evening_fair", "--against", "market_day",
        "--games", "8", "--seats", "2", "--seat", "ann=random", "--seat", "bea=random", "--jobs", "1",
        "--format", "json",
    )  # fmt: skip
    assert told.data["against"] == ["market_day", "seats=2"] and told.data["pairs"] == 8, told.err
    assert told.data["rates"][0]["verdict"] == "open"
