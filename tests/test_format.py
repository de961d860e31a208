"""The formatter: canonical order and indentation, comments kept, and never another meaning."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_origin

import pytest
from hypothesis import given, settings, strategies as st
from polis_cli.main import app
from support.sampling import sampled
from typer.testing import CliRunner

from polis_rules.authoring.formatting.format_text import files_at, format_file, format_text
from polis_rules.composition.composed import compose
from polis_rules.composition.operations import OPERATIONS
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.schema.base import REST, Model
from polis_rules.schema.document import SECTIONS, ActionChoice, Procedure, Sections
from polis_rules.schema.files import CasesFile, ManifestFile, ScenarioFile, SectionsFile, VariantFile
from polis_rules.schema.key_order import Place, file_sort, inside, meaning, model_at, order_of
from polis_rules.schema.steps import VERBS, Step
from polis_rules.source.files import write_whole
from polis_rules.source.reader import read_text

ROOT = Path(__file__).parents[1]
FOLDERS = ("rulesets", "tests/rulesets", "tests/errors/sound", "benchmarks/rulesets")
SHIPPED = sorted(files_at([ROOT / folder for folder in FOLDERS]))


def shown_path(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def formatted(text: str) -> str:
    diagnostics = Diagnostics()
    new = format_text(text, "a.yaml", diagnostics)
    assert new is not None, [str(each) for each in diagnostics.items]
    return new


def said(text: str) -> object:
    """What a file says, the order of ids and labels included, that of fixed keys not."""
    tree = read_text(text, "a.yaml", Diagnostics())
    assert tree is not None
    return str(meaning(tree, Place(file_sort(tree.entries))))


# -- the order ----------------------------------------------------------------------------------------------------


def models(parent: type[Model] = Model) -> Iterator[type[Model]]:
    """Every model of the language."""
    for each in parent.__subclasses__():
        yield each
        yield from models(each)


@pytest.mark.parametrize(
    "model", sorted({each for each in models() if set(each.order) - {REST}}, key=lambda each: each.__name__)
)
def test_an_order_of_its_own_names_every_key_that_is_no_section_or_operation(model: type[Model]) -> None:
    """A key added to a model that does not follow its fields cannot be forgotten."""
    free = {*SECTIONS, *OPERATIONS}
    assert {*model.order} - {REST} == {*model.written_keys()} - free


def test_a_step_begins_with_its_condition_and_its_verb() -> None:
    """Whatever goes along with the verb comes after it, whichever class declares it; only `when` comes before it."""
    for verb, model in VERBS.items():
        if verb != "stop":
            assert next(key for key in order_of(model) if key != "when") == verb
    assert order_of(VERBS["pay"]) == ("when", "pay", "who", "says")
    assert order_of(VERBS["each"])[-2:] == ("says", "do")


def test_the_models_say_what_stands_inside() -> None:
    """Fixed keys are found through mappings of names, lists, aliases, short forms and overlays."""
    place = Place(ManifestFile)
    for key in ("change", "actions.dig", "choose", "target"):
        place = inside(place, (), key)
    assert place == (ActionChoice, "change")
    place = Place(SectionsFile)
    for key in ("phases", "game", None):
        place = inside(place, (), key)
    assert place.sort is Step and inside(place, ("if", "then"), "then").sort == list[Step]


# -- the shipped files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sampled(SHIPPED, every=6, slow=3, name=shown_path))
def test_the_shipped_files_are_in_canonical_form(path: Path) -> None:
    """`polis format` would change none of them."""
    text = path.read_text("utf-8")
    assert formatted(text) == text


@pytest.mark.parametrize("path", sampled(SHIPPED, every=6, slow=3, name=shown_path))
def test_a_file_indented_otherwise_comes_back(path: Path) -> None:
    """With everything indented twice as deep, formatting gives the canonical file."""
    text = formatted(path.read_text("utf-8"))
    deeper = re.sub(r"^( *)(- )?", lambda match: match[1] * 2 + ("-   " if match[2] else ""), text, flags=re.MULTILINE)
    wrapped = re.compile(r"(?<=\[)\n +|\n +(?!- |#|\S*:)")  # lines within brackets and quotes keep their distance
    assert wrapped.sub(" ", formatted(deeper)) == wrapped.sub(" ", text)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["devir", "yucata"])
def test_formatting_keeps_the_hash(name: str, tmp_path: Path) -> None:
    """The composed rules are the same after the keys of every rule have been turned around and formatted again."""
    shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")
    folder = tmp_path / "rulesets" / name
    before = compose(folder).hash
    for path in files_at([folder]):
        text = path.read_text("utf-8")
        path.write_text(re.sub(r"^( +)(cite: .*)\n\1(grade: .*)$", r"\1\3\n\1\2", text, flags=re.MULTILINE), "utf-8")
    assert compose(folder).hash == before
    for path in files_at([folder]):
        new = format_file(path, Diagnostics())
        assert new is not None
        path.write_text(new[1], "utf-8")
    assert compose(folder).hash == before


@pytest.mark.parametrize("path", sampled(SHIPPED, every=6, slow=3, name=shown_path))
def test_one_changed_number_changes_one_line(path: Path) -> None:
    """An edit of a number in a canonical file is still one line after formatting."""
    text = formatted(path.read_text("utf-8"))
    for match in [*re.finditer(r"(?<=: )\d+$", text, re.MULTILINE)][:2]:
        edited = f"{text[: match.start()]}{int(match[0]) + 7}{text[match.end() :]}"
        lines = zip(formatted(edited).split("\n"), text.split("\n"), strict=True)
        assert sum(one != other for one, other in lines) == 1


# -- what moves, and what stays -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        pytest.param(
            "# Terms of trade.\n\nterms:\n  price:\n    # why so\n    title: Price\n    is: 1\n",
            "# Terms of trade.\n\nterms:\n  price:\n    is: 1\n    # why so\n    title: Price\n",
            id="a comment goes with the key below it, a heading stays",
        ),
        pytest.param(
            "procedures:\n  work:\n  - to: b\n    # from here\n    from: a\n    move: 1  # one\n  - stop\n",
            "procedures:\n  work:\n    - move: 1  # one\n      # from here\n      from: a\n      to: b\n    - stop\n",
            id="a step begins with its verb, items are indented below their key",
        ),
        pytest.param(
            "procedures:\n  work:\n    - from: a\n      # one\n      move: 1\n      to: b\n",
            "procedures:\n  work:\n    # one\n    - move: 1\n      from: a\n      to: b\n",
            id="a comment over a key that becomes the first of its item stands over the item",
        ),
        pytest.param(
            "actions:\n  dig:\n    do: [stop]\n    cost: {b: 1, a: 2}\n    requires: {z: a > 1, y: b > 1}\n",
            "actions:\n  dig:\n    cost: {b: 1, a: 2}\n    requires: {z: a > 1, y: b > 1}\n    do: [stop]\n",
            id="labels and what is paid keep the author's order",
        ),
        pytest.param(
            "state: {gold: {title: gold, type: 0..5}}\nterms: {a: {cite: x, is: 1}}\n",
            "state: {gold: {type: 0..5, title: gold}}\nterms: {a: {is: 1, cite: x}}\n",
            id="keys in braces are ordered within their line",
        ),
        pytest.param(
            "terms:\n\n\n  a: {is: 1}   \n\n\n\n  b: {is: 2}\n\n\n",
            "terms:\n\n  a: {is: 1}\n\n  b: {is: 2}\n",
            id="blank lines are single, lines and files do not end with blanks",
        ),
        pytest.param(
            "kinds:\n   card:\n      title: Card\n      # the last\n   # after the card\n# of the file\n",
            "kinds:\n  card:\n    title: Card\n    # the last\n  # after the card\n# of the file\n",
            id="comments at the end stay at the depth they had",
        ),
        pytest.param(
            "change:\n  actions.dig:\n    do: {to: [{to: b, from: a, move: 1}], was: []}\nvariant: v\n",
            "variant: v\nchange:\n  actions.dig:\n    do: {was: [], to: [{move: 1, from: a, to: b}]}\n",
            id="what an overlay puts somewhere is ordered as it would be there",
        ),
        pytest.param(
            "tables:\n  card:\n    fox:\n      ruling: r\n      points: 1\n      cite: c\n      title: Fox\n",
            "tables:\n  card:\n    fox:\n      title: Fox\n      cite: c\n      points: 1\n      ruling: r\n",
            id="attributes of a row stay where they are",
        ),
        pytest.param(
            "terms:\n   a:\n      ruling: >-\n         two\n           lines  \n\n         more\n      is: 1\n",
            "terms:\n  a:\n    is: 1\n    ruling: >-\n      two\n        lines  \n\n      more\n",
            id="prose moves as a whole, blanks at its line ends are part of it",
        ),
        pytest.param("variant: v\r\nadd: {}\r\n", "variant: v\nadd: {}\n", id="lines end with a line feed"),
        pytest.param("services:\n    web: 1\n", "services:\n    web: 1\n", id="files of other programs are left alone"),
        pytest.param(
            "scenario: s\nstart:\n    a: 1\n\ntitle: S\n", "scenario: s\ntitle: S\n\nstart:\n  a: 1\n", id="gaps stay"
        ),
        pytest.param(
            "terms:\n    ? a\n    : {is: 1}\n    b: {title: B, is: 2}\n",
            "terms:\n  ? a\n  : {is: 1}\n  b: {is: 2, title: B}\n",
            id="what is written with question marks moves as a whole",
        ),
    ],
)  # fmt: skip
def test_text_becomes(written: str, wanted: str) -> None:
    """The formatter moves whole lines, with their comments, and nothing else."""
    assert formatted(written) == wanted
    assert formatted(wanted) == wanted


def test_prose_that_a_missing_line_break_cuts_off_is_left_alone() -> None:
    """With a line break at the end of the file the text would have one, too; so the author is asked to decide."""
    diagnostics = Diagnostics()
    assert format_text("terms:\n    a:\n        title: |\n            A", "a.yaml", diagnostics) is None
    (finding,) = diagnostics.items
    assert (finding.code, finding.hint) == ("not-formatted", "end the file with a line break")


# -- any document -------------------------------------------------------------------------------------------------

SCALARS = [
    "1", "you.coins >= 3", '"a: b # c"', "'it''s'", "[a, b]", "{x: 1, y: [2, 3]}", "", "|-\n{}two\n{}  lines  \n\n{}x",
    ">\n{}folded\n{}text", "plain text\n{}over two lines", '"quoted\n{}  over\n\n{}lines"', "[a,\n{}b]", "|2\n",
]  # fmt: skip


class Writer:
    """Writes any tree of the language in any of the ways in which a person might."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.comments = 0

    def number(self, least: int, most: int) -> int:
        return self.draw(st.integers(least, most))

    def noise(self, indent: int) -> None:
        """Blank lines and comments above an entry."""
        for _ in range(self.draw(st.sampled_from([0, 0, 0, 1, 2, 3]))):
            if self.draw(st.booleans()):
                self.lines.append(" " * self.number(0, 3))
            else:
                self.comments += 1
                self.lines.append(" " * (indent + self.draw(st.sampled_from([0, 0, 0, 2, -1]))) + f"# {self.comments}")

    def entries(self, place: Place, depth: int) -> list[tuple[str, Place]]:
        model = model_at(place, ["choose"])
        if model is None:
            keys = ["b", "a", "c"][: self.number(1, 3)]
        else:
            known = [key for key in order_of(model) if key != REST]
            known += ["terms", "phases"] if issubclass(model, Sections) else []
            keys = self.draw(st.lists(st.sampled_from(known), min_size=1, max_size=5, unique=True))
        if place.sort is Step and not place.keys:
            keys = [*(key for key in keys if key != "choose"), "choose"]
        return [(key, inside(place, keys, key)) for key in keys]

    def mapping(self, place: Place, indent: int, depth: int, first: str = "") -> None:
        for number, (key, within) in enumerate(self.entries(place, depth)):
            prefix = " " * indent
            if number == 0 and first:
                prefix = first
            else:
                self.noise(indent)
            self.value(f"{prefix}{key}:", within, indent, depth)

    def value(self, start: str, place: Place, indent: int, depth: int) -> None:
        if place.sort in (None, "value") or depth >= 6:
            text = self.draw(st.sampled_from(SCALARS))
            if text == "|2\n":
                self.lines += [f"{start} |2", " " * (indent + 2) + " led by a blank", ""]
                return
            deeper = " " * (indent + self.number(1, 6))
            tail = "" if "\n" in text else self.draw(st.sampled_from(["", "", "  # inline", "   "]))
            self.lines += (
                f"{start} {text.replace('{}', deeper) if text[:1] not in '{[' or '{}' in text else text}{tail}".split(
                    "\n"
                )
            )
            return
        self.lines.append(start + self.draw(st.sampled_from(["", " ", "  # note"])))
        if get_origin(place.sort) is list or (place.sort is Procedure and self.draw(st.booleans())):
            dash = indent + self.number(0, 4)
            for _ in range(self.number(1, 3)):
                self.noise(dash)
                space = " " * self.number(1, 4)
                if self.draw(st.booleans()):
                    self.lines.append(" " * dash + f"-{space}stop")
                else:
                    self.mapping(Place(Step), dash + 1 + len(space), depth + 2, " " * dash + f"-{space}")
        else:
            self.mapping(place, indent + self.number(1, 6), depth + 1)


