"""Rules in words: explained, compared, as a rulebook."""

from polis_rules.documentation.citations import CITE, Citations, Cited, citations
from polis_rules.documentation.diff import SECTIONS, Change, Difference, diff
from polis_rules.documentation.explain import Explanation, Touch, explain
