"""What may stand at a place of a file, by the JSON Schemas that are exported for editors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from polis_rules.composition import OPERATIONS
from polis_rules.schema import JsonSchema, export_schemas
from polis_rules.source import Node, entries_at, node_at

if TYPE_CHECKING:
    from polis_rules.schema import Document


def rule_path(role: str, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The path in the composed ruleset of a place in a file.

    >>> rule_path("variant", ("change", "actions", "dig.cost", "to", "coin"))
    ('actions', 'dig', 'cost', 'coin')
    >>> rule_path("variant", ("insert", "actions.dig", 0, "do", 1))
    ('actions', 'dig', 'do', 1)
    >>> rule_path("scenario", ("start", "round"))
    ('scenario', 'start', 'round')
    """
    if path and path[0] in OPERATIONS:
        keys: list[str | int] = []
        for at, key in enumerate(path[1:], 1):
            if path[0] == "change" and key in ("to", "was"):
                return (*keys, *path[at + 1 :])
            if path[0] == "insert" and at > 1:
                return (*keys, *path[at + isinstance(key, int) :])
            keys += key.split(".") if isinstance(key, str) else [key]
            if path[0] in ("add", "replace"):
                return (*keys, *path[at + 1 :])
        return tuple(keys)
    if role == "scenario":
        return ("scenario", *path)
    if role == "ruleset" and path[:1] and path[0] in ("title", "sources", "files", "rounds", "format", "ruleset"):
        return ("manifest", *path)
    return path


class Shapes:
    """The schemas of one ruleset, or of the bare language."""

    def __init__(self, document: Document | None) -> None:
        self.schemas = export_schemas(document)

    def at(self, role: str, tree: Node | None, path: tuple[str | int, ...]) -> list[JsonSchema]:
        """The schemas of what stands at a path of a file of this sort; several where it may be several things."""
        if len(path) > 1 and path[0] in OPERATIONS and path[0] != "insert":
            inner = rule_path(role, path)
            if path[0] == "change" and not {"to", "was"} & set(path):
                return []
            is_scenario = inner[:1] == ("scenario",)
            return self._down("scenario" if is_scenario else "sections", None, inner[is_scenario:])
        return self._down(role, tree, path)

    def keys(self, role: str, tree: Node | None, path: tuple[str | int, ...]) -> dict[str, str]:
        """The keys that the mapping at a path may have, each with what it means."""
        schemas = [each for each in self.at(role, tree, path) if "properties" in each or "propertyNames" in each]
        node = node_at(tree, *path)
        schemas, written = _fitting(schemas, node), entries_at(node)
        keys: dict[str, str] = {}
        for schema in schemas:
            properties: dict[str, Any] = schema.get("properties", {})
            is_step = len(schemas) > 3  # of a new step, its verb
            verbs = schema.get("required", [])[:1] if is_step else properties
            told = schema.get("description", "") if is_step else ""
            keys |= {key: told or properties[key].get("description", "") for key in verbs}
            names = schema.get("propertyNames", {})
            keys |= {name: names.get("description", "") for name in names.get("enum", ())}
        return {key: text for key, text in keys.items() if key not in written}

    def values(self, role: str, tree: Node | None, path: tuple[str | int, ...]) -> list[str]:
        """The plain values that may stand at a path, where they can be listed."""
        values: list[str] = []
        for schema in self.at(role, tree, path):
            values += [str(each) for each in schema.get("enum", ()) if each is not None]
            if schema.get("type") == "boolean":
                values += ["true", "false"]
        return list(dict.fromkeys(values))

    def description(self, role: str, tree: Node | None, path: tuple[str | int, ...]) -> str:
        """What the language says about the key that a path ends with."""
        if not path or not isinstance(path[-1], str):
            return ""
        parents = _fitting(self.at(role, tree, path[:-1]), node_at(tree, *path[:-1]))
        for schema in parents:
            if path[-1] in schema.get("properties", {}):
                return str(schema["properties"][path[-1]].get("description", ""))
        return ""

    def _down(self, role: str, tree: Node | None, path: Iterable[str | int]) -> list[JsonSchema]:
        root = self.schemas[role]
        schemas, node = [root], tree
        for key in path:
            schemas = list(_stepped(_fitting(schemas, node), key, root))
            node = node_at(node, key)
        return schemas


def _stepped(schemas: Iterable[JsonSchema], key: str | int, root: JsonSchema) -> Iterator[JsonSchema]:
    for schema in schemas:
        if isinstance(key, int):
            inner = schema.get("items")
        else:
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
        if isinstance(inner, dict):
            yield from _several(inner, root)


def _several(schema: JsonSchema, root: JsonSchema) -> Iterator[JsonSchema]:
    """A schema without references, once for each thing that it may be."""
    if "$ref" in schema:
        yield from _several(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    elif "anyOf" in schema or "oneOf" in schema:
        for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            yield from _several(each, root)
    else:
        yield schema


def _fitting(schemas: list[JsonSchema], node: Node | None) -> list[JsonSchema]:
    """Those of several shapes that the keys of a mapping leave possible."""
    written = set(entries_at(node))
    shapes = [each for each in schemas if "properties" in each]
    if len(shapes) < 2 or not written:
        return schemas
    scores = [
        len(written & set(each["properties"])) + 9 * len(written & set(each.get("required", ()))) for each in shapes
    ]
    best = max(scores)
    return [each for each, score in zip(shapes, scores, strict=True) if score == best] if best else schemas
