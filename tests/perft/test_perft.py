"""The number of decision paths from every start is pinned, and a second engine counts the same."""

from __future__ import annotations

from functools import cache

import node_counts
import pytest
from polis_cli.main import app
from ruamel.yaml import YAML
from support.sampling import sampled
from typer.testing import CliRunner

import polis_rules
from polis_rules.verification.differential.reference_engine import ReferenceEngine
from polis_rules.verification.perft import divide, perft

PATHS = node_counts.rulesets()
PINNED: dict[str, dict[str, list[int]]] = YAML(typ="safe").load(node_counts.FILE.read_text("utf-8"))
SCENARIOS = [(name, scenario) for name, scenarios in PINNED.items() for scenario in scenarios]
AGAIN = "renew the counts with: python tests/perft/node_counts.py"


@pytest.mark.slow
def test_every_scenario_of_every_ruleset_is_counted() -> None:
    found = {name: set(polis_rules.load(path).scenarios) for name, path in PATHS.items()}
    assert {name: set(scenarios) for name, scenarios in PINNED.items()} == found, AGAIN


@pytest.mark.parametrize(("name", "scenario"), sampled(SCENARIOS, every=9, name="-".join, slow=2))
def test_from_the_start_there_are_as_many_decision_paths_as_pinned(name: str, scenario: str) -> None:
    counted = node_counts.counts(polis_rules.load(PATHS[name], scenario))
    assert counted == PINNED[name][scenario], f"if the rules have changed, {AGAIN}"


@pytest.mark.parametrize(("name", "scenario"), sampled(SCENARIOS, every=9, name="-".join, slow=2))
def test_the_reference_engine_counts_the_same_to_depth_2(name: str, scenario: str) -> None:
    game = ReferenceEngine(polis_rules.load(PATHS[name], scenario).rules())

    @cache
    def options(*chosen: int) -> tuple[int, ...]:
        """What can be decided after some decisions; nothing when the game is over."""
        game.restart(node_counts.SEED)
        ahead = list(chosen)
        while (question := game.question) is not None:
            if question.player >= 0 and question.options:
                if not ahead:
                    return question.options
                game.answer(ahead.pop(0))
            else:
                game.answer(question.answer)
        return ()

    first = options()
    assert [len(first), sum(len(options(option)) or 1 for option in first)] == PINNED[name][scenario][:2]


@pytest.mark.slow
def test_the_parts_add_up_to_the_whole() -> None:
    program = polis_rules.load("yucata").program()
    state = program.new_state(1)
    assert sum(count for _, count in divide(program, state, 3)) == perft(program, state, 3)


def test_the_command_prints_the_pinned_counts() -> None:
    ran = CliRunner().invoke(app, ["perft", "yucata", "--depth", "3", "--seed", str(node_counts.SEED)])
    expected = PINNED["yucata"][polis_rules.load("yucata").scenario]
    assert [int(line.split()[-1]) for line in ran.stdout.splitlines()] == expected[:3]
