"""How the rulebook of a ruleset is laid out: chapters, and sentences of its own. Nothing here changes the rules."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from polis_rules.schema.base import Model
from polis_rules.schema.values import ListOf, MapOf, Name, Prose


class BookChapter(Model):
    """A chapter: rules that are told together."""

    what: ClassVar[str] = "a chapter of the book"

    title: Prose
    """Its heading."""
    text: Prose | None = None
    """What stands before its first rule."""
    rules: ListOf[Prose] = Field(default_factory=list)
    """The rules that it begins with, e.g. `[phases.harvest]`; what they carry out follows them."""
    examples: ListOf[Name] = Field(default_factory=list)
    """Cases that are told as worked examples, by their ids; HTML and PDF show their positions."""


class Said(Model):
    """What the rulebook says of a rule instead of the sentences made from it."""

    what: ClassVar[str] = "what the book says of a rule"

    text: Prose
    """The sentences."""
    case: Name
    """The case that proves them."""


class BookPlan(Model):
    """How the rulebook is laid out; it changes no rule."""

    what: ClassVar[str] = "the book"

    introduction: Prose | None = None
    """What the game is about and how one wins."""
    chapters: MapOf[Name, BookChapter] = Field(default_factory=dict)
    """Chapters after the actions, in this order."""
    inside: ListOf[Prose] = Field(default_factory=list)
    """Rules that are told where they are carried out, e.g. `[procedures.refill]`."""
    says: MapOf[Name, MapOf[Name, Said]] = Field(default_factory=dict)
    """What it says of rules, terms, routes, supplies and the score, by section and id, and of what rows do, by kind and
    id. Where a later layer changes one of them, a rule told inside it, or a term that they ask, the sentences made from
    it stand there again."""
