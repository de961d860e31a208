"""Native code as a shared object, made by the C compiler of this machine.

CC names another compiler than `cc`, with options if need be.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from polis_rules.interpreter.compiler.native import WORD, Shape, Unit, c_source
from polis_rules.interpreter.runtime.native.engine import Code, Instance, NativeMissingError, TrappedError

COMPILERS = ("cc", "gcc", "clang")
OPTIONS = (
    "-std=c11", "-finline-small-functions",
    "-fwrapv", "-fno-strict-aliasing", "-fPIC", "-shared", "-fvisibility=hidden", "-w",
    "-fno-optimize-sibling-calls",  # what calls itself for ever would go round for ever, and not trap
)  # fmt: skip
SHORT = 300_000
"""Code of so many characters is compiled with -O2, by which it runs a few percent faster and waits half a second more;
longer code with -O1, as the other takes three times as long."""
INSTALL = "install gcc or clang, or name a C compiler in CC"

LONGEST = 600.0
"""After how many seconds a compiler is stopped."""


def runtime() -> str:
    """What code depends on besides its content."""
    return f"c {sys.platform} {platform.machine()} {os.environ.get('CC', '')}"


def compiled(unit: Unit) -> Code:
    """A unit as a shared object. Raises NativeMissingError where no compiler makes one."""
    command = _compiler()
    with _folder() as folder:
        source, made, told = (folder / name for name in ("rules.c", "rules.so", "told"))
        text = c_source(unit)
        source.write_text(text, encoding="utf-8")
        options = ["-O2" if len(text) <= SHORT else "-O1", *OPTIONS]
        with told.open("wb") as messages:
            status = _run([*command, *options, "-o", str(made), str(source)], messages.fileno())
        if status or not made.is_file():
            lines = told.read_text("utf-8", errors="replace").splitlines()
            why = next((line for line in lines if "error" in line), " ".join(lines[-1:]) or f"it ended with {status}")
            raise NativeMissingError(f"the C compiler {command[0]} failed: {why}", INSTALL)
        return Code(made.read_bytes(), {name: len(unit.functions[name].params) for name in unit.exports}, unit.shape)


def load(code: Code) -> CEngine:
    """The engine of a shared object. Raises NativeMissingError where this machine does not take it."""
    with _folder() as folder:
        path = folder / "rules.so"
        path.write_bytes(code.binary)
        try:
            library = ctypes.CDLL(str(path))
            return CEngine(
                {name: (library[f"export_{name}"], count) for name, count in code.exports.items()}, code.shape
            )
        except (OSError, AttributeError) as error:
            raise NativeMissingError(f"a shared object cannot be loaded: {error}", INSTALL) from None


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the files of one library. Raises NativeMissingError where there is no room for them."""
    try:
        with TemporaryDirectory(prefix="polis-rules-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)
    except OSError as error:
        raise NativeMissingError(f"C code needs temporary files: {error}", "free some room, or set TMPDIR") from None


def _compiler() -> list[str]:
    try:
        named = shlex.split(os.environ.get("CC", ""))
    except ValueError as error:
        raise NativeMissingError(f"CC cannot be read: {error}", INSTALL) from None
    for command in [named] if named else [[name] for name in COMPILERS]:
        if shutil.which(command[0]):
            return command
    raise NativeMissingError(f"there is no C compiler {' or '.join(named[:1] or COMPILERS)}", INSTALL)


def _run(command: list[str], messages: int) -> int:
    """Run a compiler, which ends in a bounded time with all that it began; how it ended."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=messages, stderr=messages, start_new_session=True
        )
    except OSError as error:
        raise NativeMissingError(f"the C compiler {command[0]} cannot be run: {error}", INSTALL) from None
    try:
        return process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        reason = f"the C compiler {command[0]} took more than {LONGEST:g} seconds"
        raise NativeMissingError(reason, "try it when the machine is less busy, or play with wasm") from None
    finally:
        if process.returncode is None:
            _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


Exports = dict[str, tuple[Callable[..., int], int]]
"""Functions and how many values they take."""


class CEngine:
    """A loaded shared object."""

    def __init__(self, exports: Exports, shape: Shape) -> None:
        self.exports, self.shape = exports, shape

    def instance(self, words: int) -> CInstance:
        """A program with so many words of memory, all 0. Raises MemoryError."""
        return CInstance(self.exports, words)


class CInstance(Instance):
    """Memory for a loaded shared object."""

    def __init__(self, exports: Exports, words: int) -> None:
        self.exports = exports
        size = max(words, 1) * WORD
        try:
            if os.name == "posix":
                memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            else:
                memory = mmap.mmap(-1, size)
            self.words = (ctypes.c_int64 * words).from_buffer(memory)
        except (OSError, OverflowError) as error:
            raise MemoryError(f"no memory of {words} words for native code: {error}") from None
        self.base = ctypes.addressof(self.words)
        super().__init__()

    def function(self, name: str) -> Callable[..., int]:
        native, count = self.exports[name]
        values = (ctypes.c_int64 * max(count, 1))()
        place = ctypes.byref(values)

        def call(*args: int) -> int:
            try:
                values[:count] = args  # type: ignore[call-overload]  # any sequence will do
            except ValueError:
                raise TypeError(f"{name} takes {count} values") from None
            if native(place):
                raise TrappedError(name)
            return values[0]

        self.functions[name] = call
        return call
