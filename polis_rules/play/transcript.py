"""Whole games as text: writing, reading, replaying and resuming transcripts.

A transcript is JSON lines. The first line says what was played, then comes one line for each decision and
each chance outcome, and for a finished game a last line with how it ended:

    {"format": 1, "polis_rules": "0.1.0", "ruleset": "demo", "hash": "5e1f", "seed": 7, ...}
    ["decision", "red", "dig"]
    ["chance", "dig", "3"]
    {"entries": 2, "final_hash": "90ab", "result": {"ended_by": "three_rounds", ...}}

A game is written down while it is played (see `Recorder`), so a file may end anywhere: its whole lines count.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeVar

from polis_rules.composition import with_choices
from polis_rules.diagnostics import PolisError, RuleError, listing, quote, some, version
from polis_rules.interpreter.game import Game, LogEntry, ReplayError, Result
from polis_rules.ruleset import Ruleset, load
from polis_rules.source import is_id, write_whole

Shape = TypeVar("Shape")


LARGEST = 100_000_000
"""A transcript's greatest size, in bytes: ten times that of the longest game."""


class TranscriptError(PolisError):
    """A transcript that cannot be read, or that belongs to another ruleset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line of a transcript: what was played."""

    polis_rules: str
    """The version of polis-rules that wrote it."""
    ruleset: str
    """The ruleset's id."""
    title: str
    hash: str
    """The resolved ruleset's hash: the same rules, tables and scenario give the same hash."""
    layers: tuple[str, ...]
    scenario: str
    variants: tuple[str, ...]
    seed: int
    seats: dict[str, str]
    """Who played each player: the name of a bot, or `human`."""
    chance: Literal["seed", "by hand"] = "seed"
    """Where dice and draws came from. Those of the seed are checked against it, those entered by hand are believed."""
    settings: dict[str, str] = field(default_factory=dict)
    """The values of settings that were asked for; left out of the file where there are none."""
    format: Literal[1] = 1
    """The version of the file format that is written and the only one that is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript(Header):
    """What was played, every decision and chance outcome, and how it ended.

    >>> from polis_rules import load
    >>> ruleset = load("yucata")
    >>> transcript = record(ruleset, ruleset.start(seed=7), dict.fromkeys(ruleset.players, "random"))
    >>> parse(dump(transcript), "game.jsonl") == transcript
    True
    """

    entries: tuple[LogEntry, ...] = ()
    final_hash: str | None = None
    """The hash of the position at the end; None while the game is not finished."""
    result: Result | None = None
    """None while the game is not finished."""

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end."""
        return self.result is not None


@dataclass(frozen=True, slots=True)
class End:
    """The last line of a finished game's transcript."""

    entries: int
    final_hash: str
    result: Result


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where a replay and its transcript part."""

    entry: int | None
    """The number of the entry, counted from 1; None when they differ only at the end."""
    message: str


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay came to."""

    entries: int
    """How many entries were played."""
    hash: str
    """The hash of the position reached."""
    divergence: Divergence | None

    @property
    def ok(self) -> bool:
        return self.divergence is None


def record(ruleset: Ruleset, game: Game, seats: Mapping[str, str]) -> Transcript:
    """The game so far as a transcript; `seats` says who plays each player."""
    return Transcript(
        polis_rules=version(),
        ruleset=ruleset.name,
        title=ruleset.title,
        hash=ruleset.hash,
        layers=ruleset.layers,
        scenario=ruleset.scenario,
        variants=ruleset.variants,
        seed=game.seed,
        seats=dict(seats),
        chance="seed" if game.automatic else "by hand",
        settings=ruleset.chosen,
        entries=game.log,
        final_hash=game.hash() if game.finished else None,
        result=game.result,
    )


# --- writing


def dump(transcript: Transcript) -> str:
    """The text of a transcript file; `parse` reads it back."""
    head = {item.name: getattr(transcript, item.name) for item in fields(Header)}
    if not transcript.settings:
        del head["settings"]
    lines: list[object] = [head, *transcript.entries]
    if transcript.result is not None and transcript.final_hash is not None:
        lines.append(as_data(End(len(transcript.entries), transcript.final_hash, transcript.result)))
    return "".join(map(line_of, lines))


def as_data(end: End) -> dict[str, object]:
    """The last line of a finished game, without what says nothing of it."""
    result = {name: value for name, value in asdict(end.result).items() if value not in ((), {})}
    return asdict(end) | {"result": result}


