"""Replay games in another process: with another hash seed, nothing cached, and in other versions of Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from polis_rules.diagnostics import PolisError
from polis_rules.interpreter.runtime import Program, State, fingerprint
from polis_rules.play import transcript
from polis_rules.ruleset import Ruleset, load

HASH_SEED = "1"
OTHER_HASH_SEED = "2"


class CrossProcessError(PolisError):
    """Another Python could not replay anything."""


@dataclass(frozen=True, slots=True)
class Moves:
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


class Folder:
    """A folder of games to be replayed: a transcript each, or a line of one common file for moves.

    >>> with tempfile.TemporaryDirectory() as path, Folder(Path(path)) as folder:
    ...     folder.add(moves=[Moves("standard", 7, [0, 3], "90ab")])
    ...     list(folder.moves())
    [Moves(scenario='standard', seed=7, options=[0, 3], hash='90ab')]
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.games = 0
        self.lines: IO[str] | None = None

    def __enter__(self) -> Folder:
        self.lines = (self.path / "moves").open("w", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        if self.lines is not None:
            self.lines.close()

    def add(self, transcripts: Sequence[str] = (), moves: Sequence[Moves] = ()) -> None:
        """Write games down."""
        assert self.lines is not None
        for number, text in enumerate(transcripts, self.games):
            (self.path / f"{number:06}.jsonl").write_text(text, "utf-8", newline="\n")
        for each in moves:
            self.lines.write(json.dumps([each.scenario, each.seed, each.options, each.hash]) + "\n")
        self.lines.flush()
        self.games += len(transcripts) + len(moves)

    def transcripts(self) -> Iterator[transcript.Transcript]:
        """The games of transcripts."""
        return map(transcript.read, sorted(self.path.glob("*.jsonl")))

    def moves(self) -> Iterator[Moves]:
        """The games of moves."""
        with (self.path / "moves").open(encoding="utf-8") as lines:
            for line in lines:
                yield Moves(*json.loads(line))


def replay_in_other_process(
    python: Path | None, folder: Path, ruleset: str | Path, variants: Sequence[str | Path] = ()
) -> Replays:
    """Replay all games of a folder in a new process, compiling the rules anew.

    `python` is another interpreter, in which polis-rules must be installed; None is this one. Raises CrossProcessError.
    """
    hash_seed = OTHER_HASH_SEED if os.environ.get("PYTHONHASHSEED") == HASH_SEED else HASH_SEED
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    if python is None:
        home = str(Path(__file__).resolve().parents[3])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    given = [str(folder.resolve()), *(_absolute(each) for each in (ruleset, *variants))]
    with tempfile.TemporaryDirectory() as cache:
        command = [str(python or sys.executable), "-m", "polis_rules.verification.soak.cross_process", *given]
        try:
            environment["POLIS_CACHE_DIR"] = cache
            ran = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
            )
        except OSError as error:
            raise CrossProcessError(f"{command[0]} cannot be started: {error.strerror}") from None
    last = (ran.stdout.strip().splitlines() or ["it says nothing"])[-1]
    try:
        found = json.loads(last)
    except ValueError:
        raise CrossProcessError(f"{command[0]} cannot replay games: {last}") from None
    return Replays(found["python"], hash_seed, found["games"], tuple(found["differing"]))


def try_python(python: Path, ruleset: str | Path, variants: Sequence[str | Path] = ()) -> None:
    """Whether another interpreter can replay games, asked with none. Raises CrossProcessError."""
    with tempfile.TemporaryDirectory() as path, Folder(Path(path)):
        replay_in_other_process(python, Path(path), ruleset, variants)


def _absolute(name: str | Path) -> str:
    """A folder or file by its whole path; a shipped name as it is."""
    return str(Path(name).resolve()) if Path(name).exists() and os.sep in str(name) else str(name)


class _Replaying:
    def __init__(self, ruleset: str, variants: Sequence[str]) -> None:
        self.ruleset = ruleset
        self.variants = variants
        self.loaded: dict[str, Ruleset] = {}
        self.games = 0
        self.differing: list[str] = []

    def scenario(self, name: str) -> Ruleset:
        if name not in self.loaded:
            self.loaded[name] = load(self.ruleset, name, self.variants)
        return self.loaded[name]

    def heard(self, scenario: str, seed: int, wrong: str | None) -> None:
        self.games += 1
        if wrong is not None:
            self.differing.append(f"{scenario}, seed {seed}: {wrong}")

    def transcript(self, kept: transcript.Transcript) -> None:
        try:
            found = transcript.replay(kept, self.scenario(kept.scenario)).divergence
        except PolisError as error:
            self.heard(kept.scenario, kept.seed, str(error))
        else:
            self.heard(kept.scenario, kept.seed, None if found is None else found.message)

    def moves(self, moves: Iterator[Moves]) -> None:
        programs = {}
        for each in moves:
            if each.scenario not in programs:
                programs[each.scenario] = self.scenario(each.scenario).program()
            self.heard(each.scenario, each.seed, differs(programs[each.scenario], each))


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
        return f"it cannot be replayed: it is over before the last {len(left)} options"
    now = fingerprint(state)
    return None if now == game.hash else f"it ended in position {game.hash}, but the replay in {now}"


def main(folder: str, ruleset: str, *variants: str) -> None:
    """What the other process does: one JSON document on standard output."""
    games, replaying = Folder(Path(folder)), _Replaying(ruleset, variants)
    for each in games.transcripts():
        replaying.transcript(each)
    replaying.moves(games.moves())
    found = {"python": sys.version.split()[0], "games": replaying.games, "differing": replaying.differing}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
