"""Every word of the language is known wherever words are told apart: these tests name the place that forgets a new one.

They go over small random rulesets that use every word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from support.random_rulesets import lay, ruleset, yaml
from support.reading import page_of

from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.documentation.rulebook import read
from polis_rules.interpreter.compiler import compile_rules
from polis_rules.interpreter.machine import LEAVE
from polis_rules.pipeline import Build, Front, front, run
from polis_rules.schema.steps import VERBS
from polis_rules.semantics import Ranges, TypedRules, ir
from polis_rules.semantics.check_expressions import ExpressionChecker
from polis_rules.semantics.check_steps import StepChecker
from polis_rules.semantics.expressions import Expr, nodes
from polis_rules.semantics.symbols import Symbols
from polis_rules.semantics.traversal import every_step
from polis_rules.semantics.words import BUILT_IN, FUNCTIONS
from polis_rules.semantics.write_sets import changed_by, write_sets, written_steps
from polis_rules.validation.analysis import Effects, Flow
from polis_rules.validation.checks import lint
from polis_rules.verification.coverage.instrument import Instrument
from polis_rules.verification.differential.reference_engine import FAILURES, ReferenceEngine, Walk
from polis_rules.verification.mutation.mutants import Mutator

WORDS = {*VERBS, *BUILT_IN} - {"True", "False", "None"}


@cache
def seeds() -> tuple[int, ...]:
    """The first seeds whose random rulesets use each word twice between them."""
    met, found = Counter[str](), []
    for seed in range(100):
        words = WORDS & {*re.findall(r"\w+", yaml(ruleset(seed)))}
        if any(met[word] < 2 for word in words):
            met.update(words)
            found.append(seed)
        if len(met) == len(WORDS) and min(met.values()) > 1:
            break
    return tuple(found)


def classes(module: object, base: type) -> set[type]:
    """The classes of a module that are of some sort and that none builds on."""
    found = {each for each in vars(module).values() if isinstance(each, type) and issubclass(each, base)}
    return {each for each in found if not any(issubclass(other, each) for other in found - {each})}


STEPS = (classes(ir, ir.Step) | {ir.Move, ir.Set, ir.Restore}) - {ir.Mark}
EXPRESSIONS = classes(nodes, Expr) - {nodes.Counted, nodes.Switched}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return [lay(tmp_path_factory.mktemp("words") / f"random_{seed}", ruleset(seed)) for seed in seeds()]


@pytest.fixture(scope="module")
def fronts(folders: list[Path]) -> list[Front]:
    return [front(folder) for folder in folders]


def steps_of(rules: Front) -> Iterator[ir.Step]:
    for procedure in rules.rules.procedures.values():
        yield from every_step(procedure.body)


# -- every word is used -----------------------------------------------------------------------------------------------


def test_random_rulesets_use_every_word() -> None:
    """What compares engines, and everything below, meets each verb, function and word of expressions."""
    assert WORDS - {word for seed in seeds() for word in re.findall(r"\w+", yaml(ruleset(seed)))} == set()


@pytest.mark.slow
def test_random_rulesets_have_every_typed_step_and_expression(fronts: list[Front]) -> None:
    """No class of steps or expressions is left out of what compares engines."""
    steps = [step for rules in fronts for step in steps_of(rules)]
    parts = {type(part) for step in steps for tree in step.expressions() for part in tree.walk()}
    assert STEPS - {*map(type, steps)} == set()
    assert EXPRESSIONS - parts == set()


# -- the front of the compiler ----------------------------------------------------------------------------------------


def test_every_verb_and_function_is_checked() -> None:
    """The type checker has a method for each word of the tables that the grammar is made of."""
    expressions = ExpressionChecker(Symbols(), Diagnostics(), lambda name: None)
    assert {*expressions.functions} == {*FUNCTIONS}
    assert {*StepChecker(expressions, []).verbs} == {*VERBS.values()}


def test_every_step_that_is_written_is_found(fronts: list[Front]) -> None:
    """Whatever field of a verb or of a typed step holds steps, they are gone through."""
    for rules in fronts:
        written = [step.span for step in written_steps(rules.document)]
        text = "".join(rules.composed.sources.values())
        assert len(written) >= sum(text.count(f"- {verb}:") for verb in ("set", "choose", "roll", "if", "each"))
        assert {*written} <= {step.span for step in steps_of(rules)}


# -- what steps change ------------------------------------------------------------------------------------------------


class Watched(ReferenceEngine):
    """Tells of each step which state it has changed by the time the next one begins, with all inside it."""

    def __init__(self, rules: Front) -> None:
        self.calls = write_sets(rules.document)
        self.effects = Effects(rules.rules)
        self.written = {step.span: step for step in written_steps(rules.document)}
        self.seen = set[type]()
        super().__init__(rules.rules, seed=None)
        bases, size = self.layout.bases.items(), rules.rules.symbols.variable
        self.owners = {base + at: key for key, base in bases for at in range(size(*key).size)}

    def step(self, step: ir.Step, names: dict[str, int]) -> Walk:
        before = list(self.state)
        yield from super().step(step, names)
        pairs = enumerate(zip(before, self.state, strict=True))
        changed = {self.owners[slot] for slot, (was, now) in pairs if was != now and slot in self.owners}
        assert changed <= self.effects.list_writes((step,)), step
        if step.span in self.written:
            short = {name.rpartition(".")[2] for _, name in changed}  # what a rule remembers has its path before it
            short = {re.sub(r"^together_\d+$", "together", name) for name in short}  # the second such step of a rule
            assert short <= changed_by([self.written[step.span]], self.calls.__getitem__), step
        self.seen |= {type(step)} if changed else set()


@pytest.mark.slow
def test_what_a_step_changes_is_known_before_it_is_done(tmp_path: Path) -> None:
    """Neither the checker, which forgets what was known of it, nor the lints are told too little."""
    seen = set[type]()
    for number in range(27):
        rules = front(lay(tmp_path / f"random_{number}", ruleset(number)))
        for seed in range(6):
            try:
                game, rng = Watched(rules), Random(seed)
                game.restart(seed)
                for _ in range(60):
                    if game.question is None:
                        break
                    options = game.question.options
                    game.answer(rng.choice(options) if options else LEAVE)
            except FAILURES:
                pass
            seen |= game.seen
    assert STEPS - seen == {ir.Let, ir.Roll, ir.Draw, ir.Stop, ir.End, ir.Shuffled, ir.Note, ir.Several, ir.Tell}


# -- whoever goes over rules ------------------------------------------------------------------------------------------


def seen_by_lints(rules: TypedRules) -> set[int]:
    """The expressions on the way through rules that lints follow, by identity."""
    seen: list[Expr] = []
    flow = Flow(Effects(rules), Ranges(rules.symbols), lambda each: seen.extend(each.tree.walk()))
    for rule in flow.effects.units.values():
        flow.rule(rule)
    return set(map(id, seen))


@pytest.mark.slow
def test_lints_see_every_expression_of_a_step(fronts: list[Front]) -> None:
    """Their way through rules leaves none out, or at least none of the conditions that it joins."""
    for rules in fronts:
        seen = seen_by_lints(rules.rules)
        unwritten = {
            id(each) for step in steps_of(rules) if isinstance(step, ir.Generated) for each in every_step(step.body)
        }
        for step in (step for step in steps_of(rules) if id(step) not in unwritten):
            for tree in step.expressions():
                assert id(tree) in seen or all(id(part) in seen for part in tree.children()), step


TOOLS: dict[str, Callable[[TypedRules], object]] = {
    "compiler": compile_rules,
    "coverage": lambda rules: compile_rules(Instrument().rules(rules)),
    "mutation": lambda rules: compile_rules(Mutator().rules(rules)),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_tools_know_every_word(tool: str, fronts: list[Front]) -> None:
    """Whatever makes something else of typed rules can do so with each step and expression."""
    for rules in fronts:
        assert TOOLS[tool](rules.rules)


@pytest.mark.slow
def test_the_rulebook_tells_every_word(folders: list[Path]) -> None:
    """Each step and expression has its sentence."""
    for folder in folders:
        assert page_of(read(folder))


def test_no_check_stumbles_over_a_word(folders: list[Path]) -> None:
    """Every lint comes to its end."""
    for folder in folders:
        build = run(Build(folder))
        lint(build)
        assert not [each for each in build.diagnostics.items if each.code == "broken-check"]
