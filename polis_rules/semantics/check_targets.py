"""Check what an author wants of games: the players, endings and kinds that it names are there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import Bounds, Document, Targets, targets as declared
from polis_rules.semantics.expressions import BOOL, Expr, Scope, Type, nodes as n
from polis_rules.semantics.references import References, member
from polis_rules.semantics.symbols import Symbols
from polis_rules.semantics.traversal import PLAYER
from polis_rules.semantics.typed_targets import EVERY, AtTheEnd, Section, Wanted
from polis_rules.source import Text


def typed_targets(
    targets: Targets, document: Document, symbols: Symbols, diagnostics: Diagnostics, references: References
) -> list[Wanted]:
    """The lines of targets. Reports each name that there is not."""

    def check(names: Iterable[Text], what: str, known: Collection[str], symbol: str) -> None:
        for name in names:
            if name in known:
                references.note(symbol.format(name), name.span)
            elif name != EVERY or what != "member":
                diagnostics.unknown("unknown-name", f"there is no {what} `{name}`", name.span, name, known)

    players = symbols.kinds["player"].members if "player" in symbols.kinds else ()
    check(targets.win_rate, "player", players, member("player", "{}"))
    check(targets.endings, "ending", [str(each) for each in document.endings], "endings.{}")
    check(targets.used, "kind", symbols.kinds, "kinds.{}")
    for kind, wanted in targets.used.items():
        if str(kind) in symbols.kinds:
            check(wanted, "member", symbols.kinds[str(kind)].members, member(str(kind), "{}"))
    return [*_lines(targets)]


def typed_at_the_end(
    name: Text,
    written: declared.AtTheEnd,
    symbols: Symbols,
    diagnostics: Diagnostics,
    references: References,
    check: Callable[[Text, Scope, Type], Expr | None],
) -> AtTheEnd | None:
    """What is true or not when a game is over; None where it is wrong, which is reported."""
    scope, where = Scope(), None
    if written.games is None and written.wins is None:
        diagnostics.error("missing-key", f"`{name}` wants nothing: it needs `games` or `wins`", written.span)
    if written.of is not None:
        if written.of not in symbols.kinds:
            message = f"there is no kind `{written.of}`"
            diagnostics.unknown("unknown-name", message, written.of.span, written.of, symbols.kinds)
            return None
        references.note(f"kinds.{written.of}", written.of.span)
        scope = scope.having(it=Type("ref", str(written.of)))
    if written.where is not None:
        where = check(written.where, scope, BOOL)
        scope = scope.after(where)
    test = check(written.if_, scope.having(who=PLAYER), BOOL)
    if test is None or (written.where is not None and where is None):
        return None
    by_player = any(isinstance(each, n.Var) and each.name == "who" for each in test.walk())
    if written.wins is not None and not by_player:
        hint = "ask for a player: `who`"
        diagnostics.error("unfit-value", "whoever wins, this is as true", written.if_.span, hint)
    return AtTheEnd(str(name), str(written.of or ""), where, test, by_player, str(written.if_))


def _lines(targets: Targets) -> Iterator[Wanted]:
    for player, bounds in targets.win_rate.items():
        yield _wanted("win_rate", (player,), bounds)
    for ending, bounds in targets.endings.items():
        yield _wanted("endings", (ending,), bounds)
    for kind, lines in targets.used.items():
        for name, bounds in lines.items():
            yield _wanted("used", (kind, name), bounds)
    for name, looked_at in targets.at_the_end.items():
        for what, share in (("games", looked_at.games), ("wins", looked_at.wins)):
            if share is not None:
                yield _wanted("at_the_end", (name, what), share)
    if targets.length is not None:
        yield _wanted("length", (), targets.length)


def _wanted(section: Section, names: tuple[str, ...], bounds: Bounds) -> Wanted:
    low, high, unit = bounds.low, bounds.high, bounds.unit
    return Wanted(section, tuple(map(str, names)), low, high, unit, bounds.text, bounds.span)
