"""APScheduler's calls mean here what they mean to APScheduler itself, by position and by name."""

import inspect
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from mainspring.cli.importers.apscheduler import OF_TRIGGERS, read_apscheduler
from mainspring.cli.importers.apscheduler_source import ADD_JOB, SCHEDULED_JOB
from mainspring.domain.imports.found import Imported
from mainspring.domain.triggers.spec import TriggerSpec
from tests.architecture.source import ROOT

NOW = datetime(2030, 1, 1, tzinfo=UTC)
HEAD = "sched = BackgroundScheduler(timezone='Europe/Rome')\n"


def named(_: str, args: list[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return {**{f"by_place_{place}": value for place, value in enumerate(args)}, **kwargs}


def read(text: str, name: str = "jobs.py", zone: str | None = None) -> Imported:
    return read_apscheduler(text, name, now=NOW, arguments=named, zone=zone, local="Asia/Tokyo")


def one(text: str) -> TriggerSpec:
    found = read(HEAD + text)
    [taken] = found.taken
    assert found.refused == ()
    return taken.spec


def reasons(text: str) -> list[str]:
    return [each.reason for each in read(HEAD + text).refused]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ADD_JOB, BackgroundScheduler.add_job),
        (SCHEDULED_JOB, BackgroundScheduler.scheduled_job),
        (OF_TRIGGERS["cron"], CronTrigger.__init__),
        (OF_TRIGGERS["interval"], IntervalTrigger.__init__),
        (OF_TRIGGERS["date"], DateTrigger.__init__),
        (OF_TRIGGERS["from_crontab"], CronTrigger.from_crontab),
    ],
)
def test_positions_are_those_of_apscheduler(ours: tuple[str, ...], theirs: Any) -> None:
    names = [each for each in inspect.signature(theirs).parameters if each not in ("self", "trigger_args")]

    assert list(ours) == names


def test_arguments_by_position_are_taken_with_all_that_is_said_of_a_job() -> None:
    spec = one("sched.add_job(f, 'interval', ['a'], {'b': 2}, 'an-id', 'A name', 30, False, 1, minutes=5)")

    assert msgspec.json.decode(spec.input) == {"by_place_0": "a", "b": 2}
    assert (spec.name, spec.description, spec.start_deadline) == ("an-id", "A name", 30)
    assert (spec.misfire.value, spec.overlap.value) == ("all", "skip")


@pytest.mark.parametrize(
    ("trigger", "field", "value"),
    [
        ("CronTrigger(None, 6, 3, None, None, 4)", "expressions", ("0 4 3 6 *",)),
        ("CronTrigger(hour=4, timezone='Asia/Tokyo')", "zone", "Asia/Tokyo"),
        ("CronTrigger.from_crontab('0 4 * * *', 'Asia/Tokyo')", "zone", "Asia/Tokyo"),
        ("IntervalTrigger(0, 0, 2, 30)", "every", 9000),
        ("DateTrigger(datetime(2031, 5, 6, 7, minute=8))", "at", datetime(2031, 5, 6, 5, 8, tzinfo=UTC)),
        ("DateTrigger('2031-05-06 07:08:00', 'UTC')", "at", datetime(2031, 5, 6, 7, 8, tzinfo=UTC)),
    ],
)
def test_triggers_keep_their_arguments_by_position(trigger: str, field: str, value: object) -> None:
    assert getattr(one(f"sched.add_job(f, {trigger})").when, field) == value


@pytest.mark.parametrize(
    "text",
    [
        "sched.add_job(f, 'interval', minutes=5, next_run_time=None)",
        "sched.add_job(f, 'interval', None, None, None, None, 1, True, 1, None, minutes=5)",
    ],
)
def test_a_paused_job_is_refused(text: str) -> None:
    assert ["is paused" in reason for reason in reasons(text)] == [True]


def test_a_paused_job_of_a_json_list_is_refused_with_its_line() -> None:
    jobs = ['{"func": "a:b", "trigger": "interval"}', '{"func": "a:c", "trigger": "interval",\n"next_run_time": null}']
    text = "[\n" + ",\n".join(jobs) + "\n]"
    found = read(text, "jobs.json")

    assert [each.line for each in found.taken] == [2]
    assert [(each.line, "is paused" in each.reason) for each in found.refused] == [(3, True)]