@st.composite
def documents(draw: st.DrawFn) -> str:
    writer = Writer(draw)
    writer.noise(0)
    sort = draw(st.sampled_from([ManifestFile, VariantFile, ScenarioFile, SectionsFile, CasesFile]))
    writer.mapping(Place(sort), 0, 0)
    writer.noise(0)
    return "\n".join(writer.lines) + draw(st.sampled_from(["\n", "\n\n"]))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(documents())
def test_any_document_keeps_its_meaning_and_its_comments(text: str) -> None:
    """Formatting is idempotent, changes neither values nor the order of ids, and loses no comment."""
    tree = read_text(text, "a.yaml", Diagnostics())
    if tree is None:
        return
    new = formatted(text)
    assert said(new) == said(text)
    assert formatted(new) == new
    comments = re.compile(r"# (?:\d+|inline|note)")
    assert Counter(comments.findall(new)) == Counter(comments.findall(text))
    if file_sort(tree.entries) is not None:
        assert not re.search(r"^ *# .* $|\n\n\n# |\A\n", new, re.MULTILINE)


# -- the command --------------------------------------------------------------------------------------------------


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["format", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("options", [["--check"], ["--diff"], []])
def test_a_line_break_in_the_name_of_a_file_ends_no_line(options: list[str], tmp_path: Path) -> None:
    """Whatever a file is called, its name stands on one line of what is printed."""
    (tmp_path / "a\nForged\x1b[31m.yaml").write_text("terms:\n    a: {cite: x, is: 1}\n", "utf-8")
    (tmp_path / "b\nForged\x1b[31m.yaml").write_text("terms: [\n", "utf-8")
    _, out, err = run(tmp_path, *options)
    assert "Forged" in out and "Forged" in err and "\x1b" not in out + err
    assert not [line for line in (out + err).split("\n") if line.startswith("Forged")]


@pytest.fixture
def untidy(tmp_path: Path) -> Path:
    """A folder with one file to format, one in order, and one that is hidden."""
    (tmp_path / "a.yaml").write_text("terms:\n    a: {cite: x, is: 1}\n", "utf-8")
    (tmp_path / "b.yaml").write_text("terms:\n  b: {is: 1}\n", "utf-8")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "c.yaml").write_text("terms:\n    a: 1\n", "utf-8")
    return tmp_path


