"""`polis perft`: count decision paths."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

import polis_rules
from polis_rules.verification import perft

from .native import Native, NativeCode, found, wanted
from .options import Chosen, OutputFormat, RulesetName
from .output import STOPPED, Format, answer, say
from .progress import progress


class Command(Chosen):
    """Count the decision paths from the start, to each depth.

    Two engines with the same rules agree on them. Ctrl-C ends early, with the depths that are counted.

    \b
    Example:
      polis perft mygame --depth 4
      polis perft mygame --divide
    """

    ruleset: RulesetName
    depth: Annotated[int, typer.Option(min=1, max=8)] = 3
    """How many decisions deep. Example: --depth 3"""
    seed: int = 1
    """The seed that answers chance. Example: --seed 7"""
    divide: bool = False
    """Show the count below each first option. Example: --divide"""
    native: NativeCode = Native.auto
    format: OutputFormat = Format.text

    def run(self) -> None:
        ruleset = polis_rules.load(self.ruleset, self.scenario, self.variants)
        program, kind = ruleset.program(), None
        state = program.new_state(self.seed)
        counts: dict[int, int] = {}
        below: dict[str, int] = {}
        with suppress(KeyboardInterrupt):
            for level in range(1, self.depth + 1):
                if kind is None and (kind := wanted(self.native, counts.get(level - 1, 0))) is not None:
                    program = ruleset.program(native=found(kind, ruleset))
                below = {}
                with progress(len(perft.first_options(program, state)), f"options to depth {level}") as done:
                    for option, count in perft.divide(program, state, level):
                        below[option] = count
                        done(len(below))
                counts[level] = sum(below.values()) if below else 1
                if self.format is Format.text:
                    say(f"depth {level}: {counts[level]}")
        data: dict[str, object] = {"ruleset": self.ruleset, "seed": self.seed, "counts": counts}
        data |= {"below": below} if self.divide else {}
        lines = (f"  {option}: {count}" for option, count in below.items() if self.divide)
        answer(self.format, data, lines, STOPPED if len(counts) < self.depth else 0)
