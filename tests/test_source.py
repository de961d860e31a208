"""Reading YAML: what comes out, where it says it stands, and that nothing but diagnostics ever goes wrong."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.span import Span
from polis_rules.source import reader as source
from polis_rules.source.files import LARGEST, read_file
from polis_rules.source.reader import DEEPEST, Mapping, Node, Sequence, Text, read_text


def read(text: str) -> Mapping:
    diagnostics = Diagnostics()
    tree = read_text(text, "a.yaml", diagnostics)
    assert not diagnostics.items, diagnostics.items
    assert tree is not None
    return tree


def codes(text: str) -> list[tuple[str, str]]:
    """What is reported about a text: codes and places."""
    diagnostics = Diagnostics()
    read_text(text, "a.yaml", diagnostics)
    return [(each.code, str(each.span).removeprefix("a.yaml:")) for each in diagnostics.items]


def as_plain(node: Node | None) -> Any:
    if isinstance(node, Mapping):
        return {str(key): as_plain(value) for key, value in node.entries.items()}
    if isinstance(node, Sequence):
        return [as_plain(item) for item in node.items]
    return node


def texts(node: Node) -> Iterator[Text]:
    if isinstance(node, Text):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.entries.items():
            yield key
            yield from texts(value)
    else:
        for item in node.items:
            yield from texts(item)


def test_scalars_stay_the_text_that_is_written() -> None:
    tree = read("a: yes\nb: 010\nc: 1_000\nd: ~\ne: 2020-01-01\nf: 1..3\ng: 0x1F\nh: null\n")
    assert list(as_plain(tree).values()) == ["yes", "010", "1_000", "~", "2020-01-01", "1..3", "0x1F", "null"]


def test_structure_and_order_are_kept() -> None:
    text = "b: {y: 1, x: [2, {z: 3}]}\na:\n- 4\n- c: 5\n  d:\n  - 6\n"
    assert as_plain(read(text)) == {
        "b": {"y": "1", "x": ["2", {"z": "3"}]},
        "a": ["4", {"c": "5", "d": ["6"]}],
    }
    assert list(as_plain(read(text))) == ["b", "a"]


def test_an_empty_value_is_an_empty_text_just_behind_its_key() -> None:
    value = read("a:\nb: ''\n").get("a")
    assert isinstance(value, Text)
    assert (value, value.quoted, value.span) == ("", False, Span("a.yaml", 1, 2, 1, 2))
    quoted = read("b: ''\n").get("b")
    assert isinstance(quoted, Text)
    assert (quoted, quoted.quoted) == ("", True)


@pytest.mark.parametrize("text", ["a: b + c\n", "a: 'b + c'\n", 'a: "b + c"\n', "x: [{a: b + c}]\n"])
def test_a_span_covers_exactly_the_content(text: str) -> None:
    lines = text.split("\n")
    for each in texts(read(text)):
        assert lines[each.span.line - 1][each.span.column - 1 : each.span.end_column - 1] == each


def test_prose_in_blocks_is_placed_at_its_first_line() -> None:
    tree = read("a: >\n\n  some words\n  and more\nb: |\n  one\n  two\n")
    assert as_plain(tree) == {"a": "\nsome words and more\n", "b": "one\ntwo\n"}
    first, second = tree.get("a"), tree.get("b")
    assert first is not None
    assert first.span == Span("a.yaml", 3, 3, 3, 13)
    assert second is not None
    assert second.span == Span("a.yaml", 6, 3, 6, 6)


@pytest.mark.parametrize(
    "text",
    [
        "is: one of\n  two  \n\n    there",
        'is: "one of\n      two\n  there"',
        "is: 'one of\n two there'",
        "is: one of two there",
    ],
    ids=["with an empty line, which stays a break", "in double quotes", "in single quotes", "on one line"],
)
def test_the_words_of_a_text_over_several_lines_are_placed_where_they_stand(text: str) -> None:
    value, lines = read(text).get("is"), text.split("\n")
    assert isinstance(value, Text)
    if "\n" in value:
        assert value.place(0, 3) == value.span
        return
    for word in ("one", "of", "two", "there"):
        at = value.index(word)
        for place in (value.place(at, at + len(word)), value.part(at, len(value)).place(0, len(word))):
            assert lines[place.line - 1][place.column - 1 : place.end_column - 1] == word
            assert place.line == place.end_line
    assert pickle.loads(pickle.dumps(value)).place(7, 10) == value.place(7, 10)
    whole = value.place(0, len(value))
    assert (whole.line, whole.end_line) == (1, len(lines))


def test_a_mapping_ends_where_its_last_value_does() -> None:
    tree = read("a:\n  b: 1\n\n\n# comment\nc: {d: 2} # comment\n")
    block, flow = tree.get("a"), tree.get("c")
    assert block is not None
    assert block.span == Span("a.yaml", 2, 3, 2, 7)
    assert flow is not None
    assert flow.span == Span("a.yaml", 6, 4, 6, 10)


def test_line_ends_and_a_byte_order_mark_make_no_difference() -> None:
    assert read("\ufeffa: 1\r\nb:\r\n  c: 2\r") == read("a: 1\nb:\n  c: 2\n")


def test_texts_can_be_copied_and_pickled_with_their_places() -> None:
    tree = read("a: 'b'\n")
    for again in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        value = again.get("a")
        assert isinstance(value, Text)
        assert (value, value.quoted, value.span) == ("b", True, Span("a.yaml", 1, 5, 1, 6))


def test_a_key_is_found_with_its_own_place() -> None:
    key = read("a: 1\nbc: 2\n").key("bc")
    assert key is not None
    assert key.span == Span("a.yaml", 2, 1, 2, 3)
    assert read("a: 1\n").key("b") is None


REFUSED = {
    "a: 1\na: 2\n": [("duplicate-key", "2:1")],
    "x:\n  a: 1\n  'a': 2\n": [("duplicate-key", "3:4")],
    "a: &x 1\n": [("anchor", "1:4")],
    "a: *x\n": [("alias", "1:4")],
    "a: &x 1\nb: *x\n": [("anchor", "1:4"), ("alias", "2:4")],
    "<<: 1\n": [("merge-key", "1:1")],
    "a: !x 1\n": [("tag", "1:4")],
    "a: !!str 1\n": [("tag", "1:4")],
    "a: ! 1\n": [("tag", "1:4")],
    "a: 1\n---\nb: 2\n": [("several-documents", "2:1")],
    "- a\n": [("not-a-mapping", "1:1")],
    "a\n": [("not-a-mapping", "1:1")],
    "": [("not-a-mapping", "1:1")],
    "# nothing\n": [("not-a-mapping", "1:1")],
    "{a: 1}: 2\n": [("key-not-text", "1:1")],
    "? [a]\n: 2\n": [("key-not-text", "1:3")],
    ": 2\n": [("key-not-text", "1:1")],
    "a: 1\n\tb: 2\n": [("forbidden-character", "2:1")],
    "a: 1\x002\n": [("forbidden-character", "1:5")],
    "a: \x85\n": [("forbidden-character", "1:4")],
    "a: \ud800\n": [("forbidden-character", "1:4")],
    "a: \u202eb\n": [("forbidden-character", "1:4")],
    'a: "\\0"\n': [("forbidden-character", "1:5")],
    'a: "\\ud800"\n': [("forbidden-character", "1:5")],
    "%YAML 1.1\n---\na: 1\n": [("directive", "1:1")],
    "a: b: c\n": [("malformed-yaml", "1:5")],
    "a: [b\n": [("malformed-yaml", "2:1")],
    "a: 'b\n": [("malformed-yaml", "1:4")],
    "a: |#\n": [("malformed-yaml", "1:5")],
    'a: "\\UFFFFFFFF"\n': [("malformed-yaml", "1:2")],
    "a: @b\n": [("malformed-yaml", "1:4")],
    "a: 1\n b: 2\n": [("malformed-yaml", "2:3")],
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_of_the_language_is_refused_at_its_place(text: str) -> None:
    assert codes(text) == REFUSED[text]


def test_a_duplicate_key_names_both_places_and_the_first_value_stays() -> None:
    diagnostics = Diagnostics()
    tree = read_text("a: 1\nb: 2\na: 3\n", "a.yaml", diagnostics)
    assert diagnostics.items[0].related == (("it stands here first", Span("a.yaml", 1, 1, 1, 2)),)
    assert as_plain(tree) == {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('a: "one\nb: two\nc: "three"\n', "1:4"),
        ("a: 'x\nb: 'y'\n", "1:4"),
        ('a: ["b", "c]\nd: 1\n', "1:10"),
        ('a: "lines\n  two"\nb: c: d\n', "3:5"),
    ],
)
def test_an_unclosed_quote_is_reported_where_it_stands(text: str, place: str) -> None:
    """The mistake is the quote that its line does not close, not what the reader stumbles over lines below."""
    assert codes(text) == [("malformed-yaml", place)]


@pytest.mark.parametrize(
    ("text", "place", "marked"),
    [
        ("a: 1\nchange\n  x: 1\n", "2:1", "change"),
        ("a: 1\nextends chess  # it\n\n# more\nb: 2\n", "2:1", "extends chess"),
        ("a:\n  b: 1\n  c\n\n  d: 1\n", "3:3", "c"),
        ("a: 1\nb", "2:1", "b"),
    ],
)
def test_a_key_without_a_colon_is_reported_where_it_stands(text: str, place: str, marked: str) -> None:
    """Not where the reader gives up to wait for the colon, on a line below."""
    findings = Diagnostics()
    read_text(text, "page.yaml", findings)
    (found,) = findings.items
    assert found.code == "malformed-yaml" and str(found.span) == f"page.yaml:{place}" and found.span is not None
    assert text.split("\n")[found.span.line - 1][found.span.column - 1 : found.span.end_column - 1] == marked


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a:\n  rest: {title: Rest #1}\n  b: 3\n", "2:22"),
        ("a: [one #1]\nb: {c: two #2}\n", "1:9"),
        ("a: {b: 'x #1'}\nc: {d: x #2, e: [f]}\n", "2:10"),
        ("a: {b: 1,  # as x}\n  c: 2}\nd: [\n", "4:1"),
    ],
)
def test_a_comment_that_hides_a_closing_bracket_is_reported_where_it_begins(text: str, place: str) -> None:
    """Not what the reader stumbles over below; brackets that are closed all the same are left alone."""
    assert codes(text) == [("malformed-yaml", place)]


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("a:\n    b: 1\n  c: 2\n", "this line is indented otherwise than the one before (columns 3 and 5)", "indented"),
        ("add: {}\n# more\n  x: 1\n", "`add: {}` on line 1 is closed already", "take the `{}` away"),
        ("a:\n  b: []\n    - x\n", "`b: []` on line 2 is closed already", "take the `[]` away"),
        ("a: {b: 1}}\n", "this bracket closes nothing", "is one too many?"),
        ("a: 'x' y\n", "something follows a value that is complete", "put quotes around all of it"),
        ("- a\nb: 1\n", "entries with `-` and keys cannot stand in one list", None),
    ],
)
def test_what_is_not_yaml_is_told_in_plain_words(text: str, message: str, hint: str | None) -> None:
    """Nobody has to know what a parser calls a block mapping start."""
    diagnostics = Diagnostics()
    read_text(text, "a.yaml", diagnostics)
    assert [each.message for each in diagnostics.items] == [f"not YAML: {message}"]
    assert hint is None or hint in (diagnostics.items[0].hint or "")


def test_nesting_has_a_limit() -> None:
    inner = DEEPEST - 1
    assert codes("a: " + "[" * inner + "]" * inner) == []
    assert [code for code, _ in codes("a: " + "[" * 100_000)] == ["too-deep"]
    assert [code for code, _ in codes("a: " + "{b: " * 40_000)] == ["too-deep"]


def test_what_is_too_deep_for_the_quick_reader_is_not_read_by_the_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of open brackets take the pure reader seconds, and it would say the same."""
    pytest.importorskip("_ruamel_yaml")
    monkeypatch.setattr(source, "_pure_events", lambda text: pytest.fail("the slow reader was asked"))
    assert codes("a: " + "[" * 3000) == [("too-deep", f"1:{3 + DEEPEST}")]


