"""What there is to know of one thing: as the rules have it, with its source, and as it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from polis_rules import play
from polis_rules.diagnostics import PolisError, did_you_mean, nearest, quote
from polis_rules.source import spoken

from ..answers import is_number
from ..output import WIDTH, wrapped

if TYPE_CHECKING:
    from polis_rules import Game, Ruleset
    from polis_rules.documentation import Explanation
    from polis_rules.play import Preview
    from polis_rules.semantics import Variable

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

    def of(
        self, game: Game, eyes: str | None, name: str, offered: Mapping[str, Preview] = MappingProxyType({})
    ) -> list[str]:
        """Everything about whatever is called so, by its id or title or a part of that.

        The `offered` are the options by what is typed for each: of one that is called so it is told what it changes.
        """
        if not name:
            return ["Say of what: details NAME"]
        if is_number(name) and offered:
            return self.option(game, eyes, offered[name]) if name in offered else [f"There is no option {name} here."]
        wanted = name.casefold()
        chosen = [each for each in offered.values() if wanted in (each.option.id, each.option.title.casefold())]
        found = self._named(game, eyes, name, in_part=not chosen)
        return [*found, *(line for each in chosen for line in self._if_chosen(each))]

    def _named(self, game: Game, eyes: str | None, name: str, in_part: bool) -> list[str]:
        """Everything about the members and the state that are called so, of state also `in_part`."""
        found, states = self._called(game, name), self._states(game, name)
        every = [] if found else self._of_kind(game, name)
        if in_part and not (found or every or states):
            states = self._states(game, name, in_part=True)
        if not (found or every or states):
            return [_unknown(game, eyes, name)]
        lines = [line for each in states[:MOST_FOUND] for line in self._about_state(game, eyes, each)]
        lines += [line for each in every or found[:MOST_FOUND] for line in self._about(game, eyes, *each)]
        if (more := max(0, len(states) - MOST_FOUND) + max(0, len(found) - MOST_FOUND)) > 0:
            lines.append(f"There are {more} more that are called so.")
        return lines

    def option(self, game: Game, eyes: str | None, preview: Preview) -> list[str]:
        """Everything about what an option would choose, and all that it would change."""
        key = preview.option.refers_to
        return [*([] if key is None else self.member(game, eyes, *key)), *self._if_chosen(preview)]

    def _if_chosen(self, preview: Preview) -> list[str]:
        """What an option costs and all that it would change, in lines; nothing where something else is told of it."""
        told = [*([preview.price] if preview.price else []), *preview.whole]
        if not told and preview.option.refers_to is not None:
            return []
        begin = f"If you choose {preview.option.title} now:"
        if len(told) < 2:
            return wrapped(f"{begin} {''.join(told) or 'nothing changes that you see'}", self.width, "  ", "    ")
        return [f"  {begin}", *(line for each in told for line in wrapped(each, self.width, "    ", "      "))]

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

    def _states(self, game: Game, name: str, in_part: bool = False) -> list[Variable]:
        """The state of the game, of players and of other things that is called so, by its id or title."""
        wanted = name.casefold()
        return [
            each
            for each in _every_state(game)
            if any(wanted == called or (in_part and wanted in called) for called in (each.name, each.label.casefold()))
        ]

    def _about_state(self, game: Game, eyes: str | None, variable: Variable) -> list[str]:
        """What the rules say of a state, such as between which values it lies, and how it stands."""
        path = f"kinds.{variable.owner}.state.{variable.name}" if variable.owner else f"state.{variable.name}"
        known = self._explained(path)
        said = f"{variable.label}." if known is None else _sourced(known, known.sentence)
        now = play.Situation(game, eyes).of_state(variable.owner, variable.name)
        return [
            *wrapped(said, self.width, "", "  "),
            *(wrapped(f"Now: {now}", self.width, "  ", "    ") if now else []),
        ]

    def _about(self, game: Game, eyes: str | None, kind: str, member: int) -> list[str]:
        """One member or action in lines."""
        symbol = game.program.rules.symbols.kinds[kind]
        lines = wrapped(self._sentence(kind, symbol.members[member]), self.width, "", "  ")
        lines = lines or [f"{symbol.titles[member]} ({symbol.title})"]
        for graph, others in self._joined(game, kind, member).items():
            lines += wrapped(f"Joined by {spoken(graph)} with {', '.join(others)}.", self.width, "  ", "    ")
        situation = play.Situation(game, eyes)
        now = situation.of(kind, member)
        lines += wrapped(f"Now: {now}", self.width, "  ", "    ") if now else []
        for label, text in situation.kept_for(kind, member).items():
            lines += wrapped(f"Now, {label}: {text}", self.width, "  ", "    ")
        return lines

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
        known = self._explained(_path(kind, member))
        if known is None:
            return ""
        called = self.rules.rules().symbols.kinds[kind].title
        said = self._in_words(known, kind, member, f" ({called[:1].lower()}{called[1:]})")
        return _sourced(known, said)

    def _ruled(self, kind: str, member: str) -> str:
        """The same without its source, which tells nothing that is needed at the table."""
        known = self._explained(_path(kind, member))
        if known is None:
            return ""
        return f"{self._in_words(known, kind, member)}{'' if known.own_words else _ruling(known)}"

    def _in_words(self, known: Explanation, kind: str, member: str, more: str = "") -> str:
        """The rulebook's own words after the title, or else the sentence that is made from the rule."""
        symbol = self.rules.rules().symbols.kinds[kind]
        return f"{symbol.titles[symbol.index[member]]}{more}: {known.own_words}" if known.own_words else known.sentence

    def _explained(self, path: str) -> Explanation | None:
        from polis_rules.documentation import explain  # takes long to import

        ruleset, scenario, variants = self.rules.origin
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
    members = (title for kind in kinds for title in (*kind.titles, *kind.members))
    near = nearest(name, [*members, *(each.label for each in _every_state(game))])
    return f"Nothing is called {quote(name)}{'; ' + did_you_mean(near) if near else '.'}"


def _every_state(game: Game) -> list[Variable]:
    """The state of players, of the game itself, and of other things."""
    symbols = game.program.rules.symbols
    others = (each.state for kind, each in symbols.kinds.items() if kind != "player")
    return [each for states in (symbols.kinds["player"].state, symbols.state, *others) for each in states.values()]


def _path(kind: str, member: str) -> str:
    """Where a ruleset says what a member or an action is."""
    return f"actions.{member}" if kind == "action" else f"tables.{kind}.{member}"


def _sourced(known: Explanation, said: str) -> str:
    """What is said of something, with its source."""
    return f"{said}{f' Source: {known.cite}.' if known.cite else ''}{_ruling(known)}"


def _ruling(known: Explanation) -> str:
    return f" Ruling: {known.ruling}" if known.ruling else ""
