"""Sentences that a ruleset gives its own rulebook, as long as the rules that they are about are as they were."""

from __future__ import annotations

from collections.abc import Container, Iterator

from polis_rules.documentation.rulebook.book import Book
from polis_rules.schema import RULE_KEYS, Said
from polis_rules.semantics import every_step, expressions as n, ir
from polis_rules.source import entry


def said_of(book: Book, path: str, inside: Container[str]) -> Said | None:
    """What the ruleset says of a rule; None where it says nothing, or a later layer has changed what that rests on."""
    section, _, name = path.partition(".")
    rules = entry(book.document.book.says, section) if book.document.book is not None else None
    said = entry(rules, name) if rules is not None else None
    if said is None:
        return None
    layers = list(book.composed.layers)
    written = _layers(book, f"book.says.{path}", layers) or [0]
    newer = (layer for each in rests_on(book, path, inside) for layer in _layers(book, each, layers))
    return None if any(layer > max(written) for layer in newer) else said


def rests_on(book: Book, path: str, inside: Container[str]) -> Iterator[str]:
    """A rule, the rules that are told inside it, and the terms and routes that any of them asks."""
    waiting, seen = [path], set[str]()
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        yield each
        if each.startswith("terms."):
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
