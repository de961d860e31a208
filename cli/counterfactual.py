"""`polis counterfactual`: a recorded game under other rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from polis_rules.composition import with_choices
from polis_rules.diagnostics import some
from polis_rules.interpreter.game import Result
from polis_rules.lab import Counterfactual, counterfactual
from polis_rules.play import read, rules_of
from polis_rules.ruleset import load

from .options import Options, OutputFormat, argument, laid_over, option
from .output import Format, answer, as_data


class Command(Options):
    """Play a recorded game under other rules.

    Its decisions are made, and its dice and draws come out, as they did, as long as the other rules allow that. Told is
    the first decision before which the two games are not alike, with the rule that is different; how far the same
    decisions are possible; and what stands otherwise then. The exit status is 0 also where the games part.

    \b
    Example:
      polis run mygame --seed 7 --transcript game.jsonl
      polis counterfactual game.jsonl --variant costly
    """

    file: Annotated[Path, argument("TRANSCRIPT")]
    """A file that --transcript wrote. Example: game.jsonl"""
    variant: Annotated[list[str] | None, option("VARIANT")] = None
    """A variant that is laid over the rules of the game; may be repeated. Example: --variant costly"""
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE")] = None
    """What a setting of the ruleset is in the other game; may be repeated. Example: --set long_game=true"""
    ruleset: Annotated[str | None, option("RULESET")] = None
    """The folder of the ruleset when it is not a shipped one. Example: --ruleset rules/mine"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if not self.variant and not self.setting:
            raise typer.BadParameter("a variant or a setting is needed", param_hint="--variant")
        transcript = read(self.file)
        rules = rules_of(transcript, self.ruleset)
        name, scenario, played = rules.origin
        laid = with_choices((*(each for each in played if "=" not in str(each)), *laid_over(self.variant)), {})
        chosen = {**transcript.settings, **dict(each.split("=", 1) for each in map(str, laid_over(None, self.setting)))}
        others = load(name, scenario, laid, settings=chosen)
        found = counterfactual(transcript, rules, others)
        data = {"file": self.file, "ruleset": transcript.ruleset, "variants": others.variants, **as_data(found)}
        answer(self.format, data, _lines(found, len(transcript.entries)))


def _lines(found: Counterfactual, entries: int) -> Iterator[str]:
    yield f"{some(len(found.changed), 'rule')} different:"
    for line in found.changed[:8]:
        place = "" if line.span is None else f" [{line.span.file}:{line.span.line}]"
        yield f"  {line}{place}"
    if (first := found.first) is None:
        is_over = found.results[0] is not None
        yield "The game is the same " + ("to its end." if is_over else "as far as it was played.")
        return
    yield ""
    where = f"before entry {first.entry} (line {first.entry + 1})" if first.entry <= entries else "at the end"
    yield f"First different {where}" + (f": {first.player}, {first.prompt}" if first.prompt else "")
    for what, names in (("no longer offered", first.gone), ("offered now", first.added)):
        if names:
            yield f"  {what}: {', '.join(names)}"
    yield from (f"  {title} costs {now or 'nothing'}, before {cost or 'nothing'}" for title, cost, now in first.costs)
    yield from _values(first.values)
    yield from (f"  because: {reason}" for reason in first.reasons)
    yield ""
    if found.stopped_by:
        yield f"The same decisions are possible up to entry {found.followed} of {entries}; then: {found.stopped_by}"
    else:
        yield "The same decisions are possible to the end."
    yield from _values(found.values)
    before, now = found.results
    if before is not None:
        yield f"Before: {_told(before)}"
    if now is not None:
        yield f"Now: {_told(now)}"
    elif before is not None and not found.stopped_by:
        yield "Now: the game goes on"


def _values(values: tuple[tuple[str, str, str], ...]) -> Iterator[str]:
    yield from (f"  {name}: {now}, before {before}" for name, before, now in values)


def _told(result: Result) -> str:
    totals = ", ".join(f"{player} {score['total']}" for player, score in result.scores.items())
    return f"{result.ended_by_title}; {' and '.join(result.winners) or 'nobody'} won; {totals}"
