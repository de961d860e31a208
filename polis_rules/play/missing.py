"""Why something cannot be chosen, told to people: in titles, with values, the passage that says so and the line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from polis_rules.diagnostics import Span
from polis_rules.interpreter.game import Game, Refusal

Citing = Callable[[Span], str]
"""Which passage says what stands at a place of the rules; empty where none is cited."""


def missed(game: Game, name: str, cited: Citing) -> list[str]:
    """Why something of an id or title cannot be chosen now, in lines. Raises InvalidMove where nothing is called so."""
    if by_action := game.why_not_by_action(name):
        return list(_by_action(title_of(game, name), by_action, cited))
    refusals = game.why_not(name)
    title = title_of(game, name)
    if not refusals:
        return [f"Nothing forbids {title}, but it is not part of this decision."]
    return [f"{title} cannot be chosen:", *(_told([each], cited) for each in refusals)]


def place(span: Span, cited: Citing) -> str:
    """The passage that a refusal goes by, if one is cited, and its line; of a file somewhere on this computer only the
    name, as players elsewhere are told this too."""
    line = f"{Path(span.file).name if Path(span.file).is_absolute() else span.file}:{span.line}"
    return f"{cite}; {line}" if (cite := cited(span)) else line


def title_of(game: Game, name: str) -> str:
    """The title of what is called so by its id or title; of an action with what is chosen first for it, both."""
    kinds = game.program.rules.symbols.kinds.values()
    known = {id: title for kind in kinds for id, title in zip(kind.members, kind.titles, strict=True)}
    known |= {title.casefold(): title for title in list(known.values())}
    if game.decision is not None:
        known |= {option.id: option.title for option in game.decision.options}
    first, _, rest = name.partition(" ")
    if name not in known and name.casefold() not in known and rest and first in known:
        return f"{known[first]}: {title_of(game, rest)}"
    return known.get(name) or known.get(name.casefold()) or name


def _by_action(title: str, by_action: dict[str, list[Refusal]], cited: Citing) -> Iterator[str]:
    """The same of what is chosen after an action: after which it could be, and why not after the others."""
    possible = ", ".join(action for action, refusals in by_action.items() if not refusals)
    yield f"{title} can be chosen after {possible or 'no action now'}."
    yield from (f"Not after {action}: {_told(each, cited)}" for action, each in by_action.items() if each)


def _told(refusals: list[Refusal], cited: Citing) -> str:
    """Refusals as one line: what does not hold, with values, and where the rules say so."""
    labels = []
    for each in refusals:
        values = ", ".join(f"{name} is {value}" for name, value in each.values.items())
        labels.append(f"{each.label} ({values})" if values else each.label)
    lines: dict[str, list[str]] = {}
    for each in refusals:
        begin, _, line = place(each.span, cited).rpartition(":")
        lines.setdefault(begin, []).append(line)
    places = "; ".join(f"{begin}:{', '.join(dict.fromkeys(those))}" for begin, those in lines.items())
    return f"{'; '.join(labels)} [{places}]"
