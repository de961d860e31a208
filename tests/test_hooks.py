"""The hooks for other repositories and the page about them name commands, options and files that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from polis_cli.main import app
from ruamel.yaml import YAML
from support.command import commands
from typer.testing import CliRunner

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
HOOKS: list[dict[str, Any]] = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
BLOCKS = [YAML(typ="safe").load(text) for text in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)]

VARIANT = """\
variant: costly
title: Costly sieges
extends: yucata
cite: data, house rule
grade: reconstructed
why: A first siege should hurt.
change:
  actions.besiege_polis.cost.prestige: {was: 1, to: 2}
"""


def arguments_exist(line: list[str]) -> None:
    """The command is one of ours, and takes each option of the line."""
    program, command, *rest = line
    assert program == "polis"
    known = commands()[command]
    options = {option for parameter in known.params for option in parameter.opts}
    assert {each for each in rest if each.startswith("--")} <= options


def command_lines() -> list[str]:
    """What the page types: lines of shell, and the commands of its steps."""
    lines = [
        line for text in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) for line in text.splitlines()
    ]
    lines += re.findall(r"run: (polis .*)$", PAGE, re.MULTILINE) + re.findall(r"`(polis [^`]*)`", PAGE)
    return [line.partition(" > ")[0] for line in lines]


def test_the_hooks_are_those_of_the_page() -> None:
    """Two hooks, and the page's configuration uses both by their ids."""
    ids = [hook["id"] for hook in HOOKS]
    assert ids == ["polis-validate", "polis-format"]
    (config,) = [block for block in BLOCKS if "repos" in block]
    assert {hook["id"] for hook in config["repos"][0]["hooks"]} == set(ids)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_runs_a_command_that_exists(hook: dict[str, Any]) -> None:
    """Its entry is a command of the program that this package installs."""
    arguments_exist(shlex.split(hook["entry"]) + hook.get("args", []))
    assert hook["language"] == "python" and re.search(hook["files"], "rules/mine/actions.yaml")
    assert {"id", "name", "description", "entry", "language", "files"} <= set(hook)


@pytest.mark.parametrize("line", command_lines())
def test_a_line_of_the_page_can_be_typed(line: str) -> None:
    """Commands and options on the page exist."""
    arguments_exist(shlex.split(line))


def test_the_step_for_actions_uploads_what_the_check_writes() -> None:
    """The SARIF file of the one step is that of the other, which runs although the first has failed."""
    (workflow,) = [block for block in BLOCKS if "jobs" in block]
    steps = workflow["jobs"]["rules"]["steps"]
    upload = next(step for step in steps if "upload-sarif" in step.get("uses", ""))
    check = next(step for step in steps if "--format sarif" in step.get("run", ""))
    assert check["run"].endswith(f"> {upload['with']['sarif_file']}")
    assert upload["if"] == "always()" and workflow["permissions"]["security-events"] == "write"


@pytest.mark.slow
def test_a_variant_in_ones_own_repository_is_checked_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the page says: fine when it fits, and with file, line and column when it does not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "variants").mkdir()
    variant = tmp_path / "variants" / "costly.yaml"
    variant.write_text(VARIANT, "utf-8")
    line = ["validate", "yucata", "--variant", "variants/costly.yaml"]
    assert CliRunner().invoke(app, line).exit_code == 0
    assert CliRunner().invoke(app, ["format", "variants", "--check"]).exit_code == 0
    variant.write_text(VARIANT.replace("was: 1", "was: 3"), "utf-8")
    result = CliRunner().invoke(app, [*line, "--format", "sarif"])
    assert result.exit_code == 1
    assert '"uri": "variants/costly.yaml"' in result.stdout and '"was-differs"' in result.stdout
