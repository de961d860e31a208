"""The cache: keyed by what was read, private, bounded, and never in the way."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from polis_rules import cache, composition, load
from polis_rules.composition import Composed
from polis_rules.ruleset import About

RULES = """\
format: 2
ruleset: small
title: {title}
scenario: {{scenario: only}}
kinds: {{player: {{state: {{coins: 0..9}}}}}}
tables: {{player: {{red: {{}}}}}}
phases: {{game: [{{set: {{red.coins: {coins}}}}}, {{end: over}}]}}
endings: {{over: {{title: It is over}}}}
score: {{terms: {{coins: who.coins}}}}
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLIS_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write(tmp_path / "small")


def write(folder: Path, title: str = "Small", coins: int = 3) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(RULES.format(title=title, coins=coins), encoding="utf-8")
    return folder


def coins(folder: Path) -> int:
    """What red has at the end of the game, by the rules that load and cache give."""
    result = load(folder).start().result
    assert result is not None
    return result.scores["red"]["coins"]


def entry(home: Path) -> Path:
    (file,) = home.glob("*.pickle")
    return file


def test_what_is_stored_is_fetched_and_what_is_not_is_none() -> None:
    cache.store("key", "name", {"a": 1})
    assert (cache.fetch("key", "name"), cache.fetch("key", "other")) == ({"a": 1}, None)


def test_another_state_of_the_package_has_another_key_also_where_size_and_time_of_its_files_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a package manager gives every file that it installs the same time."""
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "cache.py"))
    module = tmp_path / "module.py"
    keys, before = [], 0
    for text in ("LIMIT = 1", "LIMIT = 2"):
        module.write_text(text)
        os.utime(module, ns=(1, 1))
        while module.stat().st_ctime_ns == before:  # until the clock of the disk has gone on
            os.utime(module, ns=(1, 1))
        before = module.stat().st_ctime_ns
        keys.append(cache.engine_key.__wrapped__())
    (tmp_path / "notes.txt").write_text("nothing")
    assert keys[0] != keys[1] == cache.engine_key.__wrapped__()


def test_rules_changed_between_hashing_and_reading_are_not_kept_under_the_old_key(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading reads each file once, so that the key names what is compiled; later loads see what is there then."""
    compose = composition.compose

    def after_an_edit(*origin: Any) -> Composed:
        write(small, "Edited", 5)
        return compose(*origin)

    monkeypatch.setattr(composition, "compose", after_an_edit)
    ruleset = load(small)
    ruleset.program()
    assert ruleset.title == "Small"
    monkeypatch.undo()
    write(small)
    assert (load(small).title, coins(small)) == ("Small", 3)
    write(small, "Edited", 5)
    assert (load(small).title, coins(small)) == ("Edited", 5)


def test_rules_edited_after_loading_do_not_mix_with_what_was_loaded(small: Path) -> None:
    """A program that is compiled later is that of the files as they were loaded."""
    load(small)
    ruleset = load(small)  # from the cache, without its rules
    write(small, "Edited", 5)
    result = ruleset.start().result
    assert result is not None and result.scores["red"]["coins"] == 3
    assert coins(small) == 5


@pytest.mark.parametrize("damage", [lambda raw: b"", lambda raw: raw[:-1], lambda raw: raw[:-9] + b"x" + raw[-8:]])
def test_a_damaged_entry_is_made_anew(damage: Any, home: Path, small: Path) -> None:
    load(small)
    path = entry(home)
    path.write_bytes(damage(path.read_bytes()))
    assert load(small).title == "Small"
    assert isinstance(cache.fetch(load(small)._snapshot.key, "about"), About)  # type: ignore[union-attr]


