"""`mainspring plan`, `apply` and `import`, against a real server."""

import sys
from pathlib import Path

import msgspec
import pytest

from tests.cli.scene import Shell

pytestmark = pytest.mark.slow

CODE = """
from mainspring import App, Trigger

app = App("coded")

@app.job(triggers=[Trigger(cron="30 9 * * 1-5", zone="Europe/Berlin", input={"name": "Anna"})])
def greet(name: str) -> str: ...
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "triggers.yaml"


def write(file: Path, owner: str, *triggers: str) -> str:
    lines = [f"  - {{name: {each}, job: greet, input: {{name: Bert}}, cron: '0 6 * * *'}}" for each in triggers]
    file.write_text("\n".join([f"owner: {owner}", "triggers:" if lines else "triggers: []", *lines, ""]))
    return str(file)


def test_a_plan_is_shown_applied_and_then_there_is_nothing_to_do(call: Shell, file: Path) -> None:
    write(file, "shown", "one", "two")

    code, planned, _ = call("plan", str(file))
    applied = call("apply", str(file))
    again = call("plan", str(file))

    assert code == 7
    assert planned.splitlines()[0] == "+ one: greet, at 06:00 every day, UTC"
    assert planned.splitlines()[-1] == "shown: 2 to add"
    assert (applied[0], applied[2].splitlines()[-1]) == (0, "applied: 2 added")
    assert again[:2] == (0, "shown: nothing to do, 2 as they should be\n")


def test_calendars_are_planned_and_applied_with_their_triggers(call: Shell, file: Path) -> None:
    write(file, "careful", "works-daily")
    text = file.read_text().replace("cron:", "calendar: works-office, cron:")
    file.write_text(text)

    blocked = call("apply", str(file))
    file.write_text(text + "calendars:\n  - {name: works-office, weekdays: [sat, sun], dates: {12-24: Eve}}\n")
    planned = call("plan", str(file))
    applied = call("apply", str(file))
    file.write_text(text)
    used = call("plan", str(file))

    assert (blocked[0], blocked[2].splitlines()[-1]) == (
        3,
        "mainspring: 1 blocked; apply again once the reason is gone",
    )
    assert "    calendar 'works-office' does not exist; the trigger is applied once it does" in blocked[1].splitlines()
    assert (planned[0], planned[1].splitlines()[0]) == (7, "+ calendar works-office")
    assert (applied[0], applied[2].splitlines()[-1]) == (0, "applied: 2 added")
    assert used[1].splitlines()[0] == "? calendar works-office"
    assert "is used by trigger 'works-daily'" in used[1].splitlines()[1]


def test_nothing_is_removed_unasked(call: Shell, file: Path) -> None:
    call("apply", write(file, "asked", "three", "four"))
    write(file, "asked", "four")

    asked = call("apply", str(file))
    kept = call("triggers", "show", "three")[0]
    told = call("apply", str(file), "--yes")

    assert (asked[0], "1 would be removed: --yes" in asked[2], kept) == (2, True, 0)
    assert (told[0], call("triggers", "show", "three")[0]) == (0, 3)


def test_a_change_shows_both_sides_and_who_edited_meanwhile(call: Shell, file: Path) -> None:
    call("apply", write(file, "edited", "five"))
    call("triggers", "edit", "five", "--priority", "9")

    _, planned, _ = call("plan", str(file))

    lines = [line.strip() for line in planned.splitlines()]
    assert lines[0] == "~ five: greet, at 06:00 every day, UTC"
    assert lines[1].startswith("edited elsewhere by ")
    assert lines[1].endswith(": priority: (as usual) -> 9")
    assert lines[2] == "priority: 9 -> (as usual)"


def test_somebody_else_s_name_is_refused_until_it_is_adopted(call: Shell, file: Path) -> None:
    call("apply", write(file, "first", "six"))
    write(file, "second", "six")

    assert call("plan", str(file))[0] == 3
    refused = call("apply", str(file))
    adopted = call("apply", str(file), "--adopt", "-o", "json")

    assert (refused[0], "belongs to 'first'" in refused[1]) == (3, True)
    assert msgspec.json.decode(adopted[1])["triggers"][0]["changes"] == [
        {"path": "owner", "before": "first", "after": "second"}
    ]


def test_code_is_read_where_the_command_is_called(call: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "coded_jobs.py").write_text(CODE)
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.chdir(tmp_path)

    code, planned, _ = call("plan", "coded_jobs:app")

    assert (code, planned.splitlines()[-1]) == (7, "coded: 1 to add")


FLOWS = """
owner: flows
workflows:
  - name: greetings
    deadline: 2h
    runs_at_once: 3
    schema: {type: object, required: [name], properties: {name: {type: string}}}
    steps:
      first: {job: greet, mapping: {name: $.input.name}}
      second: {job: greet, mapping: {name: $.first}}
    result: $.second
