"""`polis diff`: what differs between two rulesets, in sentences; and that nothing is missing."""

from __future__ import annotations

import json
import re
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest
from polis_cli.main import main
from support.sampling import sampled
from support.shipping import shipped
from support.small_ruleset import small

from polis_rules.composition.catalog import find_variant
from polis_rules.composition.overlay import leaves, plain
from polis_rules.documentation import COUNTED, condensed, diff
from polis_rules.documentation.rulebook.book import Book, read
from polis_rules.documentation.tree_diff import SECTIONS, Change, Difference
from polis_rules.publishing import changes_page
from polis_rules.schema import LEVELS
from polis_rules.source.tree import Mapping, Node

HERE = Path(__file__).parent
ISLES = HERE / "rulesets" / "random_isles"
SMALL = sorted(path.parent for path in (HERE / "rulesets").glob("*/ruleset.yaml"))
VARIANTS = sorted(
    (found[1], variant)
    for variant, folder in {name: each.path for each in shipped() for name, _ in each.variants}.items()
    if (found := re.search(r"^extends: (\w+)$", find_variant(variant, folder)[0].read_text("utf-8"), re.MULTILINE))
)
"""Each shipped variant with the ruleset that it is written for."""


@cache
def opened(ruleset: str | Path, *variants: str | Path) -> Book:
    return read(ruleset, variants=variants)


def with_variant(tmp_path: Path, operations: str, ruleset: Path = ISLES) -> Difference:
    """What a variant of the isles changes."""
    path = tmp_path / "trial.yaml"
    path.write_text(f"variant: trial\nextends: {ruleset.name}\n{operations}")
    return diff(opened(ruleset), read(ruleset, variants=(path,)))


def sentences(difference: Difference) -> list[str]:
    return [change.sentence for change in difference.changes]


# -- completeness ---------------------------------------------------------------------------------------------------

Ordered = dict[str, tuple[str, ...]]


def content(tree: Mapping) -> tuple[dict[str, str], Ordered]:
    """All values by path, and the order of ids where it is part of the rules, read off the tree itself."""
    values = {path: repr(value) for path, node in leaves(tree, "") if (value := plain(node)) != {}}  # empty is none
    for path in [each for each in values if each.startswith(("manifest.files", "manifest.scenario"))]:
        del values[path]
    orders: Ordered = {}
    unordered = {"kinds", "state", "tables", "graphs", "routes", "terms", "supplies", "invariants", "procedures",
                 "endings", "manifest"}  # fmt: skip

    def walk(node: Node, path: str) -> None:
        if isinstance(node, Mapping):
            is_rule = path.count(".") == LEVELS.get(path.split(".")[0], -1)  # the order of its keys says nothing
            if path and path not in unordered and not is_rule:
                orders[path] = tuple(str(key) for key in node.entries)
            for key, value in node.entries.items():
                walk(value, f"{path}.{key}" if path else str(key))

    walk(tree, "")
    return values, orders


def missing(first: Book, second: Book, difference: Difference) -> list[str]:
    """The paths that differ and that no change covers."""
    (one, order_one), (two, order_two) = content(first.composed.tree), content(second.composed.tree)
    paths = {change.path for change in difference.changes if change.kind != "routes"}

    def covered(path: str) -> bool:
        parts = path.split(".")
        above = {".".join(parts[:cut]) for cut in range(1, len(parts) + 1)}
        return bool(above & paths)

    values = [path for path in one.keys() | two.keys() if one.get(path) != two.get(path) and not covered(path)]
    moved = []
    for path in order_one.keys() & order_two.keys():
        shared = set(order_one[path]) & set(order_two[path])
        if [key for key in order_one[path] if key in shared] != [key for key in order_two[path] if key in shared]:
            moved += [] if covered(path) else [path]
    return sorted(values + moved)


@pytest.mark.parametrize(("ruleset", "variant"), sampled(VARIANTS, every=6, name="+".join, slow=2))
def test_no_difference_of_a_variant_is_missing(ruleset: str, variant: str) -> None:
    """Whatever a shipped variant alters is covered by a change, and there is one at all."""
    first, second = opened(ruleset), opened(ruleset, variant)
    difference = diff(first, second)
    assert difference.changes and not difference.same_hash
    assert missing(first, second, difference) == []


