"""The only loop: tick, wake early, back off, stop."""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from mainspring.clock import Clock
from mainspring.errors import UnavailableError

log = logging.getLogger("mainspring.scheduler")

BACKOFF_MIN, BACKOFF_MAX = 0.1, 2.0


class Duty(Protocol):
    """Something a server does again and again."""

    name: str
    period: float
    """Seconds between ticks when nobody wakes it."""
    wake: asyncio.Event
    """Set it for a tick now; losing that is harmless, the period comes anyway."""

    async def tick(self) -> bool:
        """Do what there is to do; True: more is waiting, tick again at once."""


class Health:
    """What the duties have learnt about the store."""

    def __init__(self) -> None:
        self.trouble: dict[str, str] = {}

    @property
    def reason(self) -> str:
        return next(iter(self.trouble.values()), "")

    def well(self, duty: str) -> None:
        if self.trouble.pop(duty, None) is not None and not self.trouble:
            log.info("the store is back")

    def ill(self, duty: str, reason: str) -> None:
        if not self.trouble:
            log.warning("the store is away: %s", reason)
        self.trouble[duty] = reason


async def perform(duty: Duty, clock: Clock, health: Health, stop: asyncio.Event, jitter: Callable[[], float]) -> None:
    """Tick the duty until stop is set."""
    backoff = BACKOFF_MIN
    while not stop.is_set():
        duty.wake.clear()
        try:
            again = await duty.tick()
        except UnavailableError as error:
            health.ill(duty.name, str(error))
        except Exception:  # a duty outlives whatever one tick runs into
            log.exception("%s failed and will try again", duty.name)
        else:
            health.well(duty.name)
            backoff = BACKOFF_MIN
            if not again:
                await clock.wait(duty.wake, duty.period)
            continue
        await clock.wait(stop, backoff * (0.5 + jitter() / 2))
        backoff = min(BACKOFF_MAX, backoff * 2)
