"""From a document to typed rules: names, types, and what a step may do."""

from polis_rules.exports import exports

__getattr__, __dir__, __all__ = exports(__name__, __file__)
