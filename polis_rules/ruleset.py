"""Load a ruleset and start games of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from polis_rules import cache

if TYPE_CHECKING:
    from polis_rules.composition import Composed, Snapshot
    from polis_rules.interpreter.game import Game
    from polis_rules.interpreter.machine import Compiled
    from polis_rules.interpreter.runtime import Program
    from polis_rules.pipeline import Front
    from polis_rules.semantics import TypedRules

Origin = tuple["str | Path", "str | None", "tuple[str | Path, ...]"]
"""A ruleset with its scenario and variants, as it was asked for."""


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a loaded ruleset without its rules."""

    name: str
    title: str
    hash: str
    scenario: str
    scenarios: tuple[str, ...]
    variants: tuple[str, ...]
    layers: tuple[str, ...]
    players: tuple[str, ...]
    titles: dict[str, str]
    counts: dict[str, int]


class Ruleset:
    """A checked ruleset with a scenario and variants. `load` makes it.

    `name`, `title`, `scenario` and `hash` (64 hexadecimal digits) are texts; `variants`, `layers`, `scenarios` and
    `players` are tuples of texts; `titles` gives each player's title; `counts` says how much of what it has.

    >>> from polis_rules import load
    >>> len(load("yucata").players)
    2
    """

    def __init__(self, about: About, origin: Origin, snapshot: Snapshot | None) -> None:
        self.name, self.title, self.hash = about.name, about.title, about.hash
        self.scenario, self.scenarios, self.variants = about.scenario, about.scenarios, about.variants
        self.layers, self.players, self.titles, self.counts = about.layers, about.players, about.titles, about.counts
        self._about, self._snapshot = about, snapshot
        self.origin = origin
        self._rules: TypedRules | None = None
        self._compiled: dict[str, Compiled] = {}

    def rules(self) -> TypedRules:
        """The typed rules."""
        if self._rules is None:
            assert self._snapshot is not None
            self._rules = _compose(self.origin, self._snapshot).rules
        return self._rules

    def with_rules(self, rules: TypedRules) -> Ruleset:
        """The same ruleset playing by other typed rules, for those who count or change what rules do."""
        other = Ruleset(self._about, self.origin, None)
        other._rules = rules
        return other

    def program(self, checks: bool = False, trace: bool = False) -> Program:
        """The rules as a program over lists of integers, for many games in little time.

        `checks` holds every change against its declared range; `trace` tells every change. Both cost speed.

        >>> from random import Random
        >>> from polis_rules import load
        >>> program = load("yucata").program()
        >>> program.playout(program.new_state(seed=1), Random(1)).decisions > 0
        True
        """
        from polis_rules.interpreter.runtime import Program

        name = f"program{' checks' if checks else ''}{' trace' if trace else ''}"
        if name not in self._compiled:
            compiled = cache.fetch(self._snapshot.key, name) if self._snapshot is not None else None
            if compiled is None:
                from polis_rules.interpreter.compiler import compile_rules

                compiled = compile_rules(self.rules(), checks, trace)
                if self._snapshot is not None:
                    cache.store(self._snapshot.key, name, compiled)
            self._compiled[name] = compiled
        return Program(self._compiled[name])

    def start(self, seed: int = 0, chance: Literal["auto", "manual"] = "auto") -> Game:
        """A new game. `seed` is any whole number; the same seed and choices give the same game.

        With chance="manual" dice and draws wait for `game.answer`. Raises RuleError when the set-up fails.

        >>> from polis_rules import load
        >>> load("yucata").start(seed=7).finished
        False
        """
        from polis_rules.interpreter.game import Game

        return Game(self.program(checks=True, trace=True), seed, chance)


def load(ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()) -> Ruleset:
    """Load a ruleset by its shipped name or the path of its folder, with a scenario and variants.

    Raises RulesetError with every finding when the ruleset cannot be used.

    >>> load("yucata").name
    'yucata'
    """
    from polis_rules.composition import take_snapshot

    origin = (ruleset, scenario, tuple(variants))
    snapshot = take_snapshot(*origin)
    about = cache.fetch(snapshot.key, "about")
    if isinstance(about, About):
        return Ruleset(about, origin, snapshot)
    composed, rules, _ = _compose(origin, snapshot)
    about = _about(composed, rules)
    if take_snapshot(*origin).key == snapshot.key:  # no file came, went or changed meanwhile
        cache.store(snapshot.key, "about", about)
    made = Ruleset(about, origin, snapshot)
    made._rules = rules
    return made


def _compose(origin: Origin, snapshot: Snapshot) -> Front:
    """The typed rules of the very texts that the snapshot's key was made of."""
    from polis_rules.pipeline import front
    from polis_rules.source import edited

    with edited(snapshot.texts):
        return front(*origin)


def _about(composed: Composed, rules: TypedRules) -> About:
    player = rules.symbols.kinds["player"]
    counts = {
        "kinds": len(rules.symbols.kinds),
        "table rows": sum(len(kind.members) for kind in rules.symbols.kinds.values()) - len(rules.actions),
        "actions": len(rules.actions),
        "procedures and phases": sum(path.startswith(("phases.", "procedures.")) for path in rules.procedures),
        "terms": len(rules.symbols.terms),
    }
    return About(
        str(composed.manifest.get("ruleset")), str(composed.manifest.get("title")), composed.hash, composed.scenario,
        composed.scenarios, composed.variants, composed.layers, player.members,
        dict(zip(player.members, player.titles, strict=True)), counts,
    )  # fmt: skip
