"""Log records of handlers, on their way to the log of their run."""

import logging

from mainspring.executor.attempts.attempt import Attempt, Journal, current

OWN = "mainspring."


class RunLog(logging.Handler):
    """On the root logger: a record made while an attempt runs belongs to that run."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self._journal = journal

    def emit(self, record: logging.LogRecord) -> None:
        attempt = current.get(None)
        if attempt is not None and not record.name.startswith(OWN):
            _write(self, self._journal, attempt, record)


class AttemptLog(logging.Handler):
    """Writes to one attempt's log, whichever thread the record comes from."""

    def __init__(self, attempt: Attempt, journal: Journal) -> None:
        super().__init__()
        self._attempt = attempt
        self._journal = journal

    def emit(self, record: logging.LogRecord) -> None:
        _write(self, self._journal, self._attempt, record)


def attempt_logger(attempt: Attempt, journal: Journal) -> logging.Logger:
    """A logger of its own, outside the tree: no level set elsewhere can silence it."""
    logger = logging.Logger(attempt.handler.name, logging.DEBUG)  # noqa: LOG001 a registered one would never be freed
    logger.addHandler(AttemptLog(attempt, journal))
    return logger


def _write(handler: logging.Handler, journal: Journal, attempt: Attempt, record: logging.LogRecord) -> None:
    try:
        text = handler.format(record)
    except Exception:  # noqa: BLE001 arguments that do not fit their format are the handler's doing
        handler.handleError(record)
        return
    journal.log(attempt, record.levelno, text)
