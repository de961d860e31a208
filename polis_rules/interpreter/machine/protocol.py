"""What generated code and whoever runs it agree on: option numbers, and how much may be done at one go."""

WAY = 1_000_000
"""option number of the first named way; members and numbers stand for themselves"""
FINISH = 999_999
"""option number of finishing a repeat"""
LEAVE = 999_998
"""what happens when there is no option and the rule allows for that"""

RULES = "<rules>"
"""what the file names of generated code begin with"""
MARK = "  # @"
"""stands before the number of the step that a line of generated code was made for"""

MOST_AT_ONCE = 300_000
"""how often loops may go round, and procedures begin, between two points; one that works out much counts for more"""
MOST_ROUNDS = 100_000
"""how often a single repeat may go round in which the game does not wait"""
LONGEST_GAME = 100_000
"""how many decisions, dice and draws a game may have that is played by itself"""
CHUNK = 13
"""how many bits of a set are looked up together; a kind with no more members has few"""


def rules_file(part: int) -> str:
    """The file name of one part of generated code."""
    return f"{RULES} {part}"


def part_of(file: str) -> int | None:
    """Which part of generated code has a file name; None for other code.

    >>> part_of(rules_file(3)), part_of("elsewhere.py")
    (3, None)
    """
    return int(file[len(RULES) :]) if file.startswith(RULES) else None
