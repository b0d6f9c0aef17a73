"""Cancelling, retrying and following runs from the command line."""

import json

import pytest

from tests.cli.scene import Shell

UNKNOWN = "01900000-0000-7000-8000-000000000000"


def enqueued(call: Shell, job: str) -> str:
    return call("enqueue", job)[1].strip()


def lingering(call: Shell) -> str:
    """A run whose handler has said its first word."""
    run = enqueued(call, "linger")
    while "lingering" not in call("runs", "logs", run)[1]:
        pass
    return run


def test_a_running_run_is_cancelled_and_run_again(call: Shell) -> None:
    run = lingering(call)
    code, out, _ = call("runs", "cancel", run, "--reason", "enough")
    assert (code, out.splitlines()[1].split()) == (0, [run, "running", "cancelling"])
    failed, _, said = call("runs", "wait", run, "--timeout", "10")
    assert (failed, said) == (1, f"mainspring: run {run} ended cancelled: enough\n")

    assert call("runs", "retry", run)[0] == 0
    assert call("runs", "wait", run, "--timeout", "10") == (0, '"at last"\n', "")


def test_logs_are_followed_to_the_end_of_the_run(call: Shell) -> None:
    run = lingering(call)
    call("runs", "cancel", run)
    call("runs", "wait", run)
    call("runs", "retry", run)
    code, out, err = call("runs", "logs", "-f", run)
    _, lines, _ = call("runs", "logs", "--follow", run, "--output", "json")

    assert (code, err) == (0, "")
    assert [line.split("INFO")[1].strip() for line in out.splitlines()] == [
        "lingering, attempt 1",
        "lingering, attempt 2",
    ]
    assert [json.loads(line)["message"] for line in lines.splitlines()] == [
        "lingering, attempt 1",
        "lingering, attempt 2",
    ]


def test_several_are_cancelled_at_once_and_the_exit_code_tells_of_refusals(call: Shell) -> None:
    runs = [enqueued(call, "never") for _ in range(2)]
    code, out, _ = call("runs", "cancel", *runs)
    assert (code, [line.split()[:2] for line in out.splitlines()[1:]]) == (0, [[run, "cancelled"] for run in runs])

    refused, out, _ = call("runs", "cancel", runs[0], UNKNOWN, "--output", "json")
    assert refused == 3
    assert json.loads(out) == [
        {"id": runs[0], "state": "cancelled", "code": None},
        {"id": UNKNOWN, "state": None, "code": "unknown_run"},
    ]


def test_a_run_that_has_succeeded_is_run_again_by_force(call: Shell) -> None:
    run = call("enqueue", "greet", "name=Anna")[1].strip()
    call("runs", "wait", run)
    refused = call("runs", "retry", run)
    code, out, _ = call("runs", "retry", run, "--force", "--output", "json")

    assert (refused[0], "only `force`" in refused[2]) == (3, True)
    assert (code, json.loads(out)[0]["id"]) == (0, run)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("cancel", UNKNOWN), 3, "unknown run"),
        (("cancel", "nonsense"), 3, "not a run id"),
        (("cancel",), 2, "Missing argument"),
        (("cancel", UNKNOWN, "--reason", "x" * 501), 3, "reason"),
        (("retry", UNKNOWN), 3, "unknown run"),
        (("retry",), 2, "Missing argument"),
        (("logs", "-f", UNKNOWN), 3, "unknown run"),
        (("logs", "-f", UNKNOWN, "--url", "http://127.0.0.1:1"), 5, "cannot be reached"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else str(value),
)
def test_errors_are_one_line_with_their_exit_code(
    call: Shell, arguments: tuple[str, ...], code: int, said: str
) -> None:
    found, _, err = call("runs", *arguments)

    assert (found, said in err) == (code, True)
    assert "Traceback" not in err
