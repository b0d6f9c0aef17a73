"""Dead letters and sweeps from the command line."""

import json
import re

import pytest

from tests.cli.scene import Shell


def failed(call: Shell) -> str:
    run: str = call("enqueue", "fail")[1].strip()
    assert call("runs", "wait", run, "--timeout", "10")[0] == 1
    return run


@pytest.fixture
def fingerprint(call: Shell) -> str:
    """The group of what `fail` dies of."""
    failed(call)
    _, out, _ = call("dead", "list", "--job", "fail", "--output", "json")
    [group] = json.loads(out)["groups"]
    found: str = group["fingerprint"]
    return found


def test_groups_and_their_runs_are_listed(call: Shell, fingerprint: str) -> None:
    run = failed(call)
    code, out, _ = call("dead", "list")
    _, shown, _ = call("dead", "show", fingerprint)

    assert code == 0
    assert fingerprint in out
    assert "no luck" in out
    assert run in shown


def test_a_group_is_retried_and_waited_for(call: Shell, fingerprint: str) -> None:
    code, out, _ = call("dead", "retry", fingerprint, "--reason", "fixed", "--wait", "--output", "json")
    sweep = json.loads(out)

    assert code == 0
    assert (sweep["act"], sweep["state"], sweep["reason"]) == ("retry", "done", "fixed")
    assert sweep["changed"] == sweep["expected"] >= 1
    assert sweep["id"] in call("sweeps", "list")[1]
    assert call("sweeps", "cancel", sweep["id"])[0] == 3
    assert call("sweeps", "wait", sweep["id"])[0] == 0


def test_canaries_that_fail_stop_it_with_exit_code_1(call: Shell, fingerprint: str) -> None:
    code, out, _ = call("dead", "retry", fingerprint, "--canaries", "1", "--wait")

    assert code == 1
    assert "stopped (canary" in out


def test_runs_are_discarded_one_by_one_and_by_group(call: Shell, fingerprint: str) -> None:
    run = failed(call)
    assert call("runs", "discard", run, "--reason", "known")[0] == 0
    assert run not in call("dead", "show", fingerprint)[1]
    assert re.search(r"^discarded +by \S+ .*: known$", call("runs", "show", run)[1], re.MULTILINE)
    assert call("dead", "discard", fingerprint, "--wait")[0] == 0
    assert json.loads(call("dead", "list", "--job", "fail", "--output", "json")[1])["groups"] == []
    refused, _, said = call("runs", "discard", call("enqueue", "never")[1].strip())
    assert (refused, "has not failed" in said) == (3, True)


def test_without_a_choice_nothing_is_begun(call: Shell) -> None:
    code, _, said = call("dead", "retry")

    assert code == 3
    assert said == "mainspring: filter: is empty: say `all` if every one is meant\n"


def test_live_runs_that_match_are_cancelled(call: Shell) -> None:
    run = call("enqueue", "never", "--tag", "stale")[1].strip()
    code, _, _ = call("sweeps", "create", "cancel", "--tag", "stale", "--wait")
    shown = json.loads(call("runs", "show", run, "--output", "json")[1])["run"]

    assert (code, shown["state"]) == (0, "cancelled")


def test_a_run_is_retried_with_another_input(call: Shell) -> None:
    run = call("enqueue", "greet", "name=anna")[1].strip()
    call("runs", "wait", run)
    assert call("runs", "retry", run, "--force", "--input", '{"name": 7}')[0] == 3
    assert call("runs", "retry", run, "--force", "--input", '{"name": "ben"}')[0] == 0
    assert call("runs", "wait", run)[1] == '"hello ben"\n'
    assert call("runs", "retry", run, run, "--input", "{}")[0] == 2


def test_a_waiting_run_says_why_and_what_ends_it(call: Shell) -> None:
    run = call("enqueue", "never")[1].strip()
    _, out, _ = call("runs", "show", run)

    assert "no connected executor has its handler" in out


def test_doctor_asks_for_the_invariants(call: Shell) -> None:
    code, out, _ = call("doctor", "--output", "json")
    found = {each["check"]: each["grade"] for each in json.loads(out)}

    assert code == 0
    assert {found[name] for name in ("live_state", "one_place", "reclaimed", "hold", "days")} == {"ok"}


def test_a_group_is_noted_muted_and_told_of_again(call: Shell, fingerprint: str) -> None:
    _, noted, _ = call("dead", "note", fingerprint, "no luck on Mondays")
    _, muted, _ = call("dead", "mute", fingerprint, "--for", "12h", "--reason", "known")
    _, owned, _ = call("dead", "assign", fingerprint, "team harbour")
    _, listed, _ = call("dead", "list")
    code, _, _ = call("dead", "unmute", fingerprint)

    assert "no luck on Mondays" in noted
    assert re.search(r"muted +until 2\d{3}-", muted)
    assert "no luck on Mondays" in listed
    assert all("team harbour" in said for said in (owned, listed))
    assert code == 0
    assert call("dead", "unmute", fingerprint)[0] != 0
