"""Files that one process at a time may write."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import IO


def keep_others_out(file: IO[bytes], path: Path, busy: str) -> None:
    """Lock an open file until it is closed or its process ends, where the system has such locks.

    Raises BlockingIOError, with the words of `busy`, where another process has locked it, or has put another file there
    since it was opened; and OSError.
    """
    try:
        import fcntl
    except ImportError:  # Windows deletes no file that another process has open
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mine = os.path.samestat(os.fstat(file.fileno()), path.stat())
    except BlockingIOError:
        mine = False
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS):  # some file systems have no locks
            raise
        return
    if not mine:
        raise BlockingIOError(errno.EWOULDBLOCK, busy, str(path))
