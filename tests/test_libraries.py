"""Libraries: what a ruleset makes of the rules that it uses, how its tools tell of them, and how editors know them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.editor import Editor, edited
from support.reading import page_of

import polis_rules
from polis_rules.composition import check_is_game, compose, find, needs_of, take_snapshot
from polis_rules.diagnostics import Diagnostics, RulesetError
from polis_rules.documentation.rulebook import read
from polis_rules.source import entries_at, node_at, read_text
from polis_rules.validation.validate import validate
from polis_rules.verification.coverage import cover
from polis_rules.verification.mutation import MutationTest

HERE = Path(__file__).parent
FAIR, AGORA = HERE / "errors" / "sound" / "fair", HERE / "rulesets" / "agora"
SHELF = HERE.parent / "rulesets" / "libraries"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A copy of the fair."""
    return Path(shutil.copytree(FAIR, tmp_path / "fair"))


@pytest.fixture
def library(home: Path) -> Path:
    return home / "libraries" / "raffle" / "library.yaml"


def findings(folder: Path) -> list[str]:
    return [f"{each.span}: {each.message}" for each in validate(folder).findings]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    path.write_text(text.replace(old, new), "utf-8")


def test_what_a_use_needs_may_stand_in_a_file_that_cannot_be_read(home: Path) -> None:
    """Only the file that is no YAML is reported, not the uses of what it may declare."""
    (file,) = [each for each in home.glob("*.yaml") if "blue_tickets:" in each.read_text("utf-8")]
    file.write_text(f"{file.read_text('utf-8')}\nterms: {{\n", "utf-8")
    assert [each.code for each in validate(home).findings] == ["malformed-yaml"]


# -- what is made of it ---------------------------------------------------------------------------------------------


def test_names_of_a_library_begin_with_that_of_its_use() -> None:
    """Kinds, state and terms that it needs are those of the ruleset; local names stay."""
    tree = compose(FAIR).tree
    for use, kind, purse in (("toys", "toy", "blue_tickets"), ("sweets", "sweet", "red_tickets")):
        rule = node_at(tree, "procedures", f"{use}_draw_for")
        assert node_at(rule, "of", "thing") == kind
        assert node_at(rule, "do", 0, "where") == f"lucky.{purse} >= {use}_price(thing)"
        assert [*node_at(rule, "do", 1, "then", 0, "pay").entries] == [purse]  # type: ignore[union-attr]
        assert node_at(tree, "state", f"{use}_winner_of", "per") == kind
        assert node_at(tree, "state", f"{use}_drawn", "type") == f"list of {kind}"
    assert node_at(tree, "terms", "sweets_price", "is") == "1"


def test_places_are_those_of_the_library_and_of_the_use() -> None:
    """What a need stands for has its place in `uses`, everything else in the library's file."""
    condition = node_at(compose(FAIR).tree, "procedures", "toys_draw_for", "do", 0, "where")
    begin = condition.index("blue_tickets")  # type: ignore[union-attr]
    places = [str(condition.place(at, at + 1)) for at in (0, begin, begin + 13)]  # type: ignore[union-attr]
    assert [each.rpartition(":")[0] for each in places] == [
        "fair/libraries/raffle/library.yaml:24",
        "fair/ruleset.yaml:11",
        "fair/libraries/raffle/library.yaml:24",
    ]


def test_a_library_may_use_another_one(home: Path) -> None:
    """Names begin with both uses, and needs are handed on."""
    club = home / "libraries" / "club" / "library.yaml"
    club.parent.mkdir()
    club.write_text(
        "format: 2\nlibrary: club\ntitle: Club\ngrade: house\n"
        "needs:\n  gift: kind\n  money: {state: player, type: number, spendable: true}\n  many: number\n"
        "  fee: {of: {item: gift}, is: number}\n"
        "uses:\n  draws: {library: raffle, prize: gift, tickets: money, price: fee, most: many}\n"
        "procedures:\n  give_all:\n    do:\n      - each: present\n        in: gift\n        do:\n"
        "          - do: draws_draw_for(present)\n",
        "utf-8",
    )
    manifest = home / "ruleset.yaml"
    change(manifest, "kinds:\n", "  friends: {library: club, gift: toy, money: red_tickets, many: 3, fee: 1}\nkinds:\n")
    change(manifest, "    - end: evening\n", "    - friends_give_all\n    - end: evening\n")
    tree = compose(home).tree
    rule = node_at(tree, "procedures", "friends_draws_draw_for")
    assert node_at(rule, "do", 0, "where") == "lucky.red_tickets >= friends_draws_price(thing)"
    assert node_at(tree, "terms", "friends_draws_price", "is") == "friends_fee(thing)"
    assert node_at(tree, "state", "friends_draws_drawn", "at_most") == "3"
    assert findings(home) == []
    assert polis_rules.load(home).program().playout


