"""Triggers where jobs are defined."""

from datetime import date, timedelta
from typing import Any

import pytest

from mainspring import App, ConfigError, Job, Trigger
from mainspring.domain.triggers.spec import Cron, Event, Every, Overlap, TriggerSpec
from mainspring.errors import MainspringError


def triggers_of(app: App) -> dict[str, TriggerSpec]:
    return app.handlers.triggers


def test_a_job_says_when_it_starts_by_itself() -> None:
    app = App("shop")

    @app.job(cron="30 9 * * 1-5", zone="Europe/Berlin")
    def report() -> None: ...

    @app.job(every=timedelta(minutes=5), name="sync")
    async def sync_stock() -> None: ...

    assert triggers_of(app) == {
        "report": TriggerSpec(
            name="report", job="report", when=Cron(expressions=("30 9 * * 1-5",), zone="Europe/Berlin")
        ),
        "sync": TriggerSpec(name="sync", job="sync", when=Every(every=300)),
    }


def test_a_class_says_it_too() -> None:
    app = App("shop")

    @app.job
    class Report(Job):
        cron = "@daily"

        def run(self) -> None: ...

    assert triggers_of(app)["Report"].when == Cron(expressions=("@daily",))


def test_richer_triggers_are_listed_or_added_later() -> None:
    app = App("shop")

    @app.job(triggers=[Trigger(name="hourly", cron="@hourly", overlap="skip", input={"day": date(2030, 1, 1)})])
    def report(day: date, copies: int = 1) -> None: ...

    app.trigger(report, name="on-demand", event="report.wanted", mapping={"day": "$.day"})
    app.trigger("shell", name="clean", cron="@weekly", input={"command": "true"})

    hourly, wanted, clean = triggers_of(app).values()
    assert (hourly.job, hourly.overlap, bytes(hourly.input)) == ("report", Overlap.SKIP, b'{"day":"2030-01-01"}')
    assert wanted.when == Event(type="report.wanted", mapping={"day": "$.day"})
    assert (clean.job, bytes(clean.input)) == ("shell", b'{"command":"true"}')


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"cron": "61 * * * *"}, r"when.expressions\[0\]: minute: 61 is outside 0 to 59"),
        ({"cron": "@daily", "zone": "Europe/Berln"}, "did you mean Europe/Berlin"),
        ({"zone": "UTC"}, "it is not said when it fires"),
        ({"cron": "@daily", "every": 5}, "cron and every are both given"),
        ({"triggers": [Trigger(cron="@daily"), Trigger(every=5)]}, "needs a name"),
        ({"triggers": [Trigger(name="a", cron="@daily"), Trigger(name="a", every=5)]}, "'a' is there already"),
        ({"triggers": [Trigger(cron="@daily", overlap="maybe")]}, "overlap: Invalid enum value"),  # type: ignore[arg-type]
        ({"triggers": [Trigger(cron="@daily", input={"copies": "many"})]}, r"input.copies: Expected `int`, got `str`"),
        ({"triggers": [Trigger(cron="@daily", input={"copies": object()})]}, "cannot be written as JSON"),
    ],
)
def test_what_could_not_be_applied_fails_where_it_is_written(options: Any, reason: str) -> None:
    app = App("shop")

    def report(copies: int = 1) -> None: ...

    with pytest.raises(ConfigError, match=rf"test_app_triggers\.py:\d+\): a trigger cannot be used: .*{reason}"):
        app.job(**options)(report)


def test_an_argument_that_nobody_will_pass_is_missed_at_once() -> None:
    app = App("shop")

    with pytest.raises(MainspringError, match="missing required field `day`"):

        @app.job(cron="@daily")
        def report(day: date) -> None: ...
