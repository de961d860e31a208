"""What is worked out step by step, as somebody types or variants are laid over, against the same from nothing."""

from __future__ import annotations

import inspect
import random
import re
import shutil
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from support.sampling import sampled

from polis_rules.composition import compose, take_snapshot, variants_beside
from polis_rules.composition.composed import _entries
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.incremental import Memory, build
from polis_rules.language_server.workbench import Workbench
from polis_rules.pipeline import Build, run
from polis_rules.semantics import References
from polis_rules.semantics.expression_reader import ExpressionReader
from polis_rules.semantics.questions import Questions
from polis_rules.source import Hole, Mapping, Once, Renamed, Spliced, Text, edited as opened, kept, node_at, read_text
from polis_rules.source.once import ROUNDS

HERE = Path(__file__).resolve().parent
RACE = HERE / "rulesets" / "dice_race"
GAMES = sorted(path.parent for path in HERE.glob("rulesets/*/ruleset.yaml"))
SMALL = sampled(GAMES, every=9, name=lambda home: home.name, slow=2)
SHIPPED = [HERE.parent / "rulesets" / name for name in ("yucata", "devir")]
RULESETS = [*SMALL, *(pytest.param(home, id=home.name, marks=pytest.mark.exhaustive) for home in SHIPPED)]


def edited(text: str, dice: random.Random) -> str:
    """A text after a small edit: of a number, or a word or line that is dropped, doubled, or exchanged for another."""
    words = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    begin, end = dice.choice(words)
    one, other = (dice.choice(words) for _ in range(2))
    lines = text.split("\n")
    number = dice.randrange(len(lines))
    match dice.randrange(9):
        case 0:
            return text[:begin] + text[end:]
        case 1:
            return text[:end] + dice.choice("xs 0") + text[end:]
        case 2:
            return text[: one[0]] + text[other[0] : other[1]] + text[one[1] :]
        case 3:
            return "\n".join([*lines[:number], "", *lines[number:]])
        case 4:
            return "\n".join([*lines[:number], *lines[number + 1 :]])
        case 5:
            return "\n".join([*lines[:number], lines[number], *lines[number:]])
        case 6:
            return re.sub(rf"\b{re.escape(text[begin:end])}\b", text[one[0] : one[1]], text)
        case _:
            numbers = [match.span() for match in re.finditer(r"\b\d\b", text)] or [(0, 0)]
            begin, end = dice.choice(numbers)
            return f"{text[:begin]}{dice.randrange(10)}{text[end:]}"


def known(bench: Workbench, path: Path) -> tuple[object, object]:
    """The findings about a file's ruleset and everything that is known of its names."""
    target = bench.target(path)
    assert target is not None
    references = {each for same in bench.analysis(target).index.by_symbol.values() for each in same.values()}
    return bench.analysis(target).judged, references


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_step_by_step_the_same_is_known_as_from_nothing(tmp_path: Path, seed: int) -> None:
    """After each of many random edits, findings and references are those of a full analysis of the same texts."""
    home = tmp_path / "dice_race"
    shutil.copytree(RACE, home)
    dice, bench = random.Random(seed), Workbench()
    sound = {path: path.read_text("utf-8") for path in sorted(home.glob("*.yaml"))}
    for _ in range(25):
        path = dice.choice([*sound, home / "play.yaml", home / "play.yaml"])
        text = bench.text(path) if dice.random() < 0.5 else sound[path]
        bench.change(path, edited(text, dice))
        fresh = Workbench()
        for each, unsaved in bench.texts.items():
            fresh.change(each, unsaved)
        assert known(bench, path) == known(fresh, path), bench.text(path)
        if dice.random() < 0.5:
            bench.change(path, sound[path])


def test_a_check_reads_scenarios_as_they_stand_in_the_editor(tmp_path: Path) -> None:
    """Also those that are not played: one that gives a state its value may not be saved yet."""
    path, late = tmp_path / "ruleset.yaml", tmp_path / "scenarios" / "late.yaml"
    late.parent.mkdir()
    path.write_text(ISLES, encoding="utf-8")
    late.write_text("scenario: late\ntitle: Late\nstart: {stock: 2}\n", encoding="utf-8")
    bench = Workbench()
    bench.change(path, ISLES)

    def never_written() -> int:
        target = bench.target(path)
        assert target is not None
        return sum("ever changes `round`" in each.message for each in bench.analysis(target).judged)

    assert never_written() == 1
    bench.change(late, "scenario: late\ntitle: Late\nstart: {round: 4}\n")
    assert never_written() == 0


