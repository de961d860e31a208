"""Several names in one decision: what is offered, refused, told and remembered, in a small board game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from support.editor import Editor, edited as renamed
from support.reading import page_of

import polis_rules
from polis_rules.cases import run_cases, write_case
from polis_rules.diagnostics import InvalidMove
from polis_rules.documentation.rulebook import read
from polis_rules.interpreter.compiler import compile_rules
from polis_rules.validation.validate import validate
from polis_rules.verification.differential import compare
from polis_rules.verification.perft import perft

CROSSING = Path(__file__).parent / "rulesets" / "crossing"
TEXT = (CROSSING / "ruleset.yaml").read_text("utf-8")
Board = dict[tuple[int, int], int]


def edited(tmp_path: Path, *edits: tuple[str, str]) -> Path:
    """The game with other words."""
    text = TEXT
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    folder = tmp_path / "crossing"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(text, "utf-8")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The game as it is."""
    return edited(tmp_path)


def moves(board: Board, player: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The moves of a player, by hand: cells are (column, row)."""
    ahead = 1 if player == 0 else -1
    for (column, row), owner in board.items():
        for aside in (-1, 0, 1) if owner == player else ():
            goal = (column + aside, row + ahead)
            if goal in board and (board[goal] == -1 or (aside and board[goal] == 1 - player)):
                yield (column, row), goal


def count(board: Board, player: int, depth: int) -> int:
    """How many ways of so many moves there are; a game that has ended before counts as one."""
    if depth == 0:
        return 1
    total = 0
    for origin, goal in moves(board, player):
        after = {**board, goal: player, origin: -1}
        over = goal[1] == (3 if player == 0 else 0) or 1 - player not in after.values()
        total += 1 if over else count(after, 1 - player, depth - 1)
    return total


def test_as_many_positions_follow_as_a_count_by_hand_says() -> None:
    """To depth 5, in the compiled engine, with all checks on."""
    board = {(column, row): 0 if row < 2 else 1 for column, row in product(range(4), range(4))}
    program = polis_rules.load(CROSSING).program(checks=True)
    for depth in range(1, 6):
        assert perft(program, program.new_state(), depth) == count(board, 0, depth)


def test_the_cases_hold_and_nothing_is_found() -> None:
    assert [str(case) for case in run_cases(CROSSING) if not case.passed] == []
    assert validate(CROSSING).findings == []


def test_a_name_may_be_chosen_from_what_a_route_leads_to(tmp_path: Path) -> None:
    """The route is searched before the members are gone through, in lines that the code has a place for."""
    beside = "near: {type: set of cell, is: '{c for c in cell if c.row == it.row}'}"
    road = "graphs: {road: {from: cell.near}}\nroutes: {walk: {over: [road], through: {cell: true}}}\nterms:\n"
    folder = edited(
        tmp_path,
        ("    for_each: [column, row]\n", f"    for_each: [column, row]\n    attributes:\n      {beside}\n"),
        ("\nterms:\n", f"\n{road}"),
        ("          goal: cell\n", "          goal: nth(cell, cheapest_route(walk, a_one, d_one) % 8 + 1).near\n"),
    )
    ruleset = polis_rules.load(folder)
    assert [ruleset.program(checks=checks).new_state() for checks in (True, False)]


def test_all_engines_agree() -> None:
    """Compiled as a whole or piece by piece, and in the reference engine, the same is offered and done."""
    assert compare((CROSSING, None, ()), games=10).difference is None
    whole, little = (polis_rules.load(CROSSING).program(compact=compact) for compact in (False, True))
    one, other, rng = whole.new_state(seed=1), little.new_state(seed=1), Random(1)
    while one[0] != whole.finished:
        assert whole.options(one) == little.options(other)
        option = rng.choice(whole.options(one))
        whole.apply(one, option)
        little.apply(other, option)


def test_an_option_is_told_by_all_that_it_chooses() -> None:
    """Its id and its title name a member for each name, and either may be said."""
    game = polis_rules.load(CROSSING).start()
    assert game.decision is not None
    options = {option.id: option.title for option in game.decision.options}
    assert len(options) == 6 and options["a_two b_three"] == "A, Two; B, Three"
    assert {option.refers_to for option in game.decision.options} == {None}
    game.apply("a_two b_three")
    assert game.log == (("decision", "white", "a_two b_three"),)
    again = polis_rules.load(CROSSING).start()
    again.replay(game.log)
    assert again.hash() == game.hash()
    game.undo()
    assert game.hash() != again.hash()


def test_a_refusal_says_which_part_fails() -> None:
    """A member that cannot be chosen is told with the name that it cannot be chosen as; else conditions are."""
    game = polis_rules.load(CROSSING).start()
    (refusal,) = game.why_not("c_three c_two")
    assert refusal.label == "it is not among what can be chosen as origin"
    (refusal,) = game.why_not("a_two a_three")
    assert refusal.label == "it must not be blocked"
    assert [each.label for each in game.why_not("A, Two; A, Three")] == ["it must not be blocked"]
    with pytest.raises(InvalidMove, match="did you mean 'a_two b_three'"):
        game.why_not("a_two b_thre")


def test_a_condition_says_something_of_all_names(tmp_path: Path) -> None:
    """It is asked as soon as the names are known that its sentence speaks of, too."""
    says = "yours: {if: origin.owner == you, says: '{origin} is not yours, to go to {goal}'}"
    folder = edited(
        tmp_path,
        ("          one_row_ahead:", f"          {says}\n          one_row_ahead:"),
        ('"{c for c in cell if c.owner == you}"', "cell"),
    )
    assert "A, Three is not yours, to go to A, Two" in [
        each.label for each in polis_rules.load(folder).start().why_not("a_three a_two")
    ]


@pytest.mark.parametrize("way", ["if_possible: true", "or: {wait: {title: Wait}}"])
def test_without_a_choice_all_names_are_none(tmp_path: Path, way: str) -> None:
    """So a check of one of them is one of the others, and without a check none of them is known."""
    asked = ("        title: Which move?\n", f"        title: Which move?\n        {way}\n")
    unchecked = validate(edited(tmp_path, asked)).findings
    assert {each.code for each in unchecked} == {"maybe-none"}
    text = (tmp_path / "crossing" / "ruleset.yaml").read_text("utf-8")
    head, _, tail = text.partition("      - set: {goal.owner: you")
    checked = f"{head}      - when: goal is none\n        do: stop\n      - set: {{goal.owner: you{tail}".replace(
        "        do: stop", "        end: taken"
    )
    (tmp_path / "crossing" / "ruleset.yaml").write_text(checked, "utf-8")
    assert [each.code for each in validate(tmp_path / "crossing").findings] == []
    game = polis_rules.load(tmp_path / "crossing").start()
    if "or" in way:
        game.apply("wait")
        assert game.result is not None and game.result.ended_by == "taken"


def test_each_condition_is_asked_as_soon_as_its_names_are_known(tmp_path: Path) -> None:
    """What a name is chosen from may rely on conditions of the names before it, wherever these stand."""
    folder = edited(
        tmp_path,
        (
            "          goal: cell\n        title",
            "          prey: origin.owner.rival\n          goal: cell\n        title",
        ),
        ('          origin: "{c for c in cell if c.owner == you}"', "          origin: cell"),
        ("          one_row_ahead:", "          yours: origin.owner == you\n          one_row_ahead:"),
    )
    text = (folder / "ruleset.yaml").read_text("utf-8")
    whole = text.replace("prey: origin.owner.rival", 'prey: "{origin.owner.rival}"')
    (folder / "ruleset.yaml").write_text(whole, "utf-8")
    assert [each.code for each in validate(folder).findings] == ["unused-name"]
    game = polis_rules.load(folder).start()
    assert game.decision is not None and len(game.decision.options) == 6
    (folder / "ruleset.yaml").write_text(whole.replace("yours: origin.owner == you", "yours: goal != origin"), "utf-8")
    assert "maybe-none" in {each.code for each in validate(folder).findings}


def test_another_choice_can_be_led_to_and_each_can_differ(tmp_path: Path) -> None:
    """`leads_to` names any of the names, `different` speaks of all, and `do` and `leaving` know them."""
    folder = edited(
        tmp_path,
        (
            "        title: Which move?\n        where:",
            "        title: Which move?\n        leads_to: guard\n        where:",
        ),
        (
            "      - set: {goal.owner: you",
            "      - choose: {guard: player, watched: column}\n"
            "        where: {not_there: watched != goal.column and guard == you}\n"
            "        do:\n          - set: {goal.owner: guard}\n"
            "        leaving: {it_is_yours: goal.owner == you and guard == you and watched != origin.column}\n"
            "      - set: {goal.owner: you",
        ),
    )
    assert [each.code for each in validate(folder).findings] == []
    assert compare((folder, None, ()), games=3).difference is None
    game = polis_rules.load(folder).start()
    game.apply("a_two b_three")
    assert game.decision is not None
    assert [option.id for option in game.decision.options] == ["white c", "white d"]
    assert [each.label for each in game.why_not("white a")] == ["afterwards: it is yours"]


def test_the_rulebook_tells_all_names() -> None:
    page = page_of(read(CROSSING))
    assert "Choose together a cell from the cells whose owner you are as the origin and a cell as the goal" in page


def test_too_many_combinations_are_refused(tmp_path: Path) -> None:
    folder = edited(
        tmp_path,
        ("          goal: cell\n", "".join(f"          {name}: cell\n" for name in ("goal", "n1", "n2", "n3", "n4"))),
    )
    assert "too-many-numbers" in {each.code for each in validate(folder).findings}


@pytest.mark.slow
def test_editors_know_the_names_before(editor: Editor, home: Path) -> None:
    """In what a name is chosen from those before it are completed; all are renamed wherever they stand."""
    path = home / "ruleset.yaml"
    for new, wanted, unwanted in (
        ('goal: "{c for c in cell if c.owner != origin.|}"', {"owner", "row"}, {"rival"}),
        ("goal: or|", {"origin"}, {"goal"}),
    ):
        found = editor.completions(path, "goal: cell", new)
        assert wanted <= found and not unwanted & found, (new, found)
    editor.type(path, TEXT)
    (changed,) = renamed(editor.at("rename", path, TEXT, "ori|gin:", newName="start")).values()
    assert "origin" not in changed and changed.count("start") == TEXT.count("origin") + TEXT.count("start")


def test_what_names_are_chosen_from_is_not_gathered_before(tmp_path: Path) -> None:
    """Sets are gone through as they are asked about: what a set asks of its members, members that a table gives."""
    near = "near: {type: set of cell, is: '{c for c in cell if abs(order(c.row) - order(it.row)) == 1}'}"
    folder = edited(
        tmp_path,
        ("    for_each: [column, row]\n", f"    for_each: [column, row]\n    attributes:\n      {near}\n"),
        ("          goal: cell\n", "          goal: origin.near\n"),
    )
    program, plain = polis_rules.load(folder).program(), polis_rules.load(CROSSING).program()
    assert perft(program, program.new_state(), 4) == perft(plain, plain.new_state(), 4)
    code = "".join(part.source for part in compile_rules(polis_rules.load(folder).rules()).parts)
    assert "for v_goal" in code and "[i for i in" not in code


def test_variants_find_the_step_by_each_name(tmp_path: Path) -> None:
    """A path goes on from either name to the keys of the step, and steps are put in beside it."""
    path = tmp_path / "wide.yaml"
    path.write_text(
        "variant: wide\ntitle: Wide\nextends: crossing\nwhy: to try\nchange:\n"
        "  procedures.move_a_piece.do.origin.where.not_far_aside:\n"
        "    {was: 'steps_aside(origin, goal) <= 1', to: 'steps_aside(origin, goal) <= 2'}\n"
        "  procedures.move_a_piece.do.goal.choose.goal: {was: cell, to: '{c for c in cell if c != origin}'}\n"
        "insert:\n  procedures.move_a_piece: {before: goal, do: [{let: {taken: goals_of(you)}}]}\n"
        "add:\n  terms.goals_of: {of: {who: player}, is: count(c for c in cell if c.row == who.goal)}\n"
        "  procedures.move_a_piece.do.goal.where.there_are_goals: taken > 0\n",
        "utf-8",
    )
    assert validate(CROSSING, variants=[path]).findings == []
    game = polis_rules.load(CROSSING, variants=[path]).start()
    assert [each.label for each in game.why_not("a_two c_three")] == ["it must not be blocked"]


def test_a_moment_can_be_written_as_a_case(tmp_path: Path) -> None:
    ruleset = polis_rules.load(CROSSING)
    game = ruleset.start(seed=1)
    for option in ("a_two b_three", "c_four b_three", "a_one a_two"):
        game.apply(option)
    write_case(ruleset, game, "so_far", tmp_path / "cases.yaml", last=1)
    assert [each.passed for each in run_cases(CROSSING, file=tmp_path / "cases.yaml")] == [True]
