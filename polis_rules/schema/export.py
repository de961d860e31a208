"""Exports the language as JSON Schemas, for editors: of each sort of file, and of a ruleset's own tables."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema

from polis_rules.schema.base import Model
from polis_rules.schema.files import ManifestFile, ScenarioFile, SectionsFile, VariantFile
from polis_rules.schema.tables import JsonSchema, table_schema

if TYPE_CHECKING:
    from polis_rules.schema.document import Document

__all__ = ["export_schemas", "schema_of"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILES: dict[str, type[Model]] = {
    "ruleset": ManifestFile,
    "sections": SectionsFile,
    "scenario": ScenarioFile,
    "variant": VariantFile,
}


def export_schemas(document: Document | None = None) -> dict[str, JsonSchema]:
    """The JSON Schema (2020-12) of each sort of file, by its name: ruleset, sections, scenario and variant.

    With a document, `tables` in its files and each of its tables are described too: ids are completed,
    ranges checked. Rulesets that extend the document's may add members that these schemas do not know.

    >>> sorted(export_schemas())
    ['ruleset', 'scenario', 'sections', 'variant']
    """
    schemas = {name: schema_of(model) for name, model in FILES.items()}
    if document is not None:
        for name in ("ruleset", "sections"):
            _describe_tables(schemas[name], document)
    return schemas


def schema_of(model: type[Model]) -> JsonSchema:
    """The JSON Schema of what is read as `model`; attribute docstrings are its descriptions."""
    schema = model.model_json_schema(schema_generator=_Generator)
    definitions = {name: each for name, each in schema.get("$defs", {}).items() if name in _models()}
    for name, definition in {**definitions, model.__name__: schema}.items():
        definition.pop("title", None)  # the name of a class means nothing to an author
        docs = _field_docs(_models()[name])
        for key, described in definition.get("properties", {}).items():
            if key in docs:
                described["description"] = docs[key]
    return {"$schema": DIALECT, **schema}


class _Generator(GenerateJsonSchema):
    """Leaves out the titles that pydantic makes from field names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _describe_tables(schema: JsonSchema, document: Document) -> None:
    steps = {"$ref": "#/$defs/Steps"}
    tables = {str(kind): table_schema(document, kind, steps) for kind in document.kinds}
    for table in tables.values():
        del table["$schema"]
    described = {"type": "object", "properties": tables, "additionalProperties": False}
    schema["properties"]["tables"] = {**described, "description": schema["properties"]["tables"]["description"]}


@cache
def _models() -> dict[str, type[Model]]:
    """Every model by the name of its class, which is its name in a schema."""
    found: dict[str, type[Model]] = {}
    waiting: list[type[Model]] = [Model]
    while waiting:
        model = waiting.pop()
        found[model.__name__] = model
        waiting += model.__subclasses__()
    return found


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
    found: dict[str, dict[str, str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = {
                field.target.id: inspect.cleandoc(doc.value.value)
                for field, doc in zip(node.body, node.body[1:], strict=False)
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
                if isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant)
                if isinstance(doc.value.value, str)
            }
    return found
