"""The version of this package."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """The installed version, or `unknown` in a checkout that is not installed.

    >>> isinstance(version(), str)
    True
    """
    try:
        return metadata.version("polis-rules")
    except metadata.PackageNotFoundError:
        return "unknown"
