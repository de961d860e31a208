"""Routes: what is reached, and what the cheapest way costs."""

# ruff: noqa: F821
# mypy: ignore-errors

from __future__ import annotations


def reached_from(s, table, nodes, passable, node):
    """What `reach` answers, from the answers kept where this is one of them.

    These begin where those of `costs_from` do. Each is a row: the address of the node's neighbours, `passable`, the
    nodes.
    """
    if not under(node, nodes):
        return 0
    place = table + 8 * node
    bits = (place ^ passable) * 0x9E3779B97F4A7C15
    row = load(load(s, -1), KEPT) + 32 * (bits >> 64 - REACH_BITS)
    if load(row, 1) == passable and load(row, 0) == place:
        return load(row, 2)
    reached = reach(table, passable, node)
    store(row, 0, place)
    store(row, 1, passable)
    store(row, 2, reached)
    return reached


def reach(table, passable, node):
    """The nodes, at most 64, that a route from a node leads to; `table` holds the neighbours of each."""
    reached = load(table, node)
    waiting = reached & passable
    while waiting:
        passable ^= waiting & -waiting
        reached |= load(table, lowest(waiting))
        waiting = reached & passable
    return reached


def reach_far(s, rows, passable, node):
    """The same of more nodes: `passable` is the address of a set, and `rows` are as `reach_row` wants them."""
    context = load(s, -1)
    if not under(node, load(rows, 0)):
        for place in range(WIDE):
            store(context, ANSWER + place, 0)
        return 0
    found = begun_search(s, rows, passable, node)
    again = 1
    while again:
        again = 0
        for word in range(WIDE):
            while True:
                new = unasked(found, word)
                if new == 0:
                    break
                again = 1
                while new:
                    reach_row(found, rows, word * 64 | lowest(new))
                    new &= new - 1
    copy(context + 8 * ANSWER, found, WIDE)
    return load(found, 0)


def begun_search(s, rows, passable, node) -> Room:
    """Two sets, one after the other: what a node leads to, and what is not to be asked, which is the node itself and
    what is not in the set `passable`."""
    found = zeroed(s, 2 * WIDE)
    asked = found + 8 * WIDE
    for place in range(WIDE):
        store(asked, place, ~load(passable, place))
    store(asked, node >> 6, load(asked, node >> 6) | 1 << (node & 63))
    reach_row(found, rows, node)
    return found


def unasked(found, word):
    """The nodes of one word that are reached and not asked about yet; from now on they are."""
    asked = load(found, WIDE + word)
    reached = load(found, word)
    store(found, WIDE + word, asked | reached)
    return reached & ~asked


def reach_row(found, rows, node):
    """What a node leads to is reached too.

    `rows` holds how many nodes there are; where the row of each begins, and the last one ends; then the rows: the words
    of what a node leads to that are not empty, each after its place.
    """
    end = load(rows, node + 2)
    at = load(rows, node + 1)
    while at < end:
        word = load(rows, at)
        store(found, word, load(found, word) | load(rows, at + 1))
        at += 2
    return 0


def numbered(s, costs) -> List:
    """A list of what crossing costs, with a number after it that no other list has: equal ones have the same as long as
    it is kept.

    The lists that are kept begin after the answers of `reached_from`: how many numbers were given, then rows, each the
    number and the list.
    """
    many = load(costs, 0)
    bits = many
    for place in range(many):
        bits = bits * 9 + load(costs, 1 + place)
    bits *= 0x9E3779B97F4A7C15
    given = load(load(s, -1), KEPT) + 32 * (1 << REACH_BITS)
    row = given + 8 + 8 * COSTS_ROW * (bits >> 64 - COSTS_BITS)
    same = load(row, 0) > 0
    for place in range(1 + many):
        if load(row, 1 + place) != load(costs, place):
            same = 0
            break
    if not same:
        store(given, 0, load(given, 0) + 1)
        store(row, 0, load(given, 0))
        copy(row + 8, costs, 1 + many)
    store(room(s, 1), 0, load(row, 0))
    return costs


