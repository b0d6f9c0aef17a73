"""Log lines of the processes on stderr: in UTC, as text or JSON."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from mainspring.cli.processes.repeats import Repeats
from mainspring.domain.ids import id_text
from mainspring.domain.runs.current import under_way
from mainspring.settings.masking import mask
from mainspring.telemetry.spans import current_ids

TEXT, JSON = "text", "json"
LIBRARIES = ("asyncio", "asyncpg", "httpcore", "httpcore2", "httpx", "httpx2", "uvicorn", "websockets")
"""Libraries whose lines below a warning are never shown."""


class TextFormatter(logging.Formatter):
    """`2026-01-31T08:00:00.123Z WARNING mainspring.settle_attempts: …`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, _datefmt: str | None = None) -> str:  # noqa: N802 its parent's name
        return instant_of(record)

    def format(self, record: logging.LogRecord) -> str:
        return mask(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object per line, with the name of the process and the record's `fields`; what is not known is left out."""

    def __init__(self, **process: str) -> None:
        super().__init__()
        self._process = process

    def format(self, record: logging.LogRecord) -> str:
        line = {"ts": instant_of(record), "level": record.levelname.lower(), "logger": record.name}
        line |= {"message": record.getMessage(), **self._process, **about_attempt(), **current_ids()}
        if record.exc_info:
            line |= {"error": error_of(record), "traceback": self.formatException(record.exc_info)}
        line |= getattr(record, "fields", {})
        masked = {name: mask(value) if isinstance(value, str) else value for name, value in line.items()}
        return json.dumps(masked, ensure_ascii=False, default=str)


def about_attempt() -> dict[str, Any]:
    """Run, attempt and job of a line that a handler's own code leads to."""
    attempt = under_way.get(None)
    if attempt is None:
        return {}
    return {"run": id_text(attempt.run), "attempt": attempt.number, "job": attempt.handler.name}


def error_of(record: logging.LogRecord) -> str:
    """Class and message of the record's exception, on one line as in `traceback`'s last."""
    error = record.exc_info[1] if record.exc_info else None
    return "" if error is None else f"{type(error).__name__}: {error}".rstrip(": ")


def usual_form() -> str:
    """People read a terminal, programs read everything else."""
    return TEXT if sys.stderr.isatty() else JSON


def log_to_stderr(level: str, form: str = "", **process: str) -> None:
    """`process`: what lines for programs say of the process, such as `server="eu-1"`."""
    form = form or usual_form()
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter(**process) if form == JSON else TextFormatter())
    handler.addFilter(Repeats(handler))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    for name in LIBRARIES:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(is_news)


def is_news(record: logging.LogRecord) -> bool:
    """Return whether a record of the HTTP server has a traceback; its lines on faulty peers are dropped."""
    return record.exc_info is not None


def instant_of(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
