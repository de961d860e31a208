"""Ways to put something that is not meant well into the small ruleset."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hostile_files import Builder
from support.small_ruleset import THINGS, lay, small


def terms(*lines: str) -> str:
    return "terms:\n" + "".join(f"  {line}\n" for line in lines)


def with_more(more: str, *command: str) -> Builder:
    """The small ruleset with a file more."""

    def build(folder: Path) -> list[str]:
        place = small(folder, more=more)
        return [*(command or ("validate",)), str(place)]

    return build


def with_steps(steps: str, *command: str, more: str = "") -> Builder:
    def build(folder: Path) -> list[str]:
        place = small(folder, steps, more=more)
        return [*(command or ("run", "--seed", "1")), str(place)]

    return build


def with_things(old: str, new: str, *command: str) -> Builder:
    def build(folder: Path) -> list[str]:
        assert old in THINGS
        place = small(folder, things=THINGS.replace(old, new, 1))
        return [*(command or ("validate",)), str(place)]

    return build


def rows(kind: str, count: int, row: str = "{}") -> str:
    return f"  {kind}:\n" + "".join(f"    m{n}: {row}\n" for n in range(count))


def with_files(files: dict[str, str], *command: str) -> Builder:
    def build(folder: Path) -> list[str]:
        place = small(folder)
        lay(place, files)
        return [*(command or ("validate",)), str(place)]

    return build


def listing(*names: str) -> str:
    return "format: 2\nruleset: small\ntitle: Small\nscenario: standard\nfiles:\n" + "".join(
        f"  - {name}\n" for name in names
    )


def chain_of_editions(count: int, last: str) -> Builder:
    def build(folder: Path) -> list[str]:
        small(folder)
        for n in range(count):
            base = f"e{n + 1}" if n + 1 < count else last
            lay(folder / f"e{n}", {"ruleset.yaml": f"format: 2\nruleset: e{n}\ntitle: E\nextends: {base}\n"})
        return ["validate", str(folder / "e0")]

    return build


def many_variants(count: int, text: Callable[[int], str]) -> Builder:
    def build(folder: Path) -> list[str]:
        place = small(folder)
        asked = []
        for n in range(count):
            lay(folder, {f"v{n}.yaml": text(n)})
            asked += ["--variant", str(folder / f"v{n}.yaml")]
        return ["validate", str(place), *asked]

    return build


def doubling(count: int, how: str) -> str:
    """Terms that each call the one before twice."""
    return terms("t0: {is: round}", *(f"t{n}:\n    is: {how.format(f't{n - 1}')}" for n in range(1, count)))


def nested(count: int, kind: str = "region") -> str:
    return " ".join(f"for x{n} in {kind}" for n in range(count))


def wide(count: int, part: str, sign: str) -> str:
    return f" {sign} ".join([part] * count)


def expression(text: str, *command: str) -> Builder:
    return with_more(terms(f"odd:\n    is: {text}"), *command)
