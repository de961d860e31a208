"""What the language server tells of rules, asked by a client over standard input and output as an editor asks it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lsprotocol.types import Position
from support.editor import Editor, edited, place, shown

from polis_rules.language_server import Workbench, complete
from polis_rules.language_server.targets import Target

pytest.importorskip("pygls")

HERE = Path(__file__).resolve().parent
EDITION = """\
format: 2
ruleset: long_race
extends: dice_race
title: Long race
change:
  terms.goal.is: {was: 30, to: 29}
  actions.sprint.cost.breath: {was: sprint_cost, to: sprint_cost + 1}
"""
VARIANT = """\
variant: short_rest
title: Short rest
extends: dice_race
change:
  actions.rest.requires.short_of_breath: {was: you.breath < 5, to: you.breath < 4}
"""
CASES = """\
cases:
  a_rest:
    given: {player: {red: {breath: 1}}}
    offers: [rest]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with the dice race, an edition of it, a variant and a case."""
    shutil.copytree(HERE / "rulesets" / "dice_race", tmp_path / "dice_race")
    (tmp_path / "long_race").mkdir()
    (tmp_path / "variants").mkdir()
    (tmp_path / "dice_race" / "cases").mkdir()
    (tmp_path / "long_race" / "ruleset.yaml").write_text(EDITION, encoding="utf-8")
    (tmp_path / "variants" / "short_rest.yaml").write_text(VARIANT, encoding="utf-8")
    (tmp_path / "dice_race" / "cases" / "rests.yaml").write_text(CASES, encoding="utf-8")
    return tmp_path


@pytest.fixture
def play(editor: Editor, home: Path) -> Path:
    """The file with most rules of the race, open."""
    path = home / "dice_race" / "play.yaml"
    editor.open(path)
    return path


def test_it_says_what_it_can_do(editor: Editor, home: Path) -> None:
    can = editor.able
    wanted = ("completionProvider", "hoverProvider", "definitionProvider", "referencesProvider")
    assert all(can[each] for each in (*wanted, "documentSymbolProvider")) and can["renameProvider"]["prepareProvider"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("variants/new.yaml", VARIANT.replace("short_rest", "new").replace("< 5", "< 6"), "was-differs"),
        ("dice_race/variants/new.yaml", "variant: new\nextends: dice_rcae\nwhy: To try.\n", "variant-elsewhere"),
        ("dice_race/scenarios/new.yaml", "scenario: new\ntitle: New\nstart: {player: {red: {x: 1}}}\n", "unknown-name"),
        ("dice_race/cases/new.yaml", "cases:\n  new: {offers: [rset]}\n", "unknown-name"),
    ],
)
def test_a_file_that_is_not_on_the_disk_yet_is_checked_as_one_that_is(
    editor: Editor, home: Path, file: str, text: str, wrong: str
) -> None:
    path = home / file
    editor.open(path, text)
    before = editor.findings(path)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    editor.type(path, text)
    assert before == editor.findings(path)
    assert wrong in [each["code"] for each in before]


@pytest.mark.slow
def test_findings_follow_the_text_that_is_typed(editor: Editor, play: Path) -> None:
    text = play.read_text("utf-8")
    assert not [each for each in editor.findings(play) if each["severity"] == 1]
    editor.type(play, text.replace("you.breath < 5", "you.breth < 5"))
    (wrong,) = [each for each in editor.findings(play) if each["severity"] == 1]
    assert wrong["code"] == "unknown-name" and "'breath'" in wrong["message"]
    start = wrong["range"]["start"]
    assert text.split("\n")[start["line"]][start["character"] :].startswith("breath < 5")
    editor.type(play, text)
    assert not [each for each in editor.findings(play) if each["severity"] == 1]


@pytest.mark.slow
def test_what_other_checks_have_found_stays_while_one_types_above_it(editor: Editor, play: Path) -> None:
    """The compiler answers at once; an unused term, found by a slower check, is shown on with it, at its new line."""
    text = play.read_text("utf-8").replace("terms:\n", "terms:\n  never_asked: {is: 1}\n", 1)
    editor.type(play, text)
    while not (unused := [each for each in editor.findings(play) if each["code"] == "unused-term"]):
        editor.published.clear()
    editor.type(play, "# a note\n" + text.replace("you.breath < 5", "you.breth < 5"))
    assert [each["code"] for each in editor.findings(play) if each["severity"] == 1] == ["unknown-name"]
    editor.type(play, "# a note\n" + text)
    (still,) = [each for each in editor.findings(play) if each["code"] == "unused-term"]
    assert still["range"]["start"]["line"] == unused[0]["range"]["start"]["line"] + 1


@pytest.mark.slow
def test_text_that_is_no_yaml_gets_a_finding_and_nothing_ends(editor: Editor, play: Path) -> None:
    for text in ("phases: [", "a: &x b\n\tc: *x", "- - -", "", "kinds: {player: {state: 3}}\nactions: no\n"):
        editor.type(play, text or " ")
        assert editor.findings(play)
        for method in ("hover", "definition", "completion", "documentSymbol"):
            params = {"textDocument": {"uri": play.as_uri()}, "position": {"line": 0, "character": 3}}
            editor.ask(f"textDocument/{method}", params)


def test_findings_of_a_variant_are_shown_in_its_file(editor: Editor, home: Path) -> None:
    path = home / "variants" / "short_rest.yaml"
    editor.open(path, VARIANT.replace("was: you.breath < 5", "was: you.breath < 3"))
    (wrong,) = [each for each in editor.findings(path) if each["severity"] == 1]
    assert wrong["code"] == "was-differs" and "dice_race" in wrong["relatedInformation"][0]["location"]["uri"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "place", "said"),
    [
        ("offers: [rest]", "offers: [rset]", "rset", "did you mean 'rest'?"),
        ("{red: {breath: 1}}", "{rde: {breath: 1}}", "rde", "did you mean 'red'?"),
        ("given:", "gievn:", "gievn", "did you mean 'given'?"),
        ("player: {red: {breath: 1}}", "player: {red: {breath: 99}}", "99", "0..5"),
    ],
)
def test_names_in_cases_are_held_against_the_rules_while_typing(
    editor: Editor, home: Path, old: str, new: str, place: str, said: str
) -> None:
    path = home / "dice_race" / "cases" / "rests.yaml"
    editor.open(path)
    assert editor.findings(path) == []
    text = CASES.replace(old, new)
    editor.type(path, text)
    (wrong,) = editor.findings(path)
    begin, end = wrong["range"]["start"], wrong["range"]["end"]
    assert text.split("\n")[begin["line"]][begin["character"] : end["character"]] == place
    assert said in wrong["message"]
    editor.type(path, CASES)
    assert editor.findings(path) == []


@pytest.mark.slow
def test_what_an_edition_says_of_inherited_cases_is_checked(editor: Editor, home: Path) -> None:
    path = home / "long_race" / "cases" / "inherited.yaml"
    path.parent.mkdir()
    path.write_text("inherited:\n  leaves_out: {a_rset: nobody rests}\n", encoding="utf-8")
    editor.open(path)
    (wrong,) = editor.findings(path)
    assert wrong["code"] == "unknown-name" and "did you mean 'a_rest'?" in wrong["message"]
    editor.type(path, "inherited:\n  words: {rest: rset}\n")
    (wrong,) = editor.findings(path)
    assert "'rset'" in wrong["message"] and "did you mean 'rest'?" in wrong["message"]
    editor.type(path, "inherited:\n  words: {rest: rest}\n")
    assert editor.findings(path) == []


@pytest.mark.slow
def test_an_open_edition_is_checked_again_when_the_rules_below_it_change(
    editor: Editor, play: Path, home: Path
) -> None:
    edition = home / "long_race" / "ruleset.yaml"
    editor.open(edition)
    assert not [each for each in editor.findings(edition) if each["severity"] == 1]
    editor.type(play, play.read_text("utf-8").replace("goal: {is: 30", "goal: {is: 31"))
    while not (wrong := editor.published.get((edition.as_uri(), 0))):
        editor.ask("textDocument/hover", place(play, play.read_text("utf-8"), "goal"))
    assert [each["code"] for each in wrong if each["severity"] == 1] == ["was-differs"]


def test_a_file_of_no_ruleset_is_checked_as_yaml_only(editor: Editor, home: Path) -> None:
    path = home / "notes.yaml"
    editor.open(path, "title: &x 3\n")
    assert [each["code"] for each in editor.findings(path)] == ["anchor"]
    editor.type(path, "title: 3\n")
    assert not editor.findings(path)


def test_completion_offers_what_may_stand_there(editor: Editor, play: Path) -> None:
    for old, new, wanted, unwanted in (
        ("you.breath < 5", "you.|", {"breath", "position", "rival"}, {"you", "copies", "red"}),
        ("you.breath < 5", "weather == card.|", {"mud", "tailwind"}, {"red", "breath"}),
        ("you.breath < 5", "any(c.| for c in card", {"copies", "in_pile", "hand"}, {"breath"}),
        ("you.breath < 5", "g| > 3", {"goal", "lap", "card", "you", "count", "mud"}, {"draw_a_card"}),
        ("cost: {breath: sprint_cost}", "cost: {|}", {"breath"}, {"position", "red"}),
        ("- do: advance(you, eyes + step_bonus(you))", "- do: adv|", {"advance", "draw_a_card"}, {"goal"}),
        ("- end: nightfall", "- end: |", {"goal_reached", "nightfall"}, {"lap"}),
        ("- set: {lap: lap + 1}", "- |", {"choose", "set", "draw_a_card"}, {"title", "where"}),
        ("        stream: sprint\n", "        |\n", {"stream"}, {"choose", "roll"}),
        ("    title: Sprint\n", "    |\n", {"title", "ruling", "requires"}, {"kinds", "cost"}),
        ("    cite: own, course of play\n", "    grade: |\n", {"quoted", "inferred"}, {"own"}),
    ):
        found = editor.completions(play, old, new)
        assert wanted <= found and not unwanted & found, (new, found)


@pytest.mark.slow
def test_completion_knows_tables_overlay_paths_and_first_values(editor: Editor, home: Path) -> None:
    things, variant = home / "dice_race" / "things.yaml", home / "variants" / "short_rest.yaml"
    scenario = home / "dice_race" / "scenarios" / "standard.yaml"
    for path in (things, variant, scenario):
        editor.open(path)
    text = things.read_text("utf-8")
    row = text.replace("    red: {title: Red, rival: blue}", "    red:\n      title: Red\n      rival: ")
    assert editor.labels(things, row, "title: Red\n      rival: |") == ["red", "blue"]
    typed = text.replace("  lap: 0..20", "  lap: 0..20\n  winner: ca")
    assert "card" in editor.labels(things, typed, "  winner: ca|")
    patch = VARIANT.replace("actions.rest.requires.short_of_breath", "actions.rest.")
    assert {"requires", "do", "title"} <= set(editor.labels(variant, patch, "actions.rest.|"))
    start = "scenario: standard\ntitle: Standard\nstart:\n  "
    assert {"lap", "weather", "card"} <= set(editor.labels(scenario, start, "start:\n  |"))
    assert "mud" in editor.labels(scenario, f"{start}card:\n    ", "card:\n    |")
    assert "hand" in editor.labels(scenario, f"{start}card:\n    mud:\n      ", "mud:\n      |")
    assert "red" in editor.labels(scenario, f"{start}card:\n    mud: {{hand: {{}}}}", "hand: {|")


REACHING = """\
variant: reaching
title: Reaching into rules
extends: dice_race
extend:
  terms.hand_limit.is: base + goal
