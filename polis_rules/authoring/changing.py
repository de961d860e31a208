"""One value of a rule file written anew, in place or as a line of an overlay: comments and order stay as they are."""

from __future__ import annotations

from collections.abc import Iterator

from polis_rules.authoring.canonical import flow
from polis_rules.diagnostics import Diagnostics, Span
from polis_rules.schema import Plain
from polis_rules.source import Mapping, Node, Text, read_text

Value = Plain
"""What may be written: a text, a list, or what belongs to keys."""


def in_place(text: str, node: Node, value: Value) -> str | None:
    """A text with another value where a node of it stands; None where that value is not on one line.

    >>> text = "cost: 1   # dear"
    >>> in_place(text, read_text(text, "a", Diagnostics()).get("cost"), "2")
    'cost: 2   # dear'
    """
    span, lines = node.span, text.split("\n")
    line = lines[span.line - 1]
    begin, end = span.column - 1, span.end_column - 1
    if isinstance(node, Text):
        if node.quoted:
            begin, end = begin - 1, end + 1
        elif line[begin:end] != node:  # it goes over several lines
            return None
    elif span.end_line != span.line or line[begin : begin + 1] not in ("[", "{"):
        return None
    if span.end_line != span.line:
        return None
    space = " " if line[:begin].endswith(":") else ""  # after a key nothing stood
    lines[span.line - 1] = f"{line[:begin]}{space}{flow(value)}{line[end:]}"
    return "\n".join(lines)


def with_key(text: str, around: Mapping, key: str, value: Value, last: tuple[str, ...] = ()) -> str:
    """A text in which a mapping has one more key, at its end, but before the keys called `last`.

    >>> text = "isle: {title: Isle}  # small"
    >>> with_key(text, read_text(text, "a", Diagnostics()).get("isle"), "size", "3")
    'isle: {title: Isle, size: 3}  # small'
    >>> text = "isle:\\n  title: Isle\\n  cite: mine\\n"
    >>> with_key(text, read_text(text, "a", Diagnostics()).get("isle"), "size", "3", ("cite",))
    'isle:\\n  title: Isle\\n  size: 3\\n  cite: mine\\n'
    """
    written = f"{key}: {flow(value)}"
    lines, keys = text.split("\n"), list(around.entries)
    span = around.span
    before = next((each for each in keys if str(each) in last), None)
    if _is_flow(lines, span):
        if before is not None:
            return _put(lines, before.span.line, before.span.column - 1 - before.quoted, f"{written}, ")
        return _put(lines, span.end_line, span.end_column - 2, f", {written}" if keys else written)
    indent = " " * (keys[0].span.column - 1 - keys[0].quoted)
    at = before.span.line - 1 if before is not None else _end(lines, keys[-1].span.line, len(indent))
    return "\n".join([*lines[:at], indent + written, *lines[at:]])


def spread(text: str, value: Value) -> str:
    """A text in which keys that hold keys stand on lines of their own, where they were written on one line.

    >>> print(spread("add:\\n  board: {size: [9, 9], places: {isle: {a: [1, 2]}}}", {"size": ["9", "9"],
    ...     "places": {"isle": {"a": ["1", "2"]}}}))
    add:
      board:
        size: [9, 9]
        places:
          isle:
            a: [1, 2]
    """
    if not isinstance(value, dict) or not any(isinstance(each, dict) for each in value.values()):
        return text
    end, lines = f": {flow(value)}", text.split("\n")
    at = next((at for at, line in enumerate(lines) if line.endswith(end) and "{" not in line.removesuffix(end)), None)
    if at is None:
        return text
    key = lines[at].removesuffix(end)
    return "\n".join([*lines[:at], f"{key}:", *_block(value, _indent(key) + 2), *lines[at + 1 :]])


def _block(value: dict[str, Value], indent: int) -> Iterator[str]:
    for key, each in value.items():
        if isinstance(each, dict) and any(isinstance(inner, list | dict) for inner in each.values()):
            yield f"{' ' * indent}{key}:"
            yield from _block(each, indent + 2)
        else:
            yield f"{' ' * indent}{key}: {flow(each)}"


