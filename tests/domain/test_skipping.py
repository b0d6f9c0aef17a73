"""Instants that people leave out stay left out, and a trigger that is taken away leaves none without its place."""

from typing import Any

import msgspec
import pytest

from mainspring.domain.calendars.spec import CalendarSpec, CalendarVersion
from mainspring.domain.calendars.working_days import Calendar
from mainspring.domain.triggers.fire_times.misfires import Misfire, SkipReason, Span
from mainspring.domain.triggers.revise import ASKED_MAX
from mainspring.domain.triggers.spec import At, Cron, Delay, Every, Overlap
from mainspring.domain.triggers.trigger import TriggerState
from mainspring.errors import ConflictError
from tests.domain.trigger_scene import NOON, Story, at
from tests.words import MINUTE

FIVES = Cron(expressions=("*/5 * * * *",))


def calendar(**said: Any) -> Calendar:
    spec = CalendarSpec(name="work", **said)
    return Calendar(CalendarVersion(namespace="default", version=1, spec=spec, author="anna", at=NOON))


def test_another_rule_that_names_a_skipped_instant_does_not_fire_it() -> None:
    story = Story(FIVES)
    story.until("12:03:00")
    assert story.skip_next() == at("12:05:00")

    story.edit(when=Cron(expressions=("* * * * *",)))
    story.until("12:07:00")

    assert story.fired() == ["12:04", "12:06", "12:07"]
    assert story.left_out() == ["12:05 asked"]
    story.until("13:06:00", step=60)
    assert story.trigger.asked == ()


def test_a_skipped_instant_that_comes_first_is_not_what_comes_next() -> None:
    story = Story(FIVES)
    story.skip_next()
    story.edit(when=Every(every=300, anchor=NOON))

    assert story.trigger.next_due == at("12:10:00")


def test_what_happens_once_and_is_skipped_stays_so_whatever_else_is_edited() -> None:
    story = Story(At(at=at("12:05:00")))
    story.skip_next()
    story.edit(description="the same")
    story.until("12:06:00")

    assert (story.fired(), story.left_out(), story.trigger.state) == ([], ["12:05 asked"], TriggerState.ENDED)


def test_another_calendar_does_not_bring_a_skipped_instant_back() -> None:
    story = Story(FIVES, days=calendar(), calendar="work")
    story.skip_next()
    story.turn_to(calendar(weekdays=("sun",)))
    story.until("12:10:00")

    assert (story.fired(), story.left_out()) == (["12:10"], ["12:05 asked"])


def test_a_delay_passes_over_what_was_skipped() -> None:
    story = Story(FIVES)
    story.skip_next()
    story.edit(when=Delay(delay=60), start_at=at("12:05:00"))

    assert story.trigger.next_due == at("12:06:00")


def test_what_was_missed_does_not_count_what_was_skipped() -> None:
    story = Story(misfire=Misfire.ALL)
    story.skip_next()
    story.skip_next()
    story.edit(when=Every(every=60, anchor=at("12:00:00")))
    story.pass_by(600)
    story.fire()

    assert story.fired()[:2] == ["12:03", "12:04"]
    assert story.left_out() == ["12:01 asked", "12:02 asked"]


def test_only_so_many_are_skipped_one_by_one() -> None:
    story = Story()
    asked = tuple(NOON + (number + 1) * MINUTE for number in range(ASKED_MAX - 1))
    story.trigger = msgspec.structs.replace(story.trigger, asked=asked, next_due=NOON + ASKED_MAX * MINUTE)
    story.skip_next()

    with pytest.raises(ConflictError) as refused:
        story.skip_next()
    assert refused.value.code == "too_many_skipped"


def test_what_was_due_when_a_trigger_is_deleted_is_skipped_as_one_span() -> None:
    story = Story(misfire=Misfire.ALL)
    story.until("12:02:00")
    story.pass_by(7 * 24 * 3600)
    story.delete()

    assert story.fired() == ["12:01", "12:02"]
    assert story.skips == [Span(at("12:03:00"), at("2030-01-08T12:02:00"), SkipReason.DELETED)]


def test_what_was_not_due_yet_goes_with_its_trigger() -> None:
    story = Story()
    story.until("12:01:45")
    story.delete()

    assert (story.fired(), story.skips) == (["12:01"], [])


def test_an_instant_that_waits_for_a_run_is_skipped_with_its_trigger() -> None:
    story = Story(overlap=Overlap.QUEUE_ALL)
    story.until("12:03:30")
    assert story.fired() == ["12:01"]
    story.delete()

    assert story.left_out() == ["12:02 deleted", "12:03 deleted"]


def test_what_a_pause_skipped_is_no_fault_of_the_deletion() -> None:
    story = Story(overlap=Overlap.QUEUE_ONE)
    story.until("12:02:30")
    story.pause()
    story.until("12:04:30")
    story.delete()

    assert story.left_out() == ["12:02 deleted", "12:03 paused", "12:04 paused"]


def test_days_that_a_calendar_left_out_are_told_apart_when_a_trigger_is_deleted() -> None:
    days = calendar(weekdays=("sat", "sun"))
    story = Story(Cron(expressions=("0 9 * * *",)), now=at("2030-01-04T12:00:00"), days=days, calendar="work")
    story.pass_by(4 * 24 * 3600)
    story.delete()

    assert [(f"{each.first:%a}", f"{each.last:%a}", each.reason.value) for each in story.skips] == [
        ("Sat", "Sun", "calendar"),
        ("Mon", "Tue", "deleted"),
    ]


def test_a_trigger_to_which_its_calendar_left_nothing_goes_on_with_another_one() -> None:
    story = Story(At(at=at("12:05:00")), days=calendar(weekdays=("tue",)), calendar="work")
    assert story.trigger.state is TriggerState.ENDED

    story.turn_to(calendar())
    story.until("12:05:00")

    assert (story.fired(), story.left_out()) == (["12:05"], [])


def test_a_trigger_that_has_fired_as_often_as_it_may_stays_ended() -> None:
    once = Story(At(at=at("12:05:00")), days=calendar(), calendar="work")
    twice = Story(FIVES, days=calendar(), calendar="work", fires_max=2)
    for story in (once, twice):
        story.until("12:11:00")
        story.turn_to(calendar(weekdays=("sun",)))
        story.until("12:30:00")

    assert (once.fired(), twice.fired()) == (["12:05"], ["12:05", "12:10"])


def test_a_calendar_that_changed_during_a_pause_counts_when_that_ends() -> None:
    daily = Cron(expressions=("0 9 * * *",))
    story = Story(daily, now=at("2030-01-04T12:00:00"), days=calendar(weekdays=("sat", "sun")), calendar="work")
    story.pause()
    story.turn_to(calendar(weekdays=("mon",)))
    story.pass_by(24 * 3600)
    story.resume()
    story.until("2030-01-08T09:00:00", step=600)

    assert [f"{each:%a}" for each in sorted(story.fires)] == ["Sun", "Tue"]
    assert [(f"{each.first:%a}", each.reason.value) for each in story.skips] == [("Sat", "paused"), ("Mon", "calendar")]


def test_the_same_definition_again_does_not_hide_another_calendar() -> None:
    story = Story(At(at=at("12:05:00")), days=calendar(weekdays=("tue",)), calendar="work")
    story.turn_to(calendar())
    story.edit()
    story.until("12:05:00")

    assert story.fired() == ["12:05"]
