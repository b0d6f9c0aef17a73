"""Lines of the log: in UTC, for people or for programs, and without the words of libraries."""

import json
import logging
import os
import re
import subprocess
import sys

import pytest

from mainspring.cli.processes.logs import JsonFormatter, TextFormatter, usual_form
from mainspring.cli.processes.repeats import Repeats

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
        "ts": "2026-02-02T02:40:00.250Z",
        "level": "warning",
        "logger": "mainspring.runs",
        "message": "two\nlines",
        "job": "mail",
    }


def test_an_error_is_one_field_and_its_traceback_another() -> None:
    said = record("it broke")
    said.exc_info = (ValueError, ValueError("no such file"), None)
    line = json.loads(JsonFormatter().format(said))

    assert line["error"] == "ValueError: no such file"
    assert line["traceback"].endswith("ValueError: no such file")


@pytest.mark.parametrize(("terminal", "form"), [(True, "text"), (False, "json")])
def test_people_read_a_terminal_and_programs_everything_else(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, form: str
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)

    assert usual_form() == form


@pytest.mark.slow
def test_debug_says_more_of_ours_and_of_the_user_s_and_nothing_of_libraries() -> None:
    said = subprocess.run([sys.executable, "-c", SPEAK], capture_output=True, text=True, check=True).stderr

    assert re.findall(r"Z (\w+) +(\S+): (.*)", said) == [
        ("DEBUG", "mainspring.runs", "ours"),
        ("DEBUG", "shop", "the user's"),
        ("ERROR", "uvicorn.error", "Exception in ASGI application"),
    ]
    assert "ValueError: a bug" in said


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.addFilter(Repeats(self))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def at(second: float, message: str, level: int = logging.WARNING, name: str = "mainspring.duty") -> logging.LogRecord:
    made = logging.LogRecord(name, level, __file__, 1, message, (), None)
    made.created = 1_770_000_000.0 + second
    return made


def test_a_line_that_repeats_is_said_once_and_then_counted() -> None:
    kept = Kept()
    for second in range(100):
        kept.handle(at(second / 2, "the store is away"))
    kept.handle(at(61, "something else"))
    kept.handle(at(62, "the store is away"))

    assert kept.lines == [
        "the store is away",
        "the store is away (repeated 99 times within 60 s)",
        "something else",
        "the store is away",
    ]


def test_news_and_the_lines_of_others_are_not_counted() -> None:
    kept = Kept()
    for record in (at(0, "executor a connected", logging.INFO), at(0, "broken", name="shop")) * 2:
        kept.handle(record)

    assert kept.lines == ["executor a connected", "broken"] * 2


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("postgresql://anna:hush@db/x is away", "postgresql://anna:***@db/x is away"),
        ("POST https://hooks.example/x?token=hush&a=1", "POST https://hooks.example/x?token=***&a=1"),
        ("authorization: Bearer abcdefghij", "authorization: Bearer ***"),
        (f"ms_{'a' * 13}_{'b' * 52} is refused", f"ms_{'a' * 13}_*** is refused"),
        ("key=order-7 state=failed", "key=order-7 state=failed"),
        ("nothing to hide", "nothing to hide"),
    ],
)
def test_secrets_are_masked_in_both_formats(said: str, shown: str) -> None:
    assert TextFormatter().format(record(said)).endswith(f": {shown}")
    assert json.loads(JsonFormatter().format(record(said)))["message"] == shown


def test_a_line_for_programs_names_its_process_and_the_fields_of_the_event_win() -> None:
    event = record("run x failed")
    event.fields = {"executor": "mail-7"}
    line = json.loads(JsonFormatter(server="eu-1", executor="own").format(event))

    assert (line["server"], line["executor"]) == ("eu-1", "mail-7")


@pytest.mark.slow
def test_secrets_that_a_process_was_started_with_are_masked_as_they_are() -> None:
    speak = "import logging; from mainspring.cli.processes.logs import log_to_stderr; log_to_stderr('info', 'json')\n"
    speak += "logging.getLogger('mainspring.x').warning('odd: %s', 'correct-horse')"
    env = {**os.environ, "MAINSPRING_API_TOKEN": "correct-horse"}
    said = subprocess.run([sys.executable, "-c", speak], capture_output=True, text=True, check=True, env=env).stderr

    assert json.loads(said)["message"] == "odd: ***"
