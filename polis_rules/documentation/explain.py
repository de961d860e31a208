"""Where a value of a ruleset comes from: what it is, what it means, who wrote and changed it, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, takewhile
from pathlib import Path
from typing import Any

from polis_rules.composition import Origin, first_word, inline, leaves, reach, to_list, ways_into
from polis_rules.diagnostics import PolisError, Span, did_you_mean, nearest, quote
from polis_rules.documentation.rulebook import Book, Sentences, own_words, read, subject
from polis_rules.documentation.rulebook.english import upper_first
from polis_rules.documentation.tree_diff import shown
from polis_rules.schema import HEAD_KEYS
from polis_rules.source import Mapping, Node, Text, entries_at, entry, found_at, node_at, spoken


class UnknownPathError(PolisError):
    """Nothing stands at a path, and no layer has taken anything away from there."""


@dataclass(frozen=True, slots=True)
class Touch:
    """What one layer did to a value."""

    layer: str
    """The ruleset, scenario or variant, e.g. `variant quick`."""
    kind: str
    """`write`, or an overlay's `add`, `change`, `replace`, `remove`."""
    path: str
    """What was touched: the path asked for, or one inside or around it."""
    old: str | None
    """The value before on one line; None where there was none."""
    new: str | None
    """The value after; None where the layer took it away."""
    why: str | None
    span: Span
    """Where the layer says so."""
    where: str | None = None
    """Of inserted steps, where: `after pay`, `at start`."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything there is to know about one path."""

    path: str
    value: str | None
    """On one line; None where a layer has taken it away."""
    sentence: str
    """What a player would read."""
    span: Span | None
    """Where it stands now."""
    layers: tuple[Touch, ...]
    """What the layers that wrote or touched it did, in order."""
    cite: str | None = None
    source: str | None = None
    """Title and address of the source that the citation names."""
    grade: str | None = None
    ruling: str | None = None
    cited_before: str | None = None
    """The layer that has changed the value without a citation of its own: the one given is of what was before."""
    by_default: bool = False
    """Whether no row says it, so that the kind's default stands."""
    own_words: str | None = None
    """What the ruleset's rulebook says of it in words of its own, as long as these hold."""


def told_layer(touch: Touch, path: str) -> str:
    """What a layer did to the value at a path, in one line with its place."""
    what = "" if touch.path == path else f" {touch.path}"
    new, old = (None if text is None else _on_one_line(text) for text in (touch.new, touch.old))
    if touch.kind == "write":
        line = f"{touch.layer} has{what} {new}" if new is not None and new[:1] != "{" else f"{touch.layer} has it"
    elif touch.kind == "remove":
        line = f"{touch.layer} removes{what or ' it'}{f', which was {old}' if old else ''}"
    elif touch.where is not None:
        line = f"{touch.layer} inserts {new} {touch.where} of {touch.path}"
    elif new is None and old is None:
        line = f"{touch.layer} {touch.kind}s{what or ' it'}"
    elif old is None:
        line = f"{touch.layer} adds{what} {new}"
    else:
        line = f"{touch.layer} {touch.kind}s{what} from {old} to {new if new is not None else 'nothing'}"
    return line if touch.span is None else f"{line} ({touch.span})"


def _on_one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else f"{line[:157]}..."


def explain(
    ruleset: str | Path, path: str, scenario: str | None = None, variants: Sequence[str | Path] = ()
) -> Explanation:
    """Explain a path such as `actions.dig.cost.coin`, `tables.space.north.size` or `scenario.start.player.red.coins`.

    Citation, grade and ruling are those of the rule or row around it. Raises UnknownPathError, which names the
    nearest known path, and RulesetError when the ruleset cannot be used.
    """
    return explained(read(ruleset, scenario, variants), path)


def explained(book: Book, path: str) -> Explanation:
    """The same of a ruleset that is open already."""
    path = path.strip(".")
    if path == "settings" and book.composed.settings:
        return _settings(book)
    section, name, *_ = [*path.split("."), ""]
    setting = book.composed.settings.get(name) if section == "settings" else None
    if setting is not None:
        path = f"terms.{name}"  # which it is while rules are read
    reached = reach(book.composed.tree, path)
    if reached.rest:
        return _removed(book, path) or _default(book, path) or _use(book, path) or _unknown(book, path)
    way = found_at(book.composed.tree, reached.place)
    keys, inner = [str(key) for key, _ in way], reached.keys[len(to_list(reached.keys)) :]
    if not inner:
        said, span = Sentences(book).sentence(keys), _place(way)
    else:  # within a list of steps
        words = [spoken(part) for part in path.removeprefix(reached.place).strip(".").split(".")]
        said = f"{', '.join([subject(book, keys), *words])}: {inline(reached.value)}."
        span = first_word(reached.value)
    touches = _touches(book, path)
    if setting is not None:
        path = f"settings.{name}"
        touches = (replace(each, path=path) for each in chain(_touches(book, path), touches))
    return Explanation(
        path=path,
        value=inline(reached.value) if setting is None else str(setting.value),
        sentence=said,
        span=span,
        layers=tuple(_gathered(touches, path)),
        own_words=own_words(book, path),
        **_cited(book, reached.place, way),
    )


