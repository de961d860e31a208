"""Lists: an address, where how many members there are stands before them, from the top."""

# ruff: noqa: F821, RET503
# mypy: ignore-errors

from __future__ import annotations


def list_of(s, members) -> List:
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


def first_of(s, members, count) -> List:
    """The first members of a list; so many are left away at the end where the number is below 0."""
    here = load(members, 0)
    if count < 0:
        count = max(here + count, 0)
    count = min(count, here)
    at = room(s, 1 + count)
    copy(at + 8, members + 8, count)
    store(at, 0, count)
    return at


def words_of(s, address, count) -> List:
    """So many words as a list."""
    if count < 0:
        count = 0
    at = room(s, 1 + count)
    copy(at + 8, address, count)
    store(at, 0, count)
    return at


def joined(s, left, right) -> List:
    """The members of one list, then those of another."""
    before, after = load(left, 0), load(right, 0)
    if before + after > LONGEST_LIST:
        trap()
    at = room(s, 1 + before + after)
    copy(at + 8, left + 8, before)
    copy(at + 8 * (1 + before), right + 8, after)
    store(at, 0, before + after)
    return at


def same_lists(left, right):
    """Whether two lists have the same members in the same order."""
    for place in range(1 + load(left, 0)):
        if load(left, place) != load(right, place):
            return 0
    return 1


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


def turned(s, members, first) -> List:
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


def sort_by(members, keys) -> List:
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


def in_order(s, members) -> List:
    """The members of a list in table order."""
    new = list_of(s, members)
    return sort_by(new, new)


def distinct(s, members) -> List:
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


def take_top(s, at, most, number) -> List:
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


def take_out(s, at, most, member) -> List:
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
    """The value of a slot, which those after it close up on."""
    value = load(s, at)
    copy(s + 8 * at, s + 8 * (at + 1), SIZE - at - 1)
    return value


def slot_in(s, at, value):
    """A slot with a value comes between others, of which those after it move on."""
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