insert:
  actions.rest: {after: thrown, do: [draw_a_card]}
change:
  actions.walk.do.eyes.dice: {was: 1d6, to: 1d8}
"""


@pytest.mark.slow
def test_overlays_that_reach_into_rules_are_known_to_the_editor(editor: Editor, play: Path, home: Path) -> None:
    """Paths, anchors and extensions are completed, explained, followed and renamed like the rules themselves."""
    path = home / "variants" / "reaching.yaml"
    path.write_text(REACHING, "utf-8")
    editor.open(path)
    assert not editor.findings(path)
    for typed, needle, wanted in (
        (REACHING.replace("actions.walk.do.eyes.dice", "actions.walk.do."), "walk.do.|", {"eyes", "advance"}),
        (REACHING.replace("actions.walk.do.eyes.dice", "actions.walk.do.eyes."), "eyes.|", {"roll", "dice"}),
        (REACHING.replace("after: thrown", "after: "), "after: |", {"thrown", "draw_a_card", "stop"}),
        (REACHING.replace("after: thrown", "at: "), "at: |", {"start", "end"}),
        (REACHING.replace("after: thrown, ", ""), "rest: {|", {"before", "after", "at"}),
        (REACHING.replace("[draw_a_card]", "[]"), "do: [|", {"draw_a_card", "fall_back"}),
        (REACHING.replace("base + goal", "base + "), "base + |", {"base", "goal", "sprint_cost"}),
    ):
        found = editor.labels(path, typed, needle)
        assert wanted <= set(found), (needle, found)
    editor.type(path, REACHING)
    text = play.read_text("utf-8")
    assert "`goal` (term)" in editor.at("hover", path, REACHING, "base + go|al")["contents"]["value"]
    assert shown(editor.at("definition", path, REACHING, "after: thr|own")[0])[1] == "thrown"
    for needle, new in (
        ("choose: thr|own", "given_up"),
        ("roll: ey|es\n        dice: 1d6", "dots"),
        ("  go|al:", "finish"),
    ):
        for file, changed in edited(editor.at("rename", play, text, needle, newName=new)).items():
            file.write_text(changed, "utf-8")
            if file in (play, path):
                editor.type(file, changed)
        text = play.read_text("utf-8")
    wanted = REACHING.replace("thrown", "given_up").replace("do.eyes", "do.dots").replace("+ goal", "+ finish")
    assert path.read_text("utf-8") == wanted


@pytest.mark.slow
def test_names_are_offered_while_the_rest_of_the_file_is_broken(editor: Editor, play: Path) -> None:
    text = play.read_text("utf-8")
    assert editor.findings(play) is not None
    broken = text.replace("you.breath < 5", "card.").replace("  rest:\n", "  rest:\n    surprise: 3\n")
    assert {"mud", "tailwind"} <= set(editor.labels(play, broken, "short_of_breath: card.|"))


def test_a_variant_is_one_of_its_ruleset_while_a_line_of_it_cannot_be_read(home: Path) -> None:
    bench, path = Workbench(), home / "mine.yaml"
    text = f"{VARIANT}  actions.rest."
    bench.change(path, text)
    assert "requires" in {each.label for each in complete(bench, path, Position(text.count("\n"), 15))}


def test_what_lies_below_a_variant_is_not_compiled_again_for_each_keystroke_in_it(home: Path) -> None:
    bench, path, below = Workbench(), home / "variants" / "short_rest.yaml", Target(home / "dice_race")
    bench.change(path, VARIANT)
    before = bench.analysis(below)
    bench.change(path, VARIANT.replace("to: you.breath < 4", "to: you.breath < 3"))
    assert bench.analysis(below) is before
    things = home / "dice_race" / "things.yaml"
    bench.change(things, things.read_text("utf-8"))
    assert bench.analysis(below) is not before


@pytest.mark.slow
def test_hover_tells_the_rule_in_words_and_its_source(editor: Editor, play: Path) -> None:
    text = play.read_text("utf-8")
    said = editor.at("hover", play, text, "cost: {breath: sprint|_cost}")["contents"]["value"]
    assert "`sprint_cost` (term)" in said and "own, sprint, quoted" in said
    said = editor.at("hover", play, text, "thro|wn.hand[you] > 0")["contents"]["value"]
    assert said == "`thrown`: card"
    said = editor.at("hover", play, text, "    requi|res:\n")["contents"]["value"]
    assert "the label is the refusal" in said
    said = editor.at("hover", play, text, "  spri|nt:\n")["contents"]["value"]
    assert "**Sprint**" in said and "breath" in said


@pytest.mark.slow
def test_definition_leads_to_declarations_and_across_overlays(editor: Editor, play: Path, home: Path) -> None:
    text = play.read_text("utf-8")

    def leads(path: Path, text: str, needle: str) -> list[tuple[str, str]]:
        return [shown(each) for each in editor.at("definition", path, text, needle)]

    def line(path: Path, start: str) -> int:
        return next(n for n, each in enumerate(path.read_text("utf-8").split("\n"), 1) if each.startswith(start))

    things = home / "dice_race" / "things.yaml"
    assert leads(play, text, "you.bre|ath < 5") == [
        (f"dice_race/things.yaml:{line(things, '      breath:')}", "breath")
    ]
    assert leads(play, text, "- do: adv|ance(you, eyes") == [
        (f"dice_race/play.yaml:{line(play, '  advance:')}", "advance")
    ]
    assert leads(play, text, "c.hand[who] for c| in") == [(f"dice_race/play.yaml:{line(play, '    is: sum')}", "c")]
    edition, variant = home / "long_race" / "ruleset.yaml", home / "variants" / "short_rest.yaml"
    editor.open(edition)
    editor.open(variant)
    assert leads(edition, EDITION, "terms.go|al") == [(f"dice_race/play.yaml:{line(play, '  goal:')}", "goal")]
    assert leads(edition, EDITION, "cost.bre|ath") == [
        (f"dice_race/things.yaml:{line(things, '      breath:')}", "breath")
    ]
    assert leads(variant, VARIANT, "actions.re|st") == [(f"dice_race/play.yaml:{line(play, '  rest:')}", "rest")]


@pytest.mark.slow
def test_references_are_found_in_every_file_that_is_built_on_the_rules(editor: Editor, play: Path) -> None:
    context = {"context": {"includeDeclaration": True}}
    answer = editor.at("references", play, play.read_text("utf-8"), "you.bre|ath < 5", **context)
    places = {shown(each) for each in answer}
    assert {text for _, text in places} == {"breath"}
    files = {file.partition(":")[0] for file, _ in places}
    assert files == {
        "dice_race/play.yaml", "dice_race/things.yaml", "long_race/ruleset.yaml", "variants/short_rest.yaml",
        "cases/rests.yaml",
    }  # fmt: skip
    text = play.read_text("utf-8")
    others = ("short_of_breath", "for breath", "    breath: who")
    uses = text.count("breath") - sum(map(text.count, others))
    assert len([each for each, _ in places if each.startswith("dice_race/play.yaml")]) == uses


@pytest.mark.slow
def test_rename_edits_every_file_and_the_rules_stay_the_same(editor: Editor, play: Path, home: Path) -> None:
    from polis_rules.composition.composed import compose
    from polis_rules.validation.validate import validate

    text = play.read_text("utf-8")
    before = compose(home / "dice_race").hash
    for needle, old, new in (
        ("you.bre|ath < 5", "breath", "wind"),
        ("  spri|nt:\n", "sprint", "dash"),
        ("choose: thr|own", "thrown", "given_up"),
    ):
        span = editor.at("prepareRename", play, text, needle)
        assert span["end"]["character"] - span["start"]["character"] == len(old)
        for path, changed in edited(editor.at("rename", play, text, needle, newName=new)).items():
            path.write_text(changed, encoding="utf-8")
        text = play.read_text("utf-8")
        editor.type(play, text)
    assert "choose: given_up" in text and "given_up.hand[you]" in text and "  dash:\n" in text
    assert "player: {red: {wind: 1}}" in (home / "dice_race" / "cases" / "rests.yaml").read_text("utf-8")
    assert compose(home / "dice_race").hash != before
    for ruleset, variants in (
        ("dice_race", []),
        ("long_race", []),
        ("dice_race", [home / "variants" / "short_rest.yaml"]),
    ):
        assert not validate(home / ruleset, None, variants).errors


@pytest.mark.slow
def test_rename_reaches_cases_about_the_state_of_a_variant(editor: Editor, play: Path, home: Path) -> None:
    """A member in state that only a variant brings, which the case chooses, is renamed there too."""
    variant = "variant: tired\ntitle: Tired\nextends: dice_race\nadd:\n  kinds.player.state.naps: 0..3\n"
    (home / "variants" / "tired.yaml").write_text(variant, encoding="utf-8")
    path = home / "dice_race" / "cases" / "naps.yaml"
    path.write_text(
        "cases:\n  a_nap:\n    variants: [tired]\n    given: {player: {red: {naps: 1}}}\n", encoding="utf-8"
    )
    things = home / "dice_race" / "things.yaml"
    text = things.read_text("utf-8")
    editor.open(things)
    changed = edited(editor.at("rename", things, text, "    re|d: {title", newName="crimson"))
    assert "player: {crimson: {naps: 1}}" in changed[path]


@pytest.mark.slow
def test_a_rename_that_would_break_something_is_refused(editor: Editor, play: Path) -> None:
    for needle, new, reason in (
        ("you.bre|ath < 5", "Wind", "is not an id"),
        ("you.bre|ath < 5", "position", "`position` exists already"),
        ("you.bre|ath < 5", "rival", "already"),
        ("  spri|nt:\n", "walk", "`walk` exists already"),
        ("  spri|nt:\n", "goal", "already means something"),
        ("choose: thr|own", "you", "a word of the language"),
        ("  ga|me: [", "play", "the language itself knows"),
        ("title: Sp|rint", "dash", "no id of this ruleset"),
    ):
        params = place(play, play.read_text("utf-8"), needle) | {"newName": new}
        assert reason in editor.response("textDocument/rename", params)["error"]["message"], needle


@pytest.mark.slow
def test_the_outline_of_a_file_has_its_sections_and_ids(editor: Editor, home: Path) -> None:
    path = home / "dice_race" / "things.yaml"
    editor.open(path)
    answer = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
    tree = {each["name"]: {inner["name"]: inner for inner in each["children"]} for each in answer}
    assert list(tree) == ["kinds", "state", "tables", "supplies"]
    assert {each["name"] for each in tree["tables"]["card"]["children"]} >= {"banana_skin", "mud"}
    groups = {
        each["name"]: [inner["name"] for inner in each["children"]] for each in tree["kinds"]["player"]["children"]
    }
    assert groups["state"] == ["position", "breath"]


@pytest.mark.slow
def test_it_serves_a_shipped_ruleset_with_its_editions_and_variants(editor: Editor, home: Path) -> None:
    rulesets = Path(shutil.copytree(HERE.parent / "rulesets", home / "rulesets"))
    actions, variant = rulesets / "yucata" / "actions.yaml", rulesets / "variants" / "tweaks.yaml"
    editor.open(actions)
    editor.open(variant)
    assert not [each for each in editor.findings(actions) + editor.findings(variant) if each["severity"] == 1]
    text = actions.read_text("utf-8")
    said = editor.at("hover", actions, text, "  besiege_po|lis:\n")["contents"]["value"]
    assert "**Besiege Polis**" in said and "1 prestige" in said and "quoted" in said
    (there,) = editor.at("definition", variant, variant.read_text("utf-8"), "tables.round.fi|ve_a")
    assert shown(there)[0].startswith("yucata/rounds.yaml:") and shown(there)[1] == "five_a"
    typed = text.replace("city.owner == you", "city.", 1)
    assert {"owner", "population", "territory"} <= set(editor.labels(actions, typed, "the_polis_must_be_yours: city.|"))
