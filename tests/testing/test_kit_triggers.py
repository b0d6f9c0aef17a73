"""Triggers in the kit: the clock is moved, and what they start runs at its own instant."""

from datetime import datetime, timedelta

import pytest

from mainspring import App, Context
from mainspring.testing import Kit

MINUTE = timedelta(minutes=1)


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


def test_a_fixed_delay_goes_round_with_the_clock(app: App, fired: list[tuple[str, datetime | None, int]]) -> None:
    with Kit(app) as kit:
        began = kit.clock.now()
        kit.sync_client.triggers.create("loop", job="report", when={"kind": "delay", "delay": 60})
        kit.advance_sync(2 * MINUTE)

        assert [instant for _, instant, _ in fired] == [began, began + MINUTE, began + 2 * MINUTE]
