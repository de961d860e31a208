"""Worked examples of a rulebook: cases of the ruleset, told from their position to what comes of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

from polis_rules.cases import Case, CaseResult, Plan, Runner, Stage, read_cases, told_as_played
from polis_rules.documentation.rulebook import (
    Book,
    Chapter,
    Example,
    Rulebook,
    Section,
    Sentence,
    Source,
    end,
    upper_first,
)
from polis_rules.semantics import Start
from polis_rules.semantics.expressions import BOOL
from polis_rules.source import spoken

MOST, TRIED = 6, 3
"""So many examples are chosen where no chapter names any, from so many cases at the beginning of each file."""

NUMBERED = re.compile(r"^Example [\d.]+:? ")
"""What a title begins with that names an example of the published rules; the citation names it too."""


def with_examples(
    book: Rulebook, opened: Book, ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()
) -> Rulebook:
    """The rulebook with the examples that the ruleset's own chapters name, at the end of these.

    Where they name none, the first case with something to tell of each file of cases is one, in a last chapter. A case
    that these rules do not bear out is left out, and so is one of other variants that no chapter names.
    """
    plan = opened.document.book
    named = {str(each.title): [*map(str, each.examples)] for each in plan.chapters.values()} if plan else {}
    runner = Runner(ruleset, scenario, variants)
    players = opened.rules.symbols.kinds["player"].titles
    cases = {case.id: case for case in read_cases(ruleset)}

    def told(case: Case) -> Example | None:
        planned = runner.plan(case)
        played = () if isinstance(planned, CaseResult) else told_as_played(case, *planned)
        if isinstance(planned, CaseResult) or not played:
            return None
        lines = [line.replace(": Choose: ", ": ") for line in _decided(played, players)]
        source = Source(f"cases.{case.id}", str(case.cite or ""))
        title = upper_first(NUMBERED.sub("", str(case.title or upper_first(spoken(case.id)))))
        sentences = tuple(Sentence(end(line), source) for line in (*_before(*planned), *lines, *_after(*planned)))
        return Example(case.id, title, sentences)

    def extended(chapter: Chapter) -> Chapter:
        found = [told(cases[name]) for name in named.get(chapter.title, ()) if name in cases]
        blocks = tuple(each for each in found if each is not None)
        if not blocks:
            return chapter
        return replace(chapter, sections=(*chapter.sections, Section("Examples", f"{chapter.anchor}-examples", blocks)))

    def chosen() -> Iterator[Section]:
        """The first example of each file."""
        files: dict[str, list[Case]] = {}
        for case in cases.values():
            if case.entry is not None and case.entry.do and not case.entry.variants:
                files.setdefault(case.path.stem, []).append(case)
        for file in files:
            example = next(filter(None, map(told, files[file][:TRIED])), None)
            if example is not None:
                yield Section(f"{upper_first(spoken(file))} (example)", f"examples-{file}", (example,))

    if not any(named.values()):
        sections = tuple(islice(chosen(), MOST))
        examples = (Chapter("Examples", "examples", (), sections),) if sections else ()
        return replace(book, chapters=(*book.chapters, *examples))
    return replace(book, chapters=tuple(map(extended, book.chapters)))


def _decided(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """What is told under the last heading below which somebody decides, to what players get by the last decision."""
    named = "|".join(map(re.escape, players))
    is_got = re.compile(rf"({named}) (gains|loses|pays) ").match

    def is_decision(line: str) -> bool:
        """Whether a line tells what a player does, in words of the rules or as a question and its answer."""
        return re.match(rf"({named})(: | (?!\())", line) is not None and not is_got(line)

    parts: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("-- "):
            parts.append([])
        else:
            parts[-1].append(line)
    for part in reversed(parts):
        if found := [at for at, line in enumerate(part) if is_decision(line)]:
            return part[: max(found[-1], *(at for at, line in enumerate(part) if is_got(line)), 0) + 1]
    return []


def _before(plan: Plan, stage: Stage) -> Iterator[str]:
    """The position that a case begins with, as far as it says so, without what does not hold in it."""

    def holds(each: Start) -> bool:
        return bool(each.value) or stage.symbols.variable(each.owner, each.name).type != BOOL

    if values := [*_values(filter(holds, plan.given), stage)]:
        yield f"Position: {'; '.join(values)}"


def _after(plan: Plan, stage: Stage) -> Iterator[str]:
    """What must have come of it: values, how they differ, how the game ended, and scores."""
    if values := [*_values(plan.then, stage), *_values(plan.changes, stage, differ=True)]:
        yield f"Result: {'; '.join(values)}"
    titles, ends = stage.ruleset.titles, plan.entry.ends
    if ends is not None:
        by = f": {stage.rules.endings[str(ends.by)]}" if ends.by is not None else ""
        won = "".join(f"; {titles.get(str(each), 'nobody')} wins" for each in ends.winner)
        yield f"The game is over{by}{won}"
    if plan.entry.scores:
        told = (
            f"{titles[str(who)]}: {', '.join(f'{spoken(term)} {points}' for term, points in terms.items())}"
            for who, terms in plan.entry.scores.items()
        )
        yield f"Points: {'; '.join(told)}"


def _values(starts: Iterable[Start], stage: Stage, differ: bool = False) -> Iterator[str]:
    """`Red: coins 3, tokens 2`: values, by the member that has them."""
    kinds, found = stage.symbols.kinds, dict[str, dict[str, list[str]]]()
    for each in starts:
        variable = stage.symbols.variable(each.owner, each.name)
        index = [*product(*(range(len(kinds[kind].members)) for kind in variable.kinds))][each.index]
        titles = [kinds[kind].titles[member] for kind, member in zip(variable.kinds, index, strict=True)]
        if differ and not each.value:
            continue
        value = f"{each.value:+d}" if differ else stage.wording.value(variable.type, each.value)
        label = variable.label.partition(" (")[0]
        owner = titles.pop(0) if each.owner else ""
        if variable.type == BOOL and not titles:
            found.setdefault(owner, {})[label if each.value else f"not {label}"] = [""]
            continue
        paid = each.owner == "player" and titles and variable.spendable
        said = found.setdefault(owner, {}).setdefault("" if paid else label, [])
        said.append(" ".join([*titles, "none" if value in ("", "nothing") else value]))
    for owner, labels in found.items():
        told = ", ".join(f"{label} {', '.join(values)}".strip() for label, values in labels.items())
        yield f"{owner}: {told}" if owner else upper_first(told)
