"""Findings: as text, JSON and SARIF; silenced by comments and baselines; after every stage that could run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from polis_rules import RuleError, load
from polis_rules.diagnostics import baseline
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.merging import merged
from polis_rules.diagnostics.sarif_log import sarif
from polis_rules.diagnostics.span import Span
from polis_rules.diagnostics.suppressions import ignores, silence
from polis_rules.incremental import Memory, build
from polis_rules.pipeline import Build
from polis_rules.play import bots, play_game
from polis_rules.validation.validate import validate

HERE = Path(__file__).parent
SARIF = json.loads((HERE / "data" / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))
"""The structure of the schema that OASIS publishes for SARIF 2.1.0, without its prose."""


def warning(line: int, code: str = "unused-term") -> Diagnostic:
    return Diagnostic(code, "nobody uses this", Span("mine/a.yaml", line, 3, line, 8), severity="warning")


def test_sarif_output_meets_the_published_schema() -> None:
    related = (("defined here", Span("mine/b.yaml", 1, 1, 1, 4)),)
    findings = [
        warning(1),
        Diagnostic("unknown-name", "there is no `coinn`", Span("mine/a.yaml", 2, 9, 2, 14), "coin?", related),
        Diagnostic("no-beginning", "play begins nowhere", None),
        Diagnostic("empty-draw", "nothing may be left", Span("c.yaml", 3, 1, 3, 2), None, (), "note", "possible"),
    ]
    for found in (findings, []):
        jsonschema.Draft4Validator(SARIF).validate(sarif(found, "0.1.0"))


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("mine/a.yaml", "mine/a.yaml"),
        ("my rules/é#1.yaml", "my%20rules/%C3%A9%231.yaml"),
        ("/home/me/a.yaml", "file:///home/me/a.yaml"),
    ],
)
def test_sarif_names_files_by_uris(file: str, uri: str) -> None:
    finding = Diagnostic("unused-term", "nobody uses this", Span(file, 1, 1, 1, 2), severity="warning")
    location = sarif([finding], "0.1.0")["runs"][0]["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_sarif_names_the_exact_region_of_each_finding() -> None:
    result = sarif([warning(7)], "0.1.0")["runs"][0]["results"][0]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 7, "startColumn": 3, "endLine": 7, "endColumn": 8}


@pytest.mark.parametrize(
    "text",
    [
        "  name: 1  # polis: ignore[unused-term] kept for later\n",
        "# polis: ignore[unused-term] kept for later\n  name: 1\n",
        "# polis: ignore[other, unused-term] kept for later\n  name: 1\n",
    ],
)
def test_a_comment_silences_a_warning_on_its_line_or_on_the_next(text: str) -> None:
    line = 1 if text.startswith(" ") else 2
    assert silence([warning(line)], {"mine/a.yaml": text}) == []


def test_a_comment_that_silences_nothing_is_reported_at_its_place() -> None:
    (finding,) = silence([], {"mine/a.yaml": "a: 1\nb: 2  # polis: ignore[unused-term] why\n"})
    assert (finding.code, str(finding.span)) == ("unused-ignore", "mine/a.yaml:2:7")


def test_a_comment_without_a_reason_is_reported() -> None:
    (finding,) = silence([warning(1)], {"mine/a.yaml": "a: 1  # polis: ignore[unused-term]\n"})
    assert finding.code == "ignore-without-reason"


def test_an_error_cannot_be_silenced() -> None:
    error = Diagnostic("unknown-name", "there is no `x`", Span("mine/a.yaml", 1, 4, 1, 5))
    reported = silence([error], {"mine/a.yaml": "a: x  # polis: ignore[unknown-name] please\n"})
    assert [each.code for each in reported] == ["unknown-name", "ignored-error"]


def test_comments_are_found_with_their_codes_and_reasons() -> None:
    (finding,) = ignores({"a.yaml": "x: 1 # polis: ignore[one, two] because of this\n"})
    assert (finding.codes, finding.reason, finding.line) == (("one", "two"), "because of this", 1)


def test_one_cause_is_reported_once_with_its_other_places_counted() -> None:
    places = [Span("mine/a.yaml", line, 3, line, 8) for line in (2, 5, 9)]
    (finding,) = merged([Diagnostic("unknown-name", "there is no `coinn`", place) for place in places])
    assert finding.span == places[0]
    assert finding.related == (("and in 2 other places, such as this one", places[1]),)


def test_a_baseline_covers_as_many_findings_as_it_lists_wherever_they_moved(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    assert baseline.write(path, [warning(1), warning(5), Diagnostic("unknown-name", "error", None)]) == 2
    known = baseline.read(path)
    assert baseline.unknown([warning(11), warning(15)], known) == []
    assert baseline.unknown([warning(11), warning(15), warning(16)], known) == [warning(16)]


@pytest.mark.parametrize("text", ["format: 2\nruleset: mine\n", "{}", "\0", '{"format": 9, "findings": {}}'])
def test_a_baseline_takes_the_place_of_nothing_but_a_baseline(text: str, tmp_path: Path) -> None:
    """Writing a baseline over any other file is refused and leaves that file as it was."""
    path = tmp_path / "ruleset.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(baseline.BaselineError, match="not replaced"):
        baseline.write(path, [warning(1)])
    assert path.read_text(encoding="utf-8") == text
    path.write_text("")
    assert baseline.write(path, [warning(1)]) == 1
    assert baseline.write(path, []) == 0


def test_a_baseline_never_covers_an_error(tmp_path: Path) -> None:
    error = Diagnostic("unknown-name", "there is no `x`", None)
    path = tmp_path / "known.json"
    baseline.write(path, [error])
    assert baseline.unknown([error], baseline.read(path)) == [error]


@pytest.mark.parametrize("text", ["", "[]", '{"format": 9}', '{"format": 1, "findings": {"a": "b"}}'])
def test_a_damaged_baseline_is_refused_with_its_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(baseline.BaselineError, match=r"known\.json"):
        baseline.read(path)


def test_errors_of_an_early_stage_say_which_checks_were_skipped(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("format: 2\nruleset: broken\ntitle: Broken\nfiles: [none.yaml]\n")
    result = validate(tmp_path)
    assert result.errors
    assert "typecheck" in result.skipped


def test_what_is_wrong_in_shape_hides_no_other_error(tmp_path: Path) -> None:
    """A misspelt key is read as it was meant, what cannot be read is left out, and the rest is checked."""
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    for old, new in (
        ("where:\n          it_must_be_sold_here", "were:\n          it_must_be_sold_here"),
        ("is: who.coins >= item.price and", "grade: sure\n    is: who.coin >= item.price and"),
        ("- gain: {ware: 1}", "- gian: {ware: 1}"),
        ("last_day: {is: 4}", "last_day: [4]"),
        ("daily_moves: {is: 2}", "Daily_moves: {is: 2}"),
        ("reserve: owner.carts", "reserve: owner.cart"),
    ):
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    codes = [each.code for each in validate(tmp_path).findings]
    assert sorted(codes) == [
        "invalid-id", "not-a-mapping", "unfit-value", "unknown-key", "unknown-name", "unknown-name", "unknown-verb"
    ]  # fmt: skip


def test_a_broken_rule_hides_no_error_whose_message_has_its_name_in_it(tmp_path: Path) -> None:
    """Which errors follow from what was left out is known from the missing name, not read from messages."""
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    text = text.replace("reserve: owner.carts", "reserve: owner.cart")
    text = text.replace("\nprocedures:\n", "\nprocedures:\n  state: {do: 7}\n")
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    codes = [(each.code, each.suggestion) for each in validate(tmp_path).findings]
    assert sorted(codes, key=str) == [("not-a-list", None), ("unknown-name", "carts")]


def test_a_file_that_is_not_listed_is_named(tmp_path: Path) -> None:
    """Rules in a file that the manifest forgot are told of, beside the errors that follow from it."""
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    begin, end = text.index("supplies:\n"), text.index("invariants:\n")
    (tmp_path / "ruleset.yaml").write_text(
        text[:begin] + text[end:].replace("day <= last_day", "day <= lats_day"), "utf-8"
    )
    (tmp_path / "pieces").mkdir()
    (tmp_path / "pieces" / "carts.yaml").write_text(text[begin:end], encoding="utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "ruleset.yaml").write_text("kinds: {}\n", encoding="utf-8")
    (finding, _) = sorted(validate(tmp_path).findings, key=lambda each: each.severity, reverse=True)
    assert (finding.code, finding.hint) == ("unlisted-file", "add pieces/carts.yaml")


def test_a_misspelt_definition_is_named_beside_its_uses(tmp_path: Path) -> None:
    """Where a use is unknown and a name that nothing uses is one slip away, the finding has both places."""
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(text.replace("  last_day: {is: 4}", "  lats_day: {is: 4}"), encoding="utf-8")
    (finding,) = validate(tmp_path).findings
    assert (finding.code, finding.missing, finding.suggestion) == ("unknown-name", "last_day", "lats_day")
    ((what, _),) = [each for each in finding.related if "misspelt" in each[0]]
    assert what == "`lats_day`, which nothing uses, is declared here: is this the one that is misspelt?"


@pytest.mark.parametrize(
    ("old", "new", "name", "line"),
    [
        ("- pay: {coins: ware.price}", "- let: {wroth: 2}\n      - pay: {coins: worth}", "wroth", 135),
        ("- pay: {coins: ware.price}", "- roll: lukc\n        dice: 1d2\n      - pay: {coins: luck}", "lukc", 135),
        ("    of: {who: player, item: good}", "    of: {who: player, itme: good}", "itme", 92),
    ],
)
def test_so_is_a_misspelt_name_of_one_rule(old: str, new: str, name: str, line: int, tmp_path: Path) -> None:
    """A value, what is rolled, a parameter: the finding has the place of its definition too."""
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(text.replace(old, new), encoding="utf-8")
    (finding,) = validate(tmp_path).findings
    ((what, place),) = finding.related
    assert what == f"`{name}`, which nothing uses, is declared here: is this the one that is misspelt?"
    assert (place.line, finding.suggestion) == (line, name)


def test_a_member_that_a_variant_removes_is_said_to_be_removed(tmp_path: Path) -> None:
    """A rule that names a member taken away by an overlay is told which layer did so, and where."""
    variant = tmp_path / "no_wine.yaml"
    variant.write_text("variant: no_wine\ntitle: No wine\nremove: {tables.good.wine: }\n", encoding="utf-8")
    reported = validate(HERE / "errors" / "sound" / "market", variants=[variant]).findings
    related = {what for each in reported for what, _ in each.related}
    assert "variant no_wine removes `wine` here" in related


def test_a_full_validation_plays_every_scenario_and_variant_of_a_sound_ruleset() -> None:
    result = validate(HERE / "rulesets" / "dice_race", full=True)
    assert result.errors == 0
    assert any(each.startswith("games of dice_race") for each in result.checked)


def test_a_full_validation_says_which_endings_no_game_came_to(tmp_path: Path) -> None:
    text = (HERE / "errors" / "sound" / "market" / "ruleset.yaml").read_text(encoding="utf-8")
    text = text.replace(
        "    - end: fair_is_over\n",
        """    - if: sum(p.coins for p in player) == 40
      then: [{end: riches}]
    - end: fair_is_over
