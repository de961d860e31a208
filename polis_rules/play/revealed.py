"""Whether people have come to know something between two moments of a game that taking moves back would not undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from polis_rules.interpreter.game import Game


def revealed(earlier: Game, now: Game, people: Iterable[str]) -> str:
    """What some of these players have been shown since, in words; empty where it is nothing that was hidden."""
    for player in people:
        before, after = earlier.log_for(player), now.log_for(player)
        if before != after[: len(before)]:
            return "what was chosen in secret has been shown"
        kinds = {kind for kind, _, what in after[len(before) :] if what != "hidden"}
        if "chance" in kinds:
            return "dice have been rolled, or something was drawn"
        if _uncovered(earlier, now, player):
            return "something hidden has been shown"
    return ""


def _uncovered(earlier: Game, now: Game, player: str) -> bool:
    """Whether a player sees what was hidden before: in its place, or gone to where the player sees it."""
    views, viewer = now.program.views, now.players.index(player)
    before, after = (set(views.hidden(game.state, viewer)) for game in (earlier, now))
    if not before:
        return False
    if any(earlier.state[slot] != -1 for slot in before - after):
        return True
    return bool(_seen(now, after) - _seen(earlier, before))


def _seen(game: Game, hidden: set[int]) -> Counter[tuple[str, int]]:
    """How often each member stands in a list that is not hidden."""
    found: Counter[tuple[str, int]] = Counter()
    for value in game.program.views.values:
        if value.variable.type.base == "list" and value.slot + 1 not in hidden:
            length = game.state[value.slot]
            kind = value.variable.type.kind
            found.update((kind, member) for member in game.state[value.slot + 1 : value.slot + 1 + length])
    return found
