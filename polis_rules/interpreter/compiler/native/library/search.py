"""Search: a tree of what was chosen (UCT; Kocsis and Szepesvari, "Bandit based Monte-Carlo planning", 2006).

Each try goes down the tree in a copy of the state with chance of its own, adds one node, plays on at random and tells
the nodes that it came through what that was worth for whoever chose them. What a tree holds stands in `records`.
"""

# ruff: noqa: F821
# mypy: ignore-errors


def search(s, tree, tries):
    """So many tries more from a state."""
    scratch = load(tree, TREE_SCRATCH)
    for _ in range(tries):
        done = load(tree, TREE_DONE)
        copy(scratch, s, SIZE)
        store(scratch, SEED, draw64(load(tree, TREE_KEY), 0, done))
        tried(scratch, tree)
        store(tree, TREE_DONE, done + 1)
    return 0


def tried(s, tree):
    """One of them, in a state that may be changed."""
    node = load(tree, TREE_NODES)
    path = load(tree, TREE_PATH)
    depth = 0
    store(path, 0, node)
    more = load(tree, TREE_LONGEST) - 1
    while depth < more:
        found = settled(s)
        if load(found, 0) == 0:
            break
        who = call_table("who", load(s, PC), s)
        node = selected(tree, node, found)
        if node == 0:
            break
        store(node, NODE_OWNER, who)
        depth += 1
        store(path, depth, node)
        at = row(s) * POINTS + load(s, PC)
        fresh(s)
        run(s, call_table("apply", at, s, load(node, NODE_OPTION)))
        if load(node, NODE_VISITS) == 0:
            break
    if load(s, PC) != FINISHED:
        playout(s, load(tree, TREE_TALLY))
    rewards(s, tree)
    for place in range(depth + 1):
        node = load(path, place)
        store(node, NODE_VISITS, load(node, NODE_VISITS) + 1)
        if place > 0:
            store(node, NODE_VALUE, load(node, NODE_VALUE) + load(tree, TREE_REWARDS + load(node, NODE_OWNER)))
    store(tree, TREE_DEPTH, load(tree, TREE_DEPTH) + depth)
    return 0


def selected(tree, node, found):
    """The child of a node for one of some options: a new one, if the tree has words for it, or the most promising.

    0 where there is neither.
    """
    count = load(found, 0)
    luck = load(tree, TREE_LUCK) * STEP + SHIFT
    store(tree, TREE_LUCK, luck)
    place = (luck >> 32) * count >> 32
    weight = load(tree, TREE_WEIGHT) * log_root(load(node, NODE_VISITS)) >> 10
    best, top = 0, -1
    for _ in range(count):
        option = load(found, 1 + place)
        child = load(node, NODE_CHILD)
        while child:
            if load(child, NODE_OPTION) == option:
                break
            child = load(child, NODE_SIBLING)
        if child == 0:
            if load(tree, TREE_USED) < load(tree, TREE_MOST):
                return added(tree, node, option)
        else:
            visits = load(child, NODE_VISITS)
            here = load(child, NODE_VALUE) // visits + (weight * inverse_root(visits) >> 10)
            if here > top:
                best = child
                top = here
        place += 1
        if place == count:
            place = 0
    return best


def added(tree, node, option):
    """A new child of a node."""
    used = load(tree, TREE_USED)
    child = load(tree, TREE_NODES) + NODE_SIZE * used
    store(tree, TREE_USED, used + 1)
    store(child, NODE_OPTION, option)
    store(child, NODE_CHILD, 0)
    store(child, NODE_SIBLING, load(node, NODE_CHILD))
    store(child, NODE_VISITS, 0)
    store(child, NODE_VALUE, 0)
    store(node, NODE_CHILD, child)
    return child


def rewards(s, tree):
    """What a game that is over is worth for each player: a win WORTH, which several winners, or all where nobody won,
    share; or by how many points it was won or lost."""
    margin = load(tree, TREE_MARGIN)
    won = 0
    if margin == 0:
        won = winners(s)
    share = WORTH // PLAYERS
    if won:
        share = WORTH // won.bit_count()
    for who in range(PLAYERS):
        here = share
        if margin > 0:
            here = by_points(s, margin, who)
        elif won and not (won >> who) & 1:
            here = 0
        store(tree, TREE_REWARDS + who, here)
    return 0


def by_points(s, margin, who):
    """What the points of a player are worth beside the best of the others; those of one alone beside 0."""
    best, met = 0, 0
    for other in range(PLAYERS):
        if other != who:
            score = call_table("score", 0, s, other)
            if not met or score > best:
                best = score
            met = 1
    ahead = call_table("score", 0, s, who) - best
    ahead = max(min(ahead, margin), -margin)
    return WORTH // 2 + ahead * (WORTH // 2) // margin


def inverse_root(number):
    """WORTH through the square root of a number above 0."""
    if number < 1024:
        return load(INVERSE_ROOTS, number)
    places = number.bit_length() - 9 >> 1
    return load(INVERSE_ROOTS, number >> 2 * places) >> places


def log_root(number):
    """1024 times the square root of the logarithm of a number; 0 for 0."""
    if number < 32:
        return load(LOG_ROOTS, number)
    more = number.bit_length() - 5
    return load(LOG_ROOTS, 16 * more + (number >> more))