@pytest.mark.parametrize("other", sampled(["devir", *SMALL], every=4, name=lambda each: Path(each).name))
def test_no_difference_of_two_rulesets_is_missing(other: str | Path) -> None:
    """The same for two editions, and for rulesets that have nothing to do with each other, both ways around."""
    first, second = opened("yucata"), opened(other)
    assert missing(first, second, diff(first, second)) == []
    assert missing(second, first, diff(second, first)) == []


def test_the_same_rules_have_no_difference() -> None:
    """Compared with itself a ruleset has no change, and says so."""
    difference = diff(opened(ISLES), opened(ISLES))
    assert difference.changes == () and difference.same_hash
    assert difference.summary == "random_isles and random_isles have the same rules."


def test_how_rules_are_spread_over_files_is_no_difference(tmp_path: Path) -> None:
    """What the hash does not know of is not told either."""
    copy = tmp_path / "random_isles"
    shutil.copytree(ISLES, copy)
    manifest = copy / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("[map.yaml, play.yaml]", "[play.yaml, map.yaml]"))
    difference = diff(opened(ISLES), read(copy))
    assert difference.changes == () and difference.same_hash


def test_another_name_is_told_and_is_no_other_rule(tmp_path: Path) -> None:
    copy = tmp_path / "random_isles"
    shutil.copytree(ISLES, copy)
    manifest = copy / "ruleset.yaml"
    manifest.write_text(re.sub("(?m)^title: .*$", "title: Other isles", manifest.read_text()))
    difference = diff(opened(ISLES), read(copy))
    assert [change.path for change in difference.section("Names")] == ["manifest.title"]
    assert difference.summary == "random_isles and random_isles have the same rules."


@pytest.mark.slow
def test_no_path_is_told_twice() -> None:
    """Each difference is in exactly one place, and the order is always the same."""
    difference = diff(opened("yucata"), opened("devir"))
    written = [change.path for change in difference.changes if change.kind not in ("routes", "moved")]
    assert len(written) == len(set(written))
    assert difference == diff(opened("yucata"), opened("devir"))
    order = [list(SECTIONS).index(change.section) for change in difference.changes]
    assert order == sorted(order)


# -- what is said ---------------------------------------------------------------------------------------------------


def test_a_changed_value_is_told_with_what_it_was(tmp_path: Path) -> None:
    """By row and attribute; what no row said is compared by its default."""
    difference = with_variant(
        tmp_path,
        """
change:
  tables.tile.forest.worth: {was: 2, to: 3}
  tables.tile.forest.yields.wood: {was: 2, to: 1}
add:
  tables.tile.forest.yields.shells: 1
  tables.tile.grove.is_reef: true
""",
    )
    assert sentences(difference) == [
        "Forest: worth 3, was 2.",
        "Forest: yields of wood 1, was 2.",
        "Forest: yields of shells 1, was 0.",
        "Grove: is reef yes, was no.",
    ]
    assert {(change.section, change.group) for change in difference.changes} == {("Tables", "Tiles")}
    assert difference.summary == "random_isles and random_isles+trial differ in 4 places: 2 added, 2 changed."


def test_rows_and_rules_come_and_go_whole(tmp_path: Path) -> None:
    """One sentence says all there is to a new or a lost one."""
    difference = with_variant(
        tmp_path,
        """
remove:
  actions.raise_the_bridge: nobody builds it
add:
  tables.tile.swamp: {title: Swamp, worth: 1}
""",
    )
    assert sentences(difference) == [
        "Gone: Raise the bridge. Pay 1 wood and 1 shell. You may do this only if: not yet raised (the bridge does not "
        "stand). From now on, the bridge stands.",
        "New: Swamp (tile): worth 1; yields none.",
    ]


