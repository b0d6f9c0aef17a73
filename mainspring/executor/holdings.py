"""Which attempts this executor has, and which starts it has seen before."""

from collections.abc import Iterable
from typing import TypeVar

from mainspring.domain.ids import RunId, Token
from mainspring.errors import FrameError
from mainspring.executor.attempt import Attempt, Callee
from mainspring.wire.messages import Holding, Start

STARTS_MAX = 100_000

C = TypeVar("C", bound=Callee)


class Holdings:
    """Attempts by run: waiting or running, not yet ended."""

    def __init__(self) -> None:
        self._attempts: dict[RunId, Attempt] = {}
        self._starts: dict[tuple[Token, int], float] = {}

    def __len__(self) -> int:
        return len(self._attempts)

    def all(self) -> list[Attempt]:
        return list(self._attempts.values())

    def is_repeat(self, start: Start, *, now: float, memory: float) -> bool:
        """Whether this part of a token was seen within that many seconds; remembers it if not."""
        key = (start.token, start.part)
        if key in self._starts:
            return True
        self._starts[key] = now
        self._forget_starts(now - memory)
        return False

    def admit(self, start: Start, handlers: list[C], now: float) -> list[Attempt]:
        """Take what a start brings, without the runs already held."""
        held, token = self._attempts, start.token
        columns = zip(start.runs, start.handlers, start.attempts, start.inputs, strict=True)
        try:
            attempts = [
                Attempt(run, token, number, raw, handlers[position], now)
                for run, position, number, raw in columns
                if run not in held
            ]
        except (ValueError, IndexError) as error:
            raise FrameError(f"the columns of a start do not fit: {error}") from None
        for attempt in attempts:
            held[attempt.run] = attempt
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
