"""Checks beyond types, one a file: what a sound ruleset could still have wrong."""
