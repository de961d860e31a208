"""Tables: the schema that a kind makes for its table, and what is said of rows that do not fit it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from polis_rules.diagnostics.codes import explanations
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.schema.building import build
from polis_rules.schema.document import Document
from polis_rules.schema.table_check import check_tables
from polis_rules.schema.tables import plain_data, table_schema
from polis_rules.source.reader import read_text
from polis_rules.source.tree import Text

FRAME = """\
manifest: {format: 2, ruleset: demo, title: Demo, files: [a.yaml]}
kinds:
  player: {}
  space: {}
  thing:
    attributes: ATTRIBUTES
actions: {dig: {}, rest: {}}
phases: {game: []}
endings: {over: {}}
score: {terms: {none_at_all: 0}}
tables:
  player: {red: {}, blue: {}}
  space: {attika_bay: {}, no: {}, south: {}}
  thing: {one: ROW}
"""


def check(text: str) -> tuple[Document, list[Diagnostic]]:
    diagnostics = Diagnostics()
    tree = read_text(text, "demo.yaml", diagnostics)
    assert tree is not None
    document = build(tree, diagnostics)
    assert document is not None, diagnostics.items
    check_tables(document, diagnostics)
    assert all(item.code in explanations() for item in diagnostics.items)
    return document, diagnostics.items


def framed(attributes: str, row: str) -> str:
    return FRAME.replace("ATTRIBUTES", attributes).replace("ROW", row)


def errors(attributes: str, row: str) -> list[tuple[str, str, str, str]]:
    """For each finding about the row: its code, the text that it points at, the message and the hint."""
    text = framed(attributes, row)
    reported = []
    for item in check(text)[1]:
        assert item.span is not None
        line = text.splitlines()[item.span.line - 1]
        at = line[item.span.column - 1 : item.span.end_column - 1]
        reported.append((item.code, at, item.message, item.advice or ""))
    return reported


def row_schema(attributes: str) -> dict[str, Any]:
    game, _ = check(framed(attributes, "{}"))
    schema = table_schema(game, "thing")
    Draft202012Validator.check_schema(schema)
    row: dict[str, Any] = schema["additionalProperties"]
    return row


SPACES = ["attika_bay", "no", "south"]
ELEMENTS: dict[str, dict[str, Any]] = {
    "0..5": {"type": "integer", "minimum": 0, "maximum": 5},
    "number": {"type": "integer"},
    "flag": {"type": "boolean"},
    "space": {"enum": SPACES},
    "space or none": {"enum": [*SPACES, "none", None]},
    "action": {"enum": ["dig", "rest"]},
    "set of space": {"type": "array", "items": {"enum": SPACES}, "uniqueItems": True},
    "text": {"type": "string"},
    "effects": {"type": "array", "items": {"type": ["object", "string"]}},
    "formula": {"type": ["integer", "string"]},
    "changes": {"type": "object", "additionalProperties": {"type": ["string", "integer", "boolean"]}},
}


def bare(schema: Any) -> Any:
    """A schema without its descriptions."""
    if isinstance(schema, dict):
        return {key: bare(value) for key, value in schema.items() if key != "description"}
    return schema


@pytest.mark.parametrize("type", ELEMENTS)
def test_each_type_has_its_schema(type: str) -> None:
    row = row_schema(f"{{it: {type}}}")
    assert bare(row["properties"]["it"]) == ELEMENTS[type]
    assert row["properties"]["it"]["description"]


def test_what_has_no_default_is_required_but_for_effects_and_changes() -> None:
    row = row_schema("{a: 0..5, b: {type: flag, default: false}, c: effects, d: changes, e: formula}")
    assert row["required"] == ["a", "e"]
    assert row["properties"]["b"]["default"] is False


def test_per_is_a_mapping_from_members_for_each_kind() -> None:
    row = row_schema("{it: {per: [player, space], type: flag, default: false}}")
    inner = {"type": "object", "propertyNames": {"enum": SPACES}, "additionalProperties": {"type": "boolean"}}
    outer = {"type": "object", "propertyNames": {"enum": ["red", "blue"]}, "additionalProperties": inner}
    assert bare(row["properties"]["it"]) == outer


def test_per_without_a_default_needs_every_member() -> None:
    assert row_schema("{it: {per: player, type: flag}}")["properties"]["it"]["required"] == ["red", "blue"]


def test_a_row_may_say_where_it_comes_from_and_when_it_is_there() -> None:
    row = row_schema("{}")
    assert set(row["properties"]) == {"title", "cite", "grade", "ruling", "when"} and row["required"] == []


SOUND = {
    "0..5": ["0", "5", "+3", "0x5", "0o5"],
    "-2..2": ["-2"],
    "number": ["123456789"],
    "flag": ["true", "False", "TRUE"],
    "space": ["no", '"no"'],
    "space or none": ["none", "no", "", "null", "~"],
    "action": ["dig"],
    "set of space": ["[]", "{}", "[no, south]"],
    "text": ["no", "5", "true", '"5"'],
    "effects": ["[]", "[stop, {end: over}]"],
    "formula": ["5", "a + b"],
    "changes": ["{}", "{limit: 7, open: true, far: a + b}"],
}


@pytest.mark.parametrize(("type", "value"), [(type, value) for type, values in SOUND.items() for value in values])
def test_sound_values_are_silent(type: str, value: str) -> None:
    assert errors(f"{{it: {type}}}", f"{{it: {value}}}") == []


UNFIT = [
    ("0..5", "6", "unfit-value", "6", "'it' must be a whole number from 0 to 5, not '6'", ""),
    ("0..5", "-1", "unfit-value", "-1", "from 0 to 5, not '-1'", ""),
    ("0..5", "1.0", "unfit-value", "1.0", "from 0 to 5, not '1.0'", ""),
    ("0..5", "1_0", "unfit-value", "1_0", "from 0 to 5, not '1_0'", ""),
    ("0..5", '"3"', "unfit-value", "3", "from 0 to 5, not '3'", "write it without quotes"),
    ("0..5", '"-3"', "unfit-value", "-3", "from 0 to 5, not '-3'", ""),
    ("0..5", '"x"', "unfit-value", "x", "from 0 to 5, not 'x'", ""),
    ("0..5", "true", "unfit-value", "true", "from 0 to 5, not 'true'", ""),
    ("0..5", "", "unfit-value", "", "from 0 to 5, but it is empty", ""),
    ("0..5", "[1]", "unfit-value", "[1]", "not a list", ""),
    ("flag", "yes", "unfit-value", "yes", "must be true or false, not 'yes'", ""),
    ("flag", "1", "unfit-value", "1", "must be true or false, not '1'", ""),
    ("space", "atika_bay", "unknown-name", "atika_bay", "must be a member of 'space'", "'attika_bay'"),
    ("space", "none", "unknown-name", "none", "must be a member of 'space', not 'none'", ""),
    ("space", "xyzzy", "unknown-name", "xyzzy", "not 'xyzzy'", "known: attika_bay, no, south"),
    ("space or none", "atika_bay", "unknown-name", "atika_bay", "or none, not", "'attika_bay'"),
    ("action", "digg", "unknown-name", "digg", "must be a member of 'action'", "'dig'"),
    ("set of space", "[no, sooth]", "unknown-name", "sooth", "entry 2 of 'it' must be", "'south'"),
    ("set of space", "[no, south, no]", "unfit-value", "no", "'it' names 'no' twice", ""),
    ("set of space", "no", "unfit-value", "no", "must be a list of members of 'space', not 'no'", ""),
    ("set of space", "{no: 1}", "unfit-value", "{no: 1}", "must be a list of members of 'space', not a mapping", ""),
    ("text", "[a]", "unfit-value", "[a]", "must be a piece of text, not a list", ""),
    ("formula", "[a]", "unfit-value", "[a]", "must be a number or an expression", ""),
    ("changes", "[a]", "unfit-value", "[a]", "must be a mapping from term to value", ""),
    ("changes", "{a: [b]}", "unfit-value", "[b]", "'a' must be the new value of the term", ""),
    ("{type: 0..5, per: player}", "{red: 1, blue: 9}", "unfit-value", "9", "'blue' must be a whole", ""),
    ("{type: 0..5, per: player}", "{red: 1}", "missing-key", "it", "'it' has no value for 'blue'", ""),
    ("{type: 0..5, per: player}", "{red: 1, bleu: 1}", "unknown-name", "bleu", "of 'player'", "'blue'"),
    ("{type: 0..5, per: player}", "3", "unfit-value", "3", "a mapping with a value for each member", ""),
    ("{type: effects, per: player}", "[stop]", "unfit-value", "[stop]", "each member of 'player'", ""),
]


@pytest.mark.parametrize(("type", "value", "code", "at", "message", "hint"), UNFIT)
def test_a_value_that_does_not_fit_is_reported_once_at_its_place(
    type: str, value: str, code: str, at: str, message: str, hint: str
) -> None:
    ((found_code, found_at, found_message, found_hint),) = errors(f"{{it: {type}}}", f"{{it: {value}}}")
    assert (found_code, found_at) == (code, at)
    assert message in found_message
    assert hint in found_hint if hint else not found_hint or code == "unknown-name"


def test_missing_attributes_are_named_together_at_the_row() -> None:
    ((code, at, message, hint),) = errors("{a: 0..5, b: flag, c: {type: flag, default: true}}", "{}")
    assert (code, at) == ("missing-key", "one")
    assert "the row 'one' has no value for 'a', 'b'" in message and "b: true or false" in hint


def test_an_unknown_attribute_is_reported_and_the_one_that_was_meant_not_missed() -> None:
    ((code, at, message, hint),) = errors("{price: 0..5}", "{prize: 3}")
    assert (code, at, hint) == ("unknown-key", "prize", "did you mean 'price'?")
    assert "the kind 'thing' has no attribute 'prize'" in message


@pytest.mark.parametrize(
    ("attribute", "at"),
    [
        ("{type: 0..5, default: 6}", "6"),
        ("{type: space, default: sooth}", "sooth"),
        ("{type: 0..5, per: player, default: {red: 1}}", "{red: 1}"),
        ("{type: effects, default: [stop]}", "[stop]"),
    ],
)
def test_a_default_fits_its_type_too(attribute: str, at: str) -> None:
    ((_, found_at, message, _),) = errors(f"{{it: {attribute}}}", "{}")
    assert found_at == at and message.startswith("'default' must be")


def test_the_default_of_a_set_may_be_the_empty_one_as_expressions_write_it() -> None:
    assert errors("{it: {type: set of space, default: {}}}", "{}") == []


def test_a_nonsensical_type_or_an_unknown_kind_is_left_to_the_type_checker() -> None:
    assert errors("{a: nonsense!, b: nowhere, c: {per: nowhere, type: flag}}", "{a: 1, b: 2, c: 3}") == []


@pytest.mark.parametrize(
    ("kind", "message", "hint"),
    [
        ("spaec", "there is no kind 'spaec'", "did you mean 'space'?"),
        ("action", "the kind 'action' has no table", None),
    ],
)
def test_a_table_belongs_to_a_kind(kind: str, message: str, hint: str | None) -> None:
    (finding,) = check(framed("{}", "{}") + f"  {kind}: {{a: {{}}}}\n")[1]
    assert (finding.code, finding.advice) == ("unknown-name", hint)
    assert message in finding.message and finding.span is not None and finding.span.line == 15


def test_findings_come_in_the_order_of_the_file() -> None:
    reported = errors("{a: flag, b: flag, c: 0..5}", "{c: 9, x: 1, a: 2, b: 3}")
    assert [at for _, at, _, _ in reported] == ["9", "x", "2", "3"]


@given(st.integers(-20, 20), st.integers(-9, 9), st.integers(0, 9))
def test_a_number_is_accepted_exactly_within_its_range(value: int, low: int, width: int) -> None:
    reported = errors(f"{{it: {low}..{low + width}}}", f"{{it: {value}}}")
    assert (reported == []) == (low <= value <= low + width)


@given(st.text(max_size=6), st.booleans(), st.sampled_from(sorted(ELEMENTS)))
def test_any_text_is_read_as_data_that_its_schema_can_judge(text: str, quoted: bool, type: str) -> None:
    node = Text(text, check(framed("{}", "{}"))[0].span, quoted)
    data = plain_data(node, ELEMENTS[type])
    Draft202012Validator(ELEMENTS[type]).is_valid(data)
    assert data is None or str(data).casefold() == text.casefold() or isinstance(data, int)
    assert not quoted or data == text
