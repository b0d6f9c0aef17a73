"""Suspending and resuming runs from the command line."""

import json

from tests.cli.scene import Shell
from tests.cli.test_steering import UNKNOWN, enqueued


def plodding(call: Shell) -> str:
    """A run whose handler has said its first word."""
    run = enqueued(call, "plod")
    while "plodding" not in call("runs", "logs", run)[1]:
        pass
    return run


def waiting(call: Shell, run: str) -> dict[str, object]:
    while True:
        shown: dict[str, object] = json.loads(call("runs", "show", run, "--output", "json")[1])["run"]
        if shown["state"] == "waiting":
            return shown


def test_a_running_run_is_suspended_shown_and_resumed(call: Shell) -> None:
    run = plodding(call)
    code, out, _ = call("runs", "suspend", run, "--reason", "maintenance", "--until", "2h")
    assert (code, out.splitlines()[1].split()) == (0, [run, "running", "suspending"])
    shown = waiting(call, run)
    assert shown["reason"] == "suspended"
    text = call("runs", "show", run)[1]
    assert "waiting (suspended)" in text
    assert ": maintenance" in text
    code, out, _ = call("runs", "memory", run)
    assert (code, [line.split()[:2] for line in out.splitlines()[1:]]) == (
        0,
        [["checkpoint", '{"attempt":1}'], ["step", "greet"]],
    )
    assert json.loads(call("runs", "memory", run, "--output", "json")[1])["steps"][0]["result"] == "hello Anna"

    assert call("runs", "resume", run, "--reason", "done")[0] == 0
    assert call("runs", "wait", run, "--timeout", "10") == (0, '"hello Anna"\n', "")


def test_what_cannot_be_is_refused_in_one_line(call: Shell) -> None:
    run = call("enqueue", "greet", "name=Anna")[1].strip()
    call("runs", "wait", run)
    refused = call("runs", "suspend", run)
    not_suspended = call("runs", "resume", run)
    unknown = call("runs", "suspend", UNKNOWN)
    malformed = call("runs", "suspend", run, "--until", "soon")

    assert (refused[0], not_suspended[0]) == (3, 3)
    assert "it has succeeded: there is nothing to suspend" in refused[2]
    assert "there is nothing to resume" in not_suspended[2]
    assert UNKNOWN in unknown[2]
    assert (malformed[0], "soon" in malformed[2]) == (2, True)
    assert all(said.count("\n") == 1 for said in (refused[2], not_suspended[2], unknown[2]))
