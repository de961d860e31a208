"""Compiles again only what a change can reach: of texts, tables and rules that are the same, what is known is kept."""

from __future__ import annotations

from dataclasses import dataclass, field

from polis_rules import pipeline
from polis_rules.pipeline import Build
from polis_rules.semantics import Units, typecheck as check_rules
from polis_rules.source import Trees


@dataclass
class Memory:
    """What is known of texts and rulesets that were compiled before."""

    trees: Trees = field(default_factory=dict)
    units: Units = field(default_factory=Units)


def build(build: Build, memory: Memory) -> Build:
    """Run the stages of the compiler, but what is remembered is not done again. The findings are the same."""

    def typecheck(build: Build) -> None:
        assert build.document is not None and build.symbols is not None and build.composed is not None
        memory.units.begin(build.composed.tree if build.gone is None else None)
        rules = check_rules(build.document, build.symbols, build.diagnostics, build.references, memory.units)
        pipeline.take_rules(build, rules)

    return pipeline.run(build, [typecheck if stage is pipeline.typecheck else stage for stage in pipeline.STAGES])