def test_a_need_may_be_called_as_what_goes_over_members(home: Path, library: Path) -> None:
    """`most` before brackets with a `for` is the word of the language, elsewhere the number that is needed."""
    give = "most(max(p.tickets, most) for p in player, tie=most(0 - p.tickets for p in player))"
    change(library, "          - give: lucky\n", f"          - give: {give}\n")
    rule = node_at(compose(home).tree, "procedures", "toys_draw_for", "do", 1, "then", 2)
    blue = give.replace("tickets", "blue_tickets").replace(", most", ", 3")
    assert node_at(rule, "give") == blue
    assert findings(home) == []


def test_settings_reach_a_library(home: Path) -> None:
    """A plain number that it needs may be made of settings."""
    manifest = home / "ruleset.yaml"
    change(manifest, "    price: 1\n    most: 3\n", "    price: 1\n    most: days * 2\n")
    change(manifest, "kinds:\n", "settings: {days: {type: 2..4, start: 2}}\nkinds:\n")
    assert findings(home) == []
    assert node_at(compose(home).tree, "state", "sweets_drawn", "at_most") == "4"


def test_an_edition_has_what_its_base_uses_and_may_change_it(home: Path) -> None:
    other = home.parent / "dear_fair"
    other.mkdir()
    (other / "ruleset.yaml").write_text(
        "format: 2\nruleset: dear_fair\ntitle: Dear fair\nextends: fair\n"
        "change:\n  terms.sweets_price.is: {was: 1, to: 2}\n"
        "extend:\n  terms.toys_price.is: base + 1\n"
        "insert:\n  procedures.toys_draw_for: {before: lucky, do: [{gain: {blue_tickets: 1}, who: ann}]}\n",
        "utf-8",
    )
    tree = compose(other).tree
    assert node_at(tree, "terms", "toys_price", "is") == "thing.worth + 1"
    assert node_at(tree, "terms", "sweets_price", "is") == "2"
    assert [each for each in findings(other) if "error" in each] == []


def test_what_is_compiled_depends_on_libraries_that_lie_elsewhere(tmp_path: Path) -> None:
    """The key of what is kept is another one when such a library is edited."""
    shelf, game = tmp_path / "libraries" / "turn_order", tmp_path / "race"
    shutil.copytree(SHELF / "turn_order", shelf)
    shutil.copytree(SHELF / "turn_order" / "example", game)
    change(game / "ruleset.yaml", "ruleset: example", "ruleset: race")
    before = take_snapshot(game).key
    change(shelf / "library.yaml", "by: rank(it)", "by: 0 - rank(it)")
    assert take_snapshot(game).key != before


def tower(home: Path, floors: int, needs: str, uses: str, rest: str) -> None:
    """Lay libraries beside one another, each of which uses the next one."""
    for floor in range(floors):
        place = home / "libraries" / f"floor_{floor}"
        place.mkdir()
        more = f"uses:\n{uses.replace('NEXT', f'floor_{floor + 1}')}" if floor < floors - 1 else rest
        text = f"format: 2\nlibrary: floor_{floor}\ntitle: F\ngrade: house\nneeds: {{{needs}}}\n{more}"
        (place / "library.yaml").write_text(text, "utf-8")


