"""The entry point of `polis`: Ctrl-C, or SIGTERM, ends it without a traceback from the first moment to the last."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` takes a while to import, and Ctrl-C may come


def main() -> None:
    """Import and run the command line."""
    usual = signal.signal(signal.SIGINT, signal.SIG_DFL)  # while modules are imported there is nothing to save
    from .main import main as run
    from .output import STOPPED, say

    signal.signal(signal.SIGINT, usual)
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _like_ctrl_c)
    try:
        run()
    except KeyboardInterrupt:
        say("stopped", err=True)
        raise SystemExit(STOPPED) from None
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _like_ctrl_c(_: int, frame: object) -> None:
    """Do what Ctrl-C would do now, also where that is ignored, as in the background of a shell."""
    on_ctrl_c = signal.getsignal(signal.SIGINT)
    if callable(on_ctrl_c) and on_ctrl_c not in (signal.SIG_IGN, signal.SIG_DFL):
        on_ctrl_c(signal.SIGINT, frame)
    else:
        raise KeyboardInterrupt
