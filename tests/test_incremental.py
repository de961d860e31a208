"""What the editor works out step by step, as somebody types, against what comes of the same text from nothing."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest

from polis_rules.language_server.workbench import Workbench

RACE = Path(__file__).resolve().parent / "rulesets" / "dice_race"


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
