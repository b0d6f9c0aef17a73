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


def test_triggers_that_cannot_be_applied_are_told(caplog: pytest.LogCaptureFixture) -> None:
    app = App("shop")

    @app.job(triggers=[Trigger(cron="0 * * * *", calendar="bank-days")])
    async def report() -> None: ...

    with Kit(app) as kit:
        kit.drain_sync()

    assert [each for each in caplog.messages if "could not apply the triggers of the code" in each]
    assert "bank-days" in caplog.text


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
