"""Rows that refer to themselves, or two of them to one, where each other row refers to one of its own.

Why: a partner who is oneself, or a home that two players share, is most often a row that was copied.
Example: `ann: {partner: ann}` beside `ben: {partner: ann}`; a third player whose partner is also the second's, so
that nobody has the third for a partner, and turns that pass from partner to partner never come to it.
Looked at are players, and kinds of which there are just as many as of those that they refer to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from polis_rules.semantics import Attribute, KindSymbol, rows_of, value_of
from polis_rules.source import Text
from polis_rules.validation.analysis import Subject

ENOUGH = 4
"""So many rows there must be of a kind other than the players."""


def check(subject: Subject) -> None:
    """Report `own-reference` and `shared-reference`."""
    for name, declared in subject.document.kinds.items():
        kind = subject.symbols.kinds[name]
        for key in declared.attributes:
            attribute = kind.attributes[key]
            plain = attribute.type is not None and attribute.type.base == "ref" and not attribute.per
            if plain and key not in declared.for_each and (name == "player" or len(kind.members) >= ENOUGH):
                _look(kind, attribute, subject)


def _look(kind: KindSymbol, attribute: Attribute, subject: Subject) -> None:
    values, members = attribute.values, kind.members
    places = [value_of(row, attribute.name) for row in rows_of(subject.document, kind.name).values()]
    target = subject.symbols.kinds[attribute.type.kind if attribute.type is not None else ""].members
    own = [at for at, value in enumerate(values) if value == at] if target == members else []
    if own and len(own) < len(values) and (kind.name == "player" or _paired(values, own)):
        for at in own:
            place = places[at]
            if isinstance(place, Text):
                message = f"`{members[at]}` is its own {attribute.name}, and no other {kind.name} is"
                subject.found.warning("own-reference", message, place.span, confidence="likely")
        return
    count = Counter(value for value in values if value >= 0)
    shared = [value for value, times in count.items() if times > 1]
    fits = len(target) == len(values) if kind.name != "player" else len(target) >= len(values)
    if fits and len(shared) == 1 and count[shared[0]] == 2:
        first, second = (at for at, value in enumerate(values) if value == shared[0])
        place, other = places[second], places[first]
        if isinstance(place, Text) and isinstance(other, Text):
            message = f"`{members[second]}` has the same {attribute.name} as `{members[first]}`"
            without = [name for at, name in enumerate(target) if at not in count]
            more = f", and no {kind.name} has `{without[0]}`" if len(without) == 1 else ""
            related = (("the other one", other.span),)
            subject.found.warning(
                "shared-reference", message + more, place.span, related=related, confidence="possible"
            )


def _paired(values: Sequence[int], own: list[int]) -> bool:
    """Whether all others refer to each other in pairs."""
    return all(value >= 0 and values[value] == at for at, value in enumerate(values) if at not in own)