triggers:
  - {name: greetings-daily, job: greetings, cron: 0 6 * * *, input: {name: Carl}}
"""


def test_workflows_are_planned_applied_and_exported_as_they_were_written(call: Shell, file: Path) -> None:
    file.write_text(FLOWS)
    planned = call("plan", str(file))
    applied = call("apply", str(file))
    exported = call("workflows", "export", "greetings")
    file.write_text(exported[1] + "triggers:" + FLOWS.partition("triggers:")[2])
    same = call("plan", str(file))
    file.write_text(FLOWS.replace("runs_at_once: 3", "runs_at_once: 4"))
    changed = call("plan", str(file))

    assert (planned[0], planned[1].splitlines()[0]) == (7, "+ workflow greetings: 2 steps")
    assert (applied[0], applied[2].splitlines()[-1]) == (0, "applied: 2 added")
    assert same[:2] == (0, "flows: nothing to do, 2 as they should be\n")
    assert changed[1].splitlines()[:2] == ["~ workflow greetings: 2 steps, at version 1", "    runs_at_once: 3 -> 4"]
    assert "greetings: 2 steps, can be saved" in call("workflows", "check", str(file))[1]


@pytest.mark.parametrize(
    ("wrong", "right", "line", "reason"),
    [
        ("$.first}", "$.frist}", 10, "there is no step frist; did you mean first?"),
        ("deadline: 2h", "deadline: soon", 5, "'soon' is not a length of time"),
        ("first: {job: greet,", "first: {job: greet, after: [second],", 9, "first -> second -> first"),
    ],
)
def test_a_workflow_that_cannot_be_is_told_with_its_line(
    call: Shell, file: Path, wrong: str, right: str, line: int, reason: str
) -> None:
    file.write_text(FLOWS.replace(wrong, right))
    code, _, said = call("plan", str(file))

    assert (code, f"{file}:{line}: workflow 'greetings'" in said, reason in said) == (2, True, True), said


def test_what_is_imported_can_be_shown_printed_and_applied(call: Shell, tmp_path: Path) -> None:
    beat = tmp_path / "beat.py"
    beat.write_text("beat_schedule = {'greeting': {'task': 'mail.greet', 'schedule': 60.0, 'args': ('Carl',)}}")

    unnamed = call("import", "celery", str(beat))
    printed = call("import", "celery", str(beat), "--app", "tests.cli.scene:app", "-o", "yaml")
    applied = call("import", "celery", str(beat), "--app", "tests.cli.scene:app", "--apply", "--owner", "beat")

    assert (unnamed[0], "passes arguments by position" in unnamed[2]) == (8, True)
    assert printed[:2] == (
        0,
        "owner: celery:beat.py\ntriggers:\n- name: greeting\n  job: greet\n  every: 60\n  input:\n    name: Carl\n",
    )
    assert (applied[0], applied[1].splitlines()[-1]) == (0, "beat: 1 to add")


def test_lines_that_cannot_be_taken_over_keep_the_others_back(call: Shell, tmp_path: Path) -> None:
    table = tmp_path / "crontab"
    table.write_text("@reboot /bin/true\n0 5 * * * /bin/date\n")

    shown = call("import", "crontab", str(table), "--zone", "UTC")
    refused = call("import", "crontab", str(table), "--apply")

    assert shown[0] == 8
    assert shown[1].splitlines()[1].split() == ["2", "date", "shell", "at", "05:00", "every", "day,", "UTC"]
    assert f"{table}:1: not imported: @reboot is no time" in shown[2]
    assert (refused[0], "nothing was applied" in refused[2]) == (8, True)


@pytest.mark.parametrize("way", [(), ("-o", "yaml"), ("-o", "json"), ("--apply",)])
def test_the_report_of_an_import_is_the_same_whatever_is_done_with_it(
    call: Shell, tmp_path: Path, way: tuple[str, ...]
) -> None:
    table = tmp_path / "crontab"
    table.write_text("MAILTO=ops\n@reboot /bin/true\n0 5 * * * /bin/date\n")

    code, _, said = call("import", "crontab", str(table), "--zone", "UTC", "--owner", "reports", *way)

    lines = said.splitlines()
    assert code == 8
    assert lines[0].startswith(f"{table}:2: not imported: @reboot is no time")
    assert lines[1] == f"{table}:1: output is not mailed: it is in the run's log"
    assert (
        lines[2] == f"{table}: cron sets no limit to a command's time: these get 7 days, the longest that shell takes"
    )
