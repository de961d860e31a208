"""What the lines above and below the board say."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from polis_rules.diagnostics import printable, some
from polis_rules.play import Session

from ..output import wrapped
from ..result import result_lines
from .picture import cut_to

LEAST = 12
"""A title is not cut to less than so much."""


def headline(session: Session, width: int) -> str:
    """The game, the round, the name it is kept by, and who plays; on few cells the last goes, then the title is cut."""
    name = session.shown.round_name
    parts = ["" if name is None else f"round {name}"]
    parts.append(f"kept as {session.name}" if session.name is not None else "")
    seats = [f"{session.rules.titles[who]}: {name}" for who, name in session.seats.items()]
    full = " · ".join(filter(None, [session.rules.title, *parts, *seats]))
    if cell_len(full) + 2 <= width:
        return f" {full}"
    short = "".join(f" · {part}" for part in parts if part)
    return f" {cut_to(session.rules.title, max(LEAST, width - 2 - cell_len(short)))}{short}"


def told_above(news: list[str], own: int, warning: str, width: int, room: int) -> list[str]:
    """What stands above the question: the news, of which the first so many came of one's own decision, and below them
    a warning, of which a line is enough where there is little room.

    >>> told_above(["North fails", "South pays 1 coin", "South passes"], 1, "At risk: food lacking", 16, 4)
    ['North fails', '… South passes', 'At risk: food', '  lacking']
    >>> told_above(["North fails", "South pays 1 coin", "South passes"], 1, "At risk: food lacking", 16, 3)
    ['North fails', '… South passes', 'At risk: food …']
    """
    warned = [cut_to(line, width) for line in wrapped(printable(warning), width, "", "  ")] if warning else []
    least = min(len(news), 2)
    if len(warned) > 1 and least + len(warned) > room:
        warned = [cut_to(f"{warned[0]} …", width)]
    if least + len(warned) > max(room, 2) or (warned and news and room < 2):
        warned = []
    told = news_on(news, own, width, room - len(warned)) if news else []
    return [*told, *warned]


def news_on(news: list[str], own: int, width: int, room: int) -> list[str]:
    """The news on so many lines: the end of what came of one's own decision, and the latest of what came after it."""
    every = [line for each in news for line in wrapped(printable(each), max(LEAST, width), "", "  ")]
    if len(every) <= room or not 0 < own < len(news) or room < 2:
        return latest(news, width, room)
    mine = latest(news[:own], width, min(room - 1, 2))
    return [*mine, *latest(news[own:], width, room - len(mine))]


def latest(news: list[str], width: int, room: int) -> list[str]:
    """The last of the news on so many lines, each from its beginning; signs tell that something is left out.

    Of a sentence that is too long itself the first line and the end are told, where it says how it came out.

    >>> latest(["North pays 1 coin", "South gains 20 points"], 20, 2)
    ['… South gains 20', '  points']
    >>> latest(["North pays 1 coin", "South gains 20 points"], 20, 1)
    ['… South gains 20 …']
    >>> latest(["North tries it with 3 coins, rolls 2 on 1d6; South loses 1 coin"], 20, 3)
    ['North tries it with…', '  on 1d6; South', '  loses 1 coin']
    """
    width, room = max(LEAST, width), max(room, 1)
    told = [[cut_to(line, width) for line in wrapped(printable(each), width, "", "  ")] for each in news]
    shown: list[str] = []
    for lines in reversed(told):
        if shown and len(lines) + len(shown) > room:
            break
        shown = lines + shown
    before = len(shown) < sum(map(len, told))
    if len(shown) > room:
        shown = [cut_to(f"{shown[0]} …", width), *shown[len(shown) - room + 1 :]]
    return [cut_to(f"… {shown[0].strip()}", width), *shown[1:]] if before else shown


def explained(signs: Sequence[tuple[str, str]], players: int, width: int) -> str:
    """What signs mean, the players' first; on few cells those are left out, as the tables have them too.

    >>> explained([("●", "North"), ("*", "closed")], 1, 12)
    '* closed'
    """
    words = [f"{sign} {meaning}" for sign, meaning in signs]
    lines = ("  ".join(words), " ".join(words), "  ".join(words[players:]))
    return next((line for line in lines if cell_len(line) <= width), " ".join(words[players:]))


def question(session: Session, paused: bool) -> str:
    """What is asked, or why nothing is."""
    decision = session.shown.decision
    asked = f"{decision.player_title}: {decision.prompt}" if decision is not None else ""
    if session.looking_back:
        moves = some(session.game.moment - session.shown.moment, "move")
        return f"{moves} ago. {asked} (F7 back, F8 forward, Esc now, F9 plays on from here)"
    if session.game.result is not None:
        lines = "\n".join(result_lines(session.game, session.rules.titles)).split("\n")
        return "\n".join([*filter(str.strip, lines), "F7 looks back, Ctrl+Q leaves."])
    if session.handover is not None:
        return ""
    if session.turn == "chance" and session.chance is not None:
        alone = " Not everybody may see this: who may types it alone." if session.chance_is_secret else ""
        return f"What came out: {session.chance.what}?{alone}"
    if session.turn == "bot" and paused:
        return "Stopped. Enter lets the bot go on, Ctrl+Z takes back."
    left = session.left_to_choose
    return f"{asked} ({left})" if left else asked