def test_parts_of_an_action_are_told_before_and_after(tmp_path: Path) -> None:
    """Cost, requirement and condition by themselves, not the whole action again."""
    difference = with_variant(
        tmp_path,
        """
change:
  actions.build_a_hut.cost.wood: {was: hut_price, to: 2}
  actions.build_a_hut.requires.a_hut_is_left: {was: you.huts > 0, to: you.huts > 1}
remove:
  actions.build_a_hut.choose.site.where.room_for_a_hut: as many as you like
""",
    )
    assert sentences(difference) == [
        "Build a hut costs 2 wood. Before: Build a hut costs wood equal to the hut price.",
        "Build a hut requires: a hut is left (you have more than 1 huts in reserve). "
        "Before: Build a hut requires: a hut is left (you have huts in reserve).",
        "Gone: Build a hut, site: room for a hut (you have fewer than 3 huts in it).",
    ]


def test_a_condition_with_a_sentence_of_its_own_is_told_once(tmp_path: Path) -> None:
    """It comes as a whole, though its condition and its sentence are two values."""
    condition = "{if: you.huts > 1, says: Keep a hut}"
    addition = f"add: {{actions.build_a_hut.choose.site.where.one_is_kept: {condition}}}"
    difference = with_variant(tmp_path, addition)
    assert sentences(difference) == ["New: Build a hut, site: Keep a hut (you have more than 1 huts in reserve)."]


def test_of_steps_only_the_different_sentences_are_told(tmp_path: Path) -> None:
    """Lines with a minus are gone, lines with a plus are new; what stays is not repeated."""
    difference = with_variant(
        tmp_path,
        """
replace:
  actions.raise_the_bridge.do:
    - set: {bridge_stands: true}
    - gain: {shells: 1}
""",
    )
    (change,) = difference.changes
    assert (change.sentence, change.lines) == ("Raise the bridge: what happens is different.", ("+ Gain 1 shell.",))


def test_a_removed_edge_tells_which_connections_change(tmp_path: Path) -> None:
    """networkx walks both maps: every pair of places whose shortest way differs is named once."""
    difference = with_variant(tmp_path, "remove:\n  graphs.shallows.edges.a1-b1: a storm took it\n")
    gone, travel = difference.changes
    assert gone.sentence == "Gone: Shallows join A1 and B1."
    assert travel.kind == "routes" and travel.path == "routes.sail"
    assert "A1 to B1: 2 steps, was 1 step" in travel.lines
    assert travel.sentence == "Sail: 1 connection changes, when nothing stands in the way."
    assert "1 changed" not in difference.summary


def test_a_name_of_one_letter_is_told_as_it_is(tmp_path: Path) -> None:
    """A number that is called by a letter has no kind to be called by."""
    path = tmp_path / "letters.yaml"
    path.write_text("variant: letters\nadd:\n  terms.more: {of: {n: 0..5}, is: n + 1}\n", "utf-8")
    assert sentences(diff(read(ISLES), read(ISLES, None, (path,)))) == ["New: 'More' (n) is n plus 1."]


def test_settings_are_told_first_by_their_titles(tmp_path: Path) -> None:
    settings = "settings: {siege_die: {type: 4..12, title: Sides}, harsh: flag}\n"
    difference = with_variant(tmp_path, settings)
    assert [(change.section, change.sentence) for change in difference.changes] == [
        ("Settled before play", "New: Sides: 4 (4 to 12)."),
        ("Settled before play", "New: Harsh: no (no or yes)."),
        ("Names", "New: Players: 2."),
    ]
    assert difference.summary.endswith("differ in 2 places: 2 added.")
    path = tmp_path / "trial.yaml"
    other = diff(read(ISLES, variants=(path,)), read(ISLES, variants=(path, "siege_die=6")))
    assert sentences(other) == ["Sides: 6 (4 to 12). Before: Sides: 4 (4 to 12)."]


def test_what_says_nothing_of_a_scenario_is_counted(tmp_path: Path) -> None:
    """Its id says how it is called."""
    copy = tmp_path / "random_isles"
    shutil.copytree(ISLES, copy)
    (used,) = {path.name for path in (copy / "scenarios").glob("*.yaml")} & {"standard.yaml", "random.yaml"}
    text = (copy / "scenarios" / used).read_text("utf-8")
    (copy / "scenarios" / "other.yaml").write_text(
        re.sub("^scenario: .*", "scenario: other", text, flags=re.M), "utf-8"
    )
    assert {change.section for change in diff(opened(ISLES), read(copy, "other")).changes} == {"Names"}


