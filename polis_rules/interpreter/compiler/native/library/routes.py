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


def reach_far(s, graph, passable, node):
    """The same of more nodes: `passable` is the address of a set, and `graph` is as `cheapest_far` wants it."""
    nodes = load(graph, 0)
    context = load(s, -1)
    for place in range(WIDE):
        store(context, ANSWER + place, 0)
    if not under(node, nodes):
        return 0
    starts = graph + 16
    goals = starts + 8 * (nodes + 1)
    waiting = room(s, nodes)
    many = 0
    while True:
        for place in range(load(starts, node), load(starts, node + 1)):
            goal = load(goals, place)
            word, bit = goal >> 6, 1 << (goal & 63)
            found = load(context, ANSWER + word)
            if not found & bit:
                store(context, ANSWER + word, found | bit)
                if load(passable, word) & bit:
                    store(waiting, many, goal)
                    many += 1
        if many == 0:
            return load(context, ANSWER)
        many -= 1
        node = load(waiting, many)


def costs_from(s, graph, kept, node, costs) -> List:
    """What `cheapest` answers, from the answers kept for a graph where this is one of them.

    These begin with a number `kept` of the context's words; each is a row of its own: the node (and 2), when it was
    last asked for, the costs of those that can be crossed, and the list. One that the present question asked for stays.
    """
    inner = load(graph, 1)
    bits = node + 1
    for place in range(inner):
        bits = bits * 9 + load(costs, 1 + place)
    bits *= 0x9E3779B97F4A7C15
    context = load(s, -1)
    row = load(context, KEPT) + 8 * (kept + (bits >> 64 - KEPT_BITS) * (3 + inner + load(graph, 0)))
    same = load(row, 0) == node + 2
    if same:
        for place in range(inner):
            if load(row, 2 + place) != load(costs, 1 + place):
                same = 0
                break
    answer = row + 8 * (2 + inner)
    if not same:
        before = load(context, TOP)
        found = cheapest_far(s, graph, node, costs) if WIDE > 1 else cheapest(s, graph, node, costs)
        if load(row, 1) == load(context, QUESTION):
            return found
        copy(answer, found, 1 + load(graph, 0))
        store(context, TOP, before)
        copy(row + 16, costs + 8, inner)
        store(row, 0, node + 2)
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
