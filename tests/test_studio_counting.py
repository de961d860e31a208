"""Games of bots from the studio's page: which lines they meet, what a setting does, and stopping and going on."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from polis_rules.diagnostics import PolisError
from polis_rules.studio import counting
from polis_rules.studio.counting import Met, covered, swept
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.edits import Finding
from polis_rules.studio.streams import Stream
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened

SHELF = Path(__file__).parent / "rulesets"
HARBOURS = SHELF / "harbours"


def test_lines_that_no_game_meets_are_told_beside_those_that_games_meet() -> None:
    *_, met = covered(HARBOURS, None, (), 4)
    lines = met.lines["harbours/play.yaml"]
    text = met.sources["harbours/play.yaml"].split("\n")
    assert met.games == 4 and {
        lines[at].standing for at, line in enumerate(text, 1) if line.strip() == "- roll: eyes" and at in lines
    } == {"met"}
    assert [line.standing for at, line in lines.items() if "a_boat_is_left" in text[at - 1]] == ["unmet"]


def test_a_sweep_goes_on_where_it_was_stopped() -> None:
    settings = {"catch": ["2", "3", "4"]}
    random = ("random", "random")
    first = next(each for each in swept(HARBOURS, None, (), settings, 3, random) if each.found)
    *_, last = swept(HARBOURS, None, (), settings, 3, random, first)
    *_, whole = swept(HARBOURS, None, (), settings, 3, random)
    assert len(first.found) == 1 and last == whole and len(last.rows) == 4 and last.picture.startswith("<svg")


def test_a_sweep_tells_of_each_game_and_goes_on_in_the_midst_of_those_of_a_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "OFTEN", -1)
    settings, bots = {"catch": ["2", "3"]}, ("mcts:2", "random")
    steps = list(swept(HARBOURS, None, (), settings, 3, bots))
    assert [(each.played, len(each.found)) for each in steps] == [(1, 0), (2, 0), (3, 1), (4, 1), (5, 1), (6, 2)]
    begun = next(each for each in swept(HARBOURS, None, (), settings, 3, bots) if each.played == 5)
    again = list(swept(HARBOURS, None, (), settings, 3, bots, begun))
    assert [each.played for each in again] == [6] and again[-1].found == steps[-1].found
    assert begun.played == 5


def test_a_sweep_begins_anew_where_the_rules_or_the_number_of_games_are_others(tmp_path: Path) -> None:
    home = Path(shutil.copytree(HARBOURS, tmp_path / "harbours"))
    settings, random = {"catch": ["2", "3"]}, ("random", "random")
    first = next(swept(home, None, (), settings, 2, random))
    more = next(swept(home, None, (), settings, 3, random, first))
    assert len(more.found) == 1 and more.anew == "other games are asked for"

    rules = home / "ruleset.yaml"
    rules.write_text(rules.read_text("utf-8").replace("title: Harbours", "title: Ports", 1), "utf-8")
    other = next(swept(home, None, (), settings, 2, random, first))
    assert len(other.found) == 1 and other.anew == "the rules are others now" and other.rules != first.rules
    assert not first.anew


def test_a_sweep_ends_where_the_rules_are_changed_meanwhile(tmp_path: Path) -> None:
    home = Path(shutil.copytree(HARBOURS, tmp_path / "harbours"))
    steps = swept(home, None, (), {"catch": ["2", "3"]}, 2, ("random", "random"))
    next(steps)
    rules = home / "ruleset.yaml"
    rules.write_text(rules.read_text("utf-8").replace("title: Harbours", "title: Ports", 1), "utf-8")
    with pytest.raises(PolisError, match="changed while these games were played"):
        next(steps)


def test_a_sweep_names_the_setting_by_its_title() -> None:
    step = next(swept(SHELF / "othello", None, (), {"half": ["2"]}, 1, ("random", "random")))
    assert step.rows[0][0] == "Half the length of a side" and "Half the length of a side" in step.picture
    assert step.found[0].values == {"half": "2"}


def test_what_a_sweep_tells_is_said_to_be_of_other_rules_once_they_are_others(tmp_path: Path) -> None:
    pytest.importorskip("nicegui")
    from nicegui import Client
    from nicegui.page import page

    from polis_rules.studio.page.sweeping import OTHERS, SweepPane

    home = Path(shutil.copytree(HARBOURS, tmp_path / "harbours"))
    work = Studio(Opened(home), Drafts(tmp_path / "drafts"), tmp_path / "games")
    settings, random = {"catch": ["2", "3"]}, ("random", "random")
    steps = list(swept(home, None, (), settings, 2, random))
    rules = home / "ruleset.yaml"
    before = rules.read_text("utf-8")
    ports = before.replace("title: Harbours", "title: Ports", 1)

    async def story() -> list[str]:
        said: list[str] = []
        with Client(page("/")):
            work.swept, pane = steps[0], SweepPane(work)
            for text in (before, ports, before.replace("players:", "player"), before):
                rules.write_text(text, "utf-8")
                await pane.look()
                said.append(pane.others.text)
            pane._show(steps[1])
            pane._running(False)
            rules.write_text(ports, "utf-8")
            await pane.look()
            said.append(pane.others.text)
            pane._show(next(swept(home, None, (), settings, 2, random, steps[0])))
            return [*said, pane.others.text]

    try:
        said = asyncio.run(story())
    finally:
        work.close()
    both, one = OTHERS.format("Sweep and Go on begin"), OTHERS.format("Sweep begins")
    assert said == ["", both, both, "", one, ""]


def endless() -> Iterator[int]:
    number = 0
    while True:
        number += 1
        yield number


def refused() -> Iterator[NoReturn]:
    raise PolisError("no such thing")
    yield


@pytest.mark.slow
def test_work_in_another_process_is_stopped_and_tells_why_it_cannot_be_done() -> None:
    async def story() -> list[int]:
        stream, found = Stream(endless), list[int]()
        async for each in stream:
            found.append(each)
            if each == 3:
                stream.stop()
        with pytest.raises(PolisError, match="no such thing"):
            async for _ in Stream(refused):
                pass
        return found

    assert asyncio.run(story()) == [1, 2, 3]


def test_no_count_of_what_games_meet_begins_the_check_of_a_text_anew() -> None:
    pytest.importorskip("nicegui")
    from polis_rules.studio.page.editing import EditorPane

    shown: list[object] = []

    class Pane(EditorPane):
        def __init__(self) -> None:
            self._found = {}, "found before"

        def _show_findings(self, found: dict[Path, list[Finding]], besides: str) -> None:
            shown.append((self.met, besides))

        def _check(self, calm: float = 0) -> None:
            raise AssertionError("the check begins anew")

    met = Met(1, {}, {}, {})
    Pane().show_met(met)
    assert shown == [(met, "found before")]
