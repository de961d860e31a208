"""What writes files keeps to its folder, writes all or nothing, and writes what can be read back."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from polis_cli.main import main
from support.reading import page_of
from support.small_ruleset import MANIFEST, SCENARIO

from polis_rules.authoring import scaffold
from polis_rules.authoring.formatting.format_text import files_at
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.documentation.citations import citations
from polis_rules.documentation.explain import explain
from polis_rules.documentation.rulebook import read, sentence
from polis_rules.pipeline import documented
from polis_rules.source.files import read_file

THINGS = """\
kinds:
  player: {state: {coins: {type: 0..9, start: 3, title: coins}}}
  ox: {title: Ox, plural: Oxen, grade: quoted, cite: "own, 1", attributes: {age: 0..9}}
state: {supply_ran_out: flag}
tables:
  player: {red: {}, blue: {}}
  ox: {bob: {age: 1}, tim: {age: 2, grade: inferred}}
terms:
  old: {is: "count(o for o in ox if o.age > 1)"}
phases:
  game:
    - repeat:
        while: not supply_ran_out
        do: [{set: {supply_ran_out: true}}]
    - end: over
endings: {over: {}}
score: {terms: {coins: who.coins}}
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small ruleset in the present directory."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "small"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(MANIFEST, "utf-8")
    (folder / "things.yaml").write_text(THINGS, "utf-8")
    (folder / "play.yaml").write_text("routes: {}\n", "utf-8")
    (folder / "scenarios" / "standard.yaml").write_text(SCENARIO, "utf-8")
    return folder


def polis(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["polis", *arguments])
    try:
        main()
    except SystemExit as leave:
        return int(leave.code or 0)
    return 0


def retitle(folder: Path, title: str) -> None:
    text = "".join(line for line in MANIFEST.splitlines(True) if not line.startswith("title:"))
    (folder / "ruleset.yaml").write_text(f"{text}title: {title}\n", "utf-8")


def test_a_line_break_in_the_title_of_the_base_stays_in_a_comment(small: Path) -> None:
    """What the base is called cannot add keys to a new ruleset."""
    retitle(small, '"Small\\nremove: {actions.dig: gone}"')
    scaffold.begin("mine", "small", Path("mine"))
    tree = read_file(Path("mine/rules.yaml"), "rules.yaml", Diagnostics())
    assert tree is not None and list(tree.entries) == ["change"]


@pytest.mark.parametrize(("name", "folder"), [("small", "elsewhere/small"), ("mine", "elsewhere/small")])
def test_a_new_ruleset_cannot_extend_itself(small: Path, name: str, folder: str) -> None:
    """What a new ruleset extends is found by its name, so neither the new one nor its folder may have that name."""
    with pytest.raises(RulesetError) as caught:
        scaffold.begin(name, "small", Path(folder))
    assert [each.code for each in caught.value.diagnostics] == ["extends-loop"] and not Path("elsewhere").exists()


