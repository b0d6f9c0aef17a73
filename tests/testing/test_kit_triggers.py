"""Triggers in the kit: the clock is moved, and what they start runs at its own instant."""

from datetime import datetime, timedelta

import pytest

from mainspring import App, Context, Trigger
from mainspring.testing import Kit
from tests.words import MINUTE


@pytest.fixture
def fired() -> list[tuple[str, datetime | None, int]]:
    return []


@pytest.fixture
def app(fired: list[tuple[str, datetime | None, int]]) -> App:
    app = App("shop")

    @app.job
    async def report(ctx: Context, day: int = 0) -> None:
        fired.append((ctx.trigger, ctx.fire_at, day))

    return app


def test_triggers_fire_while_the_clock_is_moved(app: App, fired: list[tuple[str, datetime | None, int]]) -> None:
    with Kit(app) as kit:
        began = kit.clock.now()
        kit.sync_client.triggers.create(
            "every-minute", job="report", when={"kind": "cron", "expressions": ["* * * * *"]}, input={"day": 7}
        )
        kit.advance_sync(3 * MINUTE)
        kit.sync_client.triggers.pause("every-minute", reason="enough")
        kit.advance_sync(3 * MINUTE)

        assert fired == [("every-minute", began + number * MINUTE, 7) for number in (1, 2, 3)]


def test_what_the_code_declares_fires(caplog: pytest.LogCaptureFixture) -> None:
    app = App("shop")
    fired: list[datetime | None] = []

    @app.job(cron="0 * * * *")
    async def report(ctx: Context) -> None:
        fired.append(ctx.fire_at)

    with Kit(app) as kit:
        began = kit.clock.now()
        ended = kit.advance_sync(timedelta(hours=3))

        assert fired == [began + timedelta(hours=number) for number in (1, 2, 3)]
        assert [run.job for run in ended] == ["report"] * 3
    assert caplog.messages == []


def test_a_trigger_whose_calendar_is_missing_is_told_once_and_fires_once_the_test_has_made_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = App("shop")

    @app.job(triggers=[Trigger(cron="0 * * * *", calendar="bank-days")])
    async def report() -> None: ...

    @app.job(cron="0 * * * *")
    async def other() -> None: ...

    with Kit(app) as kit:
        before = kit.advance_sync(timedelta(hours=1))
        kit.sync_client.calendars.put("bank-days", None, dates={"12-24": "Christmas Eve"})
        after = kit.advance_sync(timedelta(hours=1))

    assert [run.job for run in before] == ["other"]
    assert sorted(run.job for run in after) == ["other", "report"]
    assert len([each for each in caplog.messages if "report is not applied yet: calendar 'bank-days'" in each]) == 1


def test_the_calendars_of_the_code_are_there_before_its_triggers(caplog: pytest.LogCaptureFixture) -> None:
    app = App("shop")
    closed = app.calendar("closed", weekdays=["mon", "tue", "wed", "thu", "fri", "sat"])

    @app.job(triggers=[Trigger(cron="0 12 * * *", calendar=closed)])
    async def report() -> None: ...

    with Kit(app) as kit:
        ended = kit.advance_sync(timedelta(days=14))

    assert len(ended) == 2
    assert {run.due_at.isoweekday() for run in ended} == {7}
    assert caplog.messages == []


def test_a_fixed_delay_goes_round_with_the_clock(app: App, fired: list[tuple[str, datetime | None, int]]) -> None:
    with Kit(app) as kit:
        began = kit.clock.now()
        kit.sync_client.triggers.create("loop", job="report", when={"kind": "delay", "delay": 60})
        kit.advance_sync(2 * MINUTE)

        assert [instant for _, instant, _ in fired] == [began, began + MINUTE, began + 2 * MINUTE]


def test_instants_that_lie_behind_are_filled_in_one_after_the_other() -> None:
    app = App("shop")
    filled: list[tuple[datetime | None, str]] = []

    @app.job
    async def report(ctx: Context) -> None:
        filled.append((ctx.fire_at, ctx.backfill))

    with Kit(app) as kit:
        since = kit.clock.now() - timedelta(hours=5)
        kit.sync_client.triggers.create("hourly", job="report", when={"kind": "interval", "every": 3600})
        made = kit.sync_client.backfills.create("hourly", since=since, until=since + timedelta(hours=3))
        kit.drain_sync()

        assert filled == [(since + timedelta(hours=number), made.id) for number in range(3)]
        assert kit.sync_client.backfills.get(made.id).state == "done"
