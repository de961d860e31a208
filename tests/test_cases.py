"""Rule cases: all those that are shipped pass, and the runner says what is wrong with a case or a rule."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from polis_cli.main import main
from support.sampling import sampled
from support.shipping import shipped
from support.small_cases import FAILING, FILES, SOUND, UNSOUND, file_name, small
from support.small_ruleset import lay

from polis_rules.cases.reading import Case, read_cases
from polis_rules.cases.runner import Runner, run_cases
from polis_rules.cases.running import wanted
from polis_rules.cases.telling import CaseFailed, CaseResult
from polis_rules.composition.catalog import find
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.interpreter.game.decision import Decision, Option
from polis_rules.validation import validate

FILES_OF = {each.name: sorted(path.name for path in (find(each.name) / "cases").glob("*.yaml")) for each in shipped()}
"""The files of cases beside each ruleset."""

SHIPPED = [(ruleset, file) for ruleset in FILES_OF for file in dict.fromkeys(chain(*FILES_OF.values()))]
"""Each file with each ruleset, as cases are inherited too."""


@cache
def runner(ruleset: str) -> Runner:
    return Runner(ruleset)


@cache
def cases_by_file(ruleset: str) -> dict[str, list[Case]]:
    by_file: dict[str, list[Case]] = {}
    for case in read_cases(ruleset):
        by_file.setdefault(case.path.name, []).append(case)
    return by_file


@pytest.mark.parametrize(("ruleset", "file"), sampled(SHIPPED, every=10, name="-".join))
def test_a_shipped_rule_does_what_its_cases_say(ruleset: str, file: str) -> None:
    """Every case of every shipped ruleset passes."""
    results = [runner(ruleset).run(case) for case in cases_by_file(ruleset).get(file, [])]
    failed = [str(result) for result in results if not result.passed]
    if failed:
        pytest.fail("\n\n".join(failed), pytrace=False)


# -- the runner, on a small game -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CaseResult]:
    """Everything above in one run: each text of a case in a file of its own, by the name of that file."""
    files = {"sound": SOUND}
    for what, (text, *_) in (FAILING | UNSOUND).items():
        files[file_name(what)] = f"cases:\n  it: {text}\n"
    files |= {f"file_{file_name(what)}": text for what, (text, _) in FILES.items()}
    ran = run_cases(small(tmp_path_factory.mktemp("cases"), files))
    by_name = {result.case.path.stem: result for result in reversed(ran) if result.case.path.stem != "sound"}
    return by_name | {result.case.id: result for result in ran if result.case.path.stem == "sound"}


@pytest.mark.parametrize("id", re.findall(r"(?m)^  (\w+):$", SOUND))
def test_a_true_case_passes(results: dict[str, CaseResult], id: str) -> None:
    """Each key of a case can be fulfilled."""
    assert results[id].passed, str(results[id])


@pytest.mark.parametrize("what", FAILING)
def test_a_false_case_fails_in_game_words(results: dict[str, CaseResult], what: str) -> None:
    """A case whose rule does something else fails, and every difference is said."""
    result = results[file_name(what)]
    assert [
        re.sub("(?m)^(  refused: .*?) \\(.*$", r"\1", re.sub(r"yaml:\d+", "yaml", each)) for each in result.failures
    ] == FAILING[what][1]


@pytest.mark.parametrize("what", UNSOUND)
def test_a_case_with_a_wrong_name_is_not_run(results: dict[str, CaseResult], what: str) -> None:
    """What means nothing is reported with its place in the file and the nearest name."""
    _, message, hint = UNSOUND[what]
    result = results[file_name(what)]
    assert message in str(result) and not result.report
    assert hint is None or hint in str(result).partition("hint: ")[2]
    if what not in ("an unknown variant", "an unknown scenario"):
        assert f"dice_race/cases/{file_name(what)}.yaml:2:" in result.failures[0]


@pytest.mark.parametrize("what", FILES)
def test_a_file_that_cannot_be_read_is_a_failure(results: dict[str, CaseResult], what: str) -> None:
    """A broken file of cases fails by itself and leaves the other files alone."""
    result = results[f"file_{file_name(what)}"]
    assert FILES[what][1] in str(result)


def test_a_refusal_gives_the_values_and_the_place_of_the_rule(results: dict[str, CaseResult]) -> None:
    """What is refused is told with what decides about it."""
    (failure,) = results["an_option_that_is_not_offered"].failures
    assert re.search(r"refused: short of breath \(.*breath is 5\) \[dice_race/play\.yaml:\d+\]", failure)


def test_what_the_runner_decides_by_itself_is_noted(results: dict[str, CaseResult]) -> None:
    """A forced decision that a case leaves out stands in the notes; one that it writes does not."""
    note = "left no choice, so taken by itself: Red, 'Which card goes back?' - Long stride"
    assert results["a_forced_decision_may_be_left_out"].notes == (note,)
    assert results["a_forced_decision_may_be_written"].notes == ()


def test_a_title_of_two_options_is_not_clear() -> None:
    """An option is known by its id first; a title that two have is refused."""
    options = tuple(Option(id, title, "", None, 0) for id, title in (("a", "b"), ("b", "Same"), ("c", "Same")))
    decision = Decision("red", "Red", "Which?", "phases.game", options)
    assert wanted(decision, "red", "b") == options[1]
    with pytest.raises(CaseFailed, match="several options are called same: b, c"):
        wanted(decision, "red", "same")


def test_a_case_knows_its_place_title_and_source(results: dict[str, CaseResult]) -> None:
    """The title is made of the id where none is written."""
    case = results["a_value_and_a_change"].case
    assert (case.key, str(case.span)) == (
        "dice_race/cases/sound.yaml::a_value_and_a_change",
        "dice_race/cases/sound.yaml:3:3",
    )
    assert (case.title, case.cite) == ("Sprinting costs breath", "own, sprint")
    assert results["a_draw_by_title"].case.title == "A draw by title"


def test_a_passed_case_tells_its_game(results: dict[str, CaseResult]) -> None:
    """The report of a result is that of the game."""
    assert "Blue: What do you do - Sprint (1 breath)" in results["a_value_and_a_change"].report


def test_running_twice_gives_the_same(tmp_path: Path) -> None:
    """Chance that a case leaves open comes out alike every time."""
    game = small(tmp_path, {"sound": SOUND})
    first, second = run_cases(game), run_cases(game)
    assert [(each.failures, each.report) for each in first] == [(each.failures, each.report) for each in second]


def test_a_pattern_picks_cases(results: dict[str, CaseResult]) -> None:
    """A part of the key or title picks a case; with * or ? the whole id or key must fit."""
    case = results["a_value_and_a_change"].case
    assert all(map(case.matches, ["value_and", "Sprinting", "sound.yaml::", "a_value*", "*/sound.yaml::*"]))
    assert not any(map(case.matches, ["walking", "value*", "a_value?"]))


def test_a_variant_that_the_case_and_the_call_name_is_taken_once(tmp_path: Path) -> None:
    """They may spell its path in other ways."""
    game = small(
        tmp_path,
        {"it": "cases:\n  it: {variants: [../costly.yaml], given: {player: {red: {breath: 2}}}, offers: sprint}\n"},
    )
    (result,) = run_cases(game, variants=[game / "costly.yaml"])
    assert not result.findings and "chosen twice" not in str(result)


def test_an_option_that_there_is_not_is_answered_with_ids_or_how_numbers_are_listed(tmp_path: Path) -> None:
    rules = small(tmp_path, {"it": "cases:\n  it: {offers: zzz}\n  range: {offers: 0..3}\n"})
    unknown, range_ = (result.findings[0].advice or "" for result in run_cases(rules))
    assert unknown.startswith("known: ") and ", ," not in unknown and ": ," not in unknown and "sprint" in unknown
    assert range_ == "list the numbers: [0, 1, 2]"


def test_a_variant_can_be_laid_over_every_case(tmp_path: Path) -> None:
    """The variants and the scenario of the call hold for cases that say nothing else."""
    text = "cases:\n  it: {given: {player: {red: {breath: 1}}}, offers: sprint, then: {lap: 1}}\n"
    game = small(tmp_path, {"it": text})
    assert run_cases(game)[0].passed
    changed = run_cases(game, scenario="late", variants=[game / "costly.yaml"])[0]
    assert [each.split("\n")[0] for each in changed.failures] == [
        "lap: expected 1, is 19 [line 2]",
        "sprint should be offered, and is not: Red decides 'What do you do?' [line 2]",
    ]


def test_inherited_cases_run_on_request(tmp_path: Path) -> None:
    """A ruleset that extends another runs the other's cases, by its own rules, when asked to."""
    small(tmp_path, {"old": "cases:\n  old: {offers: sprint, given: {player: {red: {breath: 1}}}}\n"})
    game = tmp_path / "second_race"
    (game / "cases").mkdir(parents=True)
    manifest = "format: 2\nruleset: second_race\ntitle: Second\nextends: dice_race\nfiles: []\n"
    change = "change:\n  terms.sprint_cost.is: {was: 1, to: 2}\n"
    (game / "ruleset.yaml").write_text(manifest + change, encoding="utf-8")
    (game / "cases" / "new.yaml").write_text("cases:\n  new: {decides: red}\n", encoding="utf-8")
    assert [(each.case.id, each.passed) for each in run_cases(game)] == [("new", True)]
    assert [(each.case.id, each.passed) for each in run_cases(game, inherited=True)] == [("old", False), ("new", True)]


