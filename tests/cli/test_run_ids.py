"""Ids by their beginnings, at every command that takes one."""

import re

import pytest

from tests.cli.scene import Shell

SHORT = 23
"""Characters that no two runs of a test share."""


def never(call: Shell) -> str:
    return call("enqueue", "never")[1].strip()


def test_a_run_is_shown_waited_for_and_read_by_its_beginning(call: Shell) -> None:
    run = call("enqueue", "greet", "name=Anna")[1].strip()
    short = run[:SHORT]
    waited = call("runs", "wait", short)
    _, shown, _ = call("runs", "show", short.upper())
    _, bare, _ = call("runs", "show", short.replace("-", ""))

    assert waited == (0, '"hello Anna"\n', "")
    assert re.search(rf"^run +{run}$", shown, re.MULTILINE)
    assert bare == shown
    assert [call("runs", verb, short)[0] for verb in ("logs", "memory")] == [0, 0]
    assert call("runs", "list", "--parent", short)[0] == 0


def test_runs_are_steered_by_their_beginnings(call: Shell) -> None:
    first, second = never(call), never(call)
    short = [first[:SHORT], second[:SHORT]]
    suspended = call("runs", "suspend", *short)
    resumed = call("runs", "resume", *short)
    cancelled = call("runs", "cancel", *short, first)
    retried = call("runs", "retry", first[:SHORT])

    for code, out, _ in (suspended, resumed, cancelled):
        assert code == 0
        assert [line.split()[0] for line in out.splitlines()[1:]] == [first, second]
    assert retried[1].splitlines()[1].split()[:2] == [first, "waiting"]


def test_a_beginning_of_several_names_some_of_them(call: Shell) -> None:
    runs = [never(call) for _ in range(7)]
    code, out, err = call("runs", "cancel", runs[0][:2])

    assert (code, out) == (3, "")
    assert re.fullmatch(r"mainspring: run: '0\w' is ambiguous: (?:[0-9a-f-]{36}, ){5}…; give more characters\n", err)


@pytest.mark.parametrize(
    ("text", "said"),
    [("00000000", "unknown run '00000000': no id starts with this"), ("welcome", "'welcome' is not a run id (a UUID)")],
)
def test_a_beginning_of_none_is_one_line(call: Shell, text: str, said: str) -> None:
    code, _, err = call("runs", "show", text)

    assert code == 3
    assert said in err


def test_sweeps_and_backfills_go_by_their_beginnings_too(call: Shell) -> None:
    _, sweep, _ = call("sweeps", "create", "discard", "--all", "-o", "name")
    call("triggers", "create", "filled", "--job", "never", "--cron", "0 * * * *")
    _, backfill, _ = call("triggers", "backfill", "filled", "--since", "3h", "-o", "name")

    assert call("sweeps", "show", sweep.strip()[:SHORT], "-o", "name")[1] == sweep
    assert call("backfills", "show", backfill.strip()[:SHORT], "-o", "name")[1] == backfill
    assert call("backfills", "show", "ffff")[0] == 3
