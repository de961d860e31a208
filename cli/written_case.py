"""The present moment of a game, written as a case: what a person types for it and what is said of it."""

from __future__ import annotations

import shlex
from pathlib import Path

from polis_rules import Game, Ruleset
from polis_rules.cases import Written, case_of, write_case
from polis_rules.diagnostics import PolisError, some

from .saving import not_written


def keep(ruleset: Ruleset, game: Game, typed: str) -> str:
    """Write the moment as `case NAME FILE` asks; what came of it, in words. Nothing typed ends in an error."""
    name, _, rest = typed.partition(" ")
    if not name:
        return "Give the case a name: case NAME, or case NAME FILE"
    path = Path(rest.strip() or f"{ruleset.name}_cases.yaml")
    try:
        written = write(ruleset, game, name, path)
    except (PolisError, OSError, ValueError) as error:  # ValueError: no file can have such a name
        return not_written(error)
    return told(written, path, str(ruleset.origin[0]))


def write(ruleset: Ruleset, game: Game, name: str, path: Path | None, last: int = 0) -> Written:
    """Write the moment before some last decisions, and what they did, into a file, if one is named."""
    return case_of(ruleset, game, name, last) if path is None else write_case(ruleset, game, name, path, last)


def told(written: Written, path: Path, ruleset: str) -> str:
    """Where the case stands, how long it is and how to run it."""
    decisions, spared = written.decisions, written.left_out
    how = f"replays {some(decisions, 'decision')}"
    if spared:
        how += f" instead of {decisions + spared}"
    elif decisions:
        how += " from the beginning on, as no shorter way was found"
    again = f"polis test {shlex.join([ruleset, '--file', str(path)])}"
    return f"Case {written.id} is in {path}; it {how}. Run it with: {again}"
