"""Whole games: from one waiting point to the next, and to the end."""

# ruff: noqa: F821, RET503
# mypy: ignore-errors

from __future__ import annotations


def row(s):
    """Which row of a table of functions is for who acts; the last one for nobody."""
    you = load(s, YOU)
    return you if you >= 0 else PLAYERS


def run(s, counter):
    """Go on from a block until the game waits or is over."""
    while counter > FINISHED:
        counter = call_table("blocks", row(s) * BLOCKS + counter - FINISHED - 1, s)
    store(s, PC, counter)
    return counter


def fresh(s):
    """Working memory is empty again, and loops may go round as often as ever."""
    context = load(s, -1)
    store(context, TOP, load(context, BOTTOM))
    store(context, TICKS, 0)
    store(context, QUESTION, load(context, QUESTION) + 1)
    return 0


def begin(s, seed):
    """A state becomes that at the first waiting point of a new game."""
    copy(s, FIRST, SIZE)
    store(s, SEED, seed)
    fresh(s)
    return run(s, BEGIN)


def options(s) -> List:
    """The options of the present decision as a list; for chance, the outcomes."""
    fresh(s)
    return call_table("options", row(s) * POINTS + load(s, PC), s)


def outcome(s):
    """How the state's own random generator answers the present chance point."""
    fresh(s)
    return call_table("chance", row(s) * POINTS + load(s, PC), s)


def apply(s, option):
    """Carry out an option, up to the next waiting point."""
    fresh(s)
    return run(s, call_table("apply", row(s) * POINTS + load(s, PC), s, option))


def playout(s, tally, log, most, asked):
    """Play on to the end, every option equally likely, through at most so many points.

    To the tally's words come decisions, those with one option only, and options in all. To a log, if there is one, come
    how many points there were, and for each its number and what was taken there; what is `asked` there see `ask`.
    """
    choices = draw64(load(s, SEED), CHOICES, 0)
    decisions, forced, total = 0, 0, 0
    counter = load(s, PC)
    for point in range(most + 1):
        if counter == FINISHED:
            store(tally, 0, load(tally, 0) + decisions)
            store(tally, 1, load(tally, 1) + forced)
            store(tally, 2, load(tally, 2) + total)
            if log:
                if asked:
                    ask(s, asked)
                store(log, 0, point)
            return 0
        fresh(s)
        at = row(s) * POINTS + counter
        if load(IS_CHANCE, counter):
            option = counted_chance(s, at) if log else call_table("chance", at, s)
        else:
            found = call_table("options", at, s)
            count = load(found, 0)
            option = LEAVE
            if count > 0:
                decisions += 1
                total += count
                forced += count == 1
                choices = choices * STEP + SHIFT if count > 1 else choices
                option = load(found, 1 + ((choices >> 32) * count >> 32))
        if log:
            if not load(IS_CHANCE, counter) and option != LEAVE and not under(call_table("who", counter, s), PLAYERS):
                trap()
            if asked:
                ask(s, asked)
            store(log, 1 + 2 * point, counter)
            store(log, 2 + 2 * point, option)
        if option == LEAVE and load(LEAVES, counter) < 0:
            trap()
        counter = run(s, call_table("apply", at, s, option))
    trap()


def playouts(s, seed, count, tally):
    """Games with these seeds. After the tally's three words comes how many have come to their end, then of each game:
    its decisions, ending and winner, and the players' scores."""
    at = 4
    store(tally, 3, 0)
    for game in range(count):
        begin(s, seed + game)
        before = load(tally, 0)
        playout(s, tally, 0, LONGEST_GAME, 0)
        store(tally, at, load(tally, 0) - before)
        store(tally, at + 1, load(s, ENDING))
        store(tally, at + 2, load(s, WINNER))
        at += 3
        for player in range(PLAYERS):
            fresh(s)
            store(tally, at, call_table("rank", 0, s, player))
            at += 1
        store(tally, 3, game + 1)
    return 0
