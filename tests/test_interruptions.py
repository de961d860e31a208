"""What stops the command line from outside ends it without a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest
from polis_cli.main import app
from support.sampling import sampled
from typer.testing import CliRunner

DICE = Path(__file__).parent / "rulesets" / "dice_race"

INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a shell it is ignored

class Interrupts:
    left = int(sys.argv.pop(1))
    def find_spec(self, *_):
        self.left -= 1
        if not self.left:
            os.kill(os.getpid(), signal.SIGINT)

from polis_cli.start import main
sys.meta_path.insert(0, Interrupts())
main()
"""

SLOW = """
import os, signal
from polis_rules.verification.workers import in_processes

def work(number):
    if number == 0:
        signal.pause()
    if number == 20:
        os.kill(os.getppid(), signal.SIGINT)
    return number

signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    for each in in_processes(work, range(200), jobs=2, copies=True):
        print(each)
except KeyboardInterrupt:
    print("stopped")
"""

REPLAYED = """
import os, signal, subprocess, sys
from polis_cli.start import main

run = subprocess.run
ends_this = "import os, signal; os.kill(os.getppid(), signal.SIGTERM); signal.alarm(60); signal.pause()"
subprocess.run = lambda _, **more: run([sys.executable, "-c", ends_this], **more | {"stdout": None, "stderr": None})
main()
"""


@pytest.mark.parametrize("imports", sampled([1, 10, 40, 100, 200, 300, 360], every=3))
def test_ctrl_c_while_modules_are_imported_leaves_no_traceback(imports: int) -> None:
    """However early it comes, nothing is printed but what the command itself had to say."""
    command = [sys.executable, "-c", INTERRUPTED, str(imports), "run", "yucata", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode in (-signal.SIGINT, 130)


@pytest.mark.slow
def test_a_closed_standard_input_leaves_the_game() -> None:
    """A person whose input is closed has left, as at its end."""
    code = "import os, sys; os.close(0); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    polis = "from polis_cli.start import main; main()"
    command = [sys.executable, "-c", code, "-c", polis, "run", "yucata", "--seed", "7", "--seat", "athens=human"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "You left the game after " in done.stderr


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["soak", DICE, "--games", 25], "10 games, "),
        (["coverage", DICE, "--games", 3], "dice_race: 1 game, "),
        (["mutate", DICE, "--jobs", 1, "--games", 1, "--sample", 3], "1 change, "),
        (["differential", DICE, "--games", 25], "10 games, "),
        (["tune", DICE, "--games", 25], "1 game to learn from, 1 in all; stopped before the end"),
    ],
)
def test_ctrl_c_ends_long_work_with_what_was_found_and_status_130(
    command: list[object], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever plays many games says what it has found so far, and that it was stopped."""

    @contextmanager
    def stopped(total: int, what: str) -> Iterator[Callable[[int], None]]:
        def done(number: int) -> None:
            raise KeyboardInterrupt

        yield done

    monkeypatch.setattr(f"polis_cli.{command[0]}.progress", stopped)
    done = CliRunner().invoke(app, [str(each) for each in command])
    assert done.exit_code == 130
    assert told in done.output


def test_ctrl_c_before_anything_is_known_says_that_the_command_was_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As while `compare` has native code made."""

    def stopped() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("polis_cli.main.main", stopped)
    with pytest.raises(SystemExit) as status:
        import_module("polis_cli.start").main()
    assert (status.value.code, capsys.readouterr().err) == (130, "stopped\n")


@pytest.mark.parametrize("ctrl_c", [signal.default_int_handler, signal.SIG_IGN], ids=["heard", "ignored"])
def test_sigterm_ends_a_command_as_ctrl_c_does(
    ctrl_c: Callable[..., object] | signal.Handlers,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """So a screen is put away and files are closed; also in the background of a shell, where Ctrl-C is ignored."""
    monkeypatch.setattr("polis_cli.main.main", lambda: signal.raise_signal(signal.SIGTERM))
    before = signal.signal(signal.SIGINT, ctrl_c)
    try:
        with pytest.raises(SystemExit) as status:
            import_module("polis_cli.start").main()
    finally:
        signal.signal(signal.SIGINT, before)
    assert (status.value.code, capsys.readouterr().err) == (130, "stopped\n")


def test_sigterm_leaves_no_process_that_replays_games() -> None:
    """It would hold standard output open, which is waited for here."""
    command = [sys.executable, "-c", REPLAYED, "soak", str(DICE), "--games", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
    assert (done.returncode, "stopped before the end" in done.stdout) == (130, True)


@pytest.mark.parametrize("command", ["soak", "coverage", "mutate", "differential"])
def test_work_that_is_stopped_before_anything_was_done_does_not_say_that_all_is_well(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no game was played, nothing holds and nothing is the same."""

    def stopped(*_: object, **more: object) -> None:
        raise KeyboardInterrupt

    file = {"mutate": "mutation.mutation", "differential": "differential.compare"}.get(command, f"{command}.{command}")
    module = import_module(f"polis_rules.verification.{file}")
    if command == "coverage":
        monkeypatch.setattr(module.CoverageCounter, "play", stopped)
    else:
        monkeypatch.setattr(module, "in_processes", stopped)
    sample = ["--sample", "3", "--games", "1"] if command == "mutate" else ["--games", "3"]
    done = CliRunner().invoke(app, [command, str(DICE), *sample])
    assert done.exit_code == 130
    assert ("no change was tried" if command == "mutate" else "nothing was played") in done.output
    assert not any(word in done.output for word in (" hold", "no difference", "unmet", "score"))


def test_what_other_processes_have_finished_counts_when_work_is_stopped() -> None:
    """A task that takes long keeps nobody from hearing of the others."""
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=True, timeout=60)
    *numbers, last = done.stdout.split()
    assert last == "stopped"
    assert {str(number) for number in range(1, 20)} <= set(numbers) and "0" not in numbers
