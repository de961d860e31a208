"""Where a value of a ruleset comes from: what it is, what it means, who wrote and changed it, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from polis_rules.composition import Origin, compose, find, find_base, inline, leaves, scenario_files
from polis_rules.diagnostics import PolisError, RulesetError, Span, did_you_mean, nearest, quote
from polis_rules.documentation.rulebook import Book, Sentences, at, locate, read
from polis_rules.source import Mapping, Node, Text


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
    span: Span | None
    """Where the layer says so; None where that place is not known any more."""


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


def explain(
    ruleset: str | Path, path: str, scenario: str | None = None, variants: Sequence[str | Path] = ()
) -> Explanation:
    """Explain a path such as `actions.dig.cost.coin`, `tables.space.north.size` or `scenario.start.player.coins`.

    Citation, grade and ruling are those of the rule or row around it. Raises UnknownPathError, which names the
    nearest known path, and RulesetError when the ruleset cannot be used.
    """
    book = read(ruleset, scenario, tuple(variants))
    return Explainer(book, ruleset).explain(path.strip("."))


@dataclass(frozen=True)
class Explainer:
    """Explains paths of one book; `ruleset` is where it was read from."""

    book: Book
    ruleset: str | Path

    def explain(self, path: str) -> Explanation:
        """See the function of that name."""
        tree = self.book.composed.tree
        keys = locate(tree, path) if path else None
        if not keys:
            return self._removed(path) or self._default(path) or self._unknown(path)
        nodes = list(_along(tree, keys))
        value = nodes[-1]
        cited = self._cited(keys, nodes)
        return Explanation(
            path=".".join(keys),
            value=inline(value),
            sentence=Sentences(self.book).sentence(keys),
            span=_place(nodes[-2], keys[-1], value),
            layers=tuple(_gathered(self._touches(".".join(keys), value), ".".join(keys))),
            cite=cited.cite,
            source=self._source(cited.cite),
            grade=cited.grade,
            ruling=cited.ruling,
            cited_before=cited.before,
        )

    # -- layers -----------------------------------------------------------------------------------------------------

    def _touches(self, path: str, value: Node | None) -> Iterator[Touch]:
        origins = self.book.composed.origins
        near = [key for key in origins if _overlap(key, path)]
        if not near:
            yield Touch(self._first_layer(path), "write", path, None, _shown(value), None, self._place_of(path))
            return
        if any(origins[key][0].kind != "add" for key in near) or not self._all_touched(path, value):
            yield self._written(path, value, near)
        for key in near:
            steps = origins[key]
            for number, step in enumerate(steps):
                after = steps[number + 1].old if number + 1 < len(steps) else self._now(key)
                yield Touch(step.layer, step.kind, key, step.old, _after(step, after), step.why, step.span)

    def _all_touched(self, path: str, value: Node | None) -> bool:
        """Whether every value at or below a path comes from an overlay."""
        origins = self.book.composed.origins
        return value is not None and all(leaf in origins for leaf, _ in leaves(value, path))

    def _written(self, path: str, value: Node | None, near: list[str]) -> Touch:
        """What the first layer had written before the others touched it."""
        exact = self.book.composed.origins.get(path)
        old = exact[0].old if exact else None
        node, place = self._before(path)
        shown = _shown(node) if node is not None else old
        return Touch(self._first_layer(path), "write", path, None, shown, None, place)

    def _before(self, path: str) -> tuple[Node | None, Span | None]:
        """The value that the first ruleset of the chain holds, and where; nothing where it cannot be read alone."""
        folder = find(self.ruleset)
        layers = self.book.composed.layers
        alone = layers[1] == f"scenario {self.book.composed.scenario}"
        base = folder if alone else find_base(layers[0], folder) or folder
        try:
            composed = compose(base, self._scenario_of(base))
        except RulesetError:
            return None, None
        keys = locate(composed.tree, path)
        if not keys:
            return None, None
        nodes = list(_along(composed.tree, keys))
        return nodes[-1], _place(nodes[-2], keys[-1], nodes[-1])

    def _scenario_of(self, folder: Path) -> str | None:
        return self.book.composed.scenario if self.book.composed.scenario in scenario_files(folder) else None

    def _first_layer(self, path: str) -> str:
        if path.split(".")[0] == "scenario":
            return f"scenario {self.book.composed.scenario}"
        return self.book.composed.layers[0]

    def _place_of(self, path: str) -> Span | None:
        keys = locate(self.book.composed.tree, path)
        if not keys:
            return None
        nodes = list(_along(self.book.composed.tree, keys))
        return _place(nodes[-2], keys[-1], nodes[-1])

    def _now(self, path: str) -> str | None:
        keys = locate(self.book.composed.tree, path)
        return inline(list(_along(self.book.composed.tree, keys))[-1]) if keys else None

    # -- citation ---------------------------------------------------------------------------------------------------

    def _cited(self, keys: list[str], nodes: list[Node]) -> _Cited:
        """Citation, grade and ruling, each of the nearest rule or row around the path that has one."""
        found: dict[str, str | None] = {"cite": None, "grade": None, "ruling": None}
        place = ""
        for depth in range(len(nodes) - 1, -1, -1):
            node = nodes[depth]
            for name in found:
                text = node.get(name) if isinstance(node, Mapping) else None
                if found[name] is None and isinstance(text, Text):
                    found[name] = str(text)
                    place = place or ".".join([*keys[:depth], name])
        return _Cited(found["cite"], found["grade"], found["ruling"], self._changed_after(".".join(keys), place))

    def _changed_after(self, path: str, cited: str) -> str | None:
        """The layer that has changed a value last, unless it has also touched what is said about its source."""
        rule = cited.rpartition(".")[0]
        last = self.book.composed.origins.get(path, [])
        if not last or path == cited or last[-1].kind == "add":
            return None
        about = [self.book.composed.origins.get(f"{rule}.{name}", []) for name in ("cite", "grade", "ruling")]
        return None if any(step.layer == last[-1].layer for steps in about for step in steps) else last[-1].layer

    def _source(self, cite: str | None) -> str | None:
        if cite is None:
            return None
        known = at(self.book.document.manifest.sources, cite.split(",")[0].strip())
        return None if known is None else f"{known.title}{f', {known.url}' if known.url else ''}"

    # -- what is not in the tree ------------------------------------------------------------------------------------

    def _removed(self, path: str) -> Explanation | None:
        near = [key for key in self.book.composed.origins if key == path or key.startswith(f"{path}.")]
        if not path or not near:
            return None
        touches = tuple(_gathered(self._touches(path, None), path))
        last = touches[-1]
        because = f" because: {last.why}" if last.why else "."
        return Explanation(path, None, f"Taken away by {last.layer}{because}", last.span, touches)

    def _default(self, path: str) -> Explanation | None:
        """A value that no row states because the default of its kind stands."""
        parts = path.split(".")
        row = ".".join(parts[:3])
        keys = locate(self.book.composed.tree, row) if len(parts) > 3 and parts[0] == "tables" else None
        kind = at(self.book.document.kinds, parts[1]) if keys else None
        attribute = at(kind.attributes, parts[3]) if kind is not None else None
        if attribute is None or attribute.default is None or len(parts) > 4 + len(attribute.per):
            return None
        for index, member in zip(attribute.per.values(), parts[4:], strict=False):
            if member not in self.book.rules.symbols.kinds[index].index:
                return None
        nodes = list(_along(self.book.composed.tree, keys or []))
        value, place = inline(attribute.default), attribute.default.span
        said = Sentences(self.book).sentence(parts)
        touch = Touch(self.book.composed.layers[0], "write", f"kinds.{parts[1]}.attributes.{parts[3]}.default", None,
                      value, None, place)  # fmt: skip
        cited = self._cited(keys or [], nodes)
        return Explanation(path, value, said, place, (touch,), cited.cite, self._source(cited.cite), cited.grade,
                           cited.ruling, by_default=True)  # fmt: skip

    def _unknown(self, path: str) -> Explanation:
        known = self._near(path)
        hint = f"; {did_you_mean(known)}" if known else ""
        raise UnknownPathError(f"nothing stands at {quote(path, 120)}{hint}")

    def _near(self, path: str) -> str | None:
        """The nearest known path: a sibling of the part that is wrong, or else any path that looks alike."""
        tree = self.book.composed.tree
        parts = path.split(".")
        for cut in range(len(parts) - 1, -1, -1):
            keys = locate(tree, ".".join(parts[:cut])) if cut else []
            if keys is None:
                continue
            node = list(_along(tree, keys))[-1]
            names = [str(key) for key in node.entries] if isinstance(node, Mapping) else []
            rest = ".".join(parts[cut:])
            close = nearest(parts[cut], names) or nearest(rest, names)
            if close:
                longer = ".".join([*parts[:cut], close, *parts[cut + 1 :]])
                return longer if locate(tree, longer) else ".".join([*parts[:cut], close])
            break
        ids = dict(_ids(tree))
        close = nearest(parts[0], ids)
        longer = ".".join([ids[close], *parts[1:]]) if close else ""
        return longer if close and locate(tree, longer) else nearest(path, [leaf for leaf, _ in leaves(tree, "")])


@dataclass(frozen=True, slots=True)
class _Cited:
    cite: str | None
    grade: str | None
    ruling: str | None
    before: str | None


def _gathered(touches: Iterator[Touch], path: str) -> Iterator[Touch]:
    """What one entry of a layer did to several values is one touch of all of them."""
    for _, group in groupby(touches, key=lambda touch: (touch.layer, touch.kind, touch.span)):
        several = list(group)
        if len(several) == 1:
            yield several[0]
            continue
        first = several[0]
        shared = path
        for part in first.path.removeprefix(path).strip(".").split("."):
            longer = f"{shared}.{part}"
            if not all(touch.path.startswith(f"{longer}.") for touch in several):
                break
            shared = longer
        yield Touch(first.layer, first.kind, shared, None, None, first.why, first.span)


def _ids(tree: Mapping) -> Iterator[tuple[str, str]]:
    """Every rule and row by its id alone, with its path."""
    for section, body in tree.entries.items():
        for id, inner in body.entries.items() if isinstance(body, Mapping) else ():
            if section == "tables" and isinstance(inner, Mapping):
                yield from ((str(row), f"tables.{id}.{row}") for row in inner.entries)
            else:
                yield str(id), f"{section}.{id}"


def _along(tree: Mapping, keys: list[str]) -> Iterator[Node]:
    """The nodes along a path of keys, the whole tree first."""
    node: Node = tree
    yield node
    for key in keys:
        inner = node.get(key) if isinstance(node, Mapping) else None
        assert inner is not None  # `locate` has been there
        node = inner
        yield node


def _place(parent: Node, key: str, value: Node) -> Span:
    """A value's place; a mapping or a list stands where its key does."""
    if isinstance(value, Text):
        return value.span
    written = parent.key(key) if isinstance(parent, Mapping) else None
    return written.span if written is not None else value.span


def _overlap(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def _shown(value: Node | None) -> str | None:
    return None if value is None else inline(value)


def _after(step: Origin, after: str | None) -> str | None:
    return None if step.kind == "remove" else after
