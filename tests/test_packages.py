"""What may import what: the contracts of pyproject.toml, and that nobody goes into a package but by its `__init__`."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from importlinter import cli

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted([*(ROOT / "polis_rules").rglob("*.py"), *(ROOT / "cli").glob("*.py")])


def package(module: str) -> tuple[str, ...]:
    """The package of which a module is a private part: one of those in `polis_rules` or in its interpreter."""
    parts = tuple(module.split("."))
    return parts[: 3 if parts[1:2] == ("interpreter",) else 2]


def imported(file: Path) -> Iterator[str]:
    """The modules that a file names; `from package import module` counts as the package."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def test_what_a_package_exports_when_it_is_asked_for_is_called_as_no_file_of_it() -> None:
    """Else it would be that file, where another of its names is asked for first."""
    alike = [
        (path, file, name)
        for path in (ROOT / "polis_rules").rglob("__init__.pyi")
        for file, names in re.findall(r"^from \.(\w+) import (\([^)]*\)|.*)", path.read_text("utf-8"), re.MULTILINE)
        for name in re.findall(r" as (\w+)", names)
        if (path.parent / f"{name}.py").exists() or file == name
    ]
    assert alike == []


def test_imports_keep_the_contracts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """No package imports one above it, and none has a circle of imports (`lint-imports` says the same)."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(cli, "_configure_logging", lambda _: None)  # it would silence all other loggers for good
    assert cli.lint_imports(no_cache=True) == 0, capsys.readouterr().out


def test_no_function_is_too_complex() -> None:
    """How many ways may lead through a function stands in pyproject.toml."""
    found = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--select", "C901", "--no-cache", "polis_rules", "cli"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
def test_outsiders_import_packages_and_none_of_their_files() -> None:
    """A file of a package is imported by that package alone; what others may use is in its `__init__`."""
    wrong = []
    for file in FILES:
        own = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for name in imported(file):
            private = name.count(".") > 1 and (ROOT / name.replace(".", "/")).with_suffix(".py").is_file()
            if private and package(name) != package(own):
                wrong.append(f"{own}: {name}")
    assert wrong == []


@pytest.mark.slow  # builds the package, which takes some seconds
def test_the_wheel_holds_every_file_that_is_read_when_polis_runs(tmp_path: Path) -> None:
    """What is no module is easily forgotten: style sheets, schemas, rulesets, the page of findings, C sources."""
    pytest.importorskip("hatchling")
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(ZipFile(wheel).namelist())
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    places = {"polis_rules/": "polis_rules/", "cli/": "polis_cli/", "rulesets/": "polis_rules/rulesets/"}
    wanted = {
        new + file.removeprefix(old)
        for file in listed.split("\0")
        for old, new in places.items()
        if file.startswith(old)
    }
    assert {"polis_cli/screen/screen.tcss", "polis_rules/rulesets/yucata/board.yaml"} <= wanted
    assert wanted | {"polis_rules/docs/errors.md"} <= held
