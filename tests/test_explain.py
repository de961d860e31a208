"""`polis explain`: where a value comes from, what it means, and how sure it is."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from polis_cli.main import main

from polis_rules.documentation.explain import UnknownPathError, explain

ISLES = Path(__file__).parent / "rulesets" / "random_isles"

DEAR = """
variant: dear
extends: random_isles
why: Huts go up too quickly.
change:
  terms.hut_price.is: {was: 1, to: 2}
  tables.tile.forest.worth: {was: 2, to: 3, why: the forest was weak}
remove:
  actions.raise_the_bridge: nobody builds it
add:
  terms.rent: {is: 4, cite: "own, rent", grade: quoted}
"""

DEARER = """
variant: dearer
after: [dear]
change:
  terms.hut_price.is: {was: 2, to: 3}
"""


def test_the_rulebooks_own_words_are_told_until_a_variant_changes_what_they_say(tmp_path: Path) -> None:
    fleet = "tables.event.persian_fleet_destruction"
    assert explain("yucata", fleet).own_words == "Athens gains 1 prestige, Sparta 1 silver."
    richer = tmp_path / "richer.yaml"
    change = f"{fleet}.own.sparta.gain.silver: {{was: 1, to: 2}}"
    richer.write_text(f"variant: richer\nextends: yucata\nwhy: Trial.\nchange:\n  {change}\n", "utf-8")
    assert explain("yucata", fleet, variants=[richer]).own_words is None


def test_a_star_of_a_title_marks_no_rule_in_the_rulebooks_own_words(tmp_path: Path) -> None:
    """What stands between stars is the name of a rule, and is quoted."""
    book = Path(shutil.copytree(ISLES.parents[2] / "rulesets" / "yucata", tmp_path / "yucata")) / "book.yaml"
    said, starred = "Athens gains 1 prestige, Sparta 1 silver.", "Lose Ship* or Boat*, see *Winds*; 2 * 3 * 4 silver."
    text = book.read_text("utf-8")
    assert said in text
    book.write_text(text.replace(said, starred), "utf-8")
    told = explain(book.parent, "tables.event.persian_fleet_destruction").own_words
    assert told == "Lose Ship* or Boat*, see 'Winds'; 2 * 3 * 4 silver."


@pytest.fixture
def variants(tmp_path: Path) -> list[Path]:
    found = []
    for name, text in (("dear", DEAR), ("dearer", DEARER)):
        found.append(tmp_path / f"{name}.yaml")
        found[-1].write_text(text)
    return found


def test_a_plain_value_has_value_sentence_place_and_citation() -> None:
    """Untouched by any layer, it is what the ruleset itself wrote; its rule's citation is its own."""
    explained = explain(ISLES, "terms.hut_price.is")
    assert (explained.value, explained.cite, explained.grade) == ("1", "own, huts", "quoted")
    assert explained.sentence.startswith("'Hut price' is 1")
    assert explained.source == "Written for these tests"
    assert str(explained.span).startswith("random_isles/play.yaml:")
    assert [(each.layer, each.kind, each.old, each.new) for each in explained.layers] == [
        ("random_isles", "write", None, "1")
    ]


@pytest.mark.parametrize("path", ["advice.disgrace", "advice.disgrace.points", "advice.disgrace.counts"])
def test_advice_is_told_with_what_it_counts_and_what_that_is_worth(path: str) -> None:
    assert explain("yucata", path).sentence == (
        "Bots give a position -2 points for each of 'Prestige below 4, the least that is safe at the end of a round', "
        "counted as the higher of 4 minus the player's prestige and 0."
    )


def test_each_layer_is_told_with_old_value_new_value_and_why(variants: list[Path]) -> None:
    """The first value and every change of it, in order, each with its place."""
    explained = explain(ISLES, "terms.hut_price.is", variants=variants)
    assert explained.value == "3"
    assert [(each.layer, each.kind, each.old, each.new, each.why) for each in explained.layers] == [
        ("random_isles", "write", None, "1", None),
        ("variant dear", "change", "1", "2", "Huts go up too quickly."),
        ("variant dearer", "change", "2", "3", None),
    ]
    places = [each.span for each in explained.layers]
    assert all(place is not None for place in places)
    assert [Path(place.file).name for place in places if place] == ["play.yaml", "dear.yaml", "dearer.yaml"]