def line_of(data: object) -> str:
    """One line of a transcript file."""
    return json.dumps(data, ensure_ascii=False) + "\n"


def write(path: Path, transcript: Transcript) -> None:
    """Write a transcript file, wholly or not at all; a file that is there is replaced.

    Raises OSError when it cannot be written; what stood there before is then untouched.
    """
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is not a regular file")
    write_whole(path, dump(transcript))


# --- reading

LINES: dict[Any, str] = {
    Header: "the first line of a transcript says what was played: {...}",
    LogEntry: 'an entry is a list of three texts, ["decision", PLAYER, OPTION] or ["chance", STREAM, OUTCOME]',
    End: "the last line says how the game ended: {...}",
}
"""What each line of a file is."""

EXPECTED = {
    "missing": "there", "int": "a whole number", "string": "text", "tuple": "a list", "dict": "a mapping",
    "dataclass": "a mapping",
}  # fmt: skip
"""What a value is, by the sort of error that pydantic finds in it."""


def read(path: Path) -> Transcript:
    """Read a transcript file. Raises TranscriptError when it is none, OSError when it cannot be read."""
    with path.open("rb") as stream:
        raw = stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise TranscriptError(f"{path}: not a transcript: it is larger than {LARGEST} bytes")
    whole, _, rest = raw.rpartition(b"\n")
    try:
        text = (whole + b"\n" if whole else rest).decode("utf-8")
    except UnicodeDecodeError as error:
        raise TranscriptError(f"{path}: not a transcript: byte {error.start} is not UTF-8 text") from None
    return parse(text, str(path))


def parse(text: str, name: str = "transcript") -> Transcript:
    """Read a transcript from text; `name` stands before every error message. What follows the last line end is left
    out: it was half written when the game was interrupted.

    >>> parse("{}")
    Traceback (most recent call last):
    polis_rules.play.transcript.TranscriptError: transcript:1: 'polis_rules' is missing
    """
    if not text.strip():
        raise TranscriptError(f"{name}: the file is empty, it holds no transcript")
    first, *lines = text.split("\n")
    head = asdict(_read(Header, first, f"{name}:1"))
    entries: list[LogEntry] = []
    for number, line in enumerate(lines[:-1], 2):
        if not line.startswith("{"):
            entries.append(_read(LogEntry, line, f"{name}:{number}"))
            continue
        end = _read(End, line, f"{name}:{number}")
        if number < len(lines):
            raise TranscriptError(f"{name}:{number}: the game ends here, but the file goes on")
        if end.entries != len(entries):
            wanted = some(end.entries, "entry", "entries")
            raise TranscriptError(f"{name}:{number}: the file should hold {wanted} but holds {len(entries)}")
        return Transcript(**head, entries=tuple(entries), final_hash=end.final_hash, result=end.result)
    return Transcript(**head, entries=tuple(entries))


