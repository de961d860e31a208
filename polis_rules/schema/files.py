"""The files as people write them; composing turns them into the one tree that `Document` describes.

Nothing is read with these models: they say which keys a file has, in which order, and make the JSON Schemas of editors.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field, model_validator

from polis_rules.diagnostics import nearest
from polis_rules.schema.base import HEAD_KEYS, REST, RULE_KEYS, SPAN, Hidden, Model, Rule
from polis_rules.schema.cases import CaseEntry, InheritedEntry, Several, Word
from polis_rules.schema.declarations import Per
from polis_rules.schema.document import Manifest, Procedures, Scenario, Sections, Source, Term, Variables
from polis_rules.schema.objections import conflict, unfit
from polis_rules.schema.steps import Steps
from polis_rules.schema.values import (
    AsItIs,
    Expression,
    Flag,
    Grade,
    ListOf,
    MapOf,
    Name,
    Number,
    Prose,
    Raw,
    RowGrade,
    Short,
    TypeText,
)
from polis_rules.source import Text


class Insertion(Model):
    """Steps that are put into a rule, and where."""

    order = ("before", "after", "at", "why", "do")

    before: Prose | None = None
    """The step that they come before: a bare word, a called rule, a way, or a name that it makes."""
    after: Prose | None = None
    """The step that they come after."""
    at: Prose | None = None
    """An end of the list: `start` or `end`."""
    why: Prose | None = None
    """The reason."""
    do: Steps
    """The steps."""


class Overlay(Model):
    """What a file alters in the rules below it. Paths are ids joined by dots, e.g. `actions.dig.cost.coin`."""

    why: Prose | None = None
    """The reason, for every operation that gives none of its own."""
    remove: MapOf[Prose, Raw] | None = None
    """What goes, each with the reason, e.g. `actions.dig: it takes too long`."""
    replace: MapOf[Prose, Raw] | None = None
    """What stands in place of something, e.g. `tables.card: {fox: {points: 1}}`."""
    change: MapOf[Prose, Raw] | None = None
    """Values that become others, e.g. `actions.dig.cost.coin: {was: 1, to: 2}`."""
    extend: MapOf[Prose, Raw] | None = None
    """Expressions around the present ones, which they call `base`, e.g. `terms.price.is: base + 1`."""
    insert: MapOf[Prose, Insertion | ListOf[Insertion]] | None = None
    """New steps of rules, e.g. `phases.round: {after: harvest, do: [pay_wages]}`."""
    add: MapOf[Prose, Raw] | None = None
    """What is new, e.g. `terms.limit: {is: 8}`."""


class ScenarioFile(Scenario, Overlay):
    """`scenarios/ID.yaml`: a set-up, and what it alters in the rules."""

    order = ("scenario", *RULE_KEYS, "why", REST, "start")


class Cited(Model):
    """What an edition says of the rules that the one below cites in some way."""

    cite: Prose | None = None
    """Where they stand in this edition's text, if they do."""
    grade: RowGrade = None
    """How sure they are, if not as sure as the source; of rows also for each value, e.g. `{price: inferred}`."""


class _Head(Model):
    """What holds for all rules below that say nothing else."""

    cite: Prose | None = None
    """Where the rules below come from, unless they say so themselves."""
    grade: Grade | None = None
    """How sure they are; without it as sure as the source that they cite."""
    ruling: Prose | None = None
    """What was decided where the text is open, and why."""


class Use(_Head):
    """A library that is used: which one, and what it needs, by the names of its needs. A bare id is short for it."""

    order = ("library", *HEAD_KEYS, REST)
    model_config = ConfigDict(json_schema_extra={"additionalProperties": True})

    library: Name
    """Its id, e.g. `sealed_auction`."""


Uses = MapOf[Name, Annotated[Use, Short({"type": "string"})]]


class ManifestFile(Manifest, Sections, Overlay, _Head):
    """`ruleset.yaml`: what a ruleset is called and which files it is made of."""

    order = (
        "format", "ruleset", "extends", "title", "why", "sources", "citations", "files", "scenario", "rounds",
        *HEAD_KEYS, "uses",
    )  # fmt: skip

    extends: Name | None = None
    """The ruleset that this one is an edition of; then it holds only the differences."""
    citations: MapOf[Prose, Annotated[Cited, Short({"type": "string"})]] = Field(default_factory=dict)
    """How this edition cites what the one below cites, e.g. `rulebook, "Digging": second, "Digs"`."""
    uses: Uses = Field(default_factory=dict)
    """Libraries, each under the name that its rules are called by, e.g. `bids: {library: sealed_auction}`."""
    scenario: Name | ScenarioFile | None = None  # type: ignore[assignment]
    """The scenario that is played unless another one is asked for: its id, or itself."""


class SectionsFile(Sections, Overlay, _Head):
    """A file of a ruleset: any of the sections."""

    order = (*HEAD_KEYS, "why", REST)


