"""A recorded game under other rules: where it first goes another way, which rule does that, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping as Dict, Set
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest

from polis_rules.composition import inline, leaves, plain
from polis_rules.diagnostics import PolisError, Span
from polis_rules.interpreter.game import Game, LogEntry, Result
from polis_rules.lab.games import LabError
from polis_rules.play import Transcript, opened
from polis_rules.ruleset import Ruleset
from polis_rules.source import Mapping, Node, Sequence

MOST = 12
"""So many things that are different are told."""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule that is another one: its path, what it says now, and where."""

    path: str
    before: str
    """empty where it was not there"""
    now: str
    """empty where it is gone"""
    span: Span | None

    def __str__(self) -> str:
        if not self.now:
            return f"{self.path} is gone"
        return f"{self.path}: {self.before} becomes {self.now}" if self.before else f"{self.path} is new: {self.now}"


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first decision, or chance, before which the two games are not alike."""

    entry: int
    """the number of the transcript's entry that follows, from 1; one more than it has for the end"""
    player: str
    """who decides in the recorded game; empty where nobody does"""
    prompt: str
    gone: tuple[str, ...]
    """options that the other rules do not offer"""
    added: tuple[str, ...]
    costs: tuple[tuple[str, str, str], ...]
    """options that cost something else: what they are, the cost before and now"""
    values: tuple[tuple[str, str, str], ...]
    """what stands otherwise on the table: its name, before and now"""
    reasons: tuple[str, ...]
    """why options are gone or were not there, with the places of the rules"""


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """What other rules make of a recorded game."""

    changed: tuple[RuleLine, ...]
    """all rules that are different, those first that are asked where the games part"""
    first: FirstDifference | None
    """None where the games are alike to the end"""
    followed: int
    """how many entries of the transcript the other rules allow"""
    stopped_by: str
    """why the next one is not possible; empty where all are"""
    values: tuple[tuple[str, str, str], ...]
    """what stands otherwise after these entries"""
    results: tuple[Result | None, Result | None]
    """how the recorded game ended, and how the other one does with the same decisions"""


Written = dict[str, Node]
"""What rules say at each path, as nodes that know their places."""


def written(rules: Ruleset) -> Written:
    """What the files of rules said when they were loaded."""
    return dict(leaves(rules.composed().tree, ""))


def counterfactual(transcript: Transcript, rules: Ruleset, others: Ruleset) -> Counterfactual:
    """Make the decisions of a game by other rules, as long as these allow it; dice and draws come out as they did.

    Where the other rules roll or draw more often, that comes of the seed. Raises TranscriptError where the transcript
    is not of `rules`, and LabError where the players are others.
    """
    if rules.players != others.players:
        raise LabError(f"{others.name} has other players: {', '.join(others.players)}")
    opened(transcript, rules)
    here, there = (each.start(transcript.seed, chance="manual") for each in (rules, others))
    unused = _unshared(here, there)
    first, followed, stopped = None, 0, ""
    for number, entry in enumerate(transcript.entries, 1):
        _by_seed(there, entry)
        first = first or _difference(here, there, number, unused)
        if stopped := _refused(there, entry):
            first = first or _parted(here, number, stopped)
            break
        here.replay([entry])
        there.replay([entry])
        followed = number
    else:
        _by_seed(there, ("decision", "", ""))
        first = first or _difference(here, there, len(transcript.entries) + 1, unused)
    changed = tuple(_changed(written(rules), written(others)))
    asked = _asked(transcript, here if first is None else here.earlier(min(first.entry - 1, here.moment)))
    ordered = sorted(changed, key=lambda line: not any(line.path.startswith(each) for each in asked))
    settings, values = rules.settings.keys() | others.settings, _values(here, there, unused)
    told = tuple(_as_written(line, settings) for line in ordered)
    return Counterfactual(told, first, followed, stopped, values, (transcript.result, there.result))


def _by_seed(game: Game, entry: LogEntry) -> None:
    """Answer chance that the recorded game did not have."""
    while (chance := game.chance) is not None and (entry[0], entry[1]) != ("chance", chance.stream):
        game.answer(game.rolled_by_seed())


def _refused(game: Game, entry: LogEntry) -> str:
    """Why an entry cannot be played now; empty where it can."""
    trial = game.copy()
    try:
        trial.replay([entry])
    except PolisError as error:
        return str(error)
    return ""


def _parted(game: Game, number: int, why: str) -> FirstDifference:
    decision = game.decision
    player, prompt = ("", "") if decision is None else (decision.player, decision.prompt)
    return FirstDifference(number, player, prompt, (), (), (), (), (why,))


def _difference(here: Game, there: Game, number: int, unused: Values) -> FirstDifference | None:
    """How two games are not alike now."""
    one, other = here.decision, there.decision
    values = _values(here, there, unused)
    before = {} if one is None else {each.id: each for each in one.options}
    now = {} if other is None else {each.id: each for each in other.options}
    gone, added = [name for name in before if name not in now], [name for name in now if name not in before]
    both = [name for name in before if name in now and before[name].cost != now[name].cost]
    same_point = (one and (one.player, one.rule)) == (other and (other.player, other.rule))
    if same_point and not (values or gone or added or both) and here.finished == there.finished:
        return None
    reasons = []
    if same_point and one is not None:
        reasons = [*_why(there, gone), *_why(here, added)]
    elif one is not None or other is not None:
        reasons = [f"the other rules ask {other.player}: {other.prompt}" if other else "the other game has no decision"]
    player, prompt = ("", "") if one is None else (one.player, one.prompt)
    costs = tuple((before[name].title, before[name].cost, now[name].cost) for name in both)
    titles = tuple(before[name].title for name in gone), tuple(now[name].title for name in added)
    return FirstDifference(number, player, prompt, *titles, costs, values, tuple(dict.fromkeys(reasons))[:MOST])