@pytest.mark.parametrize(
    "text",
    [
        "for name in names:\n    sched.add_job(f, 'interval', minutes=5)",
        "if DEBUG:\n    sched.add_job(f, 'interval', minutes=5)",
        "sched.add_job(f, 'interval', minutes=5, colour='red')",
        "sched.add_job(f, 'cron', minutes=5)",
        "sched.add_job(f, 'interval', minutes=MINUTES)",
        "sched.add_job(f, cron, hour=5)",
        "sched.add_job(f, DateTrigger(datetime(YEAR, 1, 2)))",
        "sched.add_job(f, 'cron', hour=5, timezone=os.environ.get('TZ', 'UTC'))",
        "sched.add_job(f, 'cron', hour=5, max_instances=settings.MAX)",
        "sched.add_job(f, OrTrigger([CronTrigger(hour=2), CronTrigger(hour=3)]))",
        "JOBS = make_jobs()",
    ],
)
def test_what_would_have_to_be_run_is_refused_with_its_line(text: str) -> None:
    found = read(HEAD + text)

    assert found.taken == ()
    assert [each.line >= 2 for each in found.refused] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "sched.pause_job('x')",
        "sched.reschedule_job('x', trigger='interval', minutes=9)",
        "job = sched.add_job(f, 'interval', minutes=6, id='y')\njob.pause()",
        "sched.start(paused=True)",
    ],
)
def test_changes_while_the_program_runs_are_told(text: str) -> None:
    found = read(HEAD + "sched.add_job(f, 'interval', minutes=5, id='x')\n" + text)

    assert [each.line > 2 for each in found.refused] == [True]


@pytest.mark.parametrize("zone", ["settings.TIME_ZONE", "os.environ.get('TZ', 'UTC')", "make('Europe/Rome')"])
def test_a_zone_of_the_scheduler_that_cannot_be_read_is_asked_for(zone: str) -> None:
    text = f"sched = BackgroundScheduler(timezone={zone})\nsched.add_job(f, 'cron', hour=5)\n"

    assert "say --zone" in read(text).refused[0].reason
    assert getattr(read(text, zone="Europe/Rome").taken[0].spec.when, "zone", "") == "Europe/Rome"


def test_places_that_only_apscheduler_has_are_noted() -> None:
    text = "sched.add_job(f, 'interval', minutes=5, executor='processes', jobstore='redis', next_run_time=NOW)"
    [taken] = read(HEAD + text).taken

    assert [note.split(" is left out")[0] for note in taken.notes] == [
        "next_run_time",
        "executor processes",
        "jobstore redis",
    ]


def test_jitter_of_a_described_trigger_is_kept() -> None:
    text = "JOBS = [dict(id='x', func='a:b', trigger={'type': 'cron', 'hour': 5, 'jitter': 60})]"

    assert one(text).jitter == 60


def test_a_script_s_own_main_part_is_no_condition() -> None:
    assert one("if __name__ == '__main__':\n    sched.add_job(f, 'interval', minutes=5)").name == "f"


def strange(*_: object, **__: object) -> None:
    """A job of a real scheduler."""


def test_the_lines_of_the_guide_write_out_what_a_real_scheduler_has(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/guides/moving-from-cron.md").read_text()
    code = page.split('title="write_jobs.py"\n')[1].split("```")[0]
    scheduler = BackgroundScheduler(timezone="Europe/Rome")
    scheduler.start(paused=True)
    scheduler.add_job(strange, "cron", ["a"], {"b": 1}, day_of_week="mon-fri", hour=5, jitter=60, id="cron")
    scheduler.add_job(strange, "interval", hours=2, start_date="2031-01-01", misfire_grace_time=90, id="interval")
    scheduler.add_job(strange, "date", run_date="2031-05-06 07:08:00", coalesce=False, max_instances=3, id="date")
    scheduler.add_job(strange, "interval", hours=2, next_run_time=None, id="paused")
    exec(code, {"scheduler": scheduler})
    scheduler.shutdown()
    found = read(capsys.readouterr().out, "jobs.json")
    cron, interval, date = (
        next(each.spec for each in found.taken if each.spec.name == name) for name in ("cron", "interval", "date")
    )

    assert (getattr(cron.when, "expressions", ()), cron.jitter) == (("0 5 * * mon-fri",), 60)
    assert msgspec.json.decode(cron.input) == {"by_place_0": "a", "b": 1}
    assert (getattr(interval.when, "every", 0), interval.start_deadline) == (7200, 90)
    assert getattr(date.when, "at", None) == datetime(2031, 5, 6, 5, 8, tzinfo=UTC)
    assert (date.misfire.value, date.overlap.value) == ("all", "allow")
    assert [each.text for each in found.refused] == ["paused"]
