"""Whole games as text: writing, reading, replaying and resuming transcripts.

A transcript is JSON lines. The first line says what was played, then comes one line for each decision and
each chance outcome, and the last line says how it stood at the end:

    {"format": 1, "polis_rules": "0.1.0", "ruleset": "demo", "hash": "5e1f", "seed": 7, ...}
    ["decision", "red", "dig"]
    ["chance", "dig", "3"]
    {"entries": 2, "finished": false, "final_hash": "90ab", "result": null}
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polis_rules.diagnostics import IllegalMove, InvalidMove, PolisError, RuleError, nearest, quote, version

if TYPE_CHECKING:
    from polis_rules.interpreter.game import Game
    from polis_rules.ruleset import Ruleset

__all__ = [
    "FORMAT",
    "Divergence",
    "Entry",
    "Replay",
    "Transcript",
    "TranscriptError",
    "dump",
    "parse",
    "read",
    "record",
    "replay",
    "result_as_data",
    "resume",
    "write",
]

FORMAT = 1
"""The version of the file format that is written and the only one that is read."""

Entry = tuple[str, str, str]
"""("decision", player, option) or ("chance", stream, outcome), as in `game.log`."""


class TranscriptError(PolisError):
    """A transcript that cannot be read, or that belongs to another ruleset."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was played, every decision and chance outcome, and how it stood at the end.

    >>> from polis_rules import load
    >>> ruleset = load("yucata")
    >>> transcript = record(ruleset, ruleset.start(seed=7), 7, dict.fromkeys(ruleset.players, "random"))
    >>> parse(dump(transcript), "game.jsonl") == transcript
    True
    """

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
    entries: tuple[Entry, ...]
    finished: bool
    final_hash: str
    """The hash of the position after the last entry."""
    result: dict[str, Any] | None
    """As `result_as_data` gives it; None while the game is not finished."""
    version: str
    """The version of polis-rules that wrote it."""


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


def record(ruleset: Ruleset, game: Game, seed: int, seats: Mapping[str, str]) -> Transcript:
    """The game so far as a transcript; `seats` says who plays each player."""
    return Transcript(
        ruleset=ruleset.name,
        title=ruleset.title,
        hash=ruleset.hash,
        layers=tuple(ruleset.layers),
        scenario=ruleset.scenario,
        variants=tuple(ruleset.variants),
        seed=seed,
        seats=dict(seats),
        entries=tuple((str(a), str(b), str(c)) for a, b, c in game.log),
        finished=game.finished,
        final_hash=game.hash(),
        result=result_as_data(game),
        version=version(),
    )


def result_as_data(game: Game) -> dict[str, Any] | None:
    """The result as plain data, or None before the end; the winner is None on a tie."""
    result = game.result
    if result is None:
        return None
    return {
        "ended_by": result.ended_by,
        "ended_by_title": result.ended_by_title,
        "winner": result.winner,
        "scores": {player: dict(terms) for player, terms in result.scores.items()},
    }


def dump(transcript: Transcript) -> str:
    """The text of a transcript file; `parse` reads it back."""
    data = asdict(transcript)
    entries = data.pop("entries")
    last = {"entries": len(entries)} | {key: data.pop(key) for key in ("finished", "final_hash", "result")}
    first = {"format": FORMAT, "polis_rules": data.pop("version")} | data
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in [first, *entries, last])


def write(path: Path, transcript: Transcript) -> None:
    """Write a transcript file, wholly or not at all; a file that is there is replaced.

    Raises OSError when it cannot be written; what stood there before is then untouched.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is not a regular file")
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with draft.open("x", encoding="utf-8", newline="\n") as file:
            file.write(dump(transcript))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def read(path: Path) -> Transcript:
    """Read a transcript file. Raises TranscriptError when it is none, OSError when it cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise TranscriptError(f"{path}: not a transcript: byte {error.start} is not UTF-8 text") from None
    return parse(text, str(path))


def parse(text: str, name: str = "transcript") -> Transcript:
    """Read a transcript from text; `name` stands before every error message.

    >>> parse("{}")
    Traceback (most recent call last):
    polis_rules.play.transcript.TranscriptError: transcript:1: 'format' is missing
    """
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise TranscriptError(f"{name}: the file is empty, it holds no transcript")
    first = _Fields(_json(lines[0], f"{name}:1"), f"{name}:1")
    found = first.whole_number("format")
    if found != FORMAT:
        raise TranscriptError(
            f"{name}:1: the transcript has format {found}; this version of polis-rules reads format {FORMAT}"
        )
    head: dict[str, Any] = {
        "version": first.text("polis_rules"),
        "seed": first.whole_number("seed"),
        "seats": first.texts_by_name("seats"),
        "layers": first.texts("layers"),
        "variants": first.texts("variants"),
    } | {key: first.text(key) for key in ("ruleset", "title", "hash", "scenario")}
    entries = tuple(_entry(line, f"{name}:{number}") for number, line in enumerate(lines[1:-1], 2))
    return Transcript(**head, entries=entries, **_last(lines, name))


def replay(transcript: Transcript, ruleset: Ruleset | None = None) -> Replay:
    """Play a transcript again, decisions and chance outcomes, and compare the position that comes out.

    Without `ruleset` the one that the transcript names is loaded. Raises TranscriptError when its hash is
    another than the transcript's and RulesetError when it cannot be loaded.

    >>> from polis_rules import load
    >>> ruleset = load("yucata")
    >>> game = ruleset.start(seed=7)
    >>> game.apply(game.decision.options[0])
    >>> again = replay(record(game.ruleset, game, 7, {}), ruleset)
    >>> again.ok, again.hash == game.hash()
    (True, True)
    """
    if ruleset is None:
        from polis_rules.ruleset import load

        ruleset = load(transcript.ruleset, scenario=transcript.scenario, variants=transcript.variants)
    _check_hash(transcript, ruleset)
    game = ruleset.start(seed=transcript.seed, chance="manual")
    for number, (kind, who, what) in enumerate(transcript.entries, 1):
        step = _decide if kind == "decision" else _answer
        if problem := step(game, who, what):
            return Replay(number - 1, game.hash(), Divergence(number, problem))
    end = _compare_end(transcript, game)
    return Replay(len(transcript.entries), game.hash(), Divergence(None, end) if end else None)


def resume(transcript: Transcript, ruleset: Ruleset) -> Game:
    """The game that an unfinished transcript holds, ready to go on with chance from the same seed.

    Raises TranscriptError when the ruleset is another one, the game is finished or an entry cannot be played.
    """
    _check_hash(transcript, ruleset)
    if transcript.finished:
        raise TranscriptError("the game in the transcript is finished; there is nothing left to play")
    game = ruleset.start(seed=transcript.seed)
    for number, (kind, who, what) in enumerate(transcript.entries, 1):
        problem = _decide(game, who, what) if kind == "decision" else None
        if problem:
            raise TranscriptError(f"entry {number}: {problem}")
    for number, (played, wanted) in enumerate(zip(game.log, transcript.entries, strict=False), 1):
        if tuple(played) != wanted:
            raise TranscriptError(f"entry {number}: seed {transcript.seed} gives {played}, not {wanted}")
    if game.hash() != transcript.final_hash:
        raise TranscriptError(f"its last position is {transcript.final_hash}, but playing it gives {game.hash()}")
    return game


# --- playing the entries


def _check_hash(transcript: Transcript, ruleset: Ruleset) -> None:
    if transcript.hash != ruleset.hash:
        raise TranscriptError(
            f"the transcript was played with other rules: it needs {transcript.ruleset} with hash "
            f"{transcript.hash}, but {ruleset.name} here has hash {ruleset.hash}"
        )


def _decide(game: Game, player: str, option: str) -> str | None:
    """Play one decision; what is wrong with it, or None."""
    if game.chance is not None:
        return f"{player} decides {quote(option)}, but the game waits for chance {quote(game.chance.stream)}"
    decision = game.decision
    if decision is None:
        return f"{player} decides {quote(option)}, but the game is over"
    if decision.player != player:
        return f"{player} decides {quote(option)}, but {decision.player} is to decide: {decision.prompt}"
    ids = [each.id for each in decision.options]
    if option not in ids:
        near = nearest(option, ids)
        tail = f"; did the transcript mean {quote(near)}?" if near else ""
        return f"unknown option {quote(option)} for {player} at {quote(decision.prompt)}{tail}"
    try:
        game.apply(option)
    except (IllegalMove, InvalidMove, RuleError) as error:
        return f"{player} cannot do {quote(option)}: {error}"
    return None


def _answer(game: Game, stream: str, outcome: str) -> str | None:
    """Answer one chance; what is wrong with the outcome, or None."""
    if game.chance is None:
        return f"chance {quote(stream)} gives {quote(outcome)}, but the game does not wait for chance"
    if game.chance.stream != stream:
        return f"chance {quote(stream)} is answered, but the game waits for {quote(game.chance.stream)}"
    if outcome not in game.chance.outcomes:
        return f"chance {quote(stream)} cannot give {quote(outcome)}"
    try:
        game.answer(outcome)
    except RuleError as error:
        return f"after chance {quote(stream)} gave {quote(outcome)}: {error}"
    return None


def _compare_end(transcript: Transcript, game: Game) -> str | None:
    """How the position after the last entry differs from what the transcript says, or None."""
    if game.finished != transcript.finished:
        words = {True: "finished", False: "not finished"}
        return f"the transcript says {words[transcript.finished]}, but the game is {words[game.finished]}"
    if game.hash() != transcript.final_hash:
        return f"the transcript ends in position {transcript.final_hash}, but the replay in {game.hash()}"
    if result_as_data(game) != transcript.result:
        return f"the transcript has the result {transcript.result}, but the replay {result_as_data(game)}"
    return None


# --- reading


def _json(line: str, place: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise TranscriptError(f"{place}: this line is not JSON: {quote(line)}") from None


def _entry(line: str, place: str) -> Entry:
    data = _json(line, place)
    if not isinstance(data, list) or len(data) != 3 or not all(isinstance(each, str) for each in data):
        raise TranscriptError(f"{place}: an entry is a list of three texts, not {quote(line)}")
    kind, who, what = data
    if kind not in ("decision", "chance"):
        raise TranscriptError(f"{place}: an entry begins with 'decision' or 'chance', not {quote(kind)}")
    return kind, who, what


def _last(lines: list[str], name: str) -> dict[str, Any]:
    """The fields of the last line, which is missing or broken when a file was cut off."""
    place = f"{name}:{len(lines)}"
    cut = TranscriptError(f"{place}: the transcript is cut off: the last line, with the final hash, is missing")
    try:
        data = json.loads(lines[-1])
    except (ValueError, RecursionError):
        raise cut from None
    if len(lines) == 1 or isinstance(data, list):
        raise cut
    last = _Fields(data, place)
    if (count := last.whole_number("entries")) != len(lines) - 2:
        raise TranscriptError(f"{place}: the file should hold {count} entries but holds {len(lines) - 2}")
    finished, result = last.flag("finished"), last.result("result")
    if finished != (result is not None):
        raise TranscriptError(f"{place}: a finished game has a result and an unfinished one has none")
    return {"finished": finished, "final_hash": last.text("final_hash"), "result": result}


class _Fields:
    """One JSON object, read field by field with a clear error for each that is missing or wrong."""

    def __init__(self, data: Any, place: str) -> None:
        if not isinstance(data, dict):
            raise TranscriptError(f"{place}: this is not a transcript: a line {{...}} is needed here")
        self._data = data
        self._place = place

    def text(self, key: str) -> str:
        return str(self._get(key, "a text", lambda value: isinstance(value, str)))

    def whole_number(self, key: str) -> int:
        return int(self._get(key, "a whole number", _is_whole))

    def flag(self, key: str) -> bool:
        return bool(self._get(key, "true or false", lambda value: isinstance(value, bool)))

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(self._get(key, "a list of texts", lambda value: isinstance(value, list) and _all_text(value)))

    def texts_by_name(self, key: str) -> dict[str, str]:
        return dict(self._get(key, "names with texts", _is_text_map))

    def result(self, key: str) -> dict[str, Any] | None:
        result = self._get(key, "a result or null", lambda value: value is None or _is_result(value))
        return None if result is None else dict(result)

    def _get(self, key: str, needed: str, fits: Callable[[Any], bool]) -> Any:
        if key not in self._data:
            raise TranscriptError(f"{self._place}: '{key}' is missing")
        value = self._data[key]
        if not fits(value):
            raise TranscriptError(f"{self._place}: '{key}' must be {needed}, not {quote(json.dumps(value))}")
        return value


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _all_text(values: list[Any]) -> bool:
    return all(isinstance(each, str) for each in values)


def _is_text_map(value: Any) -> bool:
    return isinstance(value, dict) and _all_text(list(value.values()))


def _is_result(value: Any) -> bool:
    """Whether this has the shape that `result_as_data` gives."""
    return (
        isinstance(value, dict)
        and set(value) == {"ended_by", "ended_by_title", "winner", "scores"}
        and isinstance(value["ended_by"], str)
        and isinstance(value["ended_by_title"], str)
        and (value["winner"] is None or isinstance(value["winner"], str))
        and isinstance(value["scores"], dict)
        and all(
            isinstance(terms, dict) and all(_is_whole(points) for points in terms.values())
            for terms in value["scores"].values()
        )
    )
