"""A failing game made small."""

from polis_rules.verification.shrink.shrink import NoFailureError, Shrunk, shrink
