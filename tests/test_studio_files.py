"""The files of the studio: nothing that was typed is lost, and no other file is read or written."""

from __future__ import annotations

import asyncio
import os
import shutil
from errno import EADDRNOTAVAIL
from pathlib import Path
from socket import SO_REUSEADDR, SOL_SOCKET, socket

import pytest

from polis_rules.source import write_whole
from polis_rules.studio.drafts import Drafts, digest
from polis_rules.studio.server import free_place, usual_port
from polis_rules.studio.studio import Studio
from polis_rules.studio.switching import Opened
from polis_rules.studio.workspace import Conflict, Workspace, WorkspaceError

SHELF = Path(__file__).parent / "rulesets"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    game = tmp_path / "game"
    game.mkdir()
    (game / "ruleset.yaml").write_text("ruleset: game\n", "utf-8")
    (tmp_path / "secret.yaml").write_text("secret: 1\n", "utf-8")
    return game


def opened(folder: Path, *variants: Path, read_only: bool = False) -> Workspace:
    return Workspace(folder, variants, read_only, Drafts(folder.parent / "drafts"))


def leave_draft(folder: Path, text: str) -> None:
    """An earlier session has changed the file and not saved it."""
    before = opened(folder)
    document = before.open("ruleset.yaml")
    before.change(document, text)
    before.keep(document)


def test_what_was_not_saved_is_offered_in_the_next_session(folder: Path) -> None:
    leave_draft(folder, "ruleset: game\ntitle: Half a ti")
    after = opened(folder)
    found = after.open("ruleset.yaml")
    assert found.text == "ruleset: game\n" and found.draft is not None
    after.recover(found)
    assert found.text == "ruleset: game\ntitle: Half a ti" and found.changed
    assert after.save(found) is None
    assert opened(folder).open("ruleset.yaml").draft is None


def test_a_draft_that_is_thrown_away_does_not_come_back(folder: Path) -> None:
    leave_draft(folder, "other")
    after = opened(folder)
    after.discard_draft(after.open("ruleset.yaml"))
    assert opened(folder).open("ruleset.yaml").draft is None


def test_nothing_is_typed_over_a_draft_that_the_author_has_not_decided_about(folder: Path) -> None:
    leave_draft(folder, "an hour's work")
    after = opened(folder)
    found = after.open("ruleset.yaml")
    with pytest.raises(WorkspaceError, match="recover that or throw it away"):
        after.change(found, "something else")
    after.know(found.path)
    after.save(found)
    after.keep_all()
    draft = opened(folder).open("ruleset.yaml").draft
    assert draft is not None and draft.text == "an hour's work"


def test_what_a_browser_could_not_send_is_offered_also_after_the_session(folder: Path) -> None:
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    workspace.take_left(document, document.text, digest(document.saved))
    assert document.draft is None
    workspace.take_left(document, "typed too late", digest(document.saved))
    with pytest.raises(WorkspaceError, match="recover that or throw it away"):
        workspace.change(document, "something else")
    found = opened(folder).open("ruleset.yaml").draft
    assert found is not None and found.text == "typed too late" and found.is_over(document.saved)


def test_a_browser_s_copy_in_which_nothing_was_typed_is_not_offered(folder: Path) -> None:
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    before = document.saved
    document.path.write_text("ruleset: theirs\n", "utf-8")
    document = opened(folder).open("ruleset.yaml")
    workspace.take_left(document, before, digest(before))
    assert document.draft is None and document.text == "ruleset: theirs\n"


def test_what_was_typed_before_a_late_browser_s_copy_is_recovered_stays_beside_it(folder: Path) -> None:
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    workspace.change(document, "ruleset: game\ntyped: 1\n")
    workspace.take_left(document, "ruleset: game\nleft: 1\n", digest("ruleset: game\n"))
    workspace.keep_all()
    workspace.recover(document)
    draft = opened(folder).open("ruleset.yaml").draft
    for text in (document.text, draft.text if draft is not None else ""):
        assert "typed: 1" in text and "left: 1" in text


@pytest.mark.parametrize(("typed", "is_alone"), [("long: work\nlast: 1\n", True), ("early: 1\n", False)])
def test_the_copy_of_a_browser_that_comes_back_late_does_not_take_the_place_of_what_others_typed_since(
    typed: str, is_alone: bool, folder: Path
) -> None:
    """But that of one that was there to the end does, which goes on where the draft ends."""
    leave_draft(folder, "ruleset: game\nlong: work\nla")
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    workspace.take_left(document, f"ruleset: game\n{typed}", digest("ruleset: game\n"))
    draft = opened(folder).open("ruleset.yaml").draft
    assert draft is not None and draft == document.draft
    assert (draft.text == f"ruleset: game\n{typed}") == is_alone
    assert "long: work" in draft.text and typed.strip() in draft.text


