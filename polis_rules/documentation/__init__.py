"""Rules in words: explained, compared, as a rulebook."""

from polis_rules.documentation.citations import Citations, Cited, citations, spoken_grade
from polis_rules.documentation.condensed import COUNTED, condensed
from polis_rules.documentation.explain import Explanation, Touch, UnknownPathError, explain, explained, told_layer
from polis_rules.documentation.rulebook import diff
from polis_rules.documentation.tree_diff import SECTIONS, Cell, Change, Difference
