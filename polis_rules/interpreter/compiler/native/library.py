"""What native code is built on, in the part of Python that is lowered: it is read by `lowering`, and never run.

Words of memory are read by `load(address, place)` and written by `store(address, place, value)`; `copy`, `trap`,
`call_table`, `under` (an unsigned `<`) and `multiply_high` are those of the tree. Names in capitals are numbers that
the unit gives. A state stands at an address `s`; the word before it is the address of its context: working memory that
is begun anew for each question.

A list is an address: how many members, then they from the top.
"""

# ruff: noqa: F821, RET503, SIM102
# mypy: ignore-errors


# -- working memory ----------------------------------------------------------------------------------------------------


def room(s, words):
    """The address of so many words that were not in use."""
    context = load(s, -1)
    at = load(context, TOP)
    end = at + 8 * words
    if end > load(context, LIMIT) or words < 0:
        trap()
    store(context, TOP, end)
    return at


def half(s):
    """The same, half of what is left."""
    context = load(s, -1)
    at = load(context, TOP)
    words = load(context, LIMIT) - at >> 4
    if words < 2:
        trap()
    store(context, TOP, at + 8 * words)
    return at


def zeroed(s, words):
    """The same, all of them 0."""
    at = room(s, words)
    for place in range(words):
        store(at, place, 0)
    return at


def copied(s):
    """A copy of a state with its context."""
    at = room(s, 1 + SIZE)
    copy(at, s - 8, 1 + SIZE)
    return at + 8


def tick(s):
    """A loop that may be long goes round."""
    context = load(s, -1)
    ticks = load(context, TICKS) + 1
    store(context, TICKS, ticks)
    if ticks > MOST_AT_ONCE:
        trap()
    return 0


# -- numbers -----------------------------------------------------------------------------------------------------------


def draw64(seed, salted, counter):
    """64 random bits: `polis_rules.interpreter.machine.chance.draw64`."""
    z = seed + salted + (counter + 1) * 0x9E3779B97F4A7C15
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    return z ^ (z >> 31)


def nth(place, count):
    """The member at a place of a table."""
    if not under(place, count):
        trap()
    return place


def product(left, right):
    """A product that is not too large."""
    result = left * right
    if left < -1 or left > 0:
        if result // left != right:
            trap()
    return result


def bit_at(bits, place):
    """The place in the table of the member at a place of a set of at most 64."""
    while place > 0:
        bits = bits & (bits - 1)
        place -= 1
    if bits == 0 or place < 0:
        trap()
    return (bits & -bits).bit_length() - 1


# -- lists -------------------------------------------------------------------------------------------------------------


def list_of(s, members):
    """A list of its own with the members of another."""
    words = 1 + load(members, 0)
    at = room(s, words)
    copy(at, members, words)
    return at


def item(members, place):
    """The member at a place, from 0 at the top or from -1 at the bottom; -1 beyond the ends."""
    count = load(members, 0)
    if place < 0:
        place += count
    return load(members, 1 + place) if under(place, count) else -1


def first_of(s, members, count):
    """The first members of a list; so many are left away at the end where the number is below 0."""
    here = load(members, 0)
    if count < 0:
        count = max(here + count, 0)
    count = min(count, here)
    at = room(s, 1 + count)
    copy(at + 8, members + 8, count)
    store(at, 0, count)
    return at


def words_of(s, address, count):
    """So many words as a list."""
    if count < 0:
        count = 0
    at = room(s, 1 + count)
    copy(at + 8, address, count)
    store(at, 0, count)
    return at


def joined(s, left, right):
    """The members of one list, then those of another."""
    before, after = load(left, 0), load(right, 0)
    if before + after > LONGEST_LIST:
        trap()
    at = room(s, 1 + before + after)
    copy(at + 8, left + 8, before)
    copy(at + 8 * (1 + before), right + 8, after)
    store(at, 0, before + after)
    return at


def place_in(members, member):
    """Where a member stands first in a list, from 0 on; how many there are where it does not."""
    count = load(members, 0)
    for place in range(count):
        if load(members, 1 + place) == member:
            return place
    return count


def contains(members, member):
    """Whether a member is in a list."""
    return place_in(members, member) < load(members, 0)


def times_in(members, member):
    """How often a member is in a list."""
    found = 0
    for place in range(load(members, 0)):
        if load(members, 1 + place) == member:
            found += 1
    return found


def place_of(tests):
    """The first place at which something holds, or the place after the last one."""
    count = load(tests, 0)
    for place in range(count):
        if load(tests, 1 + place):
            return place
    return count


