"""Whatever is wrong with what the command line is given: status 1, one clear message with its place, no traceback."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from polis_cli.main import main
from support.sampling import sampled
from support.small_ruleset import STEPS, small, started

import polis_rules
from polis_rules.diagnostics.errors import RuleError, RulesetError
from polis_rules.play import transcript


class Outcome(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err


Polis = Callable[..., Outcome]


@pytest.fixture
def polis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Polis:
    """Runs the command line in this process and in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["polis", *map(str, arguments)])
        status: int | str | None = 0
        try:
            main()
        except SystemExit as leave:
            status = leave.code
        return Outcome(int(status or 0), *capsys.readouterr())

    return call


def change(folder: Path, file: str, old: str, new: str) -> Path:
    """Replace a part of one file."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


# what is done to the small ruleset, and what is said about it
BROKEN: dict[str, tuple[Callable[[Path], object], str, str | None]] = {
    "a missing file": (
        lambda folder: (folder / "play.yaml").unlink(), "small/ruleset.yaml:5:22: error[unreadable-file]", None,
    ),
    "malformed YAML": (
        lambda folder: change(folder, "play.yaml", "{title: Work,", "{title: Work"),
        "error[malformed-yaml]", None,
    ),
    "an unknown key": (
        lambda folder: change(folder, "things.yaml", "spendable: true, title", "spendabel: true, title"),
        "small/things.yaml:7:37: error[unknown-key]", "spendable",
    ),
    "an unknown section": (
        lambda folder: change(folder, "play.yaml", "endings:", "endngs:"), "error[unknown-section]", "endings",
    ),
    "a wrong type": (
        lambda folder: change(folder, "things.yaml", "worth: 2,", "size: large, worth: 2,"),
        "small/things.yaml:44:19: error[unfit-value]", None,
    ),
    "an unknown name in an expression": (
        lambda folder: change(folder, "play.yaml", "free: target.owner is none", "free: target.ownr is none"),
        "small/play.yaml:11:24: error[unknown-name]", "did you mean 'owner'?",
    ),
    "a path that leaves the folder": (
        lambda folder: change(folder, "ruleset.yaml", "play.yaml]", "../play.yaml]"),
        "small/ruleset.yaml:5:22: error[file-outside]", None,
    ),
    "an absolute path": (
        lambda folder: change(folder, "ruleset.yaml", "play.yaml]", "/etc/passwd]"), "error[file-outside]", None,
    ),
    "a link that leaves the folder": (
        lambda folder: (folder / "play.yaml").symlink_to((folder / "play.yaml").rename(folder.parent / "out.yaml")),
        "error[file-outside]", None,
    ),
    "bytes that are no text": (
        lambda folder: (folder / "play.yaml").write_bytes(b"phases:\n  \xff\xfe: 1\n"), "error[not-utf8]", None,
    ),
    "a NUL": (
        lambda folder: (folder / "play.yaml").write_bytes(b"phases:\n  a\0b: 1\n"), "error[forbidden-character]", None,
    ),
    "an unknown format": (
        lambda folder: change(folder, "ruleset.yaml", "format: 2", "format: 7"), "error[unsupported-format]", None,
    ),
    "another scenario's name": (
        lambda folder: change(folder, "ruleset.yaml", "scenario: standard", "scenario: standrd"),
        "error[unknown-scenario]", "standard",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("breaking", "message", "hint"), BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("command", ["validate", "run"])
def test_a_broken_ruleset_ends_with_a_message_and_writes_nothing(
    polis: Polis, tmp_path: Path, command: str, breaking: Callable[[Path], object], message: str, hint: str | None
) -> None:
    folder = small(tmp_path, STEPS)
    breaking(folder)
    before = sorted(path for path in tmp_path.rglob("*"))
    options = ["--seed", 1, "--transcript", tmp_path / "game.jsonl"] if command == "run" else []
    outcome = polis(command, folder, *options)
    assert outcome.status == 1
    assert message in outcome.said
    assert hint is None or hint in outcome.said
    assert "Traceback" not in outcome.said
    assert len(re.findall(r"error\[", outcome.said)) == 1
    assert sorted(path for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("command", [["validate"], ["run", "--seed", "1"]])
@pytest.mark.parametrize("name", ["yucatta", "no/such/folder", "", "a\nb", "x" * 5000])
def test_an_unknown_ruleset_ends_with_one_message(polis: Polis, command: list[str], name: str) -> None:
    outcome = polis(*command[:1], name, *command[1:])
    assert outcome.status == 1
    assert len(re.findall(r"error\[unknown-ruleset\]", outcome.said)) == 1
    assert "Traceback" not in outcome.said
    assert len(outcome.said.replace(name, "")) < 1000


def test_an_unknown_ruleset_is_told_the_nearest_name(polis: Polis) -> None:
    assert "'yucata'" in polis("validate", "yucatta").said


@pytest.mark.parametrize("option", [["--scenario", "standrd"], ["--variant", "nothing_like_it"]])
def test_an_unknown_scenario_or_variant_ends_with_one_message(polis: Polis, tmp_path: Path, option: list[str]) -> None:
    outcome = polis("run", small(tmp_path, STEPS), "--seed", 1, *option)
    assert outcome.status == 1
    assert len(re.findall(r"error\[unknown-(scenario|variant)\]", outcome.said)) == 1


def test_all_findings_come_in_one_run_in_a_fixed_order(polis: Polis, tmp_path: Path) -> None:
    folder = small(tmp_path, "- set: {rund: 1}\n- gain: {coin: 1}\n- do: take(nort, you)\n- frobnicate")
    first, second = polis("validate", folder), polis("validate", folder)
    assert first == second
    assert len(re.findall(r"error\[", first.said)) == 4


def test_a_rule_that_fails_ends_the_run_with_its_place_and_position(polis: Polis, tmp_path: Path) -> None:
    folder = small(tmp_path, STEPS + "\n- set: {round: round + 20}\n")
    outcome = polis("run", folder, "--seed", 1, "--transcript", tmp_path / "game.jsonl")
    assert outcome.status == 1
    assert "Traceback" not in outcome.said
    assert re.search(
        r"small/play\.yaml:41:7: round would be 20, outside of 0\.\.9 \(position [0-9a-f]{16}\)", outcome.err
    )
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("game")] == ["game.jsonl"]
    assert transcript.read(tmp_path / "game.jsonl").finished is False


def test_a_transcript_of_another_ruleset_is_refused(polis: Polis, tmp_path: Path) -> None:
    folder = small(tmp_path / "first", STEPS)
    assert polis("run", folder, "--seed", 1, "--transcript", tmp_path / "game.jsonl").status == 0
    other = small(tmp_path / "second", STEPS + "\n- gain: {coins: 1}\n")
    outcome = polis("replay", tmp_path / "game.jsonl", "--ruleset", other)
    assert outcome.status == 1
    assert "Traceback" not in outcome.said
    assert len(outcome.err.strip().split("\n")) <= 3
    assert "other" in outcome.err or "hash" in outcome.err
    assert polis("replay", tmp_path / "game.jsonl", "--ruleset", folder).status == 0


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe", b'{"format": 1}', b'{"format": 99}\n', b"null\n", b"\0" * 100]
)
def test_a_file_that_is_no_transcript_is_refused(polis: Polis, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    outcome = polis("replay", path)
    assert outcome.status == 1
    assert "game.jsonl" in outcome.err
    assert "Traceback" not in outcome.said


def test_a_transcript_with_a_move_that_is_not_allowed_is_told_with_its_line(polis: Polis, tmp_path: Path) -> None:
    folder = small(tmp_path, STEPS)
    path = tmp_path / "game.jsonl"
    assert polis("run", folder, "--seed", 1, "--transcript", path).status == 0
    lines = path.read_text().split("\n")
    lines[1] = '["decision", "red", "dance"]'
    path.write_text("\n".join(lines))
    outcome = polis("replay", path, "--ruleset", folder)
    assert outcome.status == 1
    assert "line 2" in outcome.said
    assert "Traceback" not in outcome.said


@pytest.mark.slow
def test_the_program_itself_ends_without_a_traceback(tmp_path: Path) -> None:
    folder = change(small(tmp_path, STEPS), "play.yaml", "target.owner is none", "target.ownr is none")
    root = Path(polis_rules.__file__).parents[1]
    places = os.pathsep.join([str(root), str(root / "dev"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", "from polis_cli.main import main; main()", "validate", str(folder)],
        env={**os.environ, "PYTHONPATH": places}, capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert "error[unknown-name]" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


NAMES = "north red wine round you coins owner region player none true it base target 0 1 -1 99 5..2 stop take"
SIGNS = "size[red] () [] {} and or not == is in if else any( first( possible( nth(region,5) limit held"
WORDS = [*NAMES.split(), *SIGNS.split()]
STEPS_OF_ALL_SORTS = """
- choose: target
  from: region
  where:
    free: target.owner is none
  do:
    - set: {target.owner: you}
  leaving: target.size > 0
  if_possible: true
