"""Working memory: words that are taken from the top of what is left, and given back."""

# ruff: noqa: F821
# mypy: ignore-errors

from __future__ import annotations


def room(s, words) -> Room:
    """The address of so many words that were not in use."""
    context = load(s, -1)
    at = load(context, TOP)
    end = at + 8 * words
    if end > load(context, LIMIT) or words < 0:
        trap()
    store(context, TOP, end)
    return at


def half(s) -> Room:
    """The same, half of what is left."""
    context = load(s, -1)
    at = load(context, TOP)
    words = load(context, LIMIT) - at >> 4
    if words < 2:
        trap()
    store(context, TOP, at + 8 * words)
    return at


def zeroed(s, words) -> Room:
    """The same, all of them 0."""
    at = room(s, words)
    for place in range(words):
        store(at, place, 0)
    return at


def copied(s) -> Room:
    """A copy of a state with its context."""
    at = room(s, 1 + SIZE)
    copy(at, s - 8, 1 + SIZE)
    return at + 8


def tick(s, much):
    """A loop or procedure that may do much begins again."""
    context = load(s, -1)
    ticks = load(context, TICKS) + much
    store(context, TICKS, ticks)
    if ticks > MOST_AT_ONCE:
        trap()
    return 0
