"""What is wrong with the shape of a value: errors that pydantic carries to where they are reported."""

from __future__ import annotations

from pydantic_core import PydanticCustomError

from polis_rules.diagnostics import quote
from polis_rules.source import Mapping, Sequence


def describe(node: object) -> str:
    """What stands in a file, in words."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    text = str(node)
    return quote(text) if text else "empty"


def with_article(words: str) -> str:
    """`a` or `an`, and the words; quotes are passed over.

    >>> with_article("term"), with_article("'if' step")
    ('a term', "an 'if' step")
    """
    return f"an {words}" if words[words[0] == "'"] in "aeiou" else f"a {words}"


def unfit(code: str, wanted: str, value: object, suggestion: str | None = None) -> PydanticCustomError:
    """The error that a value is not `wanted`; the subject of the sentence is added where it is reported."""
    context = {"predicate": f"must be {wanted}", "found": describe(value), "suggestion": suggestion}
    return PydanticCustomError(code, "{predicate}, not {found}", context)


def conflict(message: str, hint: str | None = None, code: str = "unfit-keys", key: str = "") -> PydanticCustomError:
    """The error that keys do not go together, or whatever else takes a whole sentence to say; `key` is where it is."""
    return PydanticCustomError(code, "{sentence}", {"sentence": message, "hint": hint, "key": key})
