"""Everything of a game that one browser is told: what its player may see and no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from polis_rules.board import seen
from polis_rules.interpreter.game import Game, Option
from polis_rules.play import Session, Sheet, Situation
from polis_rules.studio.pictures import Pictures

MOST_NEWS = 40
"""So many of the last things that happened are told."""
MOST_MISSING = 100
"""Of so many things it can be asked why they are no choice."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be answered now."""

    id: str
    title: str
    cost: str
    apart: str
    """what sets it apart from the others"""
    changes: tuple[str, ...]
    """what taking it would change"""
    spot: str
    """the place on the board that it is, as `kind member`; empty for none"""
    card: str = ""
    """the title of its kind, where it is something that does not lie on the board, such as a card"""


@dataclass(frozen=True, slots=True)
class Scene:
    """A position as it is shown to somebody."""

    title: str
    """of the rules"""
    round: str
    stands: str
    """where the game stands, or how it ended, in lines"""
    asked: str
    """the title of the player who decides, or nothing"""
    prompt: str
    choices: tuple[Choice, ...]
    alike: tuple[str, ...]
    """what several choices would change alike, in sentences"""
    missing: tuple[tuple[str, str], ...]
    """what could be among the choices and is not: ids with titles"""
    board: str
    """the board as SVG; empty for a game without one"""
    sheets: tuple[Sheet, ...]
    common: tuple[tuple[str, str], ...]
    news: tuple[str, ...]
    moment: int
    """how many moves have been made before what is shown"""
    moments: int
    """how many have been made in all"""
    over: bool


def scene(
    session: Session,
    eyes: str | None,
    board: Pictures,
    moment: int | None = None,
    dark: bool = False,
    sees_all: bool = True,
) -> Scene:
    """What a player is shown of a session, now or after so many moves; for None what all of them may see.

    Who `sees_all` otherwise, as the author may, also enters dice and draws that not everybody may see.

    >>> from polis_rules import load
    >>> rules = load("yucata")
    >>> session = Session(rules, {rules.players[0]: "human"}, seed=1, keep=False)
    >>> shown = scene(session, rules.players[0], Pictures.of(rules))
    >>> shown.moment, shown.over
    (0, False)
    """
    game = session.game if moment is None else session.game.earlier(moment)
    view = seen(game, eyes)
    now = Situation(game, eyes, session.known)
    enters = sees_all or not session.chance_is_secret
    choices, alike = _choices(session, eyes, board, enters) if moment is None else ((), ())
    decision = game.decision
    return Scene(
        title=session.rules.title,
        round="" if game.round_name is None else f"round {game.round_name}",
        stands="\n".join(_stands(game, session.rules.titles)),
        asked=decision.player_title if decision is not None else "",
        prompt=_prompt(session, game, eyes, enters),
        choices=choices,
        alike=alike,
        missing=tuple(islice(_missing(session), MOST_MISSING)) if choices else (),
        board=board.draw(view, dark),
        sheets=tuple(each for each in _sheets(now) if each.rows),
        common=tuple(now.common),
        news=tuple(_news(game, eyes)),
        moment=game.moment,
        moments=session.game.moment,
        over=game.finished,
    )


def _prompt(session: Session, game: Game, eyes: str | None, enters: bool) -> str:
    """What is asked; of a secret decision of somebody else only that there is one."""
    decision = game.decision
    if decision is None:
        asked = "What came out: {}?" if enters else "Not everybody may see what came out: {}. The author enters it."
        return "" if session.chance is None else asked.format(session.chance.what)
    return decision.prompt if decision.player == eyes or not decision.secret else "decides in secret"


def _choices(
    session: Session, eyes: str | None, board: Pictures, enters: bool
) -> tuple[tuple[Choice, ...], tuple[str, ...]]:
    """What may be answered by whom the scene is for; nothing where somebody else is asked."""
    if session.chance is not None:
        if not enters:
            return (), ()
        named = zip(session.chance.outcomes, session.chance.titles, strict=True)
        return tuple(Choice(each, title, "", "", (), "") for each, title in named), ()
    if session.asked is None or session.asked != eyes or session.turn != "person":
        return (), ()
    previews = session.previews()
    found = [
        Choice(
            each.option.id,
            each.option.title,
            each.price.removeprefix("costs "),
            each.apart,
            each.parts,
            _spot(each.option),
            _card(session, each.option, board),
        )
        for each in previews
    ]
    return tuple(found), tuple(previews[0].common) if previews else ()


def _missing(session: Session) -> Iterator[tuple[str, str]]:
    """The members of the kinds that are asked for which cannot be chosen."""
    decision = session.decision
    offered = {each.refers_to for each in decision.options} if decision is not None else set()
    for name in sorted({each[0] for each in offered if each is not None}):
        kind = session.game.program.rules.symbols.kinds[name]
        for member, title in zip(kind.members, kind.titles, strict=True):
            if (name, member) not in offered:
                yield member, title


def _spot(option: Option) -> str:
    return " ".join(option.refers_to) if option.refers_to is not None else ""


def _card(session: Session, option: Option, board: Pictures) -> str:
    if option.refers_to is None or option.refers_to in board.board.spots:
        return ""
    return session.game.program.rules.symbols.kinds[option.refers_to[0]].title


def _sheets(now: Situation) -> Iterator[Sheet]:
    scores = now.scores
    if scores is not None:
        yield scores
    yield now.players
    yield from now.things


def _news(game: Game, eyes: str | None) -> list[str]:
    """What has happened, as a player could see it; for nobody in particular what all could."""
    lines = game.open_report if eyes is None else game.sentences(eyes)
    return lines[-MOST_NEWS:]


def _stands(game: Game, titles: dict[str, str]) -> Iterator[str]:
    """How a game ended, and what each player has."""
    result = game.result
    if result is None:
        return
    yield result.ended_by_title
    for player, score in result.scores.items():
        terms = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in score.items() if name != "total")
        yield f"{titles[player]}: {score['total']}" + (f" ({terms})" if terms else "")
    won = ", ".join(titles[player] for player in result.winners)
    yield f"{won} won" if won else "Nobody won: a tie"
