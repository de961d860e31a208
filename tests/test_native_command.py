"""`--native`: commands make native code where it pays, and say in one line why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from polis_cli import native as option
from support.command import Polis, command

from polis_rules import load
from polis_rules.interpreter.compiler.native import lowering
from polis_rules.interpreter.runtime.native import NativeMissingError, wasm_engine
from polis_rules.ruleset import Ruleset
from polis_rules.verification.coverage import coverage

RULESETS = Path(__file__).parent / "rulesets"
GAME = str(RULESETS / "dice_race")
COMMANDS = {
    "soak": ("soak", GAME, "--games", "2"),
    "coverage": ("coverage", GAME, "--games", "2"),
    "perft": ("perft", GAME, "--depth", "2"),
    "differential": ("differential", GAME, "--games", "2"),
    "validate": ("validate", GAME, "--full"),
}


@pytest.fixture
def polis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Polis:
    """Runs the command line."""
    return command(monkeypatch, capsys)


@pytest.fixture
def none_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither wasmtime nor a compiler."""

    def missing() -> str:
        raise NativeMissingError("wasmtime cannot be imported", wasm_engine.INSTALL)

    monkeypatch.setattr(wasm_engine, "runtime", missing)
    monkeypatch.setenv("CC", "/no/such/compiler")


@pytest.mark.usefixtures("none_there")
@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_named_and_cannot_be_had_is_an_error_that_says_what_to_install(name: str, polis: Polis) -> None:
    for kind, install in (("wasm", "pip install 'polis-rules[native]'"), ("c", "install gcc or clang")):
        status, out, err = polis(*COMMANDS[name], "--native", kind)
        assert (status, out) == (1, "")
        (told,) = (line for line in err.splitlines() if not line.startswith("Using"))
        assert told.startswith("Error: ")
        assert install in told


@pytest.mark.usefixtures("none_there")
def test_python_plays_on_and_one_line_says_why(polis: Polis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(option, "WORTH_IT", {"wasm": 1, "c": 1})
    for name in ("differential", "perft"):
        _, out, err = polis(*COMMANDS[name])
        assert out
        (told,) = (line for line in err.splitlines() if not line.startswith("Using"))
        assert told.startswith("played in Python: ")
        assert "polis-rules[native]" in told
        assert "CC" in told


def test_native_code_is_made_where_it_pays(polis: Polis, monkeypatch: pytest.MonkeyPatch) -> None:
    """From so many random games of a scenario on, or paths; games are compared in any case."""
    wanted: list[object] = []

    def noted(*args: object) -> None:
        wanted.extend(args)
        raise NativeMissingError("nothing is made here", "it is only noted")

    monkeypatch.setattr(Ruleset, "_open", noted)
    monkeypatch.setattr(coverage, "opened", noted)
    monkeypatch.setattr(option, "WORTH_IT", {"wasm": 5, "c": 5})
    for arguments, pays in (
        (("soak", GAME, "--games", "4"), False),
        (("soak", GAME, "--games", "5"), True),
        (("coverage", GAME, "--games", "5"), False),
        (("coverage", GAME, "--games", "5", "--bot", "random"), True),
        (("perft", GAME, "--depth", "1"), False),
        (("perft", GAME, "--depth", "6"), True),
        (("differential", GAME, "--games", "1"), True),
    ):
        wanted.clear()
        polis(*arguments)
        assert ("auto" in wanted) is pays, arguments


def test_sets_of_too_many_words_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowering, "MOST_WORDS", 1)
    ruleset = load(RULESETS / "hex", settings={"size": 9})
    program = ruleset.program(native="auto")
    assert program.native is None
    assert "sets of more than 64 members" in program.native_reason
    assert len(list(program.playouts(0, 2))) == 2
    with pytest.raises(NativeMissingError, match="`auto` plays in Python then"):
        ruleset.program(native="c")
