"""The command line explains every command and option, and loads no more than it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from polis_cli.main import app
from support.command import Polis, command, commands
from support.small_ruleset import small


@pytest.fixture
def polis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Polis:
    """Runs the command line."""
    return command(monkeypatch, capsys)


ALL = {"polis": typer.main.get_command(app)} | commands()


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_help_with_an_example(name: str) -> None:
    help = ALL[name].help
    assert help, f"{name} has no help"
    assert "Example" in help, f"the help of {name} has no example"
    assert f"polis {'' if name == 'polis' else name}" in help


@pytest.mark.parametrize("name", ALL)
def test_every_option_and_argument_has_help_with_an_example(name: str) -> None:
    completion = {"install_completion", "show_completion", "help"}
    for parameter in ALL[name].params:
        if parameter.name not in completion:
            help = getattr(parameter, "help", None)
            assert help, f"{name} {parameter.name} has no help"
            assert "Example: " in help, f"the help of {name} {parameter.name} has no example"


def test_help_imports_nothing_heavy() -> None:
    heavy = ("pydantic", "networkx", "jsonschema", "ruamel.yaml", "polis_rules", "rich", "importlib.metadata")
    code = (
        "import sys\nimport polis_cli.main\nsys.argv = ['polis', '--help']\n"
        "try:\n    polis_cli.main.main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    paths = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=paths, check=True)
    assert done.stderr.strip() == "[]"
    assert "Author:" in done.stdout


@pytest.mark.slow
def test_a_warm_game_imports_nothing_heavy(tmp_path: Path) -> None:
    """What only checks and compiles rules is not loaded to play a game of rules that were compiled before."""
    heavy = ("pydantic", "networkx", "jsonschema", "ruamel", "pygls", "polis_rules.interpreter.compiler")
    folder = small(tmp_path / "small")
    code = (
        f"import sys\nimport polis_cli.main\nsys.argv = ['polis', 'run', {str(folder)!r}, '--seed', '7']\n"
        "try:\n    polis_cli.main.main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    environment = {"PYTHONPATH": ":".join(sys.path), "POLIS_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert "Seed 7." in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_first_line_of_a_game_waits_for_no_game() -> None:
    """Neither the command nor its seats import what plays."""
    heavy = ("polis_rules.interpreter.game", "polis_rules.semantics.ir")
    code = f"import sys, polis_cli.run; print([name for name in {heavy!r} if name in sys.modules])"
    paths = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=paths, check=True)
    assert done.stdout.strip() == "[]"


def test_without_its_package_the_language_server_says_what_to_install(
    polis: Polis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, no traceback; its help is printed all the same."""
    for name in [name for name in sys.modules if name.startswith(("polis_rules.language_server", "polis_cli.lsp"))]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("pygls", "lsprotocol"):
        monkeypatch.setitem(sys.modules, name, None)  # which is how Python marks what cannot be imported
    assert polis("lsp", "--help").status == 0
    done = polis("lsp")
    needed = 'Error: the language server needs one more package: pip install "polis-rules[lsp]"\n'
    assert (done.status, done.err) == (1, needed)


def test_without_its_package_the_studio_says_what_to_install() -> None:
    code = (
        "import sys\nsys.modules |= dict.fromkeys(('nicegui', 'fastapi', 'uvicorn'))\n"
        "import polis_cli.main\nsys.argv = ['polis', 'studio', 'yucata', '--no-browser']\npolis_cli.main.main()"
    )
    paths = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=paths, check=False)
    assert done.returncode == 2
    assert 'the studio needs the extra `studio`: pip install "polis-rules[studio]"' in done.stderr


def test_the_version_is_printed(polis: Polis) -> None:
    done = polis("--version")
    assert done.status == 0
    assert done.out.startswith("polis ")


@pytest.mark.parametrize("arguments", [["nonsense"], ["run"], ["replay"], ["validate"], ["list", "--nonsense"]])
def test_wrong_usage_has_status_2(polis: Polis, arguments: list[str]) -> None:
    done = polis(*arguments)
    assert done.status == 2
    assert "Usage" in done.err
