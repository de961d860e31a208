"""Check a case against the rules before it is run: every name in it must mean something."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from polis_rules.cases.dice import single_dice
from polis_rules.cases.stage import Stage
from polis_rules.diagnostics import Diagnostics, Span, quote
from polis_rules.schema import MOST_DIGITS, CaseEntry
from polis_rules.semantics import ExpressionChecker, Start, StartReader, Variable
from polis_rules.source import Node, Text, spoken

NUMBER = f"[0-9]{{1,{MOST_DIGITS}}}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A case in which every name is known to mean something."""

    entry: CaseEntry
    given: list[Start]
    answers: dict[str, list[Text]]
    """what chance gives, by stream: ids or titles"""
    silent: dict[str, Span]
    """streams that must not be asked for anything"""
    moves: list[tuple[Text, Text]]
    """player and option"""
    then: list[Start]
    changes: list[Start]
    """by how much"""


def check(entry: CaseEntry, stage: Stage, diagnostics: Diagnostics) -> Plan:
    """The plan of a case; what is wrong with it is reported."""
    return _Checker(entry, stage, diagnostics).run()


class _Checker:
    def __init__(self, entry: CaseEntry, stage: Stage, diagnostics: Diagnostics) -> None:
        self.entry = entry
        self.stage = stage
        self.diagnostics = diagnostics

    def run(self) -> Plan:
        entry, player = self.entry, self.stage.symbols.kinds["player"]
        moves = [(who, option) for line in entry.do for who, options in line.items() for option in options]
        self.known("player", (who for line in entry.do for who in line), player.members)
        self.known("player", entry.scores, player.members)
        self.known("player", filter(None, [entry.decides]), player.members)
        self.choices(option for _, option in moves)
        for names in (entry.options or [], entry.offers, entry.offers_not, entry.refused):
            self.choices(names)
        self.labels()
        self.ends()
        for terms in entry.scores.values():
            self.known("score term", terms, ["total", *self.stage.rules.score])
            for text in terms.values():
                self.number(text)
        symbols = self.stage.symbols
        types = ExpressionChecker(symbols, self.diagnostics, lambda term: symbols.terms[term].type)
        starts = StartReader(types, self.stage.reserves.__contains__).read(entry.given)
        then = StartReader(types).read(entry.then)
        changes = _Differences(types).read(entry.changes)
        return Plan(entry, starts, *self.answers(), moves, then, changes)

    def answers(self) -> tuple[dict[str, list[Text]], dict[str, Span]]:
        """What chance gives, and the streams of which it is said that they give nothing."""
        answers: dict[str, list[Text]] = {}
        silent: dict[str, Span] = {}
        for part in (self.entry.drawn, self.entry.rolled):
            self.known("stream of chance", part, self.stage.streams)
            for stream, outcomes in part.items():
                titles = self.stage.streams.get(stream, {})
                known = {*titles, *titles.values()}
                for outcome in outcomes if known else ():
                    if outcome.lower() not in known and single_dice(outcome) is None:
                        self.unknown(f"outcome of {quote(stream)}", outcome, titles)
                answers.setdefault(str(stream), []).extend(outcomes)
                if not outcomes:
                    silent[str(stream)] = stream.span
        return answers, silent

    def choices(self, names: Iterable[Text]) -> None:
        for name in names:
            if name.lower() not in self.stage.choices and not name.removeprefix("-").isdecimal():
                if ".." in name:
                    message, hint = f"there is no option {quote(name)}", "list the numbers: [0, 1, 2]"
                    self.diagnostics.error("unknown-name", message, name.span, hint)
                    continue
                self.unknown("option", name, (each for each in self.stage.choices if each and "," not in each))

    def labels(self) -> None:
        """Labels of the rules; a text with spaces is taken as it is."""
        for label in (label for labels in self.entry.refused.values() for label in labels):
            if label in self.stage.choices and label not in self.stage.labels:
                message, hint = f"there is no label {quote(label)}", "`refused` is option: label"
                self.diagnostics.error("unknown-name", message, label.span, hint)
            elif " " not in label:
                self.known("label", [label], self.stage.labels)

    def ends(self) -> None:
        if (ends := self.entry.ends) is not None:
            self.known("ending", filter(None, [ends.by]), self.stage.rules.endings)
            players = self.stage.symbols.kinds["player"].members
            self.known("player", ends.winner, [*players, "none"])

    def number(self, text: Text) -> None:
        if not re.fullmatch(f"-?{NUMBER}", text):
            self.diagnostics.error("unfit-value", f"expected a whole number, not {quote(text)}", text.span)

    def known(self, what: str, names: Iterable[Text], known: Iterable[str]) -> None:
        written = list(names)
        there = set(known) if written else set()
        for name in written:
            if name not in there:
                self.unknown(what, name, there)

    def unknown(self, what: str, name: Text, known: Iterable[str]) -> None:
        message = f"there is no {what} {quote(name)}"
        self.diagnostics.unknown("unknown-name", message, name.span, name.lower(), sorted(known))


class _Differences(StartReader):
    """Reads by how much numbers change."""

    def _value(self, variable: Variable, raw: Node, at: Text) -> int | None:
        if variable.type.base != "int":
            message = f"`changes` is for numbers, and `{spoken(variable.name)}` is {variable.type}"
            self.diagnostics.error("wrong-type", message, at.span, hint="write it under `then`")
            return None
        if not isinstance(raw, Text) or not re.fullmatch(f"[+-]?{NUMBER}", raw):
            self.diagnostics.error("unfit-value", "expected a difference such as 2 or -1", raw.span)
            return None
        return int(raw)