# -- layers ---------------------------------------------------------------------------------------------------------


def _touches(book: Book, path: str) -> Iterator[Touch]:
    composed = book.composed
    first = reach(composed.base, path)
    if not first.rest:
        layer = f"scenario {composed.scenario}" if path.split(".")[0] == "scenario" else composed.layers[0]
        way = found_at(composed.base, first.place)
        place = _place(way) if len(to_list(first.keys)) == len(first.keys) else first_word(first.value)
        use = next((use for use in composed.uses if place is not None and place.file == use.file), None)
        layer = layer if use is None else f"the library {use.library}"
        yield Touch(layer, "write", path, None, inline(first.value), None, place)
    for key in (key for key in composed.origins if _overlap(key, path)):
        for step in composed.origins[key]:
            if step.by is None or not step.by.path.startswith(f"{key}.") or _is_near(book, step.by.path, path):
                yield _touch(step, key)


def _is_near(book: Book, touched: str, path: str) -> bool:
    """Whether a path into a list leads to what another one leads to, or around it, or into it."""
    one, other = reach(book.composed.tree, touched), reach(book.composed.tree, path)
    if one.rest or other.rest:
        return _overlap(touched, path)
    return all(a == b for a, b in zip(one.keys, other.keys, strict=False))


def _touch(origin: Origin, key: str) -> Touch:
    """What a layer did, at the path of a value; of a list only what it did inside."""
    by = origin.by
    if by is not None and by.kind == "insert":
        where = f"{by.side} {by.anchor}"
        return Touch(origin.layer, by.kind, by.path, None, shown(by.value), origin.why, origin.span, where)
    if by is not None and by.path.startswith(f"{key}."):
        new = None if by.kind == "remove" else shown(by.value)
        return Touch(origin.layer, by.kind, by.path, shown(by.was), new, origin.why, origin.span)
    return Touch(origin.layer, origin.kind, key, shown(origin.old), shown(origin.new), origin.why, origin.span)


# -- citation -------------------------------------------------------------------------------------------------------


def _cited(book: Book, path: str, way: list[tuple[Text, Node]]) -> dict[str, Any]:
    """Citation, grade and ruling, each of the nearest rule or row around the path that has one."""
    citation: dict[str, str | None] = dict.fromkeys(HEAD_KEYS)
    place = ""
    for depth in range(len(way), 0, -1):
        node = way[depth - 1][1]
        for name in HEAD_KEYS:
            text = node_at(node, name)
            if isinstance(text, Mapping):  # the grades of a row's values
                text = text.get(str(way[depth][0]) if depth < len(way) else "default") or text.get("default")
            if citation[name] is None and isinstance(text, Text):
                citation[name] = str(text)
                place = place or ".".join([*(key for key, _ in way[:depth]), name])
    return {**citation, "source": _source(book, citation["cite"]), "cited_before": _changed_after(book, path, place)}


def _changed_after(book: Book, path: str, cited: str) -> str | None:
    """The layer that has changed a value last, unless it has also touched what is said about its source."""
    rule = cited.rpartition(".")[0]
    last = book.composed.origins.get(path, [])
    if not last or path == cited or last[-1].kind == "add":
        return None
    about = [book.composed.origins.get(f"{rule}.{name}", []) for name in HEAD_KEYS]
    return None if any(step.layer == last[-1].layer for steps in about for step in steps) else last[-1].layer


def _source(book: Book, cite: str | None) -> str | None:
    known = entry(book.document.manifest.sources, (cite or "").split(",")[0].strip())
    return None if known is None else f"{known.title}{f', {known.url}' if known.url else ''}"


# -- what is not in the tree ----------------------------------------------------------------------------------------


def _removed(book: Book, path: str) -> Explanation | None:
    near = [key for key in book.composed.origins if key == path or key.startswith(f"{path}.")]
    if not path or not near:
        return None
    touches = tuple(_gathered(_touches(book, path), path))
    last = touches[-1]
    because = f" because: {last.why}" if last.why else "."
    return Explanation(path, None, f"Taken away by {last.layer}{because}", last.span, touches)


