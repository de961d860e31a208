"""The report in sentences: one for each action, with what was chosen for it, paid, rolled and came of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from support.editor import Editor, edited

from polis_rules import load

SHELF = Path(__file__).parent / "rulesets"


def test_an_action_is_told_as_it_says_when_it_is_done() -> None:
    game = load("yucata").start(seed=7)
    before = game.sentences()
    game.apply("create_hoplites")
    assert game.doing() == "Sparta: Create Hoplites"
    game.apply("pylos")
    assert game.doing() == "Sparta raises hoplites in Pylos"
    assert game.sentences() == before
    game.apply("pay_hoplite_material")
    assert game.sentences()[len(before) :] == ["Sparta raises hoplites in Pylos, for 1 Metal"]
    assert game.doing() == ""
    game.undo()
    assert game.sentences() == before


def test_what_comes_of_an_action_is_told_with_it() -> None:
    game = load("yucata").start(seed=1)
    game.apply("besiege_polis")
    game.apply("naupaktos")
    assert (
        game.sentences()[-1] == "Sparta besieges Naupaktos, for 1 prestige; gains 1 prestige; Naupaktos: owner Sparta"
    )


def test_of_an_action_that_is_not_done_nothing_is_said_to_be_paid_or_gained() -> None:
    game = load("yucata").start(seed=5)
    game.apply("trade")
    game.apply("persis_3_wine")
    assert game.doing() == "Athens: Trade, Persis, 3 wheat for wine"
    game.apply("wine")
    assert "Athens trades 3 Wine for 3 Wheat (Persis, 3 wheat for wine); rolls " in game.sentences()[-1]


def test_without_words_of_its_own_an_action_is_told_by_titles() -> None:
    """Choices of one action, what it costs and what comes of it are one line."""
    game = load(SHELF / "workshop").start(seed=7)
    rng = Random(1)
    while game.decision is not None and game.moment < 40:
        game.apply(rng.choice(game.decision.options))
    told = game.sentences()
    assert "Bo: Sell, for 1 tokens; gains 5 coins" in told
    assert "Bo: Build, Lathe, for 1 Wood and 4 coins; gains 4 points; Lathe: owner Bo" in told


@pytest.mark.parametrize("name", ["hearts", "leduc", "goofspiel", "agora", "othello", "caravans"])
def test_no_sentence_tells_what_the_lines_of_the_report_do_not(name: str) -> None:
    """Every member that is named to a player is named in that player's report, too."""
    game = load(SHELF / name).start(seed=3)
    rng = Random(2)
    titles = {title for kind in game.program.rules.symbols.kinds.values() for title in kind.titles if len(title) > 4}
    while game.decision is not None and game.moment < 80:
        game.apply(rng.choice(game.decision.options))
        for player in game.players:
            report = " ".join([*game.report_for(player), *game.program.rules.symbols.kinds["action"].titles])
            text = " ".join([*game.sentences(player), game.doing(player)])
            assert not [title for title in titles if title in text and title not in report]


SAILS = ("    title: Sail\n", '    title: Sail\n    says: "{you} sails to {goal}"\n')


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Harbours in which sailing has words of its own."""
    folder = Path(shutil.copytree(SHELF / "harbours", tmp_path / "harbours"))
    play = folder / "play.yaml"
    play.write_text(play.read_text("utf-8").replace(*SAILS), "utf-8")
    return folder


def test_how_an_action_is_told_is_no_rule(home: Path) -> None:
    """Games that were recorded before it was told otherwise are played again."""
    assert load(home).hash == load(SHELF / "harbours").hash
    game = load(home).start(seed=1)
    game.apply("sail")
    assert game.decision is not None
    game.apply(game.decision.options[0])
    assert any(" sails to " in line for line in game.sentences())


@pytest.mark.slow
def test_a_choice_is_renamed_where_it_is_told_of(editor: Editor, home: Path) -> None:
    play = home / "play.yaml"
    text = play.read_text("utf-8")
    editor.open(play)
    for path, changed in edited(editor.at("rename", play, text, "      go|al:", newName="harbour")).items():
        path.write_text(changed, encoding="utf-8")
    assert 'says: "{you} sails to {harbour}"' in play.read_text("utf-8")
    load(home)
