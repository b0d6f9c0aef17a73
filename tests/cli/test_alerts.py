"""`mainspring alerts`, `mainspring channels` and `mainspring slos` against a real server."""

import json
from pathlib import Path

import pytest

from tests.cli.scene import Shell

SET = """\
owner: {owner}
channels:
  {owner}-ops: {{kind: slack, url: "https://hooks.example.com/x"}}
rules:
  {owner}-fails: {{kind: run_failed, job: "*", over: 10m, severity: page, notify: [{owner}-ops]}}
  {owner}-few: {{kind: servers_few, notify: [{owner}-ops]}}
slos:
  {owner}-good: {{job: greet, objective: 99.5%, notify: [{owner}-ops]}}
"""


def test_a_file_is_planned_applied_changed_and_taken_away(call: Shell, tmp_path: Path) -> None:
    file = tmp_path / "alerts.yaml"
    file.write_text(SET.format(owner="team"))
    planned, applied, again = (call("alerts", verb, str(file)) for verb in ("plan", "apply", "plan"))
    file.write_text(SET.format(owner="team").replace("10m", "20m"))
    changed = call("alerts", "plan", str(file))
    file.write_text("owner: team\n")
    gone = call("alerts", "apply", str(file), "--yes")

    assert (planned[0], applied[0], again[0], changed[0], gone[0]) == (7, 0, 0, 7, 0)
    assert "+ rule team-few" in planned[1]
    assert "applied for team: 4 changes, 0 as they are" in applied[1]
    assert "~ rule team-fails: over" in changed[1]
    assert "- channel team-ops" in gone[1]


def test_names_of_another_owner_are_a_conflict_until_they_are_adopted(call: Shell, tmp_path: Path) -> None:
    file = tmp_path / "alerts.yaml"
    file.write_text(SET.format(owner="one"))
    call("alerts", "apply", str(file))
    file.write_text(SET.format(owner="one").replace("owner: one", "owner: two"))
    refused, adopted = call("alerts", "plan", str(file)), call("alerts", "apply", str(file), "--adopt")

    assert refused[0] == 3
    assert "! rule one-fails (of one)" in refused[1]
    assert adopted[0] == 0


def test_rules_channels_and_slos_are_defined_one_by_one(call: Shell) -> None:
    call("channels", "set", "duty", "--kind", "pagerduty", "--set", "routing_key=hush", "--set", "per_minute=5")
    call("alerts", "set", "waits", "--kind", "queue_age", "--set", "queue=mail", "--set", "older_than=2m")
    call("slos", "set", "starts", "--job", "greet", "--indicator", "start", "--within", "60s", "--notify", "duty")
    channel = json.loads(call("channels", "show", "duty", "-o", "json")[1])
    rule = json.loads(call("alerts", "rule", "waits", "-o", "json")[1])
    slo = json.loads(call("slos", "show", "starts", "-o", "json")[1])

    call("calendars", "set", "feast-days", "--weekday", "sun")
    call(
        "alerts",
        "set",
        "waits",
        "--kind",
        "queue_age",
        "--set",
        "queue=mail",
        "--set",
        "older_than=2m",
        "--set",
        "quiet=feast-days",
    )
    quiet = call("alerts", "rule", "waits")[1]

    assert "quiet=feast-days" in quiet
    assert channel["spec"] == {"kind": "pagerduty", "routing_key": "sealed:", "per_minute": 5}
    assert rule["spec"] == {"kind": "queue_age", "queue": "mail", "older_than": 120.0}
    assert (slo["spec"]["indicator"], slo["within"]) == ("start", 65.536)
    assert call("channels", "delete", "duty")[0] == 3
    assert [call("slos", "delete", "starts")[0], call("channels", "delete", "duty")[0]] == [0, 0]


def test_a_silence_has_an_end_and_can_be_ended(call: Shell) -> None:
    made = json.loads(call("alerts", "silence", "--rule", "waits", "--for", "2h", "--reason", "drill", "-o", "json")[1])
    listed = call("alerts", "silences")[1]
    ended = call("alerts", "unsilence", made["id"])

    assert "drill" in listed
    assert ended[0] == 0
    assert made["id"] not in call("alerts", "silences")[1]


def test_findings_say_what_to_do(call: Shell) -> None:
    call("enqueue", "fail", "--wait")
    code, said, _ = call("alerts", "findings")

    assert code == 0
    assert "mainspring dead list --job fail" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("alerts", "set", "x", "--kind", "run_faild"), "did you mean run_failed"),
        (("alerts", "set", "x", "--kind", "run_failed", "--set", "jb=a"), "jb: is not known; did you mean job?"),
        (("alerts", "set", "x", "--kind", "run_failed", "--set", "over"), "'over' is not FIELD=VALUE"),
        (("alerts", "set", "x", "--kind", "run_failed", "--set", "job=a", "--set", "over=5s"), "5 is outside 60"),
        (("alerts", "set", "x", "--kind", "failure_rate", "--set", "above=half"), "no share such as 20%"),
        (("alerts", "silence"), "Missing option '--for'"),
        (("alerts", "silence", "--for", "91d"), "up to 90 days"),
        (("alerts", "show", "x"), "x"),
        (("channels", "set", "x", "--kind", "slack", "--set", "url=http://a.example.com"), "is not an https address"),
        (("channels", "set", "x", "--kind", "slack", "--set", "url=https://10.1.2.3/"), "(private) is not public"),
        (("channels", "test", "opps"), "opps"),
        (("slos", "set", "x", "--job", "greet", "--objective", "100%"), "objective"),
    ],
)
def test_nonsense_is_refused_in_one_line(call: Shell, words: tuple[str, ...], said: str) -> None:
    code, _, complaint = call(*words)

    assert code != 0
    assert said in complaint
    assert "Traceback" not in complaint


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("  bad: {kind: run_failed, jbo: a}", "alerts.yaml:3: bad: jbo: is not known; did you mean job?"),
        ("  bad: {kind: run_failed}", "alerts.yaml:3: bad: job: a rule of run_failed names one job or queue"),
        ("  bad: {kind: run_failed, job: a, over: 5s}", "alerts.yaml:3: bad: over: 5 is outside 60 to 604800"),
        ("  bad: {kind: run_failed, job: a, notify: [nowhere]}", "rules.bad.notify: there is no channel 'nowhere'"),
    ],
)
def test_a_bad_file_is_refused_with_its_line_or_the_name(call: Shell, tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "alerts.yaml"
    file.write_text(f"owner: team\nrules:\n{line}\n")
    code, _, complaint = call("alerts", "plan", str(file))

    assert code != 0
    assert said in complaint
