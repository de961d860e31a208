"""The page on writing a game is true: its counts are those of the ruleset, and its mistakes are found as it shows."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support.command import command

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "writing-a-game.md").read_text("utf-8")
POLITEIA = ROOT / "rulesets" / "politeia"
THRESHOLD = "sum(p.hades for p in nation) >= 10"


def lines_of(*patterns: str) -> int:
    """How many lines of these files are neither empty nor a comment."""
    files = [file for pattern in patterns for file in POLITEIA.glob(pattern)]
    return sum(bool(re.match(r" *[^ #\n]", line)) for file in files for line in file.open(encoding="utf-8"))


def anywhere(text: str) -> str:
    """The text without the lines and columns that it names, which move whenever a file gets another case."""
    return re.sub(r"\d+(?=:|]| \|)", "N", text)


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """A copy of the ruleset, in a folder of its own."""
    return Path(shutil.copytree(POLITEIA, tmp_path / "politeia"))


def test_the_rules_of_the_game_are_as_long_as_the_page_says_and_at_most_1100_lines() -> None:
    names = ("ruleset", "kinds", "terms", "turns", "actions", "wars", "end")
    game = lines_of(*(f"{name}.yaml" for name in names), "scenarios/*.yaml")
    rules = game + lines_of("variants/*.yaml")
    tables = lines_of("map.yaml", "tiles.yaml")
    assert max(rules, game + tables) <= 1100
    assert f"{rules:,} lines that are neither empty" in PAGE
    assert f"its map and its tiles {tables}\n" in PAGE
    assert f"without the variants all of that is {game + tables:,} lines" in PAGE


@pytest.mark.parametrize(
    ("slip", "tool"),
    [("sum(p.hade for p in nation) >= 10", "validate"), ("sum(p.hades for p in nation) > 10", "test")],
)
def test_a_mistake_is_found_as_the_page_shows(
    changed: Path, slip: str, tool: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = changed / "turns.yaml"
    file.write_text(file.read_text("utf-8").replace(THRESHOLD, slip), "utf-8")
    first = {"validate": "politeia/turns", "test": "FAILED"}[tool]
    shown = re.findall(rf"^```\n({first}.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0]
    monkeypatch.chdir(changed.parent)
    told = command(monkeypatch, capsys)(tool, "./politeia")
    assert told.status == 1
    told_anywhere = anywhere(told.out + told.err)
    assert [line for line in anywhere(shown).splitlines() if line not in told_anywhere] == []
