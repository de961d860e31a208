"""Chance: a counter-based generator whose counters are part of the state, one stream for each purpose."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from struct import Struct

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def salt(stream: str) -> int:
    """A number that sets one stream apart from all others; the same on every machine."""
    return int.from_bytes(hashlib.sha256(stream.encode()).digest()[:8], "big")


def draw64(seed: int, salted: int, counter: int) -> int:
    """64 random bits, a pure function of its arguments.

    This is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014)
    at position `counter` of the sequence that `seed` and the stream's salt begin.

    >>> draw64(1, salt("dice"), 0) == draw64(1, salt("dice"), 0)
    True
    """
    z = (seed + salted + (counter + 1) * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def below(bits: int, bound: int) -> int:
    """A number from 0 to `bound` - 1 made of 64 random bits.

    >>> below(1 << 63, 6)
    3
    """
    return bits * bound >> 64


def draw_below(seed: int, salted: int, counter: int, bound: int) -> int:
    """A number from 0 to `bound` - 1, the same as of those bits, in less time.

    >>> draw_below(1, 2, 3, 6) == below(draw64(1, 2, 3), 6)
    True
    """
    z = (seed + salted + GOLDEN + counter * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return (z ^ (z >> 31)) * bound >> 64


MOST_AT_ONCE = 64
"""So many numbers are drawn as parts of one number, APART bits from one to the next."""
APART = 128


@cache
def side_by_side(count: int) -> tuple[int, int, int, Struct]:
    """A one for each number; how far the counter is there, times GOLDEN; MASK in each; what takes them apart."""
    ones = sum(1 << APART * at for at in range(count))
    return ones, GOLDEN * sum(at << APART * at for at in range(count)), ones * MASK, Struct("<" + count * "Q8x")


def mixed(seed: int, salted: int, counter: int, count: int) -> int:
    """So many numbers from a counter on, side by side, with other bits between them."""
    ones, steps, masks, _ = side_by_side(count)
    z = ((seed + salted + (counter + 1) * GOLDEN & MASK) * ones + steps) & masks
    z = ((z ^ z >> 30) & masks) * 0xBF58476D1CE4E5B9 & masks
    z = ((z ^ z >> 27) & masks) * 0x94D049BB133111EB & masks
    return z ^ z >> 31


def draw64s(seed: int, salted: int, counter: int, count: int) -> tuple[int, ...]:
    """What `draw64` gives from a counter on: so many numbers.

    >>> draw64s(1, 2, 3, 100) == tuple(draw64(1, 2, 3 + at) for at in range(100))
    True
    """
    if count > MOST_AT_ONCE:
        later = draw64s(seed, salted, counter + MOST_AT_ONCE, count - MOST_AT_ONCE)
        return draw64s(seed, salted, counter, MOST_AT_ONCE) + later
    _, _, masks, parts = side_by_side(count)
    return parts.unpack((mixed(seed, salted, counter, count) & masks).to_bytes(parts.size, "little"))


@cache
def bounds(count: int) -> tuple[tuple[int, int], ...]:
    """Of `count`, one fewer, and so on down to 2, side by side: those that have a bit, and which bit that is."""
    bits = range(count.bit_length())
    return tuple((sum(MASK << APART * at for at in range(count - 1) if count - at >> bit & 1), bit) for bit in bits)


def places_drawn(seed: int, salted: int, counter: int, count: int) -> Sequence[int]:
    """Which of `count` is drawn, then which of one fewer, and so on down to which of two.

    >>> drawn = places_drawn(1, 2, 3, 9)
    >>> [*drawn] == [draw_below(1, 2, 3 + at, 9 - at) for at in range(8)]
    True
    """
    if count > MOST_AT_ONCE:
        draws = draw64s(seed, salted, counter, count - 1)
        return [below(bits, count - at) for at, bits in enumerate(draws)]
    z = mixed(seed, salted, counter, count - 1)
    products = 0
    for having, bit in bounds(count):
        products += (z & having) << bit
    return products.to_bytes(APART // 8 * (count - 1), "little")[8 :: APART // 8]


def all_draws(seed: int, salted: int, counter: int) -> Iterator[int]:
    """The same without end: the first two by themselves, as often there are no more, then more and more at once.

    >>> draws = all_draws(1, 2, 3)
    >>> [next(draws) for _ in range(20)] == [draw64(1, 2, 3 + at) for at in range(20)]
    True
    """
    yield draw64(seed, salted, counter)
    yield draw64(seed, salted, counter + 1)
    counter, count = counter + 2, 8
    while True:
        yield from draw64s(seed, salted, counter, count)
        counter, count = counter + count, min(4 * count, MOST_AT_ONCE)


def pick(bits: int, weights: list[int]) -> int:
    """An index, each as likely as its weight says.

    >>> pick(0, [0, 2, 1])
    1
    """
    at = below(bits, sum(weights))
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    raise ValueError("all weights are zero")


CHOICES = salt("choices")
STEP, SHIFT = 6364136223846793005, 1442695040888963407


class Choices:
    """Numbers for choices at random, the same in every backend: a linear congruential generator of 64 bits, of which
    the upper 32 are used (multiplier: Knuth, "The Art of Computer Programming" 2, 3.3.4).

    It begins anew with each seed, where `draw64` says, so that games of neighbouring seeds have nothing in common.

    >>> Choices(1).random() == Choices(1).random() != Choices(2).random()
    True
    """

    def __init__(self, seed: int) -> None:
        self.state = draw64(seed, CHOICES, 0)

    def random(self) -> float:
        """A number from 0 up to, not including, 1, in steps of 2 to the power of -32."""
        self.state = self.state * STEP + SHIFT & MASK
        return (self.state >> 32) / 4294967296
