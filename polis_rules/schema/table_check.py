"""Checks rows against the JSON Schema of their table, and says what does not fit at its exact place."""

from __future__ import annotations

import operator
from collections.abc import Collection
from itertools import chain
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from polis_rules.diagnostics import Diagnostics, nearest, quote
from polis_rules.schema.objections import describe
from polis_rules.schema.shape_errors import ErrorPlace, find
from polis_rules.schema.tables import JsonSchema, default_schema, plain_data, table_schema
from polis_rules.source import Mapping, Node, Sequence, Text

if TYPE_CHECKING:
    from jsonschema import ValidationError

    from polis_rules.schema.document import Document, Row


Sound = dict[str, tuple[JsonSchema, list[Node | None]]]
"""By their kinds, tables in which nothing was wrong: the schema and the very nodes."""


def check_tables(document: Document, diagnostics: Diagnostics, sound: Sound | None = None) -> None:
    """Report every value of a table, and every default, that does not fit the type of its attribute.

    A table that is known to be `sound` is not looked at again; others are added to them.
    """
    sound = {} if sound is None else sound
    for declared in document.kinds.values():
        for attribute in declared.attributes.values():
            if attribute.default is not None:
                name = Text("default", attribute.default.span)
                with diagnostics.in_order():
                    _check(attribute.default, name, default_schema(document, attribute), diagnostics)
    for kind, rows in document.tables.items():
        if kind in document.kinds:
            nodes = [node for name, row in rows.items() for node in (name, row.grades, *chain(*row.values.items()))]
            schema = table_schema(document, kind)
            known_keys = schema["additionalProperties"]["properties"]
            known_keys["grade"] = known_keys["grade"]["anyOf"][1]  # of a single word the model says whether it fits
            before, known = sound.get(kind, (None, []))
            if before == schema and len(nodes) == len(known) and all(map(operator.is_, nodes, known)):
                continue
            tree = Mapping({name: _values(row) for name, row in rows.items()}, kind.span)
            findings = len(diagnostics.items)
            with diagnostics.in_order():
                attributes = document.kinds[kind].attributes
                _check(tree, kind, schema, diagnostics, {name for name, each in attributes.items() if each.is_})
            if len(diagnostics.items) == findings:
                sound[str(kind)] = schema, nodes
        elif kind == "action":
            message = "the kind 'action' has no table: its members are the actions of the ruleset"
            diagnostics.error("unknown-name", message, kind.span)
        else:
            message = f"there is no kind {quote(kind)}"
            diagnostics.unknown("unknown-name", message, kind.span, kind, document.kinds)


def _values(row: Row) -> Mapping:
    """The values of a row, and where some have grades of their own, these."""
    values = Mapping(row.values, row.span)
    return values if row.grades is None else values.having("grade", row.grades)


def _check(
    tree: Node, name: Text, schema: JsonSchema, diagnostics: Diagnostics, worked_out: Collection[Text] = ()
) -> None:
    """Report what does not fit in the table of a kind, or in a default, which `name` says.

    Attributes that are `worked_out` have no value in rows.
    """
    incomplete: set[int] = set()
    for error in Draft202012Validator(schema).iter_errors(plain_data(tree, schema)):
        if error.validator == "required":
            # there is one such error for each missing key, and they look alike
            if id(error.instance) in incomplete:
                continue
            incomplete.add(id(error.instance))
        place = find(error.absolute_path, tree)
        place.key = place.key or name
        _report(error, place, name, diagnostics, worked_out)


def _report(
    error: ValidationError, place: ErrorPlace, kind: Text, findings: Diagnostics, worked_out: Collection[Text]
) -> None:
    rule: Any = error.schema
    instance: Any = error.instance
    entries = place.node.entries if isinstance(place.node, Mapping) else {}
    if error.validator == "required":
        _missing(rule, list(instance), place, findings)
    elif error.validator == "additionalProperties":
        known = list(rule["properties"])
        for key in entries:
            if key in worked_out:
                message = f"{quote(key)} is worked out, so no row gives it a value"
                findings.error("unfit-value", message, entries[key].span, "remove it here, or `is` in the kind")
            elif key not in known:
                message = f"the kind {quote(kind)} has no attribute {quote(key)}"
                findings.unknown("unknown-key", message, key.span, key, known)
    elif error.validator == "uniqueItems":
        _repeated(place, findings)
    elif "propertyNames" not in error.absolute_schema_path:
        _unfit(rule, place, findings, names_member=error.validator == "enum")
    elif "enum" in rule:  # an index, or what is graded; the names of rows are what the models say
        key = next(key for key in entries if key == instance)
        code = "unknown-key" if place.key == "grade" else "unknown-name"
        findings.unknown(code, f"{quote(key)} is not {rule['description']}", key.span, key, rule["enum"])


def _missing(rule: JsonSchema, written: list[str], place: ErrorPlace, findings: Diagnostics) -> None:
    needed = rule["required"]
    known = rule.get("properties", {key: {} for key in needed})
    misspelt = {nearest(key, known) for key in written if key not in known}
    missing = [key for key in needed if key not in written and key not in misspelt]
    if not missing:
        return  # what is missing is there, misspelt, and reported as unknown
    names = ", ".join(map(quote, missing))
    what = f"the row {place.subject()}" if "properties" in rule else place.subject()
    hint = "; ".join(f"{key}: {known[key]['description']}" for key in missing if "description" in known[key])
    span = place.key.span if place.key is not None else place.node.span
    findings.error("missing-key", f"{what} has no value for {names}", span, hint or None)


def _repeated(place: ErrorPlace, findings: Diagnostics) -> None:
    seen: set[Node] = set()
    for item in place.node.items if isinstance(place.node, Sequence) else ():
        if isinstance(item, Text) and item in seen:
            findings.error("unfit-value", f"{place.subject()} names {quote(item)} twice", item.span)
        elif isinstance(item, Text):
            seen.add(item)


def _unfit(rule: JsonSchema, place: ErrorPlace, findings: Diagnostics, names_member: bool) -> None:
    node = place.node
    message = place.sentence(f"must be {rule.get('description', 'something else')}", describe(node))
    if names_member and isinstance(node, Text) and node:
        known = [each for each in rule["enum"] if each is not None]
        findings.unknown("unknown-name", message, node.span, node, known)
        return
    bare = Text(node, node.span) if isinstance(node, Text) and node.quoted else None
    fits = bare is not None and Draft202012Validator(rule).is_valid(plain_data(bare, rule))
    findings.error("unfit-value", message, node.span, "write it without quotes" if fits else None)