def costs_from(s, graph, kept, node, costs) -> List:
    """What `cheapest` answers, from the answers kept for a graph where this is one of them.

    These begin with a number `kept` of the context's words; each is a row of its own: the node (and 2), when it was
    last asked for, the number of the costs of those that can be crossed, and the list. One that the present question
    asked for stays.
    """
    nodes = load(graph, 0)
    number = load(costs, 1 + load(graph, 1))
    bits = (number * nodes + node) * 0x9E3779B97F4A7C15
    context = load(s, -1)
    row = load(context, KEPT) + 8 * (kept + (bits >> 64 - KEPT_BITS) * (4 + nodes))
    answer = row + 24
    if load(row, 0) != node + 2 or load(row, 2) != number:
        before = load(context, TOP)
        found = cheapest_far(s, graph, node, costs) if WIDE > 1 else cheapest(s, graph, node, costs)
        if load(row, 1) == load(context, QUESTION):
            return found
        copy(answer, found, 1 + nodes)
        store(context, TOP, before)
        store(row, 0, node + 2)
        store(row, 2, number)
    store(row, 1, load(context, QUESTION))
    return answer


def cheapest(s, graph, node, costs) -> List:
    """What the cheapest route from a node to each of at most 64 nodes costs, as a list.

    `graph` holds: how many nodes; how many can be crossed at all, and which; the neighbours of each node as a set.
    `costs` is what crossing those that can be crossed at all costs now, or -1.
    """
    nodes = load(graph, 0)
    inner = load(graph, 1)
    found = room(s, 1 + nodes)
    spending = room(s, nodes)
    store(found, 0, nodes)
    for place in range(nodes):
        store(found, 1 + place, NO_ROUTE)
    if node < 0:
        return found
    passable = 0
    for place in range(inner):
        crossed = load(graph, 2 + place)
        cost = load(costs, 1 + place)
        passable |= (cost >= 0) << crossed
        store(spending, crossed, min(cost, NO_ROUTE))
    passable &= ~(1 << node)
    neighbours = graph + 8 * (2 + inner)
    left, waiting, spent = -1, 0, 0
    while spent < NO_ROUTE:
        new = load(neighbours, node) & left
        left ^= new
        waiting |= new & passable
        while new:
            goal = lowest(new)
            new &= new - 1
            store(found, 1 + goal, spent)
            store(spending, goal, load(spending, goal) + spent)
        if waiting == 0:
            break
        others = waiting & (waiting - 1)
        node = lowest(waiting)
        spent = load(spending, node)
        while others:
            other = lowest(others)
            others &= others - 1
            here = load(spending, other)
            node = other if here < spent else node
            spent = here if here < spent else spent
        waiting ^= 1 << node
    return found


def cheapest_far(s, graph, node, costs) -> List:
    """The same of more nodes.

    After those that can be crossed, `graph` holds where the neighbours of each node begin, one after the last; then
    these.
    """
    nodes = load(graph, 0)
    inner = load(graph, 1)
    found = room(s, 1 + nodes)
    toll = room(s, nodes)
    waiting = room(s, 2 * nodes)
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
            if spent < load(found, 1 + goal):  # the first time it is come to, which is the cheapest
                store(found, 1 + goal, spent)
                if load(toll, goal) >= 0:
                    into_heap(waiting, many, spent + load(toll, goal), goal)
                    many += 1
        if many == 0:
            return found
        spent = load(waiting, 0)
        node = load(waiting, 1)
        many -= 1
        out_of_heap(waiting, many)


def into_heap(heap, many, key, node):
    """One more comes to a heap of so many pairs, in which none has a lower key than the one above it."""
    place = many
    while place > 0:
        above = place - 1 >> 1
        if load(heap, 2 * above) <= key:
            break
        store(heap, 2 * place, load(heap, 2 * above))
        store(heap, 2 * place + 1, load(heap, 2 * above + 1))
        place = above
    store(heap, 2 * place, key)
    store(heap, 2 * place + 1, node)
    return 0


def out_of_heap(heap, many):
    """The topmost of such pairs is gone; of the others, so many, the last one takes its place."""
    key = load(heap, 2 * many)
    place, below = 0, 1
    while below < many:
        if below + 1 < many:
            below += load(heap, 2 * below + 2) < load(heap, 2 * below)
        if key <= load(heap, 2 * below):
            break
        store(heap, 2 * place, load(heap, 2 * below))
        store(heap, 2 * place + 1, load(heap, 2 * below + 1))
        place = below
        below = 2 * place + 1
    last = load(heap, 2 * many + 1)
    store(heap, 2 * place, key)
    store(heap, 2 * place + 1, last)
    return 0