def test_libraries_in_libraries_do_not_grow_without_end(home: Path) -> None:
    """Neither does their number double from floor to floor, nor does what they are told."""
    tower(home, 40, "", "  one: NEXT\n  two: NEXT\n", "terms: {idle: {is: 1}}\n")
    manifest = home / "ruleset.yaml"
    change(manifest, "kinds:\n", "  tower: floor_0\nkinds:\n")
    assert any("used more than 64 times" in each for each in findings(home))
    shutil.rmtree(home / "libraries")
    (home / "libraries").mkdir()
    shutil.copytree(FAIR / "libraries" / "raffle", home / "libraries" / "raffle")
    tower(home, 30, "n: number", "  one: {library: NEXT, n: n + n + n}\n", "terms: {idle: {is: n + n}}\n")
    change(manifest, "  tower: floor_0\n", "  tower: {library: floor_0, n: 1}\n")
    assert any("this expression is too long" in each for each in findings(home))


def test_a_library_that_is_a_link_to_elsewhere_is_none(home: Path, library: Path, tmp_path: Path) -> None:
    shutil.move(library, tmp_path / "outside.yaml")
    library.symlink_to(tmp_path / "outside.yaml")
    assert any("there is no library 'raffle'" in each for each in findings(home))


# -- what is found --------------------------------------------------------------------------------------------------


def test_findings_speak_the_words_of_the_library(home: Path, library: Path) -> None:
    """An error of a library is told once, however often it is used, with the names that stand in its file."""
    change(library, "drawn: drawn + [thing]", "drawn: drawn + [things]")
    change(library, "            who: lucky\n", "            who: winner_of\n")
    found = validate(home).findings
    assert [each.message for each in found] == ["`winner_of` is kept per toy", "there is no name `things`"] or [
        each.message.replace("sweet", "toy") for each in found
    ][:1] == ["`winner_of` is kept per toy"]
    assert all("toys_" not in each.message and "toys_" not in (each.suggestion or "") for each in found)


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("lucky.tickets >=", "lucky.toys_won < 3 and lucky.tickets >=", "toys_won"),
        ("price(thing)\n        if_possible", "price(thing) and ball not in lucky.seen\n        if_possible", "ball"),
        ("              drawn: drawn", "              lucky.toys_won: 1\n              drawn: drawn", "toys_won"),
    ],
)
def test_a_library_names_nothing_of_the_game(home: Path, library: Path, old: str, new: str, name: str) -> None:
    """What it does not need is refused where the library names it."""
    change(library, old, new)
    told = f"'{name}' is a name of the ruleset, of which a library knows only what it needs"
    found = [each for each in findings(home) if told in each]
    assert len(found) == 1 and found[0].startswith("fair/libraries/raffle/library.yaml:"), findings(home)


def test_a_library_may_need_state_for_each_member_and_what_may_be_none(home: Path, library: Path) -> None:
    """The indexes and the type must be those that it needs, in the words of the ruleset."""
    needs = """needs:
  entries: {state: player, type: number, per: prize}
  banned: {state: game, type: player or none}
"""
    change(library, "needs:\n", needs)
    change(library, "lucky.tickets >= price(thing)", "lucky.entries[thing] > 0 and lucky != banned")
    manifest = home / "ruleset.yaml"
    states = """    state:
      for_toys: {per: {kept: toy}, type: 0..3, start: 1}
      for_sweets: {per: sweet, type: 0..2, start: 1}
      blue"""
    change(manifest, "    state:\n      blue", states)
    change(manifest, "kinds:\n", "state: {out: player or none}\nkinds:\n")
    change(manifest, "price: thing.worth", "price: thing.worth\n    entries: for_toys\n    banned: out")
    change(manifest, "price: 1\n", "price: 1\n    entries: for_sweets\n    banned: out\n")
    assert [each for each in validate(home).findings if each.severity == "error"] == []
    change(manifest, "entries: for_sweets", "entries: for_toys")
    (found,) = [each for each in validate(home).findings if each.severity == "error"]
    wanted = "'entries' is state of player for each sweet of the type number, which 'for_toys' is not"
    assert found.message == wanted and found.hint == "that would be for_sweets"


def test_warnings_of_libraries_are_for_their_authors(tmp_path: Path, home: Path, library: Path) -> None:
    """What no use needs is told where the library lies inside the ruleset or is looked at by itself, not elsewhere."""
    change(library, "procedures:\n", "terms:\n  idle: {is: 1}\nprocedures:\n")
    assert [each.partition(": ")[2] for each in findings(home)] == ["nothing uses the term `idle`"]
    shutil.move(home / "libraries", tmp_path / "libraries")
    assert findings(home) == []


