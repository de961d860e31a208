"""Check what an author wants of games: the players, endings and kinds that it names are there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import Bounds, Document, Targets
from polis_rules.semantics.references import References, member
from polis_rules.semantics.symbols import Symbols
from polis_rules.semantics.typed_targets import EVERY, Section, Wanted
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


def _lines(targets: Targets) -> Iterator[Wanted]:
    for player, bounds in targets.win_rate.items():
        yield _wanted("win_rate", (player,), bounds)
    for ending, bounds in targets.endings.items():
        yield _wanted("endings", (ending,), bounds)
    for kind, lines in targets.used.items():
        for name, bounds in lines.items():
            yield _wanted("used", (kind, name), bounds)
    if targets.length is not None:
        yield _wanted("length", (), targets.length)


def _wanted(section: Section, names: tuple[Text, ...], bounds: Bounds) -> Wanted:
    low, high, unit = bounds.low, bounds.high, bounds.unit
    return Wanted(section, tuple(map(str, names)), low, high, unit, bounds.text, bounds.span)
