"""The language server keeps to its protocol: how places are counted, files that come and go, wrong questions."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from support.editor import Editor, place

pytest.importorskip("pygls")

RACE = Path(__file__).resolve().parent / "rulesets" / "dice_race"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with the dice race, and one for variants beside it."""
    shutil.copytree(RACE, tmp_path / "dice_race")
    (tmp_path / "variants").mkdir()
    return tmp_path


@pytest.fixture
def play(editor: Editor, home: Path) -> Path:
    """The file with most rules of the race, open."""
    path = home / "dice_race" / "play.yaml"
    editor.open(path)
    return path


def test_places_are_counted_as_editors_count_them(editor: Editor, play: Path) -> None:
    """In UTF-16 units, also behind letters that are two of them; lines may end as they do on Windows."""
    typed = play.read_text("utf-8").replace(
        'goal: {is: 30, cite: "own, track"', 'goal: {title: "\N{GAME DIE}\N{GAME DIE} é", is: gaol, cite: "own, track"'
    )
    line = '  goal: {title: "\N{GAME DIE}\N{GAME DIE} é", is: '
    units = len(line.encode("utf-16-le")) // 2
    for text in (typed, typed.replace("\n", "\r\n")):
        editor.type(play, text)
        (finding,) = (each for each in editor.findings(play) if each["code"] == "unknown-name")
        begin, end = finding["range"]["start"], finding["range"]["end"]
        assert (begin["character"], end["character"]) == (units, units + 4)
        assert text.split("\n")[begin["line"]].startswith("  goal:")


@pytest.mark.slow
def test_lines_of_windows_can_be_renamed_in(editor: Editor, home: Path) -> None:
    path = home / "dice_race" / "play.yaml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    editor.open(path, path.read_bytes().decode())
    edits = editor.at("rename", path, path.read_bytes().decode(), "  spri|nt:\r\n", newName="dash")["changes"]
    lines = path.read_bytes().decode().split("\n")
    for each in edits[path.as_uri()]:
        begin, end = each["range"]["start"], each["range"]["end"]
        assert lines[begin["line"]][begin["character"] : end["character"]] == "sprint"


@pytest.mark.slow
def test_files_that_change_outside_of_the_editor_are_read_again(editor: Editor, home: Path) -> None:
    manifest, play = home / "dice_race" / "ruleset.yaml", home / "dice_race" / "play.yaml"
    editor.open(manifest)
    assert not editor.findings(manifest)
    (watch,) = editor.asked
    assert watch["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    editor.published.clear()
    play.unlink()
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": play.as_uri(), "type": 3}]})
    assert "unreadable-file" in {each["code"] for each in editor.findings(manifest)}


def test_a_file_that_is_closed_without_saving_has_no_findings_left(editor: Editor, play: Path) -> None:
    editor.type(play, play.read_text("utf-8").replace("is: 30", "is: thirty"))
    assert editor.findings(play)
    editor.notify("textDocument/didClose", {"textDocument": {"uri": play.as_uri()}})
    while (play.as_uri(), 0) not in editor.published:
        editor._receive()
    assert editor.published[play.as_uri(), 0] == []


@pytest.mark.slow
def test_files_that_never_end_and_names_that_no_file_has_stop_nothing(editor: Editor, home: Path) -> None:
    """Whatever lies beside the rules, and whatever an editor calls its texts."""
    os.mkfifo(home / "variants" / "pipe.yaml")
    (home / "dice_race" / "endless.yaml").symlink_to("/dev/zero")
    path = home / "dice_race" / "play.yaml"
    editor.open(path)
    assert editor.at("references", path, path.read_text("utf-8"), "hand_limit", context={"includeDeclaration": True})
    nowhere = {"textDocument": {"uri": "file:///a%00b.yaml"}, "position": {"line": 0, "character": 0}}
    assert editor.ask("textDocument/hover", nowhere) is None


@pytest.mark.slow
def test_a_question_that_is_taken_back_leaves_the_others_answered(editor: Editor, play: Path) -> None:
    text = play.read_text("utf-8")
    for number in range(1000, 1020):
        params = place(play, text, "you.bre|ath < 5")
        editor._send({"id": number, "method": "textDocument/completion", "params": params})
        editor.notify("$/cancelRequest", {"id": number})
    assert "breath" in editor.at("hover", play, text, "you.bre|ath < 5")["contents"]["value"]


@pytest.mark.slow
@pytest.mark.parametrize("at", [{"line": -1, "character": 0}, {"line": 0, "character": -1}])
def test_a_negative_position_is_answered_with_an_error(editor: Editor, play: Path, at: dict[str, int]) -> None:
    """What the protocol does not allow is not met with silence, and later questions are answered."""
    asked = {"textDocument": {"uri": play.as_uri()}, "position": at}
    assert editor.response("textDocument/hover", asked)["error"]["code"] == -32602
    assert editor.ask("textDocument/foldingRange", {"textDocument": asked["textDocument"]})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("editor", "encoding"),
    [([each, "utf-16"], each) for each in ("utf-8", "utf-16", "utf-32")],
    indirect=["editor"],
    ids=["utf-8", "utf-16", "utf-32"],
)
def test_columns_are_counted_in_the_encoding_that_the_editor_offers_first(
    editor: Editor, home: Path, encoding: str
) -> None:
    """A client that offers an encoding first gets and gives columns in it, also behind letters of several units."""
    path = home / "dice_race" / "play.yaml"
    begin = '  goal: {title: "\N{GAME DIE} ö", is: '
    line = f'{begin}gaol, cite: "own, track"'
    text = path.read_text("utf-8").replace('  goal: {is: 30, cite: "own, track"', line)
    editor.open(path, text)
    (finding,) = (each for each in editor.findings(path) if each["code"] == "unknown-name")
    units = {"utf-8": len(begin.encode()), "utf-16": len(begin.encode("utf-16-le")) // 2, "utf-32": len(begin)}
    start = finding["range"]["start"]
    assert start["character"] == units[encoding]
    position = {"line": start["line"], "character": units[encoding] + 3}
    answer = editor.ask("textDocument/completion", {"textDocument": {"uri": path.as_uri()}, "position": position})
    assert "lap" in {each["label"] for each in answer["items"]}
