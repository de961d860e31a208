"""What writes rule files: new rulesets, canonical form, migrations."""

from polis_rules.exports import exports

__getattr__, __dir__, __all__ = exports(__name__, __file__)
