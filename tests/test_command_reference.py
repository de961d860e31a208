"""The command reference says what the commands' help says."""

from __future__ import annotations

import pytest
from polis_cli.main import GROUPS, first_sentence
from support.command import commands
from support.command_reference import PAGE, reference


@pytest.mark.slow
def test_the_reference_is_what_the_commands_say() -> None:
    """docs/commands.md is what `python tests/support/command_reference.py` writes."""
    assert PAGE.read_text("utf-8") == reference()


def test_each_command_stands_in_one_group() -> None:
    """`polis --help` lists every command once."""
    names = [name for group in GROUPS.values() for name in group]
    assert sorted(names) == sorted(commands())


@pytest.mark.parametrize("name", [name for group in GROUPS.values() for name in group])
def test_the_first_sentence_of_a_command_is_short(name: str) -> None:
    """What a command does is said in under 60 characters, so that the list of commands can be read at a glance."""
    first = commands()[name].help.split("\n")[0]
    assert 0 < len(first) < 60
    assert first == first_sentence(name)
