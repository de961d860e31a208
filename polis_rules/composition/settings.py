"""Settings: what is settled before play. Which there are, what they may be, and what they are in this game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from polis_rules.composition.choices import SEATS, Chosen
from polis_rules.composition.operations import Operation
from polis_rules.composition.overlay import Origin, Origins
from polis_rules.composition.settled_expressions import Value
from polis_rules.diagnostics import Diagnostics, Span, amount, nearest, quote
from polis_rules.schema import FLAGS, HEAD_KEYS, MOST_DIGITS, UNIT, Setting as Written, parse_type
from polis_rules.source import Mapping, Node, Sequence, Text, as_id, entries_at, is_id, node_at, spoken

BY_CALLER = "--set"
"""The layer of the values that are chosen for one game."""

FLAG_TOLD = {"false": "no", "true": "yes"}
"""The words of a flag, and what readers are told."""
FLAG_WORDS = tuple(FLAG_TOLD)

MOST_WORDS = 100
"""How many values one setting with `one_of` may have."""


def _either(words: Iterable[str]) -> str:
    """`3, 4 or 5`."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


@dataclass(slots=True)
class Setting:
    """One setting: what it may be, and what it is."""

    name: Text
    title: str
    about: dict[Text, Node] = field(default_factory=dict)
    """Its citation, grade and ruling."""
    unit: str = ""
    """What it counts, if it is a number and that is said."""
    written: tuple[Text, ...] = ()
    """The words of `one_of`, as they are written."""
    words: tuple[str, ...] = ()
    """What it may be, of a flag and of one with `one_of`."""
    low: int = 0
    high: int = 0
    holes: frozenset[int] = frozenset()
    """Numbers between `low` and `high` that it cannot be."""
    value: Text = field(default=None)  # type: ignore[assignment]
    """What it is, at the place that says so."""

    @property
    def is_flag(self) -> bool:
        return self.words == FLAG_WORDS

    @property
    def kind(self) -> str:
        """The kind whose members are the words of `one_of`; empty for other settings."""
        return f"{self.name}_choice" if self.written else ""

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
        if self.words:
            return _either(self.words)
        numbers = [str(each) for each in self.numbers]
        return f"{self.low} to {self.high}" if len(numbers) > 3 else _either(numbers)

    @property
    def told(self) -> str:
        """What it is called, what it is, and what it may be where that is more than one value."""
        value = FLAG_TOLD[self.value] if self.is_flag else self.value
        value = amount(int(value), self.unit) if self.unit else value
        allowed = " or ".join(FLAG_TOLD.values()) if self.is_flag else self.allowed
        return f"{self.title or spoken(self.name)}: {value}" + (f" ({allowed})" if self.others else "")

    @property
    def numbers(self) -> list[int]:
        return [each for each in range(self.low, min(self.high, self.low + 999) + 1) if each not in self.holes]

    @property
    def others(self) -> list[str]:
        """The values that are worth a look besides the one that it has: all words, all seats, the ends of a range."""
        if self.words:
            values = list(self.words)
        elif self.name == SEATS:
            values = [str(each) for each in self.numbers]
        else:
            values = list(dict.fromkeys([str(self.low), str(self.high)]))
        return [each for each in values if each != self.value]

    @property
    def settled(self) -> Value:
        """Its value, as expressions know it."""
        if self.is_flag:
            return self.value == "true"
        return str(self.value) if self.words else int(self.value)

    def read(self, text: Text) -> Text | None:
        """A value in the form in which it is kept; None where it cannot be this one."""
        if self.is_flag:
            return Text(str(FLAGS[text]).lower(), text.span) if text in FLAGS else None
        if self.words:
            return text if text in self.words else None
        if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > MOST_DIGITS:
            return None
        number = int(text)
        fits = self.low <= number <= self.high and number not in self.holes
        return Text(str(number), text.span) if fits else None


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that a scenario or a variant settles."""

    name: Text
    value: Node
    layer: str


def read_settings(
    tree: Mapping, fixed: Iterable[Fixed], chosen: Chosen, origins: Origins, diagnostics: Diagnostics
) -> dict[str, Setting]:
    """The settings of a composed tree with their values: what the layers say, and what is chosen for this game.

    Errors: `unknown-setting`, `out-of-range`, `setting-fixed`, `unknown-type`, `unknown-name`, `missing-key`.
    """
    settings = dict(_declared(tree, diagnostics))
    if seats := _seats(tree, diagnostics, needed=bool(settings)):
        if SEATS in settings:
            name = settings[SEATS].name
            diagnostics.error("shadowing", "`seats` is a setting already", name.span, "`players` says who sits")
        settings[SEATS] = seats
    by: dict[str, str] = {}
    for each in fixed:
        setting = _known(settings, each.name, each.name.span, diagnostics)
        value = _value(setting, each.value, each.value.span, diagnostics) if setting is not None else None
        if setting is not None and value is not None:
            touch = Origin(each.layer, "change", each.name.span, setting.value, value, None)
            origins.setdefault(f"terms.{each.name}.is", []).append(touch)
            setting.value, by[str(each.name)] = value, each.layer
    for word, text in chosen.items():
        if word == SEATS and SEATS not in settings:
            rows = len(entries_at(tree, "tables", "player"))
            if text != str(rows):
                message = f"{rows} play here, and nothing says who would sit if {text} did"
                diagnostics.error("out-of-range", message, None, "`players` in a ruleset says who sits")
            continue
        setting = _known(settings, word, None, diagnostics)
        written = Text(text, Span(BY_CALLER, 1, 1, 1, 1))
        value = _value(setting, written, None, diagnostics) if setting is not None else None
        if setting is None or value is None:
            continue
        if word in by and value != setting.value:
            message = f"the {by[word]} settles that {word} is {setting.value}, so it cannot be {text}"
            diagnostics.error("setting-fixed", message, None)
        elif value != setting.value:
            new = Text(value, setting.value.span)
            touch = Origin(BY_CALLER, "change", new.span, setting.value, new, None)
            origins.setdefault(f"terms.{word}.is", []).append(touch)
            setting.value = new
    return settings


def _known(settings: dict[str, Setting], name: str, span: Span | None, diagnostics: Diagnostics) -> Setting | None:
    if name not in settings:
        diagnostics.unknown("unknown-setting", f"there is no setting {quote(name)}", span, name, settings)
    return settings.get(name)


def _value(setting: Setting, node: Node, at: Span | None, diagnostics: Diagnostics) -> Text | None:
    """A value that is wanted for a setting; None after saying that it cannot be this one."""
    value = setting.read(node) if isinstance(node, Text) else None
    if value is None:
        shown = quote(str(node)) if isinstance(node, Text) else "a list or mapping"
        message = f"the setting {quote(setting.name)} is {setting.allowed}, not {shown}"
        near = nearest(node, setting.words) if setting.words and isinstance(node, Text) else None
        diagnostics.error("out-of-range", message, at, suggestion=near)
    return value


def _declared(tree: Mapping, diagnostics: Diagnostics) -> Iterator[tuple[str, Setting]]:
    """The settings that the section declares, as they start."""
    for name, node in entries_at(tree, "settings").items():
        if not is_id(name):
            diagnostics.error("invalid-id", f"{quote(name)} is not an id", name.span, suggestion=as_id(name))
            continue
        for key in node.entries if isinstance(node, Mapping) else ():
            if key not in Written.written_keys():
                message = f"a setting has no key {quote(key)}"
                diagnostics.unknown("unknown-key", message, key.span, key, Written.written_keys())
        title = node_at(node, "title")
        about = _about(node)
        setting = Setting(name, str(title) if isinstance(title, Text) else "", about)
        if not _read_type(setting, node, diagnostics):
            continue
        setting.unit = _unit(setting, node_at(node, UNIT), diagnostics)
        start = node_at(node, "start")
        first = setting.words[0] if setting.words else str(min(max(0, setting.low), setting.high))
        setting.value = Text(first, name.span)
        if start is not None:
            setting.value = _value(setting, start, start.span, diagnostics) or setting.value
        yield str(name), setting


def _unit(setting: Setting, unit: Node | None, diagnostics: Diagnostics) -> str:
    """What a setting counts; nothing where that is not said, or after saying why it cannot be."""
    if unit is None:
        return ""
    if setting.words:
        it = "a flag" if setting.is_flag else f"one of the words {_either(setting.words)}"
        hint = "leave it out, or let the setting be a number, such as `type: 3..5`"
        diagnostics.error("unfit-keys", f"only a number has a `unit`, and this is {it}", unit.span, hint)
    elif not isinstance(unit, Text) or not unit:
        diagnostics.error("not-text", "`unit` says what the number counts, such as `unit: coins`", unit.span)
    else:
        return str(unit)
    return ""


def _read_type(setting: Setting, node: Node, diagnostics: Diagnostics) -> bool:
    """Note what a setting may be; False after saying that nothing says so."""
    words = node_at(node, "one_of")
    if words is not None:
        items = words.items if isinstance(words, Sequence) else []
        ids = [item for item in items if isinstance(item, Text) and is_id(item)]
        if len(ids) < 2 or len(ids) < len(items) or len(set(ids)) < len(ids) or len(ids) > MOST_WORDS:
            message = "`one_of` holds two or more ids, each once, as [small, large]"
            diagnostics.error("unfit-value", message, words.span)
            return False
        setting.written, setting.words = tuple(ids), tuple(map(str, ids))
        return True
    text = node if isinstance(node, Text) else node_at(node, "type")
    if not isinstance(text, Text):
        message = f"the setting {quote(setting.name)} needs `type` or `one_of`"
        diagnostics.error(
            "missing-key", message, node.span, "such as `type: 3..5`, `type: flag`, `one_of: [short, long]`"
        )
        return False
    try:
        spec = parse_type(text)
    except ValueError:
        spec = None
    if spec is not None and spec.kind == "flag":
        setting.words = FLAG_WORDS
    elif spec is not None and spec.kind == "range":
        setting.low, setting.high = spec.low or 0, spec.high or 0
    else:
        near = nearest(text, ["flag"])
        message = f"{quote(text)} is no type of a setting, which is a range such as 3..5 or `flag`"
        hint = "of several words write `one_of: [short, long]` instead of `type`"
        diagnostics.error("unknown-type", message, text.span, None if near else hint, suggestion=near)
        return False
    return True


def _seats(tree: Mapping, diagnostics: Diagnostics, needed: bool) -> Setting | None:
    """The setting that says how many play; without `players` it is fixed, and only there where it is `needed`."""
    key = tree.key("players")
    rows = entries_at(tree, "tables", "player")
    if key is None:
        if not needed:
            return None
        about = _about(tree, "kinds", "player")
        seats = Setting(Text(SEATS, tree.span), "Players", about, low=len(rows), high=len(rows))
        seats.value = Text(str(len(rows)), tree.span)
        return seats
    numbers = [number for number, who in entries_at(tree, "players").items() if _who(number, who, rows, diagnostics)]
    if not numbers:
        if not entries_at(tree, "players"):
            message = "`players` says who sits for each number of players, as {3: [red, blue, green]}"
            diagnostics.error("unfit-value", message, key.span)
        return None
    known = sorted(map(int, numbers))
    holes = frozenset(range(known[0], known[-1])) - {*known}
    seats = Setting(
        Text(SEATS, key.span), "Players", _about(tree, "kinds", "player"), low=known[0], high=known[-1], holes=holes
    )
    seats.value = Text(str(known[0]), min(numbers, key=int).span)
    return seats


def _who(number: Text, who: Node, rows: dict[Text, Node], diagnostics: Diagnostics) -> bool:
    """Whether an entry of `players` is sound; what is not is reported."""
    if not number.isdecimal() or not number.isascii() or not 0 < int(number[:4]) < 100:
        diagnostics.error("unfit-value", f"{quote(number)} is no number of players", number.span)
        return False
    items = who.items if isinstance(who, Sequence) else []
    if len(items) != int(number) or not all(isinstance(item, Text) for item in items):
        message = f"for {number} players stand {number} members of `player` here, each once"
        diagnostics.error("unfit-value", message, who.span, f"write a list of {number}")
        return False
    for at, item in enumerate(items):
        if item not in rows:
            message = f"there is no player {quote(str(item))}"
            diagnostics.unknown("unknown-name", message, item.span, str(item), rows)
            return False
        if item in items[:at]:
            diagnostics.error("unfit-value", f"{quote(str(item))} sits twice", item.span)
            return False
    return True


def _about(node: Node, *path: str) -> dict[Text, Node]:
    """The citation, grade and ruling of what stands at a path."""
    return {key: value for key, value in entries_at(node, *path).items() if key in HEAD_KEYS}


def declarations(settings: Node | None, layer: str) -> tuple[list[Operation], list[Fixed]]:
    """What the `settings` of a scenario or a variant say: settings of its own, and values of those that there are."""
    own: list[Operation] = []
    fixed: list[Fixed] = []
    for name, node in settings.entries.items() if isinstance(settings, Mapping) else ():
        if isinstance(node, Mapping) or (isinstance(node, Text) and (node == "flag" or ".." in node)):
            own.append(Operation("add", f"settings.{name}", name.span, node))
        else:
            fixed.append(Fixed(name, node, layer))
    return own, fixed