def test_after_many_errors_a_file_is_not_read_on() -> None:
    assert len(codes("a: 1\n" * 5000)) == source.MOST_FINDINGS + 1


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    (tmp_path / "large.yaml").write_bytes(b"a: " + b"b" * LARGEST)
    (tmp_path / "latin.yaml").write_bytes("a: 1\nb: é\n".encode("latin-1"))
    (tmp_path / "wide.yaml").write_bytes("a: 1\n".encode("utf-16"))
    for name in ("large.yaml", "latin.yaml", "wide.yaml", "missing.yaml", ".", "nul\0.yaml", "x" * 5000):
        assert read_file(tmp_path / name, name, diagnostics) is None
    assert [(each.code, each.span and str(each.span)) for each in diagnostics.items] == [
        ("file-too-large", "large.yaml:1:1"),
        ("not-utf8", "latin.yaml:2:4"),
        ("not-utf8", "wide.yaml:1:1"),
        *[("unreadable-file", None)] * 4,
    ]


def test_a_file_is_remembered_for_messages(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    (tmp_path / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    assert read_file(tmp_path / "a.yaml", "game/a.yaml", diagnostics) is not None
    assert diagnostics.sources == {"game/a.yaml": "a: 1\n"}


@given(st.text())
def test_any_text_gives_a_mapping_or_an_error(text: str) -> None:
    diagnostics = Diagnostics()
    assert read_text(text, "a.yaml", diagnostics) is not None or diagnostics.has_errors


@given(content=st.binary())
def test_any_bytes_give_a_mapping_or_an_error(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("bytes") / "a.yaml"
    path.write_bytes(content)
    diagnostics = Diagnostics()
    assert read_file(path, "a.yaml", diagnostics) is not None or diagnostics.has_errors


# fmt: off
PIECES = st.sampled_from([
    "a", "b: ", "- ", "\n", "\n  ", "\n    ", "{", "}", "[", "]", ", ", ":", "'", '"', "#", " #c", "&x ",
    "*x", "!t ", "|", "|\n  x\n", "> \n  y\n", "|-\n", "|2+\n", "? ", "<<: ", "---", "\n---\n", "...", "%",
    "\\n", "\\x00", "é", "\U0001f600", "null", "1..3", "\xa0", " ", "\r\n", "''", '"a\\\n  b"', "k: v\n",
    "- 1\n", ">=",
])
# fmt: on
SOUP = st.lists(PIECES, max_size=14).map("".join)


@given(SOUP)
def test_anything_like_yaml_gives_a_mapping_or_an_error(text: str) -> None:
    diagnostics = Diagnostics()
    tree = read_text(text, "a.yaml", diagnostics)
    assert tree is not None or diagnostics.has_errors
    for each in texts(tree) if tree else ():
        assert each.span.line >= 1
        assert (each.span.line, each.span.column) <= (each.span.end_line, each.span.end_column)


Reading = tuple[Mapping | None, list[tuple[bool, Span]], list[Any]]


def read_with(events: Callable[[str], Iterator[Any]] | None, text: str) -> Reading:
    """Everything that reading gives, with the C reader replaced."""
    with pytest.MonkeyPatch.context() as patch:
        if events:
            patch.setattr(source, "_c_events", events)
        diagnostics = Diagnostics()
        tree = read_text(text, "a.yaml", diagnostics)
    return tree, [(each.quoted, each.span) for each in texts(tree)] if tree else [], diagnostics.items


@pytest.mark.skipif(not list(source._c_events("a: 1")), reason="the C reader is not installed")
@given(SOUP)
@example("a: |#\n")
@example("a:\n- \n- b:\n  c:\nd: \n")
@example("a: {b, c: , d: [ , ]}\n")
def test_both_readers_give_the_same(text: str) -> None:
    assert read_with(None, text) == read_with(lambda _: iter(()), text)


NAMES = st.text("abc_é", min_size=1, max_size=4)
SCALARS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2000, exclude_categories=["C", "Z"]), max_size=8)
TREES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=12)


def written(value: Any) -> str:
    """A value in flow style, with every text in single quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return "'" + str(value).replace("'", "''") + "'"


@pytest.mark.slow
@given(st.dictionaries(NAMES, TREES))
def test_what_is_written_is_what_is_read(value: dict[str, Any]) -> None:
    assert as_plain(read(written(value))) == value
