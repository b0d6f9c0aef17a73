"""Tells systemd that a process is ready, alive or stopping, by the socket that it names."""

import os
import socket
from contextlib import suppress

from mainspring.clock import Clock

READY = "READY=1"
STOPPING = "STOPPING=1"
ALIVE = "WATCHDOG=1"


def notify(state: str) -> bool:
    """False if no systemd listens."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sending, suppress(OSError):
        sending.sendto(state.encode(), f"\0{path[1:]}" if path[0] == "@" else path)
        return True
    return False


def watchdog_period() -> float | None:
    """Seconds between signs of life, half of what the unit allows; None if its watchdog is off."""
    period = os.environ.get("WATCHDOG_USEC", "")
    if not period.isdecimal() or os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(period) / 2_000_000


async def feed_watchdog(clock: Clock) -> None:
    """Show for ever that this event loop turns: systemd starts a process anew whose loop is stuck."""
    while (period := watchdog_period()) is not None:
        notify(ALIVE)
        await clock.sleep(period)
