"""The fixed part of the language: what a tree becomes, and what is said where it does not fit."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from polis_rules.diagnostics.codes import explanations
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.span import Span
from polis_rules.pipeline import documented
from polis_rules.schema import steps
from polis_rules.schema.building import build
from polis_rules.schema.document import Document
from polis_rules.schema.export import export_schemas
from polis_rules.schema.shape_errors import read_as
from polis_rules.schema.types import TypeSpec, parse_type
from polis_rules.source.reader import read_text
from polis_rules.source.tree import Mapping, Text

GAME = """\
manifest: {format: 2, ruleset: demo, title: Demo, files: [a.yaml]}
kinds:
  player:
    state:
      coins: {type: 0..9, spendable: true}
      hand: {per: {holder: player}, type: 0..5, seen_by: viewer == holder}
  space:
    title: Space
    attributes:
      price: 0..9
      worth: {type: formula, of: {times: number}}
      ways: {per: [player, space], type: 0..3, default: 0}
      size: {per: space, type: 0..3, default: 0}
  card:
    attributes:
      now: effects
      later: {type: effects, per: player}
tables:
  player: {red: {title: Red, cite: "book, 3", grade: quoted, ruling: as told}, blue: {}}
  card:
    fox:
      now: [rest, stop]
      later: {red: [{gain: {coins: 2}}]}
graphs:
  road: {edges: {north-south: {one_way: true}}}
actions:
  buy:
    requires: you.coins > 1
    choose:
      target: {from: space, where: target.price < 3}
    do:
      - choose: place
        from: space
        where: {free: place != target}
        or: {none_at_all: {title: None}}
        do: [rest]
        leaving: you.coins > 0
procedures:
  rest: {of: {place: space}, do: []}
phases:
  game: [rest]
