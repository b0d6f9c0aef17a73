"""Attempts that have to end: because somebody cancelled them, or because the deadline of their run has come.

Each is interrupted first, as its pool can, and has a grace for cleaning up. One that goes on all the same is given up: it is
reported as stopped, and another attempt gets its slot.

A drain is gentler. It asks first and interrupts later, and what nothing can interrupt is waited for: its run would else be
started elsewhere while it goes on here.
"""

import asyncio
import heapq
import logging
from collections import deque
from itertools import count

from mainspring.clock import Clock
from mainspring.domain.attempt import Outcome
from mainspring.executor.attempt import Attempt
from mainspring.executor.runner import Runner
from mainspring.wire.messages import Holding

log = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds that an interrupted attempt has for cleaning up, unless the settings say otherwise."""
IDLE = 60.0
SLACK = 64
"""Deadlines of attempts that are over, kept beside as many of attempts that are not before they are swept out."""


class Stops:
    """Lives on the runner's loop; `watch` is one of the loops that the composition runs side by side."""

    def __init__(self, runner: Runner, clock: Clock, *, grace: float = GRACE) -> None:
        self._runner = runner
        self._clock = clock
        self._grace = grace
        self._stopped: deque[tuple[float, Attempt]] = deque()
        """With the instant at which each is given up, in its order."""
        self._deadlines: list[tuple[float, int, Attempt]] = []
        self._drained: list[tuple[float, list[Attempt]]] = []
        """With the instant at which what still runs is interrupted."""
        self._order = count()
        self._changed = asyncio.Event()

    def cancel(self, holding: list[Holding]) -> None:
        """Stop what is held; what is not was lost on its way, and is reported as cancelled all the same."""
        held = self._runner.holdings.find(holding)
        found = {(attempt.token, attempt.run) for attempt in held}
        missing = [(batch.token, run) for batch in holding for run in batch.runs if (batch.token, run) not in found]
        if missing:
            reported = set(self._runner.outbox.held())
            for token, run in missing:
                if (token, run) not in reported:
                    self._runner.refuse(token, run, Outcome.CANCELLED)
        self._stop([attempt for attempt in held if attempt.stops_as is Outcome.RELEASED], Outcome.CANCELLED)

    def drain(self, grace: float) -> None:
        """Come to an end with all that is held: it has so many seconds to do so by itself."""
        held = self._runner.let_go()
        if held:
            log.info("draining: %d attempts in hand", len(held))
            self._drained.append((self._clock.monotonic() + grace, held))
            self._changed.set()

    def expect(self, attempts: list[Attempt]) -> None:
        """Stop those with a deadline when it comes."""
        limited = [attempt for attempt in attempts if attempt.deadline is not None]
        if not limited:
            return
        if len(self._deadlines) > 2 * len(self._runner.holdings) + SLACK:
            self._deadlines = [entry for entry in self._deadlines if self._is_held(entry[2])]
            heapq.heapify(self._deadlines)
        for attempt in limited:
            heapq.heappush(self._deadlines, (attempt.deadline or 0.0, next(self._order), attempt))
        self._changed.set()

    async def watch(self) -> None:
        while True:
            await self._clock.wait(self._changed, self._due_in())
            self._changed.clear()
            self._look()

    def _look(self) -> None:
        now = self._clock.monotonic()
        late: list[Attempt] = []
        while self._deadlines and self._deadlines[0][0] <= now:
            late.append(heapq.heappop(self._deadlines)[2])
        self._stop([one for one in late if self._is_held(one) and not one.stopping], Outcome.TIMED_OUT)
        stubborn: list[Attempt] = []
        while self._stopped and self._stopped[0][0] <= now:
            stubborn.append(self._stopped.popleft()[1])
        self._give_up([one for one in stubborn if self._is_held(one)], now)
        self._interrupt_drained(now)

    def _interrupt_drained(self, now: float) -> None:
        for until, attempts in self._drained:
            if until <= now:
                self._runner.interrupt([one for one in attempts if one.stops_as is Outcome.RELEASED])
        self._drained = [(until, attempts) for until, attempts in self._drained if until > now]

    def _stop(self, attempts: list[Attempt], outcome: Outcome) -> None:
        if not attempts:
            return
        log.info("stopping %d attempts: %s", len(attempts), outcome.label)
        until = self._clock.monotonic() + self._grace
        self._stopped.extend((until, attempt) for attempt in attempts)
        self._runner.stop(attempts, outcome)
        self._changed.set()

    def _give_up(self, attempts: list[Attempt], now: float) -> None:
        if attempts:
            log.warning("%d attempts did not stop within %.0f s: given up, they may go on", len(attempts), self._grace)
            self._runner.give_up(attempts, now)

    def _is_held(self, attempt: Attempt) -> bool:
        return self._runner.holdings.has(attempt)

    def _due_in(self) -> float:
        heads = [entries[0][0] for entries in (self._stopped, self._deadlines) if entries]
        heads += [until for until, _ in self._drained]
        return max(min(heads) - self._clock.monotonic(), 0.0) if heads else IDLE
