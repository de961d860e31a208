"""What engines of native code have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from ctypes import Array, c_int64
from dataclasses import dataclass, field
from typing import Literal, Protocol

from polis_rules.diagnostics import PolisError
from polis_rules.interpreter.compiler.native import Shape

Kind = Literal["c", "wasm"]


class TrappedError(Exception):
    """A program of native code ended with an error, or called itself too deeply. Its memory may be half written."""


class NativeMissingError(PolisError):
    """Native code cannot be had here."""

    def __init__(self, reason: str, what_to_install: str) -> None:
        super().__init__(f"{reason}; {what_to_install}")
        self.reason = reason
        self.what_to_install = what_to_install


@dataclass(frozen=True, slots=True)
class Code:
    """Native code as it is kept: a shared object or a serialized module, and how many values its exports take."""

    binary: bytes
    exports: dict[str, int]
    shape: Shape = field(default_factory=Shape)


class Instance(ABC):
    """A program with memory of its own. One thread at a time may call it; other threads, other instances."""

    base: int
    """the address of its words, as its program sees it; a multiple of 64"""
    words: Array[c_int64]
    """the words themselves, which stay where they are; 0 in the beginning"""

    def __init__(self) -> None:
        self.functions: dict[str, Callable[..., int]] = {}

    @abstractmethod
    def function(self, name: str) -> Callable[..., int]:
        """An export as a function of integers, of which the lower 64 bits are taken. It raises TrappedError."""

    def call(self, name: str, *args: int) -> int:
        """The answer of an export. Raises TrappedError."""
        return (self.functions.get(name) or self.function(name))(*args)


class Engine(Protocol):
    """A program without memory. Any thread may use it."""

    shape: Shape

    def instance(self, words: int) -> Instance:
        """A program with so many words of memory, all 0. Raises MemoryError."""