def turned(s, members, first):
    """A list from some member on and around; as it is where that is not in it."""
    count = load(members, 0)
    at = place_in(members, first)
    if at == count:
        return members
    new = room(s, 1 + count)
    store(new, 0, count)
    copy(new + 8, members + 8 * (1 + at), count - at)
    copy(new + 8 * (1 + count - at), members + 8, at)
    return new


def sort_by(members, keys):
    """Members are brought into the order of their keys, in place; those with equal keys stay as they are."""
    for end in range(1, load(members, 0)):
        member = load(members, 1 + end)
        key = load(keys, 1 + end)
        place = end
        while place > 0:
            if load(keys, place) <= key:
                break
            store(members, 1 + place, load(members, place))
            store(keys, 1 + place, load(keys, place))
            place -= 1
        store(members, 1 + place, member)
        store(keys, 1 + place, key)
    return members


def in_order(s, members):
    """The members of a list in table order."""
    new = list_of(s, members)
    return sort_by(new, new)


def distinct(s, members):
    """The same, each once."""
    new = in_order(s, members)
    count = load(new, 0)
    kept = 0
    for place in range(count):
        member = load(new, 1 + place)
        if kept == 0 or load(new, kept) != member:
            kept += 1
            store(new, kept, member)
    store(new, 0, kept)
    return new


def keep(s, at, most, members):
    """A list of the state becomes another one."""
    count = load(members, 0)
    if count > most:
        trap()
    copy(s + 8 * (at + 1), members + 8, count)
    for place in range(count, most):
        store(s, at + 1 + place, -1)
    store(s, at, count)
    return 0


def take_top(s, at, most, number):
    """So many members leave a list of the state from the top."""
    here = load(s, at)
    if number < 0 or number > here:
        trap()
    taken = words_of(s, s + 8 * (at + 1), number)
    copy(s + 8 * (at + 1), s + 8 * (at + 1 + number), most - number)
    for place in range(most - number, most):
        store(s, at + 1 + place, -1)
    store(s, at, here - number)
    return taken


def take_out(s, at, most, member):
    """The first of some member leaves a list of the state."""
    here = load(s, at)
    address = s + 8 * at
    place = place_in(address, member)
    if place == here:
        trap()
    copy(address + 8 * (1 + place), address + 8 * (2 + place), here - place - 1)
    store(address, here, -1)
    store(address, 0, here - 1)
    taken = room(s, 2)
    store(taken, 0, 1)
    store(taken, 1, member)
    return taken


def put_on(s, at, most, members, below_all):
    """Members come to a list of the state, on top or under it."""
    here, more = load(s, at), load(members, 0)
    if here + more > most:
        trap()
    address = s + 8 * (at + 1)
    if below_all:
        copy(address + 8 * here, members + 8, more)
    else:
        copy(address + 8 * more, address, here)
        copy(address, members + 8, more)
    store(s, at, here + more)
    return 0


def slot_out(s, at):
    """The value of a slot, which those behind it close up on."""
    value = load(s, at)
    copy(s + 8 * at, s + 8 * (at + 1), SIZE - at - 1)
    return value


def slot_in(s, at, value):
    """A slot with a value comes between others, of which those behind it move on."""
    copy(s + 8 * (at + 1), s + 8 * at, SIZE - at - 1)
    store(s, at, value)
    return 0


def slot_of(s, value, first):
    """The first slot from some slot on that has a value."""
    for at in range(first, SIZE):
        if load(s, at) == value:
            return at
    trap()


def pick(bits, weights):
    """An index, each as likely as its weight says."""
    total = 0
    count = load(weights, 0)
    for place in range(count):
        total += load(weights, 1 + place)
    at = multiply_high(bits, total)
    for place in range(count):
        at -= load(weights, 1 + place)
        if at < 0:
            return place
    trap()


# -- routes ------------------------------------------------------------------------------------------------------------


def reach(table, nodes, passable, node):
    """The nodes, at most 64, that a route from a node leads to; `table` holds the neighbours of each."""
    if not under(node, nodes):
        return 0
    reached = load(table, node)
    crossed = 0
    waiting = reached & passable
    while waiting:
        bit = waiting & -waiting
        crossed |= bit
        reached |= load(table, bit.bit_length() - 1)
        waiting = reached & passable & ~crossed
    return reached


