"""A game as one page that plays it back: the board at every moment, what was decided and what came of it."""

from __future__ import annotations

import json
from difflib import SequenceMatcher

from polis_rules.board import Board, draw, seen
from polis_rules.interpreter.game import Game
from polis_rules.publishing.markup import Markup, element, page
from polis_rules.ruleset import Ruleset
from polis_rules.source import spoken

Part = tuple[int, int, str]
"""From and to which line of a picture is another one, and what stands there instead."""


def replay_page(rules: Ruleset, game: Game, player: str | None = None, board: Board | None = None) -> str:
    """A game as one page of HTML that loads nothing; `player` is who sees it so, None for what all may see.

    It is shown on a `board`, where another one is given than that of the rules. Raises InvalidMove where there is no
    such player.

    >>> from polis_rules import load
    >>> rules = load("yucata")
    >>> replay_page(rules, rules.start(seed=1))[:15]
    '<!DOCTYPE html>'
    """
    moments = [game.earlier(moment) for moment in range(game.moment + 1)]
    lines = _lines(game, player)
    data = {
        "boards": _boards(board or Board.of(rules), moments, player),
        "told": [min(len(_lines(each, player)), len(lines)) for each in moments],
        "asked": [_asked(each) for each in moments],
    }
    last = len(moments) - 1
    return page(
        f"{rules.title}: a game",
        element("header", element("h1", rules.title), element("p", *_ended(rules, game)), *_laid_over(rules)),
        element(
            "main",
            element("div", id="board"),
            element(
                "div",
                element("button", "Back", id="back", type="button"),
                element("input", id="moment", type="range", min=0, max=last, value=0, aria_label="Moment of the game"),
                element("button", "On", id="on", type="button"),
                element("button", "Play", id="play", type="button"),
                element("span", f"0 of {last}", id="count", role="status"),
                class_="controls",
            ),
            element(
                "div",
                element("p", id="asked"),
                element("ol", *(element("li", line, hidden="hidden") for line in lines), id="told"),
                class_="beside",
            ),
        ),
        element("div", json.dumps(data), id="data", hidden="hidden"),
        sheet="replay.css",
        script="replay.js",
    )


def _boards(board: Board, moments: list[Game], player: str | None) -> list[list[Part]]:
    """The pictures of the moments, each as what is different from the one before."""
    found, before = list[list[Part]](), list[str]()
    for game in moments:
        now = draw(board, seen(game, player), alone=bool(board.spots)).split("\n")
        changes = SequenceMatcher(None, before, now).get_opcodes()
        found.append([(a, b, "\n".join(now[c:d])) for tag, a, b, c, d in changes if tag != "equal"])
        before = now
    return found


def _lines(game: Game, player: str | None) -> list[str]:
    return game.open_report if player is None else game.sentences(player)


def _asked(game: Game) -> str:
    """Who decides what next."""
    decision = game.decision
    return "" if decision is None else f"{decision.player_title}: {decision.prompt}"


def _laid_over(rules: Ruleset) -> list[Markup]:
    """What the game was played with besides the ruleset itself."""
    titles = rules.composed().variant_titles if rules.variants else ()
    more = [*titles, *(f"{spoken(name)} {value}" for name, value in rules.chosen.items())]
    return [element("p", f"Played with: {', '.join(more)}.")] if more else []


def _ended(rules: Ruleset, game: Game) -> list[Markup | str]:
    """How the game ended, in words."""
    result = game.result
    if result is None:
        return ["The game goes on."]
    totals = ", ".join(f"{rules.titles[player]} {score['total']}" for player, score in result.scores.items())
    won = ", ".join(rules.titles[player] for player in result.winners) or "nobody"
    return [f"{result.ended_by_title}. {totals}; {won} won."]
