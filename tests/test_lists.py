"""Lists in state: what always holds of them, and what steps and expressions make of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from support.small_ruleset import ruleset_of

from polis_rules import Game, Ruleset, RuleError, RulesetError
from polis_rules.interpreter.runtime.list_functions import keep, listed, put_on, take_out, take_top, turned
from polis_rules.semantics import packed, stored, unpacked
