"""Typed rules to code."""

from polis_rules.interpreter.compiler.compiling import compile_lazily, compile_rules
from polis_rules.interpreter.compiler.python import Backend
