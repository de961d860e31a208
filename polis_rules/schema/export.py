"""Exports the language as JSON Schemas, for editors: of each sort of file, and of a ruleset's own tables."""

from __future__ import annotations

import ast
import inspect
import json
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from polis_rules.schema.base import HEAD_KEYS, Model
from polis_rules.schema.document import LEVELS
from polis_rules.schema.files import CasesFile, LibraryFile, ManifestFile, ScenarioFile, SectionsFile, VariantFile
from polis_rules.schema.tables import JsonSchema, start_schema, table_schema

if TYPE_CHECKING:
    from polis_rules.schema.document import Document

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILES: dict[str, tuple[type[Model], str]] = {
    "ruleset": (ManifestFile, "The manifest of a ruleset"),
    "sections": (SectionsFile, "A file of a ruleset"),
    "scenario": (ScenarioFile, "A scenario"),
    "variant": (VariantFile, "A variant"),
    "cases": (CasesFile, "Cases that test a ruleset"),
    "library": (LibraryFile, "A library"),
}
"""Each sort of file: its model and its title."""


def export_schemas(document: Document | None = None) -> dict[str, JsonSchema]:
    """The JSON Schema (2020-12) of each sort of file, by its name: ruleset, sections, scenario, variant,
    cases and library.

    With a document, its tables and the first values of a scenario are described too, with the ids and ranges that
    may stand in them. Rulesets that extend the document's may add members that these schemas do not know.

    >>> sorted(export_schemas())
    ['cases', 'library', 'ruleset', 'scenario', 'sections', 'variant']
    """
    schemas = {}
    for name, (model, title) in FILES.items():
        schema = schema_of(model)
        schemas[name] = {"$schema": schema.pop("$schema"), "title": title, **schema}
    if document is not None:
        for name in ("ruleset", "sections"):
            _describe_tables(schemas[name], document)
        for name in ("scenario", "variant"):
            start = schemas[name]["properties"]["start"]
            start |= start_schema(document)
        for schema in schemas.values():
            schema["title"] += f" (with the names of {document.manifest.ruleset})"
    for name in ("ruleset", "sections", "library"):
        _with_heads(schemas[name])
    return schemas


def schema_texts(document: Document | None = None) -> dict[str, str]:
    """The text of each schema file by the file's name; with a document, for the tables of that ruleset.

    >>> sorted(schema_texts())
    ['cases.json', 'library.json', 'ruleset.json', 'scenario.json', 'sections.json', 'variant.json']
    """
    schemas = export_schemas(document)
    return {
        f"{name}.json": json.dumps(each, indent=1, ensure_ascii=False) + "\n"
        for name, each in schemas.items()
        if document is None or name != "library"  # which is no ruleset's own
    }


def write_schemas(folder: Path, document: Document | None = None) -> list[Path]:
    """Write the schema files into a folder, over those that are there; the paths written. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in sorted(schema_texts(document).items()):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        written.append(folder / name)
    return written


def schema_of(model: type[Model]) -> JsonSchema:
    """The JSON Schema of what is read as `model`; attribute docstrings are its descriptions."""
    schema: JsonSchema = json.loads(_text_of_schema(model))
    return schema


@cache
def _text_of_schema(model: type[Model]) -> str:
    """The schema of a model as text, as whoever asks for it may alter what is made of it."""
    schema = model.model_json_schema(schema_generator=_Generator)
    definitions = {name: each for name, each in schema.get("$defs", {}).items() if name in _models()}
    for name, definition in {**definitions, model.__name__: schema}.items():
        definition.pop("title", None)  # the name of a class means nothing to an author
        docs = _field_docs(_models()[name])
        for key, described in definition.get("properties", {}).items():
            if key in docs:
                described["description"] = docs[key]
    return json.dumps({"$schema": DIALECT, **schema})


class _Generator(GenerateJsonSchema):
    """What the loader asks for rather than what Python holds: an empty value is wrong, and keys must be ids."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchema:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchema:
        return {key: value for key, value in super().default_schema(schema).items() if key != "default" or value}

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchema:
        result = super().dict_schema(schema)
        for pattern, values in result.pop("patternProperties", {}).items():
            result |= {"propertyNames": {"pattern": pattern}, "additionalProperties": values}
        return result


def _describe_tables(schema: JsonSchema, document: Document) -> None:
    steps = {"$ref": "#/$defs/Steps"}
    tables = {}
    for name, kind in document.kinds.items():
        table = table_schema(document, name, steps)
        del table["$schema"]
        title = str(kind.title or name)
        tables[str(name)] = {"title": title, "description": f"The members of {title}, by id.", **table}
    described = {"type": "object", "properties": tables, "additionalProperties": False}
    schema["properties"]["tables"] = {**described, "description": schema["properties"]["tables"]["description"]}


def _with_heads(schema: JsonSchema) -> None:
    """Say that `cite`, `grade` and `ruling` may stand at the top of each section and table."""
    heads = {
        key: {**each, "description": f"{each['description'].rstrip('.')}; for all below that say nothing else."}
        for key, each in schema["properties"].items()
        if key in HEAD_KEYS
    }
    for section, levels in LEVELS.items():
        holders = [schema["properties"][section]] if levels and section in schema["properties"] else []
        for _ in range(1, levels):
            holders += [inner for each in holders for inner in _below(each)]
        for each in holders:
            each["properties"] = {**heads, **each.get("properties", {})}


def _below(schema: JsonSchema) -> list[JsonSchema]:
    """The schemas of what stands under the keys of a mapping, other than heads."""
    named = [each for key, each in schema.get("properties", {}).items() if key not in HEAD_KEYS]
    others = schema.get("additionalProperties")
    return [*named, *([others] if isinstance(others, dict) else [])]


@cache
def _models() -> dict[str, type[Model]]:
    """Every model by the name of its class, which is its name in a schema."""
    models: dict[str, type[Model]] = {}
    waiting: list[type[Model]] = [Model]
    while waiting:
        model = waiting.pop()
        models[model.__name__] = model
        waiting += model.__subclasses__()
    return models


def _field_docs(model: type[Model]) -> dict[str, str]:
    """What the docstrings say under the fields of a model and of those it is made from, by the key written."""
    docs: dict[str, str] = {}
    for each in reversed(model.__mro__):
        if issubclass(each, Model):
            docs |= _docs_of_module(each.__module__).get(each.__name__, {})
    return {model.model_fields[name].alias or name: doc for name, doc in docs.items() if name in model.model_fields}


@cache
def _docs_of_module(name: str) -> dict[str, dict[str, str]]:
    """The docstring under each annotated attribute of each class of a module."""
    tree = ast.parse(inspect.getsource(sys.modules[name]))
    docs: dict[str, dict[str, str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            docs[node.name] = {
                field.target.id: inspect.cleandoc(doc.value.value)
                for field, doc in zip(node.body, node.body[1:], strict=False)
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
                if isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant)
                if isinstance(doc.value.value, str)
            }
    return docs
