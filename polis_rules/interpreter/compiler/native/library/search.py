"""Search: trees of what was chosen, made by trying (UCT; Kocsis and Szepesvari, "Bandit based Monte-Carlo planning",
2006), each try in one of several states that whoever decides cannot tell apart (information set search; Cowling, Powley
and Whitehouse, 2012).

Each try goes down the tree in a copy of a state with chance of its own, adds one node, plays on, is valued, and tells
the nodes that it came through what that was worth for whoever chose them. Where something may be chosen in secret each
player has a tree, in which all that others choose in secret is one node. What trees hold stands in `records`.
"""

# ruff: noqa: F821, SIM102
# mypy: ignore-errors


def search(s, tree, tries):
    """So many tries more, in a state that may be changed."""
    for _ in range(tries):
        done = load(tree, TREE_DONE)
        copy(s, load(load(tree, TREE_ROOTS), done % load(tree, TREE_MANY)), SIZE)
        store(s, SEED, draw64(load(tree, TREE_KEY), 0, done))
        store(tree, TREE_DONE, done + 1)
        tried(s, tree)
    return 0


def tried(s, tree):
    """One of them."""
    for each in range(load(tree, TREE_TREES)):
        store(tree, TREE_HEADS + each, load(tree, TREE_NODES) + NODE_SIZE * each)
    store(tree, TREE_LOGGED, 0)
    store(tree, TREE_ACTOR, -1)
    store(tree, TREE_DECIDED, 0)
    depth = descent(s, tree)
    if load(tree, TREE_DECIDED):
        decided(tree)
    else:
        over = load(s, PC) == FINISHED
        if not over:
            played_on(s, tree)
        rewards(s, tree)
        if over and depth > 0 and load(tree, TREE_SOLVES):
            proved(s, load(load(tree, TREE_PATH), depth - 1))
    path = load(tree, TREE_PATH)
    for place in range(depth):
        node = load(path, place)
        store(node, NODE_VISITS, load(node, NODE_VISITS) + 1)
        store(node, NODE_VALUE, load(node, NODE_VALUE) + load(tree, TREE_REWARDS + load(node, NODE_OWNER)))
    store(tree, TREE_DEPTH, load(tree, TREE_DEPTH) + depth)
    remember(s, tree)
    return 0


def descent(s, tree):
    """Choose in the tree as far as that leads; how many nodes were come through."""
    path = load(tree, TREE_PATH)
    depth = 0
    while depth < load(tree, TREE_LONGEST):
        found = settled(s)
        if load(found, 0) == 0:
            break
        who = call_table("who", load(s, PC), s)
        if depth > 0 and load(tree, TREE_TURN) and who != load(tree, TREE_PLAYER):
            break
        mine = 0
        if load(tree, TREE_TREES) > 1:
            mine = who
        node = selected(s, tree, mine, who, found)
        if node == 0:
            break
        option = load(node, NODE_OPTION)
        store(node, NODE_OWNER, who)
        store(path, depth, node)
        depth += 1
        logged(s, tree, who, option)
        followed(s, tree, mine, option)
        store(tree, TREE_HEADS + mine, node)
        if load(node, NODE_PROVEN):
            store(tree, TREE_DECIDED, load(node, NODE_PROVEN))
            break
        apply(s, option)
        if load(node, NODE_VISITS) == 0:
            break
    return depth


def followed(s, tree, mine, option):
    """The other trees take notice of what was chosen, or that something was."""
    if load(tree, TREE_TREES) == 1:
        return 0
    edge = option
    if load(load(tree, TREE_SECRET), load(s, PC)):
        edge = SECRETLY
    flags = load(tree, TREE_FLAGS)
    for place in range(load(flags, 0)):
        if load(s, load(flags, 1 + place)):
            edge = SECRETLY
    for other in range(load(tree, TREE_TREES)):
        head = load(tree, TREE_HEADS + other)
        if other != mine and head:
            store(tree, TREE_HEADS + other, child_of(tree, head, head, edge, 1))
    return 0