def test_an_order_that_counts_is_told(tmp_path: Path) -> None:
    """Rows are hashed in their order, for `next` and `first` depend on it."""
    copy = tmp_path / "random_isles"
    shutil.copytree(ISLES, copy)
    path = copy / "map.yaml"
    north, south = "    north: {title: North", "    south: {title: South"
    lines = path.read_text().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith(north))
    assert lines[at + 1].startswith(south)
    lines[at : at + 2] = lines[at + 1], lines[at]
    path.write_text("".join(lines))
    (change,) = diff(opened(ISLES), read(copy)).changes
    assert (change.kind, change.sentence) == ("moved", "Tribes: another order, now south and north.")


def test_what_words_cannot_tell_is_told_as_written(tmp_path: Path) -> None:
    """Another way to write the same gives another hash, so it is in the last section."""
    difference = with_variant(tmp_path, "change:\n  terms.hut_price.is: {was: 1, to: (1)}\n")
    (change,) = difference.changes
    assert change.section == "Anything else"
    assert change.sentence == "terms.hut_price.is is written (1), was 1; in words it is the same."


def test_a_value_that_held_before_it_was_written_is_told_only_among_all(tmp_path: Path) -> None:
    """It gives another hash and changes nothing that a player would be told; another value does."""
    difference = with_variant(tmp_path, "add: {tables.tile.forest.is_reef: false, tables.tile.grove.is_reef: true}\n")
    assert [change.path for change in difference.changes if change.changes_nothing] == ["tables.tile.forest.is_reef"]
    assert [change.sentence for change in condensed(difference.changes)] == ["Grove: is reef yes, was no."]


def test_a_value_that_held_before_it_was_written_is_not_on_the_page(tmp_path: Path) -> None:
    """Nor is a chapter that would have nothing else."""
    path = tmp_path / "trial.yaml"
    path.write_text("variant: trial\nextends: random_isles\nadd: {tables.tile.forest.is_reef: false}\n")
    before, after = opened(ISLES), read(ISLES, variants=(path,))
    assert diff(before, after).changes
    assert "reef" not in changes_page(before, after) and "Anything else" not in changes_page(before, after)


def test_a_rule_that_is_written_as_a_list_only_is_compared_too(tmp_path: Path) -> None:
    """A phase whose steps stand right below its name differs where these do."""
    before, after = (small(tmp_path / coins, f"- gain: {{coins: {coins}}}") for coins in ("1", "2"))
    (change,) = diff(read(before), read(after)).changes
    assert change.path == "phases.turn" and change.lines == ("- Gain 1 coin.", "+ Gain 2 coins.")


def test_titles_and_sources_are_told_apart(tmp_path: Path) -> None:
    """They are part of the hash but no change of play."""
    difference = with_variant(
        tmp_path,
        """
change:
  actions.gather.title: {was: Gather what the isle of your ship yields, to: Gather}
add: {actions.gather.ruling: So it was played.}
""",
    )
    assert [(change.section, change.sentence) for change in difference.changes] == [
        ("Titles", "Gather what the isle of your ship yields is now called Gather."),
        ("Citations, grades and rulings", "Gather: new ruling: So it was played."),
    ]
    assert difference.summary.endswith("2 of these are titles, units, texts, citations, grades and rulings.")


def test_another_title_of_state_is_no_change_of_play(tmp_path: Path) -> None:
    """State whose type and title both differ is told whole; one that is itself called `title` has no other title."""
    named = "change: {kinds.player.state.ship.title: {was: ship, to: boat}}"
    (change,) = with_variant(tmp_path, named).changes
    assert (change.section, change.sentence) == ("Titles", "Tribe, ship: title now boat, was ship.")
    both = "replace: {kinds.player.state.huts: {type: 0..10, title: boat}}"
    (change,) = with_variant(tmp_path, both).changes
    assert change.section == "Things and state" and "boat" in change.sentence
    (change,) = with_variant(tmp_path, "add: {kinds.player.state.title: flag}").changes
    assert change.section == "Things and state"


