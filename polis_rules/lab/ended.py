"""What ended games before all were played."""

from __future__ import annotations

from types import TracebackType

from polis_rules.lab.games import LabError


class Ended:
    """Keeps Ctrl-C and lost processes from ending what is done inside of `with`, so that what is known can be told.

    >>> with Ended() as ended:
    ...     raise LabError("two processes were ended")
    >>> ended.stopped, ended.lost
    (False, 'two processes were ended')
    """

    def __init__(self) -> None:
        self.stopped = False
        """by Ctrl-C"""
        self.lost = ""
        """why no more games could be played, if so"""

    def __enter__(self) -> Ended:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        self.stopped |= isinstance(error, KeyboardInterrupt)
        if isinstance(error, LabError):
            self.lost = str(error)
        return isinstance(error, (KeyboardInterrupt, LabError))
