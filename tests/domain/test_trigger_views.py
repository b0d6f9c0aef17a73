"""Previews with marks where clocks are set, expected against actual, and how many fires come together."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from mainspring.domain.cron import Fold
from mainspring.domain.triggers.fire_times import forecast
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.fire_times.expected import Instant, InstantRange, Ledger, compare
from mainspring.domain.triggers.fire_times.forecast import SLICE, Forecast, ForecastTally
from mainspring.domain.triggers.fire_times.jitter import lateness
from mainspring.domain.triggers.fire_times.preview import preview, with_lateness
from mainspring.domain.triggers.fire_times.timers import Timer
from mainspring.domain.triggers.spec import AnyRule, Cron, Delay, Overlap, TriggerSpec, Windows
from mainspring.domain.triggers.trigger import Fire, Trigger
from tests.domain.trigger_scene import MINUTELY, NOON, Story, at
from tests.words import HOUR

BERLIN = "Europe/Berlin"


def shown(text: str, after: datetime, count: int) -> list[tuple[str, str]]:
    when = Cron(expressions=(text,), zone=BERLIN, fold=Fold.BOTH)
    timer = timer_of(TriggerSpec(name="nightly", job="report", when=when), created_at=NOON)
    found = preview(timer, ZoneInfo(BERLIN), after=after, count=count)
    assert all(each.local == each.at for each in found)
    return [(f"{each.local:%d %H:%M %z}", each.note) for each in found]


def test_a_preview_marks_what_a_clock_that_is_set_does() -> None:
    assert shown("30 2 * * *", datetime(2026, 3, 28, tzinfo=UTC), 3) == [
        ("28 02:30 +0100", ""),
        ("29 03:00 +0200", "clock set forward"),
        ("30 02:30 +0200", ""),
    ]
    assert shown("30 2 * * *", datetime(2026, 10, 24, 12, tzinfo=UTC), 3) == [
        ("25 02:30 +0200", "comes twice: first"),
        ("25 02:30 +0100", "comes twice: second"),
        ("26 02:30 +0100", ""),
    ]


def test_a_preview_of_a_fixed_delay_knows_one_instant_only() -> None:
    timer = timer_of(TriggerSpec(name="loop", job="report", when=Delay(delay=5)), created_at=NOON + HOUR)

    assert [each.at for each in preview(timer, ZoneInfo("UTC"), after=NOON, count=5)] == [NOON + HOUR]


def test_a_preview_says_how_much_later_runs_are_due() -> None:
    spread = trigger("nightly", MINUTELY, group="all", spread=600.0, jitter=30.0)
    timer = timer_of(spread.spec, created_at=NOON)
    found = with_lateness(preview(timer, ZoneInfo("UTC"), after=NOON, count=3), "default", spread.spec)

    assert [round(lateness(spread, each.at).total_seconds(), 2) for each in found] == [
        round(each.spread + each.jitter, 2) for each in found
    ]
    assert all(each.spread and each.jitter for each in found)
    plain = trigger("nightly", MINUTELY).spec
    assert with_lateness(found, "default", plain)[0].spread == 0


def seen(
    story: Story, *, since: str = "12:00:00", until: str = "12:06:00", limit: int = 100, shown: str = ""
) -> list[str]:
    """What became of each instant, as told from the ledger."""
    fires = [Fire(instant, run.id) for instant, run in sorted(story.fires.items())]
    timer = timer_of(story.spec, created_at=story.trigger.created_at)
    wanted = InstantRange(at(since), at(until), limit, at(shown) if shown else None)
    ledger = Ledger(fires, story.skips)
    return [told(each) for each in compare(story.trigger, timer, ledger, wanted, story.now)]


def told(instant: Instant) -> str:
    last = "" if instant.last is None else f" to {instant.last:%H:%M}"
    return f"{instant.at:%H:%M}{last} {instant.reason or instant.outcome}"


def test_each_instant_is_told_once() -> None:
    story = Story()
    story.until("12:01:45")
    story.pause()
    story.until("12:02:30")
    story.resume()
    story.until("12:03:40")

    expected = ["12:01 fired", "12:02 paused", "12:03 fired", "12:04 prepared", "12:05 expected"]
    assert seen(story) == expected
    assert seen(story, since="12:02:00", limit=2) == expected[1:3]


def test_what_was_never_accounted_for_is_missing() -> None:
    story = Story()
    story.until("12:03:00")
    del story.fires[at("12:02:00")]
    story.pass_by(3600)

    assert seen(story, until="12:05:00") == ["12:01 fired", "12:02 missing", "12:03 fired", "12:04 missing"]


def test_what_waits_is_held_and_what_is_paused_is_not_expected() -> None:
    story = Story(overlap=Overlap.QUEUE_ONE)
    story.until("12:03:30")
    story.pause()

    assert seen(story) == ["12:01 fired", "12:02 held", "12:03 held_full", "12:04 paused", "12:05 paused"]


def test_no_more_is_expected_than_may_be_fired() -> None:
    ended, story = Story(fires_max=1), Story(fires_max=3)
    for each in (ended, story):
        each.until("12:01:00")

    assert seen(ended) == ["12:01 fired"]
    assert seen(story) == ["12:01 fired", "12:02 expected", "12:03 expected"]


def test_before_the_last_edit_only_the_ledger_is_believed() -> None:
    story = Story(Cron(expressions=("*/2 * * * *",)))
    story.until("12:03:00")
    story.edit(when=MINUTELY)
    story.until("12:03:40")

    assert seen(story) == ["12:02 fired", "12:04 prepared", "12:05 expected"]


def paused_and_edited(**said: Any) -> Story:
    """Every minute, but for a pause, and then by another definition."""
    story = Story()
    story.until("12:01:45")
    story.pause()
    story.until("12:04:30")
    story.resume()
    story.edit(**said)
    story.until("12:06:40")
    return story


def test_what_a_former_rule_skipped_is_not_told_by_the_one_of_today() -> None:
    story = paused_and_edited(when=Cron(expressions=("*/7 * * * *",)))
    expected = ["12:01 fired", "12:02 to 12:04 paused", "12:07 prepared"]

    assert seen(story, until="12:10:00") == expected
    assert seen(story, since="12:03:00", until="12:10:00") == expected[1:]
    assert seen(story, until="12:03:00") == expected[:2]
    pages = [seen(story, until="12:10:00", limit=1, shown=shown) for shown in ("", "12:01:00", "12:02:00", "12:07:00")]
    assert pages == [[each] for each in expected] + [[]]


def test_an_edit_of_something_else_leaves_the_instants_known() -> None:
    story = paused_and_edited(priority=7)

    assert seen(story)[1:4] == ["12:02 paused", "12:03 paused", "12:04 paused"]
    story.edit(when=Cron(expressions=("*/7 * * * *",)))
    story.edit(priority=8)
    assert seen(story)[1] == "12:02 to 12:04 paused"


def test_an_instant_of_a_lapse_that_was_filled_in_is_told_beside_it() -> None:
    story = paused_and_edited(when=Cron(expressions=("*/7 * * * *",)))
    story.fires[at("12:02:00")] = story.fires[at("12:01:00")]

    assert seen(story, limit=2) == ["12:01 fired", "12:02 to 12:04 paused", "12:02 fired"]


def counted(*triggers: Trigger, hours: int = 4, since: datetime = NOON) -> Forecast:
    tally = ForecastTally(since, since + hours * HOUR, HOUR)
    for trigger in triggers:
        tally.add(trigger, None)
    for _ in tally.count():
        pass
    return tally.forecast()


def trigger(name: str, when: AnyRule, **said: Any) -> Trigger:
    spec = TriggerSpec(name=name, job="report", when=when, **said)
    return msgspec.structs.replace(Story().trigger, spec=spec)


class Counting:
    """A timer that counts its look-ups."""

    looked = 0

    def __init__(self, timer: Timer) -> None:
        self._timer = timer

    def next(self, after: datetime) -> datetime | None:
        Counting.looked += 1
        return self._timer.next(after)

    def previous(self, before: datetime) -> datetime | None:
        return self._timer.previous(before)


def test_a_forecast_lets_others_go_on_after_few_look_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "timer_of", lambda *said, **named: Counting(timer_of(*said, **named)))
    rare = [trigger(f"rare-{number}", Cron(expressions=("0 0 29 2 *",))) for number in range(3 * SLICE)]
    jittery = [trigger(f"jittery-{number}", MINUTELY, jitter=5.0) for number in range(3)]
    tally = ForecastTally(NOON, NOON + 4 * HOUR, HOUR)
    for each in (*rare, *jittery, trigger("dense", Windows(every=1.0, opens="00:00", closes="23:59:59"))):
        tally.add(each, None)

    Counting.looked = 0
    passed = [Counting.looked for _ in tally.count()]

    assert Counting.looked >= 3 * SLICE + 3 * 4 * 60 + 4 * 3600
    assert passed == list(range(SLICE, Counting.looked + 1, SLICE))


def test_a_forecast_counts_what_comes_together() -> None:
    hourly = [trigger(f"hourly-{number}", Cron(expressions=("0 13-15 * * *",))) for number in range(50)]
    dense = trigger("dense", MINUTELY)
    few = trigger("few", MINUTELY, fires_max=5)

    found = counted(*hourly, dense, few)

    assert found.counts == (65, 110, 110, 110)
    assert (found.total, found.peak, found.triggers, found.complete) == (395, 110, 52, True)


def test_a_forecast_is_the_same_however_often_it_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    hourly = [trigger(f"hourly-{number}", Cron(expressions=("0 13-15 * * *",))) for number in range(50)]
    many = [*hourly, trigger("dense", MINUTELY), trigger("few", MINUTELY, fires_max=5), *hourly]
    whole = counted(*many)

    for cells in (forecast.CELLS_MAX, 0):
        monkeypatch.setattr(forecast, "CELLS_MAX", cells)
        tally = ForecastTally(NOON, NOON + 4 * HOUR, HOUR)
        seen = []
        for one in many:
            tally.add(one, None)
            if tally.ripe:
                list(tally.count())
            seen.append(tally.forecast().triggers)
        list(tally.count())

        assert tally.forecast() == whole
        assert seen == sorted(seen)
        assert 10 < len(set(seen)) < len(many)


def test_a_rule_that_many_share_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = ForecastTally(NOON, NOON + HOUR, HOUR)
    tally.add(trigger("one", MINUTELY), None)
    list(tally.count())
    monkeypatch.setattr(tally, "_left", 0)
    tally.add(trigger("two", MINUTELY), None)
    list(tally.count())

    assert tally.forecast().counts == (120,)
    assert tally.complete


def test_the_steps_of_a_forecast_are_the_same_whenever_one_asks() -> None:
    found = counted(trigger("dense", MINUTELY), hours=2, since=NOON + HOUR / 3)
    first = counted(since=datetime.min.replace(tzinfo=UTC))

    assert (found.since, found.counts) == (NOON, (40, 60, 20))
    assert first.since.year == 1


def test_a_forecast_has_what_is_due_in_it_though_its_instant_lies_before() -> None:
    noon = Cron(expressions=("0 12 * * *",))
    early = NOON - HOUR
    spread = [
        msgspec.structs.replace(
            trigger(f"t{number}", noon, spread=3600.0, jitter=3600.0), created_at=early, updated_at=early
        )
        for number in range(100)
    ]
    whole = counted(*spread, hours=2)

    assert whole.total == 100
    halves = [counted(*spread, hours=1), counted(*spread, hours=1, since=NOON + HOUR)]
    assert [half.total for half in halves] == list(whole.counts)
    made_since = [msgspec.structs.replace(each, created_at=NOON) for each in spread]
    assert counted(*made_since, hours=1, since=NOON + HOUR).total == 0


def test_what_has_its_run_already_uses_up_no_other_fire() -> None:
    story = Story(fires_max=9, spread=600.0, group="all")
    story.until("12:02:30")

    assert story.trigger.fired >= 2
    assert counted(story.trigger, hours=1, since=at("12:00:30")).total == 9


def test_spread_and_hashed_fields_flatten_a_forecast() -> None:
    when = Cron(expressions=("0 12 * * *",))
    spread = counted(*(trigger(f"t{number}", when, spread=4 * 3600.0, group="g") for number in range(400)))
    hashed = counted(*(trigger(f"t{number}", Cron(expressions=("H H(12-15) * * *",))) for number in range(400)))

    for found in (spread, hashed):
        assert found.total == 400
        assert all(60 <= count <= 140 for count in found.counts)
