"""The entry point of `polis`: Ctrl-C ends it without a traceback from the first moment to the last."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` takes a while to import, and Ctrl-C may come


def main() -> None:
    """Import and run the command line."""
    usual = signal.signal(signal.SIGINT, signal.SIG_DFL)  # while modules are imported there is nothing to save
    from .main import main as run
    from .output import STOPPED, say

    signal.signal(signal.SIGINT, usual)
    try:
        run()
    except KeyboardInterrupt:
        say("stopped", err=True)
        raise SystemExit(STOPPED) from None
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
