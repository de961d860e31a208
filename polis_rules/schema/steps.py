"""The verbs: one model for each kind of step, told apart by the key that is its verb."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, get_args

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator
from typing_extensions import TypeAliasType

from polis_rules.diagnostics import quote
from polis_rules.schema.base import SPAN, Conditional, Hidden, Model, Reading, Verb
from polis_rules.schema.conditions import Leaving, Where
from polis_rules.schema.declarations import Memory
from polis_rules.schema.objections import conflict, unfit
from polis_rules.schema.values import Expression, Flag, Leads, ListOf, MapOf, Name, Prose, Short, Value
from polis_rules.source import Mapping, Sequence, Text, is_id


class Way(Model):
    """One of several named ways to go on."""

    what: ClassVar[str] = "a way to choose"
    telling = ("says",)

    when: Expression | None = None
    """On which settings there is such a way, e.g. `long_game`."""
    title: Prose | None = None
    """What the player reads, e.g. `Keep the card`."""
    says: Prose | None = None
    """How the report tells that it was chosen, where that is no part of an action, e.g. `{you} keeps the card`; in
    braces stand `you`, `paid` and `gained`."""
    where: Where = Field(default_factory=dict)
    """Conditions under which it is offered."""
    cost: MapOf[Expression, Expression] = Field(default_factory=dict)
    """What it costs, e.g. `{coin: 2}`; it is offered only to those who can pay."""
    do: Steps = Field(default_factory=list)
    """What then happens."""


Ways = MapOf[Name, Way]


def _names(node: Any) -> str:
    """Whether one name is given or several, each with what it is chosen from."""
    return "<names>" if isinstance(node, (Mapping, Sequence)) else "<name>"


def _with_sources(node: object) -> object:
    if isinstance(node, Sequence):
        hint = "write `choose: {name: source, other: source}`"
        raise conflict("each of several names has what it is chosen from beside it", hint, "not-text")
    return node


class Choose(Verb):
    """A player chooses one of several members or numbers, or several members together."""

    makes = ("choose", "or")
    telling = ("says",)

    choose: Annotated[
        Annotated[Name, Tag("<name>")] | Annotated[MapOf[Name, Value], BeforeValidator(_with_sources), Tag("<names>")],
        Discriminator(_names),
    ]
    """The name by which the rest of the list calls what was chosen, e.g. `target`; or several names, each with what
    it is chosen from, e.g. `{origin: cell, goal: origin.near}`."""
    who: Expression | None = None
    """The player who chooses; `you` unless said."""
    title: Prose | None = None
    """What the player reads, e.g. `Which field?`."""
    says: Prose | None = None
    """How the report tells what was chosen, where that is no part of an action, e.g. `{you} sows {field}`; in braces
    stand `you`, `paid`, `gained`, and the choices, rolls and draws of the rule."""
    from_: Value | None = Field(alias="from", default=None)
    """The options: a kind, a set, a list, or numbers such as `0..you.coins`."""
    many: Expression | None = None
    """How many members are chosen, e.g. `2`, `1..3` or `0..`; the name then stands for the set of them."""
    finish: Prose | None = None
    """What the player reads who has chosen enough of `many`."""
    where: Where = Field(default_factory=dict)
    """Conditions that an option meets, by label, e.g. `not_yours: target.owner != you`; each of `many` is `it`."""
    leads_to: Leads = Field(default_factory=dict)
    """A choice that comes next: only what leaves it an option may be chosen. By label, or the name alone."""
    if_possible: Flag = False
    """Without an option go on, and let the name be none."""
    secret: Flag = False
    """The other players do not see what is chosen."""
    or_: Ways = Field(alias="or", default_factory=dict)
    """Other ways to go on, by name; the chosen name is then none."""
    do: Steps = Field(default_factory=list)
    """Steps done at once with the choice; they may not wait for anybody."""
    leaving: Leaving = Field(default_factory=dict)
    """Conditions that must hold after `do`, by label."""

    @model_validator(mode="after")
    def _from_somewhere(self) -> Choose:
        if isinstance(self.choose, dict):
            if self.from_ is not None:
                message = "each of several names has what it is chosen from beside it"
                raise conflict(message, "write it as `choose: {name: source}`", key="from")
            if not self.choose:
                raise conflict("a choice needs a name", "write `choose: {name: source}`", key="choose")
        elif self.from_ is None:
            hint = "say `from:` which kind, set or numbers to choose from"
            raise conflict(f"{self.what} needs the key {quote('from')}", hint, "missing-key", "choose")
        return self

    @model_validator(mode="after")
    def _one_or_many(self) -> Choose:
        if self.many is None:
            if self.finish is not None:
                message = "only who chooses several members can finish before all are chosen"
                raise conflict(message, "say `many: 0..3`", key="finish")
            return self
        besides = {"choose": isinstance(self.choose, dict), "or": self.or_, "do": self.do, "leaving": self.leaving}
        for key, there in {**besides, "leads_to": self.leads_to}.items():
            if there:
                other = "several names" if key == "choose" else f"'{key}'"
                raise conflict(f"'many' does not go with {other}", "write it as steps of their own", key="many")
        ranged = ".." in self.many
        if ranged and self.finish is None:
            hint = "say `finish:` what a player reads who has chosen enough"
            raise conflict(f"a range of 'many' needs the key {quote('finish')}", hint, "missing-key", "many")
        if not ranged and self.finish is not None:
            raise conflict("there is nothing to finish: so many are chosen", "write a range, e.g. `0..2`", key="finish")
        return self

    @property
    def names(self) -> dict[Text, Text]:
        """The names, each with what it is chosen from."""
        if isinstance(self.choose, dict):
            return self.choose
        assert self.from_ is not None
        return {self.choose: self.from_}

    @property
    def first(self) -> Text:
        """The name, or the first of several."""
        return next(iter(self.names))


class Told(Conditional):
    """A step that may say itself how the report tells what it does."""

    telling = ("says",)

    says: Prose | None = None
    """How the report tells what this step does, with all inside it, e.g. `{you} gives {place} up`: in braces stand
    expressions, as they are before it, `{number: things}` for so many, and `moved` for what comes from list to list.
    Nothing may be chosen, rolled or drawn in it; `""` tells nothing."""


class Either(Conditional):
    """A player chooses one of several named ways."""

    makes = ("either",)

    either: Ways
    """The ways, by name."""
    who: Expression | None = None
    """The player who chooses; `you` unless said."""
    title: Prose | None = None
    """What the player reads."""
    secret: Flag = False
    """The other players do not see what is chosen."""


class RepeatBody(Model):
    """How often, and what."""

    what: ClassVar[str] = "'repeat'"

    while_: Expression | None = Field(alias="while", default=None)
    """Go on while this holds."""
    times: Expression | None = None
    """Do it so many times."""
    at_least: Expression | None = None
    """The player may finish after so many times."""
    different: Expression | None = None
    """A member that differs from round to round, made of the first choice, e.g. `place.region`."""
    finish: Prose | None = None
    """What the player reads who finishes; without it there is no finishing before the options run out."""
    do: Steps
    """What is repeated. Without `while` and `times` it begins with `choose` or `either`."""

    @model_validator(mode="after")
    def _one_way_to_end(self) -> RepeatBody:
        if self.while_ is not None and self.times is not None:
            raise conflict("a repeat has 'while' or 'times', not both", key="times")
        if self.while_ is None and self.times is None:
            first = self.do[0] if self.do else None
            if not isinstance(first, Choose | Either) or (isinstance(first, Choose) and first.many is not None):
                raise conflict(
                    "a repeat without 'while' or 'times' must begin with 'choose' or 'either'",
                    "it goes on as long as that first choice has an option",
                )
        elif self.at_least is not None or self.finish is not None:
            key = "at_least" if self.at_least is not None else "finish"
            raise conflict("'at_least' and 'finish' do not go with 'while' or 'times'", key=key)
        return self


class Repeat(Told):
    """Steps done again and again."""

    repeat: RepeatBody
    """How often, and what."""


class Each(Told):
    """Steps done for each member, in table order."""

    makes = ("each",)

    each: Name
    """The name of the member in the steps; `you` makes each player act in turn."""
    in_: Value = Field(alias="in")
    """A kind, a set, or a list, which is gone through in its own order."""
    where: Where = Field(default_factory=dict)
    """Only members that meet these conditions."""
    starting: Expression | None = None
    """The member to begin with; it goes on from there, and around."""
    do: Steps
    """What happens for each."""


class Together(Conditional):
    """Players act at the same time: none sees what the others do until all have finished."""

    makes = ("together",)

    together: Name
    """Always `you`: who acts in the steps."""
    in_: Value = Field(alias="in")
    """Who acts: the kind `player`, or a set of players."""
    where: Where = Field(default_factory=dict)
    """Only players that meet these conditions."""
    do: Steps
    """What each of them does. It may change only what is its own (`you.bid`), and not read there what others set."""


class If(Verb):
    """Steps done only under a condition."""

    if_: Expression = Field(alias="if")
    """The condition."""
    then: Steps
    """What happens if it holds."""
    else_: Steps = Field(alias="else", default_factory=list)
    """What happens if it does not."""


class _Amounts(Told):
    """What goes from or to a player."""

    who: Expression | None = None
    """Whose it is; `you` unless said."""


class Pay(_Amounts):
    """A player pays; it must be affordable."""

    pay: MapOf[Expression, Expression]
    """How much of what, e.g. `{coin: 2}`."""


class Gain(_Amounts):
    """A player gains; it stops at the end of the range."""

    gain: MapOf[Expression, Expression]
    """How much of what, e.g. `{coin: 2}`."""


class Lose(_Amounts):
    """A player loses; it stops at the end of the range."""

    lose: MapOf[Expression, Expression]
    """How much of what, e.g. `{coin: 2}`."""


class Move(Told):
    """Counted pieces, or the members of a list, go from somewhere to somewhere."""

    move: Expression
    """How many; of a list so many from its top, `all`, or which member."""
    from_: Expression = Field(alias="from")
    """State that counts them now, e.g. `you.pieces`, or a list."""
    to: Expression
    """State that counts them afterwards, e.g. `place.pieces[you]`, a list (they come on top) or `under(list)`."""


class Sort(Told):
    """A list is put in order: the least comes on top, and equal ones stay as they were."""

    sort: Expression
    """The list, e.g. `turn_order`."""
    by: Expression
    """A number for each of its members, which is called `it`, e.g. `it.bid`."""


class Shuffle(Conditional):
    """A list is put in an order that chance decides."""

    shuffle: Expression
    """The list, e.g. `pile`."""
    stream: Name | None = None
    """The purpose: each has its own random numbers. Without it, the rule that the step stands in."""


class SetStep(Told):
    """State gets another value."""

    set: MapOf[Expression, Value]
    """The new values, e.g. `{place.owner: you}`."""


def _declares(node: Any) -> str:
    """Whether a value of `let` is a declaration. A mapping of keys alone is a set that nobody has put in quotes."""
    return "<memory>" if isinstance(node, Mapping) and any(node.entries.values()) else "<value>"


class Let(Verb):
    """A name for a value, or for what may be changed, for the rest of the list."""

    makes = ("let",)

    let: MapOf[
        Name, Annotated[Annotated[Memory, Tag("<memory>")] | Annotated[Value, Tag("<value>")], Discriminator(_declares)]
    ]
    """The values by name, e.g. `{price: 2 + you.level}`; or what steps may change, e.g. `{spent: {type: 0..9}}`."""


class Roll(Verb):
    """Dice are rolled."""

    makes = ("roll",)
    telling = ("says",)

    roll: Name
    """The name of the result."""
    dice: Expression
    """The dice, e.g. `2d6`, or with expressions in brackets: `(you.tokens)d6`."""
    hits: Expression | None = None
    """What counts as a hit, e.g. `die >= 5`; the result is then the number of hits."""
    seen_by: Expression | None = None
    """Which players, called `viewer`, see the result; everybody unless said."""
    stream: Name | None = None
    """The purpose: each has its own random numbers. Without it, the rule that the step stands in."""
    says: Prose | None = None
    """How the report tells it, e.g. `{you} rolls {luck} for the wind`, with braces as elsewhere; `""` tells nothing."""


class Draw(Verb):
    """Chance picks one of several members."""

    makes = ("draw",)

    draw: Name
    """The name of what is drawn."""
    from_: Value = Field(alias="from")
    """A kind, a set or a list."""
    where: Where = Field(default_factory=dict)
    """Only members that meet these conditions."""
    weight: Expression | None = None
    """How likely each is; without it all are equally likely."""
    seen_by: Expression | None = None
    """Which players, called `viewer`, see what is drawn; everybody unless said."""
    stream: Name | None = None
    """The purpose: each has its own random numbers. Without it, the rule that the step stands in."""
    if_possible: Flag = False
    """With nothing to draw go on, and let the name be none."""


class Do(Told):
    """A procedure or a phase is carried out, or a list of steps that a card holds."""

    makes = ("do", "result")

    do: Expression
    """Which, with its arguments, e.g. `take(target, you)`, or `card.now`."""
    result: Name | None = None
    """The name of the answer that it gives, for the rest of the list."""

    @classmethod
    def short_form(cls, node: object) -> object:
        assert isinstance(node, Text)  # the discriminator has seen to it
        if node in VERBS:
            raise conflict(f"'{node}' needs a value", f"write it as a key: '{node}: ...'", code="not-a-step")
        if not is_id(node):
            raise unfit("not-a-step", "a mapping with a verb, or the bare name of a phase or procedure", node)
        return {"do": node, SPAN: node.span}


class Give(Conditional):
    """The answer of the procedure; what stands after it is still done."""

    give: Value
    """The answer, e.g. `target`."""


class Perform(Conditional):
    """A whole action: cost, choices, effects."""

    perform: Expression
    """Which action."""


class As(Told):
    """Steps in which another player is `you`."""

    as_: Expression = Field(alias="as")
    """Who is `you`."""
    do: Steps
    """What that player does."""


class End(Conditional):
    """The game ends."""

    end: Name
    """The reason: one of `endings`."""
    winner: Value | None = None
    """Who has won: a player, several such as `[red, blue]`, or none; without it the score decides."""


class Stop(Conditional):
    """The innermost `repeat` or `each` is left; written as the bare word `stop`, or as `do: stop` beside a `when`."""

    @classmethod
    def fields_of(cls, node: Mapping, _reading: Reading) -> dict[Any, object]:
        place = next((key.span for key in node.entries if key == "do"), node.span)
        return {**{key: value for key, value in node.entries.items() if key != "do"}, SPAN: place}

    @classmethod
    def short_form(cls, node: object) -> object:
        assert isinstance(node, Text)  # the discriminator has seen to it
        return {SPAN: node.span}


def verbs_of(node: Mapping) -> list[Text]:
    """The keys of a step that are verbs. `do` goes along with some other verbs and then is none."""
    verbs = [key for key in node.entries if key in VERBS]
    if verbs == ["do"] and isinstance(node.get("do"), Sequence) and not Do.written_keys().keys() >= {*node.entries}:
        return []  # the verb is misspelt
    if len(verbs) == 2 and "do" in verbs:
        other = next((key for key in verbs if key != "do"), verbs[0])
        if "do" in VERBS[other].model_fields:
            return [other]
    return verbs


def _tag(node: Any) -> str | None:
    """Which model a step is for; None is an error that the report looks into.

    Tags stand in the place of a pydantic error; brackets tell them from keys of the file.
    """
    if isinstance(node, Text):
        return ("<stop>" if node == "stop" else "<do>") if node else None
    if not isinstance(node, Mapping):
        return None
    verbs = verbs_of(node)
    if verbs == ["do"] and node.get("do") == "stop":
        return "<stop>"
    return f"<{verbs[0]}>" if len(verbs) == 1 and verbs[0] != "stop" else None


_BARE_WORD = Short({"type": "string", "description": "`stop`, or the name of a phase or procedure."})

Step = Annotated[
    Annotated[Choose, Tag("<choose>")]
    | Annotated[Either, Tag("<either>")]
    | Annotated[Repeat, Tag("<repeat>")]
    | Annotated[Each, Tag("<each>")]
    | Annotated[Together, Tag("<together>")]
    | Annotated[If, Tag("<if>")]
    | Annotated[Pay, Tag("<pay>")]
    | Annotated[Gain, Tag("<gain>")]
    | Annotated[Lose, Tag("<lose>")]
    | Annotated[Move, Tag("<move>")]
    | Annotated[Sort, Tag("<sort>")]
    | Annotated[Shuffle, Tag("<shuffle>")]
    | Annotated[SetStep, Tag("<set>")]
    | Annotated[Let, Tag("<let>")]
    | Annotated[Roll, Tag("<roll>")]
    | Annotated[Draw, Tag("<draw>")]
    | Annotated[Do, _BARE_WORD, Tag("<do>")]
    | Annotated[Give, Tag("<give>")]
    | Annotated[Perform, Tag("<perform>")]
    | Annotated[As, Tag("<as>")]
    | Annotated[End, Tag("<end>")]
    | Annotated[Stop, Hidden(), Tag("<stop>")],
    Discriminator(_tag),
]
"""One step of an effect."""
VERBS: dict[str, type[Verb]] = {
    model.verb: model for model in (get_args(tagged)[0] for tagged in get_args(get_args(Step)[0]))
}
"""The model of each verb. `stop` is among them though it is only written as a bare word."""
Steps = TypeAliasType("Steps", ListOf[Step])
"""A list of steps."""