class Need(Model):
    """What a library asks of those who use it: a kind, a plain number, state, or what an expression yields."""

    what: ClassVar[str] = "a need"

    sort: Annotated[Text | None, AsItIs(), Hidden()] = Field(alias="\nsort", default=None)
    """`kind` or `number`, which are written without a mapping."""
    state: Name | None = None
    """The kind whose state it is, e.g. `player`; `game` for state of the game itself."""
    type: TypeText | None = None
    """The type of that state; `number` also stands for every range."""
    per: Per = Field(default_factory=dict)
    """The kinds for each member of which that state has a value, e.g. `good`."""
    spendable: Flag = False
    """Whether that state must be one that can be paid."""
    of: MapOf[Name, TypeText] = Field(default_factory=dict)
    """What an expression may ask, e.g. `{lot: item}`."""
    is_: TypeText | None = Field(alias="is", default=None)
    """The type of that expression, e.g. `number` or `player or none`."""

    @classmethod
    def short_form(cls, node: object) -> object:
        if isinstance(node, Text) and node in NEEDED:
            return {"\nsort": node, SPAN: node.span}
        near = nearest(node, NEEDED) if isinstance(node, Text) else None
        raise unfit("unknown-need", "kind, number, or a mapping with `state` and `type`, or with `is`", node, near)

    @model_validator(mode="after")
    def _one_sort(self) -> Need:
        if (self.state is not None) != (self.type is not None):
            lacking = "type: number" if self.type is None else "state: player"
            raise conflict("a need of state says whose it is and of which type", f"add `{lacking}`")
        if (self.state or self.sort or self.is_) is None:
            raise conflict("a need has `state` and `type`, or `is`")
        if self.state is not None and (self.is_ is not None or self.of):
            raise conflict("a need is state or an expression, not both", key="state")
        if self.per and self.state is None:
            raise conflict("only state has a value for each member of a kind", "write `of`", key="per")
        return self


NEEDED = ("kind", "number")
"""The needs that one word says."""


class Needs(Model):
    """What a library asks of those who use it."""

    needs: MapOf[Name, Annotated[Need, Short({"enum": list(NEEDED)})]] = Field(default_factory=dict)
    """What those who use it fill in, e.g. `lot: kind` or `least: {of: {item: lot}, is: number}`."""


class LibraryFile(Needs, _Head):
    """`library.yaml`: rules for several games."""

    order = ("format", "library", "title", "why", *HEAD_KEYS, "uses", "needs")

    format: Number
    """The version of the language: 2."""
    library: Name
    """The id of the library, which its folder has too."""
    title: Prose
    """What people read."""
    why: Prose | None = None
    """What it is good for."""
    uses: Uses = Field(default_factory=dict)
    """Other libraries that it uses itself."""
    state: Variables = Field(default_factory=dict)
    """State of the game itself, also `per` kinds."""
    terms: MapOf[Name, Term] = Field(default_factory=dict)
    """Named quantities and conditions."""
    invariants: MapOf[Name, Expression] = Field(default_factory=dict)
    """What must hold after every decision, by label."""
    procedures: Procedures = Field(default_factory=dict)
    """Steps with a name and parameters."""
    phases: Procedures = Field(default_factory=dict)
    """The same, for headings in the report."""


LIBRARY_SECTIONS = tuple(key for key in LibraryFile.written_keys() if key in Sections.model_fields)
"""The sections that a library may have."""


class VariantFile(Rule, Overlay):
    """A house rule: what it alters in the rules, and which others it goes with."""

    order = (
        "variant", "title", "extends", "cite", "grade", "requires", "conflicts", "after", "why", "ruling", "sources",
        "changes_cases", REST, "start",
    )  # fmt: skip

    variant: Name
    """Its id."""
    extends: Several[Name] = Field(default_factory=list)
    """The rulesets that it is for."""
    requires: ListOf[Name] = Field(default_factory=list)
    """Variants without which it makes no sense."""
    conflicts: ListOf[Name] = Field(default_factory=list)
    """Variants with which it cannot be played."""
    after: ListOf[Name] = Field(default_factory=list)
    """Variants on top of which it comes, if they are played too."""
    settings: MapOf[Name, Raw] = Field(default_factory=dict)
    """Settings of its own, e.g. `sides: {type: 4..12, start: 6}`, and what it settles, e.g. `long_game: true`."""
    start: MapOf[Expression, Raw] = Field(default_factory=dict)
    """First values, laid over those of the scenario and written like them."""
    changes_cases: ListOf[Prose] = Field(default_factory=list)
    """Cases of the ruleset that need not hold with it, by id; `*` stands for any letters."""
    sources: MapOf[Name, Source] = Field(default_factory=dict)
    """What a `cite` of it may begin with besides the ruleset's own sources, by id."""


class CasesFile(Model):
    """`cases/NAME.yaml`: what must come of given positions."""

    inherited: InheritedEntry | None = None
    """In `cases/inherited.yaml`: how the cases of the ruleset that this one extends are read here."""
    settings: MapOf[Name, Raw] = Field(default_factory=dict)
    """What is settled before play in all cases of the file, e.g. `{seats: 4}`; a case may settle it otherwise."""
    given: MapOf[Prose, Raw] = Field(default_factory=dict)
    """First values of all cases in the file; a case that gives one itself has its own."""
    drawn: MapOf[Prose, Several[Word]] = Field(default_factory=dict)
    """What is drawn in all cases that say nothing about the stream themselves; it need not be needed."""
    before: ListOf[MapOf[Prose, Several[Word]]] = Field(default_factory=list)
    """Decisions that all cases of the file make first, before their own `do`."""
    cases: MapOf[Name, CaseEntry] = Field(default_factory=dict)
    """The cases, by id."""
