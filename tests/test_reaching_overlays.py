"""Overlays that reach into rules: extend, insert, and paths through the names of steps."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.composing import at, failure, failures, lay, variant

from polis_rules import RulesetError, load
from polis_rules.composition.composed import compose
from polis_rules.composition.extending import _dump as _meaning, extended
from polis_rules.composition.overlay import inline, plain
from polis_rules.composition.paths import reach
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.span import Span
from polis_rules.semantics.expressions.parse import parse
from polis_rules.source.parsing import span_of
from polis_rules.source.reader import read_text
from polis_rules.source.spliced import Spliced
from polis_rules.source.tree import Text, node_at
from polis_rules.validation.validate import validate

GAME = {
    "ruleset.yaml": "format: 2\nruleset: game\ntitle: Game\nfiles: [rules.yaml]\nscenario: short\n",
    "scenarios/short.yaml": "scenario: short\ntitle: Short\nstart: {}\n",
    "rules.yaml": """\
terms:
  fee: {of: {who: player}, is: who.coins + 1}
  rich: {of: {who: player}, is: who.coins > 3 or who.coins == fee(who)}
actions:
  dig:
    cost: {coins: 1}
    do:
      - roll: depth
        dice: 1d4
      - if: depth > 2
        then:
          - let: {found: depth - 2}
          - gain: {coins: found}
        else:
          - stop
      - either:
          keep: {title: Keep it}
          sell: {title: Sell it, cost: {coins: 1}, do: [{gain: {coins: 2}}]}
      - do: tire(you)
phases:
  game: [morning, evening]
  morning:
    title: Morning
    do:
      - wake
      - repeat: {times: 2, do: [{choose: deed, from: action, where: {it_must_be_new: deed != dig}}, {perform: deed}]}
      - gain: {coins: 1}
      - lose: {coins: 1}
      - lose: {coins: 2}
