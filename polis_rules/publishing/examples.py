"""Worked examples of a rulebook: cases of the ruleset, told as they are played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from polis_rules.cases import Case, CaseResult, Runner, read_cases, told_as_played
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
from polis_rules.source import spoken

MOST, TRIED = 6, 3
"""So many examples are chosen where no chapter names any, from so many cases at the beginning of each file."""


def with_examples(
    book: Rulebook, opened: Book, ruleset: str | Path, scenario: str | None = None, variants: Sequence[str | Path] = ()
) -> Rulebook:
    """The rulebook with the examples that the ruleset's own chapters name, at the end of these.

    Where they name none, the first case with something to tell of each file of cases is one, in a last chapter. A case
    that these rules do not bear out is left out.
    """
    plan = opened.document.book
    named = {str(each.title): [*map(str, each.examples)] for each in plan.chapters.values()} if plan else {}
    runner = Runner(ruleset, scenario, variants)
    players = opened.rules.symbols.kinds["player"].titles
    cases = {case.id: case for case in read_cases(ruleset)}

    def told(case: Case) -> Example | None:
        plan = runner.plan(case)
        lines = () if isinstance(plan, CaseResult) else told_as_played(case, *plan)
        if not lines:
            return None
        source = Source(f"cases.{case.id}", str(case.cite or ""))
        title = str(case.title or upper_first(spoken(case.id)))
        return Example(
            case.id,
            title,
            tuple(Sentence(end(line.replace(": Choose: ", ": ")), source) for line in _last_part(lines, players)),
        )

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


def _last_part(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """What is told under the last heading below which somebody decides, to the last decision; or else at the end."""
    decided = tuple(f"{player}: " for player in players)
    parts: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("-- "):
            parts.append([])
        else:
            parts[-1].append(line)
    for part in reversed(parts):
        if any(line.startswith(decided) for line in part):
            last = max(at for at, line in enumerate(part) if line.startswith(decided))
            return part[: last + 1]
    return next((part for part in reversed(parts) if part), [])