endings: {over: {}}
score: {terms: {coins: who.coins}}
"""


def read(text: str) -> tuple[Document | None, Diagnostics]:
    diagnostics = Diagnostics()
    tree = read_text(text, "demo.yaml", diagnostics)
    assert tree is not None and not diagnostics.items
    return build(tree, diagnostics), diagnostics


def document(text: str = GAME) -> Document:
    finding, diagnostics = read(text)
    assert finding is not None, diagnostics.items
    return finding


def errors(*changes: tuple[str, str]) -> list[Diagnostic]:
    """What is said of the game with some texts in place of others."""
    text = GAME
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} does not stand in the game just once"
        text = text.replace(old, new)
    _, diagnostics = read(text)
    assert diagnostics.has_errors
    assert all(item.code in explanations() for item in diagnostics.items)
    return diagnostics.items


def only_error(old: str, new: str) -> tuple[Diagnostic, str]:
    """The one finding about a changed game, and the text that it points at."""
    (finding,) = errors((old, new))
    assert finding.span is not None
    line = GAME.replace(old, new).splitlines()[finding.span.line - 1]
    return finding, line[finding.span.column - 1 : finding.span.end_column - 1]


def steps_of(text: str) -> list[Any]:
    """Steps, written as a list in one line."""
    return document(GAME.replace("{of: {place: space}, do: []}", text)).procedures[key("rest")].do


def key(name: str) -> Text:
    return Text(name, Span("", 0, 0, 0, 0))


class TestPlaces:
    """Names, expressions and rules keep their place in the file."""

    def test_values_and_keys_are_the_very_texts_of_the_tree(self) -> None:
        game = document()
        ((name, term),) = game.score.terms.items()
        assert isinstance(name, Text) and isinstance(term, Text)
        assert (str(term), term.span.line, term.span.column) == ("who.coins", GAME.count("\n"), 24)
        assert str(name.span) == f"demo.yaml:{GAME.count(chr(10))}:17"

    def test_a_step_has_the_place_of_its_verb(self) -> None:
        (step,) = steps_of("[{who: you, pay: {coins: 1}}]")
        assert (step.span.column, step.span.end_column - step.span.column) == (21, 3)

    def test_a_rule_has_the_place_of_its_mapping(self) -> None:
        assert document().graphs[key("road")].span.column == 9


class TestShortForms:
    """Every short form becomes what it is short for."""

    def test_a_bare_type(self) -> None:
        price = document().kinds[key("space")].attributes[key("price")]
        assert (price.type, price.per, price.default, price.of) == ("0..9", {}, None, {})
        assert (price.type.span.line, price.type.span.column) == (10, 14)

    def test_per_as_a_kind_a_list_or_a_mapping(self) -> None:
        kinds = document().kinds
        assert kinds[key("space")].attributes[key("size")].per == {"space": "space"}
        assert kinds[key("space")].attributes[key("ways")].per == {"player": "player", "space": "space"}
        assert kinds[key("player")].state[key("hand")].per == {"holder": "player"}

    def test_a_single_condition_is_labelled_after_its_key(self) -> None:
        buy = document().actions[key("buy")]
        assert buy.requires == {"requires": "you.coins > 1"}
        assert buy.choose[key("target")].where == {"where": "target.price < 3"}
        (step,) = buy.do
        assert isinstance(step, steps.Choose)
        assert (step.where, step.leaving) == ({"free": "place != target"}, {"leaving": "you.coins > 0"})
        (label,) = step.leaving
        assert label.span == step.leaving[label].span

    def test_a_phase_as_a_list(self) -> None:
        (step,) = document().phases[key("game")].do
        assert isinstance(step, steps.Do) and step.do == "rest"

    def test_bare_words_are_stop_or_something_to_do(self) -> None:
        first, second = steps_of("[rest, stop]")
        assert isinstance(first, steps.Do) and isinstance(second, steps.Stop)
        assert first.span == first.do.span

    def test_a_ruleset_without_a_scenario_has_one_that_changes_nothing(self) -> None:
        assert document().scenario.start == {}

    def test_sections_that_are_not_written_are_empty(self) -> None:
        game = document()
        assert (game.state, game.routes, game.terms, game.supplies, game.invariants) == ({}, {}, {}, {}, {})


class TestRows:
    """A row is what is said about it, the raw values of its attributes, and its steps."""

    def test_what_every_row_may_carry_is_no_attribute(self) -> None:
        red = document().tables[key("player")][key("red")]
        assert (red.title, red.cite, red.grade, red.ruling) == ("Red", "book, 3", "quoted", "as told")
        assert red.values == {}

    def test_steps_are_ready_and_raw_values_are_kept(self) -> None:
        fox = document().tables[key("card")][key("fox")]
        assert set(fox.values) == {"now", "later"}
        assert [type(step) for step in fox.effects[key("now")][()]] == [steps.Do, steps.Stop]
        ((index, (step,)),) = fox.effects[key("later")].items()
        assert index == ("red",) and isinstance(step, steps.Gain) and step.gain == {"coins": "2"}

    def test_a_mistake_in_the_steps_of_a_row_is_found_at_its_place(self) -> None:
        finding, at = only_error("{red: [{gain: {coins: 2}}]}", "{red: [{gian: {coins: 2}}]}")
        assert (finding.code, finding.advice, at) == ("unknown-verb", "did you mean 'gain'?", "gian")


STEPS = {
    "{choose: x, from: space}": steps.Choose,
    "{either: {stay: {}, go: {cost: {coins: 1}, do: [stop]}}, title: Which?}": steps.Either,
    "{repeat: {while: you.coins > 1, do: []}}": steps.Repeat,
    "{repeat: {times: 3, do: [rest]}}": steps.Repeat,
    "{repeat: {at_least: 1, finish: Done, do: [{choose: x, from: space}]}}": steps.Repeat,
    "{each: you, in: player, starting: red, do: [rest]}": steps.Each,
    "{together: you, in: player, do: [rest]}": steps.Together,
    "{if: you.coins > 1, then: [rest], else: [stop]}": steps.If,
    "{pay: {coins: 1}, who: you}": steps.Pay,
    "{gain: {coins: 1}}": steps.Gain,
    "{lose: {coins: 1}}": steps.Lose,
    "{move: 1, from: you.coins, to: place.coins}": steps.Move,
    "{sort: order_of_play, by: it.coins}": steps.Sort,
    "{shuffle: pile, stream: luck}": steps.Shuffle,
    "{give: pile}": steps.Give,
    "{set: {place.owner: you}}": steps.SetStep,
    "{let: {price: 2 + 3}}": steps.Let,
    "{roll: result, dice: 2d6, stream: luck}": steps.Roll,
    "{draw: x, from: card, weight: x.copies, if_possible: true}": steps.Draw,
    "{do: rest}": steps.Do,
    "{perform: buy}": steps.Perform,
    "{as: red, do: [rest]}": steps.As,
    "{end: over, winner: you}": steps.End,
    "stop": steps.Stop,
}


@pytest.mark.parametrize("text", STEPS)
def test_every_verb_has_its_own_model(text: str) -> None:
    (step,) = steps_of(f"[{text}]")
    assert type(step) is STEPS[text]


def test_all_verbs_are_tried_above() -> None:
    assert set(STEPS.values()) == set(steps.VERBS.values())


WRONG = {
    # what stands in the game, what replaces it; code, text pointed at, part of the message, part of the hint
    ("actions:\n", "actoins:\n", "unknown-section", "actoins", "no section 'actoins'", "'actions'"),
    ("requires: you", "require: you", "unknown-key", "require", "an action has no key", "'requires'"),
    ("{from: space, where: t", "{form: space, where: t", "unknown-key", "form", "a choice has", "'from'"),
    ("{from: space, where: t", "{where: t", "missing-key", "target", "a choice needs the key 'from'", ""),
    ("{free: place != target}", "{free: [x]}", "not-text", "[x]", "'free' must be an expression", ""),
    ("{free: place != target}", "{free: }", "not-text", "", "'free' must be an expression, but it is", ""),
    ("{free: place != target}", "{Is Free: a}", "invalid-id", "Is Free", "the key must be an id", ""),
    ("or: {none_at_all: {title: None}}", "or: [a]", "not-a-mapping", "[a]", "'or' must be a mapping", ""),
    ("do: [rest]", "do: rest", "not-a-list", "rest", "'do' must be a list, not 'rest'", ""),
    ("do: [rest]", "do: [pay]", "not-a-step", "pay", "'pay' needs a value", "'pay: ...'"),
    ("do: [rest]", "do: [rest(1)]", "not-a-step", "rest(1)", "entry 1 of 'do' must be", ""),
    ("do: [rest]", "do: [[rest]]", "not-a-step", "[rest]", "a mapping with a verb", ""),
    ("do: [rest]", "do: [{}]", "not-a-step", "{}", "but it is empty", ""),
    ("do: [rest]", "do: [{stop: now}]", "not-a-step", "stop", "'stop' is a step by itself", "- stop"),
    ("do: [rest]", "do: [{sett: {a: 1}}]", "unknown-verb", "sett", "'sett' is none", "'set'"),
    ("do: [rest]", "do: [{xyzzy: 1}]", "unknown-verb", "xyzzy", "no verb", "known: choose,"),
    ("do: [rest]", "do: [{pay: {a: 1}, gain: {a: 1}}]", "several-verbs", "gain", "'pay' and 'gain'", ""),
    ("do: [rest]", "do: [{pay: {a: 1}, do: rest}]", "several-verbs", "do", "'pay' and 'do'", ""),
    ("do: [rest]", "do: [{move: 1, to: a}]", "missing-key", "move", "a 'move' step needs the key 'from'", ""),
    ("do: [rest]", "do: [{repeat: {do: [rest]}}]", "unfit-keys", "repeat", "must begin with 'choose'", ""),
    ("do: [rest]", "do: [{repeat: {while: a, times: 1, do: []}}]", "unfit-keys", "times", "not both", ""),
    ("do: [rest]", "do: [{repeat: {times: 1, finish: a, do: []}}]", "unfit-keys", "finish", "'finish' do", ""),
    ("do: [rest]", "do: [{gain: {coins 1}}]", "not-text", "coins 1", "a colon is missing after 'coins'", "'coins: 1'"),
    ("do: [rest]", "do: [{gain: coins 1}]", "not-a-mapping", "coins 1", "'gain' must be", "missing after 'coins'"),
    ("do: [rest]", "do: [{set: {a: max(0, b - 3)}}]", "invalid-id", "b - 3)", "a comma has cut the", "quotes"),
    ("do: [rest]", "do: [{set: {nth(cell, 2).man: 1}}]", "invalid-id", "nth(cell", "that begins with", "quotes"),
    ("do: [rest]", "do: [{gain: {a: min(3, (b + 1) // 2)}}]", "invalid-id", "(b + 1) // 2)", "a comma has", "quotes"),
    ("one_way: true", "one_way: yes", "unfit-value", "yes", "'one_way' must be true or false, not 'yes'", ""),
    ("one_way: true", 'one_way: "true"', "unfit-value", "true", "must be true or false", ""),
    ("{edges: {north-south: {one_way: true}}}", "{}", "unfit-keys", "road", "'edges' or 'from'", ""),
    ("grade: quoted", "grade: sure", "unfit-value", "sure", "must be one of quoted,", ""),
    ("format: 2", "format: one", "unfit-value", "one", "'format' must be a whole number", ""),
    ("price: 0..9", "title: 0..9", "unfit-keys", "space", "cannot be called 'title'", ""),
    ("[player, space]", "[space, space]", "unfit-keys", "per", "one kind stands twice", "name each: {name: kind"),
    ("[player, space]", "[]", "unfit-value", "[]", "'per' must be a kind", ""),
    ("score: {terms", "score: {tarms", "unknown-key", "tarms", "the score has no key", "'terms'"),
}


@pytest.mark.parametrize(("old", "new", "code", "at", "message", "hint"), sorted(WRONG))
def test_a_mistake_is_reported_once_at_its_place_in_words(
    old: str, new: str, code: str, at: str, message: str, hint: str
) -> None:
    finding, text = only_error(old, new)
    assert (finding.code, text) == (code, at)
    assert message in finding.message and hint in (finding.advice or "")


def test_an_expression_stands_on_one_line() -> None:
    (finding,) = errors(("requires: you.coins > 1", "requires: |\n      you.coins\n      > 1"))
    assert finding.code == "not-text" and "on one line" in finding.message


def test_all_mistakes_are_reported_in_the_order_of_the_file() -> None:
    reported = errors(("one_way: true", "one_way: 3"), ("grade: quoted", "grade: sure"), ("do: [rest]", "do: [{}]"))
    assert [item.span.line for item in reported if item.span] == [19, 25, 36]


def test_what_cannot_be_read_always_has_a_finding() -> None:
    """A tree that fits no model is never left without a word, even where each objection was left to another."""
    nothing = Diagnostics()
    assert read_as(Document, Mapping({}, Span("demo.yaml", 1, 1, 1, 2)), nothing) is None
    assert [each.code for each in nothing.items] == ["unfit-value"]


NEEDED = {
    "  player:\n    state:": ("  person:\n    state:", "no kind 'player'", "kinds"),
    "  game: [rest]": ("  play: [rest]", "no phase 'game'", "phases"),
    "endings: {over: {}}": ("endings: {}", "no endings", "endings"),
    "score: {terms: {coins: who.coins}}\n": ("", "no score", ""),
}


@pytest.mark.parametrize("old", NEEDED)
def test_what_every_ruleset_needs_is_missed_at_its_section_or_at_the_manifest(old: str) -> None:
    new, message, section = NEEDED[old]
    finding, text = only_error(old, new)
    assert finding.code == "missing-section" and message in finding.message
    assert text == section if section else finding.span == Span("demo.yaml", 1, 32, 1, 36)


def test_an_empty_tree_misses_everything_and_breaks_nothing() -> None:
    finding, diagnostics = read("{}")
    assert finding is None and {item.code for item in diagnostics.items} == {"missing-section"}
    assert len(diagnostics.items) == 5


@pytest.mark.parametrize("section", [name for name in Document.model_fields if name != "span"])
@pytest.mark.parametrize("value", ["", "3", "[3]", "{a: }", "{a: 3}", "{a: [3]}", "{a: {a: 3}}", "{a: {a: {a: [{}]}}}"])
def test_nonsense_in_a_section_is_reported_and_never_raised(section: str, value: str) -> None:
    finding, diagnostics = read(f"{section}: {value}")
    assert finding is None and diagnostics.has_errors
    assert all(item.code in explanations() for item in diagnostics.items)
    said = " ".join(item.message for item in diagnostics.items)
    assert not re.search(r"pydantic|Unable|Input should|validation|does not fit here", said)


class TestTypes:
    """Declared types are taken apart, and nonsense is refused in words."""

    @pytest.mark.parametrize(
        ("text", "spec"),
        [
            ("0..45", TypeSpec("range", 0, 45)),
            ("-3 .. 3", TypeSpec("range", -3, 3)),
            ("0..999999999999999999", TypeSpec("range", 0, 10**18 - 1)),
            ("number", TypeSpec("number")),
            ("flag", TypeSpec("flag")),
            ("space", TypeSpec("ref", member_kind="space")),
            ("space or none", TypeSpec("ref", member_kind="space", maybe=True)),
            ("set of space", TypeSpec("set", member_kind="space")),
            ("text", TypeSpec("text")),
            ("effects", TypeSpec("effects")),
            ("formula", TypeSpec("formula")),
            ("changes", TypeSpec("changes")),
        ],
    )
    def test_sound(self, text: str, spec: TypeSpec) -> None:
        assert parse_type(text) == spec

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "is no type"),
            ("5..0", "is empty"),
            ("0..9000000000000000000", "is too wide: its ends lie between -999999999999999999 and 999999999999999999"),
            ("-1000000000000000000..0", "is too wide"),
            ("0..x", "is no type"),
            ("0...5", "is no type"),
            ("Space", "is no type"),
            ("list of space or none", "a list is never none"),
            ("lists of space", "is no type"),
            ("set of space or none", "never none"),
            ("set of number", "no kind"),
            ("number or none", "never none"),
            ("none", "no kind"),
        ],
    )
    def test_nonsense(self, text: str, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            parse_type(text)


class TestExport:
    """The exported JSON Schemas say to an editor what the loader says."""

    @pytest.mark.slow
    def test_they_are_sound_schemas_and_every_key_is_described(self) -> None:
        for name, schema in export_schemas().items():
            Draft202012Validator.check_schema(schema)
            for definition in (schema, *schema.get("$defs", {}).values()):
                for key, described in definition.get("properties", {}).items():
                    assert described.get("description"), f"{key} of {name}"

    def test_the_loaders_own_keys_do_not_show(self) -> None:
        keys = [key for schema in export_schemas().values() for key in _keys(schema)]
        assert "do" in keys and not [key for key in keys if not key.isidentifier()]

    @pytest.mark.slow
    def test_they_accept_the_shipped_rulesets_files(self) -> None:
        for manifest in sorted(RULESETS.glob("*/ruleset.yaml")):
            _, game = documented(manifest.parent)
            schemas = {name: Draft202012Validator(each) for name, each in export_schemas(game).items()}
            files = [str(name) for name in game.manifest.files]
            kinds = {"ruleset": [manifest], "sections": [manifest.parent / name for name in files]}
            kinds["scenario"] = sorted(manifest.parent.glob("scenarios/*.yaml"))
            for kind, paths in kinds.items():
                for path in paths:
                    assert not [each.message for each in schemas[kind].iter_errors(_plain(path))], path.name

    def test_they_accept_the_shipped_variants(self) -> None:
        schema = Draft202012Validator(export_schemas()["variant"])
        for path in sorted(RULESETS.glob("variants/*.yaml")):
            assert not [each.message for each in schema.iter_errors(_plain(path))], path.name

    @pytest.mark.parametrize(
        "text",
        [
            "terms: {limit: {is: }}",
            "terms: {Limit: {is: 3}}",
            "phases: {game: 3}",
            "procedures: {rest: {do: [{pay: {coins: 1}, gain: {coins: 1}}]}}",
            "procedures: {rest: {do: [{stop: 1}]}}",
            "actions: {dig: {if_possible: true}}",
            "surprise: {}",
        ],
    )
    def test_they_refuse_what_the_loader_refuses(self, text: str) -> None:
        assert not Draft202012Validator(export_schemas()["sections"]).is_valid(YAML(typ="safe", pure=True).load(text))


RULESETS = Path(__file__).resolve().parent.parent / "rulesets"


def _plain(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(io.StringIO(path.read_text(encoding="utf-8")))


def _keys(schema: dict[str, Any]) -> set[str]:
    definitions = (schema, *schema.get("$defs", {}).values())
    return {key for each in definitions for key in each.get("properties", {})}
