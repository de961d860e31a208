"""What a draw does for winning: which one is drawn is chance, so games with and without it differ by nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt
from statistics import NormalDist
from typing import Any

from polis_rules.lab.files import library
from polis_rules.lab.report.figures import FEWEST, Effect, Results, Thing, Z
from polis_rules.lab.sequential import ERROR

Moments = tuple[int, float, float]
"""Number, mean and variance of the shares of the win in some games."""


def drawn_effects(results: Results) -> list[Effect]:
    """What the win of a player owes to each thing that is drawn and does not come back, the surest first.

    Games in which it is drawn are compared with those in which it might have been drawn in its place: in the same
    round, after as many draws of its kind, of as many in that round. Where two play, what one wins the other loses, so
    only the first is told.
    """
    players = [*results.players][: 1 if len(results.players) == 2 else None]
    kinds: dict[str, list[Thing]] = defaultdict(list)
    for each in results.things:
        if not each.player:
            kinds[each.kind].append(each)
    found = [each for things in kinds.values() for each in _of_a_kind(results, things, players)]
    return _told_apart(sorted(found, key=lambda each: -_surprise(each)))


def _of_a_kind(results: Results, things: Sequence[Thing], players: Sequence[str]) -> Iterator[Effect]:
    compute = results.compute
    most = (compute.max(results.games[each.column]).as_py() or 0 for each in things)
    if any(times > 1 for times in most):
        return  # what comes back is drawn the more often the longer the game is
    table = _with_strata(results, things)
    shares = [f"share__{player}" for player in players]
    for thing in things:
        first = table.filter(compute.greater(table[thing.column], 0)).group_by("game").aggregate([("round", "min")])
        rows = table.join(first, "game", join_type="left outer")
        drawn_at = compute.coalesce(rows["round_min"], compute.add(rows["round"], 1))
        rows = rows.append_column("drawn", compute.equal(drawn_at, rows["round"]))
        rows = rows.filter(compute.greater_equal(drawn_at, rows["round"]))
        options = library("pyarrow.compute").VarianceOptions(ddof=1)
        asked = [(share, *how) for share in shares for how in (("count",), ("mean",), ("variance", options))]
        counted = rows.group_by(["round", "now", "before", "drawn"]).aggregate(asked).to_pylist()
        for player, share in zip(players, shares, strict=True):
            strata: dict[tuple[int, ...], dict[bool, Moments]] = defaultdict(dict)
            for row in counted:
                moments = row[f"{share}_count"], row[f"{share}_mean"], row[f"{share}_variance"]
                strata[row["round"], row["now"], row["before"]][row["drawn"]] = moments
            effect = _over(thing, player, [(each[True], each[False]) for each in strata.values() if len(each) == 2])
            if effect is not None:
                yield effect


def _with_strata(results: Results, things: Sequence[Thing]) -> Any:
    """The rounds in which something of a kind was drawn, with how much of it then and before, and who won."""
    compute, arrow = results.compute, library("pyarrow")
    rounds = results.rounds.select(["game", "round", *(each.column for each in things)])
    now = rounds[things[0].column]
    for each in things[1:]:
        now = compute.add(now, rounds[each.column])
    until = compute.subtract(compute.cumulative_sum(now), now)
    table = rounds.append_column("now", now).append_column("until", until)
    table = table.join(table.group_by("game").aggregate([("until", "min")]), "game")
    table = table.append_column("before", compute.subtract(table["until"], table["until_min"]))
    ended = arrow.table(
        {name: results.games[name] for name in ("game", *(f"share__{each}" for each in results.players))}
    )
    return table.filter(compute.greater(table["now"], 0)).join(ended, "game", join_type="inner")


def _over(thing: Thing, player: str, strata: Sequence[tuple[Moments, Moments]]) -> Effect | None:
    """The difference over all strata, each with the weight that makes the whole the surest where all are alike."""
    several = [(one, other) for one, other in strata if min(one[0], other[0]) >= 2]
    games = sum(one[0] for one, _ in several)
    if games < FEWEST:
        return None
    weights = [one[0] * other[0] / (one[0] + other[0]) for one, other in several]
    whole = sum(weights)
    means = [
        sum(weight * pair[side][1] for weight, pair in zip(weights, several, strict=True)) / whole for side in (0, 1)
    ]
    spread = sum(
        weight**2 * (one[2] / one[0] + other[2] / other[0])
        for weight, (one, other) in zip(weights, several, strict=True)
    )
    difference, wide = means[0] - means[1], Z * sqrt(spread) / whole
    about = Thing(thing.column, player, thing.kind, thing.name, thing.title)
    return Effect(about, games, means[0], means[1], difference - wide, difference + wide)


def _told_apart(effects: Sequence[Effect]) -> list[Effect]:
    """The effects, the surest first, with those marked that chance does not explain: of all together with the
    probability `ERROR` at most any is marked that is none, whatever they have to do with each other (Holm, 1979)."""
    found, sure = [], True
    for place, each in enumerate(effects):
        sure = sure and 2 * (1 - NormalDist().cdf(_surprise(each))) <= ERROR / (len(effects) - place)
        found.append(replace(each, sure=sure))
    return found


def _surprise(effect: Effect) -> float:
    """How many standard errors the difference is from none."""
    wide = effect.high - effect.low
    return abs(effect.difference) * 2 * Z / wide if wide else 0.0
