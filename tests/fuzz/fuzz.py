"""Throw random inputs at all that reads what authors write: `python tests/fuzz/fuzz.py --inputs 100000 --seed 1`.

Most inputs are expressions (parsed and typed) and pieces of files (read), fewer are whole rulesets (validated, and
played where they are sound), variants, case files and transcripts. Nothing but findings, RuleError and the like may
come of them. Each input depends on the seed and its number alone: `--only NUMBER` tries one again. With `--hypothesis`
it is Hypothesis that throws the dice. What breaks is saved in a folder; the exit status is 0 when nothing did.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, islice
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, seed as with_seed, settings, strategies as some

TESTS = Path(__file__).resolve().parents[1]
for place in (TESTS.parent, TESTS.parent / "dev"):
    if str(place) not in sys.path:
        sys.path.append(str(place))

import fuzz_texts as texts  # noqa: E402

import polis_rules  # noqa: E402
from polis_rules.cases.reading import read_case_text  # noqa: E402
from polis_rules.cases.runner import Runner  # noqa: E402
from polis_rules.composition.catalog import find  # noqa: E402
from polis_rules.diagnostics.codes import explanations  # noqa: E402
from polis_rules.diagnostics.diagnostic import Diagnostic  # noqa: E402
from polis_rules.diagnostics.diagnostics import Diagnostics  # noqa: E402
from polis_rules.diagnostics.errors import PolisError  # noqa: E402
from polis_rules.diagnostics.rendering import render  # noqa: E402
from polis_rules.diagnostics.span import Span  # noqa: E402
from polis_rules.interpreter.compiler import compile_rules  # noqa: E402
from polis_rules.interpreter.machine.layout import PC  # noqa: E402
from polis_rules.interpreter.runtime import Program  # noqa: E402
from polis_rules.pipeline import front  # noqa: E402
from polis_rules.play import (  # noqa: E402
    bots,
    play_game,
    transcript as transcripts,
)
from polis_rules.semantics.check_expressions import ExpressionChecker  # noqa: E402
from polis_rules.semantics.expressions.parse import parse  # noqa: E402
from polis_rules.semantics.expressions.scope import Scope  # noqa: E402
from polis_rules.semantics.expressions.types import BOOL, INT, Type  # noqa: E402
from polis_rules.source.files import edited  # noqa: E402
from polis_rules.source.reader import read_text  # noqa: E402
from polis_rules.source.tree import Mapping, Node, Sequence, Text  # noqa: E402
from polis_rules.validation.validate import validate  # noqa: E402

LAYERS = (("expression", 905), ("reader", 90), ("ruleset", 2), ("variant", 1), ("case", 1), ("transcript", 1))
"""Of a thousand inputs, how many each layer gets."""

SLOW = 10.0
"""An input that takes more seconds than this counts as broken."""

AT_ONCE = 10_000
"""So many inputs Hypothesis looks at together: it remembers all of them."""

SMALL = ("dice_race", "random_isles", "sealed_bids")
"""The rulesets under tests/rulesets, which are quick to validate."""


class BrokenError(Exception):
    """An input was answered, but not as it should be."""


@dataclass
class Tally:
    """What came of some inputs."""

    counts: dict[str, int] = field(default_factory=dict)
    accepted: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    slowest: dict[str, tuple[float, int]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def add(self, layer: str, number: int, seconds: float, accepted: bool) -> None:
        self.counts[layer] = self.counts.get(layer, 0) + 1
        self.accepted[layer] = self.accepted.get(layer, 0) + accepted
        self.seconds[layer] = self.seconds.get(layer, 0.0) + seconds
        self.slowest[layer] = max(self.slowest.get(layer, (0.0, 0)), (seconds, number))

    def table(self) -> str:
        """The figures, layer by layer."""
        lines = [f"{'layer':<12}{'inputs':>10}{'accepted':>10}{'seconds':>10}{'slowest':>10}  number"]
        for layer, inputs in self.counts.items():
            slow, number = self.slowest[layer]
            lines.append(
                f"{layer:<12}{inputs:>10,}{self.accepted[layer]:>10,}{self.seconds[layer]:>10.1f}"
                f"{slow:>9.2f}s  {number}"
            )
        lines.append(f"{sum(self.counts.values()):,} inputs, {len(self.broken)} broken")
        return "\n".join(lines)


def judged(findings: list[Diagnostic], sources: dict[str, str]) -> bool:
    """Whether there is no error among findings, each of which must be one that can be shown."""
    for each in findings:
        if each.code not in explanations() or each.code == "broken-check":
            raise BrokenError(f"{each.code}: {each.message}")
        render(each, sources)
        if each.span is not None and each.span.file in sources:
            span, lines = each.span, sources[each.span.file].split("\n")
            if not 1 <= span.line <= len(lines) + 1 or span.column < 1:
                raise BrokenError(f"{each.code} stands at {span}, which is outside of the text")
    return not any(each.severity == "error" for each in findings)


class Fuzzer:
    """Makes inputs from what is shipped, and tries them."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rulesets = [TESTS / "rulesets" / name for name in SMALL]
        self.files = {path: path.read_text(encoding="utf-8") for path in self._paths()}
        self.all_texts = list(self.files.values())
        self.pieces = [piece for text in self.all_texts for piece in pieces(text)]
        self.rules = front("yucata").rules
        symbols = self.rules.symbols
        texts.NAMES[:] = [*texts.NAMES, *symbols.known()]
        texts.FIELDS[:] = [
            *texts.FIELDS, *(name for kind in symbols.kinds.values() for name in (*kind.attributes, *kind.state)),
        ]  # fmt: skip
        people = dict.fromkeys(("you", "who", "viewer", "winner"), Type("ref", "player"))
        self.scopes = [
            Scope(
                {**people, **dict.fromkeys(("it", "place", "target", "space"), Type("ref", kind)), "n": INT, "c": BOOL}
            )
            for kind in symbols.kinds
        ]

    def _paths(self) -> list[Path]:
        folders = [*self.rulesets, find("yucata"), find("devir"), find("yucata").parent / "variants"]
        return [path for folder in folders for path in sorted(folder.rglob("*.yaml"))]

    @cached_property
    def expressions(self) -> list[str]:
        """Every text of the shipped files that is an expression."""
        sound: set[str] = set()
        for path, text in self.files.items():
            tree = read_text(text, path.name, Diagnostics())
            if tree is not None:
                sound |= {str(each) for each in scalars(tree) if parse(each, Diagnostics()) is not None}
        return sorted(each for each in sound if not each.isidentifier())

    @cached_property
    def runner(self) -> Runner:
        return Runner("yucata")

    @cached_property
    def game(self) -> tuple[polis_rules.Ruleset, str]:
        """A ruleset, and the text of a transcript of it."""
        ruleset = polis_rules.load(self.rulesets[0])
        game = ruleset.start(seed=self.seed)
        seats = dict.fromkeys(ruleset.players, "random")
        play_game(game, {player: bots.make("random", 1) for player in seats})
        return ruleset, transcripts.dump(transcripts.record(ruleset, game, seats))

    def layer(self, number: int) -> str:
        """The layer that an input goes to; those of a thousand are spread evenly."""
        place = number * 389 % 1000
        for name, share in LAYERS:
            if place < share:
                return name
            place -= share
        raise AssertionError(number)

    def try_one(self, number: int, tally: Tally) -> str | None:
        """Try one input. What broke, with the input, or None."""
        return self.attempt(self.layer(number), Random(f"{self.seed}/{number}"), number, tally)

    def attempt(self, layer: str, dice: Random, number: int, tally: Tally) -> str | None:
        """Try the input that some dice give for a layer; likewise."""
        attempt: Callable[[Random], tuple[str, Callable[[], bool]]] = getattr(self, layer)
        text, act = attempt(dice)
        begun = time.process_time()
        accepted, trouble = False, ""
        try:
            accepted = act()
        except Exception:
            trouble = traceback.format_exc()
        seconds = time.process_time() - begun
        tally.add(layer, number, seconds, accepted)
        if seconds > SLOW:
            trouble = f"it took {seconds:.1f} seconds\n{trouble}"
        return f"{layer}, input {number} of seed {self.seed}\n\n{trouble}\n{text}\n" if trouble else None

    # -- layers: each gives the input as text, and what is to be done with it ------------------------------------------

    def expression(self, dice: Random) -> tuple[str, Callable[[], bool]]:
        raw = (
            texts.expression(dice)
            if dice.random() < 0.4
            else texts.changed_expression(dice.choice(self.expressions), self.expressions, dice)
        )
        text = Text(raw, Span("odd.yaml", 1, 1, 1, 1 + len(raw)))
        scope, want = dice.choice(self.scopes), dice.choice((None, INT, BOOL))
        terms = self.rules.symbols.terms

        def type_of(name: str) -> Type | None:
            body = terms[name].body
            return None if body is None else body.type

        def act() -> bool:
            diagnostics = Diagnostics(sources={"odd.yaml": raw})
            typed = ExpressionChecker(self.rules.symbols, diagnostics, type_of).check(text, scope, want)
            if typed is None and not diagnostics.has_errors:
                raise BrokenError("it was refused without a word")
            return judged(diagnostics.items, diagnostics.sources)

        return raw, act

    def reader(self, dice: Random) -> tuple[str, Callable[[], bool]]:
        text = texts.mutated(dice.choice(self.pieces), self.pieces, dice)

        def act() -> bool:
            diagnostics = Diagnostics()
            tree = read_text(text, "odd.yaml", diagnostics)
            if tree is None and not diagnostics.has_errors:
                raise BrokenError("it was refused without a word")
            return judged(diagnostics.items, diagnostics.sources)

        return text, act

    def ruleset(self, dice: Random) -> tuple[str, Callable[[], bool]]:
        folder = dice.choice(self.rulesets) if dice.random() < 0.9 else find(dice.choice(("yucata", "devir")))
        path = dice.choice([path for path in self.files if path.is_relative_to(folder) and "cases" not in path.parts])
        text = texts.mutated(self.files[path], self.all_texts, dice)

        def act() -> bool:
            with edited({path.resolve(): text}):
                result = validate(folder)
                sound = judged(result.findings, result.sources)
                if sound:
                    self.played(folder, dice)
            return sound

        return f"# {path.relative_to(TESTS.parent)}\n{text}", act

    def played(self, folder: Path, dice: Random) -> None:
        """Play a little of a ruleset that is sound: it may fail, with the place of the rule."""
        try:
            program = Program(compile_rules(front(folder).rules, checks=True, trace=True))
            state = program.new_state(dice.randrange(100))
            for _ in range(60):
                options = program.options(state) if state[PC] != program.finished else []
                if not options:
                    break
                program.apply(state, dice.choice(options))
        except PolisError as error:
            if "cannot be worked out" in str(error) or getattr(error, "span", "") is None:
                raise BrokenError(str(error)) from error

    def variant(self, dice: Random) -> tuple[str, Callable[[], bool]]:
        path = dice.choice([path for path in self.files if path.parent.name == "variants"])
        text = texts.mutated(self.files[path], self.all_texts, dice)

        def act() -> bool:
            with edited({path.resolve(): text}):
                result = validate("devir" if "extends: devir" in text else "yucata", variants=(path,))
            return judged(result.findings, result.sources)

        return f"# {path.name}\n{text}", act

    def case(self, dice: Random) -> tuple[str, Callable[[], bool]]:
        paths = [path for path in self.files if path.parent == find("yucata") / "cases"]
        text = texts.mutated("cases:\n" + self.one_case(dice.choice(paths), dice), self.all_texts, dice)

        def act() -> bool:
            results = [self.runner.run(case) for case in read_case_text(text, find("yucata") / "cases/odd.yaml")]
            return all(result.passed for result in results)

        return text, act

    def one_case(self, path: Path, dice: Random) -> str:
        """The text of one case of a file."""
        lines = self.files[path].split("\n")
        begins = [at for at, line in enumerate(lines) if line[:2] == "  " and line[2:3].isalpha()]
        if not begins:
            return "\n".join(lines)
        at = dice.choice(begins)
        end = next((later for later in begins if later > at), len(lines))
        return "\n".join(lines[at:end])

    def transcript(self, dice: Random) -> tuple[str, Callable[[], bool]]:
        rules, whole = self.game
        text = texts.mutated(whole, [whole], dice)

        def act() -> bool:
            try:
                return transcripts.replay(transcripts.parse(text, "odd.jsonl"), rules).ok
            except PolisError:
                return False

        return text, act


