"""A whole ruleset: the manifest, the sections, the scenario."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from polis_rules.schema.base import Expression, ListOf, MapOf, Model, Name, Number, Prose
from polis_rules.schema.kinds import Kind, Row, Variables
from polis_rules.schema.rules import Action, Ending, Graph, Procedures, Route, Scenario, Score, Supply, Term


class Source(Model):
    """A document that the rules were taken from."""

    title: Prose
    """Its title."""
    url: Prose | None = None
    """Where to find it."""
    sections: ListOf[Prose] = Field(default_factory=list)
    """Its sections that hold rules, to find out which of them no rule cites, and which is misquoted."""


class Manifest(Model):
    """What a ruleset is called and which files it is made of."""

    what: ClassVar[str] = "the manifest"

    format: Number
    """The version of the language: 1."""
    ruleset: Name
    """The id of the ruleset."""
    title: Prose
    """What players read."""
    sources: MapOf[Name, Source] = Field(default_factory=dict)
    """What a `cite` may begin with, by id."""
    files: ListOf[Prose] = Field(default_factory=list)
    """The files of the ruleset, e.g. `[kinds.yaml, actions.yaml]`; a small ruleset needs none."""
    scenario: Name | None = None
    """The scenario that is played unless another one is asked for."""
    rounds: Expression | None = None
    """The number of the present round, for reports."""


class Sections(Model):
    """A file of a ruleset: any of the sections."""

    what: ClassVar[str] = "a file of a ruleset"

    kinds: MapOf[Name, Kind] = Field(default_factory=dict)
    """What there is: sorts of things, with their attributes and state."""
    state: Variables = Field(default_factory=dict)
    """State of the game itself, e.g. `round: 1..9`."""
    tables: MapOf[Name, MapOf[Name, Row]] = Field(default_factory=dict)
    """The members of each kind, by kind and id."""
    graphs: MapOf[Name, Graph] = Field(default_factory=dict)
    """Connections between members."""
    routes: MapOf[Name, Route] = Field(default_factory=dict)
    """Ways to travel over graphs."""
    terms: MapOf[Name, Term] = Field(default_factory=dict)
    """Named quantities and conditions."""
    supplies: MapOf[Name, Supply] = Field(default_factory=dict)
    """Counted pieces."""
    invariants: MapOf[Name, Expression] = Field(default_factory=dict)
    """What must hold after every decision, by label."""
    actions: MapOf[Name, Action] = Field(default_factory=dict)
    """What a player may do."""
    procedures: Procedures = Field(default_factory=dict)
    """Steps with a name and parameters."""
    phases: Procedures = Field(default_factory=dict)
    """The course of the game; play begins with the phase `game`."""
    endings: MapOf[Name, Ending] = Field(default_factory=dict)
    """The reasons for the game to end."""
    score: Score | None = None
    """The final score."""


SECTIONS = tuple(Sections.written_keys())
"""The sections of the language."""


class Document(Sections):
    """A composed ruleset."""

    what: ClassVar[str] = "the ruleset"

    manifest: Manifest
    """The manifest."""
    score: Score
    """The final score."""
    scenario: Scenario
    """The scenario to be played."""
