"""Batches: many states, each moved on by one call. What a batch holds stands in `records`."""

# ruff: noqa: F821, RET503
# mypy: ignore-errors

from __future__ import annotations


def begin_all(batch):
    """All states become those of new games."""
    state = load(batch, BATCH_STATES)
    for place in range(load(batch, BATCH_MANY)):
        store(batch, BATCH_AT, place)
        tell(state, batch, place, anew(state, batch, place))
        state += load(batch, BATCH_STRIDE)
    return 0


def step_all(batch):
    """All states that have options are moved on by what was chosen among these."""
    state = load(batch, BATCH_STATES)
    for place in range(load(batch, BATCH_MANY)):
        store(batch, BATCH_AT, place)
        moved(state, batch, place)
        state += load(batch, BATCH_STRIDE)
    return 0


def moved(s, batch, place):
    """One of them."""
    count = load(load(batch, BATCH_COUNTS), place)
    store(load(batch, BATCH_ENDED), place, 0)
    if count == 0:
        return 0
    chosen = load(load(batch, BATCH_CHOSEN), place)
    if not under(chosen, count):
        trap()
    found = step(s, load(load(batch, BATCH_OPTIONS) + 8 * place * load(batch, BATCH_WIDTH), chosen))
    if load(s, PC) == FINISHED:
        finish(s, batch, place)
        if load(batch, BATCH_RESTARTS):
            found = anew(s, batch, place)
    return tell(s, batch, place, found)


def anew(s, batch, place) -> List:
    """A state becomes that at the first decision of the next game that has one; its options."""
    for _ in range(MOST_ROUNDS):
        seed = load(batch, BATCH_NEXT)
        store(batch, BATCH_NEXT, seed + 1)
        store(load(batch, BATCH_SEEDS), place, seed)
        found = begun(s, seed)
        if load(found, 0) > 0:
            return found
    trap()


def finish(s, batch, place):
    """It is told how a game has ended."""
    store(load(batch, BATCH_ENDED), place, 1)
    store(load(batch, BATCH_ENDINGS), place, load(s, ENDING))
    store(load(batch, BATCH_WON), place, winners(s))
    scores = load(batch, BATCH_SCORES) + 8 * place * PLAYERS
    for who in range(PLAYERS):
        store(scores, who, call_table("rank", 0, s, who))
    return 0


def tell(s, batch, place, found):
    """It is told which options a state has, and who decides."""
    counts, width = load(batch, BATCH_COUNTS), load(batch, BATCH_WIDTH)
    before, count = load(counts, place), load(found, 0)
    if count > width:
        store(batch, BATCH_WANTED, count)
        trap()
    options = load(batch, BATCH_OPTIONS) + 8 * place * width
    for other in range(count):  # so few that a copy would take longer
        store(options, other, load(found, 1 + other))
    for other in range(count, before):
        store(options, other, -1)
    store(counts, place, count)
    who = -1
    if count > 0:
        who = call_table("who", load(s, PC), s)
    store(load(batch, BATCH_WHO), place, who)
    return 0
