"""Pages of HTML about games: a file of them, and those of many settings."""

from polis_rules.lab.report.curves import curves_page, curves_picture
from polis_rules.lab.report.page import report
