"""What compiled code and whoever runs it agree on: slots, points, signals, chance, route tables."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
