"""What compiled code and whoever runs it agree on: slots, points, signals, chance, route tables."""

from polis_rules.exports import exports

__getattr__, __dir__, __all__ = exports(__name__, __file__)