def test_what_is_typed_while_a_file_is_written_is_not_taken_for_saved(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")

    def typed(path: Path, text: str) -> None:
        write_whole(path, text)
        workspace.change(document, "ruleset: game\na: 1\nb: 2\n")
        workspace.keep(document)

    monkeypatch.setattr("polis_rules.studio.workspace.write_whole", typed)
    workspace.change(document, "ruleset: game\na: 1\n")
    assert workspace.save(document) is None
    workspace.take_all()
    assert document.changed and "b: 2" in document.text
    draft = opened(folder).open("ruleset.yaml").draft
    assert draft is not None and "b: 2" in draft.text


def test_both_texts_of_a_conflict_are_those_of_now(folder: Path) -> None:
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    workspace.change(document, "mine")
    document.path.write_text("theirs", "utf-8")
    assert workspace.save(document) == Conflict("theirs")
    workspace.change(document, "mine, and more")
    document.path.write_text("theirs, and more", "utf-8")
    workspace.take_both(document)
    assert "\nmine, and more\n" in document.text and "\ntheirs, and more\n" in document.text


@pytest.mark.parametrize("begun_anew", [False, True])
def test_the_copies_of_two_browsers_are_both_offered(begun_anew: bool, folder: Path) -> None:
    leave_draft(folder, "ruleset: game\nsent: 1\n")
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    for typed in ("sent: 1\nfirst: 1\n", "sent: 1\nsecond: 1\n"):
        if begun_anew:
            workspace = opened(folder)
            document = workspace.open("ruleset.yaml")
        workspace.take_left(document, f"ruleset: game\n{typed}", digest("ruleset: game\n"))
        draft = document.draft
        assert draft is not None and ("<<<" in draft.text) == ("second" in typed)
    workspace.recover(document)
    assert "first: 1" in document.text and "second: 1" in document.text and document.text.count("sent: 1") == 1


def test_a_draft_tells_whether_the_file_is_another_since(folder: Path) -> None:
    leave_draft(folder, "mine")
    found = opened(folder).open("ruleset.yaml")
    assert found.draft is not None and found.draft.is_over(found.saved)
    found.path.write_text("theirs", "utf-8")
    found = opened(folder).open("ruleset.yaml")
    assert found.draft is not None and not found.draft.is_over(found.saved)


def test_the_second_tab_that_throws_a_draft_away_keeps_what_was_typed_after_the_first(folder: Path) -> None:
    leave_draft(folder, "old")
    after, told = opened(folder), list[str]()
    after.listeners.append(lambda each: told.append(each.text))
    found = after.open("ruleset.yaml")
    after.discard_draft(found)
    assert told == ["ruleset: game\n"]
    after.change(found, "new")
    after.keep(found)
    after.discard_draft(found)
    draft = opened(folder).open("ruleset.yaml").draft
    assert draft is not None and draft.text == "new"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_of_a_file_end_as_they_did(end: str, folder: Path) -> None:
    (folder / "ruleset.yaml").write_bytes(f"ruleset: game{end}title: Game{end}".encode())
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    workspace.change(document, "ruleset: game\ntitle: Other\n")
    assert workspace.save(document) is None and workspace.conflict(document) is None
    assert document.path.read_bytes() == f"ruleset: game{end}title: Other{end}".encode()


def test_a_file_that_another_program_has_changed_is_not_written_over(folder: Path) -> None:
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    workspace.change(document, "mine")
    document.path.write_text("theirs", "utf-8")
    conflict = workspace.save(document)
    assert conflict == Conflict("theirs")
    assert document.path.read_text("utf-8") == "theirs"
    document.path.write_text("theirs again", "utf-8")
    assert workspace.save(document, over=conflict.theirs) == Conflict("theirs again")
    assert workspace.save(document, over="theirs again") is None
    assert document.path.read_text("utf-8") == "mine"


def test_a_file_that_another_program_has_removed_is_written_again_only_when_the_author_says_so(folder: Path) -> None:
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    workspace.change(document, "mine")
    document.path.unlink()
    assert workspace.save(document) == Conflict("", is_gone=True)
    assert not document.path.exists()
    assert workspace.save(document, over="") is None
    assert document.path.read_text("utf-8") == "mine"


def test_a_full_disk_loses_neither_the_file_nor_the_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = opened(folder)
    document = workspace.open("ruleset.yaml")
    workspace.change(document, "mine")
    workspace.keep(document)

    def full(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("polis_rules.studio.workspace.write_whole", full)
    with pytest.raises(OSError, match="No space left"):
        workspace.save(document)
    assert document.changed and document.path.read_text("utf-8") == "ruleset: game\n"
    draft = opened(folder).open("ruleset.yaml").draft
    assert draft is not None and draft.text == "mine"


def test_a_file_that_is_open_is_not_taken_for_another_one_that_comes_by_its_name(folder: Path) -> None:
    variant = folder.parent / "own" / "mine.yaml"
    variant.parent.mkdir()
    variant.write_text("variant: mine\n", "utf-8")
    workspace = opened(folder, variant)
    document = workspace.open("mine.yaml")
    workspace.change(document, "variant: mine\n# typed\n")
    other = folder / "mine.yaml"
    other.write_text("other: 1\n", "utf-8")
    assert workspace.of(other).text == "other: 1\n" and workspace.of(other).name == "mine.yaml"
    assert workspace.of(variant) is document and document.name == "own/mine.yaml"


@pytest.mark.parametrize("name", ["../secret.yaml", "/etc/passwd", "link.yaml", "nothing.yaml", ""])
def test_no_file_outside_of_the_folder_is_read(folder: Path, name: str) -> None:
    (folder / "link.yaml").symlink_to(folder.parent / "secret.yaml")
    with pytest.raises(WorkspaceError, match="no file"):
        opened(folder).open(name)


def test_what_is_no_text_is_neither_read_nor_written(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")
    (folder / "latin.yaml").write_bytes("title: M\xe4rkte".encode("latin-1"))
    with pytest.raises(WorkspaceError, match="no file"):
        opened(folder).open("pipe.yaml")
    with pytest.raises(WorkspaceError, match="no text in UTF-8"):
        opened(folder).open("latin.yaml")


@pytest.mark.parametrize("what", ["link", "folder behind a link", "pipe", "folder"])
def test_a_file_that_has_become_something_else_is_neither_read_nor_written_through(folder: Path, what: str) -> None:
    inside, outside = folder / "in" / "a.yaml", folder.parent / "out"
    for each in (inside, outside / "a.yaml"):
        each.parent.mkdir()
        each.write_text("secret", "utf-8")
    workspace = opened(folder)
    document = workspace.open("in/a.yaml")
    workspace.change(document, "mine")
    inside.unlink()
    match what:
        case "link":
            inside.symlink_to(outside / "a.yaml")
        case "folder behind a link":
            inside.parent.rmdir()
            inside.parent.symlink_to(outside)
        case "pipe":
            os.mkfifo(inside)
        case _:
            inside.mkdir()
    for over in (None, "", "secret"):
        with pytest.raises(WorkspaceError, match="no file any more"):
            workspace.save(document, over)
    with pytest.raises(WorkspaceError, match="no file any more"):
        workspace.take_theirs(document)
    workspace.keep(document)
    assert document.text == "mine" and (outside / "a.yaml").read_text("utf-8") == "secret"


def test_a_file_whose_name_is_no_text_is_left_out_as_no_page_could_be_sent_with_it(folder: Path) -> None:
    (folder / os.fsdecode(b"\xff.yaml")).write_text("a: 1\n", "utf-8")
    assert list(opened(folder).names()) == ["ruleset.yaml"]


def test_of_a_file_that_is_too_long_no_more_is_read_than_tells_that(folder: Path) -> None:
    with (folder / "long.yaml").open("wb") as stream:
        stream.truncate(2**40)
    with pytest.raises(WorkspaceError, match="too long"):
        opened(folder).open("long.yaml")


def test_a_variant_is_opened_whatever_other_file_has_its_name(folder: Path) -> None:
    texts = {folder.parent / name: name for name in ("a/mine.yaml", "b/mine.yaml", "b/ruleset.yaml")}
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    workspace = opened(folder, *texts)
    assert list(workspace.names()) == ["mine.yaml", "b/mine.yaml", "b/ruleset.yaml", "ruleset.yaml"]
    assert [workspace.of(path).text for path in texts] == list(texts.values())


def test_a_shipped_ruleset_is_only_read_and_its_variant_is_written(folder: Path, tmp_path: Path) -> None:
    variant = tmp_path / "mine.yaml"
    variant.write_text("variant: mine\n", "utf-8")
    workspace = opened(folder, variant, read_only=True)
    with pytest.raises(WorkspaceError, match="change it by a variant"):
        workspace.change(workspace.open("ruleset.yaml"), "other")
    document = workspace.open("mine.yaml")
    workspace.change(document, "variant: mine\ntitle: Mine\n")
    assert workspace.save(document) is None and variant.read_text("utf-8").endswith("Mine\n")


def test_what_is_typed_while_a_text_is_formatted_is_kept_and_no_other_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    studio = Studio(Opened(folder), Drafts(tmp_path / "drafts"), tmp_path / "games")
    document = studio.workspace.open("ruleset.yaml")
    formatted = document.text
    loose, typed = formatted.replace("\n  half: {", "\n      half: {"), f"{formatted}# typed meanwhile\n"

    async def while_somebody_types(path: Path) -> str:
        studio.workspace.change(document, typed)
        return formatted

    async def story() -> list[str]:
        studio.workspace.change(document, loose)
        told = [await studio.format(document)]
        assert document.text == formatted
        told.append(await studio.format(document))
        monkeypatch.setattr(studio.checker, "formatted", while_somebody_types)
        return [*told, await studio.format(document)]

    try:
        assert [each.partition(":")[0] for each in asyncio.run(story())] == [
            "formatted", "nothing to format", "not formatted",
        ]  # fmt: skip
        assert document.text == typed
    finally:
        studio.close()


def test_what_another_program_writes_is_read_where_nothing_was_typed_and_is_checked_at_once(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    studio = Studio(Opened(folder), Drafts(tmp_path / "drafts"), tmp_path / "games")
    other = studio.workspace.open("cases/turning.yaml")
    typed = f"{other.text}# typed here\n"

    def write(name: str, more: str) -> None:
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(more)

    async def story() -> int:
        studio.workspace.change(other, typed)
        await studio.look_around()
        main = studio.workspace.open("ruleset.yaml")
        assert not (await studio.checker.findings(main.path)).get(main.path)
        write("ruleset.yaml", "nonsense: 1\n")
        write("cases/turning.yaml", "# written there\n")
        await studio.look_around()
        assert main.text.endswith("nonsense: 1\n") and not main.changed
        return len((await studio.checker.findings(main.path))[main.path])

    try:
        assert asyncio.run(story()) == 1
        assert other.text == typed and studio.workspace.conflict(other) is not None
    finally:
        studio.close()


def test_what_another_program_writes_into_a_ruleset_below_is_checked_at_once(tmp_path: Path) -> None:
    below = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    (tmp_path / "mine").mkdir()
    text = "format: 2\nruleset: mine\ntitle: Mine\nextends: othello\n"
    change = "change: {tables.player.black.title: {was: Black, to: Red}}\n"
    (tmp_path / "mine" / "ruleset.yaml").write_text(text + change, "utf-8")
    studio = Studio(Opened(tmp_path / "mine"), Drafts(tmp_path / "drafts"), tmp_path / "games")
    main = studio.workspace.open("ruleset.yaml")

    async def found() -> list[str]:
        await studio.look_around()
        return [each.message for each in (await studio.checker.findings(main.path)).get(main.path, ())]

    async def story() -> None:
        assert await found() == []
        file = below / "ruleset.yaml"
        file.write_text(file.read_text("utf-8").replace("title: Black", "title: Dark"), "utf-8")
        assert "Dark" in "".join(await found())

    try:
        asyncio.run(story())
    finally:
        studio.close()


def test_a_folder_has_the_same_port_each_time_where_it_is_free_as_browsers_keep_what_was_not_sent_by_port(
    tmp_path: Path,
) -> None:
    ports = {free_place(folder=tmp_path / str(number))[1] for number in range(20)}
    first = free_place(folder=tmp_path)
    assert first == free_place(folder=tmp_path) and len(ports) > 1
    with socket() as taken:
        taken.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)  # somebody may have been there a moment ago
        taken.bind(first)
        taken.listen()
        other = free_place(folder=tmp_path)
        assert other != first and usual_port(tmp_path) == first[1]
        with pytest.raises(OSError, match=f"port {first[1]} is taken"):
            free_place(port=first[1])


def test_an_address_of_another_computer_is_not_taken_for_one_of_which_all_ports_are_taken() -> None:
    with pytest.raises(OSError, match="9000") as found:
        free_place("192.0.2.1", port=9000)
    assert found.value.errno == EADDRNOTAVAIL


def test_settings_are_offered_to_be_written_only_where_the_author_has_a_file(tmp_path: Path) -> None:
    variant = tmp_path / "mine.yaml"
    variant.write_text("variant: mine\ntitle: Mine\nextends: politeia\nwhy: To see.\n", "utf-8")
    own = Path(shutil.copytree(SHELF / "othello", tmp_path / "othello"))
    found = []
    for opened_with in (Opened("politeia"), Opened("politeia", variants=(variant,)), Opened(own)):
        studio = Studio(opened_with, Drafts(tmp_path), tmp_path / "games")
        found.append(studio.settled_in)
        studio.close()
    assert found == ["", "the variant", "the ruleset"]
