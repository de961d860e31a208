"""Blocks to Python functions."""

from polis_rules.interpreter.compiler.python.backend import Backend