BASE_CASES = """
cases:
  a_stride: {do: [red: walk], rolled: {actions.walk: 3}, then: {player: {red: {position: 3}}}}
  a_dash: {do: [red: dash], drawn: {pile: mud}, then: {player: {grey: {breath: 9}, red: {breath: 1}}}}
  a_card: {drawn: {pile: mud}, then: {player: {red: {breath: 3}}}}
  no_card: {then: {player: {red: {breath: 5}, blue: {breath: 3}}}}
  old: {offers: sprint, given: {player: {red: {breath: 1}}}}
  old_too: {offers: sprint, given: {player: {red: {breath: 1}}}}
"""
INHERITED = """
inherited:
  words: {dash: sprint}
  absent: grey
  undrawn:
    pile: {player: {red: {breath: 5}}}
  leaves_out:
    "*_too": sprinting costs two
    old: sprinting costs two
"""


def second(folder: Path, inherited: str) -> Path:
    """A ruleset that extends the small game and says how the cases of that are read."""
    small(folder, {"base": BASE_CASES})
    game = folder / "second_race"
    (game / "cases").mkdir(parents=True)
    manifest = "format: 2\nruleset: second_race\ntitle: Second\nextends: dice_race\nfiles: []\n"
    change = "change:\n  terms.sprint_cost.is: {was: 1, to: 2}\n"
    (game / "ruleset.yaml").write_text(manifest + change, encoding="utf-8")
    (game / "cases" / "inherited.yaml").write_text(inherited, encoding="utf-8")
    own = "cases:\n  a_stride: {decides: red}\n"
    (game / "cases" / "own.yaml").write_text(own, encoding="utf-8")
    return game