def test_a_folder_is_formatted(untidy: Path) -> None:
    """All files of a folder are, and those in order are not touched."""
    before = (untidy / "b.yaml").stat().st_mtime_ns
    status, out, err = run(untidy)
    assert (status, out) == (0, f"Formatted {untidy / 'a.yaml'}\n")
    assert err == "2 files, 1 formatted.\n"
    assert (untidy / "a.yaml").read_text("utf-8") == "terms:\n  a: {is: 1, cite: x}\n"
    assert (untidy / "b.yaml").stat().st_mtime_ns == before
    assert (untidy / ".hidden" / "c.yaml").read_text("utf-8") == "terms:\n    a: 1\n"


def test_check_says_what_would_change_and_writes_nothing(untidy: Path) -> None:
    """`--check` is for those who only want to know; the status tells."""
    text = (untidy / "a.yaml").read_text("utf-8")
    assert run(untidy, "--check")[:2] == (1, f"Would format {untidy / 'a.yaml'}\n")
    assert run(untidy / "b.yaml", "--check")[0] == 0
    assert (untidy / "a.yaml").read_text("utf-8") == text


def test_diff_shows_the_lines(untidy: Path) -> None:
    """`--diff` prints a unified diff and writes nothing."""
    status, out, _ = run(untidy, "--diff")
    assert status == 0
    assert "-    a: {cite: x, is: 1}\n+  a: {is: 1, cite: x}\n" in out
    assert "cite: x, is: 1" in (untidy / "a.yaml").read_text("utf-8")


