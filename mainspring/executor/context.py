"""What a handler may see and say."""

import logging
from datetime import datetime
from typing import Any

from mainspring.domain.attributes import Extra, read_extra
from mainspring.domain.ids import id_text
from mainspring.executor.attempt import Attempt, Journal, cancellation
from mainspring.executor.logs import attempt_logger
from mainspring.executor.scope import ProcessScope

NO_SCOPE = ProcessScope()


class Context:
    """One attempt from the inside. Safe to use from any thread."""

    __slots__ = ("_attempt", "_journal", "_logger", "_scope")

    def __init__(self, attempt: Attempt, journal: Journal, scope: ProcessScope = NO_SCOPE) -> None:
        self._attempt = attempt
        self._journal = journal
        self._scope = scope
        self._logger: logging.Logger | None = None

    @property
    def run(self) -> str:
        return id_text(self._attempt.run)

    @property
    def job(self) -> str:
        return self._attempt.handler.name

    @property
    def attempt(self) -> int:
        """The number of this try."""
        return self._attempt.number

    @property
    def fence(self) -> int:
        """Grows with every claim of this run: a downstream that keeps the highest one can refuse a zombie."""
        return self._attempt.number

    @property
    def idempotency_key(self) -> str:
        """The same for every try of this run: pass it on so that a repeat has no second effect."""
        return id_text(self._attempt.run)

    @property
    def labels(self) -> dict[str, str]:
        return dict(self._told.labels)

    @property
    def tags(self) -> tuple[str, ...]:
        return self._told.tags

    @property
    def deadline(self) -> datetime | None:
        """When the run is stopped and fails if it is not over by then; None: it has all the time it takes."""
        return self._told.deadline

    @property
    def should_stop(self) -> bool:
        """Whether to come to an end soon: it was cancelled, its deadline came, or the executor drains or lost its lease."""
        return self._attempt.stopping

    def raise_if_stopping(self) -> None:
        """Raise CancelledError if it is to come to an end: for handlers on threads, which nothing else can interrupt."""
        if self._attempt.stopping:
            raise cancellation()

    @property
    def state(self) -> Any:
        """What the app's lifespan yielded in this process; None without one."""
        return self._scope.state

    @property
    def logger(self) -> logging.Logger:
        """Writes to the run's log, at every level."""
        if self._logger is None:
            self._logger = attempt_logger(self._attempt, self._journal)
        return self._logger

    @property
    def _told(self) -> Extra:
        return read_extra(self._attempt.extra)

    def progress(self, fraction: float, note: str = "") -> None:
        """Say how far this attempt has come, from 0 to 1; only the latest counts."""
        self._journal.progress(self._attempt, min(max(float(fraction), 0.0), 1.0), note)
