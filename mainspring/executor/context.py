"""What a handler may see and say."""

import logging

from mainspring.domain.ids import id_text
from mainspring.executor.attempt import Attempt, Journal
from mainspring.executor.logs import attempt_logger


class Context:
    """One attempt from the inside. Safe to use from any thread."""

    __slots__ = ("_attempt", "_journal", "_logger")

    def __init__(self, attempt: Attempt, journal: Journal) -> None:
        self._attempt = attempt
        self._journal = journal
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
    def should_stop(self) -> bool:
        """Whether to come to an end soon: the executor drains, or the attempt is no longer its own."""
        return self._attempt.stopping

    @property
    def logger(self) -> logging.Logger:
        """Writes to the run's log, at every level."""
        if self._logger is None:
            self._logger = attempt_logger(self._attempt, self._journal)
        return self._logger

    def progress(self, fraction: float, note: str = "") -> None:
        """Say how far this attempt has come, from 0 to 1; only the latest counts."""
        self._journal.progress(self._attempt, min(max(float(fraction), 0.0), 1.0), note)
