"""Lines of trouble that repeat are said once and then counted: a duty that fails ten times a second fills no disk."""

import logging

import msgspec

OWN = "mainspring"
WINDOW = 60.0
"""Seconds in which a line is said once."""
KNOWN_MAX = 500


class Said(msgspec.Struct):
    """A line that was said, and how often it was kept back since."""

    record: logging.LogRecord
    more: int = 0


class Repeats(logging.Filter):
    """On a handler: keeps back warnings and errors of ours that were said within the last minute, and tells their number."""

    # Other lines are news also if they repeat: an executor that connects twice has connected twice.

    def __init__(self, handler: logging.Handler) -> None:
        super().__init__()
        self._handler = handler
        self._said: dict[tuple[str, int, str], Said] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        self._tell(record.created)
        if record.levelno < logging.WARNING or not record.name.startswith(OWN):
            return True
        key = record.name, record.levelno, text_of(record)
        known = self._said.get(key)
        if known is not None:
            known.more += 1
            return False
        if len(self._said) < KNOWN_MAX:
            self._said[key] = Said(record)
        return True

    def _tell(self, now: float) -> None:
        """Say how often lines were repeated whose minute is over."""
        # The oldest come first, so that a line costs one look while nothing is over.
        while self._said:
            key, said = next(iter(self._said.items()))
            if 0 <= now - said.record.created < WINDOW:
                return
            del self._said[key]
            if said.more:
                self._handler.emit(counted(said, now))


def text_of(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    return record.getMessage() if error is None else f"{record.getMessage()} {error!r}"


def counted(said: Said, now: float) -> logging.LogRecord:
    record = said.record
    words = f"{record.getMessage()} (repeated {said.more} times within {WINDOW:.0f} s)"
    made = logging.LogRecord(record.name, record.levelno, record.pathname, record.lineno, words, None, None)
    made.created = now
    made.__dict__["fields"] = {**getattr(record, "fields", {}), "repeated": said.more}
    return made
