"""The present moment of a game as a case: how one comes there, and what holds there or came of the last decisions."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from polis_rules.cases.positions import Tree, tree_of
from polis_rules.cases.reading import read_case_text
from polis_rules.cases.runner import Runner
from polis_rules.cases.shortcuts import Shortcut, shortcut
from polis_rules.cases.stage import Stage
from polis_rules.cases.telling import CaseResult
from polis_rules.cases.text import CaseFileError, check_target, file_text, with_case
from polis_rules.composition import split_choices
from polis_rules.diagnostics import PolisError, RulesetError, quote
from polis_rules.interpreter.evaluator import StateValue
from polis_rules.interpreter.game import Game, LogEntry, decisions
from polis_rules.ruleset import Ruleset, load
from polis_rules.semantics import ir
from polis_rules.source import is_id, write_whole

LONGEST = 8
"""How many options of one player stand in one line of `do`."""


Held = Collection[tuple[str, str]]
"""Members, each with its kind before it."""


@dataclass(frozen=True, slots=True)
class Written:
    """A case that was written, and passes."""

    id: str
    text: str
    """A file with this one case."""
    decisions: int
    """How many decisions of the game it makes to come to the moment; those after it do not count."""
    left_out: int
    """How many decisions of the game it need not make, as values are given instead."""


def case_of(
    ruleset: Ruleset, game: Game, id: str, last: int = 0, folder: Path = Path(), held: Held = frozenset()
) -> Written:
    """The present moment of a game as a case; with `last`, the moment before so many last decisions, and what they did.

    Where things are `held`, kinds with members such as `("place", "north")`, not all that has changed must come of it,
    but what the board shows of these: their state that has a title.

    The case gives the values that differ from the scenario's first ones, makes as few of the game's decisions as was
    found to be enough, and tells chance what to give. It has been run, and passes. It shows the whole position, also
    what is hidden from players. `folder` is where its file is to stand, for variants that are files.

    Raises CaseFileError when `id` is no id, the game waits for chance or has fewer decisions, or when
    the case would not pass, which happens to games that did not begin with their scenario.

    >>> from polis_rules import load
    >>> ruleset = load("yucata")
    >>> game = ruleset.start(seed=7)
    >>> game.apply(game.decision.options[0])
    >>> written = case_of(ruleset, game, "after_the_first_decision")
    >>> written.decisions, f"decides: {game.decision.player}" in written.text
    (1, True)
    """
    _check_id(id)
    if game.chance is not None:
        raise CaseFileError("the game waits for chance: a case is written when somebody has to decide, or at the end")
    written = _Writer(ruleset, game.log, last, held=held).write(id, folder)
    result = _run(ruleset, written, folder)
    if not result.passed:
        raise CaseFileError(f"the case would not pass, so it is not written: {'; '.join(result.failures)}")
    return written


def write_case(ruleset: Ruleset, game: Game, id: str, path: Path, last: int = 0, held: Held = frozenset()) -> Written:
    """Write the present moment of a game (see `case_of`) into a file of cases, below those that it has.

    Nothing else in the file changes; a file that is not there is begun. Raises CaseFileError when the file cannot
    take the case, for instance because it has one of that name; OSError when it cannot be read or written.
    """
    check_target(path, id)
    written = case_of(ruleset, game, id, last, path.parent, held)
    write_whole(path, with_case(path, id, written.text))
    return written


def failing_case(ruleset: Ruleset, log: Sequence[LogEntry], id: str, folder: Path = Path()) -> Written:
    """A case of a game in which a rule fails after the last decision of a log, or before the first one.

    It expects that everything can be played, so it fails as the game does, and passes once the rule is mended. It has
    been run, and fails. Raises CaseFileError when `id` is no id or the log cannot be played up to there.
    """
    _check_id(id)
    written = _Writer(ruleset, tuple(log), min(decisions(tuple(log)), 1), fails=True).write(id, folder)
    if _run(ruleset, written, folder).passed:
        raise CaseFileError("the case would pass, so it shows no failure")
    return written


def _check_id(id: str) -> None:
    if not is_id(id):
        raise CaseFileError(f"{quote(id)} is no name for a case: lower case letters, digits and _, a letter first")


class _Writer:
    """Puts together one case. With `fails` the last decision cannot be carried out, and what comes of it is open."""

    def __init__(
        self,
        ruleset: Ruleset,
        log: tuple[LogEntry, ...],
        last: int,
        fails: bool = False,
        held: Held = frozenset(),
    ) -> None:
        self.ruleset = ruleset
        self.held = held
        self.fails = fails
        self.stage = Stage(ruleset)
        decided = [number for number, entry in enumerate(log) if entry[0] == "decision"]
        if not 0 <= last <= len(decided):
            raise CaseFileError(f"the game has {len(decided)} decisions, so the last {last} cannot be told")
        cut = decided[-last] if last else 0 if fails else len(log)
        self.before, self.after = log[:cut], log[cut:]
        try:
            self.way = shortcut(self.stage, self.before)
        except PolisError as error:
            raise CaseFileError(f"the game cannot be played again from its beginning: {error}") from None

    def write(self, id: str, folder: Path) -> Written:
        entry = self.head(folder)
        if self.way.given:
            entry["given"] = tree_of(self.way.given, self.way.start)
        entries = (*self.way.entries, *self.after)
        entry |= self.chance(entries)
        if taken := _decisions(entries):
            entry["do"] = taken
        entry |= {"sound": "true"} if self.fails else self.outcome(self.way)
        left_out = decisions(self.before) - self.way.decisions
        return Written(id, file_text(id, entry), self.way.decisions, left_out)

    def head(self, folder: Path) -> Tree:
        """The scenario, the variants and the settings, where they are not the usual ones."""
        ruleset, _, laid_over = self.ruleset.origin
        files, chosen = split_choices(laid_over)
        entry: Tree = {}
        try:
            usual = load(ruleset).scenario
        except RulesetError:  # it needs the scenario or the variants that are played
            usual = ""
        if self.ruleset.scenario != usual:
            entry["scenario"] = self.ruleset.scenario
        if names := [
            str(each) if is_id(str(each)) else Path(os.path.relpath(each, folder)).as_posix() for each in files
        ]:
            entry["variants"] = _short(names)
        if chosen:
            entry["settings"] = dict(chosen)
        return entry

    def chance(self, entries: tuple[LogEntry, ...]) -> Tree:
        """What is drawn and rolled. A stream that does both is written as drawn: the two feed the same streams."""
        steps = [point.step for point in self.stage.program.points]
        draws = {step.stream for step in steps if isinstance(step, ir.Draw)}
        outcomes: dict[str, dict[str, list[str]]] = {"drawn": {}, "rolled": {}}
        for kind, stream, outcome in entries:
            if kind == "chance":
                outcomes["drawn" if stream in draws else "rolled"].setdefault(stream, []).append(outcome)
        return {key: {stream: _short(part) for stream, part in each.items()} for key, each in outcomes.items() if each}

    def outcome(self, way: Shortcut) -> Tree:
        """What came of the last decisions, or else what may be decided now."""
        game = way.game.copy()
        before = game.state[:]
        game.replay(self.after)
        entry = self.holding(game) if self.held else self.changed(before, game, counted=not way.decisions)
        if (result := game.result) is not None:
            return entry | {"ends": {"by": result.ended_by, "winner": [*result.shared] or result.winner or "none"}}
        decision = game.decision
        assert decision is not None
        entry["decides"] = decision.player
        if not self.after or len(entry) == 1:
            entry["options"] = [option.id for option in decision.options]
        return entry

    def holding(self, game: Game) -> Tree:
        """What the board shows of the things that are held."""
        shown = [each for each in self.stage.places if each.variable.title and each.variable.owner]
        shown = [each for each in shown if each.variable.name not in self.stage.symbols.memory]
        values = [each for each in shown if (each.variable.owner, each.ids[0]) in self.held]
        return {"then": tree_of(values, game.state)} if values else {}

    def changed(self, before: list[int], game: Game, counted: bool) -> Tree:
        """The values that are others than before; numbers by how much, where `counted` allows that."""
        values: list[StateValue] = []
        numbers: list[StateValue] = []
        for place in self.stage.free:
            if before[place.slots] != game.state[place.slots]:
                (numbers if counted and place.variable.type.base == "int" else values).append(place)
        by = [now - then for then, now in zip(before, game.state, strict=True)]
        parts = (("then", values, game.state), ("changes", numbers, by))
        return {key: tree_of(changed, state) for key, changed, state in parts if changed}


def _short(parts: list[str]) -> str | list[str]:
    """A list as it is written where a single value may stand for a list of one."""
    return parts[0] if len(parts) == 1 else parts


def _decisions(entries: tuple[LogEntry, ...]) -> list[dict[str, str | list[str]]]:
    """The decisions as `do` lists them: those of one player in a row together."""
    taken = [(who, what) for kind, who, what in entries if kind == "decision"]
    grouped: list[dict[str, str | list[str]]] = []
    for player, group in groupby(taken, key=lambda each: each[0]):
        options = [what for _, what in group]
        grouped += [{player: _short(options[at : at + LONGEST])} for at in range(0, len(options), LONGEST)]
    return grouped


def _run(ruleset: Ruleset, written: Written, folder: Path) -> CaseResult:
    """What comes of a case as it will stand in its file."""
    (case,) = read_case_text(written.text, folder / f"{written.id}.yaml")
    return Runner(ruleset.origin[0]).run(case)
