"""The version of this package."""

from __future__ import annotations


def version() -> str:
    """The installed version, or `unknown` in a checkout that is not installed.

    >>> isinstance(version(), str)
    True
    """
    from importlib import metadata  # reads mail headers, which takes time to import

    try:
        return metadata.version("polis-rules")
    except metadata.PackageNotFoundError:
        return "unknown"
