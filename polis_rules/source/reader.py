"""YAML text to a tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

from polis_rules.diagnostics import Diagnostics, Related, Span, quote
from polis_rules.source.folded import folded
from polis_rules.source.limits import DEEPEST, LARGEST
from polis_rules.source.tree import Mapping, Node, Sequence, Text

MOST_FINDINGS = 100
"""After so many errors a file is not read on."""


def plain_lines(text: str) -> str:
    """A text whose lines end with LF, without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_text(text: str, shown_as: str, diagnostics: Diagnostics) -> Mapping | None:
    """The tree of YAML text, as `read_file` does it.

    >>> tree = read_text("cost: {coin: 2}", "a.yaml", Diagnostics())
    >>> tree.entries["cost"].entries["coin"].span.column
    14
    """
    text = plain_lines(text)
    diagnostics.sources[shown_as] = text
    if len(text) > LARGEST:
        message = f"{quote(shown_as)} is larger than {LARGEST} characters"
        diagnostics.error("file-too-large", message, Span(shown_as, 1, 1, 1, 1))
        return None
    if not _acceptable(text, shown_as, diagnostics):
        return None
    root = _parse(text, shown_as, diagnostics)
    if root is None or isinstance(root, Mapping):
        return root
    diagnostics.error("not-a-mapping", "a file is a mapping of names", root.span, hint="write `name: value`")
    return None


@cache
def _forbidden() -> re.Pattern[str]:
    """Control characters, line ends other than LF, marks that reorder text on a screen, lone surrogates."""
    allowed = (
        "\n\x20-\x7e\xa0-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
    )
    return re.compile(f"[^{allowed}]")  # takes long, and whoever plays reads nothing


_DIRECTIVE = re.compile("^%", re.MULTILINE)


def _acceptable(text: str, file: str, diagnostics: Diagnostics) -> bool:
    """Refuse what YAML readers disagree about, before any of them sees it."""
    sound = True
    if match := _forbidden().search(text):
        at = _point_in(text, match.start(), file)
        what = "a tab" if match[0] == "\t" else f"the character U+{ord(match[0]):04X}"
        hint = "use spaces" if match[0] == "\t" else "remove it"
        diagnostics.error("forbidden-character", f"{what} stands here", at, hint=hint)
        sound = False
    if match := _DIRECTIVE.search(text):
        message = "a line that begins with % is a directive, and those are not part of the language"
        diagnostics.error("directive", message, _point_in(text, match.start(), file), hint="remove the line")
        sound = False
    return sound


def point(file: str, line: int, column: int) -> Span:
    """One character, from a line and a column that count from 0."""
    return Span(file, line + 1, column + 1, line + 1, column + 2)


def _line_from(text: str, file: str, line: int, column: int) -> Span:
    """What stands on a line from a place on, which counts from 0, without a comment."""
    here = text.split("\n")[line][column:].partition(" #")[0].rstrip()
    return Span(file, line + 1, column + 1, line + 1, column + 1 + max(1, len(here)))


def _point_in(text: str, index: int, file: str) -> Span:
    return point(file, text.count("\n", 0, index), index - text.rfind("\n", 0, index) - 1)


def _parse(text: str, file: str, diagnostics: Diagnostics) -> Node | None:
    """Parse with the C reader where there is one; what is not clean for it, the pure one judges.

    So a ruleset is accepted or refused in the same words wherever it is read.
    """
    findings = Diagnostics()
    with suppress(_Malformed):  # the pure reader meets it again
        root = _Builder(text, file, findings).build(_c_events(text))
        # what is too deep is told alike by both, and the pure one is slow there
        too_deep = [each.code for each in findings.items] == ["too-deep"]
        if too_deep or (isinstance(root, Mapping) and not findings.items):
            diagnostics.extend(findings.items)
            return root
    builder = _Builder(text, file, diagnostics)
    try:
        return builder.build(_pure_events(text))
    except _Malformed as error:
        at = point(file, *(error.place or builder.end))
        problem, advice = _plainly(" ".join(error.problem.split()), text, at)
        if (quote_mark := _unclosed_quote(text, file, at.line)) is not None:
            message, seen = "not YAML: this quote is not closed on its line", ((f"seen here: {problem}", at),)
            diagnostics.error("malformed-yaml", message, quote_mark, "is a closing quote missing?", seen)
        elif (cut := _cut_brace(text, file, at.line)) is not None:
            message, seen = "not YAML: this # hides a closing bracket in a comment", ((f"seen here: {problem}", at),)
            hint = "quote the text if the # belongs to it, or end the braces before the comment"
            diagnostics.error("malformed-yaml", message, cut, hint, seen)
        elif (key := _without_colon(text, at, error.problem)) is not None:
            message, seen = f"not YAML: a colon is missing after {quote(key)}", ((f"seen here: {problem}", at),)
            column = text.split("\n")[at.line - 1].rfind(key, 0, at.column)
            place = Span(file, at.line, column + 1, at.line, column + len(key) + 1)
            diagnostics.error("malformed-yaml", message, place, f"write {quote(key + ': {...}')}", seen)
        elif error.key is not None:
            place = _line_from(text, file, *error.key)
            diagnostics.error("malformed-yaml", f"not YAML: {problem} after this", place, hint=advice)
        else:
            diagnostics.error("malformed-yaml", f"not YAML: {problem}", at, hint=advice)
        return None


