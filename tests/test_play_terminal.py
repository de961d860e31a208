"""The screen in a real terminal: a game is begun, played by keys, left, and kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from operator import ne
from pathlib import Path
from time import monotonic, sleep

import pytest
from polis_cli.main import app
from typer.testing import CliRunner

from polis_rules.play import saved_games

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 120


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
def test_a_game_is_played_by_keys_in_a_terminal(tmp_path: Path) -> None:
    def tmux(*words: str) -> str:
        made = subprocess.run(
            ["tmux", "-S", str(tmp_path / "socket"), *words], cwd=ROOT, capture_output=True, text=True, check=False,
            env=os.environ | {"POLIS_GAMES_DIR": str(tmp_path / "games")},
        )  # fmt: skip
        return made.stdout

    def until(holds: Callable[[str], bool]) -> str:
        """Wait for what is to be seen; a slow machine has the time it needs."""
        end = monotonic() + PATIENCE
        while not holds(shown := tmux("capture-pane", "-p")):
            assert monotonic() < end, shown
            sleep(0.05)
        return shown

    command = f"{sys.executable} -m cli play tests/rulesets/othello --seed 1 --seat white=random; echo left; sleep 99"
    tmux("new-session", "-d", "-x", "100", "-y", "30", command)
    try:
        shown = until(lambda now: "Where do you put a disc?" in now)
        while "Ctrl+Q leaves" not in shown:
            tmux("send-keys", "Down", "Enter")
            shown = until(partial(ne, shown))
        assert "Winner" in shown or "Nobody wins" in shown
        tmux("send-keys", "C-q")
        until(lambda now: "left" in now.split())
    finally:
        tmux("kill-server")
    [saved] = saved_games(tmp_path / "games")
    assert saved.transcript.finished


def test_without_textual_a_game_is_played_line_by_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who has installed nothing but polis itself plays at once, and reads what the screen needs."""
    monkeypatch.setenv("POLIS_GAMES_DIR", str(tmp_path))
    for name in [name for name in sys.modules if name.startswith(("textual", "polis_cli.screen"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "textual", None)  # which is how Python marks what cannot be imported
    monkeypatch.setattr("polis_cli.played.can_draw", lambda: True)
    ruleset = str(ROOT / "tests" / "rulesets" / "othello")
    result = CliRunner().invoke(app, ["play", ruleset, "--seed", "1", "--seat", "white=random"], input="1\nquit\n")
    assert result.exit_code == 0, result.output
    assert "the screen needs Textual" in result.stderr and "polis-rules[play]" in result.stderr
    assert "Where do you put a disc?" in result.stdout
    assert len(saved_games(tmp_path)) == 1
