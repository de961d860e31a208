"""Many games in which all that must hold is checked after every decision."""

from polis_rules.verification.soak.soak import Plan, Soaked, in_turns, save, soak
