"""Proof that rules and engine are right."""

from polis_rules.verification.proving import cases_of, with_proofs
from polis_rules.verification.workers import WorkerLostError, in_processes
