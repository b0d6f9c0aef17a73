"""SIGTERM and Ctrl-C: the first asks for a drain, the second ends the process."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

log = logging.getLogger("mainspring")

T = TypeVar("T")
NAMES = {int(signal.SIGINT): "Ctrl-C"}
"""Their names in log lines."""


def stop_on_signals(stop: asyncio.Event, again: Callable[[], object] = bool) -> None:
    """Set the event at the first signal; at the second, call `again` and end this process."""

    def drain(number: int) -> None:
        if stop.is_set():
            again()
            os._exit(128 + number)
        log.info("%s: draining; once more to end at once", NAMES.get(number) or signal.Signals(number).name)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, drain, number)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run on uvloop where it is installed."""
    factory = None
    with suppress(ImportError):
        import uvloop  # noqa: PLC0415 not on every platform

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)
