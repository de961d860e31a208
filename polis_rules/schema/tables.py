"""JSON Schemas made from what a ruleset declares: of each table, of a default, of the first values of a scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from polis_rules.diagnostics import quote
from polis_rules.schema.types import TypeSpec, parse_type
from polis_rules.schema.values import FLAGS, GRADES, ID, PLAIN
from polis_rules.source import Node, Sequence, Text, at, entry

if TYPE_CHECKING:
    from polis_rules.schema.document import Attribute, Document, Variable

JsonSchema = dict[str, Any]

LOOSE_STEPS: JsonSchema = {"type": "array", "items": {"type": ["object", "string"]}}
"""Lists of steps are checked by the models; here any mappings and words will do."""


def table_schema(document: Document, kind: str, steps: JsonSchema = LOOSE_STEPS) -> JsonSchema:
    """The JSON Schema (2020-12) of the table of `kind`: a mapping from id to row.

    `steps` is the schema of an attribute of type effects. The kind must be one of the document's.
    Each description says what a value must be; error messages and editors show it.
    """
    attributes = at(document.kinds, kind).attributes
    grade: JsonSchema = {"enum": list(GRADES), "description": f"one of {', '.join(GRADES)}"}
    given = [str(name) for name, each in attributes.items() if each.is_ is None]
    values = {"enum": ["title", *given, "default"], "description": f"an attribute of {quote(kind)}, title or default"}
    grades = {"type": "object", "propertyNames": values, "additionalProperties": grade}
    properties: JsonSchema = {
        "title": {"type": "string", "description": "What players read."},
        "cite": {"type": "string", "description": "Where the row comes from: a source, then the place."},
        "grade": {"description": "How sure the row is; or how sure single values are.", "anyOf": [grade, grades]},
        "ruling": {"type": "string", "description": "What was decided where the text is open, and why."},
        "when": {"type": ["string", "boolean"], "description": "On which settings there is such a row."},
    }
    for name, attribute in attributes.items():
        if attribute.is_ is None:
            properties[str(name)] = _attribute_schema(document, attribute, steps)
    row: JsonSchema = {"type": "object", "properties": properties, "additionalProperties": False}
    row["required"] = [str(name) for name, each in attributes.items() if _is_required(each)]
    table = {"type": "object", "propertyNames": {"pattern": f"^{ID}$"}, "additionalProperties": row}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **table}


def default_schema(document: Document, attribute: Attribute) -> JsonSchema:
    """The JSON Schema of an attribute's default, which stands for each single value of a `per`."""
    spec = _spec(attribute)
    if spec is not None and spec.kind == "effects":
        return {"type": "array", "maxItems": 0, "description": "[], the only default for steps"}
    return _value_schema(document, spec, LOOSE_STEPS)


REPEATED: JsonSchema = {
    "type": "string",
    "pattern": r"^[a-z][a-z0-9_]* \* [1-9][0-9]*$",
    "description": "so many of it",
}
"""An entry of a list that stands for several, as `penny * 3`."""


def start_schema(document: Document) -> JsonSchema:
    """The schema of a scenario's first values: which state there is, of which members, and what its values may be."""
    schema = _values(document, document.state)
    for kind, declared in document.kinds.items():
        if declared.state:
            schema["properties"][str(kind)] = _per_member(document, [kind], _values(document, declared.state))
    return schema


def _values(document: Document, state: Mapping[Text, Variable]) -> JsonSchema:
    """First values of some state; not all of it need be named."""
    properties = {}
    for name, variable in state.items():
        value = _value_schema(document, _spec(variable), LOOSE_STEPS)
        if "items" in value and "uniqueItems" not in value:
            value["items"] = {"anyOf": [value["items"], REPEATED]}
        schema = _per_member(document, variable.per.values(), value)
        said = {"description": f"First values: {variable.title}."} if variable.title else {}
        properties[str(name)] = said | schema
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _members(document: Document, kind: str) -> list[str] | None:
    """The ids of a kind's members, with those that only other scenarios have; None when there is no such kind."""
    if kind == "action":
        return [str(each) for each in document.actions]
    return [*_present(document, kind), *document.left_out(kind)] if kind in document.kinds else None


def _present(document: Document, kind: str) -> list[str]:
    """The ids of the members of a kind that are there as things are settled."""
    return [str(each) for each in entry(document.tables, kind) or {}]


def _spec(declared: Attribute | Variable) -> TypeSpec | None:
    """A type; None when it is nonsense, which the type checker reports."""
    try:
        return parse_type(declared.type)
    except ValueError:
        return None