def _why(game: Game, names: list[str]) -> Iterator[str]:
    for name in names:
        try:
            yield from (refusal.text for refusal in game.why_not(name))
        except PolisError:
            continue  # these rules do not know it


Values = dict[str, object]
"""What stands on the table, by name."""


def _unshared(here: Game, there: Game) -> Values:
    """What stands on the table by one of two rules alone, with its first value."""
    found: Values = {}
    for player in here.players:
        one, other = _seen(here, player), _seen(there, player)
        found |= {name: value for name, value in {**one, **other}.items() if (name in one) != (name in other)}
    return found


def _values(here: Game, there: Game, unused: Values) -> tuple[tuple[str, str, str], ...]:
    """What stands otherwise in two games, as all players together see it; what only one has counts once it changed."""
    found: dict[str, tuple[str, str]] = {}
    for player in here.players:
        one, other = _seen(here, player), _seen(there, player)
        for name, value in {**other, **one}.items():
            only_one = (name in one) != (name in other)
            if unused.get(name) != value if only_one else other[name] != value:
                found[name] = (_said(one, name), _said(other, name))
    return tuple((name, *both) for name, both in found.items())[:MOST]


def _said(values: Values, name: str) -> str:
    """A value in words.

    >>> _said({"hand": ["one", None]}, "hand"), _said({"hand": []}, "hand"), _said({}, "hand")
    ('one, unseen', 'empty', 'nothing')
    """
    value = values.get(name, "nothing")
    if isinstance(value, list):
        return ", ".join("unseen" if each is None else str(each) for each in value) or "empty"
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _seen(game: Game, player: str) -> Values:
    return dict(_flat(game.view(player), ""))


def _flat(value: object, name: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, Dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    else:
        yield name, value


def _asked(transcript: Transcript, game: Game) -> set[str]:
    """The paths of the rules that are asked about now: of the decision, of its options and of what was chosen last."""
    found = set()
    if game.decision is not None:
        found.add(".".join(game.decision.rule.split(".")[:2]))
        found |= {f"actions.{each.id}." for each in game.decision.options}
    last = [what for kind, _, what in transcript.entries[: len(game.log)] if kind == "decision"][-2:]
    return found | {f"actions.{each}." for each in last}


def _changed(one: Written, other: Written) -> Iterator[RuleLine]:
    """The rules that are different; what is new or gone as a whole, such as a row or a link, on one line."""
    rules, others = _around(one), _around(other)
    whole: dict[str, list[str]] = {}
    for path in {**one, **other}:
        there, parts = (others if path in one else rules), path.split(".")
        if path in one and path in other:
            top = path
        elif path in there:  # an empty one has got entries, which are told
            continue
        else:
            outer = (".".join(parts[:size]) for size in range(2, len(parts)))
            top = next((each for each in outer if each not in there), path)
        if not path.startswith("manifest."):
            whole.setdefault(top, []).append(path)
    for top, paths in whole.items():
        if paths == [top]:
            yield from _lines(top, one.get(top), other.get(top))
        else:
            said, node = (one if paths[0] in one else other), (one | other)[paths[0]]
            words = ", ".join(f"{path[len(top) + 1 :]}: {inline(said[path])}" for path in paths)
            before, now = (words, "") if said is one else ("", words)
            yield RuleLine(top, before, now, node.span)


def _as_written(line: RuleLine, settings: Set[str]) -> RuleLine:
    """A line with the path at which an author finds it: settings are terms only once rules are composed."""
    section, name, *rest = line.path.split(".")
    if section != "terms" or name not in settings:
        return line
    return replace(line, path=".".join(["settings", name, *(each for each in rest if each != "is")]))


def _around(rules: Written) -> set[str]:
    """The paths at which and below which something stands."""
    return {
        ".".join(parts[:size]) for path in rules for parts in [path.split(".")] for size in range(1, len(parts) + 1)
    }


def _lines(path: str, before: Node | None, now: Node | None) -> Iterator[RuleLine]:
    """What is different of a value; in lists and steps no more than what is another one there."""
    if before is not None and now is not None and plain(before) == plain(now):
        return
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in before.entries | now.entries:
            yield from _lines(f"{path}.{key}", before.get(key), now.get(key))
    elif isinstance(before, Sequence) and isinstance(now, Sequence):
        ours, theirs = before.items, now.items
        one_said, other_said = ([repr(plain(each)) for each in items] for items in (ours, theirs))
        alignment = SequenceMatcher(None, one_said, other_said, autojunk=False)
        for tag, start, end, begin, stop in alignment.get_opcodes():
            if tag != "equal":
                for place, (one, other) in enumerate(zip_longest(ours[start:end], theirs[begin:stop]), begin + 1):
                    yield from _lines(f"{path}.{place}", one, other)
    else:
        node = now or before
        said, says = ("" if each is None else inline(each) for each in (before, now))
        yield RuleLine(path, said, says, None if node is None else node.span)