def selected(s, tree, mine, who, found):
    """The node of one of some options: a new one, if the tree has words for it and the options tried so far have been
    tried often enough, or the most promising. 0 where there is neither."""
    node = load(tree, TREE_HEADS + mine)
    if node == 0:
        return 0
    count = load(found, 0)
    come = load(node, NODE_COME) + 1
    store(node, NODE_COME, come)
    place = drawn(tree, count)
    weight = load(tree, TREE_WEIGHT)
    best, top, hope, chance = 0, -1, -1, -1
    tried_yet, lost = 0, 0
    at = node
    for _ in range(count):
        option = load(found, 1 + place)
        child = child_of(tree, node, at, option, 0)
        visits = 0
        if child:
            at = child
            visits = load(child, NODE_VISITS)
        proven = 0
        if child:
            proven = load(child, NODE_PROVEN)
        if proven == 1 + who:
            store(node, NODE_PROVEN, proven)
            return child
        if proven:
            lost = child
        elif visits == 0:
            liked = expected(tree, known_as(s, tree, who, option))
            if liked > chance:
                chance = liked
                hope = option
        else:
            tried_yet += 1
            offered = load(child, NODE_OFFERED) + 1
            store(child, NODE_OFFERED, offered)
            here = load(child, NODE_VALUE) // visits
            here += (weight * log_root(offered) >> 10) * inverse_root(visits) >> 10
            if here > top:
                best = child
                top = here
        place += 1
        if place == count:
            place = 0
    if hope >= 0 and widens(tree, tried_yet, come):
        child = child_of(tree, node, node, hope, 1)
        if child:
            return child
    if lost and best == 0 and hope < 0:
        store(node, NODE_PROVEN, load(lost, NODE_PROVEN))
        return lost
    if best and load(tree, TREE_TREES) > 1 and drawn(tree, 4) == 0:
        return chosen_before(tree, node, found)
    return best


def chosen_before(tree, node, found):
    """One of the nodes of some options, each as likely as it was chosen often: others then cannot rely on what is best
    now (smooth UCT; Heinrich, 2015)."""
    total, last = 0, 0
    for place in range(load(found, 0)):
        child = child_of(tree, node, node, load(found, 1 + place), 0)
        if child:
            total += load(child, NODE_VISITS)
    left = drawn(tree, total)
    for place in range(load(found, 0)):
        child = child_of(tree, node, node, load(found, 1 + place), 0)
        if child and left >= 0:
            left -= load(child, NODE_VISITS)
            last = child
    return last


def widens(tree, count, come):
    """Whether a node that was come to so often may have one child more than so many."""
    width = load(tree, TREE_WIDTH)
    if width == 0 or count < 2:
        return 1
    return count * count * 256 < width * width * come


def child_of(tree, node, at, option, add):
    """The child of a node for an option, looked for from one of the children on (or the node itself: from the first);
    a new one where there is none, if that is asked and there are words for it; else 0."""
    before = 0
    child = load(node, NODE_CHILD)
    if at != node:
        if load(at, NODE_OPTION) < option:
            child = load(at, NODE_SIBLING)
            before = at
    while child:
        here = load(child, NODE_OPTION)
        if here == option:
            return child
        if here > option:
            break
        before = child
        child = load(child, NODE_SIBLING)
    if add == 0:
        return 0
    used = load(tree, TREE_USED)
    if used == load(tree, TREE_MOST):
        return 0
    store(tree, TREE_USED, used + 1)
    new = load(tree, TREE_NODES) + NODE_SIZE * used
    store(new, NODE_OPTION, option)
    store(new, NODE_CHILD, 0)
    store(new, NODE_SIBLING, child)
    store(new, NODE_VISITS, 0)
    store(new, NODE_VALUE, 0)
    store(new, NODE_OFFERED, 0)
    store(new, NODE_COME, 0)
    store(new, NODE_PROVEN, 0)
    if before:
        store(before, NODE_SIBLING, new)
    else:
        store(node, NODE_CHILD, new)
    return new