def _is_required(attribute: Attribute) -> bool:
    """Whether every row must give it. Rows without effects or changes have none."""
    spec = _spec(attribute)
    given = attribute.default is None and attribute.is_ is None
    return given and (spec is None or spec.kind not in ("effects", "changes"))


def _per_member(document: Document, kinds: Iterable[str], schema: JsonSchema) -> JsonSchema:
    """A schema inside one mapping for each of some kinds."""
    for kind in reversed([*kinds]):
        members = _members(document, kind)
        if members is None:
            return {}
        names = {"enum": members, "description": f"a member of {quote(kind)}"}
        schema = {"type": "object", "propertyNames": names, "additionalProperties": schema}
    return schema


def _attribute_schema(document: Document, attribute: Attribute, steps: JsonSchema) -> JsonSchema:
    """The schema of an attribute: that of its type, inside one mapping for each `per`."""
    schema = _per_member(document, attribute.per.values(), _value_schema(document, _spec(attribute), steps))
    inner = schema
    for kind in attribute.per.values() if schema else ():
        inner["description"] = f"a mapping with a value for each member of {quote(kind)}"
        if _is_required(attribute):
            inner["required"] = _present(document, str(kind))
        inner = inner["additionalProperties"]
    if attribute.default is not None and not attribute.per:
        schema["default"] = plain_data(attribute.default, schema)
    return schema


_PLAIN: dict[str, JsonSchema] = {
    "number": {"type": "integer", "description": "a whole number"},
    "flag": {"type": "boolean", "description": "true or false"},
    "text": {"type": "string", "description": "a piece of text"},
    "formula": {"type": ["integer", "string"], "description": "a number or an expression"},
    "condition": {"type": ["boolean", "string"], "description": "true, false or an expression"},
    "changes": {
        "type": "object",
        "additionalProperties": {**PLAIN, "description": "the new value of the term, an expression"},
        "description": "a mapping from term to value",
    },
}


def _value_schema(document: Document, spec: TypeSpec | None, steps: JsonSchema) -> JsonSchema:
    """The schema of a single value. A type that is nonsense admits everything."""
    if spec is None:
        return {}
    if spec.kind == "range":
        words = f"a whole number from {spec.low} to {spec.high}"
        return {"type": "integer", "minimum": spec.low, "maximum": spec.high, "description": words}
    if spec.kind == "effects":
        return {"description": "a list of steps", **steps}
    if spec.member_kind is None:
        return dict(_PLAIN[spec.kind])
    members = _members(document, spec.member_kind)
    if members is None:
        return {}
    words = f"a member of {quote(spec.member_kind)}"
    if spec.kind == "ref":
        if spec.maybe:
            return {"enum": [*members, "none", None], "description": f"{words}, or none"}
        return {"enum": members, "description": words}
    return {
        "type": "array",
        "items": {"enum": members, "description": words},
        **({"uniqueItems": True} if spec.kind == "set" else {}),
        "description": f"a list of members of {quote(spec.member_kind)}",
    }


# Plain values as YAML 1.2 reads them (its core schema).
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_LONGEST = 1000
"""What has more digits is not read as a number: no type allows it, and Python reads none of more than 4,300."""
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))


def plain_data(node: Node, schema: JsonSchema) -> Any:
    """The node as JSON data, read as the schema expects: where ids are wanted, `no` and `1` are ids.

    `none` becomes None where the schema allows that, and `{}` an empty list where a set is wanted. Lists of steps are
    not taken apart.
    """
    if isinstance(node, Text):
        return _scalar(node, schema)
    if isinstance(node, Sequence):
        inner = schema.get("items", {})
        return [plain_data(each, inner) for each in node.items]
    if schema.get("uniqueItems") and not node.entries:
        return []
    known, other = schema.get("properties", {}), schema.get("additionalProperties") or {}
    entries = node.entries.items() if known or other else ()
    return {str(key): plain_data(each, known.get(key, other)) for key, each in entries}


def _scalar(text: Text, schema: JsonSchema) -> bool | int | str | None:
    if text.quoted:
        return str(text)
    if options := schema.get("enum"):
        is_none = text in _NULLS or text == "none"
        return None if is_none and None in options else str(text)
    types = schema.get("type", ())
    if "boolean" in types and text in FLAGS:
        return FLAGS[text]
    if "integer" in types and len(text) <= _LONGEST and _INTEGER.fullmatch(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if text in _NULLS:
        return None
    return str(text)
