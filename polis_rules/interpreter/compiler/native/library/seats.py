"""Whole games between seats that decide by generators of their own, with what must hold asked at every point.

A seat's generator is Python's own (Matsumoto and Nishimura, "Mersenne Twister", 1998), so that such a game is the one
that Python plays. It takes 625 words: the place of the word that comes next, from 0, and 624 words of 32 bits.
"""

# ruff: noqa: F821, RET503
# mypy: ignore-errors


def sow(at, seed):
    """A generator begins with a seed from 0 to 2**63 - 1, as `random.Random(seed)` does."""
    x = 19650218
    store(at, 1, x)
    for place in range(1, 624):
        x = ((x ^ (x >> 30)) * 1812433253 + place) & 0xFFFFFFFF
        store(at, 1 + place, x)
    x = load(at, 1)
    place = 1
    high = seed >> 32
    part = 0
    for _ in range(624):
        key = high + 1 if part else seed & 0xFFFFFFFF
        x = ((load(at, 1 + place) ^ ((x ^ (x >> 30)) * 1664525)) + key) & 0xFFFFFFFF
        store(at, 1 + place, x)
        part = 1 - part if high else 0
        place += 1
        if place == 624:
            store(at, 1, x)
            place = 1
    for _ in range(623):
        x = ((load(at, 1 + place) ^ ((x ^ (x >> 30)) * 1566083941)) - place) & 0xFFFFFFFF
        store(at, 1 + place, x)
        place += 1
        if place == 624:
            store(at, 1, x)
            place = 1
    store(at, 1, 0x80000000)
    store(at, 0, 0)
    return 0


def bits32(at):
    """The next 32 bits of a generator."""
    place = load(at, 0)
    after = place + 1 if place < 623 else 0
    far = place + 397 if place < 227 else place - 227
    y = (load(at, 1 + place) & 0x80000000) | (load(at, 1 + after) & 0x7FFFFFFF)
    x = load(at, 1 + far) ^ (y >> 1) ^ (-(y & 1) & 0x9908B0DF)
    store(at, 1 + place, x)
    store(at, 0, after)
    x = x ^ (x >> 11)
    x = x ^ ((x << 7) & 0x9D2C5680)
    x = x ^ ((x << 15) & 0xEFC60000)
    return x ^ (x >> 18)


def choice(at, count):
    """A number below another one, as `random.Random.choice` takes the place of what it chooses."""
    shift = 32 - count.bit_length()
    while True:
        found = bits32(at) >> shift
        if found < count:
            return found


def ask(s, asked):
    """The invariants and supplies hold, and where more than 1 is asked every slot is within its range; else a trap."""
    for number in range(INVARIANTS):
        if not call_table("invariants", number, s):
            trap()
    if asked > 1:
        place = RANGES
        for _ in range(MOST_RANGES):
            value = load(s, load(place, 0))
            if value < load(place, 1) or value > load(place, 2):
                trap()
            place += 24
    return 0


def not_counting(s):
    """What rules meet goes where it does not count, or no longer."""
    context = load(s, -1)
    counts = load(context, COUNTS)
    store(context, COUNTS, load(context, UNCOUNTED))
    store(context, UNCOUNTED, counts)
    return 0


def K(s, site, value):  # noqa: N802  # as generated code calls it
    """A site is met with a value: how often that was, how often with 0, the least, the most."""
    at = load(load(s, -1), COUNTS) + 32 * site
    times = load(at, 0)
    store(at, 0, times + 1)
    if value == 0:
        store(at, 1, load(at, 1) + 1)
    if times == 0 or value < load(at, 2):
        store(at, 2, value)
    if times == 0 or value > load(at, 3):
        store(at, 3, value)
    return value


def seated(s, seats, log, most, asked):
    """Play on to the end, up to so many points; how many decisions there were.

    `seats` are the generators of the players. To the log come how many points there were, and for each its number and
    what was taken there. What is `asked` see `ask`.
    """
    decisions = 0
    counted = load(load(s, -1), COUNTS)
    for point in range(most + 1):
        store(log, 0, point)
        pc = load(s, PC)
        if pc == FINISHED:
            if asked:
                ask(s, asked)
            return decisions
        if point == most:
            trap()
        fresh(s)
        at = row(s) * POINTS + pc
        if load(IS_CHANCE, pc):
            if counted:
                call_table("options", at, s)
                not_counting(s)
            option = call_table("chance", at, s)
            if counted:
                not_counting(s)
        else:
            found = call_table("options", at, s)
            count = load(found, 0)
            option = LEAVE
            if count > 0:
                who = call_table("who", pc, s)
                if not under(who, PLAYERS):
                    trap()
                decisions += 1
                option = load(found, 1 + choice(seats + 5000 * who, count))
        if option == LEAVE and load(LEAVES, pc) < 0:
            trap()
        store(log, 1 + 2 * point, pc)
        store(log, 2 + 2 * point, option)
        if asked:
            ask(s, asked)
        fresh(s)
        run(s, call_table("apply", at, s, option))
    trap()


def seated_game(s, seed, first, seats, log, most, asked):
    """The same from the beginning of the game of a seed; those of the seats are `first` and those that follow it."""
    for player in range(PLAYERS):
        sow(seats + 5000 * player, first + player)
    begin(s, seed)
    return seated(s, seats, log, most, asked)
