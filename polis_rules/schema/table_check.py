"""Checks rows against the JSON Schema of their table, and says what does not fit at its exact place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jsonschema import Draft202012Validator

from polis_rules.diagnostics import Diagnostics, nearest, quote
from polis_rules.schema.base import describe
from polis_rules.schema.shape_errors import Place, by_place, find
from polis_rules.schema.tables import JsonSchema, plain_data
from polis_rules.source import Mapping, Node, Sequence, Text

if TYPE_CHECKING:
    from jsonschema import ValidationError

    from polis_rules.schema.kinds import Row


def check_table(kind: Text, rows: dict[Text, Row], schema: JsonSchema, diagnostics: Diagnostics) -> None:
    """Report what does not fit in the rows of one kind."""
    tree = Mapping({name: Mapping(row.values, row.span) for name, row in rows.items()}, kind.span)
    properties = schema["additionalProperties"]["properties"]
    data = {
        str(name): {str(key): plain_data(node, properties.get(key, {})) for key, node in row.values.items()}
        for name, row in rows.items()
    }
    _check(tree, data, schema, kind, diagnostics)


def check_default(default: Node, schema: JsonSchema, diagnostics: Diagnostics) -> None:
    """Report a default that does not fit the type of its attribute."""
    key = Text("default", default.span)
    _check(default, plain_data(default, schema), schema, key, diagnostics)


def _check(tree: Node, data: Any, schema: JsonSchema, name: Text, diagnostics: Diagnostics) -> None:
    found = Diagnostics(sources=diagnostics.sources)
    incomplete: set[int] = set()
    for error in Draft202012Validator(schema).iter_errors(data):
        if error.validator == "required":
            # there is one such error for each missing key, and they look alike
            if id(error.instance) in incomplete:
                continue
            incomplete.add(id(error.instance))
        place = find(error.absolute_path, tree)
        place.key = place.key or name
        _report(error, place, name, found)
    diagnostics.extend(by_place(found))


def _rule(error: ValidationError) -> JsonSchema:
    """The part of the schema that is not met."""
    return cast(JsonSchema, error.schema)


def _instance(error: ValidationError) -> Any:
    """The data that does not meet it."""
    return error.instance


def _bare(text: Text) -> Text:
    return Text(text, text.span)


def _report(error: ValidationError, place: Place, kind: Text, found: Diagnostics) -> None:
    is_row = "properties" in _rule(error)
    if error.validator == "required":
        _missing(error, place, is_row, found)
    elif error.validator == "additionalProperties":
        _unknown_attributes(error, place, kind, found)
    elif error.validator == "uniqueItems":
        _repeated(place, found)
    elif "propertyNames" in error.absolute_schema_path:
        _unknown_index(error, place, found)
    else:
        _unfit(error, place, found)


def _missing(error: ValidationError, place: Place, is_row: bool, found: Diagnostics) -> None:
    rule = _rule(error)
    needed, written = rule["required"], list(_instance(error))
    known = rule["properties"] if is_row else needed
    misspelt = {nearest(key, known) for key in written if key not in known}
    missing = [key for key in needed if key not in written and key not in misspelt]
    if not missing:
        return  # what is missing is there, misspelt, and reported as unknown
    names = ", ".join(map(quote, missing))
    what = f"the row {place.subject()}" if is_row else place.subject()
    hint = None
    if is_row:
        hint = "; ".join(f"{key}: {known[key]['description']}" for key in missing if "description" in known[key])
    span = place.key.span if place.key is not None else place.node.span
    found.error("missing-key", f"{what} has no value for {names}", span, hint or None)


def _unknown_attributes(error: ValidationError, place: Place, kind: Text, found: Diagnostics) -> None:
    known = list(_rule(error)["properties"])
    for key in place.node.entries if isinstance(place.node, Mapping) else ():
        if key not in known:
            message = f"the kind {quote(kind)} has no attribute {quote(key)}"
            found.unknown("unknown-key", message, key.span, key, known)


def _unknown_index(error: ValidationError, place: Place, found: Diagnostics) -> None:
    key = place.node.key(_instance(error)) if isinstance(place.node, Mapping) else None
    assert key is not None  # the data was made from these keys
    rule = _rule(error)
    if "enum" in rule:
        message = f"{quote(key)} is not {rule['description']}"
        found.unknown("unknown-name", message, key.span, key, rule["enum"])


def _repeated(place: Place, found: Diagnostics) -> None:
    seen: set[Node] = set()
    for item in place.node.items if isinstance(place.node, Sequence) else ():
        if isinstance(item, Text) and item in seen:
            found.error("unfit-value", f"{place.subject()} names {quote(item)} twice", item.span)
        elif isinstance(item, Text):
            seen.add(item)


def _unfit(error: ValidationError, place: Place, found: Diagnostics) -> None:
    rule, node = _rule(error), place.node
    message = place.sentence(f"must be {rule.get('description', 'something else')}", describe(node))
    if error.validator == "enum" and isinstance(node, Text) and node:
        known = [each for each in rule["enum"] if each is not None]
        found.unknown("unknown-name", message, node.span, node, known)
        return
    quoted = isinstance(node, Text) and node.quoted and not isinstance(plain_data(_bare(node), rule), str)
    found.error("unfit-value", message, node.span, "write it without quotes" if quoted else None)
