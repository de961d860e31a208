"""Runs command lines, each in a process of its own under limits, and tells what each has cost.

A line on stdin is a JSON list: the folder to stand in, then the words of the command. A line on stdout answers it with
the exit status (negative for a signal), CPU seconds and megabytes, each with what Python and its imports cost before,
and everything that was printed. The processes are copies of this one, which has everything imported, so that hundreds
of commands can be run.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

SECONDS = 15
MEGABYTES = 200
NATIVE_SECONDS = 20
NATIVE_MEGABYTES = 400
"""What making native code may take besides. A sandbox reserves addresses by the gigabyte, which are no memory."""
SMALL = Path(__file__).resolve().parents[1] / "rulesets" / "dice_race"


def main() -> None:
    """Answer line by line, until there is none."""
    from polis_cli.main import main as command

    from polis_rules.validation.validate import validate

    begun = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    validate(SMALL)  # which imports all the rest
    for line in sys.stdin:
        folder, *words = json.loads(line)
        print(json.dumps(run(command, folder, words, begun)), flush=True)


def run(command: Any, folder: str, words: list[str], begun: float) -> dict[str, Any]:
    """Run one command in a copy of this process."""
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            os.chdir(folder)
            for stream in (1, 2):
                os.dup2(said.fileno(), stream)
            limit("--native" in words)
            sys.argv = ["polis", *words]
            status = 1
            try:
                command()
                status = 0
            except SystemExit as leave:
                status = int(leave.code or 0)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
        _, ended, usage = os.wait4(child, 0)
        said.seek(0)
        return {
            "status": os.waitstatus_to_exitcode(ended),
            "seconds": begun + usage.ru_utime + usage.ru_stime,
            "megabytes": usage.ru_maxrss / 1024,
            "said": said.read().decode(errors="replace"),
        }


def limit(native: bool) -> None:
    """Let this process use no more than may be used: what goes beyond ends it."""
    seconds = NATIVE_SECONDS if native else SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds + 1, seconds + 1))
    if native:
        return
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEGABYTES * 2**20,) * 2)


if __name__ == "__main__":
    main()
