"""Write, check, run and vary the rules of a board game as data.

>>> import polis_rules
>>> game = polis_rules.load("yucata").start(seed=7)
>>> game.decision is not None
True
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
