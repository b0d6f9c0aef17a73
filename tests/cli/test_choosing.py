"""Several names at once, and patterns that are shown before anything is done."""

import json
import os
import pty
import subprocess
import sys

import pytest

from tests.cli.scene import Place, Shell


def make(call: Shell, *names: str) -> None:
    for name in names:
        code, _, said = call("triggers", "create", name, "--job", "never", "--cron", "0 0 1 1 *")
        assert code == 0, said


def states(call: Shell, prefix: str) -> dict[str, str]:
    _, out, _ = call("triggers", "list", "--prefix", prefix, "-o", "json")
    return {one["name"]: one["state"] for one in json.loads(out)["triggers"]}


def test_several_triggers_are_paused_resumed_fired_skipped_and_deleted(call: Shell) -> None:
    make(call, "two-a", "two-b")
    names = ("two-a", "two-b")
    paused = call("triggers", "pause", *names, "two-a")
    resumed = call("triggers", "resume", *names, "-o", "json")
    skipped = call("triggers", "skip-next", *names)
    fired = call("triggers", "fire", *names)
    deleted = call("triggers", "delete", *names)

    assert [line.partition(":")[0] for line in paused[1].splitlines()] == ["two-a", "two-b"]
    assert [one["state"] for one in json.loads(resumed[1])] == ["active", "active"]
    assert len(skipped[1].splitlines()) == len(fired[1].splitlines()) == 2
    assert deleted == (0, "", "trigger two-a is deleted\ntrigger two-b is deleted\n")
    assert states(call, "two-") == {}


def test_one_that_is_refused_is_told_and_the_others_go_on(call: Shell) -> None:
    make(call, "kept-a", "kept-b")
    code, out, err = call("triggers", "pause", "kept-a", "kept-x", "kept-b")

    assert code == 3
    assert err.startswith("mainspring: unknown trigger 'kept-x'")
    assert [line.partition(":")[0] for line in out.splitlines()] == ["kept-a", "kept-b"]
    assert states(call, "kept-") == {"kept-a": "paused", "kept-b": "paused"}


def test_a_pattern_needs_a_yes_where_nobody_can_be_asked(call: Shell) -> None:
    make(call, "many-a", "many-b", "other")
    asked = call("triggers", "pause", "many-*")
    shown = call("triggers", "pause", "many-?", "--dry-run")
    before = states(call, "many-")
    done = call("triggers", "pause", "many-*", "--yes")
    nothing = call("triggers", "pause", "none-*", "--yes")

    assert asked[0] == 2
    assert "This would pause 2 triggers: --yes does it, --dry-run shows them." in asked[2]
    assert shown[:2] == (0, "trigger  state\nmany-a   active\nmany-b   active\n")
    assert before == {"many-a": "active", "many-b": "active"}
    assert done[0] == 0
    assert states(call, "many-") == {"many-a": "paused", "many-b": "paused"}
    assert (nothing[0], "no name matches" in nothing[2]) == (3, True)
    assert states(call, "other")["other"] == "active"


@pytest.mark.parametrize(("answer", "state"), [("y\n", "paused"), ("n\n", "active")])
def test_at_a_terminal_a_pattern_is_shown_and_asked_about(call: Shell, place: Place, answer: str, state: str) -> None:
    make(call, f"asked-{state}")
    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    command = [sys.executable, "-m", "mainspring", "triggers", "pause", f"asked-{state}*"]
    env = {**os.environ, "MAINSPRING_URL": place.url, "MAINSPRING_HOME": str(place.home)}
    said = subprocess.run(command, stdin=theirs, env=env, capture_output=True, text=True, check=False)
    os.close(theirs)
    os.close(ours)

    assert f"  asked-{state}  active\npause 1 trigger? [y/N]: " in said.stderr
    assert said.returncode == (0 if state == "paused" else 1)
    assert states(call, f"asked-{state}") == {f"asked-{state}": state}


def test_queues_executors_jobs_and_calendars_take_several_too(call: Shell) -> None:
    call("enqueue", "never", "--queue", "qa")
    call("enqueue", "never", "--queue", "qb")
    _, executor, _ = call("executors", "list", "-o", "name")
    for name in ("ja", "jb"):
        call("jobs", "create", name, "--handler", "greet")
        call("calendars", "set", name, "--weekday", "mon")

    paused = call("queues", "pause", "qa", "qb")
    resumed = call("queues", "resume", "q?", "--yes")
    drained = call("executors", "cordon", executor.strip(), "--dry-run")
    cordoned = [call("executors", verb, executor.strip()[:-1] + "*", "--yes")[0] for verb in ("cordon", "uncordon")]
    deleted = [call(noun, "delete", "j[ab]", "--yes") for noun in ("calendars", "jobs")]

    assert [line.split()[0] for line in paused[1].splitlines()] == ["qa:", "qb:"]
    assert resumed[:2] == (0, "qa: open\nqb: open\n")
    assert (drained[0], drained[1].split()[-2:]) == (0, [executor.strip(), "live"])
    assert cordoned == [0, 0]
    assert [each[0] for each in deleted] == [0, 0]


def test_runs_that_cannot_be_retried_do_not_keep_the_others(call: Shell) -> None:
    first, second = (call("enqueue", "never")[1].strip() for _ in range(2))
    call("runs", "cancel", second)
    code, out, err = call("runs", "retry", first, second)

    assert code == 3
    assert first in err
    assert out.splitlines()[1].split()[0] == second
