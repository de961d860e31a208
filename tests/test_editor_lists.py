"""Editors know lists: what may stand in them, what they are called, and where their members are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.editor import Editor, edited

TRICKS = Path(__file__).parent / "rulesets" / "tricks"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TRICKS, tmp_path / "tricks"))


def test_completion_offers_what_may_stand_with_lists(editor: Editor, home: Path) -> None:
    """Verbs, keys, lists to change, and the names of their members' attributes."""
    for old, new, wanted, unwanted in (
        ("sort: turn_order", "sort: turn|", {"turn_order"}, {"move"}),
        ("by: -it.bid", "by: it.|", {"bid", "coins", "hand"}, {"suit"}),
        ("shuffle: deck", "shuffle: |", {"deck", "market"}, {"cards"}),
        ("        by: -it.bid\n", "        |\n", {"by"}, {"stream", "from"}),
        ("- deal_out", "- |", {"sort", "shuffle", "move"}, {"by"}),
        ("from: p.won", "from: p.|", {"won", "hand"}, {"suit"}),
        ("trick[0].suit if", "trick[0].| if", {"suit", "rank"}, {"coins"}),
        ("c.suit == led for", "c.| for", {"suit", "rank"}, {"coins"}),
        ("in: turn_order\n        where", "in: |\n        where", {"turn_order", "player"}, {"by"}),
    ):
        found = editor.completions(home / "play.yaml", old, new)
        assert wanted <= found and not unwanted & found, (new, found)


@pytest.mark.slow
def test_completion_offers_members_inside_of_a_list(editor: Editor, home: Path) -> None:
    """A list that YAML takes apart is completed like any other expression, and so are the keys of its declaration."""
    things = home / "things.yaml"
    text = things.read_text("utf-8")
    editor.open(things)
    members = text.replace("start: [ann, bea, cal]", "start: [ann, b]")
    assert {"ann", "bea", "cal"} <= set(editor.labels(things, members, "start: [ann, b|"))
    keys = text.replace("      coins: {type", "      pot:\n        type: list of card\n        \n      coins: {type")
    assert {"at_most", "start", "size_seen_by"} <= set(editor.labels(things, keys, "list of card\n        |"))


@pytest.mark.slow
def test_a_member_in_a_list_is_renamed_with_all_others(editor: Editor, home: Path) -> None:
    """Each entry of a list has its own place, however it is written."""
    from polis_rules.validation.validate import validate

    things = home / "things.yaml"
    text = things.read_text("utf-8").replace("[ann, bea, cal]", "[ann,bea ,  cal]")
    things.write_text(text, "utf-8")
    editor.open(things)
    for path, changed in edited(editor.at("rename", things, text, "    be|a: {title", newName="bertha")).items():
        path.write_text(changed, encoding="utf-8")
    assert "[ann,bertha ,  cal]" in things.read_text("utf-8")
    assert not validate(home).errors


@pytest.mark.slow
def test_hover_tells_what_a_list_is(editor: Editor, home: Path) -> None:
    """Its type, its first value, who sees it."""
    play = home / "play.yaml"
    editor.open(play)
    told = editor.at("hover", play, play.read_text("utf-8"), "shuffle: de|ck")["contents"]["value"]
    assert "list of cards" in told and "seen by nobody" in told


def test_a_phase_that_is_a_bare_list_is_known_as_one_with_do_is(editor: Editor, home: Path) -> None:
    """Its steps have verbs and keys, and these are explained."""
    play = home / "play.yaml"
    text = play.read_text("utf-8")
    answers = []
    for start, indent in (("", "    "), ("    do:\n", "      ")):
        steps = f"{indent}- shuffle: deck\n{indent}  stream: cards\n{indent}- hands\n"
        written = text.replace("  game: [hands]\n", f"  game:\n{start}{steps}")
        play.write_text(written, "utf-8")
        verbs = editor.completions(play, f"{indent}- hands\n", f"{indent}- |\n")
        keys = editor.completions(play, f"{indent}  stream: cards\n", f"{indent}  |\n")
        editor.type(play, written)
        told = editor.at("hover", play, written, f"{indent}- shuf|fle: deck\n{indent}  stream")
        answers.append((verbs, keys, told["contents"]["value"]))
    assert {"sort", "hands"} <= answers[0][0] and "stream" in answers[0][1]
    assert answers[0] == answers[1]
