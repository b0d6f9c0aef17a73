"""Jobs and executors at a terminal: what is printed, what is changed, and how it exits."""

import json
import platform
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from mainspring.cli.commands.jobs.jobs import show_retry
from mainspring.contract.jobs import RetryInfo
from tests.cli.scene import Place, Shell

HOST = platform.node()


def made(call: Shell, name: str, *settings: str) -> None:
    code, _, err = call("jobs", "create", name, "--handler", "greet", *settings)
    assert code == 0, err


def shown(call: Shell, name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(call("jobs", "show", name, "-o", "json")[1])
    return found


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """An editor that does one thing to the text."""

    def choose(command: str) -> None:
        script = tmp_path / "editor"
        # A second later, as people are: the file's time has to differ.
        script.write_text(f"#!/bin/sh\n{command}\ntouch -d '+2 seconds' \"$1\"\n")
        script.chmod(0o755)
        monkeypatch.setenv("EDITOR", str(script))
        monkeypatch.delenv("VISUAL", raising=False)

    return choose


def test_jobs_are_listed_as_columns_json_or_names(call: Shell) -> None:
    made(call, "list-1")
    made(call, "list-2", "--set", "queue=other", "--set", "retry.attempts=3")
    _, table, more = call("jobs", "list", "--prefix", "list-", "--limit", "1")
    _, names, _ = call("jobs", "list", "--prefix", "list-", "--queue", "other", "-o", "name")
    _, text, _ = call("jobs", "list", "-o", "json")

    head, first = table.splitlines()
    assert head.split() == ["name", "version", "handler", "queue", "priority", "attempts", "changed", "at", "source"]
    assert first.split()[:6] == ["list-1", "1", "greet", "default", "5", "1"]
    assert first.endswith("api")
    assert more.startswith("more: --cursor ")
    assert names == "list-2\n"
    assert {"greet", "fail", "never"} < {job["name"] for job in json.loads(text)["jobs"]}


def test_a_job_is_shown_with_where_code_says_otherwise(call: Shell) -> None:
    version = shown(call, "never")["version"]
    code, out, _ = call("jobs", "edit", "never", "--set", "priority=8", "--note", "louder")
    _, back, _ = call("jobs", "rollback", "never", str(version))

    assert code == 0
    assert "priority            8" in out
    assert "code says priority  5" in out
    assert "code, changed since" in out
    assert "code says" not in back


def test_settings_on_the_line_change_one_thing_each(call: Shell) -> None:
    made(call, "set", "--set", 'input={"name": "x", "times": 1}', "--set", "description=Says = hello")
    code, _, _ = call("jobs", "edit", "set", "--set", "input.times=3", "--set", "retry.backoff=0.5", "--set", "queue=7")
    job = shown(call, "set")

    assert code == 0
    assert (job["input"], job["description"], job["queue"]) == ({"name": "x", "times": 3}, "Says = hello", "7")
    assert job["retry"] == {
        "attempts": 1,
        "backoff": 0.5,
        "backoff_max": 600.0,
        "multiplier": 2.0,
        "retry_on": [],
        "give_up_on": [],
        "budget": None,
    }


def test_what_is_to_hold_when_things_fail_is_set_on_the_line(call: Shell) -> None:
    settings = ("timeout=30", "on_lost=ask", "retry.attempts=4", "retry.give_up_on=ValueError, LookupError")
    made(call, "limits", *(word for setting in settings for word in ("--set", setting)))
    _, out, _ = call("jobs", "show", "limits")
    code, _, err = call("jobs", "edit", "limits", "--set", "timeout=null", "--set", "on_lost=shrug")

    job = shown(call, "limits")
    assert (job["timeout"], job["on_lost"], job["losses_max"]) == (30.0, "ask", 3)
    assert re.search(r"timeout +30 s\n", out)
    assert "ask, quarantined after 3" in out
    assert "doubling up to 600 s, not on ValueError, LookupError" in out
    assert code != 0
    assert "on_lost" in err


def test_history_and_diff_say_what_happened(call: Shell) -> None:
    made(call, "told")
    call("jobs", "edit", "told", "--set", "priority=1", "--note", "quieter")
    _, history, _ = call("jobs", "history", "told")
    _, diff, said = call("jobs", "diff", "told")
    _, same, _ = call("jobs", "diff", "told", "2", "2", "-o", "json")
    _, old, _ = call("jobs", "show", "told", "--version", "1")

    lines = history.splitlines()
    assert lines[0].split() == ["version", "at", "source", "note"]
    assert [line.split()[0] for line in lines[1:]] == ["2", "1"]
    assert lines[1].endswith("quieter")
    assert said == "from version 1 to 2\n"
    assert diff.splitlines()[1].split() == ["priority", "5", "1"]
    assert json.loads(same)["changes"] == []
    assert re.search(r"^priority\s+5$", old, re.MULTILINE)


def test_an_editor_changes_what_is_saved(call: Shell, editor: Callable[[str], None]) -> None:
    made(call, "edited", "--set", "priority=3")
    editor("sed -i 's/^queue:.*/queue: from-editor/' \"$1\"")
    code, _, _ = call("jobs", "edit", "edited")
    job = shown(call, "edited")

    assert (code, job["queue"], job["priority"], job["version"]) == (0, "from-editor", 3, 2)


def test_an_editor_that_changes_nothing_changes_nothing(call: Shell, editor: Callable[[str], None]) -> None:
    made(call, "untouched")
    editor("true")
    code, _, said = call("jobs", "edit", "untouched")

    assert (code, said) == (0, "nothing was changed\n")
    assert shown(call, "untouched")["version"] == 1


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("echo 'quueue: x' >> \"$1\"", 2, "Unknown field 'quueue'; did you mean queue?"),
        ("echo '{' > \"$1\"", 2, "not YAML"),
        ("sed -i 's/^priority:.*/priority: 99/' \"$1\"", 3, "priority"),
    ],
)
def test_what_was_written_and_refused_is_kept(
    call: Shell, editor: Callable[[str], None], command: str, code: int, said: str
) -> None:
    name = f"kept-{code}-{len(said)}"
    made(call, name)
    editor(command)
    found, _, err = call("jobs", "edit", name)
    path = re.search(r"kept in (\S+\.yaml)", err)

    assert found == code
    assert said in err
    assert path is not None
    assert Path(path[1]).read_text().startswith(("# Job", "{"))
    Path(path[1]).unlink()
    assert shown(call, name)["version"] == 1


