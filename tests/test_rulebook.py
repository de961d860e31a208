"""The rulebook: rules in words.

The page of the first edition is kept in tests/golden. When rules or renderer change on purpose, read the new page
and refresh it with one command:

    polis rulebook yucata > tests/golden/rulebook_yucata.md
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.little_ruleset import little
from support.reading import page_of
from support.sampling import sampled
from support.small_ruleset import small

import polis_rules.documentation.rulebook
from polis_rules.diagnostics.span import Span
from polis_rules.documentation.rulebook import Example, markdown, rulebook, sentence
from polis_rules.documentation.rulebook.book import Book, read
from polis_rules.documentation.rulebook.clauses import Clauses
from polis_rules.documentation.rulebook.items import in_line, in_list
from polis_rules.documentation.rulebook.making import making
from polis_rules.documentation.rulebook.rules import Rules
from polis_rules.documentation.rulebook.sentences import Sentences
from polis_rules.publishing import with_examples
from polis_rules.semantics.expressions.scope import Scope
from polis_rules.semantics.expressions.types import Type
from polis_rules.source.tree import Mapping, Node, Text

HERE = Path(__file__).parent
GOLDEN = HERE / "golden" / "rulebook_yucata.md"
SMALL = sorted(path.parent for path in (HERE / "rulesets").glob("*/ruleset.yaml"))
EVERY: list[str | Path] = ["yucata", *SMALL]


@cache
def book(ruleset: str | Path) -> Book:
    return read(ruleset)


def isles() -> Book:
    return book(HERE / "rulesets" / "random_isles")


def said(text: str, topic: str = "place") -> str:
    """An expression over the isles in words; `who` is a player, `place` a cell, `g` a good."""
    names = {"who": Type("ref", "player"), "place": Type("ref", "cell"), "you": Type("ref", "player")}
    found = isles().check(Text(text, Span("test", 1, 1, 1, len(text) + 1)), Scope().having(**names))
    assert found is not None, text
    say = Clauses(isles()).about(topic)
    return say.clause(found) if found.type.base == "bool" else say.text(found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("place.huts[you]", "your huts in it"),
        ("place.huts[you] > 0", "you have huts in it"),
        ("place.huts[you] == 0", "you have no huts in it"),
        ("place.huts[you] < 3", "you have fewer than 3 huts in it"),
        ("not place.huts[you] < 3", "you have at least 3 huts in it"),
        ("place.huts[you] >= place.huts[who]", "your huts in it are at least the tribe's huts in it"),
        ("you.stock[wood] >= 2", "you have at least 2 wood"),
        ("place.tile is none", "it has no tile"),
        ("place.tile is not none and not place.tile.is_reef", "it has a tile and its tile is not a reef"),
        ("place.tile is none or place.tile.worth > 3", "it has no tile or its tile's worth is more than 3"),
        ("not (place == a1 and you == who)", "it is not A1 or you are not the tribe"),
        ("place in {a1, b1}", "it is either A1 or B1"),
        ("place not in a1.ferries", "it is not among A1's ferries"),
        ("controls(you, place)", "you control it"),
        ("not controls(you.rival, place)", "your rival does not control it"),
        ("toll(you, place) + 1", "your toll in it plus 1"),
        ("2 * (hut_price + 1)", "2 times (the hut price plus 1)"),
        ("3 if bridge_stands else 4", "3 if the bridge stands, otherwise 4"),
        ("route_exists(sail(you), you.ship, place)", "you have a sail route from your ship to it"),
        ("cheapest_route(sail(you), a1, place)", "the cost of your cheapest sail route from A1 to it"),
        ("any(c.huts[you] > 0 for c in cell)", "there is a position in which you have huts"),
        ("not any(controls(you, c) for c in cell)", "there is no position that you control"),
        ("all(p.huts > 0 for p in player)", "every tribe has huts in reserve"),
        ("count(c for c in cell if c.huts[you] > 0)", "the number of positions in which you have huts"),
        ("sum(c.huts[you] for c in cell)", "your huts in all positions"),
        ("sum(you.stock[g] for g in good)", "your goods of all goods"),
        ("max(you.huts, 2)", "the higher of your huts in reserve and 2"),
        ("you.stock[wood] // 2", "half of your wood, rounded down"),
        ("order(place) > order(a1)", "it comes after A1 in the list"),
        ("possible(gather)", "Gather what the isle of your ship yields is possible"),
    ],
)
def test_an_expression_becomes_plain_english(text: str, words: str) -> None:
    """Each form of the expression language has its words."""
    assert said(text) == words


def test_inside_a_comprehension_it_is_the_inner_member() -> None:
    """The outer topic is called by its name there, so `it` never means two things."""
    assert said("any(c.tile == place.tile for c in cell)") == "there is a position whose tile is that position's tile"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("actions.build_a_hut.cost.wood", "Build a hut costs wood equal to the hut price."),
        (
            "actions.build_a_hut.requires.a_hut_is_left",
            "Build a hut requires: a hut is left (you have huts in reserve).",
        ),
        (
            "actions.build_a_hut.choose.site.where.room_for_a_hut",
            "Build a hut, site: room for a hut (you have fewer than 3 huts in it).",
        ),
        ("actions.build_a_hut.do", "Build a hut: Move 1 from your huts in reserve to your huts in the site."),
        ("tables.tile.forest", "Forest (tile): worth 2; yields 2 wood."),
        ("tables.tile.forest.yields.wood", "Forest: yields 2."),
        (
            "tables.season.autumn.changes.hut_price",
            "While Autumn is in force, 'hut price' is the usual value plus 1.",
        ),
        ("graphs.shallows.edges.c2-a2", "Shallows lead from C2 to A2, not back."),
        ("graphs.ferry_lines", "Ferry lines join each position with its ferries."),
        ("routes.sail.also.bridge", "'Sail' also goes over bridge while the bridge stands."),
        (
            "terms.toll.is",
            "'Toll' (who and place) is the huts of the tribe's rival in that position; while Winter is in force, "
            "'toll' is the usual value plus 1 if the tribe has no huts in that position.",
        ),
        (
            "supplies.huts",
            "Huts: each tribe has 9; in reserve: the tribe's huts in reserve; on the isles: the tribe's huts "
            "in all positions.",
        ),
        (
            "invariants.three_huts_at_most",
            "Three huts at most: for every position, every tribe has at most 3 huts in it.",
        ),
        ("endings.year_is_over", "The game can end like this: The year is over."),
        ("score.terms.wood", "The score counts wood: half of the tribe's wood, rounded down."),
        ("scenario.start.player.north.ship", "At the start, ship: North A1."),
    ],
)  # fmt: skip
def test_every_sort_of_part_has_a_sentence(path: str, words: str) -> None:
    """Rows, edges, routes, terms, actions and their parts, supplies, the end and the start."""
    assert sentence(isles(), path) == words


def test_steps_become_a_numbered_list() -> None:
    """Loops, branches, decisions and calls show what belongs to them by how far it is set in."""
    steps = Rules(isles()).steps("phases.three_deeds")
    assert in_list(steps) == [
        "1. Do this 3 times:",
        "   1. Choose an action as the deed ('What does your tribe do?'):",
        "      1. It is possible.",
        "      2. Or instead:",
        "         1. 'Rest until the next season':",
        "            1. Gain 1 wood.",
        "   2. If a deed was chosen:",
        "      1. Perform the deed: pay its cost, choose, and do what it says.",
        "   3. Otherwise:",
        "      1. Stop repeating this.",
    ]


def test_chance_secrets_and_endings_have_words() -> None:
    """Draws, rolls, secret choices, other actors and the end are told with their particulars."""
    bids, race = (book(HERE / "rulesets" / name) for name in ("sealed_bids", "dice_race"))
    assert "Choose the amount, a number from the least bid (1) to your coins" in page_of(bids)
    assert "at the same time, and sees what the others do only after all have finished" in page_of(bids)
    assert "the taker is 'you' for this: do what the item says under 'when sold'" in sentence(bids, "procedures.award")
    assert sentence(race, "actions.sprint.do").startswith("Sprint: Roll 2d4: the result is the eyes.")
    drawn = "of which the number in pile is more than 0, each as likely as the number of it in pile, if there is one"
    assert drawn in sentence(race, "procedures.draw_a_card")
    assert "The game ends: A runner reaches the goal. That runner wins" in page_of(race)


def test_endless_loops_own_hands_and_own_victories_are_told_as_people_do(tmp_path: Path) -> None:
    endless = "    - repeat:\n        while: true\n        do: [{each: you, in: player, do: [turn]}]\n"
    game = f"phases:\n  game:\n{endless}  turn:\n"
    folder = small(tmp_path, "- end: over\n  winner: you\n", game=game)
    path = folder / "things.yaml"
    hand = "    state:\n      hand: {type: list of region, at_most: 9, seen_by: viewer == it}\n"
    path.write_text(path.read_text("utf-8").replace("    state:\n", hand, 1), "utf-8")
    page = page_of(book(folder))
    assert "1. Do this again and again:" in page and "All is over. You win." in page
    assert "- Hand: seen only by that player." in page
    assert "## Sources" not in page


def test_a_requirement_is_its_label_with_the_exact_condition() -> None:
    """What a player hears when it does not hold comes first; what exactly is asked stands in brackets."""
    text = sentence(book("yucata"), "actions.besiege_polis")
    assert "you must control its territory (you control its territory)" in text
    assert "(your units in its territory are at least its base)" in text
    assert text.startswith("Besiege Polis. Pay 1 prestige. Choose a polis as the target ('Which polis?'): [")


def test_a_path_to_nothing_is_a_key_error() -> None:
    """There is no sentence about what is not there."""
    with pytest.raises(KeyError):
        sentence(isles(), "actions.build_a_hat")


def every_path(node: Node, keys: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if keys:
        yield keys
    if isinstance(node, Mapping):
        for key, value in node.entries.items():
            yield from every_path(value, (*keys, str(key)))


@pytest.mark.parametrize("ruleset", sampled(EVERY, every=3, slow=2, name=lambda each: Path(each).name))
def test_every_path_has_a_sentence(ruleset: str | Path) -> None:
    """Each is one line that begins large and ends with a stop."""
    opened = book(ruleset)
    for keys in every_path(opened.composed.tree):
        text = Sentences(opened).sentence(list(keys))
        assert text[-1] in ".?!:" and "\n" not in text and "  " not in text, (keys, text)
        assert not text.lstrip("'")[0].islower(), (keys, text)


@pytest.mark.parametrize("ruleset", sampled(EVERY, every=3, slow=2, name=lambda each: Path(each).name))
def test_no_sentence_of_a_rule_is_left_in_code(ruleset: str | Path) -> None:
    """Actions, procedures, phases, routes, terms and scores read without operators, indexes or underscores."""
    opened = book(ruleset)
    for section in ("actions", "procedures", "phases", "routes", "terms", "invariants", "endings"):
        names = opened.composed.tree.get(section)
        for name in names.entries if isinstance(names, Mapping) else ():
            text = Sentences(opened).sentence([section, str(name)])
            assert not re.search(r"[=<>_{}]|\[you\]|\w\(|\.\w", text), (section, name, text)


def test_one_line_and_list_say_the_same() -> None:
    """Brackets in the line stand for what is set in in the list."""
    steps = Rules(isles()).steps("procedures.storm")
    words = {word.strip("[]().:;,").lower() for word in in_line(steps).split()}
    listed = {word.strip("[]().:;,").lower() for line in in_list(steps, numbered=False) for word in line.split()}
    assert words - {""} == listed - {"", "-"}


def test_the_page_is_the_golden_one() -> None:
    """The rulebook of the first edition reads as it was proofread; see the top of this file for how to refresh it."""
    opened = book("yucata")
    assert markdown(with_examples(rulebook(opened), opened, "yucata")) == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("ruleset", sampled(EVERY, every=3, slow=2, name=lambda each: Path(each).name))
def test_the_page_names_every_rule_and_row(ruleset: str | Path) -> None:
    """Each action, procedure, route and row is on it, but for what is told elsewhere, and each term that these ask."""
    opened = book(ruleset)
    page = page_of(opened)
    derived = {str(name) for name, kind in opened.document.kinds.items() if kind.for_each or kind.numbers}
    derived |= {setting.kind for setting in opened.composed.settings.values()}  # told where the setting is
    kinds = [kind for kind in opened.rules.symbols.kinds.values() if kind.name not in derived]
    titles = [title for kind in kinds for title in kind.titles]
    made = making(opened)
    made.made()
    assert made.folding is not None
    asked = [*made.folding.asked]
    rules = [path for path in opened.rules.procedures if path.startswith(("phases.", "procedures."))]
    titles += [opened.rule(path) for path in rules if path not in made.told_here and made.steps(path)]
    titles += [
        name.replace("_", " ").capitalize()
        for name in [*asked, *opened.rules.symbols.routes]
        if name not in opened.composed.settings
    ]
    titles += [f"- {setting.title or name.capitalize()}: " for name, setting in opened.composed.settings.items()]
    assert [title for title in titles if title not in page] == []


@pytest.mark.parametrize(
    "module", [each.name for each in pkgutil.iter_modules(polis_rules.documentation.rulebook.__path__)]
)
def test_the_examples_in_docstrings_are_true(module: str) -> None:
    """Each example in the package's docstrings gives what it shows."""
    assert doctest.testmod(importlib.import_module(f"polis_rules.documentation.rulebook.{module}")).failed == 0


