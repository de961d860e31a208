"""YAML text as a tree in which everything knows its place."""

from polis_rules.exports import exports

__getattr__, __dir__, __all__ = exports(__name__, __file__)
