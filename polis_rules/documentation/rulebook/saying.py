"""Sentences that a ruleset gives its own rulebook, as long as the rules that they are about are as they were."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from polis_rules.documentation.rulebook.book import Book
from polis_rules.schema import RULE_KEYS, Said
from polis_rules.semantics import every_step, expressions as n, ir
from polis_rules.source import entry


def said_of(book: Book, path: str, inside: Container[str]) -> Said | None:
    """What the ruleset says of a rule; None where it says nothing, or a later layer has changed what that rests on."""
    written = path.removeprefix("tables.")
    section, _, name = written.partition(".")
    rules = entry(book.document.book.says, section) if book.document.book is not None else None
    said = entry(rules, name) if rules is not None else None
    if said is None:
        return None
    layers = list(book.composed.layers)
    since = max(_layers(book, f"book.says.{written}", layers), default=0)
    newer = (layer for each in rests_on(book, path, inside) for layer in _layers(book, each, layers))
    return None if any(layer > since for layer in newer) else said


def sayable(book: Book) -> Iterator[str]:
    """The paths of all that a ruleset may say itself: rules, rows that do something, terms, routes, supplies, score."""
    yield from (path for path in book.rules.procedures if not path.startswith("tables."))
    for kind, rows in book.document.tables.items():
        yield from (f"tables.{kind}.{member}" for member in rows if [*_carried(book, f"tables.{kind}.{member}")])
    yield from (f"terms.{name}" for name in book.document.terms)
    yield from (f"routes.{name}" for name in book.document.routes)
    yield from (f"supplies.{name}" for name in book.document.supplies)
    yield from (f"score.{name}" for name in book.document.score.terms)


def carried_out(book: Book, path: str) -> list[str]:
    """The rules of which a case has to carry out one, so that it proves what is said of a path.

    They are none for a row that only changes terms, of which a case that names it is the proof, and for points.
    """
    if path.startswith("tables."):
        return [key for key in _carried(book, path) if key in book.rules.procedures]
    if path.startswith("score."):
        return []
    if path.startswith("supplies."):
        return [*_handling(book, path.removeprefix("supplies."))]
    if path.startswith(("terms.", "routes.")):
        return [key for key in book.rules.procedures if path in rests_on(book, key, ())]
    return [path]


def _handling(book: Book, supply: str) -> Iterator[str]:
    """The rules that ask for pieces of a supply, or move them."""
    known = next(each for each in book.rules.supplies if each.name == supply)

    def states(trees: Iterable[n.Expr]) -> set[tuple[str, str]]:
        parts = (part for tree in trees for part in tree.walk())
        return {(part.owner, part.name) for part in parts if isinstance(part, n.Load)}

    holding = states((*known.reserve, *known.places.values()))
    for key, each in book.rules.procedures.items():
        if any(holding & states(step.expressions()) for step in every_step(each.body)):
            yield key


def _carried(book: Book, path: str) -> Iterator[str]:
    """What a row does and changes: the paths of its rules, and of the attributes that change terms."""
    _, kind, member = path.split(".")
    for name, attribute in book.rules.symbols.kinds[kind].attributes.items():
        key = f"{path}.{name}"
        if attribute.spec.kind == "condition" or (
            attribute.spec.kind == "changes" and book.changed_terms(kind, member, name)
        ):
            yield key
        yield from (each for each in attribute.procedures.values() if f"{each}.".startswith(f"{key}."))


def rests_on(book: Book, path: str, inside: Container[str]) -> Iterator[str]:
    """A rule, the rules that are told inside it, and the terms and routes that any of them asks."""
    waiting, seen = [path], set[str]()
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        if each.startswith("tables.") and each.count(".") == 2:
            waiting += _carried(book, each)
            continue
        yield f"score.terms.{each.removeprefix('score.')}" if each.startswith("score.") else each
        if each.startswith("score."):
            trees = [book.rules.score[each.removeprefix("score.")]]
        elif each.startswith("terms."):
            body = book.term(each.removeprefix("terms."))[1]
            trees = [body] if body is not None else []
        elif each.startswith("routes."):
            route = book.rules.symbols.routes[each.removeprefix("routes.")]
            trees = [*route.through.values(), *route.costs.values(), *route.also.values()]
        elif each in book.rules.procedures:
            steps = [*every_step(book.rules.procedures[each].body)]
            waiting += (step.procedure for step in steps if isinstance(step, ir.Do) and step.procedure in inside)
            trees = [tree for step in steps for tree in step.expressions()]
        else:
            continue
        parts = [part for tree in trees for part in tree.walk()]
        waiting += (f"routes.{part.route}" for part in parts if isinstance(part, n.RouteQuestion))
        calls = (part for part in parts if isinstance(part, n.Call))
        waiting += (f"terms.{part.term}" for part in calls if part.term in book.document.terms)


def _layers(book: Book, path: str, layers: list[str]) -> list[int]:
    """The layers that have touched a rule, but for what is said about it, by their place."""
    return [
        layers.index(origin.layer)
        for touched, origins in book.composed.origins.items()
        if f"{touched}.".startswith(f"{path}.") and touched.rpartition(".")[2] not in RULE_KEYS
        for origin in origins
        if origin.layer in layers
    ]
