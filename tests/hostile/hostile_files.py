"""Files that somebody wrote to make a reader run code, leave its folder, hang, or fill the memory.

Each entry of `FILES` puts one such thing into a folder and gives the command line that meets it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.small_ruleset import small

Builder = Callable[[Path], list[str]]

FULL = 192 * 1024
"""What a file may hold, in bytes."""

LAUGHS = "a0: &a0 [lol]\n" + "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(30))

CONTENTS: dict[str, bytes] = {
    "an alias bomb": LAUGHS.encode(),
    "a scalar of ten megabytes": b"title: " + b"x" * 10_000_000,
    "ten megabytes of quotes": b"title: '" + b"''" * 5_000_000 + b"'",
    "a number of ten megabytes": b"format: " + b"9" * 10_000_000,
    "ten thousand levels of lists": b"a: " + b"[" * 10_000,
    "ten thousand levels of mappings": b"a: " + b"{b: " * 10_000,
    "ten thousand levels of blocks": b"".join(b" " * min(n, 150) + b"a:\n" for n in range(1200)),
    "levels that end": b"a: " + b"[" * 90_000 + b"]" * 90_000,
    "nothing but exclamation marks": b"a: " + b"!" * (FULL - 10),
    "nothing but tags": b"a: [" + b"!!t x, " * (FULL // 8) + b"]",
    "nothing but dashes": b"- " * (FULL // 2),
    "nothing but question marks": b"? " * (FULL // 2),
    "nothing but colons": b": " * (FULL // 2),
    "nothing but quotes": b'"' * (FULL - 1),
    "nothing but line ends": b"\n" * (FULL - 1),
    "nothing but percent signs": b"%\n" * (FULL // 2 - 1),
    "nothing but ampersands": b"a: " + b"&" * (FULL - 10),
    "nothing but commas": b"a: [" + b"," * (FULL - 10) + b"]",
    "one key that never ends": b"k" * (FULL - 3) + b": 1",
    "prose that never ends": b"a: |\n" + b" x\n" * (FULL // 3 - 4),
    "escapes without end": b'a: "' + b"\\x41" * (FULL // 4 - 4) + b'"',
    "keys without number": b"".join(b"k%d:\n" % n for n in range(24_000)),
    "sections that are all unknown": b"".join(b"k%d: {a: 1}\n" % n for n in range(13_000)),
    "twenty thousand equal keys": b"a: 1\n" * 20_000,
    "NUL bytes": b"\0" * 100_000,
    "a NUL in a name": b"a\0b: 1\n",
    "bytes that are not UTF-8": b"a: \xff\xfe\xc3\x28" + b"\xf8" * 1000,
    "UTF-16": "a: 1\n".encode("utf-16"),
    "surrogates": b"a: \xed\xa0\x80",
    "a tag that would make an object": b"a: !!python/object/apply:os.system [touch opened]\n",
    "names of Python": b"__class__: {__init__: {__globals__: 1}}\n",
    "an empty file": b"",
}
"""What may stand in any file, whatever it is for."""

SCHEMES: dict[str, Callable[[Path, bytes], list[str]]] = {}


def kind_of_file(make: Callable[[Path, bytes], list[str]]) -> Callable[[Path, bytes], list[str]]:
    SCHEMES[make.__doc__ or ""] = make
    return make


def _put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@kind_of_file
def manifest(folder: Path, content: bytes) -> list[str]:
    """a manifest"""
    place = small(folder)
    _put(place / "ruleset.yaml", content)
    return ["validate", str(place)]


@kind_of_file
def table(folder: Path, content: bytes) -> list[str]:
    """a listed file"""
    place = small(folder)
    _put(place / "things.yaml", content)
    return ["validate", str(place)]


@kind_of_file
def scenario(folder: Path, content: bytes) -> list[str]:
    """a scenario"""
    place = small(folder)
    _put(place / "scenarios/standard.yaml", content)
    return ["run", str(place), "--seed", "1"]


@kind_of_file
def variant(folder: Path, content: bytes) -> list[str]:
    """a variant"""
    return ["run", str(small(folder)), "--seed", "1", "--variant", str(_put(folder / "odd.yaml", content))]


@kind_of_file
def case_file(folder: Path, content: bytes) -> list[str]:
    """a case file"""
    place = small(folder)
    _put(place / "cases/odd.yaml", content)
    return ["test", str(place)]


@kind_of_file
def validated_cases(folder: Path, content: bytes) -> list[str]:
    """a case file that is validated with its ruleset"""
    place = small(folder)
    _put(place / "cases/odd.yaml", content)
    return ["validate", str(place)]


@kind_of_file
def inherited_cases(folder: Path, content: bytes) -> list[str]:
    """what a ruleset says of inherited cases"""
    small(folder)
    place = folder / "later"
    manifest = b"format: 2\nruleset: later\ntitle: Later\nextends: small\n"
    _put(place / "ruleset.yaml", manifest)
    _put(place / "cases/inherited.yaml", content)
    return ["test", str(place), "--inherited"]


@kind_of_file
def transcript(folder: Path, content: bytes) -> list[str]:
    """a transcript"""
    return ["replay", str(_put(folder / "game.jsonl", content)), "--ruleset", str(small(folder))]


@kind_of_file
def baseline(folder: Path, content: bytes) -> list[str]:
    """a baseline"""
    return ["validate", str(small(folder)), "--baseline", str(_put(folder / "known.json", content))]


@kind_of_file
def older(folder: Path, content: bytes) -> list[str]:
    """a file to migrate"""
    place = small(folder)
    _put(place / "ruleset.yaml", content)
    return ["migrate", str(place), "--dry-run"]


@kind_of_file
def unformatted(folder: Path, content: bytes) -> list[str]:
    """a file to format"""
    return ["format", str(_put(folder / "odd.yaml", content))]


@kind_of_file
def compared(folder: Path, content: bytes) -> list[str]:
    """a manifest that something is compared with"""
    place = small(folder)
    other = small(folder / "other")
    _put(other / "ruleset.yaml", content)
    return ["diff", str(place), str(other)]
