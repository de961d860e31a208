"""What the editor works out step by step, as somebody types, against what comes of the same text from nothing."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest

from polis_rules.language_server.workbench import Workbench

HERE = Path(__file__).resolve().parent
RACE = HERE / "rulesets" / "dice_race"
SMALL = [pytest.param(path.parent, id=path.parent.name) for path in sorted(HERE.glob("rulesets/*/ruleset.yaml"))]
SHIPPED = [HERE.parent / "rulesets" / name for name in ("yucata", "devir")]
RULESETS = [*SMALL, *(pytest.param(home, id=home.name, marks=pytest.mark.slow) for home in SHIPPED)]


def edited(text: str, dice: random.Random) -> str:
    """A text after a small edit: a word or line is dropped, doubled, or exchanged for another of the same text."""
    words = [found.span() for found in re.finditer(r"\w+|[^\w\s]", text)]
    begin, end = dice.choice(words)
    one, other = (dice.choice(words) for _ in range(2))
    lines = text.split("\n")
    number = dice.randrange(len(lines))
    match dice.randrange(6):
        case 0:
            return text[:begin] + text[end:]
        case 1:
            return text[:end] + dice.choice("xs 0") + text[end:]
        case 2:
            return text[: one[0]] + text[other[0] : other[1]] + text[one[1] :]
        case 3:
            return "\n".join([*lines[:number], "", *lines[number:]])
        case 4:
            return "\n".join([*lines[:number], *lines[number + 1 :]])
        case _:
            return "\n".join([*lines[:number], lines[number], *lines[number:]])


def known(bench: Workbench, path: Path) -> tuple[object, object]:
    """The findings about a file's ruleset and everything that is known of its names."""
    target = bench.target(path)
    assert target is not None
    references = {each for same in bench.analysis(target).index.by_symbol.values() for each in same.values()}
    return bench.analysis(target).judged, references


@pytest.mark.parametrize("seed", range(4))
def test_step_by_step_the_same_is_known_as_from_nothing(tmp_path: Path, seed: int) -> None:
    """After each of many random edits, findings and references are those of a full analysis of the same texts."""
    home = tmp_path / "dice_race"
    shutil.copytree(RACE, home)
    dice, bench = random.Random(seed), Workbench()
    sound = {path: path.read_text("utf-8") for path in sorted(home.glob("*.yaml"))}
    for _ in range(25):
        path = dice.choice([*sound, home / "play.yaml", home / "play.yaml"])
        text = bench.text(path) if dice.random() < 0.5 else sound[path]
        bench.change(path, edited(text, dice))
        fresh = Workbench()
        for each, unsaved in bench.texts.items():
            fresh.change(each, unsaved)
        assert known(bench, path) == known(fresh, path), bench.text(path)
        if dice.random() < 0.5:
            bench.change(path, sound[path])


OPERATOR = re.compile(r" (and|or|<=|>=|==|!=|<|>) ")
NUMBER = re.compile(r"(?<!\w)\d+")


def altered(text: str, dice: random.Random) -> str:
    """A text with another operator or number somewhere, which is most often still sound but means something else."""
    places = [*OPERATOR.finditer(text), *NUMBER.finditer(text)]
    if not places:
        return text + "# more\n"
    place = dice.choice(places)
    group = 1 if place.lastindex else 0
    others = ["and", "or"] if place[group] in ("and", "or") else ["<=", "==", "!=", ">"] if group else list("01357")
    return text[: place.start(group)] + dice.choice(others) + text[place.end(group) :]


@pytest.mark.parametrize("home", RULESETS)
def test_checks_find_the_same_in_altered_rules_as_from_nothing(tmp_path: Path, home: Path) -> None:
    """What checks have kept of the rules that stayed the same is what they find when nothing is kept."""
    shutil.copytree(home.parent, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("cases", "variants"))
    dice, bench, checked = random.Random(home.name), Workbench(), 0
    files = {path: path.read_text("utf-8") for path in sorted((tmp_path / home.name).glob("*.yaml"))}
    for _ in range(12):
        path = dice.choice(list(files))
        before = bench.text(path)
        bench.change(path, altered(before if dice.random() < 0.5 else files[path], dice))
        target, fresh = bench.target(path), Workbench()
        assert target is not None
        for each, unsaved in bench.texts.items():
            fresh.change(each, unsaved)
        assert bench.analysis(target).judged == fresh.analysis(target).judged, bench.text(path)
        if bench.analysis(target).build.rules is None:
            bench.change(path, before)
        else:
            checked += 1
    assert checked > 2
