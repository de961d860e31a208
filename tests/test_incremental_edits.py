"""Edits of a whole ruleset as authors make them, one after the other: the editor knows the same as from nothing."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from test_incremental import RULESETS, known

from polis_rules.language_server.workbench import Workbench

Texts = dict[Path, str]
NAME = re.compile(r"\b[a-z]+_[a-z_]+\b|(?<=\.)[a-z]+\b")
RANGE = re.compile(r"\b\d+\.\.\d+\b")
TYPE = re.compile(r"(?<=: )(?:flag|number|effects|formula|changes|player(?: or none)?)(?=[,}\n])")
KEY = re.compile(r"(?:, )?\b(?:seen_by|spendable|title|start|default|grade): [^,{}\n]+(?=[,}])")
BLOCK = re.compile(r"^  [a-z_]+:.*\n(?:(?:   .*)?\n)*", re.MULTILINE)
EDITS: list[Callable[[Texts, Path, random.Random], str]] = []


def edit(make: Callable[[Texts, Path, random.Random], str]) -> Callable[[Texts, Path, random.Random], str]:
    """One of the things that authors do: the new text of a file; other files are changed in place."""
    EDITS.append(make)
    return make


def other(texts: Texts, path: Path, dice: random.Random, pattern: re.Pattern[str], new: list[str]) -> str:
    """A text with something else in one place where a pattern is found."""
    found = list(pattern.finditer(texts[path]))
    if not found:
        return texts[path]
    place = dice.choice(found)
    return texts[path][: place.start()] + dice.choice(new) + texts[path][place.end() :]


@edit
def two_names_are_swapped(texts: Texts, path: Path, dice: random.Random) -> str:
    names = sorted({name for text in texts.values() for name in NAME.findall(text)})
    one, two = dice.sample(names, 2)
    for each, text in texts.items():
        texts[each] = re.sub(rf"\b(?:{one}|{two})\b", lambda match: two if match[0] == one else one, text)
    return texts[path]


@edit
def a_range_is_another(texts: Texts, path: Path, dice: random.Random) -> str:
    return other(texts, path, dice, RANGE, ["0..1", "1..9", "0..40", "flag", "number"])


@edit
def a_type_is_another(texts: Texts, path: Path, dice: random.Random) -> str:
    return other(texts, path, dice, TYPE, ["flag", "number", "player", "player or none", "effects", "formula"])


@edit
def a_key_is_gone(texts: Texts, path: Path, dice: random.Random) -> str:
    return other(texts, path, dice, KEY, [""])


@edit
def a_key_is_new(texts: Texts, path: Path, dice: random.Random) -> str:
    new = [
        "{seen_by: false, ",
        "{spendable: true, ",
        "{title: Other, ",
        "{ruling: So, ",
        "{start: 1, ",
        "{per: player, ",
    ]
    return other(texts, path, dice, re.compile(r"\{(?=[a-z_]+: )"), new)


@edit
def a_name_stands_for_another(texts: Texts, path: Path, dice: random.Random) -> str:
    return other(texts, path, dice, NAME, NAME.findall(texts[path]) or [""])


@edit
def rules_change_places(texts: Texts, path: Path, dice: random.Random) -> str:
    blocks = list(BLOCK.finditer(texts[path]))
    after = [(one, two) for one, two in pairwise(blocks) if one.end() == two.start()]
    if not after:
        return texts[path]
    one, two = dice.choice(after)
    return texts[path][: one.start()] + two[0] + one[0] + texts[path][two.end() :]


@edit
def a_rule_moves_to_another_file(texts: Texts, path: Path, dice: random.Random) -> str:
    blocks, files = list(BLOCK.finditer(texts[path])), [each for each in texts if each != path]
    if not blocks or not files:
        return texts[path]
    block, file = dice.choice(blocks), dice.choice(files)
    section = re.findall(r"^[a-z]+:", texts[path][: block.start()], re.MULTILINE)[-1]
    before, found, after = texts[file].partition(f"\n{section}\n")
    texts[file] = f"{before}{found}{block[0]}{after}" if found else f"{before}{section}\n{block[0]}"
    return texts[path][: block.start()] + texts[path][block.end() :]


@pytest.mark.parametrize("home", RULESETS)
@pytest.mark.parametrize("seed", [0])
def test_after_each_edit_the_same_is_known_as_from_nothing(tmp_path: Path, home: Path, seed: int) -> None:
    """Also after going back to any earlier text, as undoing does."""
    shutil.copytree(home.parent, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("cases", "variants"))
    dice, bench = random.Random(f"{home.name} {seed}"), Workbench()
    texts: Texts = {path: path.read_text("utf-8") for path in sorted((tmp_path / home.name).rglob("*.yaml"))}
    past, sound = [texts], 0
    for _ in range(10):
        texts = dict(dice.choice([past[0], past[-1], dice.choice(past)]))
        if dice.random() < 0.8:
            path = dice.choice(list(texts))
            texts[path] = dice.choice(EDITS)(texts, path, dice)
        past.append(texts)
        fresh = Workbench()
        for each, text in texts.items():
            bench.change(each, text)
            fresh.change(each, text)
        main = tmp_path / home.name / "ruleset.yaml"
        assert known(bench, main) == known(fresh, main)
        target = bench.target(main)
        sound += target is not None and bench.analysis(target).build.rules is not None
    assert sound > 0
