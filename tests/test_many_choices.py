"""Choices of several members at once: sets, whatever the order, and nothing that leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from support.reading import page_of

import polis_rules
from polis_rules.cases import run_cases, write_case
from polis_rules.diagnostics import RuleError
from polis_rules.documentation.rulebook import read
from polis_rules.validation.validate import validate
from polis_rules.verification.coverage import cover
from polis_rules.verification.differential import compare

PASSING = Path(__file__).parent / "rulesets" / "passing"
CREW = """\
format: 2
ruleset: crew
title: Crew
scenario: {scenario: standard, title: One}
kinds:
  player: {title: Player, state: {taken: {type: set of sailor, title: crew}}}
  sailor:
    title: Sailor
    attributes: {strength: 1..9, home: port}
  port: {title: Port}
tables:
  player: {ann: {title: Ann}, bob: {title: Bob}}
  port: {delos: {title: Delos}, samos: {title: Samos}}
  sailor:
    ada: {title: Ada, strength: 1, home: delos}
    ben: {title: Ben, strength: 2, home: delos}
    cid: {title: Cid, strength: 3, home: delos}
    dan: {title: Dan, strength: 4, home: samos}
    eve: {title: Eve, strength: 5, home: samos}
    flo: {title: Flo, strength: 6, home: samos}
phases:
  game:
    - each: you
      in: player
      do:
        - choose: crew
          title: Who comes along ({len(crew)} so far)?
          from: sailor
          MANY
        - set: {you.taken: crew}
    - end: all_sail
endings: {all_sail: {title: All sail}}
score:
  terms: {strength: sum(s.strength for s in who.taken)}
  tie_break: {delos: count(s for s in who.taken if s.home == delos)}
"""
STRENGTH = {"ada": 1, "ben": 2, "cid": 3, "dan": 4, "eve": 5, "flo": 6}
SAILORS = list(STRENGTH)


def crew(tmp_path: Path, *lines: str) -> Path:
    """A small game whose one choice is written so."""
    folder = tmp_path / "crew"
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(CREW.replace("MANY", "\n          ".join(lines)), "utf-8")
    return folder


def ways(game: polis_rules.Game, so_far: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every way to answer the first player's choice."""
    if game.decision is None or game.decision.player != "ann":
        yield so_far
        return
    assert game.decision.options
    for option in game.decision.options:
        game.apply(option)
        yield from ways(game, so_far if option.id == "finish" else (*so_far, option.id))
        game.undo()


def split_home(members: tuple[str, ...]) -> bool:
    """Whether no two neighbours in table order come from one port, as a condition below asks."""
    return all((SAILORS.index(one) < 3) != (SAILORS.index(other) < 3) for one, other in combinations(members, 2))


@pytest.mark.parametrize(
    ("lines", "least", "most", "wanted"),
    [
        (("many: 2",), 2, 2, lambda members: True),
        (("many: 1..3", "finish: Enough"), 1, 3, lambda members: True),
        (("many: 0..", "finish: Enough"), 0, 6, lambda members: True),
        (("many: 6",), 6, 6, lambda members: True),
        (("many: 3", "where: {strong: it.strength > 2}"), 3, 3, lambda members: all(STRENGTH[m] > 2 for m in members)),
        (("many: 2", "where: {not_from_one_port: not any(s.home == it.home for s in crew)}"), 2, 2, split_home),
        (
            ("many: 2..4", "finish: Enough", "where: {light: it.strength + sum(s.strength for s in crew) <= 9}"),
            2,
            4,
            lambda members: sum(STRENGTH[m] for m in members) <= 9,
        ),
        (
            ("many: 3..4", "finish: Enough", "where: {light: it.strength + sum(s.strength for s in crew) <= 8}"),
            3,
            4,
            lambda members: sum(STRENGTH[m] for m in members) <= 8,
        ),
    ],
)
def test_each_set_can_be_chosen_in_one_way(
    tmp_path: Path, lines: tuple[str, ...], least: int, most: int, wanted: object
) -> None:
    """Exactly the sets of so many members that meet the conditions, each once; whoever begins can always go on."""
    folder = crew(tmp_path, *lines)
    assert [each.code for each in validate(folder).findings] == []
    found = list(ways(polis_rules.load(folder).start()))
    sets = [each for size in range(least, most + 1) for each in combinations(SAILORS, size)]
    assert sorted(found) == sorted(each for each in sets if wanted(each))  # type: ignore[operator]
    assert compare((folder, None, ()), games=4).difference is None


def test_too_few_are_an_error_or_none(tmp_path: Path) -> None:
    """Like any choice without an option; with `if_possible` the set is empty and nobody is asked."""
    strict = "where: {strong: it.strength > 4}"
    with pytest.raises(RuleError):
        polis_rules.load(crew(tmp_path, "many: 3", strict)).start()
    for where in (strict, "where: {light: it.strength + sum(s.strength for s in crew) < 6}"):
        game = polis_rules.load(crew(tmp_path, "many: 3", where, "if_possible: true")).start()
        assert game.result is not None and game.result.scores["ann"]["total"] == 0
        assert compare((tmp_path / "crew", None, ()), games=2).difference is None


