"""`polis sweep`: the same games for every combination of values of settings."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.command import Polis, command

from polis_rules.lab import Batch, LabError, Plan, Swept, curves_page, curves_picture, laid, sweep, table_of

polis = pytest.fixture(command)

RANDOM = ("--seat", "athens=random", "--seat", "sparta=random", "--jobs", "1", "--games", "30")
VALUES = {"more_prestige": ["0", "9"]}
PLANS = [
    each.settled() for each in laid(Plan("yucata", variants=("tweaks",), games=60, seats=("random", "random")), VALUES)
]
TITLES = {"athens": "Athens", "sparta": "<Sparta>"}


@pytest.fixture(scope="module")
def swept() -> list[Swept]:
    return list(sweep(PLANS, VALUES))


def test_each_combination_is_played_with_the_same_number_of_games(swept: list[Swept]) -> None:
    assert [(each.values["more_prestige"], each.games) for each in swept] == [("0", 60), ("9", 60)]


def test_an_interval_contains_the_share_and_is_wider_among_more_combinations(swept: list[Swept]) -> None:
    alone = next(sweep(PLANS[:1], {"more_prestige": ["0"]}))
    for each in (alone, *swept):
        assert all(low < share < high for share, (low, high) in each.rates.values())
    (low, high), (least, most) = alone.rates["athens"][1], swept[0].rates["athens"][1]
    assert least < low < high < most


def test_a_length_that_differs_is_told_apart(swept: list[Swept]) -> None:
    (_, first), (_, last) = swept[0].lengths["rounds"], swept[1].lengths["rounds"]
    assert first is not None and last is not None and first[1] < last[0]


def test_curves_are_drawn_as_a_page_and_as_a_picture_that_is_well_formed(swept: list[Swept]) -> None:
    picture = ElementTree.fromstring(curves_picture("yucata", swept, TITLES))
    assert len({each.get("y") for each in picture.findall(".//{*}svg[@height]")}) == 4
    page = curves_page("yucata", "60 games", swept, TITLES)
    assert page.count("<svg") == page.count("<table") == 4 and "&lt;Sparta&gt; wins" in page


def test_too_many_combinations_are_refused() -> None:
    with pytest.raises(LabError, match=r"1,000 combinations .* at most 200"):
        laid(Plan("yucata"), {"a": [str(each) for each in range(1000)]})


def test_ctrl_c_tells_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(plan: Plan, wanted: object, jobs: int) -> Iterator[Batch]:
        yield table_of(plan).play(0, 7)
        raise KeyboardInterrupt

    monkeypatch.setitem(sweep.__globals__, "play", interrupted)
    found: list[Any] = []
    with pytest.raises(KeyboardInterrupt):
        found.extend(sweep(PLANS, VALUES))
    assert [each.games for each in found] == [1]


def test_what_is_known_is_told_where_no_more_can_be_played_or_the_file_cannot_be_written(
    polis: Polis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hours of games are not lost to a full disk, nor to games that end their processes."""

    def lost(plan: Plan, wanted: object, jobs: int) -> Iterator[Batch]:
        if "siege_die=5" in plan.variants:
            raise LabError("a process has ended twice")
        yield table_of(plan).play(0, 7)

    monkeypatch.setitem(sweep.__globals__, "play", lost)
    asked = ("sweep", "yucata", "--variant", "tweaks", "--set", "siege_die=4,5", *RANDOM)
    told = polis(*asked, "--out", tmp_path / ("x" * 300 + ".csv"))
    assert told.status == 1 and "siege_die 4: 1 game" in told.out and "siege_die 5" not in told.out
    assert "FAILED: a process has ended twice" in told.out and "saved" not in told.out
    assert "File name too long" in told.err


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("no/table.csv", "there is no folder"),
        ("folder.csv", "is a folder"),
        ("closed/table.csv", "nothing can be written"),
    ],
)
def test_where_nothing_can_be_written_is_told_before_the_first_game(
    polis: Polis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "closed").mkdir()
    monkeypatch.setattr(
        os, "access", lambda path, mode: "closed" not in str(path)
    )  # whoever is root may write anywhere
    asked = ("sweep", "yucata", "--variant", "tweaks", "--set", "siege_die=4,5", *RANDOM)
    told = polis(*asked, "--out", tmp_path / name)
    assert (told.status, why in told.err, told.out) == (2, True, "")


def test_a_sweep_that_is_stopped_says_how_many_games_there_are_and_keeps_a_file_when_there_are_none(
    polis: Polis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, left = tmp_path / "curves.html", [3, 1]

    def interrupted(plan: Plan, wanted: object, jobs: int) -> Iterator[Batch]:
        for number in range(left.pop(0)):
            yield table_of(plan).play(number, 7)
        if not left:
            raise KeyboardInterrupt

    monkeypatch.setitem(sweep.__globals__, "play", interrupted)
    asked = ("sweep", "yucata", "--variant", "tweaks", "--set", "siege_die=4,5", *RANDOM, "--out", out)
    assert polis(*asked).status == 130
    page = out.read_text("utf-8")
    assert "1 to 3 games for each combination" in page
    left.append(0)
    told = polis(*asked)
    assert (told.status, "saved" in told.out, out.read_text("utf-8")) == (130, False, page)


def test_an_author_reads_each_combination_and_keeps_a_table(polis: Polis, tmp_path: Path) -> None:
    out = tmp_path / "table.csv"
    told = polis("sweep", "yucata", "--variant", "tweaks", "--set", "more_prestige=0,9", *RANDOM, "--out", out)
    assert told.status == 0 and "more_prestige 9: 30 games" in told.out and "Athens wins" in told.out
    rows = list(csv.DictReader(out.open()))
    assert {each["what"] for each in rows} == {"win_rate__athens", "win_rate__sparta", "decisions", "rounds"}


@pytest.mark.parametrize(
    "values", ["more_prestige", "more_prestige=", "more_prestige=a..b", "more_prestige=3..", "1=2"]
)
def test_values_that_mean_nothing_are_refused(polis: Polis, values: str) -> None:
    told = polis("sweep", "yucata", "--set", values)
    assert told.status == 2 and "is not of the form NAME=VALUES" in told.err


@pytest.mark.parametrize(
    ("values", "why"), [("dice=3..1", "ends before it begins"), ("dice=4..999999999", "has more than 1000 values")]
)
def test_a_range_that_cannot_be_swept_is_refused_with_what_is_wrong(polis: Polis, values: str, why: str) -> None:
    told = polis("sweep", "yucata", "--set", values)
    assert told.status == 2 and why in told.err