def pieces(text: str) -> list[str]:
    """A file in parts of a few lines, each beginning at its margin."""
    lines = text.split("\n")
    starts = [at for at, line in enumerate(lines) if line[:1].isalpha()] or [0]
    parts = []
    for begin, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        head, body = lines[begin], lines[begin + 1 : end]
        parts += ["\n".join([head, *body[at : at + 12]]) for at in range(0, max(len(body), 1), 12)]
    return parts


def scalars(node: Node) -> list[Text]:
    """All values that are texts, however deep."""
    if isinstance(node, Mapping):
        return [each for inner in node.entries.values() for each in scalars(inner)]
    if isinstance(node, Sequence):
        return [each for inner in node.items for each in scalars(inner)]
    return [node]


def run(
    inputs: int,
    seed: int,
    seconds: float | None = None,
    begin: int = 0,
    say: Callable[[str], None] = lambda line: None,
    layers: Collection[str] = (),
) -> Tally:
    """Try inputs (of some layers), until there are so many or time is up.

    `say` is told what breaks, and now and then how far it is.
    """
    fuzzer, tally = Fuzzer(seed), Tally()
    started = said = time.monotonic()
    wanted = (number for number in count(begin) if not layers or fuzzer.layer(number) in layers)
    for number in islice(wanted, inputs):
        trouble = fuzzer.try_one(number, tally)
        if trouble is not None:
            tally.broken.append(trouble)
            say(trouble)
        now = time.monotonic()
        if seconds is not None and now - started > seconds:
            break
        if now - said > 30:
            said = now
            say(f"... {sum(tally.counts.values()):,} inputs, {len(tally.broken)} broken")
    return tally


