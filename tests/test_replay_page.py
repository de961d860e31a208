"""A game as a page: whole, the same at every moment as the game, and without a word that somebody may not see."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from random import Random

import pytest

from polis_rules import Game, Ruleset, load
from polis_rules.board import Board, draw, seen
from polis_rules.play.bots.dealing import Dealer
from polis_rules.publishing import replay_page

SHELF = Path(__file__).parent / "rulesets"


def played(name: str, decisions: int = 12) -> tuple[Ruleset, Game]:
    rules = load(SHELF / name)
    game, rng = rules.start(seed=4), Random(4)
    for _ in range(decisions):
        if game.decision is not None:
            game.apply(rng.choice(game.decision.options))
    return rules, game


def data_of(page: str) -> dict[str, list[object]]:
    found = re.search(r'<div id="data"[^>]*>(.*?)</div>', page, re.DOTALL)
    assert found is not None
    data: dict[str, list[object]] = json.loads(html.unescape(found[1]))
    return data


@pytest.mark.parametrize("name", ["othello", "hearts"])
def test_every_moment_is_drawn_as_it_was(name: str) -> None:
    rules, game = played(name)
    board, lines = Board.of(rules), list[str]()
    data = data_of(replay_page(rules, game))
    assert len(data["boards"]) == game.moment + 1
    for moment, parts in enumerate(data["boards"]):
        before, lines, at = lines, [], 0
        for start, end, text in parts:  # type: ignore[attr-defined]
            lines += before[at:start] + (text.split("\n") if text else [])
            at = end
        lines += before[at:]
        drawn = draw(board, seen(game.earlier(moment)), alone=bool(board.spots))
        assert "\n".join(lines) == drawn.removesuffix("\n") or "\n".join(lines) == drawn


def test_the_page_loads_nothing_and_runs_no_word_of_a_ruleset() -> None:
    page = replay_page(*played("othello", 2))
    assert not re.search(r"(src|href)=|https?://(?!www\.w3\.org)", page)
    assert "default-src 'none'" in page and page.count("<script>") == 1


def test_what_a_player_may_not_see_is_not_in_the_page() -> None:
    rules, game = played("hearts", 0)
    worlds = Dealer(game.program).worlds(game.state, 0, Random(1), 4)
    assert len({game.at(world).hash() for world in worlds}) > 1
    assert len({replay_page(rules, game.at(world), rules.players[0]) for world in worlds}) == 1


def test_what_is_laid_over_the_rules_is_named(tmp_path: Path) -> None:
    variant = tmp_path / "dark.yaml"
    variant.write_text(
        "variant: dark\ntitle: Black is Dark\nextends: othello\nwhy: A test.\n"
        "change:\n  tables.player.black.title: {was: Black, to: Dark}\n",
        "utf-8",
    )
    rules = load(SHELF / "othello", variants=(variant,), settings={"half": 2})
    assert "<p>Played with: Black is Dark, half 2.</p>" in replay_page(rules, rules.start(seed=1))
    plain = load(SHELF / "othello")
    assert "Played with" not in replay_page(plain, plain.start(seed=1))
