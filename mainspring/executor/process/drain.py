"""The orderly end of an executor: finish or hand back all attempts, and deliver all outcomes.

A service manager kills the process when the grace is over. So attempts are interrupted early enough for all that follows.
"""

import logging

import msgspec

from mainspring.clock import Clock
from mainspring.executor.link.session import ExecutorSession

log = logging.getLogger(__name__)

INTERRUPT, HAND_BACK, LEAVE, END = 5.0, 3.0, 2.0, 0.5
"""Seconds before the grace is over: attempts are interrupted, those that go on are handed back, no server is waited for any
longer, the process is gone."""
HAND_IN = 1e-4
"""Seconds that it may take to hand in one of very many attempts; so much earlier all of them are interrupted ..."""
HAND_IN_SHARE = 0.5
"""... but at most by this part of the grace."""
GRACE_AMPLE = 10.0
"""Seconds; a shorter grace shortens all of these alike, so that half of it is left for ending by oneself."""
TIDY_MIN = 0.5
"""Seconds that interrupted attempts have for their own cleaning up, however short the grace is."""
TELL_EVERY = 5.0
"""Seconds between the lines of the countdown."""
HEED_MAX = 2.0
"""Seconds to wait for a server to acknowledge the drain."""
SETTLE_MAX = 10.0
"""Seconds to find a server that takes the last outcomes."""
SETTLE_MIN = 0.5
"""The same with a very short grace; outcomes that are not delivered count as lost."""


class Timetable(msgspec.Struct, frozen=True):
    """The times of a drain, by the monotonic clock."""

    interrupt: float
    hand_back: float
    leave: float
    end: float

    @classmethod
    def of(cls, now: float, grace: float, attempts: int = 0) -> "Timetable":
        """The timetable for `attempts` in hand."""
        share = min(grace / GRACE_AMPLE, 1.0)
        over = now + grace
        early = min(HAND_IN * attempts, HAND_IN_SHARE * grace)
        interrupt = max(now, over - share * INTERRUPT - early)
        return cls(interrupt, max(now, over - share * HAND_BACK - early), over - share * LEAVE, over - share * END)


async def count_down(session: ExecutorSession, clock: Clock, until: float) -> bool:
    """Wait until nothing is in hand, and log the countdown; False if `until` came first."""
    runner = session.runner
    if runner.idle.is_set():
        log.info("draining: nothing in hand")
        return True
    while (left := until - clock.monotonic()) > 0:
        log.info("draining: attempts in hand: %d; they are interrupted in %.0f s", len(runner.holdings), left)
        if await clock.wait(runner.idle, min(left, TELL_EVERY)):
            return True
    return runner.idle.is_set()


async def drain(session: ExecutorSession, clock: Clock, times: Timetable) -> bool:
    """Bring every attempt to an end; return whether the server has acknowledged all outcomes."""
    runner = session.runner
    session.withdraw()
    if not await count_down(session, clock, times.interrupt):
        log.info("draining: attempts in hand: %d; they are interrupted now", len(runner.holdings))
        runner.interrupt(runner.holdings.all())
        await clock.wait(runner.idle, max(times.hand_back - clock.monotonic(), TIDY_MIN))
        runner.hand_back()
    leave = max(times.leave, clock.monotonic() + SETTLE_MIN)
    if session.lease.held:
        # Until then a start may be on its way; it would be lost with us.
        await clock.wait(session.drain_acknowledged, min(HEED_MAX, leave - clock.monotonic()))
    settled = await clock.wait(runner.handed_in, min(SETTLE_MAX, leave - clock.monotonic()))
    if not settled:
        log.warning("%d outcomes could not be handed in; their runs start again elsewhere", len(runner.outbox))
    return settled
