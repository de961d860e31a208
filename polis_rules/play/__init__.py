"""Playing a game to its end, and writing it down."""

from polis_rules.exports import exports

__getattr__, __dir__, __all__ = exports(__name__, __file__)
