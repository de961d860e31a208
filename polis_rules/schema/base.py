"""What every model of the language builds on: frozen models with a place."""

from __future__ import annotations

import re
from collections.abc import Mapping as Dict, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, model_validator
from pydantic_core import PydanticOmit

from polis_rules.diagnostics import Span
from polis_rules.schema.objections import unfit, with_article
from polis_rules.schema.values import AsItIs, Expression, Grade, Prose
from polis_rules.source import Mapping, Text

REST = "*"
"""Where in `Model.order` the keys stand that it does not name, as the author has arranged them; else at its end."""
CITE = re.compile(r"([a-z][a-z0-9_]*)\s*(?:,\s*(.*))?")
"""What `Rule.cite` holds: the id of a source, then the place in it."""
SPAN = "\nspan"
"""The key under which a model gets its own place. No key of a file can hold a line break."""


Effects = dict[int, dict[Text, int]]


@dataclass(slots=True)
class Reading:
    """What one run of the loader knows besides the tree; mappings are known by `id`."""

    models: dict[int, type[Model]] = field(default_factory=dict)
    """Which model each mapping was read as."""
    effects: Effects = field(default_factory=dict)
    """The keys of a row whose values are lists of steps, and under how many levels of `per` these stand."""


class Hidden:
    """Annotation of a value that the loader fills in: it is not part of the JSON Schema."""

    def __get_pydantic_json_schema__(self, _core: object, _handler: object) -> dict[str, Any]:
        raise PydanticOmit


class Model(BaseModel):
    """A mapping with fixed keys."""

    # Attribute docstrings become descriptions in `export`, not through pydantic's own setting: that one
    # reads the source of every class at import, which would make loading any ruleset 30 ms slower.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    what: ClassVar[str] = "this"
    """What an error message calls such a mapping; of a class that does not say it, the name of the class."""
    order: ClassVar[tuple[str, ...]] = ()
    """In which order its keys are written, where that is not the order of the fields. `REST` stands for the others."""

    telling: ClassVar[tuple[str, ...]] = ()
    """Keys that only say how something is told, and change no rule."""

    alone: ClassVar[str] = ""
    """The key whose value alone means the same as a mapping that has no other key."""

    other_words: ClassVar[Dict[str, str]] = {}
    """What people write for some keys that are spelt quite otherwise."""

    span: Annotated[Span, AsItIs(), Hidden()] = Field(alias="\nspan")  # SPAN; type checkers want it spelled out

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        if "what" not in cls.__dict__:
            cls.what = with_article(cls.__name__.lower())

    @model_validator(mode="before")
    @classmethod
    def _open(cls, node: object, info: ValidationInfo) -> object:
        """Take a mapping of the tree apart; note which model it was meant to be, for error messages."""
        if not isinstance(node, Mapping):
            node = cls.short_form(node)
        if not isinstance(node, Mapping):
            return node
        reading: Reading = info.context  # type: ignore[assignment]
        reading.models[id(node)] = cls
        return cls.fields_of(node, reading)

    @classmethod
    def short_form(cls, node: object) -> object:
        """The keys that a shorter way of writing stands for; the error that there is no such way."""
        raise unfit("not-a-mapping", "a mapping", node)

    @classmethod
    def fields_of(cls, node: Mapping, _reading: Reading) -> dict[Any, object]:
        """The keys and values of a mapping, and its place."""
        return {**node.entries, SPAN: node.span}

    @classmethod
    def written_keys(cls) -> dict[str, str]:
        """The keys that may be written, each with the name of its field."""
        keys = ((field.alias or name, name) for name, field in cls.model_fields.items())
        return {key: name for key, name in keys if "\n" not in key}


class Rule(Model):
    """Whatever has a source: a rule, or a row of a table."""

    title: Prose | None = None
    """What players read, e.g. `Red token`."""
    cite: Prose | None = None
    """Where it comes from: a source of the manifest, then the place, e.g. `rulebook, page 4`."""
    grade: Grade | None = None
    """How sure it is: `quoted`, `print_and_play`, `inferred`, `reconstructed`, or `house` for rules of our own."""
    ruling: Prose | None = None
    """What was decided where the text is open, and why."""


class Entry(Rule):
    """A rule or a row that may be left out before play."""

    when: Expression | None = None
    """On which settings it is there, e.g. `seats >= 4`. Without it, it always is."""


class Verb(Model):
    """A step written as a mapping; it begins with its verb, and its place is that of the verb."""

    verb: ClassVar[str]
    """The name of the class."""
    makes: ClassVar[tuple[str, ...]] = ()
    """The keys after which stand names, or a mapping of names, by which overlays find the step."""

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        cls.verb = cls.__name__.lower().removesuffix("step")
        cls.what = with_article(f"'{cls.verb}' step")

    @classmethod
    def fields_of(cls, node: Mapping, _reading: Reading) -> dict[Any, object]:
        place = next((key.span for key in node.entries if key == cls.verb), node.span)
        return {**node.entries, SPAN: place}


class Conditional(Verb):
    """A step that need not be done. One that names something for the steps after it is none of these."""

    when: Expression | None = None
    """It is done only if this holds."""


RULE_KEYS = tuple(Rule.written_keys())
"""What every rule, and every row besides its attributes, may say of itself."""
HEAD_KEYS = ("cite", "grade", "ruling")
"""What may also stand at the top of a file, a section or a table, and then holds for what stands below it."""
PROSE = (*RULE_KEYS, "why", "finish", "says", "plural")
"""What holds words for people; expressions may stand in braces among them."""
UNIT = "unit"
"""The key under which stands what a number counts; what else holds words has names that hardly any ruleset gives."""
COUNTED = {"kinds": 5, "state": 3, "settings": 3, "terms": 3}
"""Of the sections that declare numbers: how many keys lead to the unit of one."""


def holds_words(path: Sequence[str | int]) -> bool:
    """Whether words for people stand at a path of a ruleset. A kind may be called `unit`, and so may a label.

    >>> holds_words(["state", "coins", "unit"]), holds_words(["routes", "walk", "through", "unit"])
    (True, False)
    """
    if path[-1] != UNIT:
        return path[-1] in PROSE
    return COUNTED.get(str(path[0])) == len(path) or (path[0] not in COUNTED and path[-3:-2] in (["let"], ("let",)))
