"""Why something is not offered, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polis_rules import play
from polis_rules.diagnostics import InvalidMove

from ..answers import is_number, labels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polis_rules import Game, Refusal
    from polis_rules.play.missing import Citing
    from polis_rules.semantics import KindSymbol

MOST_FOUND = 6
"""Of more that are called so, the first are named."""


def why(game: Game, name: str, cited: Citing = lambda place: "") -> str:
    """Why something is not offered now, in words; `cited` says which passage a place of the rules goes by."""
    decision = game.decision
    if decision is None:
        return "Nothing is to be decided."
    if any(name.casefold() in (option.id.casefold(), option.title.casefold()) for option in decision.options):
        return f"{play.title_of(game, name)} is offered."
    if is_number(name) and (numbered := labels(decision.options).get(name)) is not None:
        return f"{numbered.title} is offered."
    if len(game.why_not_by_action(name)) > 1:
        return "\n".join(play.missed(game, name, cited))
    try:
        refusals = game.why_not(name)
    except InvalidMove as error:
        found = _with(game, name)
        if len(found) == 1 and found != [name]:
            return why(game, found[0], cited)
        if members := {each.rpartition(" ")[2] for each in found}:
            if members != {name} and len(members) == 1:
                return why(game, members.pop(), cited)
            shown = ", ".join(play.title_of(game, each) for each in found[:MOST_FOUND])
            return f"Several are called so: {shown}. Ask about one, such as: why {play.title_of(game, found[0])}"
        if game.decision is not None and (known := _elsewhere(game, name)):
            return f"{known} is no answer to what is asked here: {game.decision.prompt}"
        return str(error) if name else f"Say what you miss, by its id: why NAME ({error})"
    if not refusals:
        return f"Nothing forbids {play.title_of(game, name)}, but it is not part of this decision."
    lines = [f"{play.title_of(game, name)} is not offered because of:", *(_refusal(each, cited) for each in refusals)]
    return "\n".join([*lines, *_how_to_ask_of_one(game, name)])


def _how_to_ask_of_one(game: Game, name: str) -> Iterator[str]:
    """Of an action for which something is chosen first, how to ask about one of what could be."""
    rules = game.program.rules
    wanted = name.casefold()
    for rule in rules.actions:
        if wanted in (rule.id.casefold(), rule.title.casefold()) and rule.first is not None and rule.first.source:
            kind = rules.symbols.kinds[rule.first.source.type.kind]
            yield f"Of one alone: why {rule.title.casefold()} {kind.title.upper()}"


def _with(game: Game, part: str) -> list[str]:
    """The ids of what has this part in its title, where that could be chosen now: what is chosen here, or else what is
    chosen first for one of the actions here, after the action."""
    decision = game.decision
    wanted = part.casefold()
    if decision is None or not wanted:
        return []
    rules = game.program.rules
    kinds = sorted({option.refers_to[0] for option in decision.options if option.refers_to is not None})
    if found := [id for kind in kinds for id in _called(rules.symbols.kinds[kind], wanted)]:
        return found
    if "action" not in kinds:
        return []
    firsts = [(each.id, each.first.source) for each in rules.actions if each.first is not None]
    sources = [(id, rules.symbols.kinds[source.type.kind]) for id, source in firsts if source is not None]
    found = [f"{id} {member}" for id, kind in sources for member in _called(kind, wanted)]
    return found or [
        each for id, kind in sources for each in _of_action(id, rules.symbols.kinds["action"], kind, wanted)
    ]


def _of_action(id: str, actions: KindSymbol, kind: KindSymbol, wanted: str) -> list[str]:
    """What is chosen first for an action, after its id, where words are a part of its title and then what is chosen.

    A colon may stand between them, as it does in what is told.
    """
    title = actions.titles[actions.index[id]].casefold()
    words = wanted.split()
    cuts = (at for at in range(1, len(words)) if " ".join(words[:at]).removesuffix(":") in title)
    return [f"{id} {member}" for at in cuts for member in _called(kind, " ".join(words[at:]))]


def _elsewhere(game: Game, name: str) -> str:
    """The title of what is called so, or of the only one whose title has it as a part; empty where there is none."""
    kinds, wanted = game.program.rules.symbols.kinds.values(), name.casefold()
    titles = {kind.titles[kind.index[id]] for kind in kinds for id in _called(kind, wanted)} if wanted else set()
    return min(titles, key=lambda title: title.casefold() != wanted) if len(titles) == 1 or name in titles else ""


def _called(kind: KindSymbol, wanted: str) -> list[str]:
    """The ids of the members that are called so, or else of those whose titles have it as a part."""
    named = list(zip(kind.members, (title.casefold() for title in kind.titles), strict=True))
    return [id for id, title in named if title == wanted] or [id for id, title in named if wanted in title]


def _refusal(refusal: Refusal, cited: Citing) -> str:
    lines = [f"  - {refusal.label}"]
    if refusal.expression not in ("", refusal.label):
        lines.append(f"      {refusal.expression}")
    if refusal.values:
        known = ", ".join(f"{name} = {value}" for name, value in refusal.values.items())
        lines.append(f"      where {known}")
    lines.append(f"      {play.place(refusal.span, cited)}")
    return "\n".join(lines)
