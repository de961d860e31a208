"""How long do authors wait? CPU seconds of what they do most, beside another revision of this repository.

    python benchmarks/authors.py --base 6eaf2f2 --runs 3

The other revision is checked out into a temporary worktree. Both are measured in turns, so that a slow moment of the
machine hits both; each figure is the least of its runs. Linux only: what a server has used is read from /proc.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.editor import Editor  # noqa: E402  (tests are no package)

FIRST_LINE = "polis run yucata, to its first line"
FIRST_DECISION = "a bare program of yucata, to its first decision"
IMPORTS = "Python and the imports of that first decision alone"
COMMANDS = {
    "polis --help": ["--help"],
    "polis test yucata": ["test", "yucata"],
    "polis validate yucata": ["validate", "yucata"],
    FIRST_LINE: ["run", "yucata", "--seed", "7"],
    "polis soak yucata, 50 games": ["soak", "yucata", "--games", "50"],
}
POLIS = "from polis_cli.main import main; main()"
PROGRAM = """
from polis_rules import load
program = load("yucata").program()
state = program.new_state(seed=7)
while program.is_chance[state[0]]:
    program.apply(state, program.outcome(state))
program.options(state)
"""
IMPORTED = "from polis_rules import load; import polis_rules.interpreter.runtime"
COLD = ", from an empty cache"
FROM_NOTHING = ("polis test yucata", "polis validate yucata")
"""The commands that are measured from an empty cache too."""
EDITS = {
    "a keystroke in actions.yaml": ("yucata/actions.yaml", "{prestige: 1}", "{prestige: 2}"),
    "a keystroke in a file of cases": ("yucata/cases/sieges.yaml", "siege: 2", "siege: 3"),
}
RESTED = ", and all that is checked when nobody types any more"
EDITING = (*EDITS, *(f"{name}{RESTED}" for name in EDITS), "completion", "renaming a polis")
REST = 4
"""Seconds in which a server has checked everything."""
Figures = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what authors wait for.")
    parser.add_argument("--base", default="6eaf2f2", help="the revision to compare with (default 6eaf2f2)")
    parser.add_argument("--runs", type=int, default=3, help="how often each is measured (default 3)")
    parser.add_argument("--only", default="", help="measure only what has this in its name")
    arguments = parser.parse_args()
    with checked_out(arguments.base) as base:
        print(table(arguments.base, *in_turns([base, ROOT], arguments.runs, arguments.only)))


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """A worktree of another revision."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "base"
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "-q", "--detach", place, revision], check=True)
        try:
            yield place
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", place], check=True)


def in_turns(trees: list[Path], runs: int, only: str) -> list[Figures]:
    """The least CPU seconds of each action in each tree."""
    best: list[Figures] = [{} for _ in trees]
    with tempfile.TemporaryDirectory() as caches:
        for run in range(runs):
            for number, tree in enumerate(trees):
                print(f"run {run + 1} of {runs}: {tree}", file=sys.stderr)
                os.environ["POLIS_CACHE_DIR"] = f"{caches}/{number}"  # from the second run on it is warm
                for name, seconds in measured(tree, only).items():
                    best[number][name] = min(seconds, best[number].get(name, seconds))
    return best


def measured(tree: Path, only: str) -> Figures:
    figures = {name: command(tree, words, name == FIRST_LINE) for name, words in COMMANDS.items() if only in name}
    for name, code in ((FIRST_DECISION, PROGRAM), (IMPORTS, IMPORTED)):
        if only in name:
            figures[name] = command(tree, [], False, code=code)
    for name in FROM_NOTHING:
        if only in f"{name}{COLD}":
            with tempfile.TemporaryDirectory() as cache:
                figures[f"{name}{COLD}"] = command(tree, COMMANDS[name], False, cache)
    if any(only in name for name in EDITING):
        figures |= {name: seconds for name, seconds in editing(tree).items() if only in name}
    return figures


def command(tree: Path, words: list[str], first_line: bool, cache: str | None = None, code: str = POLIS) -> float:
    """What a command uses, until it ends or has printed a line; with a cache of its own where one is named."""
    run = [sys.executable, "-uc", code, *words]
    with subprocess.Popen(run, env=environment(tree, cache), cwd=tree, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        if first_line:
            process.stdout.readline()
            process.kill()
        for _ in process.stdout:
            pass
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return used.ru_utime + used.ru_stime


def environment(tree: Path, cache: str | None = None) -> dict[str, str]:
    place = {"POLIS_CACHE_DIR": cache} if cache else {}
    known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as installed
    return {**known, "PYTHONPATH": os.pathsep.join([str(tree), str(tree / "dev")]), **place}


def editing(tree: Path) -> Figures:
    """What the language server uses for a keystroke, a completion and a renaming, on a copy of the rulesets."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "rulesets"
        shutil.copytree(tree / "rulesets", root)
        editor = Editor(environment(tree), tree)
        editor.start(root)
        for name, (file, old, new) in EDITS.items():
            path = root / file
            text = path.read_text("utf-8")
            editor.open(path)
            editor.findings(path)
            time.sleep(REST)
            before = used(editor)
            editor.type(path, text.replace(old, new, 1))
            editor.findings(path)
            figures[name] = used(editor) - before
            time.sleep(REST)
            figures[f"{name}{RESTED}"] = used(editor) - before
        actions = root / "yucata" / "actions.yaml"
        before = used(editor)
        editor.at("completion", actions, actions.read_text("utf-8"), "besiege_po|lis:")
        figures["completion"] = used(editor) - before
        places = root / "yucata" / "poleis.yaml"
        text = places.read_text("utf-8")
        editor.open(places)
        editor.findings(places)
        time.sleep(REST)
        before = used(editor)
        editor.at("rename", places, text, "    theb|ai:", newName="thebes")
        figures["renaming a polis"] = used(editor) - before
        editor.stop()
    return figures


def used(editor: Editor) -> float:
    """The CPU seconds of a server so far."""
    fields = Path(f"/proc/{editor.server.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def table(base: str, before: Figures, now: Figures) -> str:
    rows = [f"| CPU seconds | {base} | now | ratio |", "| --- | --- | --- | --- |"]
    rows += [f"| {name} | {before[name]:.2f} | {now[name]:.2f} | {now[name] / before[name]:.2f} |" for name in now]
    return "\n".join(rows)


if __name__ == "__main__":
    main()
