"""Weights of advice that are learned from games of bots."""

from polis_rules.tuning.tune import Plan, Tuned, TunedTerm, tune
from polis_rules.tuning.written import variant_text
