"""Count the decision paths from the start of every scenario of the shipped and the test rulesets, to depth 1 to 4.

python tests/perft/node_counts.py writes the counts to tests/perft/counts.yaml, where test_perft.py looks for them.
Do that after a change of rules, and see in the difference whether only those scenarios change that should.
"""

from __future__ import annotations

from pathlib import Path

import polis_rules
from polis_rules.composition.catalog import shipped
from polis_rules.ruleset import Ruleset
from polis_rules.verification.perft import perft

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
FILE = HERE / "counts.yaml"
SEED = 1
DEPTHS = range(1, 5)

ABOUT = f"""\
# How many decision paths lead from the start of each scenario to depth {DEPTHS[0]} to {DEPTHS[-1]}, chance as seed {SEED} gives it.
# Renewed by: python tests/perft/node_counts.py
"""  # noqa: E501


def rulesets() -> dict[str, str]:
    """The name and the name or folder of every ruleset that is counted."""
    folders = [*TESTS.glob("rulesets/*"), *TESTS.parent.glob("benchmarks/rulesets/*")]
    found = {each.name: each.name for each in shipped()}
    return found | {path.name: str(path) for path in sorted(folders) if (path / "ruleset.yaml").is_file()}


def counts(ruleset: Ruleset) -> list[int]:
    """The counts of one scenario."""
    program = ruleset.program()
    state = program.new_state(SEED)
    return [perft(program, state, depth) for depth in DEPTHS]


def main() -> None:
    """Write the file anew."""
    text = ABOUT
    for name, path in rulesets().items():
        text += f"{name}:\n"
        for scenario in polis_rules.load(path).scenarios:
            text += f"  {scenario}: {counts(polis_rules.load(path, scenario))}\n"
    FILE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