_QUOTED = re.compile(r"""(?:^|[-:?,] |[\[{])\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""")
_OPENING = re.compile(r"""(?:^|[-:?,] |[\[{])\s*(["'])(?!.*\1)""")


def _without_quotes(line: str) -> str:
    """A line with blanks in the place of what is quoted."""
    return _QUOTED.sub(lambda match: " " * len(match[0]), line)


def _unclosed_quote(text: str, file: str, last: int) -> Span | None:
    """The last quote, up to a line, that begins a value and is not closed on its line: it may hide what follows."""
    lines = text.split("\n")[:last]
    for number in range(len(lines) - 1, -1, -1):
        line = _without_quotes(lines[number]).partition(" #")[0]
        if (match := _OPENING.search(line)) is not None:
            after = "\n".join(text.split("\n")[number + 1 :]).partition(match[1])
            closed = after[1] and re.match(r"\s*(?:$|[,:#\]}])", after[2].partition("\n")[0])
            return None if closed else point(file, number, match.start(1))
    return None


def _cut_brace(text: str, file: str, last: int) -> Span | None:
    """The first `#`, up to a line, that takes for a comment what would close the brackets opened before it there.

    Brackets that a later line closes all the same are left alone.
    """
    depth, cut = 0, None
    for number, line in enumerate(text.split("\n")[:last]):
        before, mark, comment = _without_quotes(line).partition(" #")
        depth = max(0, depth + _open_brackets(before))
        if not depth:
            cut = None
        elif cut is None and mark and _open_brackets(before) > 0 > _open_brackets(comment):
            cut = point(file, number, len(before) + 1)
    return cut


def _open_brackets(text: str) -> int:
    """How many more brackets are opened than closed."""
    return sum(text.count(each) for each in "{[") - sum(text.count(each) for each in "}]")


def _without_colon(text: str, at: Span, problem: str) -> str | None:
    """The key before a brace that opens on this line, where a colon between them is what the reader missed."""
    begins = {"mapping values": r"^\s*", "expected ','": r"(?:^|[{,])\s*"}
    line = text.split("\n")[at.line - 1][: at.column]
    for part, begin in begins.items():
        if part in problem and (match := re.search(begin + r"([a-z][\w.]*) +\{[^{}]*$", line)) is not None:
            return match[1]
    return None


def events(text: str) -> list[Any]:
    """The YAML events of text that `read_text` accepts, with marks that count lines and columns from 0."""
    with suppress(_Malformed):
        if fast := list(_c_events(text)):
            return fast
    return list(_pure_events(text))


class _Malformed(Exception):  # noqa: N818  (never leaves this module)
    """A reader gave up; `place` is a line and a column from 0, where the reader says one, and `key` those of the key
    after which it misses a colon."""

    def __init__(self, error: Exception) -> None:
        mark, begun = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
        self.problem: str = getattr(error, "problem", None) or "this cannot be read"
        self.place: tuple[int, int] | None = (mark.line, mark.column) if mark else None
        misses = "could not find expected ':'" in self.problem
        self.key: tuple[int, int] | None = (begun.line, begun.column) if misses and begun else None
        super().__init__(self.problem)


def _c_events(text: str) -> Iterator[Any]:
    """Events from the C reader (ruamel.yaml.clib or clibz), some 20 times as fast; none without it."""
    try:
        from ruamel.yaml import cyaml
    except ImportError:
        return
    parser = cyaml.CParser(text)  # type: ignore[attr-defined]
    yield from _guarded(iter(parser.get_event, None))