""",
    ).replace("endings:\n", "endings:\n  riches: {title: Both are rich}\n")
    (tmp_path / "market").mkdir()
    (tmp_path / "market" / "ruleset.yaml").write_text(text, encoding="utf-8")
    told: list[str] = []
    result = validate(tmp_path / "market", full=True, progress=told.append)
    (note,) = result.findings
    assert (note.code, note.severity, note.message) == (
        "ending-not-seen",
        "note",
        "none of 200 random games ended with `riches`",
    )
    assert result.checked[-1] == "games of market: fair_is_over 200; none ended with riches"
    assert told[-1] == "games of market (1 of 1)"


def rich(folder: Path) -> Path:
    """A game whose invariant breaks in some games, with a scenario and two variants beside it."""
    folder.mkdir()
    for name, text in {
        "ruleset.yaml": RICH,
        "scenarios/usual.yaml": "scenario: usual\ntitle: Usual\nstart: {}\n",
        "scenarios/other.yaml": "scenario: other\ntitle: Other\nstart: {player: {gren: {coins: 2}}}\n",
        "../variants/plenty.yaml": "variant: plenty\nextends: rich\nwhy: To try.\nremove: {terms.most: no limit}\n",
        "../variants/more.yaml": "variant: more\nextends: rich\nrequires: [base]\nwhy: To try.\n"
        "change: {terms.least.is: {was: 0, to: coinz}}\n",
        "../variants/base.yaml": "variant: base\nextends: rich\nwhy: To try.\nadd: {terms.least: {is: 0}}\n",
        "../variants/foreign.yaml": "variant: foreign\nextends: poor\nwhy: To try.\nadd: {terms.least: {is: no}}\n",
    }.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


RICH = """\
format: 2
ruleset: rich
title: Rich
scenario: usual
kinds: {player: {state: {coins: {type: 0..9, spendable: true}}}}
tables: {player: {red: {}, blue: {}}}
terms: {most: {is: 3}}
actions:
  dig: {title: Dig, do: [{gain: {coins: 2}}]}
  rest: {title: Rest, do: [{gain: {coins: 1}}]}
