"""Small random rulesets that are valid by construction, played by all engines."""

from support.random_rulesets.overlaid import apart, lay_apart, meaning
from support.random_rulesets.playing import Found, examine
from support.random_rulesets.rulesets import lay, ruleset, yaml
from support.random_rulesets.settled import lay_settled
from support.random_rulesets.shelved import as_used, lay_shelved, shelved
from support.random_rulesets.shrinking import shrink

__all__ = [
    "Found",
    "apart",
    "as_used",
    "examine",
    "lay",
    "lay_apart",
    "lay_settled",
    "lay_shelved",
    "meaning",
    "ruleset",
    "shelved",
    "shrink",
    "yaml",
]
