"""The engine that plays typed rules and knows no game."""
