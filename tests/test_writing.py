"""Words that save writing mean what a reader takes them for: `most`, several `for`, empty sets, own conditions."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.reading import page_of

import polis_rules
from polis_rules import Game, RulesetError
from polis_rules.documentation.rulebook import read

REGATTA = Path(__file__).parent / "rulesets" / "regatta"
TEXT = (REGATTA / "ruleset.yaml").read_text("utf-8")
HARBOURS = {"rhodos": {"naxos", "kos"}, "naxos": {"rhodos"}, "kos": {"rhodos", "naxos"}}
WIDTH = {"rhodos": 2, "naxos": 4, "kos": 2}


def edited(tmp_path: Path, old: str, new: str) -> Path:
    """The regatta with other words."""
    assert TEXT.count(old) == 1, old
    (tmp_path / "regatta").mkdir()
    (tmp_path / "regatta" / "ruleset.yaml").write_text(TEXT.replace(old, new), "utf-8")
    return tmp_path / "regatta"


def positions() -> list[Game]:
    """Some positions of random games."""
    ruleset, found = polis_rules.load(REGATTA), []
    for seed in range(12):
        game, rng = ruleset.start(seed=seed), Random(seed)
        while game.decision is not None:
            found.append(game.copy())
            game.apply(rng.choice(game.decision.options))
    return found


def term(game: Game, name: str, **given: int) -> int:
    body = game.program.rules.symbols.terms[name].body
    assert body is not None
    value: int = game.options.evaluator.value(body, game.state, given)
    return value


def test_terms_that_go_over_much_at_once_are_what_python_makes_of_them() -> None:
    """`most` and `least` with and without a tie, a set and a minimum with two `for`."""
    players, islands = ["ann", "bob", "cid"], ["rhodos", "naxos", "kos"]
    for game in positions():
        view: Any = game.view("ann")["player"]
        prizes = {name: view[name]["prizes"] for name in players}
        first = [name for name in players if prizes[name] == max(prizes.values())]
        last = [name for name in players if prizes[name] == min(prizes.values())]
        assert term(game, "leader") == (players.index(first[0]) if len(first) == 1 else -1)
        assert term(game, "laggard") == (players.index(last[0]) if len(last) == 1 else 0)
        for number, name in enumerate(players):
            met = {there for here in view[name]["seen"] for there in HARBOURS[here]}
            assert term(game, "in_sight", sailor=number) == sum(1 << islands.index(each) for each in met)
            assert term(game, "shortest", sailor=number) == min((WIDTH[each] for each in met), default=9)


def test_a_row_asks_its_own_condition() -> None:
    """Naxos takes nobody in twice, the others whoever has wind; the reference of a row is `it`."""
    game = polis_rules.load(REGATTA).start(seed=1)
    for choice in ("sail", "naxos", "rest", "rest", "sail"):
        game.apply(choice)
    assert {option.id for option in game.decision.options} == {"rhodos"}  # type: ignore[union-attr]
    assert "Naxos does not take in Ann a second time" in [each.label for each in game.why_not("naxos")]


def test_what_is_divided_by_has_to_be_above_nothing(tmp_path: Path) -> None:
    """By the declared ranges; the message says how little it may be."""
    folder = edited(tmp_path, "worth: 6 // it.width", "worth: 6 // day")
    with pytest.raises(RulesetError, match="divided by what is above 0, and this may be 0"):
        polis_rules.load(folder)


@pytest.mark.parametrize(
    "said",
    ["{} == ann.seen", "len({} | ann.seen) == 0", "len({} if day > 3 else ann.seen) == 0", "len([] + [rhodos]) == 1"],
)
def test_an_empty_set_is_of_the_kind_of_what_stands_after_it(tmp_path: Path, said: str) -> None:
    """To the engine that reads trees, too."""
    ruleset = polis_rules.load(edited(tmp_path, "last_day: {is: 3}", f"last_day: {{is: 3}}\n  odd: {{is: '{said}'}}"))
    assert term(ruleset.start(seed=1), "odd")


@pytest.mark.parametrize(
    "wrong", ["len({})", "any(x == x for x in [])", "{} == []", "len(([] if day > 1 else []) + [])"]
)
def test_an_empty_set_of_nobody_knows_what_is_an_error(tmp_path: Path, wrong: str) -> None:
    """Where the place does not tell its kind there is nothing that it could be empty of."""
    folder = edited(tmp_path, "last_day: {is: 3}", f"last_day: {{is: 3}}\n  odd: {{is: '{wrong}'}}")
    with pytest.raises(RulesetError, match="nothing here tells of what kind this is empty"):
        polis_rules.load(folder)


def test_braces_of_yaml_are_a_set_where_a_value_stands(tmp_path: Path) -> None:
    """Written without quotes, each word has its place: a wrong one is pointed at."""
    folder = edited(tmp_path, "you.seen: {}", "you.seen: {rhodos, koss}")
    with pytest.raises(RulesetError) as error:
        polis_rules.load(folder)
    (finding,) = error.value.diagnostics
    assert (finding.message, finding.suggestion) == ("there is no name `koss`", "kos")
    line = (folder / "ruleset.yaml").read_text("utf-8").split("\n")[finding.span.line - 1]  # type: ignore[union-attr]
    assert line[finding.span.column - 1 :].startswith("koss")  # type: ignore[union-attr]


def test_the_rulebook_says_whose_is_most() -> None:
    """Rather than how that is worked out."""
    text = page_of(read(REGATTA))
    assert [line for line in text.split("\n") if "Leader" in line] == [
        "- **Leader**: The sailor whose prizes is highest."
    ]


def test_a_star_in_a_title_is_no_emphasis_of_the_rulebook(tmp_path: Path) -> None:
    """Headings are words of the ruleset, in which Markdown means nothing."""
    text = page_of(read(edited(tmp_path, "title: Sail\n", "title: Sail *fast*\n")))
    assert [line for line in text.split("\n") if "fast" in line and line.startswith("#")] == [r"### Sail \*fast\*"]
