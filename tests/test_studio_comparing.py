"""A comparison beside the page: it is stopped, gone on with, and ends with its rules and with its studio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from support.tried_variant import TRIED

from polis_rules.lab import LabError, Plan
from polis_rules.studio.comparing import Comparing
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened
from polis_rules.studio.trials import NOTHING_BELOW

OTHELLO = Path(__file__).parent / "rulesets" / "othello"
BOTS = ("mcts:2", "mcts:2")


def plans(folder: Path, games: int = 6) -> tuple[Plan, Plan, Path]:
    variant = folder / "tried.yaml"
    variant.write_text(TRIED, "utf-8")
    return Plan(OTHELLO, games=games, seats=BOTS), Plan(OTHELLO, None, (variant,), games, seats=BOTS), variant


async def until_first(work: Comparing, then: Callable[[], object], jobs: int = 1) -> None:
    """Go on, and do something as soon as the first pair has been played."""

    def told() -> None:
        if work.done == 1:
            then()

    work.listeners.append(told)
    await work.go_on(jobs)
    work.listeners.remove(told)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_comparison_is_stopped_at_once_and_gone_on_with(jobs: int, tmp_path: Path) -> None:
    before, now, _ = plans(tmp_path)
    work = Comparing(before, now)

    async def story() -> None:
        await until_first(work, work.stop, jobs)
        assert (work.done, work.running, work.over) == (1, False, False) and work.latest is not None
        await work.go_on(jobs)

    asyncio.run(story())
    assert (work.done, work.over, work.trouble) == (6, True, "")


@pytest.mark.slow
def test_no_pair_is_played_by_rules_that_were_changed_meanwhile(tmp_path: Path) -> None:
    before, now, variant = plans(tmp_path)
    work = Comparing(before, now)
    variant.write_text(TRIED.replace("Dark", "Darker"), "utf-8")
    asyncio.run(work.go_on())
    assert work.done == 0 and "the rules are others now" in work.trouble
    assert Comparing(before, now).pairs.table.ruleset.titles["black"] == "Darker"


def test_rules_with_nothing_below_have_nothing_to_compare_with(tmp_path: Path) -> None:
    studio = Studio(Opened(OTHELLO), Drafts(tmp_path / "drafts"), tmp_path / "games")
    try:
        assert asyncio.run(studio.differences()).summary == NOTHING_BELOW
        with pytest.raises(LabError, match="nothing to compare"):
            asyncio.run(studio.comparison())
    finally:
        studio.close()


@pytest.mark.slow
def test_a_studio_that_is_closed_compares_no_more(tmp_path: Path) -> None:
    variant = plans(tmp_path)[2]
    studio = Studio(Opened(OTHELLO, variants=(variant,)), Drafts(tmp_path / "drafts"), tmp_path / "games")

    async def story() -> Comparing:
        work = await studio.comparison()
        await until_first(work, studio.close)
        return work

    found = asyncio.run(story())
    assert 0 < found.done < found.now.games and not found.running