OPERATOR = re.compile(r" (and|or|<=|>=|==|!=|<|>) ")
NUMBER = re.compile(r"(?<!\w)\d+")


def altered(text: str, dice: random.Random) -> str:
    """A text with another operator or number somewhere, which is most often still sound but means something else."""
    places = [*OPERATOR.finditer(text), *NUMBER.finditer(text)]
    if not places:
        return text + "# more\n"
    place = dice.choice(places)
    group = 1 if place.lastindex else 0
    others = ["and", "or"] if place[group] in ("and", "or") else ["<=", "==", "!=", ">"] if group else list("01357")
    return text[: place.start(group)] + dice.choice(others) + text[place.end(group) :]


@pytest.mark.slow
@pytest.mark.parametrize("home", RULESETS)
def test_checks_find_the_same_in_altered_rules_as_from_nothing(tmp_path: Path, home: Path) -> None:
    """What checks have kept of the rules that stayed the same is what they find when nothing is kept."""
    shutil.copytree(home.parent, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("cases", "variants"))
    dice, bench, checked = random.Random(home.name), Workbench(), 0
    files = {path: path.read_text("utf-8") for path in sorted((tmp_path / home.name).glob("*.yaml"))}
    for _ in range(12):
        path = dice.choice(list(files))
        before = bench.text(path)
        bench.change(path, altered(before if dice.random() < 0.5 else files[path], dice))
        target, fresh = bench.target(path), Workbench()
        assert target is not None
        for each, unsaved in bench.texts.items():
            fresh.change(each, unsaved)
        assert bench.analysis(target).judged == fresh.analysis(target).judged, bench.text(path)
        if bench.analysis(target).build.rules is None:
            bench.change(path, before)
        else:
            checked += 1
    assert checked > 2


def told(thing: object) -> object:
    """Everything that a value holds, its places too."""
    if isinstance(thing, Text):
        return str(thing), thing.span
    if is_dataclass(thing):
        return type(thing), [told(getattr(thing, each.name)) for each in fields(thing)]
    if isinstance(thing, dict):
        return [(told(key), told(value)) for key, value in thing.items()]
    if isinstance(thing, (tuple, list)):
        return [told(each) for each in thing]
    return sorted(map(repr, thing)) if isinstance(thing, (set, frozenset)) else thing


def compiled(asked: Build, texts: dict[Path, str], memory: Memory | None) -> tuple[object, object, object]:
    """The findings, the typed rules and the references of a ruleset with other texts."""
    references = asked.references = References()
    with opened(texts, memory.trees if memory is not None else None):
        made = run(asked) if memory is None else build(asked, memory)
    return told(made.findings), told(made.rules), {*references.found}


@pytest.mark.parametrize("home", RULESETS)
@pytest.mark.parametrize("seed", [0])
def test_what_is_remembered_of_other_texts_changes_no_answer(home: Path, seed: int) -> None:
    """Findings, typed rules and references are those of a compiler without memory, whatever it has compiled before."""
    dice, memory = random.Random(seed), Memory()
    texts: dict[Path, str] = {}
    choices = [(), (), *variants_beside(home)]
    for _ in range(15):
        variants = dice.choice(choices)
        written = take_snapshot(home, None, variants).texts
        texts = {path: text for path, text in texts.items() if path in written and dice.random() < 0.6}
        path = dice.choice(sorted(written))
        before = texts.get(path, written[path])
        if dice.random() < 0.8:
            texts[path] = edited(before, dice)
        now = written | texts
        made = compiled(Build(home, None, variants), now, memory)
        assert made == compiled(Build(home, None, variants), now, None), (variants, path)


