"""Stops attempts: after a cancel, a timeout or a deadline, and in a drain.

Each is interrupted first, as its pool can, and has a grace for cleaning up. One that goes on after that is given up: it is
reported as stopped, and another attempt gets its slot.

A drain asks first and interrupts later, and it waits for attempts that nothing can interrupt: their runs would otherwise start
elsewhere while they go on here. Timeouts and deadlines apply during a drain too.
"""

import asyncio
import heapq
import logging
from collections import deque
from itertools import count

from mainspring.clock import Clock
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.runner import Runner
from mainspring.wire.messages import Cancel, Drain, Holding, Suspend

log = logging.getLogger(__name__)

GRACE = 5.0
"""Default seconds that an interrupted attempt has for cleaning up."""
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
        """With the time at which each is given up, in that order."""
        self._deadlines: list[tuple[float, int, Attempt]] = []
        self._drained: list[tuple[float, list[Attempt]]] = []
        """With the time at which those still running are interrupted."""
        self._yielding: deque[tuple[float, Attempt]] = deque()
        """In child processes, with the time at which each is stopped unless it has yielded."""
        self._order = count()
        self._changed = asyncio.Event()

    def receive(self, message: Cancel | Suspend | Drain) -> None:
        match message:
            case Cancel():
                self.cancel(message.holding)
            case Suspend():
                self.suspend(message.holding)
            case Drain():
                self.drain(message.grace)

    def cancel(self, holding: list[Holding]) -> None:
        """Stop these attempts; those that never arrived are reported as cancelled too."""
        held = self._find(holding, Outcome.CANCELLED)
        self._stop([attempt for attempt in held if attempt.stops_as is Outcome.RELEASED], Outcome.CANCELLED)

    def suspend(self, holding: list[Holding]) -> None:
        """Have these attempts yield; in a child process, one that does not within the grace is stopped."""
        held = [one for one in self._find(holding, Outcome.SUSPENDED) if one.stops_as is Outcome.RELEASED]
        self._runner.suspend(held)
        until = self._clock.monotonic() + self._grace
        self._yielding.extend((until, one) for one in held if one.handler.pool is Pool.PROCESSES)
        self._changed.set()

    def drain(self, grace: float) -> None:
        """Bring all held attempts to an end: they have `grace` seconds to do so by themselves."""
        held = self._runner.let_go()
        if held:
            log.info("draining: %d attempts in hand", len(held))
            self._drained.append((self._clock.monotonic() + grace, held))
            self._changed.set()

    def expect(self, attempts: list[Attempt]) -> None:
        """Stop those whose time is limited when it is up."""
        limited = [attempt for attempt in attempts if attempt.deadline is not None or attempt.timeout]
        if not limited:
            return
        if len(self._deadlines) > 2 * len(self._runner.holdings) + SLACK:
            self._deadlines = [entry for entry in self._deadlines if self._is_held(entry[2])]
            heapq.heapify(self._deadlines)
        now = self._clock.monotonic()
        for attempt in limited:
            self._await(attempt, now)
        self._changed.set()

    async def watch(self) -> None:
        while True:
            await self._clock.wait(self._changed, self._due_in())
            self._changed.clear()
            self._look()

    def _look(self) -> None:
        now = self._clock.monotonic()
        self._stop(self._take_late(now), Outcome.TIMED_OUT)
        self._stop(self._take_unyielding(now), Outcome.SUSPENDED)
        stubborn: list[Attempt] = []
        while self._stopped and self._stopped[0][0] <= now:
            stubborn.append(self._stopped.popleft()[1])
        self._give_up([one for one in stubborn if self._is_held(one)], now)
        self._interrupt_drained(now)

    def _take_late(self, now: float) -> list[Attempt]:
        """Attempts whose time is up."""
        # One that began later than it arrived, or was extended, is queued again.
        late: list[Attempt] = []
        while self._deadlines and self._deadlines[0][0] <= now:
            attempt = heapq.heappop(self._deadlines)[2]
            if not self._is_held(attempt) or attempt.stops_as is not Outcome.RELEASED:
                continue
            if attempt.due(now) <= now:
                late.append(attempt)
            else:
                self._await(attempt, now)
        return late

    def _take_unyielding(self, now: float) -> list[Attempt]:
        late: list[Attempt] = []
        while self._yielding and self._yielding[0][0] <= now:
            late.append(self._yielding.popleft()[1])
        return [one for one in late if self._is_held(one) and one.stops_as is Outcome.RELEASED]

    def _find(self, holding: list[Holding], outcome: Outcome) -> list[Attempt]:
        """The held attempts; those that never arrived are reported with this outcome."""
        held = self._runner.holdings.find(holding)
        found = {(attempt.token, attempt.run) for attempt in held}
        missing = [(batch.token, run) for batch in holding for run in batch.runs if (batch.token, run) not in found]
        if missing:
            reported = set(self._runner.outbox.held())
            for token, run in missing:
                if (token, run) not in reported:
                    self._runner.refuse(token, run, outcome)
        return held

    def _await(self, attempt: Attempt, now: float) -> None:
        heapq.heappush(self._deadlines, (attempt.due(now), next(self._order), attempt))

    def _interrupt_drained(self, now: float) -> None:
        for until, attempts in self._drained:
            if until <= now:
                self._runner.interrupt([one for one in attempts if one.stops_as is Outcome.RELEASED])
        self._drained = [(until, attempts) for until, attempts in self._drained if until > now]

    def _stop(self, attempts: list[Attempt], outcome: Outcome) -> None:
        if not attempts:
            return
        log.info("stopping %d attempts: %s", len(attempts), outcome.label)
        now = self._clock.monotonic()
        self._stopped.extend((now + self._grace, attempt) for attempt in attempts)
        self._runner.stop(attempts, outcome, now)
        self._changed.set()

    def _give_up(self, attempts: list[Attempt], now: float) -> None:
        if attempts:
            log.warning("%d attempts did not stop within %.0f s: given up, they may go on", len(attempts), self._grace)
            self._runner.give_up(attempts, now)

    def _is_held(self, attempt: Attempt) -> bool:
        return self._runner.holdings.has(attempt)

    def _due_in(self) -> float:
        heads = [entries[0][0] for entries in (self._stopped, self._deadlines, self._yielding) if entries]
        heads += [until for until, _ in self._drained]
        return max(min(heads) - self._clock.monotonic(), 0.0) if heads else IDLE
