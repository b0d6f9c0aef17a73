"""Lines of the log: in UTC, for people or for programs, and without the words of libraries."""

import json
import logging
import re
import subprocess
import sys

import pytest

from mainspring.cli.processes.logs import JsonFormatter, TextFormatter

SPEAK = """
import logging
from mainspring.cli.processes.logs import log_to_stderr
log_to_stderr("debug", "text")
logging.getLogger("mainspring.runs").debug("ours")
logging.getLogger("shop").debug("the user's")
for name in ("websockets.client", "websockets.server", "uvicorn.error", "asyncio", "httpcore2.http11"):
    logging.getLogger(name).debug("> TEXT [hex dump]")
logging.getLogger("uvicorn.error").error("ASGI callable returned without completing handshake.")
logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
try:
    raise ValueError("a bug")
except ValueError:
    logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
"""


def record(message: str, *arguments: object, **more: object) -> logging.LogRecord:
    made = logging.LogRecord("mainspring.runs", logging.WARNING, __file__, 1, message, arguments, None)
    made.created = 1_770_000_000.25
    made.__dict__.update(more)
    return made


def test_a_line_for_people_is_in_utc_and_says_so() -> None:
    line = TextFormatter().format(record("hello %s", "you"))

    assert line == "2026-02-02T02:40:00.250Z WARNING mainspring.runs: hello you"


def test_a_line_for_programs_is_one_object_with_the_fields_of_the_event() -> None:
    line = JsonFormatter().format(record("two\nlines", fields={"job": "mail"}))

    assert "\n" not in line
    assert json.loads(line) == {
        "time": "2026-02-02T02:40:00.250Z",
        "level": "warning",
        "logger": "mainspring.runs",
        "message": "two\nlines",
        "job": "mail",
    }


@pytest.mark.slow
def test_debug_says_more_of_ours_and_of_the_user_s_and_nothing_of_libraries() -> None:
    said = subprocess.run([sys.executable, "-c", SPEAK], capture_output=True, text=True, check=True).stderr

    assert re.findall(r"Z (\w+) +(\S+): (.*)", said) == [
        ("DEBUG", "mainspring.runs", "ours"),
        ("DEBUG", "shop", "the user's"),
        ("ERROR", "uvicorn.error", "Exception in ASGI application"),
    ]
    assert "ValueError: a bug" in said
