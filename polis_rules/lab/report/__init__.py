"""One page of HTML about a file of games."""

from polis_rules.lab.report.page import report
