"""Outcomes on their way to the server, kept until it acknowledges them as durable."""

from collections.abc import Callable, Iterator
from math import inf
from operator import attrgetter

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.executor.attempts.attempt import Attempt
from mainspring.wire.messages import ATTEMPTS_MAX, Outcomes

KEPT_MAX = 50_000
"""Outcomes kept before the executor stops asking for more to do."""
KEPT_BYTES_MAX = 64 * 1024 * 1024
BATCH_BYTES_MAX = 4 * 1024 * 1024
IN_FLIGHT = 2
"""Batches on their way to the server before further outcomes wait for company."""
ENOUGH = 200
"""Outcomes that are sent however many batches are on their way."""
OUTCOME_OF = attrgetter("outcome")
GATHER_MAX = 0.005
"""Seconds that an outcome waits for company at most."""


class Outbox:
    """Batches of outcomes, each numbered once and sent on every connection until it is settled."""

    def __init__(self) -> None:
        self._fresh: list[Attempt] = []
        self._unsettled: dict[int, Outcomes] = {}
        self._weights: dict[int, tuple[int, int]] = {}
        self._unsent: list[int] = []
        self._seq = 0
        self._kept = 0
        self._bytes = 0
        self._full = False
        self._gather_until: float | None = None
        self._pressing = False
        """Whether a fresh outcome is no success: the server counts the wait until the next attempt from its arrival."""

    def __len__(self) -> int:
        return self._kept + len(self._fresh)

    @property
    def full(self) -> bool:
        """Whether to ask for nothing more; lasts until half of it is settled."""
        part = 0.5 if self._full else 1.0
        self._full = len(self) > KEPT_MAX * part or self._bytes > KEPT_BYTES_MAX * part
        return self._full

    @property
    def sendable(self) -> bool:
        return bool(self._fresh or self._unsent)

    def add(self, attempts: list[Attempt]) -> None:
        self._fresh += attempts
        # Counted by identity and without a frame for each, since there may be tens of thousands in a second.
        self._pressing |= [*map(OUTCOME_OF, attempts)].count(Outcome.SUCCEEDED) < len(attempts)

    def gathers(self, now: float) -> bool:
        """Whether outcomes wait for company."""
        # The server works on earlier ones, and a frame costs more than what is in it.
        waited_for = self._unsent or self._pressing or len(self._fresh) >= ENOUGH
        if not self._fresh or waited_for or len(self._unsettled) < IN_FLIGHT:
            self._gather_until = None
            return False
        if self._gather_until is None:
            self._gather_until = now + GATHER_MAX
        return now < self._gather_until

    def due_in(self, now: float) -> float:
        """Seconds until outcomes have waited long enough."""
        return inf if self._gather_until is None else max(self._gather_until - now, 0.0)

    def take(self, held_back: Callable[[Attempt], bool] | None = None) -> list[Outcomes]:
        """The batches that this connection has not carried yet, but for outcomes other than success that are held back."""
        self._gather_until, self._pressing = None, False
        if self._fresh:
            fresh, self._fresh = self._fresh, []
            if held_back is not None:
                fresh = self._hold_back(fresh, held_back)
            for at in range(0, len(fresh), ATTEMPTS_MAX):
                self._number(fresh[at : at + ATTEMPTS_MAX])
        unsent, self._unsent = self._unsent, []
        return [self._unsettled[seq] for seq in unsent if seq in self._unsettled]

    def _hold_back(self, fresh: list[Attempt], held_back: Callable[[Attempt], bool]) -> list[Attempt]:
        """Put outcomes that have to wait back; return the others."""
        ready: list[Attempt] = []
        for attempt in fresh:
            waits = attempt.outcome is not Outcome.SUCCEEDED and held_back(attempt)
            (self._fresh if waits else ready).append(attempt)
        return ready

    def settle(self, seq: int) -> None:
        if self._unsettled.pop(seq, None) is not None:
            kept, weight = self._weights.pop(seq)
            self._kept -= kept
            self._bytes -= weight

    def resend(self) -> None:
        """A new connection has carried nothing yet."""
        self._unsent = list(self._unsettled)

    def held(self) -> Iterator[tuple[Token, RunId]]:
        for batch in self._unsettled.values():
            yield from zip(batch.tokens, batch.runs, strict=True)
            yield from ((ended.token, ended.run) for ended in batch.ended)
        yield from ((attempt.token, attempt.run) for attempt in self._fresh)

    def _number(self, attempts: list[Attempt]) -> None:
        good = [attempt for attempt in attempts if attempt.outcome is Outcome.SUCCEEDED]
        results = [attempt.result for attempt in good]
        # Mostly there are none.
        bad = [] if len(good) == len(attempts) else [one for one in attempts if one.outcome is not Outcome.SUCCEEDED]
        ended = [_ended(attempt) for attempt in bad]
        weight = sum(map(len, results)) + sum(map(_weight, ended))
        if weight > BATCH_BYTES_MAX and len(attempts) > 1:
            middle = len(attempts) // 2
            self._number(attempts[:middle])
            self._number(attempts[middle:])
            return
        self._seq += 1
        self._unsettled[self._seq] = Outcomes(
            self._seq,
            [attempt.run for attempt in good],
            [attempt.token for attempt in good],
            results,
            [attempt.wait for attempt in good],
            [attempt.duration for attempt in good],
            ended,
        )
        self._weights[self._seq] = (len(attempts), weight)
        self._unsent.append(self._seq)
        self._kept += len(attempts)
        self._bytes += weight


def _ended(attempt: Attempt) -> Ended:
    return Ended(
        run=attempt.run,
        token=attempt.token,
        outcome=attempt.outcome,
        failure=attempt.failure,
        wait=attempt.wait,
        duration=attempt.duration,
        kinds=attempt.kinds,
        after=attempt.after,
        until=attempt.until,
        suspension=attempt.suspension,
        breaker=attempt.breaker,
        epoch=attempt.epoch,
    )


def _weight(ended: Ended) -> int:
    failure = ended.failure
    return 64 if failure is None else 64 + len(failure.message) + len(failure.traceback)