class Trap:
    """A pickle that leaves a file behind when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[str, int]]:
        return os.mkdir, (str(self.path), 0o700)


def test_a_pickle_without_the_right_checksum_is_not_even_opened(home: Path, tmp_path: Path) -> None:
    cache.store("key", "name", 1)
    entry(home).write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    assert cache.fetch("key", "name") is None
    assert not (tmp_path / "sprung").exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of POSIX")
def test_the_folder_is_private_and_one_that_others_can_write_is_not_used(home: Path) -> None:
    cache.store("key", "name", 1)
    assert home.stat().st_mode & 0o777 == 0o700
    home.chmod(0o770)
    assert cache.fetch("key", "name") is None
    cache.store("key", "other", 2)
    home.chmod(0o700)
    assert (cache.fetch("key", "name"), cache.fetch("key", "other")) == (1, None)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of POSIX")
def test_an_entry_that_others_can_write_is_not_read(home: Path) -> None:
    cache.store("key", "name", 1)
    entry(home).chmod(0o622)
    assert cache.fetch("key", "name") is None


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_are_refused_as_folder_and_as_entry(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.store("key", "name", 1)
    monkeypatch.setenv("POLIS_CACHE_DIR", str(tmp_path / "link"))
    (tmp_path / "link").symlink_to(home)
    assert cache.fetch("key", "name") is None
    monkeypatch.setenv("POLIS_CACHE_DIR", str(home))
    path = entry(home)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert cache.fetch("key", "name") is None


def test_what_was_used_last_stays_longest(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading an entry keeps it; what a killed process left half written goes like any other."""
    monkeypatch.setattr(cache, "MOST_BYTES", 3000)
    half = home / ".killed.pickle.0"
    for number, name in enumerate(("first", "second")):
        cache.store("key", name, b"x" * 1000)
        os.utime(max(home.glob("*.pickle"), key=lambda path: path.stat().st_mtime_ns), (number, number))
    half.write_bytes(b"x" * 1000)
    os.utime(half, (0, 0))
    assert cache.fetch("key", "first") is not None
    cache.store("key", "third", b"x" * 1000)
    kept = [name for name in ("first", "second", "third") if cache.fetch("key", name) is not None]
    assert (kept, half.exists()) == (["first", "third"], False)


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POLIS_CACHE_DIR", str(tmp_path / "file" / "cache"))
    cache.store("key", "name", 1)
    assert cache.fetch("key", "name") is None


def test_without_a_home_folder_nothing_is_kept_and_all_works(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no HOME is set and the system knows of none, rules are compiled each time, and nothing is written."""
    for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "POLIS_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)

    def unknown(_: object) -> None:
        raise KeyError("no such user")

    pwd = pytest.importorskip("pwd")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.chdir(small)
    before = sorted(small.rglob("*"))
    cache.store("key", "name", 1)
    assert cache.fetch("key", "name") is None
    assert coins(small) == 3
    assert sorted(small.rglob("*")) == before


@pytest.mark.slow
def test_two_processes_share_the_cache_while_both_write_it(home: Path, small: Path) -> None:
    """Each sees whole entries or none, whichever of them writes last."""
    code = (
        "import sys; from polis_rules import cache, load; value = sys.argv[2] * 200_000\n"
        "for _ in range(60):\n"
        "    cache.store('key', 'name', value); found = cache.fetch('key', 'name')\n"
        "    assert found in ('a' * 200_000, 'b' * 200_000), found\n"
        "print(load(sys.argv[1]).start().result.scores['red']['coins'])"
    )
    command = [sys.executable, "-c", code, str(small)]
    running = [subprocess.Popen([*command, letter], stdout=subprocess.PIPE, text=True) for letter in "ab"]
    assert [each.communicate()[0].strip() for each in running] == ["3", "3"]
    assert list(home.glob(".*")) == []


@pytest.mark.slow
def test_a_cached_program_plays_without_its_rules_being_read(small: Path) -> None:
    """Nor what they are made of, which takes longer to import than the game to play."""
    load(small).program()
    code = (
        "import sys; from polis_rules import load\n"
        "program = load(sys.argv[1]).program(); state = program.new_state(seed=7)\n"
        "for _ in program.steps(state, lambda state, options: options[0]): pass\n"
        "print([name for name in sys.modules if not name.startswith('encodings')], program.rules.endings)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(small)], capture_output=True, text=True, check=True)
    loaded, _, endings = done.stdout.partition("] ")
    slow = (
        "symbols",
        "expressions",
        "networkx",
        "dataclasses",
        "inspect",
        "'ast'",
        "logging",
        "tempfile",
        "source.tree",
    )
    assert [name for name in slow if name in loaded] == []
    assert "It is over" in endings


def test_rules_that_come_with_a_cached_program_are_those_that_the_files_say(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cache.unused():
        said = load(small).rules()
    load(small).start()

    def refuse(*_: object) -> None:
        raise AssertionError("the files are read again")

    monkeypatch.setattr("polis_rules.ruleset._compose", refuse)
    assert repr(load(small).rules()) == repr(said)


def test_what_files_said_together_is_known_after_they_were_changed(small: Path) -> None:
    before = load(small)
    now = load(write(small, title="Larger"))
    assert [each.composed().manifest.get("title") for each in (before, now)] == ["Small", "Larger"]
