"""Renew the recorded games, after the rules have changed: python tests/transcripts/record.py

Every game that is here is played again by the rules as they are now: the same decisions, with the dice and draws of its
seed. What still comes to an end stays, under its name. New games are sought only for what is then used by none, and
games that add nothing to the others go. That takes seconds where the change touched few games; `--anew` seeks them
all, which takes some minutes. Whatever is found is written at once, so the search may be broken off and gone on with.
The exit status is 1 when something is used by no game, which is told by name.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path

from seeker import Seeker, played
from uses import excused, missing, shows, to_use, used

from polis_rules import Game, IllegalMove, InvalidMove, Ruleset, RulesetError, load
from polis_rules.composition import catalog
from polis_rules.play import transcript
from polis_rules.play.transcript import Transcript

HERE = Path(__file__).parent

EDITIONS = ("yucata", "devir")
"""The rulesets that games are recorded of."""

FRUITLESS = 24
"""After how many searches in a row that brought nothing the rest is given up."""

TOGETHER = 6
"""How many variants are played in one game."""

ATTEMPTS = 20
"""How many games are tried until every variant has made a difference."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game, the names of what it uses, and its file."""

    game: Transcript
    names: frozenset[str]
    file: Path


# -- games that are there ---------------------------------------------------------------------------------------------


def recorded() -> list[Recorded]:
    """The games of this folder that can be played to an end by the rules as they are now.

    Raises RuleError and RulesetError when it is the rules that fail: then no game is to blame.
    """
    found = []
    for file in sorted(HERE.glob("*.jsonl")):
        old = transcript.read(file)
        if old.scenario not in load(old.ruleset).scenarios or not set(old.variants) <= set(variants(old.ruleset)):
            drop(file, "its scenario or a variant is gone")
            continue
        ruleset = load(old.ruleset, old.scenario, old.variants, settings=old.settings)
        game = ruleset.start(seed=old.seed)
        if reason := play_again(game, old):
            drop(file, reason)
        else:
            found.append(kept(ruleset, game, file))
    return found


def drop(file: Path, reason: str) -> None:
    """Remove a game that is not needed or does not fit any more."""
    print(f"{file.name} goes: {reason}", flush=True)
    file.unlink()


def play_again(game: Game, old: Transcript) -> str:
    """Make the decisions of an old game; why they do not lead to an end, or nothing."""
    for number, (kind, _, what) in enumerate(old.entries, 1):
        try:
            if kind == "decision":
                game.apply(what)
        except (IllegalMove, InvalidMove) as error:
            return f"entry {number}: {error}"
    return "" if game.finished else "it no longer ends"


def variants(name: str) -> list[str]:
    """The variants that an edition has."""
    return [variant for each in catalog.shipped() if each.name == name for variant, _ in each.variants]


def kept(ruleset: Ruleset, game: Game, file: Path | None = None) -> Recorded:
    """A game that has been played, written to its file or to a new one."""
    kind = f"{ruleset.name}_{'variants' if ruleset.variants else ruleset.scenario}"
    names = (HERE / f"{kind}_{number}.jsonl" for number in count(1))
    file = file or next(each for each in names if not each.exists())
    written = transcript.record(ruleset, game, dict.fromkeys(ruleset.players, "seeker"))
    transcript.write(file, written)
    return Recorded(written, frozenset(used(written, ruleset)), file)


# -- new games --------------------------------------------------------------------------------------------------------


def plain(name: str, games: Iterable[Recorded]) -> list[Recorded]:
    """Games by an edition's own rules that together use what they can, none of them needlessly."""
    wanted = set(to_use(name)) - set(excused(name))
    games = [each for each in games if each.game.ruleset == name and not each.game.variants]
    had = set().union(*(each.names for each in games))
    seekers: dict[str, Seeker] = {}
    fruitless = 0
    for scenario in turns(load(name)):
        if wanted <= had or fruitless == FRUITLESS:
            break
        if scenario not in seekers:
            seekers[scenario] = Seeker(load(name, scenario))
        seeker = seekers[scenario]
        line = seeker.find(seeker.seeds(had)[fruitless], had)
        fruitless += 1
        if not line.names.isdisjoint(wanted) or f"scenario {scenario}" not in had:
            fruitless = 0
            games.append(kept(seeker.ruleset, played(seeker.ruleset, line)))
            had |= games[-1].names
            tell(games[-1], f"{len(wanted - had)} still missing")
    return without_needless(games, wanted)


