"""The benchmark of bots keeps its games, and goes on with them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """What it prints of greedy players against players at random."""
    import strength

    monkeypatch.setattr(sys, "argv", ["strength.py", "connect_four", "greedy", "random", *args])
    strength.main()
    return capsys.readouterr().out


def test_games_of_a_log_are_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """More games are added to them, those of another match are refused, and the shares are those of games in one go."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    log = tmp_path / "games.jsonl"
    for games in ("2", "4"):
        part = printed(monkeypatch, capsys, "--games", games, "--log", str(log))
    with pytest.raises(SystemExit, match="holds games of another match"):
        printed(monkeypatch, capsys, "--games", "1", "--seed", "9", "--log", str(log))
    assert len(log.read_text(encoding="utf-8").splitlines()) == 5
    whole = printed(monkeypatch, capsys, "--games", "4")
    assert part.splitlines()[0] == whole.splitlines()[0]
    monkeypatch.setattr("strength.between_bots", lambda *_: iter(()))
    assert printed(monkeypatch, capsys, "--games", "4", "--log", str(log)).splitlines()[0] == whole.splitlines()[0]


def test_a_log_of_other_rules_is_of_todays_if_its_games_end_as_they_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file names the rules of today then; a game that ends otherwise is named, and the file stays as it was."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    log = tmp_path / "games.jsonl"
    printed(monkeypatch, capsys, "--games", "4", "--log", str(log))
    played = log.read_text(encoding="utf-8")
    first, *games = played.splitlines()
    other = json.dumps(json.loads(first) | {"rules": "of yesterday"})
    log.write_text("\n".join([other, *games]) + "\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="holds games of another match"):
        printed(monkeypatch, capsys, "--log", str(log))
    said = printed(monkeypatch, capsys, "--log", str(log), "--again", "2")
    assert said == "2 of 4 games were played again, and ended as they did\n"
    assert log.read_text(encoding="utf-8") == played
    number, _, ending, decisions = json.loads(games[2])
    wrong = "\n".join([other, *games[:2], json.dumps([number, 0.25, ending, decisions]), games[3]]) + "\n"
    log.write_text(wrong, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"game 2 ended with \(0\.25, .* \(1 were alike\)"):
        printed(monkeypatch, capsys, "--log", str(log), "--again", "2")
    assert log.read_text(encoding="utf-8") == wrong