def drawn(tree, count):
    """A number below another one."""
    luck = (load(tree, TREE_LUCK) * STEP + SHIFT) & 0x7FFFFFFFFFFFFFFF
    store(tree, TREE_LUCK, luck)
    return (luck >> 32) * count >> 31


def played_on(s, tree):
    """Choose outside of the tree, up to the end or as far as tries go: some options at random, others because they have
    been good elsewhere (move average sampling; Finnsson and Bjornsson, 2008)."""
    for _ in range(far_enough(tree)):
        found = settled(s)
        count = load(found, 0)
        if count == 0:
            store(tree, TREE_ENDED, load(tree, TREE_ENDED) + 1)
            return 0
        who = call_table("who", load(s, PC), s)
        if load(tree, TREE_TURN) and who != load(tree, TREE_PLAYER):
            return 0
        option = load(found, 1 + drawn(tree, count))
        if count > 1:
            if load(tree, TREE_RANDOM) < 1024:
                if drawn(tree, 1024) >= load(tree, TREE_RANDOM):
                    option = liked_best(s, tree, who, found)
            logged(s, tree, who, option)
        apply(s, option)
    settled(s)
    return 0


def far_enough(tree):
    """How many decisions a try goes on for: all the way where nearly all tries come to the end of the game. Else a long
    way tells hardly more of who leads than a short one, and takes the time of several."""
    played = load(tree, TREE_PLAYED)
    store(tree, TREE_PLAYED, played + 1)
    if played >= 32 and 10 * load(tree, TREE_ENDED) < 9 * played:
        return min(load(tree, TREE_SOON), load(tree, TREE_AFTER))
    return load(tree, TREE_AFTER)


