"""Exit codes are stable, and a command that is cut short says so in one line or not at all."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mainspring import errors
from mainspring.cli.output.exits import CODES, MEANINGS, exit_code
from mainspring.errors import MainspringError
from tests.cli.scene import Place, Shell
from tests.support.limits import HANG
from tests.support.processes import clean_environment

STABLE = {0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 141}


def test_the_codes_are_what_scripts_rely_on() -> None:
    assert set(MEANINGS) == STABLE
    assert {code for _, code in CODES} <= STABLE


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.ConfigError("x"), 2),
        (errors.NotFoundError("run", "1"), 3),
        (errors.ConflictError("key", "1", "x"), 3),
        (errors.InvalidInputError("a", "b"), 3),
        (errors.TooLargeError("a", "b"), 3),
        (errors.AccessDeniedError("x"), 3),
        (errors.ForbiddenError("x"), 3),
        (errors.SchemaError("x"), 4),
        (errors.UnavailableError("x"), 5),
        (errors.StoreUnavailableError("x"), 5),
        (TimeoutError("x"), 6),
        (errors.RunFailedError("1", "failed", "x"), 1),
        (ZeroDivisionError("x"), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_kind_of_error_has_its_code(error: Exception, code: int) -> None:
    assert exit_code(error) == code


def test_an_error_is_one_line_whatever_its_message(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def several(**_: object) -> None:
        raise MainspringError("one\n  two")

    monkeypatch.setattr("mainspring.cli.verbs.open_client", several)

    assert shell("runs", "list") == (1, "", "mainspring: one two\n")


@pytest.mark.slow
@pytest.mark.usefixtures("call")
def test_ctrl_c_gives_one_line(place: Place) -> None:
    accepted = command(place, "enqueue", "never", "--delay", "3600").communicate()[0].strip()
    waiting = command(place, "runs", "wait", accepted, MAINSPRING_URL=place.url)
    until_connected(waiting)
    waiting.send_signal(signal.SIGINT)
    out, err = waiting.communicate(timeout=HANG)

    assert (waiting.returncode, out, err) == (130, "", "\nmainspring: interrupted\n")


@pytest.mark.slow
def test_a_reader_that_stops_reading_is_no_error(place: Place) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = command(place, "runs", "list", "--output", "json", stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=HANG)

    assert (process.returncode, err) == (141, "")


def command(place: Place, *arguments: str, stdout: int = subprocess.PIPE, **env: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "mainspring", *arguments, "--url", place.url, "--home", str(place.home)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=clean_environment(XDG_CONFIG_HOME="/nowhere"),
        text=True,
    )


def until_connected(process: subprocess.Popen[str]) -> None:
    """Until it holds a connection: from then on it waits for the server's answer."""
    established = re.compile(r"socket:")
    folder = Path(f"/proc/{process.pid}/fd")
    while not any(established.match(target) for target in links(folder)):
        assert process.poll() is None


def links(folder: Path) -> list[str]:
    found = []
    for path in folder.iterdir():
        try:
            found.append(str(path.readlink()))
        except OSError:
            continue
    return found
