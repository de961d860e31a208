"""Who plays a player that no bot plays."""

HUMAN = "human"
"""Who sits where a person plays."""
