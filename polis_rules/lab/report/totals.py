"""What rounds hold in all: numbers of members added up, by player, and places in an order, such as prices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from polis_rules.lab.report.figures import Results

MOST = 6
"""More members than that have no curves of their own: they could not be told apart."""

Groups = dict[str, dict[str, str]]
"""Columns of rounds with their labels, by what they are together."""


class _Held(NamedTuple):
    """A column of what the state holds."""

    name: str
    kind: str
    title: str
    members: tuple[str, ...]
    unit: str
    values: str
    """the kind of which the value is a member; empty of numbers"""


def totals(results: Results) -> Groups:
    """Columns, added to the rounds, of sums over all members of a kind.

    They are told by player where the number is one of each player, or where each member belongs to a player: where the
    kind has one value, and no more, that is a player.
    """
    variables: dict[tuple[str, str], list[_Held]] = defaultdict(list)
    for each in _held(results):
        if each.kind not in ("", "player"):
            variables[each.kind, each.title].append(each)
    owners: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for (kind, _), several in variables.items():
        if all(each.values == "player" and len(each.members) == 1 for each in several):
            owners[kind].append({each.members[0]: each.name for each in several})
    found: Groups = {}
    for (kind, title), several in variables.items():
        if several[0].unit != "number" or len({each.members[0] for each in several}) < 2:
            continue
        what = f"{title.capitalize()} ({results.said['kinds'].get(kind, kind)}), all together"
        owner = owners[kind][0] if len(owners[kind]) == 1 else {}
        for player, label in results.players.items():
            own = [each.name for each in several if player in each.members[1:]]
            if own:
                found.setdefault(what, {})[_added(results, own)] = label
            elif owner and all(len(each.members) == 1 for each in several):
                pairs = [(each.name, owner[each.members[0]]) for each in several]
                found.setdefault(what, {})[_added_of(results, pairs, player)] = label
        if what not in found:
            found[what] = {_added(results, [each.name for each in several]): "all"}
    return found


def places(results: Results) -> Groups:
    """Columns, added to the rounds, of places from 1 in kinds whose order the rules ask for, such as prices."""
    variables: dict[tuple[str, str, str], list[_Held]] = defaultdict(list)
    for each in _held(results):
        if each.values in results.said["ordered"] and len(each.members) == 1:
            variables[each.kind, each.title, each.values].append(each)
    found: Groups = {}
    for (_, title, values), several in variables.items():
        order = results.said["ordered"][values]
        if len(several) > MOST or all(_constant(results, each.name) for each in several):
            continue
        what = f"{title.capitalize()}: {results.said['kinds'].get(values, values).lower()}, from 1 to {len(order)}"
        labels = results.said["members"].get(several[0].kind, {})
        found[what] = {
            _placed(results, each.name, order): labels.get(each.members[0], each.members[0]) for each in several
        }
    return found


def _held(results: Results) -> list[_Held]:
    found = []
    for field in results.rounds.schema:
        if field.name.startswith("state__"):
            about = {key.decode(): value.decode() for key, value in field.metadata.items()}
            members, values = tuple(about["members"].split()), about.get("values", "")
            found.append(_Held(field.name, about["of"], about["title"], members, about["unit"], values))
    return found


def _constant(results: Results, name: str) -> bool:
    return len(results.compute.unique(results.rounds[name])) < 2


def _append(results: Results, values: Any) -> str:
    name = f"total__{results.rounds.num_columns}"
    results.rounds = results.rounds.append_column(name, values)
    return name


def _added(results: Results, names: list[str]) -> str:
    whole = results.rounds[names[0]]
    for each in names[1:]:
        whole = results.compute.add(whole, results.rounds[each])
    return _append(results, whole)


def _added_of(results: Results, pairs: list[tuple[str, str]], player: str) -> str:
    compute, rounds = results.compute, results.rounds
    whole = None
    for number, owner in pairs:
        is_own = compute.fill_null(compute.equal(rounds[owner], player), False)
        part = compute.multiply(rounds[number], compute.cast(is_own, "int64"))
        whole = part if whole is None else compute.add(whole, part)
    return _append(results, whole)


def _placed(results: Results, name: str, order: list[str]) -> str:
    compute = results.compute
    place = compute.index_in(results.rounds[name], value_set=results.arrow.array(order))
    return _append(results, compute.add(compute.cast(place, "int64"), 1))
