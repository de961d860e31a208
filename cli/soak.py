"""`polis soak`: many games, with everything asked that must hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from polis_rules.composition import SEATS, split_choices
from polis_rules.diagnostics import some
from polis_rules.ruleset import load
from polis_rules.verification.shrink import Shrunk
from polis_rules.verification.soak import Plan, Soaked, in_turns, save, soak

from .native import Native, NativeCode, found, wanted
from .options import BotNames, ChosenScenarios, FirstSeed, Jobs, OutputFormat, RulesetName, option
from .output import STOPPED, Format, answer, as_data
from .progress import progress, tell


class Command(ChosenScenarios):
    """Soak test: play many games and check every step.

    Ranges, payments, invariants and supplies are checked after every decision and chance.

    Where several numbers of players may sit and none is chosen, games are played with each of them.

    Some games are checked in full: undo must restore everything, and what a player may not see is exchanged, also by
    another secret choice, roll or draw, which the player must not be able to tell from view, options, refusals, report
    and log. At the end all games are replayed in another process, with another hash seed and fresh code, and must
    reach the same final positions. A game that fails ends the run with exit status 1; it is saved as a transcript and,
    made small, as a case. Ctrl-C ends early, with what was played so far.

    \b
    Example:
      polis soak mygame
      polis soak mygame --games 100000 --jobs 2 --out failures
    """

    ruleset: RulesetName
    games: Annotated[int, typer.Option(min=1)] = 500
    """How many games. Example: --games 100000"""
    seed: FirstSeed = 0
    bot: BotNames = None
    check_every: Annotated[int, option("N", min=1)] = 100
    """Check one game of N in full. Example: --check-every 10"""
    python: Annotated[list[Path] | None, option("PATH")] = None
    """Another Python, with polis-rules installed, that replays the games too; may be repeated. Example: --python
    ~/.venv-3.13/bin/python"""
    jobs: Jobs = 1
    native: NativeCode = Native.auto
    out: Annotated[Path, option("DIR")] = Path("failures")
    """Where a game that fails is saved. Example: --out failures"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        variants, bots = self.variants, tuple(self.bot or ("random",))
        rules = load(self.ruleset, self.scenario[0] if self.scenario else None, variants)
        scenarios, seats = tuple(self.scenario or rules.scenarios), rules.settings.get("seats")
        plan = Plan(self.ruleset, scenarios, variants, self.games, self.seed, bots, self.check_every)
        if "random" in bots:
            kind = wanted(self.native, self.games // len(scenarios))
            plan = replace(plan, native=found(kind, rules, checks=True))
        begun, result, parts = perf_counter(), Soaked(), in_turns(plan)
        if len(parts) > 1:
            seats = ", ".join(split_choices(each.variants)[1][SEATS] for each in parts)
        with progress(self.games, "games") as done:
            for plan in parts:

                def more(number: int, before: int = result.games) -> None:
                    done(before + number)

                result += soak(plan, self.jobs, self.python or (), more)
                if result.stopped or not result.ok:
                    break
        seconds = round(perf_counter() - begun, 1)
        failure, shrinking = result.failure, partial(tell, "shrinking")
        paths, small = ([], None) if failure is None else save(plan, failure, self.out, shrinking)
        about = {"ruleset": self.ruleset, "scenarios": scenarios, "variants": variants}
        data = about | as_data(result) | {"ok": result.ok, "saved": paths, "seconds": seconds}
        status = STOPPED if result.stopped and result.ok else int(not result.ok)
        answer(self.format, data, _lines(plan, seats, result, paths, small, seconds), status)


def _lines(
    plan: Plan, seats: str | None, result: Soaked, paths: list[Path], small: Shrunk | None, seconds: float
) -> Iterator[str]:
    where = f"; {seats} seats" if seats is not None else ""
    yield f"{plan.ruleset}: {', '.join(plan.scenarios)}{where}; {', '.join(plan.players)} bots"
    if not result.games:
        yield "nothing was played"
        return
    played = f"{some(result.games, 'game')}, {some(result.decisions, 'decision')}, {result.chances:,} dice and draws"
    held = "hold" if result.failure is None else "asked after each"
    yield f"{played} in {seconds:,} s: ranges, payments, invariants and supplies {held}"
    checked = some(result.checked, "game")
    yield f"{checked} checked in full: undo, replay; hidden values exchanged {result.worlds:,} times"
    if result.secrets and not result.worlds:
        yield "NOT CHECKED: whether what is hidden can be told; none of it could be exchanged in these games"
    if result.stopped:
        yield "stopped before the end"
    for each in result.replays:
        told = f"{len(each.differing)} come out in another way" if each.differing else "all the same"
        yield f"{each.games:,} replayed by Python {each.python} with hash seed {each.hash_seed}: {told}"
        yield from (f"  {line}" for line in each.differing[:10])
    if (failure := result.failure) is not None:
        told = some(len(failure.log), "entry", "entries")
        yield f"FAILED: {failure.scenario}, seed {failure.seed}, {told}: {failure.message}"
    if small is not None:
        yield f"made small: {some(small.decisions, 'decision')}, {some(len(small.lines), 'line')} of overlays"
    yield from (f"saved: {path}" for path in paths)