def _pure_events(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML

    yield from _guarded(YAML(typ="safe", pure=True).parse(text))


def _guarded(events: Iterator[Any]) -> Iterator[Any]:
    """The events, and any failure of the reader (ValueError and others too) as one exception."""
    try:
        yield from events
    except Exception as error:
        raise _Malformed(error) from error


_INDENTED = "this line is indented otherwise than the one before", "is it indented like the one that it continues?"

_PLAIN = {
    "mapping values are not allowed": (
        "a colon is not expected here",
        "text that holds a colon and a space needs quotes; a key above others has no value of its own",
    ),
    "cannot start any token": ("text cannot begin with this character", "put quotes around this text"),
    "end of stream": ("the text ends too soon", "is a closing quote missing?"),
    "could not find expected ':'": ("a colon is expected", "a key is followed by a colon and a space"),
    "found '}'": ("this bracket closes nothing", "is one too many?"),
    "found ']'": ("this bracket closes nothing", "is one too many?"),
    "<block end>, but found '<scalar>'": ("something follows a value that is complete", "put quotes around all of it"),
    "<block end>, but found '-'": ("entries with `-` and keys cannot stand in one list", None),
    "<block end>, but found '?'": ("entries with `-` and keys cannot stand in one list", None),
    "expected <block end>": _INDENTED,
    "'<document start>'": _INDENTED,
    "expected ','": (
        "a comma or a closing bracket is expected",
        "is a comma or bracket missing? Text with brackets, commas or colons needs quotes",
    ),
}
"""What the reader's words (a part of them) mean, and what to do."""


def _plainly(problem: str, text: str, at: Span) -> tuple[str, str | None]:
    """What the reader found, in plain words, and what to do."""
    message, advice = next((plain for part, plain in _PLAIN.items() if part in problem), (problem, None))
    lines = text.split("\n")[: at.line]
    number = next((n for n in range(at.line - 1, 0, -1) if lines[n - 1].partition("#")[0].strip()), 0)
    cut = re.search(r"[^\s,:{[]+$", lines[-1][: at.column - 1])
    if cut and "expected ','" in problem and lines[-1][at.column - 1 :].startswith(("[", "{")):
        message = (
            f"a bracket cuts the expression that begins with `{cut[0]}`: inside braces it begins a list or a mapping"
        )
        return message, "put quotes around the expression, or write it without braces"
    here, before = lines[-1], lines[number - 1].partition("#")[0].rstrip() if number else ""
    if not number or here[: at.column - 1].strip() or "<block end>, but found '<" not in problem:
        return message, advice
    if before.endswith(("{}", "[]")):
        return f"`{before.strip()}` on line {number} is closed already", f"take the `{before[-2:]}` away"
    columns = (len(line) - len(line.lstrip()) + 1 for line in (here, before))
    return f"{_INDENTED[0]} (columns {' and '.join(map(str, columns))})", _INDENTED[1]


_GLUED_COMMENT = re.compile("[|>][-+0-9]*#")


class _TooMuchError(Exception):
    """A file is not read on; what is wrong with it has been reported."""


class _Builder:
    """Puts parser events together into a tree."""

    def __init__(self, text: str, file: str, diagnostics: Diagnostics) -> None:
        self.text = text
        self.file = file
        self.diagnostics = diagnostics
        self.end = (0, 0)
        self.findings = 0

    def build(self, events: Iterable[Any]) -> Node | None:
        root, following = None, iter(events)
        with suppress(_TooMuchError):
            for event in following:
                kind = type(event).__name__
                if kind == "DocumentStartEvent" and root is not None:
                    self._error("several-documents", "a second document begins here", self._span(event))
                    return None
                if not kind.startswith(("Stream", "Document")):
                    root = self._node(event, following)
            if root is None:
                self._error("not-a-mapping", "the file is empty", Span(self.file, 1, 1, 1, 1))
            return root if self.findings <= MOST_FINDINGS else None
        return None

    def _node(self, event: Any, following: Iterator[Any], depth: int = 0, key: Text | None = None) -> Node:
        """What begins with an event, inside so many mappings and lists, and perhaps under a key."""
        kind = type(event).__name__
        if self.findings > MOST_FINDINGS:
            raise _TooMuchError
        if kind == "AliasEvent":
            self._refuse("alias", "aliases", "*" + event.anchor, self._span(event))
            return Text("", self._span(event))
        if event.anchor is not None:
            self._refuse("anchor", "anchors", "&" + event.anchor, self._span(event))
        if event.tag is not None:
            hint = "write `not`, or put quotes around this text"
            self._refuse("tag", "tags", str(event.tag), self._span(event), hint)
        if kind == "ScalarEvent":
            return self._text(event, key)
        span = self._span(event)
        if depth == DEEPEST:
            self._error("too-deep", f"mappings and lists are nested more than {DEEPEST} deep", span)
            raise _TooMuchError
        self.end = (event.end_mark.line, event.end_mark.column)
        entries: dict[Text, Node] = {}
        items: list[Node] = []
        while not type(inner := next(following)).__name__.endswith("EndEvent"):
            node = self._node(inner, following, depth + 1)
            if kind == "SequenceStartEvent":
                items.append(node)
                continue
            name = node if isinstance(node, Text) else Text("", node.span)
            is_new = self._is_new_key(node, entries)
            value = self._node(next(following), following, depth + 1, name)
            if is_new:
                entries[name] = value
        start, end = inner.start_mark, inner.end_mark
        if (start.line, start.column) != (end.line, end.column):  # else it ends where its last value does
            self.end = (end.line, end.column)
        whole = Span(self.file, span.line, span.column, self.end[0] + 1, self.end[1] + 1)
        return Sequence(items, whole) if kind == "SequenceStartEvent" else Mapping(entries, whole)

    def _error(self, code: str, message: str, span: Span, related: Related = (), hint: str | None = None) -> None:
        self.findings += 1
        self.diagnostics.error(code, message, span, hint=hint, related=related)

    def _span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _refuse(self, code: str, what: str, text: str, span: Span, hint: str | None = None) -> None:
        self._error(code, f"{what} like {quote(text)} are not part of the language", span, hint=hint)

    def _text(self, event: Any, key: Text | None) -> Text:
        style, value = event.style, event.value
        start, end = event.start_mark, event.end_mark
        if not (style or value) and key is not None:  # an empty value has no place of its own
            return Text("", replace(key.span, line=key.span.end_line, column=key.span.end_column))
        self.end = (end.line, end.column)
        if not style:
            return self._over_lines(Text(value, self._span(event)))
        if style in "|>":
            return Text(value, self._prose(start, end))
        span = Span(self.file, start.line + 1, start.column + 2, end.line + 1, end.column)
        if style == '"' and (match := _forbidden().search(value)):
            message = f"this text holds the character U+{ord(match[0]):04X}"
            self._error("forbidden-character", message, span)
            value = _forbidden().sub("\N{REPLACEMENT CHARACTER}", value)
        return self._over_lines(Text(value, span, quoted=True))

    def _over_lines(self, text: Text) -> Text:
        span = text.span
        return text if span.line == span.end_line else folded(self.lines[span.line - 1 : span.end_line], text)

    def _prose(self, start: Any, end: Any) -> Span:
        """The first line of a block of prose that has words on it."""
        if _GLUED_COMMENT.match(self.lines[start.line], start.column):  # YAML wants a space; the C reader does not
            self._error("malformed-yaml", "not YAML: a comment begins with a space", self._point(start))
        for number, line in enumerate(self.lines[start.line + 1 : end.line + 1], start.line + 2):
            if content := line.strip(" "):
                column = line.index(content) + 1
                return Span(self.file, number, column, number, column + len(content))
        return self._point(start)

    def _point(self, mark: Any) -> Span:
        return point(self.file, mark.line, mark.column)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def _is_new_key(self, node: Node, entries: dict[Text, Node]) -> bool:
        """Whether something is a key that a mapping has not; what is none is reported."""
        if not isinstance(node, Text):
            self._error("key-not-text", "a key is a word, not a mapping or a list", node.span)
        elif not node or "\n" in node:
            self._error("key-not-text", "a key is a word on one line", node.span)
        elif node == "<<" and not node.quoted:
            self._error("merge-key", "merge keys are not part of the language", node.span)
        elif node in entries:
            first = next(key for key in entries if key == node)
            message = f"the key {quote(node)} stands twice in this mapping"
            self._error("duplicate-key", message, node.span, (("it stands here first", first.span),))
        else:
            return True
        return False
