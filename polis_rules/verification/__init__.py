"""Proof that rules and engine are right."""
