"""What is kept from one position to the next changes nothing of what is told."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from polis_rules import Game, load
from polis_rules.play import Situation
from polis_rules.play.known import Known

SHELF = Path(__file__).parent / "rulesets"
RULESETS: list[str | Path] = ["yucata", "politeia", "colonnades", "hellenes_training"]
RULESETS += [SHELF / name for name in ("hearts", "sealed_bids", "othello")]
"""In colonnades scores, warnings and what the board tells come of what others may not see."""


def told(now: Situation) -> list[object]:
    """All that a position says in tables."""
    return [now.scores, now.players, now.common, now.things, now.warning]


def moved(game: Game, rng: Random) -> None:
    """Take some moves back, perhaps, and go on by some others."""
    for _ in range(rng.choice([0, 0, 0, 2, 6])):
        game.undo()
    for _ in range(rng.randrange(1, 4)):
        if game.decision is not None:
            game.apply(rng.choice(game.decision.options))


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: Path(each).name)
def test_tables_say_the_same_of_each_position_whatever_is_known_of_others(ruleset: str | Path) -> None:
    game, rng = load(ruleset).start(seed=3), Random(3)
    known = Known(game.program)
    for _ in range(12):
        moved(game, rng)
        for viewer in (*game.players, None):
            assert told(Situation(game, viewer, known)) == told(Situation(game, viewer))


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: Path(each).name)
def test_sentences_are_the_same_whatever_was_told_before(ruleset: str | Path) -> None:
    rules = load(ruleset)
    game, rng = rules.start(seed=4), Random(4)
    for _ in range(25):
        moved(game, rng)
        for viewer in (*game.players, None):
            assert game.sentences(viewer) == game.copy().sentences(viewer)
            assert game.doing(viewer) == game.copy().doing(viewer)


def test_what_a_player_may_not_see_is_told_apart_from_what_a_player_has_not() -> None:
    """What the other admiral holds in reserve is a question mark, a reserve that one has used up a dash."""
    game = load(SHELF / "skirmish").start(seed=1)
    game.state[game.program.layout.bases["player", "reserve"]] = 0
    game.state[game.program.layout.bases["player", "ships"]] = 0
    rows = {title: cells for title, *cells in Situation(game, "red").players.rows}
    assert "reserve" not in rows and rows["ships"][0] == "-"
    rows = {title: cells for title, *cells in Situation(game, "blue").players.rows}
    assert rows["reserve"][0] == "?"
