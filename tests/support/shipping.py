"""What comes with the package, looked for once."""

from functools import cache

from polis_rules.composition import catalog

shipped = cache(catalog.shipped)