phases:
  game:
    - as: red
      do: [{choose: deed, from: action, title: What now?}, {perform: deed}]
    - as: blue
      do: [{choose: deed, from: action, title: What now?}, {perform: deed}]
    - end: over
invariants: {nobody_is_rich: sum(p.coins for p in player) <= most}
endings: {over: {title: It is over}}
score: {terms: {coins: who.coins}}
"""


def test_every_scenario_and_variant_beside_a_ruleset_is_typechecked_by_default(tmp_path: Path) -> None:
    """Also with what a variant requires; those of other rulesets are left alone. Findings say where they come from."""
    result = validate(rich(tmp_path / "rich"))
    errors = [(str(each.span), each.code, each.message) for each in result.findings if each.severity == "error"]
    assert [each[:2] for each in errors] == [
        (f"{(tmp_path / 'variants' / 'more.yaml').as_posix()}:5:39", "unknown-name"),
        ("rich/ruleset.yaml:18:62", "unknown-name"),
        ("rich/scenarios/other.yaml:3:18", "unknown-name"),
    ]
    assert errors[1][2].endswith("(with variant plenty)")
    assert result.combinations == [
        "scenario other", "variant base", "variant base and variant more", "variant plenty"
    ]  # fmt: skip
    assert not result.ok


@pytest.mark.slow
def test_a_variant_in_the_rulesets_own_folder_that_extends_something_else_is_a_finding(tmp_path: Path) -> None:
    """It could belong to no other ruleset, so it would never be checked."""
    folder = rich(tmp_path / "rich")
    (folder / "scenarios" / "other.yaml").unlink()
    inside = folder / "variants" / "odd.yaml"
    inside.parent.mkdir(exist_ok=True)
    for extends, advice in (("rihc", "did you mean 'rich'?"), ("else", "write `extends: rich`")):
        inside.write_text(f"variant: odd\nextends: {extends}\nwhy: To try.\n", encoding="utf-8")
        found = [each for each in validate(folder).findings if each.code == "variant-elsewhere"]
        assert [str(each.span) for each in found] == [f"{inside.as_posix()}:2:10"]
        assert advice in (found[0].advice or "")


def test_a_variant_is_typechecked_with_every_scenario(tmp_path: Path) -> None:
    """A first value that only another scenario gives is found there; what all have in common is told once."""
    folder, variant = rich(tmp_path / "rich"), tmp_path / "lean.yaml"
    (folder / "scenarios" / "other.yaml").write_text(
        "scenario: other\ntitle: Other\nstart: {player: {red: {coins: 8}}}\n", encoding="utf-8"
    )
    (folder / "forgotten.yaml").write_text("terms: {}\n", encoding="utf-8")
    change = "  kinds.player.state.coins.type: {was: 0..9, to: 0..5}\n"
    variant.write_text(f"variant: lean\nextends: rich\nwhy: To try.\nchange:\n{change}", encoding="utf-8")
    result = validate(folder, None, (variant,))
    assert result.combinations == ["scenario other and variant lean"]
    assert [each.code for each in result.findings if each.severity == "error"] == ["out-of-range"]
    assert [each.code for each in result.findings].count("unlisted-file") == 1
    assert validate(folder, "usual", (variant,)).combinations == []


def test_a_variant_that_changes_the_scenario_is_for_that_one(tmp_path: Path) -> None:
    """It is not tried with others, which have other values."""
    folder, variant = rich(tmp_path / "rich"), tmp_path / "ahead.yaml"
    change = "add:\n  scenario.start.player: {red: {coins: 1}}\n"
    variant.write_text(f"variant: ahead\nextends: rich\nwhy: To try.\n{change}", encoding="utf-8")
    result = validate(folder, None, (variant,))
    assert (result.errors, result.combinations) == (0, [])


def test_a_ruleset_that_did_not_change_is_validated_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The findings are the same, and only what was edited is compiled again."""
    monkeypatch.setenv("POLIS_CACHE_DIR", str(tmp_path / "cache"))
    folder = rich(tmp_path / "rich")
    first = validate(folder)
    built: list[tuple[object, ...]] = []

    def counted(asked: Build, memory: Memory) -> Build:
        built.append((asked.scenario, len(asked.variants)))
        return build(asked, memory)

    monkeypatch.setattr(sys.modules["polis_rules.validation.validate"], "build", counted)
    assert (validate(folder), built) == (first, [])
    variant = tmp_path / "variants" / "plenty.yaml"
    variant.write_text(variant.read_text("utf-8").replace("To try", "To see"), encoding="utf-8")
    assert (validate(folder).findings, built) == (first.findings, [(None, 1)])


