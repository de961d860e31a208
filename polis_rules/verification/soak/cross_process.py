"""Replay games in another process: with another hash seed, nothing cached, and in other versions of Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from polis_rules.diagnostics import PolisError, some
from polis_rules.interpreter.runtime import Program, State
from polis_rules.play import transcript
from polis_rules.ruleset import Ruleset, load

HASH_SEED = "1"
OTHER_HASH_SEED = "2"


class CrossProcessError(PolisError):
    """Another Python could not replay anything."""


class Moves(NamedTuple):
    """A whole game as the numbers of all options and outcomes that were taken, and the hash of where they led."""

    scenario: str
    seed: int
    options: list[int]
    hash: str


@dataclass(frozen=True, slots=True)
class Replays:
    """What came of replaying games in another process."""

    python: str
    """Its version, such as 3.12.1."""
    hash_seed: str
    games: int
    differing: tuple[str, ...]
    """For each game that came out in another way: which one and how."""


def write_games(file: Path, games: Iterable[str | Moves]) -> None:
    """Add games to a file, a line for each: the texts of transcripts, and moves."""
    with file.open("a", encoding="utf-8") as lines:
        lines.writelines(json.dumps(each) + "\n" for each in games)


def read_games(file: Path) -> Iterator[transcript.Transcript | Moves]:
    """The games of a file.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_games(Path(folder) / "games", [Moves("standard", 7, [0, 3], "90ab")])
    ...     list(read_games(Path(folder) / "games"))
    [Moves(scenario='standard', seed=7, options=[0, 3], hash='90ab')]
    """
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            game = json.loads(line)
            yield transcript.parse(game) if isinstance(game, str) else Moves(*game)


def replay_in_other_process(
    python: Path | None, file: Path, ruleset: str | Path, variants: Sequence[str | Path] = ()
) -> Replays:
    """Replay all games of a file in a new process, compiling the rules anew.

    `python` is another interpreter, in which polis-rules must be installed; None is this one. Raises CrossProcessError.
    """
    hash_seed = OTHER_HASH_SEED if os.environ.get("PYTHONHASHSEED") == HASH_SEED else HASH_SEED
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    if python is None:
        home = str(Path(__file__).resolve().parents[3])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    args = [str(file.resolve()), *(_absolute(each) for each in (ruleset, *variants))]
    with tempfile.TemporaryDirectory() as cache:
        command = [str(python or sys.executable), "-m", "polis_rules.verification.soak.cross_process", *args]
        try:
            environment["POLIS_CACHE_DIR"] = cache
            ran = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
            )
        except OSError as error:
            raise CrossProcessError(f"{command[0]} cannot be started: {error.strerror}") from None
    last = (ran.stdout.strip().splitlines() or ["it says nothing"])[-1]
    try:
        result = json.loads(last)
    except ValueError:
        raise CrossProcessError(f"{command[0]} cannot replay games: {last}") from None
    return Replays(result["python"], hash_seed, result["games"], tuple(result["differing"]))


def try_python(python: Path, ruleset: str | Path, variants: Sequence[str | Path] = ()) -> None:
    """Whether another interpreter can replay games, asked with none. Raises CrossProcessError."""
    with tempfile.TemporaryDirectory() as folder:
        write_games(file := Path(folder) / "games", ())
        replay_in_other_process(python, file, ruleset, variants)


def _absolute(name: str | Path) -> str:
    """A folder or file by its whole path; a shipped name as it is."""
    return str(Path(name).resolve()) if Path(name).exists() and os.sep in str(name) else str(name)


def differs(program: Program, game: Moves) -> str | None:
    """How a game comes out in another way, or None."""
    left = deque(game.options)

    def choose(_: State, options: list[int]) -> int:
        return left[0] if left and left[0] in options else options[0]

    try:
        state = program.new_state(game.seed)
        for _, option in program.steps(state, choose):
            if not left:
                break
            if (wanted := left.popleft()) != option:
                number = len(game.options) - len(left)
                return f"it cannot be replayed: option {wanted} is not what comes as number {number}"
    except PolisError as error:
        return f"it cannot be replayed: {error}"
    if left:
        return f"it cannot be replayed: it is over, with {some(len(left), 'option')} left"
    now = program.position(state)
    return None if now == game.hash else f"it ended in position {game.hash}, but the replay in {now}"


def main(file: str, ruleset: str, *variants: str) -> None:
    """What the other process does: one JSON document on standard output."""

    @cache
    def opened(scenario: str) -> tuple[Ruleset, Program]:
        rules = load(ruleset, scenario, variants)
        return rules, rules.program()

    def wrong(game: transcript.Transcript | Moves) -> str | None:
        rules, program = opened(game.scenario)
        if isinstance(game, Moves):
            return differs(program, game)
        try:
            divergence = transcript.replay(game, rules).divergence
        except PolisError as error:
            return str(error)
        return None if divergence is None else divergence.message

    told = [(game, wrong(game)) for game in read_games(Path(file))]
    differing = [f"{game.scenario}, seed {game.seed}: {message}" for game, message in told if message is not None]
    print(json.dumps({"python": sys.version.split()[0], "games": len(told), "differing": differing}))


if __name__ == "__main__":
    main(*sys.argv[1:])
