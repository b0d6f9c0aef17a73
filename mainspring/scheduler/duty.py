"""The only loop: tick, wake early, back off, stop."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from mainspring.clock import Clock
from mainspring.domain.metrics.declared import DUTY_FAILURES, DUTY_SECONDS
from mainspring.domain.metrics.numbers import Histogram, Totals
from mainspring.errors import UnavailableError

log = logging.getLogger("mainspring.scheduler")

BACKOFF_MIN, BACKOFF_MAX = 0.1, 2.0
DRAIN_STEP = 0.02


class Duty(Protocol):
    """Something a server does again and again."""

    name: str
    period: float
    """Seconds between ticks when nobody wakes it."""
    wake: asyncio.Event
    """Set it for a tick now; losing that is harmless, the period comes anyway."""

    async def tick(self) -> bool:
        """Do the work at hand; True: more is waiting, tick again at once."""


class Health:
    """The state of the duties: how long they take, when each last worked, and their knowledge of the store's health."""

    def __init__(self) -> None:
        self.trouble: dict[str, str] = {}
        self.ticks = Histogram(DUTY_SECONDS)
        self.failures = Totals(DUTY_FAILURES)
        self.worked_at: dict[str, float] = {}
        """By duty, when it last ended a tick well, on the monotonic clock."""

    @property
    def reason(self) -> str:
        return next(iter(self.trouble.values()), "")

    def ticked(self, duty: str, began: float, ended: float) -> None:
        self.ticks.observe(ended - began, (duty,))
        if duty not in self.worked_at:
            # A rate over a series that begins with its first failure would not show it.
            self.failures.add((duty,), 0)
        self.worked_at[duty] = ended

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
        began = clock.monotonic()
        try:
            again = await duty.tick()
        except UnavailableError as error:
            health.ill(duty.name, str(error))
            health.failures.add((duty.name,))
        except Exception:  # a duty outlives whatever one tick runs into
            log.exception("%s failed and will try again", duty.name)
            health.failures.add((duty.name,))
        else:
            health.well(duty.name)
            health.ticked(duty.name, began, clock.monotonic())
            backoff = BACKOFF_MIN
            if not again:
                await clock.wait(duty.wake, duty.period)
            continue
        await clock.wait(stop, backoff * (0.5 + jitter() / 2))
        backoff = min(BACKOFF_MAX, backoff * 2)


async def run_duties(
    duties: Sequence[Duty], clock: Clock, health: Health, stop: asyncio.Event, jitter: Callable[[], float]
) -> None:
    """Perform all duties until stop is set; wake them then, so that each sees it at once."""
    async with asyncio.TaskGroup() as group:
        for duty in duties:
            group.create_task(perform(duty, clock, health, stop, jitter), name=duty.name)
        await stop.wait()
        for duty in duties:
            duty.wake.set()


async def until(quiet: Callable[[], bool], clock: Clock, *, seconds: float) -> None:
    """Wait until there is nothing left to do, but not for ever."""
    deadline = clock.monotonic() + seconds
    while not quiet() and clock.monotonic() < deadline:
        await clock.sleep(DRAIN_STEP)