def test_a_job_is_deleted(call: Shell) -> None:
    made(call, "gone")
    code, out, said = call("jobs", "delete", "gone", "--note", "unused")

    assert (code, out, said) == (0, "", "job gone is deleted\n")
    assert call("jobs", "show", "gone")[0] == 3


def test_yaml_can_be_read_back(call: Shell) -> None:
    made(call, "as-yaml")

    assert yaml.safe_load(call("jobs", "show", "as-yaml", "-o", "yaml")[1])["name"] == "as-yaml"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("jobs", "show", "nobody"), 3, "unknown job 'nobody'"),
        (("jobs", "show", "greet", "--version", "99"), 3, "unknown version '99'"),
        (("jobs", "show", "greet", "--version", "0"), 2, "--version"),
        (("jobs", "edit", "greet", "--set", "queue"), 2, "is not KEY=VALUE"),
        (("jobs", "edit", "greet", "--set", "prio=1"), 2, "unknown key 'prio'; did you mean priority?"),
        (("jobs", "edit", "greet", "--set", "priority=77"), 3, "priority"),
        (("jobs", "edit", "greet", "--set", "handler=other"), 3, "handler"),
        (("jobs", "create", "greet", "--handler", "greet"), 3, "is there already"),
        (("jobs", "create", "a b", "--handler", "greet"), 3, "no name for a new job"),
        (("jobs", "create", "x"), 2, "--handler"),
        (("jobs", "delete", "greet"), 3, "is defined by the code of executor"),
        (("jobs", "rollback", "greet", "99"), 3, "unknown version"),
        (("executors", "show", "nobody"), 3, "unknown executor 'nobody'"),
        (("executors", "cordon", "nobody"), 3, "unknown executor 'nobody'"),
        (("executors", "drain", HOST, "--grace", "soon"), 2, "is not a length of time"),
        (("executors", "pools", "nobody", "loop=0:1:1"), 3, "unknown executor 'nobody'"),
        (("executors", "pools", HOST, "gpu=0:1:1"), 2, "unknown pool 'gpu'"),
        (("executors", "pools", HOST, "loop=1"), 2, "is not loop=core:max:queue"),
        (("executors", "pools", HOST, "loop=0:0:1"), 3, "max"),
        (("executors", "pools", HOST, "loop=0:1:1", "--reset", "loop"), 2, "either a size or --reset"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_errors_have_their_exit_code_and_one_line(
    call: Shell, arguments: tuple[str, ...], code: int, said: str
) -> None:
    found, _, err = call(*arguments)

    assert found == code
    assert said in err
    assert "Traceback" not in err


def test_executors_are_listed_and_shown(call: Shell) -> None:
    _, table, _ = call("executors", "list")
    _, names, _ = call("executors", "list", "-o", "name")
    code, one, _ = call("executors", "show", HOST)

    head, line = table.splitlines()
    assert head.split()[:5] == ["name", "state", "running", "taken", "cpu"]
    assert line.split()[:2] == [HOST, "live"]
    assert names == f"{HOST}\n"
    assert code == 0
    assert re.search(r"^handlers\s+fail \(threads\), greet \(loop\)", one, re.MULTILINE)
    assert re.search(r"^state\s+live$", one, re.MULTILINE)


def test_a_run_may_have_a_route_of_its_own(call: Shell) -> None:
    turns = call("enqueue", "greet", "name=x", "--route", "round_robin", "--wait")
    hashed = call("enqueue", "greet", "name=x", "--route", "hash:name", "--wait")
    away = call("enqueue", "greet", "name=x", "--route", "failover:press-8,press-9")[1].strip()
    _, why, _ = call("why", away)
    call("runs", "cancel", away)
    unknown = call("enqueue", "greet", "name=x", "--route", "round_robbin")
    both = call("enqueue", "greet", "name=x", "--route", "first", "--executor", HOST)

    assert (turns[0], hashed[0]) == (0, 0)
    assert "It is for executor press-8 or press-9, which is away" in why
    assert unknown[0] != 0
    assert "route.strategy" in unknown[2]
    assert both[0] != 0
    assert "route" in both[2]


def test_a_run_for_one_executor_waits_for_it_and_another_takes_one_for_itself(call: Shell) -> None:
    away = call("enqueue", "greet", "name=x", "--executor", "press-9")[1].strip()
    here = call("enqueue", "greet", "name=x", "--executor", HOST)[1].strip()

    assert call("runs", "wait", here, "--timeout", "30")[:2] == (0, '"hello x"\n')
    assert "It is for executor press-9, which is away" in call("why", away)[1]
    assert call("runs", "cancel", away)[0] == 0


def test_pools_are_resized_while_the_executor_runs_and_reset(call: Shell) -> None:
    code, shown, err = call("executors", "pools", HOST, "loop=1:7:9", "--reason", "rush hour")
    assert (code, err) == (0, "")
    assert re.search(r"^wanted\s+loop=1:7:9 by .* at .*: rush hour$", shown, re.MULTILINE)

    def in_force() -> bool:
        # A run that has ended was sent after the wish, and its outcome after the answer.
        ended = call("runs", "wait", call("enqueue", "greet", "name=x")[1].strip(), "--timeout", "30")
        assert ended[0] == 0
        return "loop=1:7:9 (" in call("executors", "pools", HOST)[1]

    assert in_force()
    assert call("executors", "pools", HOST, "--reset", "all")[0] == 0
    assert not in_force()


def test_an_executor_is_cordoned_drained_and_uncordoned(call: Shell) -> None:
    cordoned = call("executors", "cordon", HOST, "--reason", "new disk")
    _, one, _ = call("executors", "show", HOST)
    waiting = call("enqueue", "greet", "name=x")[1].strip()
    _, run, _ = call("runs", "show", waiting)
    drained = call("executors", "drain", HOST, "--grace", "1m")
    free = call("executors", "uncordon", HOST)

    assert cordoned == (0, f"{HOST}: cordoned\n", "")
    assert re.search(r"^cordon\s+cordoned by .* at .*: new disk$", one, re.MULTILINE)
    assert "waiting (cordoned)" in run
    assert drained[:1] == (0,)
    assert free == (0, f"{HOST}: live\n", "")
    assert call("runs", "wait", waiting, "--timeout", "10")[:2] == (0, '"hello x"\n')


def test_tries_are_told_in_words(place: Place) -> None:
    assert show_retry(RetryInfo(1, 1.0, 600.0)) == "none"
    assert show_retry(RetryInfo(3, 0.5, 60.0)) == "3 attempts, 0.5 s between them, doubling up to 60 s"


def test_a_version_is_given_a_share_of_a_job_and_loses_it_again(call: Shell) -> None:
    made(call, "tried")
    code, _, err = call("jobs", "canary", "tried", "--version", "2.5", "--share", "5%")
    policy = shown(call, "tried")["policy"]
    assert (code, policy) == (0, {"canary": {"version": "2.5", "share": 0.05}}), err
    call("jobs", "canary", "tried", "--version", "2.5", "--share", "5%", "--stop-above", "2%", "--min-runs", "50")
    code, table, said = call("jobs", "canary", "tried")
    assert (code, "others" in table, "stopped above 0.02 of at least 50 runs" in said) == (0, True, True), said
    assert json.loads(call("jobs", "canary", "tried", "-o", "json")[1])["canary"]["runs"] == 0
    assert call("jobs", "canary", "tried", "--version", "2.5", "--share", "0")[0] == 0
    assert "was stopped" in call("jobs", "canary", "tried")[2]
    call("jobs", "canary", "tried", "--end")

    assert shown(call, "tried")["policy"] == {}
    assert "the job has none" in call("jobs", "canary", "tried")[2]
    assert call("jobs", "canary", "tried", "--share", "5%")[0] == 2
    assert call("jobs", "canary", "tried", "--version", "2.5", "--share", "5%", "--end")[0] == 2
    assert call("jobs", "canary", "tried", "--version", "2.5", "--share", "much")[0] == 2
    assert "policy.canary.share" in call("jobs", "canary", "tried", "--version", "2.5", "--share", "2")[2]
    bad = call("jobs", "canary", "tried", "--version", "2.5", "--share", "5%", "--stop-above", "2")[2]
    assert "policy.canary.stop_above" in bad


def test_a_changed_policy_is_tried_on_past_runs_and_a_definition_is_printed_as_python(call: Shell) -> None:
    code, table, said = call("jobs", "what-if", "never", "--set", "retry.attempts=5", "--set", "queue=other")
    _, text, _ = call("jobs", "what-if", "never", "--set", "timeout=30s", "-o", "json")
    _, python, _ = call("jobs", "python", "never")

    assert (code, json.loads(text)["job"]) == (0, "never")
    assert "past runs do not tell what these changes do: queue" in table + said
    assert python.startswith("from mainspring import")
