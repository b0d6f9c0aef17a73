"""What commands print, for people, for pipes and for programs."""

import os
import pty
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from mainspring.cli.commands.runs.sheet import print_attempt
from mainspring.cli.commands.triggers.fire_times import times_of
from mainspring.cli.output.columns import folded, padded, widths_of
from mainspring.cli.output.exits import show_error
from mainspring.cli.output.tables import cell, names_in, print_content, print_table
from mainspring.cli.output.terminal import escape
from mainspring.contract.runs import AttemptInfo, RunError
from mainspring.contract.triggers import InstantInfo


def test_columns_for_pipes_have_no_trailing_space(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("id", "state"), [("1", "failed"), ("22", None)])

    assert capsys.readouterr().out == "id  state\n1   failed\n22  -\n"


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ({"runs": [{"id": "1", "job": "a"}, {"id": "2"}], "next": None}, ["1", "2"]),
        ({"run": {"id": "1"}, "attempts": [{"number": 1}]}, ["1"]),
        ([{"name": "a"}, {"name": "b"}], ["a", "b"]),
        ({"namespace": "n"}, ["n"]),
        (["x", "y"], ["x", "y"]),
        ({"runs": []}, []),
        ({"count": 3}, []),
        (None, []),
    ],
)
def test_names_are_found_in_whatever_a_command_prints(content: object, names: list[str]) -> None:
    assert list(names_in(content)) == names


def test_content_is_printed_as_json_yaml_or_names(capsys: pytest.CaptureFixture[str]) -> None:
    for output in ("json", "yaml", "name"):
        print_content({"runs": [{"id": "1"}]}, output)

    assert capsys.readouterr().out == '{\n  "runs": [\n    {\n      "id": "1"\n    }\n  ]\n}\nruns:\n- id: \'1\'\n1\n'


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "-"),
        ("plain ü", "plain ü"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("two\nlines", "two\\nlines"),
        (7, "7"),
    ],
)
def test_what_a_handler_wrote_does_not_steer_the_terminal(value: object, shown: str) -> None:
    assert cell(value) == shown


def test_a_lapse_is_shown_by_its_ends() -> None:
    first, last = datetime(2030, 1, 1, tzinfo=UTC), datetime(2030, 1, 9, tzinfo=UTC)

    tokyo = ZoneInfo("Asia/Tokyo")
    assert times_of(tokyo, InstantInfo(first, "skipped")) == "2030-01-01 09:00:00+09:00"
    assert times_of(tokyo, InstantInfo(first, "skipped", last=last)) == (
        "2030-01-01 09:00:00+09:00 to 2030-01-09 09:00:00+09:00"
    )


def test_instants_are_shown_in_local_time() -> None:
    assert cell(datetime(2030, 1, 1, 12, tzinfo=UTC)) == datetime(2030, 1, 1, 12, tzinfo=UTC).astimezone().isoformat(
        sep=" ", timespec="milliseconds"
    )


TABLE = """
from mainspring.cli.output.tables import print_table
print_table(("id", "state"), [("[bold]x", "failed")])
"""


@pytest.mark.parametrize(("no_colour", "coloured"), [("", True), ("1", False)])
def test_a_terminal_gets_colours_unless_it_wants_none(no_colour: str, *, coloured: bool) -> None:
    said = on_a_terminal([sys.executable, "-c", TABLE], NO_COLOR=no_colour, TERM="xterm-256color")

    assert "[bold]x" in said
    assert ("\x1b[31m" in said) is coloured


NARROW = """
from datetime import UTC, datetime
from mainspring.cli.output.tables import print_table
row = ("01900000-0000-7000-8000-000000000000", "report", "default", "succeeded", 1, datetime(2030, 1, 1, tzinfo=UTC))
print_table(("id", "job", "queue", "state", "attempt", "due at"), [row])
"""


def test_a_narrow_terminal_gets_whole_words_and_short_times() -> None:
    said = on_a_terminal([sys.executable, "-c", NARROW], COLUMNS="100", TZ="UTC", TERM="dumb")

    assert "succeeded" in said
    assert "2030-01-01 00:00" in said
    assert "00:00:00" not in said


@pytest.mark.parametrize("columns", ["20", "60", "80", "100"])
def test_no_terminal_is_too_narrow_for_an_id(columns: str) -> None:
    said = on_a_terminal([sys.executable, "-c", NARROW], COLUMNS=columns, TZ="UTC", TERM="xterm")

    assert all(word in said for word in ("01900000-0000-7000-8000-000000000000", "report", "default", "succeeded"))


def test_words_fold_before_a_table_grows_wider_than_its_terminal() -> None:
    rows = [("message", "run"), ("no such file or directory", "0190-11"), ("数据 库", "0190-12")]
    widths = widths_of(rows, 20)

    assert widths == [11, 7]
    assert folded(rows[1], widths) == [["no such", "0190-11"], ["file or", ""], ["directory", ""]]
    assert padded("数据", 6) == "数据  "


def test_an_error_cannot_steer_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show_error(TimeoutError("red \x1b[31m alert"))

    assert capsys.readouterr().err == "mainspring: red \\x1b[31m alert\n"


BAR = """
import sys
from mainspring.cli.output.progress import progress
with progress("working", 10) as advance:
    for done in range(10):
        advance(1, f"{done} done")
    print("the result")
"""


def test_progress_is_shown_on_a_terminal_and_what_goes_to_stdout_stays_there(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        said = on_a_terminal([sys.executable, "-c", BAR], stdout=out.fileno(), TERM="xterm")

    assert "working" in said
    assert (tmp_path / "out").read_text() == "the result\n"


def test_nothing_is_shown_where_nobody_looks() -> None:
    done = subprocess.run([sys.executable, "-c", BAR], capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr) == ("the result\n", "")


def test_a_log_line_keeps_its_lines_and_loses_what_steers_a_terminal() -> None:
    assert escape("one\n\ttwo\x1b[2J\rthree", but="\n\t") == "one\n\ttwo\\x1b[2J\\rthree"


def on_a_terminal(command: list[str], *, stdout: int | None = None, **env: str) -> str:
    """What a person sees, unless stdout goes elsewhere."""
    ours, theirs = pty.openpty()
    out = theirs if stdout is None else stdout
    with subprocess.Popen(command, stdout=out, stderr=theirs, stdin=theirs, env={**os.environ, **env}) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            said += part
    os.close(ours)
    assert process.returncode == 0, said
    return said.decode()


@pytest.mark.parametrize("whole", [True, False])
def test_what_an_attempt_said_cannot_steer_a_terminal(capsys: pytest.CaptureFixture[str], *, whole: bool) -> None:
    error = RunError("ValueError", "\x1b[31mred", "Traceback\n  \x1b]0;mine\x07\n")
    attempt = AttemptInfo(
        number=1,
        outcome="failed",
        executor="e1",
        started_at=None,
        ended_at=datetime(2030, 1, 1, tzinfo=UTC),
        error=error,
    )
    print_attempt(attempt, whole=whole)
    said = capsys.readouterr().out

    assert "ValueError: \\x1b[31mred" in said
    assert "\x1b" not in said
    assert ("\\x1b]0;mine" in said) is whole
