"""What several checks need to know of typed rules: walks over them, data flow, what conditions establish."""

from polis_rules.validation.analysis.effects import Effects, Key, keys
from polis_rules.validation.analysis.facts import Facts
from polis_rules.validation.analysis.flow import Flow, Seen, bound
from polis_rules.validation.analysis.keeping import Kept
from polis_rules.validation.analysis.members import MemberFlow, MemberRanges, Slot, never_had
from polis_rules.validation.analysis.rule import Rule
from polis_rules.validation.analysis.subject import Subject
from polis_rules.validation.analysis.walking import DEEPEST, explained, looks_for, parts
