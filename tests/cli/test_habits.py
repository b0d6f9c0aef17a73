"""What people type by habit: verbs of other tools, lengths such as 1h30m, arguments as NAME=VALUE."""

import json
import re
from datetime import UTC, timedelta

import pytest

from mainspring.clock import SystemClock
from tests.cli.scene import Shell


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("get", "triggers"), "'mainspring triggers list'"),
        (("get", "trigger", "nightly"), "'mainspring triggers show nightly'"),
        (("describe", "job", "report"), "'mainspring jobs show report'"),
        (("rm", "trigger", "nightly"), "'mainspring triggers delete nightly'"),
        (("describe",), "'mainspring triggers show'"),
        (("worker",), "'mainspring executor MODULE:APP'"),
        (("run", "report"), "'mainspring enqueue JOB'"),
        (("trigger", "list"), "'mainspring triggers list'"),
        (("triggers", "get", "nightly"), "'mainspring triggers show'"),
        (("triggers", "describe", "nightly"), "'mainspring triggers show'"),
        (("triggers", "rm", "nightly"), "'mainspring triggers delete'"),
        (("triggers", "disable", "nightly"), "'mainspring triggers pause'"),
        (("runs", "kill", "x"), "'mainspring runs cancel'"),
        (("runs", "describe", "x"), "'mainspring runs show'"),
        (("executors", "get", "x"), "'mainspring executors show'"),
        (("context", "rm", "x"), "'mainspring context remove'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_verb_of_another_tool_gets_the_one_of_this(shell: Shell, words: tuple[str, ...], hint: str) -> None:
    code, out, err = shell(*words)

    assert (code, out) == (2, "")
    assert hint in err


@pytest.mark.parametrize(
    "words",
    [
        ("dance",),
        ("runs", "list", "--colour"),
        ("runs", "lst"),
        ("runs", "show"),
        ("triggers", "create", "x"),
        ("triggers", "create", "x", "--job", "y"),
        ("up", "--log-level", "loud"),
        ("enqueue", "greet", "--delay", "soon"),
        ("context", "use"),
    ],
    ids=" ".join,
)
def test_a_usage_error_is_one_line_that_names_the_help(shell: Shell, words: tuple[str, ...]) -> None:
    code, out, err = shell(*words)

    assert (code, out) == (2, "")
    assert re.fullmatch(r"mainspring: .+ See 'mainspring.* --help'\.\n", err)


def test_a_group_alone_prints_its_help(shell: Shell) -> None:
    code, _, err = shell("triggers")

    assert code == 2
    assert err.startswith("Usage: mainspring triggers")


def test_lengths_have_several_units_wherever_there_are_any(call: Shell) -> None:
    code, out, _ = call("triggers", "create", "often", "--job", "never", "--every", "1h30m", "-o", "json")
    _, changed, _ = call("jobs", "edit", "never", "--set", "timeout=1h30m", "--set", "retry.backoff=1m5s", "-o", "json")
    waited = call("runs", "wait", call("enqueue", "greet", "name=x")[1].strip(), "--timeout", "1m30s")

    assert (code, json.loads(out)["words"]) == (0, "every 1 hour and 30 minutes")
    assert (json.loads(changed)["timeout"], json.loads(changed)["retry"]["backoff"]) == (5400, 65)
    assert waited[0] == 0


def test_arguments_are_written_name_by_name_at_every_input(call: Shell) -> None:
    when = ("--cron", "0 0 1 1 *")
    asked = call("enqueue", "greet", "--input", "name=Anna", "--input", "times=2", "--wait")
    call("triggers", "create", "given", "--job", "greet", *when, "--input", "name=Anna", "--input", "times=2")
    _, edited, _ = call("triggers", "edit", "given", "--input", "times=3", "-o", "json")
    _, whole, _ = call("triggers", "edit", "given", "--input", '{"name": "Bert"}', "-o", "json")
    run = call("enqueue", "greet", "name=Carl", "times=2")[1].strip()
    call("runs", "wait", run)
    call("runs", "retry", run, "--force", "--input", "times=1")
    again = call("runs", "wait", run)

    assert asked == (0, '"hello Annahello Anna"\n', "")
    assert json.loads(edited)["spec"]["input"] == {"name": "Anna", "times": 3}
    assert json.loads(whole)["spec"]["input"] == {"name": "Bert"}
    assert again[1] == '"hello Carl"\n'


def test_until_looks_ahead_and_since_looks_back(call: Shell) -> None:
    call("triggers", "create", "ahead", "--job", "never", "--cron", "0 12 * * *", "--zone", "Asia/Tokyo")
    _, out, err = call("triggers", "instants", "ahead", "--until", "7d")
    _, _, nothing = call("triggers", "instants", "ahead", "--until", "-2d")

    lines = out.splitlines()[1:]
    assert len(lines) in (7, 8)
    assert err == ""
    assert all(" 12:00:00+09:00" in line for line in lines)
    assert nothing.startswith("none between ")


def test_a_skipped_instant_is_shown_and_every_instant_in_the_zone_of_its_trigger(
    call: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    rule = ("--cron", "0 12 * * *", "--zone", "Asia/Tokyo")
    _, made, _ = call("triggers", "create", "tokyo", "--job", "never", *rule)
    _, skipped, _ = call("triggers", "skip-next", "tokyo")
    _, shown, _ = call("triggers", "show", "tokyo")
    _, listed, _ = call("triggers", "list", "--prefix", "tokyo")

    noon = r"\d{4}-\d\d-\d\d 12:00:00\+09:00"
    first = re.search(rf"next +({noon})\n", made)
    assert first
    assert re.fullmatch(rf"tokyo: {re.escape(first[1])} is skipped; the next is {noon}\n", skipped)
    assert re.search(rf"skipped +{re.escape(first[1])}\n", shown)
    assert re.search(rf"active +{noon}", listed)


def test_a_time_ago_and_a_time_ahead_may_carry_their_sign(call: Shell) -> None:
    soon = (SystemClock().now() + timedelta(hours=1)).astimezone(UTC).isoformat()
    runs = [call("runs", "list", "--since", text, "-o", "name")[1].split() for text in ("2h", "-2h", "+1h", soon)]

    assert runs[0]
    assert runs[0] == runs[1]
    assert runs[2:] == [[], []]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("enqueue", "greet", "name=\udcff"), "'\\udcff' is no character"),
        (("enqueue", "greet", "--input", '{"name": "\udcff"}'), "--input: "),
        (("enqueue", "never", "--key", "\udcff"), "key: '\\udcff' is no character"),
        (("enqueue", "never", "--tag", "\udcff"), "tags[0]: '\\udcff' is no character"),
        (("triggers", "show", "\udcff"), "name: '\\udcff' is no character"),
        (("runs", "list", "--job", "\udcff"), "job: '\\udcff' is no character"),
        (("runs", "list", "--namespace", "\udcff"), "namespace: is 1 to 63 of"),
        (("queues", "pause", "default", "--reason", "\udcff"), "reason: '\\udcff' is no character"),
        (("events", "publish", "a.b", '{"x": "\udcff"}'), "'\\udcff'"),
    ],
    ids=lambda value: " ".join(value).replace("\udcff", "?") if isinstance(value, tuple) else "",
)
def test_bytes_that_are_no_text_are_told_as_such(call: Shell, words: tuple[str, ...], said: str) -> None:
    code, out, err = call(*words)

    assert code in (2, 3)
    assert out == ""
    assert err.count("\n") == 1
    assert said in err
    assert "Error:" not in err