ISLES = """\
format: 2
ruleset: isles
title: Isles
scenario: {scenario: only, start: {player: {red: {home: a}, blue: {home: b}}, stock: 3}}
kinds:
  player:
    state:
      home: isle or none
      coins: {type: 0..9, spendable: true}
      wares: {type: 0..9, per: ware, spendable: true}
  ware: {}
  isle: {attributes: {worth: formula}, state: {boats: {type: 0..9, per: player}}}
  level: {numbers: 1..3}
  berth: {for_each: [isle, level]}
  card:
    attributes: {changes: {type: changes, default: {}}, now: {type: effects, of: {who: player}}}
    state: {drawn: flag}
    in_force: it.drawn
state: {round: 1..9, stock: 0..9, fleet: 0..9}
tables:
  player: {red: {}, blue: {}}
  ware: {wool: {}, wine: {}}
  isle: {a: {worth: round}, b: {worth: "2"}, c: {worth: "3"}}
  card:
    fair: {changes: {most: base + 1}, now: [{gain: {coins: 1}}]}
    storm: {changes: {most: "0"}, now: [{let: {x: most}}]}
graphs: {sea: {edges: {a-b: {}, b-c: {}}}}
routes: {sail: {over: [sea], through: {isle: "true"}}}
terms: {most: {is: "3"}, rich: {of: {who: player}, is: who.coins > most}, plain: {is: round}}
supplies: {boats: {total: 9, reserve: fleet, places: {isles: "sum(i.boats[p] for i in isle for p in player)"}}}
actions:
  dig: {cost: {wool: 1}, do: [{gain: {coins: 1}}]}
  pay: {cost: {wine or coins: 1}, do: [{lose: {coins: 2}}]}
  sell: {requires: {rich: rich(you)}, do: [{set: {stock: plain}}]}
  go: {requires: {near: "you.home is not none and route_exists(sail, you.home, c)"}, do: [{do: visit(you)}]}
  last: {requires: {two: "order(nth(ware, 1)) > 0", berthed: "order(berth[a, 2]) > 0"}, do: [{perform: dig}]}
procedures:
  visit: {of: {who: player}, do: [{if: who.home is not none, then: [rest, {let: {x: who.home.worth}}]}]}
  rest: {do: [{set: {stock: round}}]}
phases: {game: [{each: you, in: player, do: [{perform: dig}, {do: visit(you)}, {do: fair.now(you)}]}, {end: over}]}
endings: {over: {}}
score: {terms: {coins: who.coins}}
"""

ELSEWHERE = {
    "a term has another type": ("plain: {is: round}", "plain: {is: round > 2}"),
    "a term takes something": ("plain: {is: round}", "plain: {of: {n: player}, is: round}"),
    "a procedure takes something else": ("visit: {of: {who: player}", "visit: {of: {who: ware}"),
    "a procedure has another name": ("  rest: {do", "  sleep: {do"),
    "a procedure takes away what is known": ("{set: {stock: round}}", "{as: red, do: [{set: {you.home: none}}]}"),
    "state is counted by a supply": ("reserve: fleet", "reserve: stock"),
    "another supply counts what is paid": (
        "endings:",
        "  more: {total: 9, reserve: stock, places: {all: 'sum(p.wares[w] for p in player for w in ware)'}}\nendings:",
    ),
    "state cannot be paid any more": ("per: ware, spendable: true", "per: ware"),
    "a member stands in no graph": ("edges: {a-b: {}, b-c: {}}", "edges: {}"),
    "a kind has fewer members": (', c: {worth: "3"}', ""),
    "there is no second member": ("{wool: {}, wine: {}}", "{wool: {}}"),
    "state is kept per another kind": ("per: ware, spendable", "per: isle, spendable"),
    "parts of a member have other numbers": ("numbers: 1..3", "numbers: 2..4"),
    "a member has another number": ("{wool: {}, wine: {}}", "{wine: {}, wool: {}}"),
    "a member becomes unclear": ("{wool: {}, wine: {}}", "{wool: {}, wine: {}, a: {}}"),
    "a member is first": ("    fair: {", "    first_one: {}\n    fair: {"),
    "cards are in force at other times": ("in_force: it.drawn", "in_force: not it.drawn"),
    "a term is changed from another value": ('most: {is: "3"}', 'most: {is: "4"}'),
    "a change that others follow is another": ("most: base + 1", "most: base + 2"),
    "a formula is another": ("{worth: round}", "{worth: round + 1}"),
    "a local name means a state too": ("state: {round", "state: {x: flag, round"),
    "an ending is gone": ("endings: {over: {}}", "endings: {past: {}}"),
    "the graph has another name": ("graphs: {sea:", "graphs: {lake:"),
    "an effect takes nothing": (", of: {who: player}}}", "}}"),
    "state has another range": ("stock: 0..9", "stock: flag"),
    "nobody knows what is paid": ("wares: {type: 0..9", "wares: {type: odd"),
    "one of what is paid is free": ("per: ware, spendable: true}", 'per: ware, spendable: true, first: "1"}'),
    "what is paid goes to a bank": ("per: ware, spendable: true}", "per: ware, spendable: true, bank: stock}"),
    "what is paid with has another title": ("{wool: {}, wine: {}}", "{wool: {}, wine: {title: Port}}"),
    "something stands in for what is paid": (
        "wares: {type: 0..9, per: ware, spendable: true}",
        "wares: {type: 0..9, per: ware, spendable: true, instead: coins}",
    ),
    "there are two purses": (
        "      wares:",
        "      wares_owed: {type: 0..9, per: ware, spendable: true}\n      wares:",
    ),
}