""",
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return lay(tmp_path / "game", GAME)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("actions.dig.do.depth.dice", "1d4"),
        ("actions.dig.do.roll.dice", "1d4"),
        ("actions.dig.do.found", "depth - 2"),
        ("actions.dig.do.if.then.gain.coins", "found"),
        ("actions.dig.do.if.then.gain", "{gain: {coins: found}}"),
        ("actions.dig.do.sell.cost.coins", "1"),
        ("actions.dig.do.tire", "{do: tire(you)}"),
        ("actions.dig.do.stop", "stop"),
        ("phases.game.evening", "evening"),
        ("phases.game.do", "[morning, evening]"),
        ("phases.morning.do.deed.where.it_must_be_new", "deed != dig"),
        ("phases.morning.do.gain.coins", "1"),
        ("phases.morning.do.repeat.times", "2"),
    ],
)
def test_a_path_goes_on_through_the_names_of_steps(path: str, value: str) -> None:
    """A step is found by what it makes, by its ways, by the rule it carries out, or by a verb of which there is one."""
    tree = read_text(GAME["rules.yaml"], "rules.yaml", Diagnostics())
    assert tree is not None
    reached = reach(tree, path)
    assert (reached.rest, inline(reached.value)) == ([], value)
    assert node_at(tree, *reached.keys) is reached.value


def test_every_operation_takes_a_path_through_names(game: Path, tmp_path: Path) -> None:
    deep = variant(
        tmp_path,
        "deep",
        "remove: {actions.dig.do.sell: , actions.dig.do.found: }\n"
        "replace: {phases.morning.do.wake: rise}\n"
        "change: {actions.dig.do.depth.dice: {was: 1d4, to: 1d6}}\n"
        "extend: {phases.morning.do.deed.where.it_must_be_new: base and rich(you)}\n"
        "add: {actions.dig.do.keep.cost: {coins: 1}}\n",
    )
    composed = compose(game, variants=[deep])
    roll, decide, either, _ = at(composed, "actions/dig/do")
    assert roll == {"roll": "depth", "dice": "1d6"}
    assert decide["then"] == [{"gain": {"coins": "found"}}], "a let that names nothing more is gone"
    assert either == {"either": {"keep": {"title": "Keep it", "cost": {"coins": "1"}}}}
    rise, repeat, *_ = at(composed, "phases/morning/do")
    assert (rise, repeat["repeat"]["do"][0]["where"]) == ("rise", {"it_must_be_new": "deed != dig and rich(you)"})
    (layer,) = {each.layer for each in composed.origins["actions.dig.do"]}
    assert layer == "variant deep"
    assert plain(composed.base)["actions"] == plain(compose(game).tree)["actions"], "what is below is left as it was"


def test_what_an_extension_makes_wrong_of_a_rule_shows_the_extension(tmp_path: Path) -> None:
    """The mistake lies where the rule is written, and beside it stands who put it in."""
    regatta = Path(__file__).parent / "rulesets" / "regatta"
    text = "variant: odd\ntitle: Odd\nextends: regatta\nextend: {terms.last_day.is: base and day > 1}\n"
    (tmp_path / "odd.yaml").write_text(text, "utf-8")
    with pytest.raises(RulesetError) as error:
        load(regatta, variants=[tmp_path / "odd.yaml"])
    (finding,) = error.value.diagnostics
    assert "expected a flag" in finding.message and finding.related[0][1].file.endswith("odd.yaml")


@pytest.mark.parametrize(
    ("insertion", "order"),
    [
        ("{before: wake, do: [a]}", "a wake repeat gain lose lose"),
        ("{after: wake, do: [a, b]}", "wake a b repeat gain lose lose"),
        ("{at: start, do: [a]}", "a wake repeat gain lose lose"),
        ("{at: end, do: [a]}", "wake repeat gain lose lose a"),
        ("[{after: wake, do: [a]}, {after: wake, do: [b]}]", "wake a b repeat gain lose lose"),
        ("[{before: wake, do: [a]}, {before: wake, do: [b]}]", "a b wake repeat gain lose lose"),
        ("[{at: start, do: [a]}, {at: start, do: [b]}]", "a b wake repeat gain lose lose"),
        ("[{after: wake, do: [a]}, {after: a, do: [b]}, {after: wake, do: [c]}]", "wake a c b repeat gain lose lose"),
    ],
)
def test_steps_are_inserted_beside_a_step_in_the_order_written(
    insertion: str, order: str, game: Path, tmp_path: Path
) -> None:
    path = variant(tmp_path, "more", f"insert: {{phases.morning: {insertion}}}")
    found = at(compose(game, variants=[path]), "phases/morning/do")
    assert " ".join(step if isinstance(step, str) else next(iter(step)) for step in found) == order


@pytest.mark.parametrize(
    ("path", "insertion", "where"),
    [
        ("actions.dig", "after: depth", "do/1"),
        ("actions.dig", "before: found", "do/1/then/0"),
        ("actions.dig", "after: sell", "do/3"),
        ("actions.dig.do.sell", "at: end", "do/2/either/sell/do/1"),
        ("actions.dig.do.if.else", "at: start", "do/1/else/0"),
        ("phases.morning", "after: deed", "do/1/repeat/do/1"),
        ("phases.morning.do.repeat", "at: end", "do/1/repeat/do/2"),
        ("phases.game", "after: morning", "1"),
    ],
)
def test_an_anchor_is_found_however_deep_it_stands(
    path: str, insertion: str, where: str, game: Path, tmp_path: Path
) -> None:
    chosen = variant(tmp_path, "more", f"insert: {{{path}: {{{insertion}, do: [here]}}}}")
    section, rule = path.split(".")[:2]
    steps = node_at(compose(game, variants=[chosen]).tree, section, rule)
    keys = [int(key) if key.isdigit() else key for key in where.split("/")]
    assert node_at(steps, *keys) == "here"


@pytest.mark.parametrize(
    ("old", "new", "both"),
    [
        ("8", "base + 2", "8 + 2"),
        ("a + b", "base * 2", "(a + b) * 2"),
        ("a + b", "base - c", "a + b - c"),
        ("a + b", "c - base", "c - (a + b)"),
        ("a or b", "base and c", "(a or b) and c"),
        ("a and b", "base and c", "a and b and c"),
        ("a", "max(base, base.base, d.base)", "max(a, a.base, d.base)"),
        ("a if b else c", "base + 1", "(a if b else c) + 1"),
        ("a == b", "not base", "not a == b"),
        ("sum(n for n in k)", "min(base, 3)", "min(sum(n for n in k), 3)"),
        ("min(n for n in k, default=0)", "base + 1", "min(n for n in k, default=0) + 1"),
        ("a", "debase + base", "debase + a"),
    ],
)
def test_an_extension_puts_the_present_expression_in_place_of_base(old: str, new: str, both: str) -> None:
    """In brackets only where it would mean something else without."""
    span = Span("a", 1, 1, 1, 1 + len(old)), Span("b", 1, 1, 1, 1 + len(new))
    assert extended(Text(old, span[0]), Text(new, span[1]), Diagnostics()) == both


def test_every_word_of_an_extension_keeps_its_place_through_several_layers(game: Path, tmp_path: Path) -> None:
    one = variant(tmp_path, "one", "extend:\n  terms.fee.is: base * 2")
    two = variant(tmp_path, "two", "extend:\n  terms.fee.is: 7 - base")
    composed = compose(game, variants=[one, two])
    text = node_at(composed.tree, "terms", "fee", "is")
    assert isinstance(text, Spliced) and text == "7 - (who.coins + 1) * 2"
    places = {"7": f"{two}:3:17", "who": "game/rules.yaml:2:32", "1": "game/rules.yaml:2:44", "2": f"{one}:3:24"}
    assert {word: str(text.place(text.index(word), text.index(word) + len(word))) for word in places} == places
    assert str(text.place(0, len(text))) == f"{two}:3:17"
    assert str(text.place(4, len(text))) == f"{one}:3:17", "what stands for `base` is written in another file"
    assert [inline(each.old) for each in composed.origins["terms.fee.is"] if each.old] == [
        "who.coins + 1",
        "(who.coins + 1) * 2",
    ]


@pytest.mark.parametrize(
    ("text", "code", "place", "advice"),
    [
        ("extend: {terms.fee.is: 3}", "extends-nothing", "2:24", "use `change`"),
        ("extend: {terms.fee: base}", "path-not-found", "2:10", "did you mean 'terms.fee.is'?"),
        ("extend: {terms.fee.si: base}", "path-not-found", "2:10", "known: of, is"),
        ("extend: {terms.fee.is: [base]}", "not-an-extension", "2:10", None),
        ("extend: {terms.fee.is: {was: 1, to: 2}}", "not-an-extension", "2:10", "use `change`"),
        ("extend: {phases.morning.title: base}", "not-an-extension", "2:32", "use `change`"),
        ("extend: {phases.morning.do: base}", "path-not-found", "2:10", "use `insert`"),
        ("extend: {actions.dig.do.depth.dice: base + 1}", "not-an-extension", "2:37", "use `change`"),
        ("extend: {terms.fee.is: any(base > 1 for who in player)}", "shadowing", "2:41", "call it otherwise"),
        ("insert: {phases.morning: {before: wkae, do: [a]}}", "anchor-not-found", "2:35", "did you mean 'wake'?"),
        ("insert: {phases.mourning: {before: wake, do: [a]}}", "path-not-found", "2:10", "'phases.morning'"),
        ("insert: {phases.morning: {before: wake, after: deed, do: [a]}}", "not-an-insertion", "2:41", None),
        ("insert: {phases.morning: {before: wake}}", "not-an-insertion", "2:10", None),
        ("insert: {phases.morning: {before: wake, do: a}}", "not-an-insertion", "2:41", None),
        ("insert: {phases.morning: {before: [wake], do: [a]}}", "not-an-insertion", "2:27", None),
        ("insert: {phases.morning: {at: stard, do: [a]}}", "not-an-insertion", "2:31", "did you mean 'start'?"),
        ("insert: {phases.morning: {at: wake, do: [a]}}", "not-an-insertion", "2:31", "`before: wake`"),
        ("insert: {phases.morning: {befor: wake, do: [a]}}", "unknown-key", "2:27", "did you mean 'before'?"),
        ("insert: {phases.morning: [a]}", "not-an-insertion", "2:10", "`at: end`"),
        ("insert: {actions.dig.do.if: {at: end, do: [a]}}", "path-not-found", "2:10", "actions.dig.do.if.then"),
        ("change: {actions.dig.do.dept.dice: {was: 1d4, to: 1d6}}", "path-not-found", "2:10", "actions.dig.do.depth"),
        ("change: {actions.dig.depth.dice: {was: 1d4, to: 1d6}}", "path-not-found", "2:10", "actions.dig.do.depth"),
        ("change: {phases.morning.do.lose.coins: {was: 1, to: 2}}", "path-not-clear", "2:10", None),
        ("change: {actions.dig.do.depth.dice: {was: 1d8, to: 1d6}}", "was-differs", "2:43", None),
    ],
)
def test_what_does_not_fit_is_an_error_at_its_place(
    game: Path, tmp_path: Path, text: str, code: str, place: str, advice: str | None
) -> None:
    path = variant(tmp_path, "bad", text)
    finding = failure(game, variants=[path])
    assert (finding.code, str(finding.span)) == (code, f"{path.as_posix()}:{place}")
    assert advice is None or advice in (finding.advice or "")


def test_an_anchor_that_stands_twice_is_an_error_with_both_places(game: Path, tmp_path: Path) -> None:
    twice = GAME["rules.yaml"].replace("      - wake\n", "      - wake\n      - if: true\n        then: [wake]\n")
    lay(game, {"rules.yaml": twice})
    finding = failure(game, variants=[variant(tmp_path, "bad", "insert: {phases.morning: {after: wake, do: [a]}}")])
    assert finding.code == "anchor-not-clear"
    assert [place.line for _, place in finding.related] == [twice[: twice.index("- wake")].count("\n") + 1] * 1 + [
        twice[: twice.index("[wake]")].count("\n") + 1
    ]


@pytest.mark.parametrize(
    "operation",
    ["insert: {phases.morning: {after: wake, do: [a]}}", "change: {phases.morning.do.wake: {was: a, to: b}}"],
)
def test_what_a_scenario_has_changed_is_not_found_and_said_so(game: Path, tmp_path: Path, operation: str) -> None:
    short = "scenario: short\nstart: {}\nreplace:\n  phases.morning.do: [evening]\n"
    lay(game, {"scenarios/short.yaml": short})
    finding = failure(game, variants=[variant(tmp_path, "bad", operation)])
    assert [(words, place.line) for words, place in finding.related] == [("scenario short changes it here", 4)]


TOUCHES = {
    "extend the fee": ("extend: {terms.fee.is: base + 1}", "fee"),
    "change the fee": ("change: {terms.fee.is: {was: who.coins + 1, to: 3}}", "fee"),
    "insert after waking": ("insert: {phases.morning: {after: wake, do: [a]}}", "wake+"),
    "insert before waking": ("insert: {phases.morning.do: {before: wake, do: [b]}}", "wake+"),
    "change the waking": ("replace: {phases.morning.do.wake: rise}", "wake"),
    "change the choice": ("change: {phases.morning.do.deed.from: {was: action, to: all}}", "deed"),
    "the same by its verb": ("change: {phases.morning.do.repeat.do.choose.from: {was: action, to: all}}", "deed"),
    "insert after the choice": ("insert: {phases.morning: {after: deed, do: [a]}}", "deed+"),
    "change the list": ("replace: {phases.morning.do: [wake]}", "fee-less morning"),
}


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(TOUCHES, 2)))
def test_two_variants_conflict_unless_both_extend_or_insert(one: str, other: str, game: Path, tmp_path: Path) -> None:
    """They may also insert beside a step in which the other one changes something, but not where it puts another."""
    paths = [variant(tmp_path, id, TOUCHES[each][0]) for id, each in (("one", one), ("two", other))]
    both = {one, other}
    conflict = both in (
        {"extend the fee", "change the fee"},
        {"change the choice", "the same by its verb"},
        {"insert after waking", "change the waking"},
        {"insert before waking", "change the waking"},
    ) or ("change the list" in both and "fee" not in one)
    codes = {each.code for each in failures(game, variants=paths)} if conflict else set()
    assert codes == ({"variant-conflict"} if conflict else set())
    if not conflict:
        assert compose(game, variants=paths).hash == compose(game, variants=paths[::-1]).hash


def test_two_variants_insert_and_extend_in_their_order(game: Path, tmp_path: Path) -> None:
    texts = {
        id: f"{after}extend: {{terms.fee.is: {fee}}}\ninsert: {{phases.morning: {{after: wake, do: [{id}]}}}}"
        for id, after, fee in (("first", "", "base + 1"), ("second", "", "base * 2"), ("early", "", "base - 3"))
    }
    paths = [variant(tmp_path, id, text) for id, text in texts.items()]
    for chosen in itertools.permutations(paths):
        composed = compose(game, variants=chosen)
        assert at(composed, "phases/morning/do")[:4] == ["wake", "early", "first", "second"]
        assert at(composed, "terms/fee/is") == "(who.coins + 1 - 3 + 1) * 2"


def test_extensions_cannot_grow_without_end(game: Path, tmp_path: Path) -> None:
    """Each layer could double the text; it ends with a finding, not with the memory of the machine."""
    paths = [variant(tmp_path, f"v{number:02}", "extend: {terms.fee.is: base + base}") for number in range(40)]
    assert failures(game, variants=paths)[0].code == "expression-size"


@pytest.mark.parametrize(
    ("first", "second", "head", "found"),
    [
        ("- gain: {breath: 1}", "- lose: {breath: 2}", "", ["breath"]),
        ("- gain: {breath: 1}", "- if: you.breath > 3\n        then: [draw_a_card]", "", ["breath"]),
        ("- draw_a_card", "- move: 1\n        from: tailwind.in_pile\n        to: tailwind.discarded", "", ["in_pile"]),
        ("- gain: {breath: 1}", "- set: {lap: lap}", "", []),
        ("- if: you.breath > 3\n        then: [stop]", "- if: you.breath > 4\n        then: [stop]", "", []),
        ("- gain: {breath: 1}", "- lose: {breath: 2}", "after: [first]\n", []),
    ],
)
def test_two_insertions_at_one_place_that_touch_the_same_are_told_of(
    first: str, second: str, head: str, found: list[str], tmp_path: Path
) -> None:
    """Not where they touch nothing together, or where one variant says that it comes after the other."""
    race = Path(__file__).parent / "rulesets" / "dice_race"
    paths = []
    for id, step, said in (("first", first, ""), ("second", second, head)):
        text = f"extends: dice_race\nwhy: To try.\n{said}insert:\n  actions.walk:\n    before: advance\n"
        text += f"    do:\n      {step}"
        paths.append(variant(tmp_path, id, text))
    findings = [each for each in validate(race, None, paths, others=False).findings if each.code == "order-matters"]
    assert [word for each in findings for word in ("breath", "in_pile") if f"`{word}`" in each.message] == found
    assert all(str(each.span) == f"{paths[1]}:5:3" for each in findings)


NAMES = st.sampled_from(["a", "b", "it.x", "3", "f(a)"])
EXPRESSIONS = st.recursive(
    NAMES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "and", "or", "==", "<", "in"]), inner).map(" ".join),
        inner.map("({})".format),
        inner.map("not {}".format),
        st.tuples(inner, inner, inner).map(lambda each: f"{each[0]} if {each[1]} else {each[2]}"),
        inner.map("sum({} for k in kind)".format),
    ),
    max_leaves=6,
)


@given(EXPRESSIONS, EXPRESSIONS.map(lambda text: text.replace("b", "base", 1)).filter(lambda text: "base" in text))
def test_an_extension_means_its_own_text_with_the_old_expression_in_brackets(old: str, new: str) -> None:
    """And every name in it stands where its author has written it."""
    texts = {"old": f"x: {old}", "new": f"x: {new}"}
    inner, outer = (read_text(text, name, Diagnostics()) for name, text in texts.items())
    assert inner is not None and outer is not None
    values = node_at(inner, "x"), node_at(outer, "x")
    assert isinstance(values[0], Text) and isinstance(values[1], Text)
    both = extended(values[0], values[1], Diagnostics())
    whole = parse(Text(values[1].replace("base", f"({old})"), values[1].span), Diagnostics())
    if both is None or whole is None:
        return
    got = parse(both, Diagnostics())
    assert got is not None
    for node in ast.walk(got):
        if isinstance(node, ast.Name):
            place = span_of(both, node)
            line = texts[place.file]
            assert line[place.column - 1 : place.end_column - 1] == node.id
    assert _meaning(got) == _meaning(whole)
