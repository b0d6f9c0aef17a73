"""Which attempts this executor has, and which starts it has seen before."""

from collections.abc import Callable, Iterable
from itertools import repeat
from typing import TypeVar

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.metadata import read_metadata
from mainspring.errors import FrameError
from mainspring.executor.attempts.attempt import Attempt, Callee
from mainspring.wire.messages import Holding, Start

STARTS_MAX = 100_000

C = TypeVar("C", bound=Callee)
OnWait = Callable[[Attempt, str], None]


class Holdings:
    """Attempts by run: waiting or running, not yet ended."""

    def __init__(self) -> None:
        self._attempts: dict[RunId, Attempt] = {}
        self._starts: dict[tuple[Token, int], float] = {}
        self._barred: dict[tuple[Token, RunId], None] = {}

    def __len__(self) -> int:
        return len(self._attempts)

    def all(self) -> list[Attempt]:
        return list(self._attempts.values())

    def has(self, attempt: Attempt) -> bool:
        return self._attempts.get(attempt.run) is attempt

    def is_repeat(self, start: Start, *, now: float, memory: float) -> bool:
        """Whether this part of a token was seen within that many seconds; remembers it if not."""
        key = (start.token, start.part)
        if key in self._starts:
            return True
        self._starts[key] = now
        self._forget_starts(now - memory)
        return False

    def admit(self, start: Start, handlers: list[C], now: float, on_wait: OnWait | None = None) -> list[Attempt]:
        """Add the attempts of a start, except runs that are held already."""
        held, token, barred = self._attempts, start.token, self._barred
        extras = start.extras or repeat(None, len(start.runs))
        columns = zip(start.runs, start.handlers, start.attempts, start.inputs, extras, strict=True)
        try:
            attempts = [
                Attempt(
                    run,
                    token,
                    number,
                    raw,
                    handlers[position],
                    now,
                    extra,
                    None if extra is None else until(extra, now),
                    on_wait,
                )
                for run, position, number, raw, extra in columns
                if run not in held and (not barred or (token, run) not in barred)
            ]
        except (ValueError, IndexError, msgspec.DecodeError) as error:
            raise FrameError(f"the columns of a start do not fit: {error}") from None
        for attempt in attempts:
            held[attempt.run] = attempt
        if start.timeouts:
            limits = dict(zip(start.runs, start.timeouts, strict=True))
            for attempt in attempts:
                attempt.timeout = limits[attempt.run]
        if start.jobs:
            names = dict(zip(start.runs, start.handlers, strict=True))
            for attempt in attempts:
                attempt.job = start.jobs[names[attempt.run]]
        return attempts

    def remove(self, attempts: list[Attempt]) -> list[Attempt]:
        """Let go of attempts that ended; those that were forgotten before are left out."""
        held = self._attempts
        known = [attempt for attempt in attempts if held.get(attempt.run) is attempt]
        for attempt in known:
            del held[attempt.run]
        return known

    def find(self, holding: list[Holding]) -> list[Attempt]:
        """Those of the named attempts that are held under that very token."""
        found = []
        for batch in holding:
            for run in batch.runs:
                attempt = self._attempts.get(run)
                if attempt is not None and attempt.token == batch.token:
                    found.append(attempt)
        return found

    def bar(self, token: Token, run: RunId) -> None:
        """Never take that attempt, should its start still come: it was cancelled before."""
        self._barred[token, run] = None
        while len(self._barred) > STARTS_MAX:
            del self._barred[next(iter(self._barred))]

    def inventory(self, also: Iterable[tuple[Token, RunId]]) -> list[Holding]:
        runs: dict[Token, list[RunId]] = {}
        for attempt in self._attempts.values():
            runs.setdefault(attempt.token, []).append(attempt.run)
        for token, run in also:
            runs.setdefault(token, []).append(run)
        return [Holding(token, named) for token, named in runs.items()]

    def _forget_starts(self, before: float) -> None:
        """Old ones first, as they were seen; a bound holds even if they all are recent."""
        while self._starts:
            key = next(iter(self._starts))
            if self._starts[key] >= before and len(self._starts) <= STARTS_MAX:
                return
            del self._starts[key]


def until(extra: bytes, now: float) -> float | None:
    """The deadline of a run by this executor's own clock."""
    told = read_metadata(extra)
    return None if told.deadline is None else now + told.left