@pytest.mark.parametrize("change", sampled(ELSEWHERE, every=2))
def test_a_change_elsewhere_reaches_every_rule_that_it_concerns(tmp_path: Path, change: str) -> None:
    """Rules whose own text is the same are checked again; after the change is taken back, everything is as before."""
    path, memory = tmp_path / "ruleset.yaml", Memory()
    path.write_text(ISLES, encoding="utf-8")
    before = compiled(Build(tmp_path), {}, memory)
    assert not before[0]
    assert before == compiled(Build(tmp_path), {}, None)
    assert ISLES.count(ELSEWHERE[change][0]) == 1
    texts = {path: ISLES.replace(*ELSEWHERE[change])}
    after = compiled(Build(tmp_path), texts, memory)
    assert after == compiled(Build(tmp_path), texts, None) != before
    assert compiled(Build(tmp_path), {}, memory) == before


QUESTIONS = [
    each for each in vars(Questions).values() if inspect.isfunction(each) and not each.__name__.startswith("_")
]


@pytest.mark.parametrize("question", sampled(QUESTIONS, every=20, name=lambda each: str(each.__name__)))
def test_each_question_of_a_check_has_to_be_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: Callable[..., object]
) -> None:
    """Were its answer not noted, one of the changes above would go unseen: so for each question there is a change."""
    noted = ExpressionReader.ask

    def ask(reader: ExpressionReader, asked: Callable[..., object], about: object) -> object:
        return asked(reader.questions, about) if asked is question else noted(reader, asked, about)

    monkeypatch.setattr(ExpressionReader, "ask", ask)
    path = tmp_path / "ruleset.yaml"
    path.write_text(ISLES, encoding="utf-8")
    unseen = []
    for change, edit in ELSEWHERE.items():
        memory, texts = Memory(), {path: ISLES.replace(*edit)}
        compiled(Build(tmp_path), {}, memory)
        if compiled(Build(tmp_path), texts, memory) != compiled(Build(tmp_path), texts, None):
            unseen.append(change)
    assert unseen


def test_what_stands_below_a_citation_is_the_same_node_again() -> None:
    """Rules get the citation of their file when they are composed; they are not checked again for that."""
    memory, known = Memory(), Build("yucata")
    for built in (known, again := Build("yucata")):
        with opened({}, memory.trees):
            build(built, memory)
    assert known.composed is not None and again.composed is not None
    assert known.composed.tree is again.composed.tree


def test_however_often_a_text_is_edited_the_same_amount_is_remembered() -> None:
    """Of a table that is made by combining others, each edit makes all rows anew, and those of before are let go."""
    path, bench, amounts = HERE / "rulesets" / "othello" / "ruleset.yaml", Workbench(), []
    text = path.read_text("utf-8")
    for number in range(12):
        bench.change(path, f"{text}\n# {number}\n")
        target = bench.target(path)
        assert target is not None and bench.analysis(target).build.rules is not None
        amounts.append(len(bench.memory.entries))
    assert amounts[-1] == amounts[5] < 5 * amounts[0]


