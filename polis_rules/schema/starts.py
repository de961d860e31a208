"""The JSON Schema of a scenario's first values, made from the state that a ruleset declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polis_rules.schema.tables import JsonSchema, members_of, schema_of_type

if TYPE_CHECKING:
    from polis_rules.schema.document import Document
    from polis_rules.schema.kinds import Variable


def start_schema(document: Document) -> JsonSchema:
    """The schema of `start`: which state there is, of which members, and what its values may be."""
    properties = {str(name): _state(document, None, variable) for name, variable in document.state.items()}
    for kind, declared in document.kinds.items():
        for name, variable in declared.state.items():
            properties[f"{kind}.{name}"] = _state(document, str(kind), variable)
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _state(document: Document, kind: str | None, variable: Variable) -> JsonSchema:
    """One value, inside a mapping for its kind and one for each `per`; not every member need be named."""
    schema = schema_of_type(document, variable.type)
    for each in reversed([*([kind] if kind else []), *map(str, variable.per.values())]):
        members = members_of(document, each)
        if members is None:
            return {}
        names = {"enum": members, "description": f"a member of '{each}'"}
        schema = {"type": "object", "propertyNames": names, "additionalProperties": schema}
    title = variable.title
    return {"description": f"First values: {title}.", **schema} if title else schema