def test_editions_name_things_as_the_second_one_does() -> None:
    """A reader of the newer box finds the names printed there."""
    changes = {change.path: change for change in diff(opened("yucata"), opened("devir")).changes}
    assert changes["tables.project.temple_of_zeus.cost.metal"].sentence == "Zeus: cost of metal gone, was 3."
    assert changes["actions.release_proxenos"].kind == "removed"
    connections = [change for change in changes.values() if change.kind == "routes"]
    assert any("Aegyptos" in line for change in connections for line in change.lines)


# -- the command ----------------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["polis", *map(str, arguments)])
    try:
        main()
    except SystemExit as leave:
        return int(leave.code or 0)
    return 0


@pytest.mark.slow
def test_the_command_takes_variants_as_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in every command; without B, A is compared with itself."""
    ruleset, variant = VARIANTS[0]
    assert run(monkeypatch, "diff", ruleset, ruleset, "--variant-b", variant) == 0
    told = capsys.readouterr().out
    assert run(monkeypatch, "diff", ruleset, "--variant-b", variant) == 0
    assert capsys.readouterr().out == told
    assert told.startswith(f"{ruleset} and {ruleset}+{variant} differ in ")


def test_the_command_prints_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Path, kind, before, after and sentence of every change."""
    path = tmp_path / "trial.yaml"
    path.write_text("variant: trial\nchange:\n  tables.tile.forest.worth: {was: 2, to: 3}\n")
    assert run(monkeypatch, "diff", ISLES, "--variant-b", path, "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["same_hash"] is False
    assert data["changes"] == [
        {
            "path": "tables.tile.forest.worth", "kind": "changed", "section": "Tables", "group": "Tiles",
            "subject": "Forest", "before": "2", "after": "3", "sentence": "Forest: worth 3, was 2.", "lines": [],
                "cell": {"called": "worth", "before": "2", "after": "3"},
        }
    ]  # fmt: skip


@pytest.mark.slow
def test_a_scenario_is_a_difference_too() -> None:
    """Two set-ups of one ruleset differ in their starts, and the summary names the unusual one."""
    others = [(each.name, name) for each in shipped() for name, _ in each.scenarios]
    ruleset, scenario = next((name, each) for name, each in others if each != opened(name).composed.scenario)
    difference = diff(opened(ruleset), read(ruleset, scenario))
    assert f"({scenario})" in difference.summary
    starts: list[Change] = difference.section("Set-up")
    assert starts and all(change.path.startswith("scenario.") for change in starts)


# -- in short -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_long_difference_begins_with_what_a_player_wants_to_know() -> None:
    """At most ten sentences, made of what the rules are called; of a short one there are none."""
    told = diff(opened("yucata"), opened("devir")).headlines
    assert len(told) == 10
    wanted = (
        "3 rounds instead of 4.", "without Metal and Oil", "no longer an action, but part of Ransom",
        "Poleis have siege discs.",
    )  # fmt: skip
    assert all(any(each in line for line in told[:4]) for each in wanted), told
    assert diff(opened("yucata"), opened("yucata", "battles_of_seven")).headlines == ()


@pytest.mark.slow
def test_two_editions_are_told_in_250_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Titles and citations are counted at the end; with --all each stands by itself."""
    assert run(monkeypatch, "diff", "yucata", "devir") == 0
    text = capsys.readouterr().out
    assert text.count("\n") <= 250
    assert "other citations" in text.partition("Besides")[2] and "is now called" not in text
    assert run(monkeypatch, "diff", "yucata", "devir", "--all") == 0
    assert "is now called" in capsys.readouterr().out


def test_condensed_changes_leave_out_no_row() -> None:
    """Each row that is gone, new or different is named; rows that change alike share a line."""
    changes = diff(opened("yucata"), opened("devir")).changes
    rows = [each for each in changes if each.path.startswith("tables.") and each.section not in COUNTED]
    lines = [each.sentence for each in condensed(changes) if each.path.startswith("tables.")]
    assert len(lines) * 2 < len(rows)
    assert all(any(each.subject in line for line in lines) for each in rows)
    whole = [each for each in changes if each.section not in COUNTED and not each.path.startswith("tables.")]
    assert whole == [each for each in condensed(changes) if each in whole]