def test_inherited_cases_are_read_in_other_words(tmp_path: Path) -> None:
    """Words are replaced, what is absent falls away, some are left out, and a case of its own comes first."""
    ran = run_cases(second(tmp_path, INHERITED))
    assert [(each.case.file, each.case.id) for each in ran] == [
        ("dice_race/cases/base.yaml", "a_dash"),
        ("dice_race/cases/base.yaml", "a_card"),
        ("dice_race/cases/base.yaml", "no_card"),
        ("second_race/cases/own.yaml", "a_stride"),
    ]
    assert [str(each) for each in ran if not each.passed] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("inherited: {leaves_out: {a_cart: gone}}\n", "no inherited case is called 'a_cart'"),
        ("inherited: {leavs_out: {}}\n", "did you mean 'leaves_out'?"),
        ("cases: {}\n", "'second_race/cases/inherited.yaml' has no key 'cases'"),
        ("inherited: walk\n", "'inherited' must be a mapping"),
    ],
)
def test_what_is_said_about_inherited_cases_must_mean_something(tmp_path: Path, text: str, message: str) -> None:
    """A name that leaves nothing out, or a key that is none, is a failure of its own."""
    failed = [str(each) for each in run_cases(second(tmp_path, text)) if each.case.path.name == "inherited.yaml"]
    assert len(failed) == 1
    assert message in failed[0]