def test_without_examples_in_its_book_a_ruleset_has_some_from_its_cases() -> None:
    """Each is the first of a file with something to tell."""
    agora = HERE / "rulesets" / "agora"
    last = with_examples(rulebook(book(agora)), book(agora), agora).chapters[-1]
    assert (last.title, 0 < len(last.sections) <= 6) == ("Examples", True)
    assert all(isinstance(block, Example) and block.sentences for section in last.sections for block in section.blocks)


PLAY = "score: {terms: {points: 0}}\nphases: {game: {do: [{end: over}]}}\n"


def test_an_attribute_with_a_title_is_called_by_it(tmp_path: Path) -> None:
    kind = "  region:\n    state: {heat: 0..9,"
    folder = little(tmp_path, "terms:\n  cold: {of: {place: region}, is: place.heat < place.is_high}\n" + PLAY)
    path = folder / "all.yaml"
    titled = "  region:\n    attributes: {is_high: {type: 0..9, default: 2, title: height}}\n    state: {heat: 0..9,"
    text = path.read_text("utf-8").replace(kind, titled, 1).replace("{north: {}", "{north: {is_high: 4}", 1)
    path.write_text(text, "utf-8")
    told = book(folder)
    assert "| region | height |" in page_of(told)
    assert "height 4" in sentence(told, "tables.region.north")
    assert "less than that region's height" in sentence(told, "terms.cold")
