"""What a number counts is told wherever the number is, and changes no rule."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from lsprotocol.types import Position, Range
from support.editor import Editor
from support.small_ruleset import THINGS, findings, small

from polis_rules.board.facts import about, facts
from polis_rules.composition import compose
from polis_rules.documentation import Difference, diff
from polis_rules.documentation.rulebook import Table, read, rulebook, sentence
from polis_rules.language_server.abilities import hints
from polis_rules.language_server.hover import told
from polis_rules.language_server.workbench import Workbench
from polis_rules.pipeline import front
from polis_rules.source import node_at
from polis_rules.studio.trials import knobs
from polis_rules.validation import validate

FAIR = Path(__file__).parent / "errors" / "sound" / "fair"

COUNTED = {
    "pieces: 0..9": "pieces: {type: 0..9, unit: tokens}",
    "size: {type: 0..9, default: 1}": "size: {type: 0..9, unit: miles, default: 1}",
    "yields: {type: 0..9, per: good, default: 1}": "yields: {type: 0..9, unit: crates, per: good, default: 1}",
    "worth: {type: formula,": "worth: {type: formula, unit: points,",
    "coins: {type: 0..9, start: 3,": "coins: {type: 0..9, unit: pieces of silver, start: 3,",
    "  round: 0..9": "  round: {type: 0..9, unit: rounds}",
    "limit: {is: 5}": "limit: {is: 5, unit: tokens}",
}
"""How numbers are declared in the small ruleset, and how they are with a unit."""
STEPS = "- let: {kept: {type: 0..3, unit: tokens, title: kept}}\n- set: {kept: 2}"
SETTING = "settings: {length: {type: 1..6, unit: days, start: 3, title: Length}}\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return counting(tmp_path)


def counting(folder: Path) -> Path:
    """The small ruleset in which each number says what it counts."""
    text = THINGS
    for bare, counted in COUNTED.items():
        assert text.count(bare) == 1, bare
        text = text.replace(bare, counted)
    return small(folder / "counting", STEPS, SETTING, text)


def bare(folder: Path) -> Path:
    """The same without units."""
    return small(folder / "bare", *(re.sub(r"unit: \w+, ", "", text) for text in (STEPS, SETTING)))


def compared(folder: Path, variant: str) -> Difference:
    path = folder / "other.yaml"
    path.write_text(f"variant: other\ntitle: Other\nextends: small\n{variant}\n", "utf-8")
    rules = counting(folder)
    return diff(read(rules), read(rules, None, [path]))


def test_units_change_no_rule(tmp_path: Path) -> None:
    """What was recorded before a number had one is played again as before."""
    assert findings(counting(tmp_path)) == () and compose(counting(tmp_path)).hash == compose(bare(tmp_path)).hash


def test_only_what_is_no_rule_differs_when_units_are_new(tmp_path: Path) -> None:
    found = diff(read(bare(tmp_path)), read(counting(tmp_path)))
    units = {each.path: each.sentence for each in found.changes if each.section == "Units of numbers"}
    assert units["kinds.player.state.pieces.unit"] == "player, pieces: new unit: tokens."
    assert units["state.round.unit"] == "Round: new unit: rounds." and len(units) == len(COUNTED) + 1
    [other] = [each for each in found.changes if each.path not in units]
    assert other.path == "phases.turn" and other.section == "Anything else"  # a list is compared as a whole


def test_an_overlay_reaches_a_unit_and_may_add_and_remove_one(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        "change: {kinds.region.attributes.size.unit: {was: miles, to: leagues}}\n"
        "add: {kinds.player.state.stock.unit: crates}\nremove: {terms.limit.unit: }",
    )
    assert found.same_hash and {each.sentence for each in found.changes} == {
        "region, size: unit now leagues, was miles.",
        "player, stock: new unit: crates.",
        "Limit: no longer a unit: tokens.",
    }


@pytest.mark.parametrize(
    ("path", "codes"), [("state.round.unit", ["not-an-extension"]), ("supplies.pieces.places.unit", [])]
)
def test_a_unit_is_no_expression_to_be_extended_but_what_is_called_so_is(
    path: str, codes: list[str], tmp_path: Path
) -> None:
    things = THINGS.replace("      units: sum(", "      unit: sum(").replace("  round: 0..9", COUNTED["  round: 0..9"])
    variant = tmp_path / "other.yaml"
    variant.write_text(f"variant: other\ntitle: Other\nextends: small\nextend: {{{path}: base + 0}}\n", "utf-8")
    found = validate(small(tmp_path, things=things), variants=[variant]).findings
    assert [each.code for each in found if each.severity == "error"] == codes


def test_sentences_and_tables_say_what_is_counted(tmp_path: Path) -> None:
    book = read(counting(tmp_path))
    assert sentence(book, "kinds.region.attributes.size").startswith("Each region has size: 0 to 9 miles")
    assert "worth: a number of points" in sentence(book, "kinds.region.attributes.worth")
    assert "0 to 9 crates for each good" in sentence(book, "kinds.region.attributes.yields")
    assert "size 1 mile;" in sentence(book, "tables.region.north")
    assert "0 to 9 pieces of silver" in sentence(book, "kinds.player.state.coins")
    assert sentence(book, "terms.limit").endswith("; counted in tokens.")
    assert sentence(book, "terms.length") == "Length: 3 days (1 to 6)."
    blocks = [block for section in rulebook(book).sections for block in section.blocks]
    heads = {head for block in blocks if isinstance(block, Table) for head in block.heads}
    assert {"size (miles)", "yields (crates)", "worth (points)"} <= heads


def test_a_changed_value_is_told_with_what_it_counts(tmp_path: Path) -> None:
    [change] = compared(tmp_path, "add: {tables.region.north.size: 4}").changes
    assert change.sentence == "North: size 4 miles, was 1 mile."


def test_what_is_fixed_about_a_place_is_told_with_what_it_counts(tmp_path: Path) -> None:
    symbols = front(counting(tmp_path)).rules.symbols
    assert dict(about(symbols.kinds["region"], symbols))["region", "south"].startswith("size 1 mile")
    [table] = facts(symbols, [("region", "size")])
    assert table.columns == ("size (miles)",)


def test_the_studio_knows_what_a_setting_counts(tmp_path: Path) -> None:
    [knob] = knobs(counting(tmp_path), None, ())
    assert (knob.name, knob.unit) == ("length", "days")


def test_editors_tell_and_offer_it(home: Path, editor: Editor) -> None:
    file = home / "things.yaml"
    analysis = Workbench().about(file)
    assert analysis is not None
    assert told(analysis, "kinds.player.state.pieces").startswith("`pieces` (state of player): 0..9 tokens")
    file.write_text(file.read_text("utf-8").replace("north: {", "north: {size: 2, "), "utf-8")
    assert [each.label for each in hints(Workbench(), file, Range(Position(0, 0), Position(999, 0)))] == ["0..9 miles"]
    assert "unit" in editor.completions(file, "wet: {type: flag, ", "wet: {type: 0..1, |")
    assert editor.completions(file, "unit: miles", "unit: |") == set()


def test_words_of_a_library_stay_as_they_are_and_what_is_called_unit_does_not(tmp_path: Path) -> None:
    """A unit may sound like an expression over what the library needs; state may be called `unit`, and is renamed."""
    folder = Path(shutil.copytree(FAIR, tmp_path / "fair"))
    [path] = folder.glob("libraries/*/library.yaml")
    more = "state:\n  unit: prize or none\n  left: {type: 0..9, unit: tickets for prize in most}\n"
    path.write_text(path.read_text("utf-8").replace("state:\n", more), "utf-8")
    state = compose(folder).tree.get("state")
    assert node_at(state, "toys_left", "unit") == "tickets for prize in most"
    assert node_at(state, "toys_unit") == "toy or none"


def test_members_that_are_numbers_may_have_one(tmp_path: Path) -> None:
    things = THINGS.replace("  season: {}", "  season: {numbers: 1..4}").replace(
        "  season: {spring: {}, amber: {}}\n", ""
    )
    for type in ("season", "season or none", "set of season"):
        counted = f"  favourite: region\n  now: {{type: {type}, unit: months}}"
        assert findings(small(tmp_path, things=things.replace("  favourite: region", counted))) == ()
