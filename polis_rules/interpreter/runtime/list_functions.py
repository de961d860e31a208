"""What generated code does with lists. A list stands in a state at a slot `at`: how many members, then they from the
top, then -1 up to as many as it may hold."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from itertools import chain

from polis_rules.interpreter.machine import CHUNK, SEED, places_drawn
from polis_rules.interpreter.runtime.runtime_errors import WrongValueError
from polis_rules.semantics import LONGEST_LIST, packed, stored


def listed(s: list[int], at: int) -> list[int]:
    """The members of a list.

    >>> listed([9, 2, 7, 5, -1], 1)
    [7, 5]
    """
    return s[at + 1 : at + 1 + s[at]]


def item(members: list[int], place: int) -> int:
    """The member at a place, from 0 at the top or from -1 at the bottom; -1 beyond the ends.

    >>> item([7, 5], -1), item([7, 5], 2)
    (5, -1)
    """
    return members[place] if -len(members) <= place < len(members) else -1


def place_of(tests: list[object]) -> int:
    """The first place at which something holds, or the place after the last one.

    >>> place_of([False, True, True]), place_of([0])
    (1, 1)
    """
    return next((place for place, holds in enumerate(tests) if holds), len(tests))


def joined(*lists: list[int]) -> list[int]:
    """The members of one list, then those of another, and so on.

    >>> joined([7], [5, 7])
    [7, 5, 7]
    """
    if sum(map(len, lists)) > LONGEST_LIST:
        raise WrongValueError(f"this list is too long: at most {LONGEST_LIST} members are gone through")
    return [*chain.from_iterable(lists)]


def turned(members: list[int], first: int) -> list[int]:
    """A list from some member on and around; as it is where that is not in it.

    >>> turned([7, 5, 6], 5), turned([7, 5], 8)
    ([5, 6, 7], [7, 5])
    """
    at = members.index(first) if first in members else 0
    return members[at:] + members[:at]


def keep(s: list[int], at: int, most: int, members: list[int]) -> None:
    """A list becomes another one.

    >>> state = [1, 7, -1]
    >>> keep(state, 0, 2, [5, 6])
    >>> state
    [2, 5, 6]
    """
    if len(members) > most:
        raise WrongValueError(f"this list would have {len(members)} members, and holds at most {most}")
    s[at : at + 1 + most] = stored(members, most)


def take_top(s: list[int], at: int, most: int, number: int) -> list[int]:
    """So many members leave a list from the top.

    >>> state = [2, 5, 6]
    >>> take_top(state, 0, 2, 1), state
    ([5], [1, 6, -1])
    """
    if not 0 <= number <= s[at]:
        raise WrongValueError(f"{number} cannot leave a list of {s[at]}")
    taken = s[at + 1 : at + 1 + number]
    s[at] -= number
    s[at + 1 : at + 1 + most] = s[at + 1 + number : at + 1 + most] + [-1] * number
    return taken


def take_out(s: list[int], at: int, most: int, member: int) -> list[int]:
    """The first of some member leaves a list.

    >>> state = [2, 5, 6]
    >>> take_out(state, 0, 2, 6), state
    ([6], [1, 5, -1])
    """
    try:
        place = s.index(member, at + 1, at + 1 + s[at])
    except ValueError:
        raise WrongValueError("what is to leave this list is not in it") from None
    s[place : at + s[at]] = s[place + 1 : at + 1 + s[at]]
    s[at + s[at]] = -1
    s[at] -= 1
    return [member]


def put_on(s: list[int], at: int, most: int, members: list[int], under: bool) -> None:
    """Members come to a list, on top or under it.

    >>> state = [1, 5, -1, -1]
    >>> put_on(state, 0, 3, [6, 7], False)
    >>> state
    [3, 6, 7, 5]
    """
    here, length = s[at], s[at] + len(members)
    if length > most:
        raise WrongValueError(f"this list would have {length} members, and holds at most {most}")
    first = at + 1 + here if under else at + 1
    s[first : at + 1 + length] = members if under else members + s[first : first + here]
    s[at] = length


LOW = (1 << CHUNK) - 1


def shuffle_most(s: list[int], at: int, left: int, counter: int, salted: int, counts: list[float]) -> int:
    """Of those on top of a list, of which slot `left` tells how many are to be drawn, all but two go under it.

    Chance draws them as if one at a time, with the counter in slot `counter`; `counts` gains a 0 for each.
    Returns which of the two that are left is drawn next.
    """
    top, count = at + 1, s[left]
    waiting = sorted(s[top : top + count])
    *first, last = places_drawn(s[SEED], salted, s[counter], count)
    drawn = [*map(waiting.pop, first)]
    rest = s[top + count : top + s[at]]
    s[top : top + s[at]] = waiting + rest + drawn
    s[left] = 2
    s[counter] += count - 2
    counts += [0.0] * (count - 2)
    return last


class Chunk(dict[int, list[int]]):
    """The members of sets that lie within CHUNK members in a row, by their bits."""

    def __init__(self, first: int) -> None:
        self.first = first

    def __missing__(self, bits: int) -> list[int]:
        self[bits] = [self.first + at for at in range(CHUNK) if bits >> at & 1]
        return self[bits]


FEW_PLACES = 24
"""So many places are gone through one by one."""
CHUNKS: list[Chunk] = []


def members(bits: int) -> list[int]:
    """The members of a set in table order.

    >>> members(0b1000000001101)
    [0, 2, 3, 12]
    """
    found: list[int] = []
    for chunk in CHUNKS:
        if not bits:
            return found
        found += chunk[bits & LOW]
        bits >>= CHUNK
    if bits > 0:
        CHUNKS.append(Chunk(CHUNK * len(CHUNKS)))
        found += members(bits << CHUNKS[-1].first)
    return found


def one_of(bits: int, place: int) -> int:
    """The member of a set at a place in table order.

    >>> one_of(0b1000000001101, 2), one_of(1 << 70 | 1, 1)
    (3, 70)
    """
    first = 0
    while bits:
        here = bits & LOW
        count = here.bit_count()
        if place < count:
            return first + FEW[here][place]
        place -= count
        first += CHUNK
        bits >>= CHUNK
    raise IndexError("a set has no member at this place")


def place_of_nth(values: list[int], value: int, nth: int) -> int:
    """The place at which a value stands for the nth time, from 0.

    >>> place_of_nth([4, 7, 4, 7], 7, 1), place_of_nth([0] * 100, 0, 70)
    (3, 70)
    """
    low, high = 0, len(values)
    while high - low > FEW_PLACES:
        middle = (low + high) // 2
        before = values[low:middle].count(value)
        if nth < before:
            high = middle
        else:
            low, nth = middle, nth - before
    for _ in range(nth + 1):
        low = values.index(value, low) + 1
    return low - 1


def nth_of_both(one: list[int], other: list[int], often: int, value: int, nth: int) -> int:
    """The same in two lists of which one follows the other, where it is known how often the value is in the first.

    >>> nth_of_both([4, 7], [4, 7], 1, 7, 0), nth_of_both([4, 7], [4, 7], 1, 7, 1)
    (1, 3)
    """
    return place_of_nth(one, value, nth) if nth < often else len(one) + place_of_nth(other, value, nth - often)


def members_of(members: Iterable[int]) -> int:
    """The members of a list as a set.

    >>> members_of([1, 0, 1])
    3
    """
    return sum(1 << member for member in {*members})


class Few(dict[int, bytes]):
    """The members of sets of kinds with no more than CHUNK members, by their bits, of those that were asked for.

    >>> [*Few()[0b1000000001101]]
    [0, 2, 3, 12]
    """

    def __missing__(self, bits: int) -> bytes:
        self[bits] = bytes(members(bits))
        return self[bits]


FEW = Few()


@cache
def sets_of_few() -> tuple[list[bytes], list[float], list[int]]:
    """The members of each of these sets, by its bits, and how many they are; for each member, everybody else.

    >>> sets, counts, without = sets_of_few()
    >>> [*sets[0b1000000001101]], counts[0b1000000001101], [*sets[without[1] & 0b111]]
    ([0, 2, 3, 12], 4.0, [0, 2])
    """
    sets, counts = [b""], [0.0]
    for member in range(CHUNK):
        sets += [each + bytes([member]) for each in sets]
        counts += [each + 1 for each in counts]
    numbers = [*map(float, range(CHUNK + 1))]
    counts = [numbers[int(each)] for each in counts]  # in little memory, which is quick to read
    return sets, counts, [~(1 << member) for member in range(CHUNK)]


LISTS = {
    "listed": listed, "item": item, "joined": joined, "place_of": place_of, "turned": turned, "keep": keep,
    "take_top": take_top, "take_out": take_out, "put_on": put_on, "members_of": members_of,
    "members": members, "one_of": one_of, "packed": packed, "shuffle_most": shuffle_most,
    "nth_of_both": nth_of_both, "FEW": FEW, "bisect_left": bisect_left,
}  # fmt: skip
"""What generated code calls by these names."""
