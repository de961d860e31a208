"""Why something is not offered, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polis_rules.diagnostics import InvalidMove

if TYPE_CHECKING:
    from polis_rules import Game, Refusal


def why(game: Game, name: str) -> str:
    """Why something is not offered now, in words."""
    decision = game.decision
    if decision is None:
        return "Nothing is to be decided."
    if any(name.casefold() in (option.id.casefold(), option.title.casefold()) for option in decision.options):
        return f"{name} is offered."
    try:
        refusals = game.why_not(name)
    except InvalidMove as error:
        if (whole := _only_one_with(game, name)) and whole != name:
            return why(game, whole)
        return str(error) if name else f"Say what you miss, by its id: why NAME ({error})"
    if not refusals:
        return f"Nothing forbids {name}, but it is not part of this decision."
    return "\n".join([f"{name} is not offered because of:", *map(_refusal, refusals)])


def _only_one_with(game: Game, part: str) -> str:
    """The one id of something that has this part in its title, where that could be chosen now; else empty."""
    decision = game.decision
    wanted = part.casefold()
    if decision is None or not wanted:
        return ""
    of_kinds = {option.refers_to[0] for option in decision.options if option.refers_to is not None}
    kinds = [game.program.rules.symbols.kinds[kind] for kind in sorted(of_kinds)]
    found = [
        id
        for kind in kinds
        for id, title in zip(kind.members, kind.titles, strict=True)
        if wanted in title.casefold() and wanted not in (id.casefold(), title.casefold())
    ]
    return found[0] if len(found) == 1 else ""


def _refusal(refusal: Refusal) -> str:
    lines = [f"  - {refusal.label}"]
    if refusal.expression not in ("", refusal.label):
        lines.append(f"      {refusal.expression}")
    if refusal.values:
        known = ", ".join(f"{name} = {value}" for name, value in refusal.values.items())
        lines.append(f"      where {known}")
    lines.append(f"      {refusal.span.file}:{refusal.span.line}")
    return "\n".join(lines)