def with_operation(text: str, kind: str, path: str, value: Value | None) -> str:
    """An overlay's text with one more line of an operation; None is nothing, as of what is removed.

    >>> print(with_operation("variant: a\\nchange:\\n  terms.x.is: {was: 1, to: 2}  # so\\n", "change", "terms.y.is",
    ...     {"was": "2", "to": "3"}))
    variant: a
    change:
      terms.x.is: {was: 1, to: 2}  # so
      terms.y.is: {was: 2, to: 3}
    <BLANKLINE>
    """
    tree = read_text(text, "overlay", Diagnostics())
    section = tree.key(kind) if tree is not None else None
    lines = text.split("\n")
    if tree is None or section is None:
        head = text if not text or text.endswith("\n") else f"{text}\n"
        return f"{head}{kind}:\n  {_line(path, value)}\n"
    around, indent = tree.entries[section], section.span.column - 1
    while isinstance(around, Mapping) and around.entries:
        inner = next((each for each in around.entries if _leads(each, around, path)), None)
        if inner is None:
            break
        indent, path = inner.span.column - 1, path.removeprefix(f"{inner}.")
        around = around.entries[inner]
    if isinstance(around, Mapping) and _is_flow(lines, around.span):
        gap = ", " if around.entries else ""
        return _put(lines, around.span.end_line, around.span.end_column - 2, gap + _line(path, value))
    keys = list(around.entries) if isinstance(around, Mapping) else []
    own = keys[0].span.column - 1 - keys[0].quoted if keys else indent + 2
    at = _end(lines, keys[-1].span.line if keys else section.span.line, own)
    return "\n".join([*lines[:at], " " * own + _line(path, value), *lines[at:]])


def operation_at(text: str, path: str) -> tuple[str, Text, Node] | None:
    """The operation of an overlay at a path: its kind, its key and what stands there."""
    tree = read_text(text, "overlay", Diagnostics())
    for kind in ("change", "add", "remove", "replace"):
        node = tree.get(kind) if tree is not None else None
        for key, value, whole in _below(node, ""):
            if whole == path:
                return kind, key, value
    return None


def without_line(text: str, key: Text, value: Node) -> str | None:
    """A text without a key that stands alone on one line with its value; a section that is empty then goes too.

    >>> text = "variant: a\\nchange:\\n  x: {was: 1, to: 2}\\n"
    >>> without_line(text, *operation_at(text, "x")[1:])
    'variant: a\\n'
    """
    lines, number = text.split("\n"), key.span.line
    line = lines[number - 1]
    if line[: key.span.column - 1].strip(" \"'") or value.span.end_line != number:
        return None
    del lines[number - 1]
    indent, above = len(line) - len(line.lstrip()), number - 2
    below = lines[number - 1] if number - 1 < len(lines) else ""
    is_first = above >= 0 and lines[above].rstrip().endswith(":") and _indent(lines[above]) < indent
    if is_first and (not below.strip() or _indent(below) < indent):
        del lines[above]
    return "\n".join(lines)


def _below(node: Node | None, prefix: str) -> Iterator[tuple[Text, Node, str]]:
    for key, value in node.entries.items() if isinstance(node, Mapping) else ():
        yield key, value, prefix + key
        if isinstance(value, Mapping) and "to" not in value.entries:
            yield from _below(value, f"{prefix}{key}.")


def _leads(key: Text, around: Mapping, path: str) -> bool:
    """Whether a path goes on below a key that holds nothing but more paths."""
    value = around.entries[key]
    return path.startswith(f"{key}.") and isinstance(value, Mapping) and "to" not in value.entries


def _line(path: str, value: Value | None) -> str:
    return f"{path}:" if value is None else f"{path}: {flow(value)}"


def _is_flow(lines: list[str], span: Span) -> bool:
    return lines[span.line - 1][span.column - 1 : span.column] == "{"


def _put(lines: list[str], line: int, at: int, what: str) -> str:
    lines[line - 1] = f"{lines[line - 1][:at]}{what}{lines[line - 1][at:]}"
    return "\n".join(lines)


def _end(lines: list[str], last: int, indent: int) -> int:
    """After how many lines what stands below the key on a line ends, which is so far from the left."""
    end = last
    for number in range(last, len(lines)):
        if lines[number].strip():
            if _indent(lines[number]) <= indent:
                break
            end = number + 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
