"""The fixed part of the language: a model for each section and verb."""

from polis_rules.exports import exports

__getattr__, __dir__, __all__ = exports(__name__, __file__)
