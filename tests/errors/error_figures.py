"""The corpus of broken rulesets in `tests/errors`, and how many of its mistakes the validator finds.

`python tests/errors/error_figures.py` prints the three figures, and each case that is missed; with names of files, such
as `tests/errors/names.yaml`, those of these alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from ruamel.yaml import YAML

from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.source.files import edited
from polis_rules.validation.validate import validate

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "errors"
HOMES = (ROOT / "rulesets", CORPUS / "sound")

MARK = "§"
"""Stands before the character that a finding must point at; it is no part of the text."""

SOUND: tuple[tuple[Path, tuple[str, ...]], ...] = (
    *((ROOT / "rulesets" / name, ()) for name in ("yucata", "devir")),
    *((CORPUS / "sound" / name, ()) for name in ("board", "fair", "market", "piles")),
)


@dataclass(frozen=True, slots=True)
class Case:
    """One defect: an edit of a sound ruleset, and what must be said about it."""

    name: str
    path: Path
    """The file that is edited."""
    find: str
    put: str
    code: str
    place: str
    """`file:line:column` of the finding."""
    hint: str | None
    """What the suggestion must hold, where there is one to make."""
    scenario: str | None
    variants: tuple[str, ...]

    @property
    def real(self) -> bool:
        """Whether it is an edit of a shipped ruleset."""
        return self.path.is_relative_to(HOMES[0])

    @property
    def ruleset(self) -> Path:
        """The folder of the ruleset that is checked."""
        first = self.path.relative_to(HOMES[0 if self.real else 1]).parts[0]
        return HOMES[0 if self.real else 1] / ("yucata" if first == "variants" else first)

    def text(self) -> str:
        """The file with the defect in it."""
        return _edited(self.path, self.find, self.put.replace(MARK, ""))

    def findings(self, variants: Sequence[str | Path] | None = None) -> list[Diagnostic]:
        """What validation finds in the broken ruleset, with its own variants or with others."""
        chosen = self.variants if variants is None else variants
        with edited({self.path.resolve(): self.text()}):
            return validate(self.ruleset, self.scenario, chosen, others=False).findings


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the validator has done on one case."""

    case: Case
    findings: list[Diagnostic]

    @property
    def found(self) -> list[Diagnostic]:
        """The findings of the code wanted."""
        return [each for each in self.findings if each.code == self.case.code and each.severity != "note"]

    @property
    def detected(self) -> bool:
        return bool(self.found)

    @property
    def located(self) -> list[Diagnostic]:
        """Those of them that point at the very character."""
        return [each for each in self.found if str(each.span) == self.case.place]

    @property
    def suggested(self) -> bool:
        return any((self.case.hint or "") in (each.advice or "") for each in self.located or self.found)

    @property
    def said_once(self) -> bool:
        return sum(each.severity != "note" for each in self.findings) == 1

    def __str__(self) -> str:
        said = "; ".join(f"{each.span} {each.code} ({each.advice})" for each in self.findings) or "nothing"
        return f"{self.case.name}: wanted {self.case.place} {self.case.code} ({self.case.hint}), got {said}"


def cases(files: Sequence[Path] = ()) -> list[Case]:
    """Every case of the corpus, or of some files, by file and in the order written."""
    every = []
    for file in files or sorted(CORPUS.glob("*.yaml")):
        for name, entry in YAML(typ="safe", pure=True).load(file.read_text("utf-8")).items():
            every.append(_case(f"{file.stem}/{name}", entry))
    return every


def sample() -> list[Case]:
    """An eighth of the cases of small rulesets, and few of the shipped ones, which take their time; by their names."""
    return [case for case in cases() if crc32(case.name.encode()) % (48 if case.real else 8) == 0]


def _case(name: str, entry: dict[str, str]) -> Case:
    path = _file(entry["in"])
    put = str(entry["put"])
    shown = path.relative_to(HOMES[0] if path.is_relative_to(HOMES[0]) else HOMES[1]).as_posix()
    if "at" in entry:
        at, _, context = entry["at"].partition(": ")
        other = _file(at)
        text = _edited(path, entry["find"], put) if other == path else other.read_text("utf-8")
        place = _place(text, context)
        shown = other.relative_to(HOMES[0] if other.is_relative_to(HOMES[0]) else HOMES[1]).as_posix()
    else:
        assert put.count(MARK) == 1, f"{name}: one place is marked"
        before, _, _ = _edited(path, entry["find"], put).partition(MARK)
        place = _after(before)
    variants = tuple(entry["variant"].split()) if "variant" in entry else ()
    if path.parent.name == "variants":
        variants = (path.stem, *variants)
    return Case(
        name,
        path,
        entry["find"],
        put,
        entry["code"],
        f"{shown}:{place}",
        entry.get("hint"),
        entry.get("scenario"),
        variants,
    )


def _file(name: str) -> Path:
    path = next((home / name for home in HOMES if (home / name).is_file()), None)
    assert path is not None, f"there is no file {name}"
    return path


def _edited(path: Path, find: str, put: str) -> str:
    text = path.read_text("utf-8")
    assert text.count(find) == 1, f"{path.name}: {find!r} stands there {text.count(find)} times"
    return text.replace(find, put)


def _place(text: str, context: str) -> str:
    wanted = context.replace(MARK, "")
    assert text.count(wanted) == 1, f"{wanted!r} stands there {text.count(wanted)} times"
    return _after(text[: text.index(wanted) + context.index(MARK)])


def _after(before: str) -> str:
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def judge(tried: Sequence[Case]) -> list[Outcome]:
    """What comes of each case."""
    return [Outcome(case, case.findings()) for case in tried]


def figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The shares, from 0 to 1, of mistakes detected, located on the character, and rightly suggested, and said once."""
    with_hint = [each for each in outcomes if each.case.hint is not None]
    return {
        "detected": sum(each.detected for each in outcomes) / len(outcomes),
        "located": sum(bool(each.located) for each in outcomes) / len(outcomes),
        "suggested": sum(each.suggested for each in with_hint) / len(with_hint),
        "said once": sum(each.said_once for each in outcomes) / len(outcomes),
    }


def main() -> None:
    outcomes = judge(cases([Path(each) for each in sys.argv[1:]]))
    for each in outcomes:
        if not each.located or not each.suggested:
            print(each)
    real = sum(each.case.real for each in outcomes)
    hints = sum(each.case.hint is not None for each in outcomes)
    shares = figures(outcomes)
    print(f"{len(outcomes)} broken rulesets, {real} of them edits of the shipped ones")
    print(f"detected                   {shares['detected']:6.1%}")
    print(f"on the exact character     {shares['located']:6.1%}")
    print(f"right suggestion           {shares['suggested']:6.1%}   (of {hints} that have one)")
    print(f"and nothing else said      {shares['said once']:6.1%}")


if __name__ == "__main__":
    main()
