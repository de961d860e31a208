"""The shape of a case: which keys it may have and what may stand under them."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from typing import Annotated, ClassVar, TypeVar

from pydantic import BeforeValidator, Field

from polis_rules.schema.base import Model, Rule
from polis_rules.schema.objections import unfit
from polis_rules.schema.values import PLAIN, Flag, ListOf, MapOf, Name, Prose, Raw, Short
from polis_rules.source import Sequence, Text

V = TypeVar("V")

EXPECTATIONS = (
    "then", "changes", "options", "offers", "offers_not", "refused", "decides", "ends", "scores", "sound",
)  # fmt: skip
"""The keys that say what must come of it; a case has at least one."""


def _one_or_more(value: object) -> object:
    if isinstance(value, Sequence):
        return value.items
    if isinstance(value, Text) and value:
        return [value]
    raise unfit("not-a-list", "a value or a list of values", value)


Several = Annotated[list[V], BeforeValidator(_one_or_more), Short(PLAIN)]
"""A list; a single value counts as a list of one."""
Word = Annotated[Prose, Short(PLAIN)]
"""An id, a title or a number, as a game offers it."""


def _terms(value: object) -> object:
    """The expected terms of a score; a bare number is likely meant to be their sum."""
    if isinstance(value, Text):
        raise unfit("not-a-mapping", "a mapping from terms to numbers", value, suggestion=f"{{total: {value}}}")
    return value


class EndEntry(Model):
    """How the game has ended."""

    what: ClassVar[str] = "'ends'"
    other_words: ClassVar[Dict[str, str]] = {"ending": "by", "end": "by", "won": "winner"}

    @classmethod
    def short_form(cls, node: object) -> object:
        if isinstance(node, Text):
            raise unfit("not-a-mapping", "a mapping", node, suggestion=f"{{by: {node}}}")
        return node

    by: Name | None = None
    """The id of the ending."""
    winner: Several[Name] = Field(default_factory=list)
    """A player's id, those of several who win together, or `none` for a tie."""


class CaseEntry(Rule):
    """One case, as it is written."""

    what: ClassVar[str] = "a case"
    other_words: ClassVar[Dict[str, str]] = {
        "start": "given", "setup": "given", "expect": "then", "after": "then", "result": "ends", "winner": "ends",
        "moves": "do",
    }  # fmt: skip

    scenario: Name | None = None
    """The scenario to begin with; default: the one the ruleset names."""
    variants: Several[Prose] = Field(default_factory=list)
    """Variants laid over: shipped names, or files as seen from the file of the case."""
    settings: MapOf[Name, Word] = Field(default_factory=dict)
    """What is settled before play, e.g. `{seats: 4}`."""
    given: MapOf[Prose, Raw] = Field(default_factory=dict)
    """First values, laid over those of the scenario and written like them."""
    drawn: MapOf[Prose, Several[Word]] = Field(default_factory=dict)
    """What is drawn, in order, by stream."""
    rolled: MapOf[Prose, Several[Word]] = Field(default_factory=dict)
    """What the dice show, in order, by stream: a sum, a number of hits, or single dice such as `1+4`."""
    do: ListOf[MapOf[Prose, Several[Word]]] = Field(default_factory=list)
    """The decisions in order: a player and one option or several, by id or title."""
    then: MapOf[Prose, Raw] = Field(default_factory=dict)
    """Values that must hold afterwards, written like those of a scenario."""
    changes: MapOf[Prose, Raw] = Field(default_factory=dict)
    """By how much numbers must differ from those before the first decision."""
    decides: Name | None = None
    """The player who must be the one to decide afterwards."""
    ends: EndEntry | None = None
    """That the game must be over, and how."""
    scores: MapOf[Prose, Annotated[MapOf[Prose, Word], BeforeValidator(_terms)]] = Field(default_factory=dict)
    """Score terms, or `total`, of players, as the score would be now."""
    options: Several[Word] | None = None
    """Exactly what must be offered afterwards."""
    offers: Several[Word] = Field(default_factory=list)
    """What must be offered afterwards, among other things."""
    offers_not: Several[Word] = Field(default_factory=list)
    """What must not be offered afterwards."""
    refused: MapOf[Prose, Several[Word]] = Field(default_factory=dict)
    """What must be refused afterwards, with at least these labels."""
    sound: Flag = False
    """True where nothing else is expected than that all of it can be played and no rule fails."""

    def expects_something(self) -> bool:
        """Whether the case can fail at all by what comes of it."""
        return any(getattr(self, key) not in (None, False, {}, []) for key in EXPECTATIONS)


class InheritedEntry(Model):
    """How the cases of the ruleset that this one extends are read here."""

    what: ClassVar[str] = "'inherited'"

    words: MapOf[Prose, Word] = Field(default_factory=dict)
    """What those cases call otherwise: their word, then this ruleset's."""
    absent: Several[Prose] = Field(default_factory=list)
    """What does not exist here: values of it, and offers, are taken out of those cases; decisions are not."""
    undrawn: MapOf[Prose, MapOf[Prose, Raw]] = Field(default_factory=dict)
    """By stream of chance: what is given in a case that does not say what comes from there."""
    leaves_out: MapOf[Prose, Prose] = Field(default_factory=dict)
    """Cases that do not hold here, by id or a pattern with * or ?, and why."""