def test_what_was_found_in_files_that_change_meanwhile_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Combinations are checked again after a file of theirs was edited while they were looked at."""
    monkeypatch.setenv("POLIS_CACHE_DIR", str(tmp_path / "cache"))
    folder = rich(tmp_path / "rich")
    manifest = folder / "ruleset.yaml"
    sound = manifest.read_text("utf-8")
    first = validate(folder, progress=lambda words: manifest.write_text(f"{sound}# more\n", encoding="utf-8"))
    manifest.write_text(sound, encoding="utf-8")
    built: list[object] = []

    def counted(asked: Build, memory: Memory) -> Build:
        built.append((asked.scenario, asked.variants))
        return build(asked, memory)

    monkeypatch.setattr(sys.modules["polis_rules.validation.validate"], "build", counted)
    assert validate(folder) == first
    assert len(built) == len({*built}) == 1 + len(first.combinations)


def test_a_full_validation_asks_what_must_hold_and_names_the_games_in_which_it_does_not(tmp_path: Path) -> None:
    """The command that it names plays the very game that failed."""
    folder = rich(tmp_path / "rich")
    for each in ("scenarios/other.yaml", "../variants/plenty.yaml", "../variants/more.yaml"):
        (folder / each).unlink()
    result = validate(folder, full=True)
    (failure, *_) = [each for each in result.findings if each.code == "rule-failed"]
    assert "nobody is rich" in failure.message
    seed = int(failure.message.partition("of seed ")[2].partition(",")[0])
    assert failure.hint == f"`polis run {folder} --seed {seed}` plays the first of them"
    ruleset = load(folder)
    players = dict(zip(ruleset.players, bots.seated(["random"] * len(ruleset.players), seed), strict=True))
    with pytest.raises(RuleError, match="nobody is rich"):
        play_game(ruleset.start(seed=seed), players)


@pytest.mark.slow
def test_one_mistake_in_many_games_is_one_finding_with_their_number(tmp_path: Path) -> None:
    """Numbers in its words differ from game to game, and other scenarios and variants have it too."""
    folder = rich(tmp_path / "rich")
    (folder / "ruleset.yaml").write_text(
        RICH.replace("[{gain: {coins: 2}}]", "[{roll: more, dice: 1d9}, {set: {you.coins: 2 + more}}]").replace(
            "3}", "99}"
        ),
        encoding="utf-8",
    )
    (folder / "scenarios" / "other.yaml").write_text("scenario: other\ntitle: Other\n", encoding="utf-8")
    for each in ("more", "plenty"):
        (tmp_path / "variants" / f"{each}.yaml").unlink()
    failures = [each for each in validate(folder, full=True).findings if each.code == "rule-failed"]
    assert len({each.span for each in failures}) == len(failures) == 1
    assert re.search(r"of seed \d+, .*; also in \d+ games of other scenarios or variants\)", failures[0].message)


WAITING = """\
format: 2
ruleset: waiting
title: Waiting
scenario: usual
kinds: {player: {state: {ready: {type: flag, title: ready}}}}
tables: {player: {red: {}, blue: {}, gren: {}}}
phases:
  game:
    - repeat:
        while: any(not p.ready for p in player)
        do:
          - each: you
            in: player
            where: you != gren
            do:
              - either: {go: {title: Go}, stay: {title: Stay}}
              - set: {you.ready: true}
    - end: over
