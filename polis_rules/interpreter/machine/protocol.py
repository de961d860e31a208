"""The numbers by which options travel between generated code and the game."""

WAY = 1_000_000
"""option number of the first named way; members and numbers stand for themselves"""
FINISH = 999_999
"""option number of finishing a repeat"""
LEAVE = 999_998
"""what happens when there is no option and the rule allows for that"""
