"""Proof that rules and engine are right."""

from polis_rules.verification.proving import with_proofs
from polis_rules.verification.workers import WorkerLostError, in_processes