- repeat:
    at_least: 1
    finish: Done
    do:
      - either:
          pay_up: {cost: {coins: 1}, do: [stop]}
          wait: {where: you.coins > 0}
      - roll: eyes
        dice: 2d6
- repeat:
    while: round < 3
    do: [count_round]
- each: p
  in: player
  where: p != you
  starting: you
  do:
    - as: p
      do:
        - draw: s
          from: season
          weight: order(s) + 1
        - if: you.seat is not none
          then:
            - set: {favourite: you.seat}
- move: min(1, you.pieces)
  from: you.pieces
  to: north.units[you]
- perform: work
- do: feast.now
"""


def mutated(text: str, dice: random.Random) -> str:
    """A text in which one word is another, missing or doubled."""
    match = dice.choice(list(re.finditer(r"[a-z_0-9]+|[-+*/<>=.()\[\]{}:,]+", text)))
    new = dice.choice([dice.choice(WORDS), dice.choice(WORDS), "", f"{match[0]} {dice.choice(WORDS)}"])
    return text[: match.start()] + new + text[match.end() :]


@pytest.mark.parametrize("seed", sampled(range(120), every=3, slow=2))
def test_a_ruleset_changed_at_random_plays_or_is_refused_with_places(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    folder = small(tmp_path, STEPS_OF_ALL_SORTS)
    for name in dice.sample(["things", "play", "play"], dice.choice([1, 1, 2])):
        path = folder / f"{name}.yaml"
        path.write_text(mutated(path.read_text(encoding="utf-8"), dice), encoding="utf-8")
    try:
        game = started(folder, seed)
        for _ in range(40):
            if game.decision is None:
                break
            game.apply(dice.choice(game.decision.options))
    except RulesetError as error:
        assert all(each.span is not None for each in error.diagnostics if each.code != "no-beginning")
    except RuleError as error:
        assert error.span is not None
        assert "cannot be worked out" not in error.message


def test_a_number_of_thousands_of_digits_is_wrong_at_its_place(polis: Polis, tmp_path: Path) -> None:
    shelf = Path(__file__).parent / "rulesets"
    home = Path(shutil.copytree(shelf / "harbours", tmp_path / "harbours"))
    things = home / "things.yaml"
    text = things.read_text("utf-8")
    things.write_text(text.replace("type: 0..3, default: 0", f"type: 0..3, default: {'9' * 5000}"), "utf-8")
    done = polis("validate", str(home))
    assert done.status == 1 and "harbours/things.yaml:13" in done.said
    assert "must be a whole number from 0 to 3" in done.said and "9" * 100 not in done.said


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ("changes: {player: {red: {fish: NUMBER}}}", "expected a difference such as 2 or -1"),
        ("scores: {red: {total: NUMBER}}", "expected a whole number"),
    ],
)
def test_so_is_one_in_a_case(polis: Polis, tmp_path: Path, expected: str, message: str) -> None:
    shelf = Path(__file__).parent / "rulesets"
    home = Path(shutil.copytree(shelf / "harbours", tmp_path / "harbours"))
    (home / "cases" / "large.yaml").write_text(f"cases:\n  large:\n    {expected}\n".replace("NUMBER", "9" * 5000))
    done = polis("test", str(home), "--case", "large")
    assert done.status == 1 and "harbours/cases/large.yaml:3" in done.said
    assert message in done.said
