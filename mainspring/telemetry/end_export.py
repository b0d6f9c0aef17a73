"""Sends the spans that are left when a process ends, but lets no collector that is away hold the process up."""

import atexit
import threading
from collections.abc import Callable

PATIENCE = 5.0
"""Seconds. The SDK waits for half a minute, which is as long as service managers wait before they kill."""


def end_with_process(shut_down: Callable[[], None]) -> None:
    atexit.register(bounded(shut_down, PATIENCE))


def bounded(shut_down: Callable[[], None], patience: float) -> Callable[[], None]:
    """A call that returns when it is done, or after so many seconds."""
    ends = threading.Event()

    def work() -> None:
        ends.wait()
        shut_down()

    # Started now: a process that is ending can no longer start threads.
    thread = threading.Thread(target=work, name="end of the export", daemon=True)
    thread.start()

    def end() -> None:
        ends.set()
        thread.join(patience)

    return end
