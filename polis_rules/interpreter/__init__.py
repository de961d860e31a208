"""From typed rules to a running game."""