def _default(book: Book, path: str) -> Explanation | None:
    """A value that no row states because the default of its kind stands."""
    tree, parts = book.composed.tree, path.split(".")
    row, source = ".".join(parts[:3]), f"kinds.{'.attributes.'.join(parts[1:4:2])}.default"
    cell, default = found_at(tree, row), found_at(tree, source)
    if len(parts) < 4 or parts[0] != "tables" or not cell or not default:
        return None
    symbols = book.rules.symbols
    per, members = symbols.kinds[parts[1]].attributes[parts[3]].per, parts[4:]
    known = all(member in symbols.kinds[kind].index for (_, kind), member in zip(per, members, strict=False))
    if len(members) > len(per) or not known:
        return None
    value, place = inline(default[-1][1]), default[-1][1].span
    said = Sentences(book).sentence(parts)
    touch = Touch(book.composed.layers[0], "write", source, None, value, None, place)
    cited = _cited(book, path, cell) | {"cited_before": None}
    return Explanation(path, value, said, place, (touch,), by_default=True, **cited)


def _settings(book: Book) -> Explanation:
    """All settings, which have become terms."""
    settings = book.composed.settings
    said = " ".join(f"{upper_first(each.told)}." for each in settings.values())
    value = f"{{{', '.join(f'{name}: {each.value}' for name, each in settings.items())}}}"
    touches = chain.from_iterable(_touches(book, f"settings.{name}") for name in settings)
    changed = (each for each in touches if each.kind != "write")
    return Explanation("settings", value, said, None, tuple(changed))


def _use(book: Book, path: str) -> Explanation | None:
    """A library that is used, under the name of the use."""
    name = path.removeprefix("uses.")
    used = next((each for each in book.composed.uses if each.prefix == f"{name}_"), None)
    if used is None:
        return None
    needs = "; ".join(used.needs)
    said = f"{used.title}. Its rules are called {name}_... here.{f' What it needs: {needs}.' if needs else ''}"
    touch = Touch(book.composed.layers[0], "write", path, None, f"library {used.library}", None, used.place)
    return Explanation(path, f"library {used.library}", said, used.place, (touch,))


def _unknown(book: Book, path: str) -> Explanation:
    left_out = [book.composed.left_out[each] for each in path.split(".") if each in book.composed.left_out]
    if left_out:
        told, place, _ = left_out[0]
        raise UnknownPathError(f"nothing stands at {quote(path, 120)}: {told} ({place})")
    known = _near(book, path)
    hint = f"; {did_you_mean(known)}" if known else ""
    raise UnknownPathError(f"nothing stands at {quote(path, 120)}{hint}")


def _near(book: Book, path: str) -> str | None:
    """The nearest known path: a sibling of the part that is wrong, or else any path that looks alike."""
    tree, parts = book.composed.tree, path.split(".")
    if parts[0] == "settings" and book.composed.settings:
        return f"settings.{nearest('.'.join(parts[1:]), book.composed.settings) or next(iter(book.composed.settings))}"
    reached = reach(tree, path)
    names, (wrong, *rest) = ways_into(reached.value), reached.rest
    there = parts[: len(parts) - len(reached.rest)]
    if close := nearest(wrong, names) or nearest(".".join([wrong, *rest]), names):
        longer = ".".join([*there, close, *rest])
        return longer if not reach(tree, longer).rest else ".".join([*there, close])
    ids = dict(_ids(tree))
    close = nearest(parts[0], ids)
    longer = ".".join([ids[close], *parts[1:]]) if close else ""
    return longer if close and not reach(tree, longer).rest else nearest(path, [leaf for leaf, _ in leaves(tree, "")])


def _gathered(touches: Iterator[Touch], path: str) -> Iterator[Touch]:
    """What one entry of a layer did to several values is one touch of all of them."""
    for _, group in groupby(touches, key=lambda touch: (touch.layer, touch.kind, touch.span, touch.where)):
        several = list(group)
        if len(several) == 1:
            yield several[0]
            continue
        first, paths = several[0], [touch.path.split(".") for touch in several]
        shared = [parts[0] for parts in takewhile(lambda parts: len(set(parts)) == 1, zip(*paths, strict=False))]
        yield Touch(first.layer, first.kind, max(path, ".".join(shared), key=len), None, None, first.why, first.span)


def _ids(tree: Mapping) -> Iterator[tuple[str, str]]:
    """Every rule and row by its id alone, with its path."""
    for section, body in tree.entries.items():
        for id, inner in entries_at(body).items():
            if section == "tables":
                yield from ((str(row), f"tables.{id}.{row}") for row in entries_at(inner))
            else:
                yield str(id), f"{section}.{id}"


def _place(way: list[tuple[Text, Node]]) -> Span:
    """A value's place; a mapping or a list stands where its key does."""
    key, value = way[-1]
    return value.span if isinstance(value, Text) else key.span


def _overlap(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