def test_a_ruleset_that_cannot_be_used_is_no_failed_case(tmp_path: Path) -> None:
    """Where the rules themselves are wrong, every case would fail: that is said once."""
    game = small(tmp_path, {"it": "cases:\n  it: {decides: red}\n"})
    (game / "play.yaml").write_text("terms: {}\n", encoding="utf-8")
    with pytest.raises(RulesetError):
        run_cases(game)


# -- the command ---------------------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


Polis = Callable[..., Outcome]


@pytest.fixture
def polis_test(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Polis:
    """Runs `polis test` in this process."""

    def call(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["polis", "test", *map(str, arguments)])
        try:
            main()
            status: Any = 0
        except SystemExit as leave:
            status = leave.code or 0
        return Outcome(int(status), *capsys.readouterr())

    return call


TWO = "cases:\n  good: {decides: red}\n  bad: {decides: blue}\n"


def test_the_command_says_what_failed_and_counts(polis_test: Polis, tmp_path: Path) -> None:
    """Failures are told, passed cases counted, and the exit status is 1."""
    done = polis_test(small(tmp_path, {"two": TWO}))
    assert done.status == 1
    assert "FAILED dice_race/cases/two.yaml:3:3: Bad\n  Blue should decide, but Red decides" in done.out
    assert "2 cases, 1 passed, 1 failed" in done.out and "Good" not in done.out


def test_the_command_runs_what_fits_a_pattern(polis_test: Polis, tmp_path: Path) -> None:
    """With --case only some cases run; the exit status is 0 when these pass and 1 when there are none."""
    game = small(tmp_path, {"two": TWO})
    done = polis_test(game, "--case", "good")
    assert done.status == 0 and "1 case, 1 passed, 0 failed" in done.out
    done = polis_test(game, "--case", "gut")
    assert done.status == 1 and "No case has 'gut' in its file, id or title." in done.err


def test_the_command_tells_whole_games(polis_test: Polis, tmp_path: Path) -> None:
    """With --verbose passed cases are named too, each with its game."""
    text = "cases:\n  good: {do: [red: walk], rolled: {actions.walk: 2}, decides: blue}\n"
    done = polis_test(small(tmp_path, {"one": text}), "--verbose")
    assert "passed dice_race/cases/one.yaml:2:3: Good\n" in done.out
    assert "    Red: What do you do - Walk\n" in done.out


def test_the_command_speaks_json(polis_test: Polis, tmp_path: Path) -> None:
    """With --format json there is one document with every case."""
    done = polis_test(small(tmp_path, {"two": TWO}), "--format", "json")
    data = json.loads(done.out)
    assert (done.status, data["ok"], data["passed"], data["failed"]) == (1, False, 1, 1)
    good, bad = data["rulesets"][0]["cases"]
    assert (good["id"], good["passed"], good["failures"], good["line"]) == ("good", True, [], 2)
    assert "Blue should decide" in bad["failures"][0] and "report" not in bad


def test_the_command_shows_how_to_begin(polis_test: Polis, tmp_path: Path) -> None:
    """A ruleset without cases is told where they go and what one looks like."""
    game = small(tmp_path, {})
    done = polis_test(game)
    assert done.status == 0
    assert "there are no cases yet" in done.out and str(game / "cases") in done.out
    assert "given, drawn, rolled, do, then" in done.out


@pytest.mark.slow
def test_the_command_runs_all_shipped_rulesets(polis_test: Polis) -> None:
    """Without a ruleset every shipped one is run."""
    done = polis_test("--case", "*en[dt]*.yaml::*")
    assert done.status == 0
    assert all(f"{each.name}: " in done.out for each in shipped())


def test_a_last_decision_without_a_choice_is_taken_where_the_case_passes_only_then(tmp_path: Path) -> None:
    """The case of a forced decision passes without the decision after it."""
    text = """
cases:
  forced:
    given: {card: {long_stride: {hand: {red: 1}}}}
    drawn: {pile: [long_stride, long_stride, mud, tailwind, long_stride]}
    rolled: {actions.walk: [6]}
    do: [red: walk]
    then: {card: {long_stride: {discarded: 1}}}
"""
    (result,) = run_cases(small(tmp_path, {"last": text}))
    assert result.failures == ()


def test_a_case_of_rules_that_ask_the_same_for_ever_comes_to_its_end(tmp_path: Path) -> None:
    rules = """
format: 2
ruleset: waiting
title: Waiting
scenario: {scenario: standard, title: Standard}
kinds: {player: {state: {coins: {type: 0..9, title: coins}}}}
tables: {player: {ann: {title: Ann}, bob: {title: Bob}}}
phases:
  game:
    - as: ann
      do:
        - repeat:
            while: bob.coins == 0
            do: [{either: {wait: {title: Wait, do: [{set: {ann.coins: 1}}]}}}]
    - end: bored
endings: {bored: {title: Nobody comes}}
score: {terms: {money: who.coins}}
"""
    case = "cases:\n  somebody_comes: {do: [ann: wait], then: {player: {bob: {coins: 1}}}}\n"
    (result,) = run_cases(lay(tmp_path / "waiting", {"ruleset.yaml": rules, "cases/waiting.yaml": case}))
    assert "coins" in result.failures[0]


def test_where_another_player_decides_what_that_one_is_offered_is_not_told(tmp_path: Path) -> None:
    """What is wrong is the player; a case with the right one and another option reads what is offered."""
    folder = Path(shutil.copytree(Path(__file__).parent / "errors" / "sound" / "market", tmp_path / "market"))
    for player, offers in (("blue", False), ("red", True)):
        lay(folder, {"cases/a.yaml": f"cases:\n  one:\n    title: One\n    do: [{player}: '7']\n    sound: true\n"})
        (result,) = run_cases(folder)
        assert not result.passed and ("offered: " in str(result.failures)) is offers


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("start: {round: 2}", "given"),
        ("expect: {round: 2}", "then"),
        ("moves: [{red: rest}]", "do"),
        ("winner: red", "ends"),
        ("ends: over", "{by: over}"),
        ("ends: {ending: over}", "by"),
    ],
)
def test_other_words_for_the_keys_of_a_case_are_told_the_right_one(tmp_path: Path, written: str, told: str) -> None:
    folder = Path(shutil.copytree(Path(__file__).parent / "errors" / "sound" / "market", tmp_path / "market"))
    lay(folder, {"cases/a.yaml": f"cases:\n  one:\n    title: One\n    {written}\n"})
    (finding,) = validate(folder).findings
    assert finding.suggestion == told


def test_a_score_as_one_number_is_said_to_be_the_total(tmp_path: Path) -> None:
    """The finding stands at the number, and suggests what may stand there."""
    folder = Path(shutil.copytree(Path(__file__).parent / "errors" / "sound" / "market", tmp_path / "market"))
    lay(folder, {"cases/a.yaml": "cases:\n  one:\n    title: One\n    scores: {red: 14}\n"})
    (finding,) = validate(folder).findings
    assert (finding.code, finding.suggestion) == ("not-a-mapping", "{total: 14}")
    assert finding.span is not None and (finding.span.line, finding.span.column) == (4, 19)
