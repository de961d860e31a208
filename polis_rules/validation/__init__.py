"""Everything that can be said about a ruleset without a person playing it."""

from polis_rules.validation.analysis import Kept
from polis_rules.validation.checks import checks, judged, lint, other_values, settled
from polis_rules.validation.combinations import Combination, found_only_with
from polis_rules.validation.validate import Validation, validate
