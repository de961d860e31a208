"""What changes between two texts of a file, line by line."""

from __future__ import annotations

from difflib import unified_diff


def unified(name: str, before: str, after: str) -> str:
    """A unified diff, as `git diff` shows it; empty for equal texts.

    >>> print(unified("a.yaml", "coin: 1\\n", "coin: 2\\n"), end="")
    --- a.yaml
    +++ a.yaml
    @@ -1 +1 @@
    -coin: 1
    +coin: 2
    """
    lines = unified_diff(before.splitlines(True), after.splitlines(True), name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
