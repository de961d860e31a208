"""What each part of a change of rules contributes: games with it alone, and with all parts but it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from polis_rules.composition import OPERATIONS, Operation, find, find_variant, plain, read_operations, split_choices
from polis_rules.diagnostics import Diagnostics, RulesetError
from polis_rules.lab.games import LabError, Plan, table_of
from polis_rules.lab.pairs import WITHIN, Rates, WinRate, in_pairs
from polis_rules.lab.sequential import ERROR
from polis_rules.source import read_file


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a change: a variant or a setting among several, or an operation of the only variant.

    Win rates are compared without and with the part: alone with the rules as they were, in all with those that have
    every other part. They are missing where these rules cannot be played, as one part needs another.
    """

    name: str
    alone: tuple[WinRate, ...] | None
    in_all: tuple[WinRate, ...] | None


Laid = tuple[str | Path, ...]


def parts_of(before: Plan, now: Plan, folder: Path) -> list[tuple[str, Laid, Laid]]:
    """The parts of what the second plan lays over more than the first: name, the part alone, and all but it.

    Of a single variant these are its operations; variants with some of them are written into a folder. Raises LabError
    where there is only one.
    """
    added = [each for each in now.variants if each not in before.variants]
    files, _ = split_choices(added)
    if len(added) == 1 and files:
        found = _of_a_variant(before, now, files[0], folder)
    else:
        found = [
            (str(each), (*before.variants, each), tuple(other for other in now.variants if other != each))
            for each in added
        ]
    if len(found) < 2:
        raise LabError("the change has no parts: it is a single one")
    return found


def _of_a_variant(before: Plan, now: Plan, variant: str | Path, folder: Path) -> list[tuple[str, Laid, Laid]]:
    path, shown = find_variant(variant, find(now.ruleset))
    diagnostics = Diagnostics()
    tree = read_file(path, shown, diagnostics)
    assert tree is not None  # it can be loaded
    operations = read_operations(tree, diagnostics)
    head = {key: plain(value) for key, value in tree.entries.items() if key not in (*OPERATIONS, "changes_cases")}

    def laid(below: Laid, name: str, some: Sequence[Operation]) -> Laid:
        file = folder / f"{name}.yaml"
        file.write_text(json.dumps({**head, **_written(some)}, ensure_ascii=False), "utf-8")
        return (*below, file)

    beside = tuple(each for each in now.variants if each != variant)
    return [
        (
            f"{each.kind} {each.path}",
            laid(before.variants, f"alone_{at}", [each]),
            laid(beside, f"without_{at}", [*operations[:at], *operations[at + 1 :]]),
        )
        for at, each in enumerate(operations)
    ]


def _written(operations: Sequence[Operation]) -> Mapping[str, Mapping[str, object]]:
    """Operations as a variant's file has them."""
    found: dict[str, dict[str, object]] = {}
    for each in operations:
        value = None if each.value is None else plain(each.value)
        section = found.setdefault(each.kind, {})
        if each.kind == "change" and each.was is not None:
            section[each.path] = {"was": plain(each.was), "to": value}
        elif each.kind == "insert":
            several = section.setdefault(each.path, [])
            assert isinstance(several, list)
            several.append({each.side: str(each.anchor), "do": value})
        else:
            section[each.path] = each.why or "" if each.kind == "remove" else value
    return found


def contributions(
    before: Plan,
    now: Plan,
    parts: Sequence[tuple[str, Laid, Laid]],
    error: float = ERROR,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda number: None,
) -> Iterator[Part]:
    """What each part contributes, in as many pairs of games as the plans have games.

    With the probability `error` at most any of all differences is told that there is not.
    """
    played = 0

    def rates(one: Plan, other: Plan) -> tuple[WinRate, ...] | None:
        nonlocal played
        try:
            one.loaded(), other.loaded()
        except RulesetError:
            played += now.games
            return None
        table = table_of(other)
        found = Rates(len(table.players), error / (2 * len(parts)))
        for portion in in_pairs(one, other, jobs):
            for first, second in portion:
                if not first.failed and not second.failed:
                    found.add(first, second)
            played += len(portion)
            progress(played)
        return tuple(found.of(table, WITHIN))

    for name, alone, others in parts:
        yield Part(name, rates(before, replace(now, variants=alone)), rates(replace(now, variants=others), now))
