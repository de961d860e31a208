"""Typed rules to code."""

from polis_rules.interpreter.compiler.compiling import compile_rules