def test_a_file_that_cannot_be_read_is_left_alone(untidy: Path) -> None:
    """The finding is printed, the other files are formatted, and the status is 1."""
    broken = untidy / "0.yaml"
    broken.write_text("terms: {a: [1}\n", "utf-8")
    status, out, err = run(untidy, untidy / "nowhere.yaml")
    assert status == 1 and "Formatted" in out
    assert "0.yaml:1:" in err and "malformed-yaml" in err and "unreadable-file" in err
    assert broken.read_text("utf-8") == "terms: {a: [1}\n"


def test_a_file_is_never_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When writing fails the old file is there, whole, and nothing else."""
    path = tmp_path / "a.yaml"
    path.write_text("old", "utf-8")
    monkeypatch.setattr(Path, "replace", lambda self, target: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(OSError, match="full"):
        write_whole(path, "new")
    assert [each.name for each in tmp_path.iterdir()] == ["a.yaml"] and path.read_text("utf-8") == "old"


def test_what_is_no_file_is_written_to_and_not_put_aside(tmp_path: Path) -> None:
    """A pipe stays one, and a folder that is not there is told by the name that was given."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "new")
        assert os.read(reader, 10) == b"new" and pipe.is_fifo()
    finally:
        os.close(reader)
    with pytest.raises(FileNotFoundError) as raised:
        write_whole(tmp_path / "nowhere" / "a.yaml", "new")
    assert raised.value.filename == str(tmp_path / "nowhere" / "a.yaml")


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    """A link keeps leading to its file, and who may read that does not change."""
    path, link = tmp_path / "a.yaml", tmp_path / "link.yaml"
    path.write_text("old", "utf-8")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, "new")
    assert link.is_symlink() and path.read_text("utf-8") == "new" and path.stat().st_mode & 0o777 == 0o640
