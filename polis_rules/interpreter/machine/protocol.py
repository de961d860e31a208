"""What generated code and whoever runs it agree on: option numbers, and how much may be done at one go."""

WAY = 1_000_000
"""option number of the first named way; members and numbers stand for themselves"""
FINISH = 999_999
"""option number of finishing a repeat"""
LEAVE = 999_998
"""what happens when there is no option and the rule allows for that"""

RULES = "<rules>"
"""the file name of generated code"""
MARK = "  # @"
"""stands before the number of the step that a line of generated code was made for"""

MOST_AT_ONCE = 300_000
"""how often loops may go round, and procedures of checked code begin, between two points"""
MOST_BLOCKS = 100_000
"""how many blocks may follow one another between two points"""
LONGEST_GAME = 100_000
"""how many decisions, dice and draws a game may have that is played by itself"""