def test_what_the_scenario_changed_is_not_told_as_what_the_first_layer_wrote(tmp_path: Path) -> None:
    """The first layer's value is the one before every overlay, that of the scenario too."""
    folder = tmp_path / "isles"
    shutil.copytree(ISLES, folder)
    path = next((folder / "scenarios").glob("*.yaml"))
    path.write_text(path.read_text("utf-8") + "change:\n  terms.hut_price.is: {was: 1, to: 7}\n", "utf-8")
    explained = explain(folder, "terms.hut_price.is", path.stem)
    assert [(each.layer.split()[0], each.old, each.new) for each in explained.layers] == [
        ("random_isles", None, "1"),
        ("scenario", "1", "7"),
    ]


def test_a_reason_of_its_own_goes_before_the_overlays(variants: list[Path]) -> None:
    """`why` beside a change is that change's reason."""
    explained = explain(ISLES, "tables.tile.forest.worth", variants=variants)
    assert explained.layers[-1].why == "the forest was weak"


def test_a_citation_from_before_a_change_is_marked(variants: list[Path]) -> None:
    """A variant without a citation of its own does not borrow the book's."""
    assert explain(ISLES, "terms.hut_price.is", variants=variants).cited_before == "variant dearer"
    assert explain(ISLES, "terms.hut_price.is").cited_before is None
    assert explain(ISLES, "terms.rent.is", variants=variants).cited_before is None


def test_what_a_layer_adds_has_no_older_layer(variants: list[Path]) -> None:
    """Its first touch is the addition."""
    explained = explain(ISLES, "terms.rent.is", variants=variants)
    assert [(each.layer, each.kind, each.new) for each in explained.layers] == [("variant dear", "add", "4")]


def test_what_a_layer_removes_is_still_explained(variants: list[Path]) -> None:
    """One asks where a rule has gone, and hears who took it away and why, once."""
    explained = explain(ISLES, "actions.raise_the_bridge", variants=variants)
    assert explained.value is None
    assert explained.sentence == "Taken away by variant dear because: nobody builds it"
    assert [(each.layer, each.kind, each.path) for each in explained.layers] == [
        ("random_isles", "write", "actions.raise_the_bridge"),
        ("variant dear", "remove", "actions.raise_the_bridge"),
    ]


def test_a_rule_shows_what_was_touched_inside_it(variants: list[Path]) -> None:
    """Asked for a whole rule, the layers are told with the path that each touched."""
    explained = explain(ISLES, "terms.hut_price", variants=variants)
    assert [each.path for each in explained.layers] == ["terms.hut_price", "terms.hut_price.is", "terms.hut_price.is"]


def test_a_value_by_default_says_so() -> None:
    """What no row states is the default of the kind, at its place."""
    explained = explain(ISLES, "tables.tile.volcano.yields.wood")
    assert (explained.value, explained.by_default, explained.cite) == ("0", True, None)
    assert explained.sentence == "Volcano: yields 0."
    assert str(explained.span).startswith("random_isles/map.yaml:")


def test_a_start_belongs_to_its_scenario() -> None:
    """The layer of a first value is the scenario."""
    explained = explain(ISLES, "scenario.start.player.north.ship")
    assert explained.value == "a1"
    assert explained.layers[0].layer == "scenario standard"


def test_an_editions_change_shows_the_place_in_what_it_extends() -> None:
    """A value that another edition alters is first told where the first edition wrote it."""
    explained = explain("devir", "terms.penalty_in_defence.is")
    assert [(each.layer, each.new) for each in explained.layers] == [("yucata", "1"), ("devir", "0")]
    assert str(explained.layers[0].span).startswith("yucata/")


def test_a_whole_cost_is_told_with_its_amounts() -> None:
    assert explain("yucata", "actions.besiege_polis.cost").sentence == "Besiege Polis costs 1 prestige."


