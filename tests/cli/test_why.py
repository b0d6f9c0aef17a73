"""`mainspring why`, `maintenance`, and the pauses of jobs and namespaces, against a real server."""

import json

from tests.cli.scene import Shell


def test_why_names_the_pause_its_author_and_the_command_that_ends_it(call: Shell) -> None:
    run = call("enqueue", "never")[1].strip()
    call("jobs", "pause", "never", "--reason", "no stamps")
    code, said, _ = call("why", run)
    found = json.loads(call("why", run, "-o", "json")[1])
    shown = call("jobs", "show", "never")[1]
    resumed = call("jobs", "resume", "never")
    call("queues", "resume", "nobody")

    assert code == 0
    assert "no connected executor" in said.lower() or "no stamps" in said
    assert found["of"] == run
    assert found["reasons"][0]["code"] in {"job_paused", "no_executor"}
    assert "no stamps" in shown
    assert resumed[:2] == (0, "never: open\n")


def test_why_of_nothing_is_one_line_and_an_exit_code(call: Shell) -> None:
    code, _, said = call("why", "no-such-trigger")

    assert code == 3
    assert len(said.splitlines()) == 1


def test_maintenance_is_switched_on_and_off(call: Shell) -> None:
    code, on, _ = call("maintenance", "on", "--reason", "pg upgrade")
    shown = call("maintenance", "show")[1]
    off = call("maintenance", "off")[1]

    assert code == 0
    assert "pg upgrade" in on
    assert shown == on
    assert off == "maintenance is off: runs are started\n"


def test_a_namespace_is_paused_and_resumed(call: Shell) -> None:
    assert call("namespaces", "pause", "default")[0] == 0
    assert call("namespaces", "resume", "default")[0] == 0
