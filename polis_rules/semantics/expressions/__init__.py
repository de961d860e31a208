"""One-line expressions: parsed, typed, as trees."""

from polis_rules.semantics.expressions.lowered import foremost
from polis_rules.semantics.expressions.nodes import *
from polis_rules.semantics.expressions.parse import parse
from polis_rules.semantics.expressions.scope import Scope
from polis_rules.semantics.expressions.types import BOOL, BROKEN, GROUPS, INT, NONE, Type, fits
