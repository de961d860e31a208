"""Numbers: random bits, products, members of sets."""

# ruff: noqa: F821, SIM102
# mypy: ignore-errors


def draw64(seed, salted, counter):
    """64 random bits: `polis_rules.interpreter.machine.chance.draw64`."""
    z = seed + salted + (counter + 1) * 0x9E3779B97F4A7C15
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    return z ^ (z >> 31)


def draw_below(seed, salted, counter, bound):
    """A number from 0 to `bound` - 1 made of 64 random bits."""
    return multiply_high(draw64(seed, salted, counter), bound)


def nth(place, count):
    """The member at a place of a table."""
    if not under(place, count):
        trap()
    return place


def fits(number):
    """A number that is not too large for what may be done with it."""
    if not under(number + FITTING, 2 * FITTING):
        trap()
    return number


def factor(number):
    """A number that may be multiplied with another one like it."""
    if not under(number + (1 << 31), 1 << 32):
        trap()
    return number


def product(left, right):
    """A product that is not too large."""
    result = left * right
    if left < -1 or left > 0:
        if result // left != right:
            trap()
    return fits(result)


def bit_at(bits, place):
    """The place in the table of the member at a place of a set of at most 64."""
    while place > 0:
        bits = bits & (bits - 1)
        place -= 1
    if bits == 0 or place < 0:
        trap()
    return lowest(bits)


def toll(cost):
    """What it costs to cross a space."""
    if not under(cost, MOST_TOLL):
        trap()
    return cost