def test_a_library_is_looked_at_through_its_example(tmp_path: Path) -> None:
    """By the name of a shipped one, its folder or its file; one without an example is no ruleset."""
    for name in ("turn_order", SHELF / "turn_order", SHELF / "turn_order" / "library.yaml"):
        assert find(name) == SHELF / "turn_order" / "example"
    shelf = shutil.copytree(SHELF / "turn_order", tmp_path / "turn_order")
    shutil.rmtree(shelf / "example")
    with pytest.raises(RulesetError, match="is a library, not a ruleset"):
        find(shelf)


def test_nobody_plays_a_library() -> None:
    with pytest.raises(RulesetError, match=r"is a library, not a game(.|\n)*turn_order/example"):
        check_is_game("turn_order")
    check_is_game("yucata")


# -- how tools tell of it -------------------------------------------------------------------------------------------


def test_the_rulebook_tells_each_use() -> None:
    page = page_of(read(AGORA))
    assert "### Trade auction" in page and "### Election auction" in page
    assert "a number from 0 to your favour" in page and "a number from 0 to your coins" in page


def test_coverage_and_mutation_leave_libraries_that_lie_elsewhere_to_their_examples() -> None:
    assert {count.span.file.partition("/")[0] for count in cover(str(AGORA), 2).counts} == {"agora"}
    assert {each.span.file.partition("/")[0] for each in MutationTest(str(AGORA), games=0).mutants()} == {"agora"}
    own = {each.span.file for each in MutationTest("turn_order", games=0).mutants()}
    assert own == {"example/ruleset.yaml", "turn_order/library.yaml"}


# -- editors --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_uses_are_completed(editor: Editor, home: Path) -> None:
    """Libraries, what they need, what may stand for that, and what they offer."""
    for old, new, wanted in (
        ("    library: raffle\n    prize: toy", "    library: |\n    prize: toy", {"raffle", "turn_order"}),
        ("    price: 1\n", "    |: 1\n", {"price"}),
        ("    prize: toy\n", "    prize: |\n", {"toy", "sweet"}),
        ("    tickets: red_tickets\n", "    tickets: |\n", {"red_tickets", "blue_tickets"}),
        ("    price: thing.worth\n", "    price: thing.|\n", {"worth"}),
        ("- do: sweets_draw_for(treat)", "- do: swe|", {"sweets_draw_for"}),
        ("len(toys_drawn)", "len(to|)", {"toys_drawn"}),
    ):
        found = editor.completions(home / "ruleset.yaml", old, new)
        assert wanted <= found, (new, found)


@pytest.mark.slow
def test_editors_find_the_way_between_a_use_and_its_library(editor: Editor, home: Path, library: Path) -> None:
    """Definitions lie in the library's file; a need leads back to `uses`; hovering says what is needed."""
    path = home / "ruleset.yaml"
    text, below = path.read_text("utf-8"), library.read_text("utf-8")
    editor.open(path)
    editor.open(library)
    assert editor.findings(path) + editor.findings(library) == []
    for mark in ("sweets_draw_|for(treat)", "toys_draw_|for(present)", "library: raf|fle\n    prize: toy"):
        assert [each["uri"] for each in editor.at("definition", path, text, mark)] == [library.as_uri()], mark
    there = editor.at("definition", library, below, "lucky.tickets >= pri|ce(thing)")
    assert path.as_uri() in [each["uri"] for each in there]
    told = editor.at("hover", path, text, "library: raf|fle\n    prize: toy")["contents"]["value"]
    assert "**Raffle**" in told and "`price`: an expression of the type number, which may ask thing (prize)" in told
    assert "worth" in editor.at("hover", path, text, "    pri|ce: thing")["contents"]["value"]