@pytest.mark.slow
def test_a_row_inherits_nothing_but_its_own() -> None:
    """Grade and citation of a value are those of the row around it, where it has no grade of its own."""
    row = explain("yucata", "tables.polis.thebai")
    territory, base = (explain("yucata", f"tables.polis.thebai.{each}") for each in ("territory", "base"))
    assert territory.cite == base.cite == row.cite
    assert (territory.grade, base.grade) == (row.grade, "print_and_play") != (base.grade, base.grade)
    assert base.sentence == f"Thebai: base {base.value} cubes."


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("actions.build_a_hat", "actions.build_a_hut"),
        ("action.build_a_hut.cost.wood", "actions.build_a_hut.cost.wood"),
        ("tables.tile.forrest.worth", "tables.tile.forest.worth"),
        ("graphs.shallows.edges.a1-b9", "graphs.shallows.edges.a1-b1"),
    ],
)
def test_an_unknown_path_names_the_nearest(path: str, near: str) -> None:
    """A slip of one letter is answered with the path that was meant."""
    with pytest.raises(UnknownPathError, match=near.replace(".", r"\.")):
        explain(ISLES, path)


def test_an_empty_path_is_unknown() -> None:
    """There is nothing to explain about nothing."""
    with pytest.raises(UnknownPathError):
        explain(ISLES, "")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["polis", *map(str, arguments)])
    try:
        main()
    except SystemExit as leave:
        return int(leave.code or 0)
    return 0


def test_the_command_prints_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Value, sentence, place, citation, layers."""
    assert run(monkeypatch, "explain", ISLES, "terms.hut_price.is") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "terms.hut_price.is = 1"
    assert "  quoted: own, huts [Written for these tests]" in lines
    assert lines[-2] == "Layers:"


def test_the_command_prints_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variants: list[Path]
) -> None:
    """The same as data."""
    dear = variants[0]
    assert run(monkeypatch, "explain", ISLES, "terms.hut_price.is", "--variant", dear, "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["value"], data["grade"], data["cited_before"]) == ("2", "quoted", "variant dear")
    place = dict.fromkeys(("file", "line", "column", "end_line", "end_column"))
    assert data["layers"][1] | place == {
        "layer": "variant dear", "kind": "change", "path": "terms.hut_price.is", "old": "1", "new": "2",
        "why": "Huts go up too quickly.", "where": None, **place,
    }  # fmt: skip


def test_the_command_fails_on_an_unknown_path(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 1, the message on standard error."""
    assert run(monkeypatch, "explain", ISLES, "terms.hut_prise") == 1
    assert "did you mean 'terms.hut_price'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("besiege_polis", "actions.besiege_polis"),
        ("besige_polis.cost", "actions.besiege_polis.cost"),
        ("athenai", "tables.polis.athenai"),
    ],
)
def test_an_id_alone_leads_to_its_path(path: str, known: str) -> None:
    """A rule or row that is asked for without its section is named with it."""
    with pytest.raises(UnknownPathError, match=f"did you mean '{known}'"):
        explain("yucata", path)


def test_the_code_of_a_finding_is_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`polis explain CODE` prints the entry of docs/errors.md, or names the nearest code."""
    assert run(monkeypatch, "explain", "unknown-name") == 0
    assert "A name stands for nothing here." in capsys.readouterr().out
    assert run(monkeypatch, "explain", "unknwon-name") == 1
    assert "did you mean 'unknown-name'?" in capsys.readouterr().err
    assert run(monkeypatch, "explain", "yucata") == 1
    assert "say what of 'yucata' is to be explained" in capsys.readouterr().err


def test_the_use_of_a_library_is_explained_by_its_name() -> None:
    """Which library it is, what it needs, and where it is used."""
    explained = explain(Path(__file__).parent / "rulesets" / "agora", "trade")
    assert explained.value == "library sealed_auction" and "first_of_equals" in explained.sentence
    assert str(explained.span) == "agora/ruleset.yaml:10:14"
