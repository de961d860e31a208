"""Which small changes of the rules the cases notice."""

from polis_rules.verification.mutation.mutants import Mutant
from polis_rules.verification.mutation.mutation import MutationTest, Verdict, judge_all