def liked_best(s, tree, who, found):
    """The option that has been best elsewhere, give or take an eighth of a win: of options that are about as good each
    is taken at times, for games that are all alike tell little."""
    top, best = -1, 0
    for place in range(load(found, 0)):
        option = load(found, 1 + place)
        here = expected(tree, known_as(s, tree, who, option)) + drawn(tree, WORTH // 8)
        if here > top:
            top = here
            best = option
    return best


def known_as(s, tree, who, option):
    """Where it stands what an option has been worth at such a point for a player: two words of a table."""
    mixed = ((load(s, PC) * PLAYERS + who) * 1000003 + option) * 0x9E3779B1 & 0x7FFFFFFFFFFF
    return 2 * (mixed >> 15 & KNOWN_MOST - 1)


def expected(tree, at):
    """What something has been worth elsewhere; what is new may be good."""
    known = load(tree, TREE_KNOWN)
    times = load(known, at)
    if times == 0:
        return WORTH
    return load(known, at + 1) // times


def logged(s, tree, who, option):
    """It is noted what is chosen."""
    if load(tree, TREE_GAIN) and load(tree, TREE_ACTOR) != who:
        gained(s, tree)
        store(tree, TREE_ACTOR, who)
        store(tree, TREE_OPENED, load(tree, TREE_LOGGED))
        store(tree, TREE_BEFORE, lead(s, who))
    place = load(tree, TREE_LOGGED)
    if place < load(tree, TREE_LONGEST):
        log = load(tree, TREE_LOG) + LOG_SIZE * place
        store(log, LOG_AT, known_as(s, tree, who, option))
        store(log, LOG_WHO, who)
        store(tree, TREE_LOGGED, place + 1)
    return 0


def gained(s, tree):
    """When somebody's turn is over, all that was chosen in it gets what it has made of the lead, by what turns usually
    make of it."""
    who = load(tree, TREE_ACTOR)
    if who < 0:
        return 0
    ahead = lead(s, who) - load(tree, TREE_BEFORE)
    far = max(ahead, -ahead)
    gains = load(tree, TREE_GAINS) + far
    turns = load(tree, TREE_TURNS) + 1
    store(tree, TREE_GAINS, gains)
    store(tree, TREE_TURNS, turns)
    here = WORTH // 2 + ahead * (WORTH // 2) // (far + gains // turns + 1)
    for place in range(load(tree, TREE_OPENED), load(tree, TREE_LOGGED)):
        store(load(tree, TREE_LOG) + LOG_SIZE * place, LOG_GAIN, here)
    return 0


def remember(s, tree):
    """All that was chosen in a try gets what came of it: of the game, and in part of the turn, where turns change who
    leads."""
    gained(s, tree)
    part = 0
    if load(tree, TREE_GAINS):
        part = load(tree, TREE_GAIN)
    known = load(tree, TREE_KNOWN)
    for place in range(load(tree, TREE_LOGGED)):
        log = load(tree, TREE_LOG) + LOG_SIZE * place
        at = load(log, LOG_AT)
        worth = load(tree, TREE_REWARDS + load(log, LOG_WHO))
        if part:
            worth += part * (load(log, LOG_GAIN) - worth) // 1024
        store(known, at, load(known, at) + 1)
        store(known, at + 1, load(known, at + 1) + worth)
    return 0


def faded(tree, keeps):
    """Before another decision what has been good elsewhere counts half as much, or is forgotten."""
    known = load(tree, TREE_KNOWN)
    for place in range(2 * KNOWN_MOST):
        if load(known, place):
            store(known, place, (load(known, place) >> 1) * keeps)
    return 0


def proved(s, node):
    """A choice that has ended the game proves who wins by it, if one does (Winands and others, 2008)."""
    won = winners(s)
    if won.bit_count() == 1:
        store(node, NODE_PROVEN, won.bit_length())
    return 0


def decided(tree):
    """What a try is worth where it is known who wins."""
    for who in range(PLAYERS):
        here = 0
        if load(tree, TREE_DECIDED) == 1 + who:
            here = WORTH
        store(tree, TREE_REWARDS + who, here)
    return 0


def rewards(s, tree):
    """What a try is worth for each player: of a game that is over a win is WORTH, which several winners, or all where
    nobody won, share; of one that goes on, and if points are played for of one that they decide, what the lead of a
    player is worth."""
    over = load(s, PC) == FINISHED
    led = not over
    if load(tree, TREE_MARGIN) > 0 or load(tree, TREE_POINTS):
        led = not over or load(s, WINNER) == SCORE
    won = 0
    if over:
        won = winners(s)
    share = WORTH // PLAYERS
    if won:
        share = WORTH // won.bit_count()
    for who in range(PLAYERS):
        here = share
        if led:
            here = by_lead(s, tree, who)
        elif won and not (won >> who) & 1:
            here = 0
        store(tree, TREE_REWARDS + who, here)
    return 0


def by_lead(s, tree, who):
    """What the lead of a player is worth, beside that at the root and by how much tries make it differ from that."""
    margin = load(tree, TREE_MARGIN)
    ahead = lead(s, who)
    if margin > 0:
        margin = 100 * margin
        ahead = max(min(ahead, margin), -margin)
        return WORTH // 2 + ahead * (WORTH // 2) // margin
    ahead -= load(tree, TREE_LEADS + who)
    far = max(ahead, -ahead)
    spread = load(tree, TREE_SPREAD) + far
    seen = load(tree, TREE_SEEN) + 1
    store(tree, TREE_SPREAD, spread)
    store(tree, TREE_SEEN, seen)
    return WORTH // 2 + ahead * (WORTH // 2) // (far + spread // seen + 1)


def lead(s, who):
    """What a position is worth to a player, less what it is worth to the best of the others; for one alone beside 0."""
    best, met = 0, 0
    for other in range(PLAYERS):
        if other != who:
            fresh(s)
            here = call_table("worth", 0, s, other)
            if not met or here > best:
                best = here
            met = 1
    fresh(s)
    return call_table("worth", 0, s, who) - best


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
