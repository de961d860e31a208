"""The studio: rules in an editor beside the game on the table, as pages in a browser."""

from polis_rules.exports import exports

__getattr__, __dir__, __all__ = exports(__name__, __file__)
