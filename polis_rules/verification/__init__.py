"""Proof that rules and engine are right."""

from polis_rules.verification.proving import carried, cases_of, naming, rule_of, with_proofs
from polis_rules.verification.workers import WorkerLostError, in_processes
