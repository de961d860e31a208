"""Games that are kept in the player's own folder, to be gone on with."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from polis_rules.diagnostics import PolisError, RulesetError, one_of, printable, quote
from polis_rules.play.transcript import Transcript, TranscriptError, read
from polis_rules.ruleset import Origin, Ruleset, load
from polis_rules.source import write_whole

GAME, NOTE = ".jsonl", ".note"
"""The ends of the names of a game's transcript, and of what stands beside it: where its rules are, where it stands."""

LONGEST_NAME = 80


class SavedGameError(PolisError):
    """No saved game is called so, or it cannot be used."""


def games_folder() -> Path:
    """Where games are kept: POLIS_GAMES_DIR, or the platform's place for what belongs to a user."""
    if named := os.environ.get("POLIS_GAMES_DIR"):
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("polis-rules", appauthor=False) / "games"


@dataclass(frozen=True, slots=True)
class Note:
    """What stands beside a game's transcript; a game without it is found by the ids in its transcript."""

    origin: Origin
    stands: str
    """where the game stands, in words"""
    titles: dict[str, str] = field(default_factory=dict)
    """what the players are called"""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """One game in the folder."""

    name: str
    path: Path
    transcript: Transcript
    note: Note | None
    date: float
    """when something was last decided in it, in seconds since 1970"""

    @property
    def stands(self) -> str:
        """Where the game stands, in words."""
        if self.transcript.finished:
            return "finished"
        return self.note.stands if self.note is not None else f"{len(self.transcript.entries)} moves"

    @property
    def seats(self) -> str:
        """Who plays whom, in words."""
        titles = self.note.titles if self.note is not None else {}
        return ", ".join(f"{titles.get(player, player)}: {who}" for player, who in self.transcript.seats.items())

    def rules(self) -> Ruleset:
        """The rules as they are now. Raises RulesetError, and TranscriptError where nobody knows which they were."""
        from polis_rules.play.transcript import rules_of

        if self.note is not None:
            return load(*self.note.origin)
        try:
            return rules_of(self.transcript)
        except RulesetError as error:
            raise SavedGameError(
                f"{self.name} does not tell where its rules are, and {quote(self.transcript.ruleset)} cannot be loaded"
                f". Go on with it from the folder of its rules: polis run FOLDER --resume {printable(str(self.path))}"
            ) from error


def saved_games(folder: Path | None = None) -> list[SavedGame]:
    """All saved games that can be read, newest first."""
    return _listed(folder)[0]


def unreadable_games(folder: Path | None = None) -> dict[Path, str]:
    """The files among the saved games that cannot be read, each with the reason."""
    return _listed(folder)[1]


def _listed(folder: Path | None) -> tuple[list[SavedGame], dict[Path, str]]:
    folder = games_folder() if folder is None else folder
    found: list[SavedGame] = []
    failed: dict[Path, str] = {}
    for path in sorted(folder.glob(f"*{GAME}")) if folder.is_dir() else ():
        if not path.is_file():  # a pipe or a device may never end
            continue
        try:
            found.append(_saved(path))
        except FileNotFoundError:
            continue
        except (OSError, TranscriptError) as error:
            failed[path] = printable(str(error))
    return sorted(found, key=lambda each: (-each.date, each.name)), failed


def saved_game(name: str, folder: Path | None = None) -> SavedGame:
    """The saved game of a name, or with a number in the list of all. Raises SavedGameError, TranscriptError."""
    folder = games_folder() if folder is None else folder
    path = folder / f"{name}{GAME}"
    if _is_name(name) and path.is_file():
        return _saved(path)
    if Path(name).is_file():
        raise SavedGameError(
            f"{quote(name)} is not among the games that are kept; a game recorded in a file goes on with: "
            f"polis run RULESET --resume {shlex.quote(printable(name))}"
        )
    games = saved_games(folder)
    if name.isdecimal() and 0 < int(name) <= len(games):
        return games[int(name) - 1]
    if not games:
        raise SavedGameError(f"there are no saved games in {printable(str(folder))}")
    if name.isdecimal():
        raise SavedGameError(f"there is no game {name}; the games have numbers from 1 to {len(games)}")
    raise SavedGameError(f"no saved game is called {quote(name)}; {one_of(name, [each.name for each in games])}")


def new_game_file(ruleset: str, folder: Path | None = None, name: str | None = None) -> Path:
    """A file for a new game, which is there, empty, so that nobody else takes the name. Raises SavedGameError, OSError.

    Without a name it is called after the ruleset and the first number that is free.
    """
    folder = games_folder() if folder is None else folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SavedGameError(
            f"no games can be kept in {printable(str(folder))} ({error.strerror}); POLIS_GAMES_DIR names another folder"
        ) from None
    if name is not None and not _is_name(name):
        raise SavedGameError(f"{quote(name)} is no name for a game: it has letters, digits, `-`, `_` and spaces")
    for candidate in [name] if name is not None else _names(ruleset):
        path = folder / f"{candidate}{GAME}"
        try:
            path.open("xb").close()
        except FileExistsError:
            continue
        return path
    raise SavedGameError(f"a game is called {quote(name or ruleset)} already")


def write_note(path: Path, note: Note) -> None:
    """Put down beside a game's transcript where its rules are and where it stands."""
    ruleset, scenario, variants = note.origin
    origin = [_found_again(ruleset), None if scenario is None else _found_again(scenario)]
    rules = [*origin, [_found_again(each) for each in variants]]
    data = {"rules": rules, "stands": note.stands, "titles": note.titles}
    write_whole(path.with_suffix(NOTE), json.dumps(data) + "\n")  # all in ASCII: a folder's name may be no text


def _saved(path: Path) -> SavedGame:
    return SavedGame(path.stem, path, read(path), _note(path), path.stat().st_mtime)


def _note(path: Path) -> Note | None:
    """The note beside a transcript; None where there is none that can be read."""
    note = path.with_suffix(NOTE)
    if not note.is_file():
        return None
    try:
        data = json.loads(note.read_text("utf-8"))
        ruleset, scenario, variants = data["rules"]
        stands, titles = data["stands"], data.get("titles", {})
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    if type(variants) is not list or type(titles) is not dict:
        return None
    texts = [ruleset, stands, *variants, *titles.values(), *([] if scenario is None else [scenario])]
    if not all(isinstance(each, str) for each in texts):
        return None
    told = {player: printable(title) for player, title in titles.items()}
    return Note((ruleset, scenario, tuple(variants)), printable(stands), told)


def _found_again(name: str | Path) -> str:
    """What finds a folder or a file again from anywhere; an id as it is, also where a file happens to be called so."""
    path = Path(name)
    is_path = len(path.parts) > 1 or path.suffix or (path / "ruleset.yaml").is_file()
    return str(path.resolve()) if is_path and path.exists() else str(name)


def _is_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and re.fullmatch(r"\w[\w -]*", name) is not None


def _names(ruleset: str) -> Iterator[str]:
    return (f"{ruleset}-{number}" for number in count(1))