def _read(shape: Any, line: str, place: str) -> Any:
    """One line as a value of a shape."""
    from pydantic import ValidationError

    try:
        entry = _adapter(shape).validate_json(line, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        sort = first["type"].partition("_")[0]
        if shape is LogEntry or not first["loc"]:
            raise TranscriptError(f"{place}: {LINES[shape]}, not {quote(line)}") from None
        where = quote(".".join(map(str, first["loc"])))
        wanted = EXPECTED.get(sort) or first["ctx"]["expected"]
        said = "is missing" if sort == "missing" else f"is {wanted}, not {quote(str(first['input']))}"
        raise TranscriptError(f"{place}: {where} {said}") from None
    if any(unicodedata.category(sign) == "Cc" for text in _texts(json.loads(line)) for sign in text):
        raise TranscriptError(f"{place}: a text has a control character in it")
    return entry


@cache
def _adapter(shape: Any) -> Any:
    from pydantic import TypeAdapter  # takes time to import, and playing a game does not need it

    return TypeAdapter(shape)


def _texts(data: object) -> Iterator[str]:
    """Every text inside a value of JSON."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, (dict, list)):
        inner = chain.from_iterable(data.items()) if isinstance(data, dict) else data
        yield from (text for each in inner for text in _texts(each))


# --- playing the entries


def rules_of(
    transcript: Transcript, ruleset: str | Path | None = None, variants: Sequence[str | Path] | None = None
) -> Ruleset:
    """The rules that a transcript was played with.

    A transcript names them by id only, never by a path: other folders and files than those that `polis run` finds by
    that id have to be given. Raises TranscriptError where it names anything else, RulesetError as `load` does.
    """
    for what, given, names in (
        ("--ruleset", ruleset, [transcript.ruleset]), ("--variant", variants, transcript.variants),
    ):  # fmt: skip
        for name in names if given is None else ():
            if not is_id(name):
                raise TranscriptError(f"the transcript names {quote(name)}, which is no id; give the path with {what}")
    if not is_id(transcript.scenario):
        raise TranscriptError(f"the transcript names the scenario {quote(transcript.scenario)}, which is no id")
    chosen = with_choices(transcript.variants if variants is None else variants, transcript.settings)
    return load(ruleset if ruleset is not None else transcript.ruleset, transcript.scenario, chosen)


def replay(transcript: Transcript, ruleset: Ruleset | None = None) -> Replay:
    """Play a transcript again, decisions and chance outcomes, and compare the position that comes out.

    Without `ruleset` the one that the transcript names is loaded. Raises TranscriptError when its hash is
    another than the transcript's and RulesetError when it cannot be loaded.

    >>> from polis_rules import load
    >>> ruleset = load("yucata")
    >>> game = ruleset.start(seed=7)
    >>> game.apply(game.decision.options[0])
    >>> again = replay(record(ruleset, game, {}), ruleset)
    >>> again.ok, again.hash == game.hash()
    (True, True)
    """
    game, divergence = _play(transcript, ruleset if ruleset is not None else rules_of(transcript))
    if divergence is not None:
        return Replay((divergence.entry or 1) - 1, game.hash(), divergence)
    end = _compare_end(transcript, game)
    return Replay(len(transcript.entries), game.hash(), Divergence(None, end) if end else None)


def resume(transcript: Transcript, ruleset: Ruleset, by_hand: bool = False) -> Game:
    """The game that an unfinished transcript holds, ready to go on with chance from the same seed.

    `by_hand`: somebody is there to enter dice and draws, if those of the transcript were entered.
    Raises TranscriptError when the ruleset is another one, the game is finished or an entry cannot be played.
    """
    if transcript.finished:
        raise TranscriptError("the game in the transcript is finished; there is nothing left to play")
    if transcript.chance != "seed" and not by_hand:
        raise TranscriptError(
            "the dice of the game in the transcript were entered by hand; without a person nobody enters the next ones"
        )
    return opened(transcript, ruleset)


def opened(transcript: Transcript, ruleset: Ruleset) -> Game:
    """The game that a transcript holds, finished or not; where dice were entered by hand, they go on to be.

    Raises TranscriptError when the ruleset is another one or an entry cannot be played.
    """
    game, divergence = _play(transcript, ruleset)
    if divergence is not None:
        raise TranscriptError(f"entry {divergence.entry}: {divergence.message}")
    return game


def _play(transcript: Transcript, ruleset: Ruleset) -> tuple[Game, Divergence | None]:
    """The game as far as its entries can be played, and what is wrong with the next one."""
    if transcript.hash != ruleset.hash:
        raise TranscriptError(
            f"the transcript was played with other rules: it needs {quote(transcript.ruleset)} with hash "
            f"{quote(transcript.hash, 70)}, but {ruleset.name} here has hash {quote(ruleset.hash, 70)}"
        )
    named = iter(transcript.layers)
    if not all(layer in named for layer in ruleset.layers):
        told, here = (quote(", ".join(layers), 120) for layers in (transcript.layers, ruleset.layers))
        raise TranscriptError(f"the transcript says that its rules are made of {told}, but they are made of {here}")
    for player in transcript.seats:
        if player not in ruleset.players:
            raise TranscriptError(f"the transcript seats {quote(player)}, who is no player; {listing(ruleset.players)}")
    game = ruleset.start(transcript.seed, "auto" if transcript.chance == "seed" else "manual")
    try:
        game.replay(transcript.entries)
    except ReplayError as error:
        return game, Divergence(error.entry, str(error))
    except RuleError as error:
        return game, Divergence(len(game.log) + 1, str(error))
    return game, None


def _compare_end(transcript: Transcript, game: Game) -> str | None:
    """How the position after the last entry differs from what the transcript says, or None."""
    if not transcript.finished:
        return None
    if not game.finished:
        return "the transcript says that the game is finished, but it is not"
    if game.hash() != transcript.final_hash:
        return f"the transcript ends in position {transcript.final_hash}, but the replay in {game.hash()}"
    if game.result != transcript.result:
        return f"the transcript has the result {transcript.result}, but the replay {game.result}"
    return None