def entries_of(*memos: Once[Any, Any]) -> int:
    return sum(len(each.known) + len(each.before) for each in memos)


def test_however_often_an_expression_is_edited_as_many_are_remembered() -> None:
    """Each edit makes a term and a phase anew, and those of some edits before are let go."""
    path, bench, amounts = HERE / "rulesets" / "othello" / "ruleset.yaml", Workbench(), []
    text = path.read_text("utf-8")
    for number in range(6 * ROUNDS):
        other = text.replace("s.owner == who.rival", f"s.owner == who.rival and {number} >= 0")
        bench.change(path, other.replace("s.owner is none and turns", f"s.owner is none and {number} >= 0 and turns"))
        target = bench.target(path)
        assert target is not None and bench.analysis(target).build.rules is not None
        units = bench.memory.units
        amounts.append(entries_of(units.changes, units.well_formed.uses, units.well_formed.steps))
    assert amounts[-1] == amounts[3 * ROUNDS - 1] > amounts[0]


def test_however_often_rules_are_hashed_as_much_is_remembered_of_them(tmp_path: Path) -> None:
    """Rules that are read again are other nodes, and those of before are let go."""
    home, amounts = shutil.copytree(HERE / "rulesets" / "othello", tmp_path / "othello"), []
    _entries.cache_clear()
    for _ in range(6 * ROUNDS):
        composed = compose(home)
        assert composed.hash
        amounts.append(entries_of(*map(_entries, composed.tree.entries)))
    assert amounts[-1] == amounts[3 * ROUNDS - 1] > amounts[0]


FOLDED = """
terms:
  big:
    is: "a or
      b or
      c"
  small: {is: a}
"""


def test_a_text_of_several_lines_is_the_same_node_again() -> None:
    """What changes elsewhere on the page does not make it another one; a line of it that is moved does."""

    def term(text: str) -> Mapping:
        tree = read_text(text, "rules.yaml", Diagnostics())
        terms = node_at(tree, "terms")
        assert isinstance(terms, Mapping)
        return terms

    before = term(FOLDED)
    again, moved = (
        kept(term(text), before) for text in (FOLDED.replace("is: a}", "is: b}"), FOLDED.replace("      b", "    b"))
    )
    assert isinstance(again, Mapping) and isinstance(moved, Mapping)
    assert again.get("big") is before.get("big") and again.get("small") is not before.get("small")
    assert moved.get("big") is not before.get("big") and moved.get("small") is before.get("small")


def spliced(line: int, bracketed: bool = True) -> Spliced:
    inner = Text("a or b", Span("base.yaml", line, 9, line, 15))
    return Spliced(Text("old and c", Span("more.yaml", 7, 5, 7, 14)), (Hole(0, 3, inner, bracketed),))


def test_a_text_with_others_in_it_is_the_same_where_these_are() -> None:
    """Also what stands in it is written at the same place."""
    old = spliced(3)
    assert kept(spliced(3), old) is old
    assert kept(spliced(4), old) is not old and kept(spliced(3, bracketed=False), old) is not old
    assert kept(old.own, old) is old.own and kept(old, old.own) is old


def test_a_text_of_a_library_is_the_same_where_it_is_to_be_of_the_same_type() -> None:
    """Its value is held against what the ruleset wants of it."""
    own = Text("a", Span("library.yaml", 7, 5, 7, 6))
    old = Renamed(own, (), "number")
    assert kept(Renamed(own, (), "number"), old) is old
    assert kept(Renamed(own), old) is not old


def test_what_was_worked_out_once_is_forgotten_when_many_others_came() -> None:
    made: list[int] = []
    size, things = Once(lambda thing: made.append(thing[0]), most=3), [[number] for number in range(7)]
    for thing in things:
        size(thing)
    size(things[6])
    size(things[3])
    assert made == [*range(7)]
    size(things[0])
    assert made == [*range(7), 0] and len(size.known) + len(size.before) <= 6
