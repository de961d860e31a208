"""Typed rules to blocks of code, cut where the game waits."""

from polis_rules.interpreter.compiler.blocks import Announce, Blocks, Point
