"""`polis perft`: count decision paths."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

import polis_rules
from polis_rules.verification import perft

from .options import Chosen, OutputFormat, RulesetName, flag
from .output import STOPPED, Format, answer, say
from .progress import progress


def command(
    ruleset: RulesetName,
    chosen: Chosen,
    depth: Annotated[int, typer.Option(min=1, max=8, help="How many decisions deep. Example: --depth 3")] = 3,
    seed: Annotated[int, typer.Option(help="The seed that answers chance. Example: --seed 7")] = 1,
    divide: Annotated[bool, flag("--divide", "Show the count below each first option. Example: --divide")] = False,
    format: OutputFormat = Format.text,
) -> None:
    """Count the decision paths from the start, to each depth.

    Two engines with the same rules agree on them. Ctrl-C ends early, with the depths that are counted.

    \b
    Example:
      polis perft mygame --depth 4
      polis perft mygame --divide
    """
    program = polis_rules.load(ruleset, chosen.scenario, chosen.variants).program()
    state = program.new_state(seed)
    counts: dict[int, int] = {}
    below: dict[str, int] = {}
    with suppress(KeyboardInterrupt):
        for level in range(1, depth + 1):
            below = {}
            with progress(len(perft.first_options(program, state)), f"options to depth {level}") as done:
                for option, count in perft.divide(program, state, level):
                    below[option] = count
                    done(len(below))
            counts[level] = sum(below.values()) if below else 1
            if format is Format.text:
                say(f"depth {level}: {counts[level]}")
    data = {"ruleset": ruleset, "seed": seed, "counts": counts} | ({"below": below} if divide else {})
    lines = (f"  {option}: {count}" for option, count in below.items() if divide)
    answer(format, data, lines, STOPPED if len(counts) < depth else 0)