def turns(ruleset: Ruleset) -> Iterator[str]:
    """The scenarios in turn, the usual one every other time."""
    for other in cycle(each for each in ruleset.scenarios if each != ruleset.scenario):
        yield from (ruleset.scenario, other)


def without_needless(games: Sequence[Recorded], wanted: Collection[str]) -> list[Recorded]:
    """The games without those that use nothing wanted which the others do not use too; those with most stay."""
    uses = Counter(name for each in games for name in each.names.intersection(wanted))
    needful = []
    for each in sorted(games, key=lambda each: (len(each.names), each.file)):
        names = each.names.intersection(wanted)
        if all(uses[name] > 1 for name in names):
            uses.subtract(names)
            drop(each.file, "the others use all of it")
        else:
            needful.append(each)
    return needful


# -- variants ---------------------------------------------------------------------------------------------------------


def varied(name: str, games: Sequence[Recorded]) -> tuple[list[Recorded], list[str]]:
    """Games with several variants each, and which variants make no difference in any."""
    left = variants(name)
    needful = []
    for each in reversed(games):  # a variant is in one game after the other until one shows it
        if each.game.ruleset == name and each.game.variants:
            shown = shown_in(each.game, [variant for variant in each.game.variants if variant in left])
            left = [variant for variant in left if variant not in shown]
            if shown:
                needful.append(each)
            else:
                drop(each.file, "it shows no variant that others do not show")
    for attempt in range(1, ATTEMPTS + 1):
        if not left:
            break
        seeker = Seeker(load(name, variants=some(name, left)))
        line = seeker.find(attempt, () if attempt % 2 else to_use(name))  # what variants bring stands in no edition
        each = kept(seeker.ruleset, played(seeker.ruleset, line))
        shown = shown_in(each.game, each.game.variants)
        behind = [variant for variant in each.game.variants if variant not in shown]
        left = [variant for variant in left if variant not in each.game.variants] + behind
        if shown:
            needful.append(each)
            tell(each, f"variants still without a game: {len(left)}")
        else:
            each.file.unlink()
    return needful, left


def shown_in(game: Transcript, variants: Iterable[str]) -> list[str]:
    """Those of the variants that make a difference in a game, which uses all that they bring."""
    return [variant for variant in variants if shows(game, variant)]


def some(name: str, variants: Iterable[str]) -> list[str]:
    """Some of the variants that go together."""
    chosen: list[str] = []
    for variant in variants:
        if len(chosen) < TOGETHER:
            try:
                load(name, variants=[*chosen, variant])
            except RulesetError:
                continue
            chosen.append(variant)
    return chosen


# -- both -------------------------------------------------------------------------------------------------------------


def tell(game: Recorded, more: str) -> None:
    """Say what was found."""
    print(f"{game.file.name}: seed {game.game.seed}, {len(game.game.entries)} entries, {more}", flush=True)


def main(anew: bool) -> None:
    """Renew all games, and say what they do not use."""
    for file in HERE.glob("*.jsonl") if anew else ():
        file.unlink()
    there, games = recorded(), 0
    lacking: list[str] = []
    for name in EDITIONS:
        own = plain(name, there)
        different, left = varied(name, there)
        games += len(own + different)
        lacking += (f"{name}: {each}" for each in missing(name, set().union(*(each.names for each in own))))
        lacking += (f"{name}: variant {each}" for each in left)
    print(f"{games} games")
    sys.exit("\n".join(["used by no game:", *lacking]) if lacking else 0)


if __name__ == "__main__":
    main(anew="--anew" in sys.argv[1:])