endings: {over: {title: It is over}}
score: {terms: {ready: 1 if who.ready else 0}}
"""


def test_a_full_validation_finds_a_loop_that_waits_for_a_player_whose_turn_never_comes(tmp_path: Path) -> None:
    """It says how to play a game that does not end."""
    (tmp_path / "waiting" / "scenarios").mkdir(parents=True)
    (tmp_path / "waiting" / "ruleset.yaml").write_text(WAITING, encoding="utf-8")
    (tmp_path / "waiting" / "scenarios" / "usual.yaml").write_text("scenario: usual\ntitle: Usual\n", "utf-8")
    (failure,) = validate(tmp_path / "waiting", full=True).findings
    assert failure.code == "rule-failed" and failure.severity == "error"
    assert "this game has not come to an end after 100000 decisions (in the random games of seed 0," in failure.message
    assert failure.hint == f"`polis run {tmp_path / 'waiting'} --seed 0` plays the first of them"


@pytest.mark.slow
def test_the_order_of_findings_does_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    """One mistake in a kind of combinations gives one finding, and several stand in one order."""
    text = RICH.replace(
        "kinds: {", "kinds: {spot: {for_each: {row: line, column: line}, attributes: {size: 0..9}}, line: {}, "
    ).replace("player: {red: {}", "line: {a: {}, b: {}, c: {}, d: {}}, player: {red: {}")
    text = text.replace("most: {is: 3}", "most: {is: 3 + coinz}, last: {is: sum(s.sise for s in spot)}")
    (tmp_path / "ruleset.yaml").write_text(
        text.replace("scenario: usual", "scenario: {scenario: usual}"), encoding="utf-8"
    )
    code = "import sys; from polis_rules.validation import validate\nfor f in validate(sys.argv[1]).findings: print(f)"
    told = {
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": seed, "POLIS_CACHE_DIR": str(tmp_path / seed)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    (same,) = told
    assert same.count("Diagnostic(") == 3
    assert "the row 'a_a' has no value for 'size' (and 15 more like this)" in same