def test_refusals_say_what_fails(tmp_path: Path) -> None:
    """What the author asks with its values, and what follows from choosing several."""
    folder = crew(
        tmp_path, "many: 2..3", "finish: Enough", "where: {light: it.strength + sum(s.strength for s in crew) < 8}"
    )
    game = polis_rules.load(folder).start()
    assert [each.label for each in game.why_not("flo")] == ["enough others must be left"]
    game.apply("cid")
    assert game.decision is not None and game.decision.prompt == "Who comes along (1 so far)?"
    assert [option.id for option in game.decision.options] == ["dan"]
    assert [each.label for each in game.why_not("ada")] == ["members are chosen in table order"]
    (refusal,) = game.why_not("eve")
    assert refusal.label == "light" and [*refusal.values.values()] == ["8"]
    game.apply("dan")
    assert game.decision.player == "bob"


def test_conditions_say_something_of_each_that_is_asked_about(tmp_path: Path) -> None:
    says = 'says: "{it} has only {it.strength}, beside {len(crew)} others"'
    game = polis_rules.load(crew(tmp_path, "many: 2", f"where: {{strong: {{if: it.strength > 2, {says}}}}}")).start()
    assert [each.label for each in game.why_not("ada")] == ["Ada has only 1, beside 0 others"]


def test_how_many_may_be_a_setting(tmp_path: Path) -> None:
    """As everything that is settled before play; also after how many rounds a repeat may be left."""
    folder = crew(tmp_path, "many: least..least + 1", "finish: Enough")
    path = folder / "ruleset.yaml"
    path.write_text(
        path.read_text("utf-8").replace("kinds:", "settings: {least: {type: 0..3, start: 2}}\nkinds:", 1), "utf-8"
    )
    assert [each.code for each in validate(folder).findings] == []
    for least in (0, 2):
        found = list(ways(polis_rules.load(folder, settings={"least": least}).start()))
        assert {len(each) for each in found} == {least, least + 1}


def test_conditions_are_counted_once_and_what_nobody_wrote_is_not(tmp_path: Path) -> None:
    folder = crew(tmp_path, "many: 1..2", "finish: Enough", "where: {strong: it.strength > 2}")
    counts = cover(folder, games=10).counts
    assert [each.label for each in counts if each.what == "requirement"] == ["strong"]
    assert all(each.standing == "met" for each in counts if each.what == "requirement")


def test_a_game_of_cards_passes_three_on() -> None:
    """Its cases hold, nothing is found, and the rulebook says how many of what are chosen."""
    assert [str(case) for case in run_cases(PASSING) if not case.passed] == []
    assert validate(PASSING).findings == []
    assert compare((PASSING, None, ()), games=3).difference is None
    page = page_of(read(PASSING))
    assert "Choose 3 of your hand as the gift ('Which cards do you pass on?')" in page
    assert "whose suit is not that card's suit" in page


def test_random_games_of_cards_keep_all_cards() -> None:
    for seed in range(5):
        game, rng = polis_rules.load(PASSING).start(seed=seed), Random(seed)
        while game.decision is not None:
            game.apply(rng.choice(game.decision.options))
        assert game.result is not None
        points = [scores["total"] for scores in game.result.scores.values()]
        assert sum(points) == -20 and points[0] == points[2] and points[1] == points[3]


def test_looking_ahead_has_a_limit(tmp_path: Path) -> None:
    """Conditions that speak of those chosen so far are asked of all combinations, so there may not be too many."""
    folder = crew(tmp_path, "many: 5", "where: {light: it.strength + len(crew) < 10}")
    assert [each.code for each in validate(folder).findings] == []
    path = folder / "ruleset.yaml"
    more = "".join(f"    more_{n}: {{title: More {n}, strength: 1, home: delos}}\n" for n in range(20))
    path.write_text(path.read_text("utf-8").replace("phases:\n", f"{more}phases:\n"), "utf-8")
    assert [each.code for each in validate(folder).findings] == ["too-much-work"]
    path.write_text(path.read_text("utf-8").replace("it.strength + len(crew) < 10", "it.strength < 4"), "utf-8")
    assert [each.code for each in validate(folder).findings] == []


def test_variants_change_how_many(tmp_path: Path) -> None:
    """The step is found by the name of what is chosen, and what a variant says of it is told."""
    path = tmp_path / "fewer.yaml"
    path.write_text(
        "variant: fewer\ntitle: Fewer\nextends: passing\nwhy: to try\n"
        "change: {procedures.pass_cards_on.do.gift.many: {was: 3, to: 1..2}}\n"
        "add: {procedures.pass_cards_on.do.gift.finish: Enough}\n",
        "utf-8",
    )
    assert validate(PASSING, variants=[path]).findings == []
    page = page_of(read(PASSING, variants=[path]))
    assert "Choose 1 to 2 of your hand as the gift" in page


def test_a_moment_between_two_of_them_can_be_written_as_a_case(tmp_path: Path) -> None:
    """What was chosen so far is not state, so it is chosen once more."""
    folder = crew(tmp_path, "many: 3")
    ruleset = polis_rules.load(folder)
    game = ruleset.start(seed=1)
    for option in ("ada", "cid"):
        game.apply(option)
    write_case(ruleset, game, "the_third", tmp_path / "cases.yaml", last=1)
    assert [each.passed for each in run_cases(folder, file=tmp_path / "cases.yaml")] == [True]


def test_it_is_told_where_there_may_be_too_few(tmp_path: Path) -> None:
    """Unless something before asks for members, none need be chosen, or it says `if_possible`."""
    lines = ("many: 2", "where: {not_taken: not any(it in p.taken for p in player)}")
    assert [each.code for each in validate(crew(tmp_path, *lines)).findings] == ["no-option"]
    assert validate(crew(tmp_path, *lines, "if_possible: true")).findings == []
    assert validate(crew(tmp_path, "many: 0..2", "finish: Enough", *lines[1:])).findings == []
