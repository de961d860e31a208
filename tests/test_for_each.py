"""A kind may have one member for each combination of others, which nobody has to write."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.reading import page_of
from support.small_ruleset import MANIFEST, SCENARIO

import polis_rules
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.documentation.rulebook import read, sentence

CARDS = """
kinds:
  player: {}
  suit: {}
  rank:
    attributes: {value: 1..9}
  card:
    for_each: [suit, rank]
    state: {taken: flag}
tables:
  player: {ann: {}, ben: {}}
  suit: {clubs: {}, hearts: {title: Red hearts}}
  rank: {ace: {value: 9}, two: {value: 2}, ten: {value: 8}}
"""

PLAY = """
phases:
  game:
    - choose: picked
      from: card
      who: ann
      where: picked.suit == hearts and picked.rank.value > 2
      do:
        - set: {picked.taken: true}
    - end: done
endings: {done: {}}
score:
  terms: {cards: count(c for c in card if c.taken)}
"""


def load(folder: Path, things: str) -> polis_rules.Ruleset:
    (folder / "scenarios").mkdir(parents=True)
    for name, text in (
        ("ruleset", MANIFEST), ("scenarios/standard", SCENARIO), ("things", things), ("play", PLAY),
    ):  # fmt: skip
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return polis_rules.load(folder)


def first_error(folder: Path, things: str) -> str:
    with pytest.raises(RulesetError) as caught:
        load(folder, things)
    return str(caught.value)


def test_there_is_one_member_for_each_combination(tmp_path: Path) -> None:
    """They come in the order of the tables, the first kind slowest, with names and titles made of their parts."""
    kind = load(tmp_path / "small", CARDS).rules().symbols.kinds["card"]
    assert kind.members == ("clubs_ace", "clubs_two", "clubs_ten", "hearts_ace", "hearts_two", "hearts_ten")
    assert kind.titles[3:] == ("Red hearts, Ace", "Red hearts, Two", "Red hearts, Ten")


def test_the_parts_are_attributes(tmp_path: Path) -> None:
    """Rules read them as any other attribute."""
    game = load(tmp_path / "small", CARDS).start()
    assert game.decision is not None
    assert [option.id for option in game.decision.options] == ["hearts_ace", "hearts_ten"]


def test_the_parts_can_be_named(tmp_path: Path) -> None:
    """A mapping names the attributes, so one kind may be combined with itself; combinations can be combined."""
    things = CARDS.replace("tables:", "  pair: {for_each: {left: card, right: card}}\ntables:", 1)
    kind = load(tmp_path / "small", things).rules().symbols.kinds["pair"]
    assert len(kind.members) == 36
    assert kind.members[1] == "clubs_ace_clubs_two"
    assert set(kind.attributes) == {"left", "right"}


def test_it_is_explained_as_it_is_written(tmp_path: Path) -> None:
    """The rulebook and explanations say what is combined, and list no rows that nobody wrote."""
    load(tmp_path / "small", CARDS)
    book = read(tmp_path / "small")
    assert "one for each combination of a suit and a rank" in sentence(book, "kinds.card")
    page = page_of(book)
    assert "| one for each combination of a suit and a rank" in page
    assert "Red hearts, Ace" not in page


@pytest.mark.parametrize(
    ("find", "put", "said"),
    [
        ("tables:", "tables:\n  card: {joker: {}}", "so it has no table"),
        (
            "    state: {taken: flag}",
            "    state: {taken: flag}\n    attributes: {suit: suit}",
            "is an attribute already",
        ),
        ("for_each: [suit, rank]", "for_each: [suit, card]", "made of itself: card -> card"),
        ("for_each: [suit, rank]", "for_each: [suit, ranks]", "there is no kind `ranks`"),
        ("for_each: [suit, rank]", "for_each: {rank: suit, suit: 3}", "for_each"),
        ("for_each: [suit, rank]", "for_each: [suit, suit]", "one kind stands twice"),
        ("suit: {clubs: {}", "suit: {hearts_ace: {}, clubs: {}", "would have one name"),
        (
            "kinds:",
            "kinds:\n  pair: {for_each: {left: card, right: card, last: card, more: card}}",
            "would have 4096 members",
        ),
    ],
)
def test_a_wrong_combination_is_reported(find: str, put: str, said: str, tmp_path: Path) -> None:
    """Tables, names and kinds that do not go together with it are errors with a reason."""
    things = CARDS.replace(find, put, 1).replace("two: {value: 2}", "two: {value: 2}, ace_two: {value: 3}")
    assert things != CARDS
    assert said in first_error(tmp_path / "small", things)


def test_titles_with_commas_stay_apart_in_reports() -> None:
    game = polis_rules.load(Path(__file__).parent / "rulesets" / "passing").start(seed=1)
    dealt = next(line for line in game.report if "(hand)" in line)
    assert dealt == "  Spades, Ten; Hearts, Queen; Clubs, Ten; Diamonds, Jack; Hearts, Ace to North (hand)"
