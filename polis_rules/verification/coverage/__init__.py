"""Which rules a set of games met."""

from polis_rules.verification.coverage.coverage import Coverage, CoverageCounter
from polis_rules.verification.coverage.covering import cover
from polis_rules.verification.coverage.instrument import Count, Instrument
from polis_rules.verification.coverage.pages import told, write_pages
