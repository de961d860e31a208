"""What there is to know of one thing: as the rules have it, with its source, and as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from polis_rules import play
from polis_rules.diagnostics import PolisError, did_you_mean, nearest, quote
from polis_rules.source import spoken

from ..output import wrapped

if TYPE_CHECKING:
    from polis_rules import Game, Option, Ruleset
    from polis_rules.documentation import Explanation

WIDTH = 110
CALLED = re.compile("'([A-Z][^']*)'")
"""How sentences call a procedure."""
MOST_FOUND = 4
"""Of more things that are called so, the first are told about."""


class Details:
    """Looks things up in one ruleset."""

    def __init__(self, rules: Ruleset, width: int = WIDTH) -> None:
        self.rules = rules
        self.width = width
        self._sentence = cache(self._said)
        self._procedure = cache(self._called_so)
        self._done: dict[tuple[str, str], str] = {}
        """what members do, as far as it has been looked up"""

    def of(self, game: Game, eyes: str | None, name: str) -> list[str]:
        """Everything about whatever is called so, by its id or title or a part of that."""
        if not name:
            return ["Say of what: details NAME"]
        found = self._called(game, name)
        if every := [] if found else self._of_kind(game, name):
            return [line for kind, member in every for line in self._about(game, eyes, kind, member)]
        if not found:
            return [_unknown(game, eyes, name)]
        lines = [line for kind, member in found[:MOST_FOUND] for line in self._about(game, eyes, kind, member)]
        if len(found) > MOST_FOUND:
            lines.append(f"There are {len(found) - MOST_FOUND} more that are called so.")
        return lines

    def offered(self, game: Game, eyes: str | None, options: Iterable[Option]) -> list[str]:
        """Everything about what these options would choose, and nothing about the others."""
        referred = [each.refers_to for each in options if each.refers_to is not None]
        return [line for key in referred for line in self.member(game, eyes, *key)]

    def member(self, game: Game, eyes: str | None, kind: str, id: str) -> list[str]:
        """Everything about one member and nothing else that is called so."""
        return self._about(game, eyes, kind, game.program.rules.symbols.kinds[kind].index[id])

    def effects(self, game: Game, kind: str, member: int) -> list[str]:
        """What a member does, in lines, if it does anything."""
        said = self.does(kind, game.program.rules.symbols.kinds[kind].members[member])
        return wrapped(said, self.width, "  ", "  ") if said else []

    def does(self, kind: str, member: str) -> str:
        """What a member does, in words, if it does anything."""
        if (kind, member) not in self._done:
            said = self._ruled(kind, member) if self._acts(kind) else ""
            called = map(self._procedure, dict.fromkeys(CALLED.findall(said)))
            self._done[kind, member] = " ".join([said, *called]) if said else ""
        return self._done[kind, member]

    def is_known(self, kind: str, member: int) -> bool:
        """Whether what a member does has been looked up, which takes a second for the first."""
        members = self.rules.rules().symbols.kinds[kind].members
        return not self._acts(kind) or (kind, members[member]) in self._done

    def _acts(self, kind: str) -> bool:
        """Whether members of a kind do something, as cards do."""
        attributes = self.rules.rules().symbols.kinds[kind].attributes.values()
        return any(each.spec.kind in ("effects", "changes") for each in attributes)

    def _called(self, game: Game, name: str) -> list[tuple[str, int]]:
        """Whatever is called so, each after its kind: wholly, or else in part."""
        wanted = name.casefold()
        every = [
            (kind.name, number, (id.casefold(), title.casefold()))
            for kind in game.program.rules.symbols.kinds.values()
            for number, (id, title) in enumerate(zip(kind.members, kind.titles, strict=True))
        ]
        whole = [(kind, number) for kind, number, names in every if wanted in names]
        return whole or [(kind, number) for kind, number, names in every if any(wanted in each for each in names)]

    def _of_kind(self, game: Game, name: str) -> list[tuple[str, int]]:
        """Every member of the kind that is called so, each after its kind."""
        wanted = name.casefold()
        return [
            (kind.name, number)
            for kind in game.program.rules.symbols.kinds.values()
            if wanted in (each.casefold() for each in (kind.name, kind.title, kind.plural))
            for number in range(len(kind.members))
        ]

    def _about(self, game: Game, eyes: str | None, kind: str, member: int) -> list[str]:
        """One member or action in lines."""
        symbol = game.program.rules.symbols.kinds[kind]
        lines = wrapped(self._sentence(kind, symbol.members[member]), self.width, "", "  ")
        lines = lines or [f"{symbol.titles[member]} ({symbol.title})"]
        for graph, others in self._joined(game, kind, member).items():
            lines += wrapped(f"Joined by {spoken(graph)} with {', '.join(others)}.", self.width, "  ", "    ")
        now = play.Situation(game, eyes).of(kind, member)
        return [*lines, *(wrapped(f"Now: {now}", self.width, "  ", "    ") if now else [])]

    @staticmethod
    def _joined(game: Game, kind: str, member: int) -> dict[str, list[str]]:
        """The titles of what each graph joins a member with."""
        symbols = game.program.rules.symbols
        if kind not in symbols.first_node:
            return {}
        here = symbols.first_node[kind] + member
        titles = [title for each in symbols.first_node for title in symbols.kinds[each].titles]
        found: dict[str, list[str]] = {}
        for graph, ends in symbols.graphs.items():
            for one, other, one_way, _ in ends:
                if here == one or (here == other and not one_way):
                    found.setdefault(graph, []).append(titles[other if here == one else one])
        return {graph: list(dict.fromkeys(others)) for graph, others in found.items()}

    def _called_so(self, title: str) -> str:
        """What the procedure of this title does; nothing where there is none."""
        name = title.lower().replace(" ", "_")
        if f"procedures.{name}" not in self.rules.rules().procedures:
            return ""
        from polis_rules.documentation import explain  # takes long to import

        known = explain(self.rules.origin[0], f"procedures.{name}", *self.rules.origin[1:])
        return f"{title}: {known.own_words}" if known.own_words else known.sentence

    def _said(self, kind: str, member: str) -> str:
        """What the rulebook says of a member or an action, with its source; empty where it says nothing."""
        known = self._explained(kind, member)
        if known is None:
            return ""
        called = self.rules.rules().symbols.kinds[kind].title
        said = self._in_words(known, kind, member, f" ({called[:1].lower()}{called[1:]})")
        return f"{said}{f' Source: {known.cite}.' if known.cite else ''}{_ruling(known)}"

    def _ruled(self, kind: str, member: str) -> str:
        """The same without its source, which tells nothing that is needed at the table."""
        known = self._explained(kind, member)
        if known is None:
            return ""
        return f"{self._in_words(known, kind, member)}{'' if known.own_words else _ruling(known)}"

    def _in_words(self, known: Explanation, kind: str, member: str, more: str = "") -> str:
        """The rulebook's own words after the title, or else the sentence that is made from the rule."""
        symbol = self.rules.rules().symbols.kinds[kind]
        return f"{symbol.titles[symbol.index[member]]}{more}: {known.own_words}" if known.own_words else known.sentence

    def _explained(self, kind: str, member: str) -> Explanation | None:
        from polis_rules.documentation import explain  # takes long to import

        ruleset, scenario, variants = self.rules.origin
        path = f"actions.{member}" if kind == "action" else f"tables.{kind}.{member}"
        try:
            return explain(ruleset, path, scenario, variants)
        except PolisError:
            return None


def _unknown(game: Game, eyes: str | None, name: str) -> str:
    """That nothing is called so, or nothing but an answer to what the player is asked."""
    decision = game.decision
    if decision is not None and decision.player == eyes:
        for option in decision.options:
            if name.casefold() in (option.id.casefold(), option.title.casefold()):
                return f"{quote(option.title)} is an option here; there is nothing to know of it but what it changes."
    kinds = game.program.rules.symbols.kinds.values()
    near = nearest(name, [title for kind in kinds for title in (*kind.titles, *kind.members)])
    return f"Nothing is called {quote(name)}{'; ' + did_you_mean(near) if near else '.'}"


def _ruling(known: Explanation) -> str:
    return f" Ruling: {known.ruling}" if known.ruling else ""