def test_a_new_ruleset_is_written_whole_or_not_at_all(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever ends `polis new` early, no half folder is left."""
    monkeypatch.setattr(scaffold, "RULES", "{nothing of that name}")
    with pytest.raises(KeyError):
        scaffold.begin("mine", "small", Path("mine"))
    assert sorted(path.name for path in small.parent.iterdir()) == ["small"]


def test_a_new_ruleset_names_the_commands_that_work_on_it(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`polis new my-variant` makes the folder `my_variant`, and with --folder its commands name that folder."""
    assert polis(monkeypatch, "new", "my-variant", "--extends", "small") == 0
    assert "polis validate my_variant" in Path("my_variant/rules.yaml").read_text("utf-8")
    assert polis(monkeypatch, "new", "my-variant", "--extends", "small", "--folder", "other/my_variant") == 0
    assert "polis diff small other/my_variant" in Path("other/my_variant/rules.yaml").read_text("utf-8")
    assert polis(monkeypatch, "validate", "my_variant") in (0, 1)
    assert "error" not in capsys.readouterr().out


def test_format_follows_no_link_out_of_the_folder(small: Path) -> None:
    """A link in a folder that leads elsewhere is not a file of the folder."""
    outside = small.parent / "outside.yaml"
    outside.write_text("terms:\n    a: {is: 1}\n", "utf-8")
    (small / "link.yaml").symlink_to(outside)
    (small / "inside.yaml").symlink_to(small / "things.yaml")
    names = [path.relative_to(small).as_posix() for path in files_at([small])]
    assert names == ["inside.yaml", "play.yaml", "ruleset.yaml", "scenarios/standard.yaml", "things.yaml"]


def test_what_goes_to_a_file_is_utf_8(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system's encoding is a code page, a resolved ruleset in a file is UTF-8 all the same."""
    retitle(small, "Größe Ω")
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    assert polis(monkeypatch, "resolve", "small") == 0
    sys.stdout.flush()
    assert "title: Größe Ω" in written.getvalue().decode("utf-8")


def test_a_title_cannot_command_a_page(small: Path) -> None:
    """HTML or a link in a title is text in the rulebook."""
    retitle(small, '"A <img src=x> [b](javascript:c)"')
    assert page_of(read(small)).startswith("# A &lt;img src=x> [b]\\(javascript:c)\n")


def test_the_name_of_a_file_cannot_command_a_terminal(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a terminal would obey is not printed as it is."""
    (small / "a\x1b[31m.yaml").write_text("terms:\n    a: {is: 1}\n", "utf-8")
    assert polis(monkeypatch, "format", "small", "--check") == 1
    told = capsys.readouterr().out
    assert "\x1b" not in told and "a\N{REPLACEMENT CHARACTER}[31m.yaml" in told


def test_a_row_has_the_grade_of_its_kind(small: Path) -> None:
    """A row that says nothing of its source has what its kind says."""
    _, document = documented(small)
    cited = {each.path: (each.grade, each.cite) for each in citations(document).rules}
    assert cited["tables.ox.bob"] == ("quoted", "own, 1")
    assert cited["tables.ox.tim"] == ("inferred", "own, 1")


def test_what_a_variant_says_of_itself_is_told_of_each_rule_that_it_adds(small: Path) -> None:
    """Citations, explanations and the rulebook name the source at the head of a variant's file."""
    variant = small / "nap.yaml"
    add = "add: {terms.naps: {is: count(o for o in ox if o.age > 3)}, score.terms.naps: naps}"
    variant.write_text(f"variant: nap\ncite: our table\ngrade: house\n{add}\n", "utf-8")
    _, document = documented(small, None, [variant])
    assert [each.cite for each in citations(document).graded("house")] == ["our table"]
    book = read(small, None, [variant])
    assert "our table" in page_of(book)
    told = explain(small, "terms.naps.is", None, [variant])
    assert (told.cite, told.grade) == ("our table", "house")


def test_a_kind_says_its_plural(small: Path) -> None:
    """Where adding an s is wrong, `plural` says what several are called."""
    assert sentence(read(small), "terms.old.is") == "'Old' is the number of oxen whose age is more than 1."


def test_a_flag_that_tells_what_happened_is_denied_as_a_whole(small: Path) -> None:
    """`not supply_ran_out` is no "the supply ran is not out"."""
    assert "it is not so that the supply ran out" in sentence(read(small), "phases.game")


def test_without_a_base_a_small_whole_game_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has no finding, not even of its scenarios and variants, and can be played."""
    monkeypatch.chdir(tmp_path)
    assert polis(monkeypatch, "new", "tiny") == 0
    assert "open tiny/ruleset.yaml" in capsys.readouterr().out
    assert polis(monkeypatch, "validate", "tiny") == 0
    assert "tiny: no findings, also in " in capsys.readouterr().out
    assert polis(monkeypatch, "run", "tiny", "--seed", "7") == 0
    assert polis(monkeypatch, "new", "tiny") == 1
    assert "tiny exists already" in capsys.readouterr().err
