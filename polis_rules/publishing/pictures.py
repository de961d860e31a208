"""The pictures of a rulebook: the board as the scenario sets it up, and the positions of its examples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from polis_rules.board import Board, draw, seen
from polis_rules.cases import Case, CaseResult, Runner, read_cases
from polis_rules.diagnostics import PolisError
from polis_rules.documentation.rulebook import Chapter, Example, Rulebook, Section
from polis_rules.interpreter.game import Game
from polis_rules.ruleset import load


class Drawing(NamedTuple):
    """A picture as SVG, for light and for dark pages."""

    light: str
    dark: str


def pictures(
    book: Rulebook, ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()
) -> dict[str, Drawing]:
    """The positions of examples by the id of their case, and the board at set-up by an empty id; none without a board.

    >>> from polis_rules.documentation.rulebook import read, rulebook
    >>> list(pictures(rulebook(read("yucata")), "yucata"))[0]
    ''
    """
    rules = load(ruleset, scenario, variants)
    board = Board.of(rules)
    if not board.spots:
        return {}
    found = {"": _drawn(board, Game(rules.program(compact=True), chance="manual"))}
    asked = {example.case for example in _examples(book)}
    runner = Runner(ruleset, scenario, variants)
    for case in read_cases(ruleset) if asked else ():
        if case.id in asked and (game := _position(runner, case)) is not None:
            found[case.id] = _drawn(board, game)
    return found


def _examples(book: Rulebook) -> Iterable[Example]:
    for chapter in book.chapters:
        parts: list[Chapter | Section] = [chapter, *chapter.sections]
        for part in parts:
            yield from (block for block in part.blocks if isinstance(block, Example))


def _position(runner: Runner, case: Case) -> Game | None:
    """The game as a case begins; None where it cannot be played by these rules."""
    plan = runner.plan(case)
    if isinstance(plan, CaseResult):
        return None
    try:
        return plan[1].game(plan[0].given)
    except PolisError:
        return None


def _drawn(board: Board, game: Game) -> Drawing:
    view = seen(game)
    return Drawing(draw(board, view, alone=True), draw(board, view, dark=True, alone=True))
