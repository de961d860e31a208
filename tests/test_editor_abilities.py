"""Quick fixes, formatting, folding, colours, hints, signatures and symbols, asked for as an editor does."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from support.editor import Editor, place

pytest.importorskip("pygls")

RACE = Path(__file__).resolve().parent / "rulesets" / "dice_race"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RACE, tmp_path / "dice_race"))


def document(path: Path, **more: Any) -> dict[str, Any]:
    return {"textDocument": {"uri": path.as_uri()}, **more}


def mended(editor: Editor, path: Path, text: str, needle: str) -> str:
    """The text of a file after the only quick fix that is offered for a line."""
    editor.open(path, text)
    line = place(path, text, needle)["position"]["line"]
    at = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}}
    (fix,) = editor.ask("textDocument/codeAction", document(path, range=at, context={"diagnostics": []}))
    (edit,) = fix["edit"]["changes"][path.as_uri()]
    lines, begin, end = text.split("\n"), edit["range"]["start"], edit["range"]["end"]
    assert begin["line"] == end["line"]
    there = lines[begin["line"]]
    lines[begin["line"]] = there[: begin["character"]] + edit["newText"] + there[end["character"] :]
    return "\n".join(lines)


@pytest.mark.slow
def test_what_is_suggested_is_put_in(editor: Editor, home: Path) -> None:
    """A misspelt name is replaced by the nearest known one."""
    sound = (home / "play.yaml").read_text("utf-8")
    broken = sound.replace("you.breath < 5", "you.breth < 5")
    assert mended(editor, home / "play.yaml", broken, "you.breth") == sound


@pytest.mark.slow
@pytest.mark.parametrize("change", ["{was: you.breath < 3, to: you.breath < 4}", "{to: you.breath < 4}"])
def test_the_old_value_of_a_change_is_filled_in(editor: Editor, home: Path, change: str) -> None:
    """A `was` that differs or is missing becomes the value that the rules below have."""
    path = home.parent / "short.yaml"
    rest = "variant: short\ntitle: Short\nextends: dice_race\nchange:\n  actions.rest.requires.short_of_breath: "
    path.write_text("", encoding="utf-8")
    text = mended(editor, path, rest + change + "\n", "actions.rest")
    assert text == rest + "{was: you.breath < 5, to: you.breath < 4}\n"


@pytest.mark.slow
def test_a_row_gets_the_attributes_that_it_lacks(editor: Editor, home: Path) -> None:
    """What a row does not say is written down with a first value of its type."""
    path = home / "things.yaml"
    sound = path.read_text("utf-8")
    line = "    red: {title: Red, rival: blue}"
    text = mended(editor, path, sound.replace(line, "    red: {title: Red}"), "red: {title")
    assert text == sound.replace(line, "    red: {rival: red, title: Red}")


@pytest.mark.slow
def test_a_file_is_formatted_as_the_command_does_it(editor: Editor, home: Path) -> None:
    """The one edit replaces the whole file by its canonical form; a file that has it gets none."""
    path = home / "play.yaml"
    text = path.read_text("utf-8")
    options = {"tabSize": 2, "insertSpaces": True}
    editor.open(path, text)
    once = editor.ask("textDocument/formatting", document(path, options=options))
    editor.type(path, once[0]["newText"] if once else text)
    assert editor.ask("textDocument/formatting", document(path, options=options)) == []
    editor.type(path, text + "\n\n")
    (edit,) = editor.ask("textDocument/formatting", document(path, options=options))
    assert edit["newText"] == (once[0]["newText"] if once else text) and edit["range"]["start"]["line"] == 0


@pytest.mark.slow
def test_what_stands_below_a_key_is_folded(editor: Editor, home: Path) -> None:
    """Each key with several lines below it may be folded, to the last of these."""
    path = home / "notes.yaml"
    editor.open(path, "a:\n  b: 1\n  c:\n    - d\n    - e\nf: 2\n")
    answer = editor.ask("textDocument/foldingRange", document(path))
    assert [(each["startLine"], each["endLine"]) for each in answer] == [(0, 4), (2, 4)]


@pytest.mark.slow
def test_names_inside_expressions_have_their_colours(editor: Editor, home: Path) -> None:
    """A state, a term and a local name in one line are told apart."""
    path = home / "play.yaml"
    text = path.read_text("utf-8")
    editor.open(path)
    data = editor.ask("textDocument/semanticTokens/full", document(path))["data"]
    finding, line, character = {}, 0, 0
    for down, right, width, sort, _ in zip(*[iter(data)] * 5, strict=True):
        line, character = line + down, right if down else character + right
        finding[line, text.split("\n")[line][character : character + width]] = sort
    names = ["class", "property", "variable", "enumMember", "macro", "method", "function", "event", "parameter"]
    number = place(path, text, "you.breath < 5")["position"]["line"]
    assert names[finding[number, "breath"]] == "variable"
    number = place(path, text, "cost: {breath: sprint_cost}")["position"]["line"]
    assert names[finding[number, "sprint_cost"]] == "macro"
    number = place(path, text, "thrown.hand[you] > 0")["position"]["line"]
    assert names[finding[number, "thrown"]] == "parameter"


@pytest.mark.slow
def test_numbers_in_tables_are_told_with_their_type(editor: Editor, home: Path) -> None:
    """Behind each bare number of a row stands the range of its attribute."""
    path = home / "things.yaml"
    editor.open(path)
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    answer = editor.ask("textDocument/inlayHint", document(path, range=everything))
    text = path.read_text("utf-8").split("\n")
    shown = {(text[each["position"]["line"]].strip().partition(":")[0], each["label"]) for each in answer}
    assert ("copies", "1..4") in shown


@pytest.mark.slow
def test_a_call_shows_what_it_takes(editor: Editor, home: Path) -> None:
    """Parameters of a procedure and of a function of the language, and which of them is being written."""
    path = home / "play.yaml"
    text = path.read_text("utf-8")
    editor.open(path)
    answer = editor.at("signatureHelp", path, text, "- do: advance(you, |eyes")
    assert answer["activeParameter"] == 1
    assert answer["signatures"][0]["label"].startswith("advance(runner: player, ")
    assert editor.at("signatureHelp", path, text, "  ga|me: [") is None


@pytest.mark.slow
def test_declarations_are_found_by_their_letters(editor: Editor, home: Path) -> None:
    """A search in the workspace finds the declaration, in whatever file it is."""
    editor.open(home / "play.yaml")
    answer = editor.ask("workspace/symbol", {"query": "tailw"})
    assert [(each["name"], each["containerName"]) for each in answer] == [("tailwind", "tables.card")]
    assert answer[0]["location"]["uri"] == (home / "things.yaml").as_uri()


@pytest.mark.slow
def test_names_of_the_wanted_type_come_first(editor: Editor, home: Path) -> None:
    """Where a card is compared, cards come before players, and numbers before both where a number is."""
    path = home / "play.yaml"
    text = path.read_text("utf-8")
    editor.open(path)
    typed = text.replace("you.breath < 5", "weather == m")
    labels = editor.labels(path, typed, "short_of_breath: weather == m|")
    assert labels.index("mud") < labels.index("red") and labels.index("mud") < labels.index("goal")


def test_a_very_long_line_gets_no_completion(editor: Editor, home: Path) -> None:
    """In a line of 12,000 letters nothing is looked for, which would take long."""
    path = home / "play.yaml"
    text = path.read_text("utf-8")
    editor.open(path)
    typed = text.replace("you.breath < 5", "you.breath < " + "a." * 6000)
    assert editor.labels(path, typed, "you.breath < a.|") == []
