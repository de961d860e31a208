"""Differential test: the compiled engine against a reference engine."""

from polis_rules.verification.differential.compare import compare
