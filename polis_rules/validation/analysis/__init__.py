"""What several checks need to know of typed rules: data flow, intervals, places."""

from polis_rules.validation.analysis.effects import Key, targets
from polis_rules.validation.analysis.facts import Facts
from polis_rules.validation.analysis.flow import Flow, Seen, bound
from polis_rules.validation.analysis.source_map import Saying, within
from polis_rules.validation.analysis.subject import Subject