def searched(inputs: int, seed: int, layers: Collection[str] = (), say: Callable[[str], None] = print) -> Tally:
    """Try inputs whose dice Hypothesis throws: it looks for what is new, and what breaks it makes small."""
    fuzzer, tally = Fuzzer(seed), Tally()
    names = [name for name, _ in LAYERS if not layers or name in layers]
    for begin in range(0, inputs, AT_ONCE):
        trouble = smallest(fuzzer, names, min(AT_ONCE, inputs - begin), seed + begin, tally)
        if trouble is not None:
            tally.broken.append(trouble)
            say(trouble)
        say(f"... {sum(tally.counts.values()):,} inputs, {len(tally.broken)} broken")
    return tally


def smallest(fuzzer: Fuzzer, layers: list[str], inputs: int, seed: int, tally: Tally) -> str | None:
    """The smallest input that breaks anything, of so many that Hypothesis tries; None if none does."""
    troubles: list[str] = []

    @with_seed(seed)
    @settings(max_examples=inputs, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(some.sampled_from(layers), some.randoms(use_true_random=False))
    def none_breaks(layer: str, dice: Random) -> None:
        trouble = fuzzer.attempt(layer, dice, sum(tally.counts.values()), tally)
        if trouble is not None:
            troubles.append(trouble)
            raise BrokenError("this breaks")

    try:
        none_breaks()
    except BrokenError:
        return troubles[-1]
    return None


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--inputs", type=int, default=10_000, metavar="N", help="how many inputs")
    parser.add_argument("--seed", type=int, default=0, help="where the random numbers begin")
    parser.add_argument("--seconds", type=float, help="stop after so many seconds")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="try the input of this number alone")
    parser.add_argument(
        "--layers", default="", metavar="NAMES", help="only these, with commas between: expression,reader"
    )
    parser.add_argument("--hypothesis", action="store_true", help="slower; what breaks is made small")
    parser.add_argument("--crashes", type=Path, default=Path("fuzz-crashes"), help="the folder for what breaks")
    asked = parser.parse_args()

    def say(line: str) -> None:
        print(line.partition("\n")[0], flush=True)
        if not line.startswith("..."):
            asked.crashes.mkdir(exist_ok=True)
            path = asked.crashes / f"{line.partition(chr(10))[0].replace(' ', '_').replace(',', '')}.txt"
            path.write_text(line, encoding="utf-8", errors="backslashreplace")

    layers = asked.layers.split(",") if asked.layers else ()
    if asked.hypothesis:
        tally = searched(asked.inputs, asked.seed, layers, say)
    else:
        tally = run(asked.inputs if asked.only is None else 1, asked.seed, asked.seconds, asked.only or 0, say, layers)
    print(tally.table())
    sys.exit(bool(tally.broken))


if __name__ == "__main__":
    main()
