"""Connections that wait for their next call, and whether they are still good."""

import select
from typing import Protocol

IDLE_MAX = 20.0
"""Seconds after which an idle connection is not used again; servers close theirs after 30."""
IDLE_COUNT = 20
"""Connections to one server that wait at most; more are closed after their call."""


class HasFileno(Protocol):
    def fileno(self) -> int: ...


def is_over(sock: HasFileno) -> bool:
    """Whether the other side has closed an idle connection: then there is something to read, namely the end."""
    if not hasattr(select, "poll"):
        return bool(select.select([sock], [], [], 0)[0])
    # Unlike select, it takes the numbers that files have in a process with thousands of them.
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(0))
