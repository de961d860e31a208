"""Findings: what is wrong with a ruleset, where, and how to say it."""

from polis_rules.exports import exports

__getattr__, __dir__, __all__ = exports(__name__, __file__)