@pytest.mark.slow
def test_renaming_reaches_uses_and_leaves_libraries_alone(editor: Editor, home: Path, library: Path) -> None:
    path = home / "ruleset.yaml"
    text = path.read_text("utf-8")
    editor.open(path)
    changed = edited(editor.at("rename", path, text, "blue_tick|ets: {type", newName="green_tickets"))
    assert "    tickets: green_tickets\n" in changed[path] and [*changed] == [path]
    changed = edited(editor.at("rename", path, text, "  to|y:\n    attributes", newName="plaything"))
    assert "    prize: plaything\n" in changed[path] and [*changed] == [path]
    for mark in ("sweets_draw_|for(treat)", "len(toys_dra|wn)"):
        line, column = place(text, mark)
        asked = {
            "textDocument": {"uri": path.as_uri()},
            "position": {"line": line, "character": column},
            "newName": "x",
        }
        assert "belongs to a library" in editor.response("textDocument/rename", asked)["error"]["message"]


def place(text: str, mark: str) -> tuple[int, int]:
    at = text.index(mark.replace("|", "")) + mark.index("|")
    return text[:at].count("\n"), at - text.rfind("\n", 0, at) - 1


@pytest.mark.slow
def test_names_in_a_library_are_completed_in_its_own_words(editor: Editor, library: Path) -> None:
    for old, new, wanted, unwanted in (
        (
            "        from: player\n",
            "        from: |\n",
            {"player", "prize", "winner_of"},
            {"toy", "toys_winner_of"},
        ),
        ("lucky.tickets >=", "lucky.| >=", {"tickets"}, {"blue_tickets"}),
        ("price(thing)\n        if_possible", "p|\n        if_possible", {"price", "drawn"}, {"toys_price"}),
        ("type: list of prize, at_most", "type: list of p|, at_most", {"prize", "player"}, {"sweet"}),
        ("  prize: kind\n", "  prize: |\n", {"kind", "number"}, set()),
        ("  price: {of: {thing: prize}, is: number}", "  price: {of: {thing: prize}, |}", {"is", "state"}, set()),
    ):
        found = editor.completions(library, old, new)
        assert wanted <= found and not unwanted & found, (new, found)


def test_the_language_page_uses_a_shipped_library_as_it_asks() -> None:
    """What the example says is exactly what the library needs."""
    page = (Path(__file__).parents[1] / "docs" / "language.md").read_text("utf-8")
    example = page[page.index("uses:\n  sale:") :].partition("```")[0]
    tree = read_text(example, "page", Diagnostics())
    said = {str(key): str(value) for key, value in entries_at(tree, "uses", "sale").items()} if tree else {}
    needed = needs_of(said.pop("library"), find("yucata"))
    assert needed and said.keys() == needed.keys()


GALLERY = """\
format: 2
ruleset: gallery
title: Gallery
scenario: {scenario: standard, title: Three paintings}
kinds:
  player: {state: {coins: {type: 0..9, start: 6, title: coins}, laid_down: {type: 0..9, title: coins laid down}}}
  painting:
    attributes: {price: 1..5, reserved: {type: flag, default: false}}
    state: {owner: {type: player or none, title: owner}}
tables:
  player: {ann: {title: Ann}, bea: {title: Bea}, cid: {title: Cid}}
  painting:
    ship: {title: Ship, price: 1}
    horse: {title: Horse, price: 2}
    king: {title: King, price: 4, reserved: true}
endings: {evening: {title: Evening}}
score: {terms: {paintings: count(p for p in painting if p.owner == who), coins: who.coins}}
"""


def test_the_page_of_an_auction_has_an_example_that_another_game_can_use_as_it_stands(tmp_path: Path) -> None:
    """A first bid is made by the game: it beats what lies there, and what is safe is not outbid."""
    page = (SHELF / "moving_bids" / "README.md").read_text("utf-8")
    example = page.partition("```yaml\n")[2].partition("```\n")[0]
    home = tmp_path / "gallery"
    home.mkdir()
    whole = GALLERY + example.replace("phases:\n", "phases:\n  game: [buy, {end: evening}]\n", 1)
    (home / "ruleset.yaml").write_text(whole, "utf-8")
    assert findings(home) == []
    game = polis_rules.load(home).start(seed=1)
    for choice in ("king", "4", "ship"):
        game.apply(choice)
    assert [option.id for option in game.decision.options] == ["1", "2", "3", "4", "5", "6"]
    game.apply("3")
    assert [refusal.label for refusal in game.why_not("king")] == ["nobody can be outbid there"]
    game.apply("ship")
    assert [option.id for option in game.decision.options] == ["4", "5", "6"]
