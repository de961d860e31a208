"""Answers for editors, on unsaved text."""

from polis_rules.language_server.server import make_server