def costs_from(s, graph, kept, node, costs):
    """What `cheapest` answers, from the answers kept for a graph where this is one of them.

    These begin with a number `kept` of the context's words; each is a row of its own: the node (and 1), the costs of
    those that can be crossed, and the list.
    """
    inner = load(graph, 1)
    found = 1 + load(graph, 0)
    bits = node + 1
    for place in range(inner):
        bits = (bits ^ load(costs, 1 + place)) * 0x9E3779B97F4A7C15
    size = 1 + inner + found
    row = load(load(s, -1), KEPT) + 8 * (kept + (bits >> 64 - KEPT_BITS) * size)
    same = load(row, 0) == node + 2
    place = 1
    while same and place <= inner:
        same = load(row, place) == load(costs, place)
        place += 1
    answer = row + 8 * (1 + inner)
    if not same:
        before = load(load(s, -1), TOP)
        copy(answer, cheapest(s, graph, node, costs), found)
        store(load(s, -1), TOP, before)
        copy(row + 8, costs + 8, inner)
        store(row, 0, node + 2)
    return words_of(s, answer + 8, found - 1)


def cheapest(s, graph, node, costs):
    """What the cheapest route from a node to each node costs, as a list.

    `graph` holds: how many nodes; how many can be crossed at all, and which; where the neighbours of each node begin,
    one after the last; the neighbours. `costs` is what crossing those that can be crossed at all costs now, or -1.
    """
    nodes = load(graph, 0)
    inner = load(graph, 1)
    found = room(s, 1 + nodes)
    toll = room(s, nodes)
    waiting = room(s, nodes)
    store(found, 0, nodes)
    for place in range(nodes):
        store(found, 1 + place, NO_ROUTE)
        store(toll, place, -1)
    if node < 0:
        return found
    for place in range(inner):
        store(toll, load(graph, 2 + place), load(costs, 1 + place))
    starts = graph + 8 * (2 + inner)
    goals = starts + 8 * (nodes + 1)
    many = 0
    spent = 0
    store(toll, node, -1)
    while True:
        for place in range(load(starts, node), load(starts, node + 1)):
            goal = load(goals, place)
            if spent < load(found, 1 + goal):
                store(found, 1 + goal, spent)
                if load(toll, goal) >= 0:
                    store(waiting, many, goal)
                    many += 1
        if many == 0:
            return found
        best = 0
        spent = ENDLESS
        for place in range(many):
            node = load(waiting, place)
            here = load(found, 1 + node) + load(toll, node)
            if here < spent:
                spent = here
                best = place
        node = load(waiting, best)
        many -= 1
        store(waiting, best, load(waiting, many))
        store(toll, node, -1)


# -- whole games -------------------------------------------------------------------------------------------------------


def row(s):
    """Which row of a table of functions is for who acts; the last one for nobody."""
    you = load(s, YOU)
    return you if you >= 0 else PLAYERS


def run(s, counter):
    """Go on from a block until the game waits or is over."""
    for _ in range(MOST_BLOCKS):
        if counter <= FINISHED:
            store(s, PC, counter)
            return counter
        counter = call_table("blocks", row(s) * BLOCKS + counter - FINISHED - 1, s)
    trap()


def fresh(s):
    """Working memory is empty again, and loops may go round as often as ever."""
    context = load(s, -1)
    store(context, TOP, load(context, BOTTOM))
    store(context, TICKS, 0)
    return 0


def begin(s, seed):
    """A state becomes that at the first waiting point of a new game."""
    copy(s, FIRST, SIZE)
    store(s, SEED, seed)
    fresh(s)
    return run(s, BEGIN)


def options(s):
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


def playout(s, tally):
    """Play on to the end, every option equally likely. To the tally's words come decisions, those with one option
    only, and options in all."""
    choices = draw64(load(s, SEED), CHOICES, 0)
    decisions, forced, total = 0, 0, 0
    counter = load(s, PC)
    for _ in range(LONGEST_GAME):
        if counter == FINISHED:
            store(tally, 0, load(tally, 0) + decisions)
            store(tally, 1, load(tally, 1) + forced)
            store(tally, 2, load(tally, 2) + total)
            return 0
        fresh(s)
        at = row(s) * POINTS + counter
        if load(IS_CHANCE, counter):
            option = call_table("chance", at, s)
        else:
            found = call_table("options", at, s)
            count = load(found, 0)
            option = LEAVE
            if count > 0:
                decisions += 1
                total += count
                place = 0
                if count > 1:
                    choices = choices * STEP + SHIFT
                    place = (choices >> 32) * count >> 32
                else:
                    forced += 1
                option = load(found, 1 + place)
        if option == LEAVE and load(LEAVES, counter) < 0:
            trap()
        counter = run(s, call_table("apply", at, s, option))
    trap()


def playouts(s, seed, count, tally):
    """Games with these seeds; after the tally's three words come, for each game, its decisions, ending and winner."""
    for game in range(count):
        begin(s, seed + game)
        before = load(tally, 0)
        playout(s, tally)
        at = 3 + 3 * game
        store(tally, at, load(tally, 0) - before)
        store(tally, at + 1, load(s, ENDING))
        store(tally, at + 2, load(s, WINNER))
    return 0
