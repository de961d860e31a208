"""Load a ruleset and start games of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from polis_rules import cache
from polis_rules.diagnostics import PolisError, quote

if TYPE_CHECKING:
    from polis_rules.composition import Composed, Snapshot
    from polis_rules.diagnostics import Span
    from polis_rules.incremental import Memory
    from polis_rules.interpreter.game import Game
    from polis_rules.interpreter.machine import Compiled
    from polis_rules.interpreter.runtime import Program
    from polis_rules.interpreter.runtime.native import Native, Wanted
    from polis_rules.pipeline import Front
    from polis_rules.semantics import TypedRules

Origin = tuple["str | Path", "str | None", "tuple[str | Path, ...]"]
"""A ruleset with its scenario and variants, as it was asked for."""


class About(NamedTuple):
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
    grades: dict[str, int]
    settings: dict[str, str]
    chosen: dict[str, str]


class Ruleset:
    """A checked ruleset with a scenario and variants. `load` makes it.

    `name`, `title`, `scenario` and `hash` (64 hexadecimal digits) are texts; `variants`, `layers`, `scenarios` and
    `players` are tuples of texts; `titles` gives each player's title; `counts` says how much of what it has, `grades`
    how many of its rules and values have each grade. `settings` says what each setting is, as text, and `chosen`
    which of them were asked for.

    >>> from polis_rules import load
    >>> len(load("yucata").players)
    2
    """

    def __init__(self, about: About, origin: Origin, snapshot: Snapshot | None, memory: Memory | None = None) -> None:
        self.name, self.title, self.hash = about.name, about.title, about.hash
        self.scenario, self.scenarios, self.variants = about.scenario, about.scenarios, about.variants
        self.layers, self.players, self.titles, self.counts = about.layers, about.players, about.titles, about.counts
        self.grades, self.settings, self.chosen = about.grades, about.settings, about.chosen
        self._about, self._snapshot, self._memory = about, snapshot, memory
        self.origin = origin
        self._rules: TypedRules | None = None
        self._compiled: dict[str, Compiled] = {}
        self._played: Program | None = None
        """the program that games share"""
        self._natives: dict[tuple[str, str], tuple[Native | None, str]] = {}
        self._cited: list[tuple[Span, str]] | None = None
        """the places of rules that cite a passage, those inside others after them"""
        self._kept: dict[str, int] = {}
        """how many parts of compact programs the cache has"""

    def rules(self) -> TypedRules:
        """The typed rules."""
        if self._rules is None:
            assert self._snapshot is not None
            played = self._known(_name(checks=True, trace=True, compact=False))
            if played is not None:  # which was made of them
                self._rules = played.rules
            else:
                self._rules = _compose(self.origin, self._snapshot, self._memory).rules
        return self._rules

    def composed(self) -> Composed:
        """What its files say together, as they did when it was loaded."""
        from polis_rules.composition import compose
        from polis_rules.source import edited

        with edited({} if self._snapshot is None else self._snapshot.texts):
            return compose(*self.origin)

    def cited(self, place: Span) -> str:
        """Which passage says what stands at a place of its rules; empty where none is cited."""
        if self._cited is None:
            from polis_rules import source

            nodes = (node for _, node in source.walk(self.composed().tree) if isinstance(node, source.Mapping))
            rules = ((node, node.get("cite")) for node in nodes)
            self._cited = [(node.span, str(cite)) for node, cite in rules if cite is not None]
        around = [cite for span, cite in self._cited if span.holds(place)]
        return around[-1] if around else ""

    def with_rules(self, rules: TypedRules) -> Ruleset:
        """The same ruleset playing by other typed rules, for those who count or change what rules do."""
        other = Ruleset(self._about, self.origin, None)
        other._rules = rules
        return other

    def program(
        self, checks: bool = False, trace: bool = False, compact: bool = False, native: Wanted | None = None
    ) -> Program:
        """The rules as a program over lists of integers, for many games in little time.

        `checks` holds every change against its declared range; `trace` tells every change. Both cost speed. With
        `compact` functions are generated when they are first called, which is best for the few decisions of a case.

        `native` plays whole games (`playout`, `playouts`) in native code: "wasm" in WebAssembly, "c" as made by a C
        compiler, "auto" in what there is, or else in Python (`native_reason` says why). The games are the same in all.
        Raises NativeMissingError where "wasm" or "c" cannot be had, ValueError for any other word.

        >>> from random import Random
        >>> from polis_rules import load
        >>> program = load("yucata").program()
        >>> program.playout(program.new_state(seed=1), Random(1)).decisions > 0
        True
        """
        from polis_rules.interpreter.runtime import Program

        program = Program(self._compile(checks, trace, compact))
        if not compact:
            program.opening = lambda: self._open(self._compile(checks, False, False), "auto")
            program.carried = lambda: program.compiled.carried(self._compile(checks, False, False))
        if native is not None:
            program.native, program.native_reason = self._open(program.compiled, native)
            if not checks:
                program.checked = lambda: self.program(checks=True)
        return program

    def _open(self, compiled: Compiled, native: Wanted) -> tuple[Native | None, str]:
        """Native code of compiled rules, once for all programs; or why there is none."""
        from polis_rules.interpreter.runtime.native import opened

        place = (native, _name(compiled.checks, compiled.trace, compiled.compact))
        if place not in self._natives:
            self._natives[place] = opened(compiled, native, self.key(place[1]))
        found, reason = self._natives[place]
        return found.another() if found is not None else None, reason

    def key(self, name: str) -> str:
        """A key for something that is made of the rules; empty where these have none, as they were changed."""
        return f"{self._snapshot.key} {name}" if self._snapshot is not None else ""

    def _compile(self, checks: bool, trace: bool, compact: bool) -> Compiled:
        name = _name(checks, trace, compact)
        compiled = self._known(name)
        if compiled is None:
            from polis_rules.interpreter.compiler import compile_lazily, compile_rules

            compiled = self._compiled[name] = (compile_lazily if compact else compile_rules)(
                self.rules(), checks, trace
            )
            self.keep()
        return compiled

    def _known(self, name: str) -> Compiled | None:
        """What was compiled before, now or in another run."""
        if name not in self._compiled and self._snapshot is not None:
            compiled = cache.fetch(self._snapshot.key, name)
            if compiled is not None:
                self._compiled[name], self._kept[name] = compiled, len(compiled.parts)
        return self._compiled.get(name)

    def keep(self) -> None:
        """Keep between runs what was compiled: of compact programs whatever was generated by now."""
        for name, compiled in self._compiled.items():
            if self._snapshot is not None and self._kept.get(name, 0) != len(compiled.parts):
                cache.store(self._snapshot.key, name, compiled)
                self._kept[name] = len(compiled.parts)

    def start(self, seed: int = 0, chance: Literal["auto", "manual"] = "auto") -> Game:
        """A new game. `seed` is a whole number from 0; the same seed and choices give the same game.

        With chance="manual" dice and draws wait for `game.answer`. Raises RuleError when the set-up fails, PolisError
        when there is no such seed.

        >>> from polis_rules import load
        >>> load("yucata").start(seed=7).finished
        False
        """
        from polis_rules.interpreter.game import Game

        if not isinstance(seed, int) or seed < 0:
            raise PolisError(f"a seed is a whole number from 0, not {quote(repr(seed))}")
        if chance not in ("auto", "manual"):
            raise PolisError(f"chance is 'auto' or 'manual', not {quote(repr(chance))}")
        if self._played is None:
            self._played = self.program(checks=True, trace=True)
        return Game(self._played, seed, chance)


def _name(checks: bool, trace: bool, compact: bool) -> str:
    return f"program{' checks' if checks else ''}{' trace' if trace else ''}{' compact' if compact else ''}"


def load(
    ruleset: str | Path,
    scenario: str | None = None,
    variants: Sequence[str | Path] = (),
    memory: Memory | None = None,
    settings: Mapping[str, object] | None = None,
) -> Ruleset:
    """Load a ruleset by its shipped name or the path of its folder, with a scenario and variants.

    `settings` are values of its settings by name, such as `{"seats": 4, "long_game": True}`; they may also stand among
    the variants, as `seats=4`.
    What rulesets have in common that are loaded with the same `memory` (of `polis_rules.incremental`) is checked once.
    Raises RulesetError with every finding when the ruleset cannot be used, PolisError for arguments of other types.

    >>> load("yucata").name
    'yucata'
    """
    from polis_rules.composition import take_snapshot, with_choices

    if not isinstance(scenario, str | Path | None):
        raise PolisError(f"a scenario is an id or a file, not {quote(repr(scenario))}")
    if isinstance(variants, str | Path) or not isinstance(variants, Iterable):
        raise PolisError(f"variants are a list of names or files, not {quote(repr(variants))}")
    origin = (ruleset, scenario, with_choices(tuple(variants), settings or {}))
    snapshot = take_snapshot(*origin)
    about = cache.fetch(snapshot.key, "about")
    if isinstance(about, About):
        return Ruleset(about, origin, snapshot, memory)
    from polis_rules.schema import graded

    composed, rules, document = _compose(origin, snapshot, memory)
    about = _about(composed, rules, graded(document))
    if take_snapshot(*origin).key == snapshot.key:  # no file came, went or changed meanwhile
        cache.store(snapshot.key, "about", about)
    loaded = Ruleset(about, origin, snapshot, memory)
    loaded._rules = rules
    return loaded


def _compose(origin: Origin, snapshot: Snapshot, memory: Memory | None) -> Front:
    """The typed rules of the very texts that the snapshot's key was made of."""
    from polis_rules.incremental import build
    from polis_rules.pipeline import Build, front, whole
    from polis_rules.source import edited

    with edited(snapshot.texts, None if memory is None else memory.trees):
        return front(*origin) if memory is None else whole(build(Build(*origin), memory))


def _about(composed: Composed, rules: TypedRules, grades: dict[str, int]) -> About:
    player = rules.symbols.kinds["player"]
    counts = {
        "kinds": len(rules.symbols.kinds),
        "table rows": sum(len(kind.members) for kind in rules.symbols.kinds.values()) - len(rules.actions),
        "actions": len(rules.actions),
        "procedures and phases": sum(path.startswith(("phases.", "procedures.")) for path in rules.procedures),
        "terms": len(rules.symbols.terms),
    }
    return About(
        str(composed.manifest.get("ruleset")), str(composed.manifest.get("title")), composed.hash,
        str(composed.scenario), _plain(composed.scenarios), _plain(composed.variants), _plain(composed.layers),
        player.members,
        dict(zip(player.members, player.titles, strict=True)), counts, grades,
        {name: str(setting.value) for name, setting in composed.settings.items()}, composed.chosen,
    )  # fmt: skip


def _plain(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts without their places in files, which are quicker to read."""
    return tuple(map(str, texts))
