"""Findings: what is wrong with a ruleset, where, and how to say it."""

from polis_rules.diagnostics.codes import Explanation, explanations
from polis_rules.diagnostics.diagnostic import Diagnostic, Related
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.errors import IllegalMove, InvalidMove, PolisError, RuleError, RulesetError
from polis_rules.diagnostics.merging import merged
from polis_rules.diagnostics.render import render
from polis_rules.diagnostics.sarif import sarif
from polis_rules.diagnostics.span import Span
from polis_rules.diagnostics.suppressions import marked, silence
from polis_rules.diagnostics.text import did_you_mean, first_of, listing, nearest, one_of, printable, quote, some
from polis_rules.diagnostics.version import version
