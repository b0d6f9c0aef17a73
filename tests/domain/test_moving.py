"""Moves of triggers: fires ahead, misfires, bounds, overlap, fixed delay, failures in a row."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.calendars.spec import Blackout, CalendarSpec, CalendarVersion
from mainspring.domain.calendars.working_days import Calendar
from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.evaluate import AHEAD_MAX, fire_move
from mainspring.domain.triggers.fire_times.misfires import Misfire
from mainspring.domain.triggers.spec import At, Cron, Delay, Event, Every, Overlap, Windows
from mainspring.domain.triggers.trigger import TriggerState
from tests.domain.trigger_scene import NOON, Story, at, clocks

DONE, FAILED = RunState.SUCCEEDED, RunState.FAILED


def test_a_fire_is_prepared_ahead_of_its_instant_and_due_at_it() -> None:
    story = Story()
    story.until("12:00:29")
    assert (story.fired(), story.trigger.act_at) == ([], at("12:00:30"))

    story.until("12:00:30")

    assert story.fired() == ["12:01"]
    assert story.fires[at("12:01:00")].due_at == at("12:01:00")
    assert (story.trigger.next_due, story.trigger.act_at) == (at("12:02:00"), at("12:01:30"))


def test_periods_shorter_than_the_look_ahead_are_prepared_many_at_a_time() -> None:
    story = Story(Every(every=1))
    story.until("12:03:00")
    moves = 0
    while story.now < at("12:04:00"):
        story.pass_by(1)
        if story.trigger.act_at is not None and story.trigger.act_at <= story.now:
            moves += 1
            story.fire()

    assert len([each for each in story.fires if each <= story.now]) == 240
    assert max(story.fires) >= story.now + timedelta(seconds=29)
    assert moves <= 6


def test_one_move_prepares_a_bounded_number_and_the_next_one_goes_on() -> None:
    story = Story(Every(every=1), now=NOON)
    story.trigger = fire_move(story.trigger, story.inputs()).trigger
    story.pass_by(AHEAD_MAX * 10)
    story.fire()

    assert story.trigger.act_at is not None
    assert story.trigger.act_at > story.now


def test_what_was_missed_follows_the_policy() -> None:
    once, every, none = (Story(misfire=each) for each in (Misfire.ONCE, Misfire.ALL, Misfire.SKIP))
    for story in (once, every, none):
        story.pass_by(300)
        story.fire()

    assert once.fired() == ["12:03", "12:04", "12:05"]
    assert once.left_out() == ["12:01 missed", "12:02 missed"]
    assert every.fired() == ["12:01", "12:02", "12:03", "12:04", "12:05"]
    assert none.fired() == ["12:04", "12:05"]
    assert none.left_out() == ["12:01 missed", "12:02 missed", "12:03 missed"]


@pytest.mark.parametrize("said", [{"pause_after": 3}, {"overlap": Overlap.QUEUE_ALL, "misfire": Misfire.SKIP}])
def test_a_server_that_stood_still_for_seconds_loses_no_instant(said: dict[str, Any]) -> None:
    story = Story(Every(every=1.0), **said)
    story.pass_by(5)
    story.fire()

    assert [*sorted(story.fires), *story.trigger.held] == [NOON + timedelta(seconds=n) for n in range(1, 6)]
    assert story.skips == []


def test_a_clock_that_is_set_back_fires_nothing_again() -> None:
    story = Story()
    story.until("12:03:00")
    before = story.fired()

    story.pass_by(-120)
    story.fire()

    assert story.fired() == before


def test_nothing_fires_before_the_start_nor_from_the_end_on() -> None:
    story = Story(start_at=at("12:02:00"), end_at=at("12:05:00"))
    story.until("12:10:00")

    assert story.fired() == ["12:02", "12:03", "12:04"]
    assert story.trigger.state is TriggerState.ENDED


def test_it_fires_no_more_often_than_it_may() -> None:
    story = Story(fires_max=3)
    story.until("12:10:00")

    assert story.fired() == ["12:01", "12:02", "12:03"]
    assert (story.trigger.fired, story.trigger.state) == (3, TriggerState.ENDED)


def test_one_that_happens_once_does_so_and_ends() -> None:
    story = Story(At(at=at("12:02:30")))
    story.until("12:04:00")

    assert story.fired() == ["12:02:30"]
    assert story.trigger.state is TriggerState.ENDED


def test_a_window_opens_and_closes() -> None:
    story = Story(Windows(every=900, opens="12:30", closes="13:15"))
    story.until("14:00:00", step=30)

    assert story.fired() == ["12:30", "12:45", "13:00"]


def test_jitter_and_spread_make_runs_due_later_and_always_by_the_same() -> None:
    first, again = (Story(jitter=20.0, spread=600.0, group="nightly") for _ in range(2))
    other = Story(jitter=20.0)
    for story in (first, again, other):
        story.until("12:05:00")
    late = [(run.due_at - instant).total_seconds() for instant, run in first.fires.items()]

    assert late == [(run.due_at - instant).total_seconds() for instant, run in again.fires.items()]
    assert all(0 <= each <= 620 for each in late)
    assert len(set(late)) > 1
    assert max(late) - min(late) <= 20
    assert all(0 <= (run.due_at - instant).total_seconds() < 20 for instant, run in other.fires.items())


@pytest.mark.parametrize(
    ("overlap", "said", "fired", "left_out"),
    [
        (Overlap.SKIP, {}, ["12:01"], ["12:02 overlap", "12:03 overlap", "12:04 overlap"]),
        (Overlap.QUEUE_ONE, {}, ["12:01"], ["12:03 held_full", "12:04 held_full"]),
        (Overlap.QUEUE_ALL, {"overlap_max": 2}, ["12:01"], ["12:04 held_full"]),
        (Overlap.CANCEL_PREVIOUS, {}, ["12:01"], ["12:02 replaced", "12:03 replaced"]),
    ],
)
def test_instants_that_come_while_the_run_before_has_not_ended(
    overlap: Overlap, said: dict[str, Any], fired: list[str], left_out: list[str]
) -> None:
    story = Story(overlap=overlap, **said)
    story.until("12:04:30")

    assert (story.fired(), story.left_out()) == (fired, left_out)
    assert bool(story.cancels) is (overlap is Overlap.CANCEL_PREVIOUS)


def test_what_waited_is_fired_one_by_one_as_runs_end() -> None:
    story = Story(overlap=Overlap.QUEUE_ALL)
    story.until("12:03:30")
    assert clocks(story.trigger.held) == ["12:02", "12:03"]

    story.ended(DONE)
    assert (story.fired(), clocks(story.trigger.held)) == (["12:01", "12:02"], ["12:03"])
    story.ended(DONE)
    story.ended(DONE)

    assert (story.fired(), story.trigger.held, story.trigger.pending) == (["12:01", "12:02", "12:03"], (), ())


def test_what_waited_too_long_is_skipped() -> None:
    story = Story(overlap=Overlap.QUEUE_ALL, start_deadline=90)
    story.until("12:04:00")

    story.ended(DONE)

    assert story.fired() == ["12:01", "12:03"]
    assert story.left_out() == ["12:02 too_late"]


def test_held_instants_count_towards_the_most_that_it_may_fire() -> None:
    story = Story(overlap=Overlap.QUEUE_ALL, fires_max=3)
    story.until("12:10:00")
    for _ in range(3):
        story.ended(DONE)

    assert story.fired() == ["12:01", "12:02", "12:03"]
    assert story.trigger.state is TriggerState.ENDED


def test_a_held_instant_that_is_dropped_leaves_its_place_to_another() -> None:
    story = Story(overlap=Overlap.QUEUE_ONE, fires_max=2, start_deadline=90)
    story.until("12:04:30")
    assert (clocks(story.trigger.held), story.trigger.next_due) == (["12:02"], None)

    story.ended(DONE)
    assert (story.left_out(), story.trigger.next_due) == (["12:02 too_late"], at("12:05:00"))
    story.until("12:10:00")

    assert story.fired() == ["12:01", "12:05"]
    assert story.trigger.next_due is None


def test_a_fixed_delay_begins_when_the_run_has_ended() -> None:
    story = Story(Delay(delay=60))
    story.fire()
    story.until("12:05:00")
    assert (story.fired(), story.trigger.next_due) == (["12:00"], None)

    story.ended(FAILED)
    assert story.trigger.next_due == at("12:06:00")
    story.until("12:06:00")

    assert story.fired() == ["12:00", "12:06"]


def test_a_fixed_delay_whose_instant_was_skipped_begins_anew() -> None:
    story = Story(Delay(delay=60), start_deadline=5)
    story.pass_by(100)
    story.fire()

    assert (story.left_out(), story.trigger.next_due) == (["12:00 too_late"], at("12:02:40"))


def test_it_pauses_by_itself_after_so_many_failures_in_a_row() -> None:
    story = Story(pause_after=2)
    for minute, state in enumerate([FAILED, DONE, FAILED, RunState.CANCELLED, FAILED], start=1):
        story.until(f"12:0{minute}:00")
        story.ended(state)

    assert story.trigger.paused is not None
    assert story.trigger.paused.reason == "2 runs in a row have failed"
    assert (story.trigger.state, story.trigger.act_at) == (TriggerState.PAUSED, None)
    story.until("12:10:00")
    assert story.fired() == ["12:01", "12:02", "12:03", "12:04", "12:05"]


def test_an_instant_without_a_job_is_skipped_when_it_comes_and_not_before() -> None:
    story = Story()
    story.jobless = True
    story.until("12:00:59")
    assert (story.left_out(), story.trigger.act_at) == ([], at("12:01:00"))
    story.until("12:01:30")
    assert story.left_out() == ["12:01 job_gone"]

    story.jobless = False
    story.until("12:02:00")

    assert story.fired() == ["12:02"]


def calendar(**said: Any) -> Calendar:
    spec = CalendarSpec(name="work", **said)
    return Calendar(CalendarVersion(namespace="default", version=1, spec=spec, author="anna", at=NOON))


def test_days_that_a_calendar_leaves_out_are_in_the_ledger_once_they_have_passed() -> None:
    weekends = calendar(weekdays=("sat", "sun"))
    story = Story(Cron(expressions=("0 9 * * *",)), now=at("2030-01-03T12:00:00"), days=weekends, calendar="work")
    story.until("2030-01-08T12:00:00", step=1800)

    assert [f"{each:%a}" for each in sorted(story.fires)] == ["Fri", "Mon", "Tue"]
    assert [(f"{span.first:%a}", f"{span.last:%a}", span.reason.value) for span in story.skips] == [
        ("Sat", "Sun", "calendar")
    ]


QUIET = (at("12:01:30"), at("13:00:00"))


@pytest.mark.parametrize("said", [{}, {"overlap": Overlap.SKIP}], ids=["prepared", "followed"])
def test_what_a_calendar_leaves_out_last_is_in_the_ledger_once_it_has_passed(said: dict[str, Any]) -> None:
    quiet = calendar(blackouts=(Blackout(since=QUIET[0], until=QUIET[1]),))
    story = Story(days=quiet, calendar="work", end_at=at("12:05:30"), **said)
    story.until("12:04:59")
    assert (story.fired(), story.left_out()) == (["12:01"], [])
    if story.trigger.pending:
        story.ended(DONE)
    story.until("12:10:00")
    assert (story.fired(), story.trigger.act_at) == (["12:01"], None)
    assert story.left_out() == [f"12:0{minute} calendar" for minute in range(2, 6)]

    story.delete()
    assert len(story.skips) == 1


def test_what_is_left_out_last_is_in_the_ledger_though_its_time_passes_with_the_end_of_a_run() -> None:
    quiet = calendar(blackouts=(Blackout(since=QUIET[0], until=QUIET[1]),))
    story = Story(days=quiet, calendar="work", end_at=at("12:05:30"), overlap=Overlap.SKIP)
    story.until("12:04:59")
    story.pass_by(60)
    story.ended(DONE)
    story.until("12:10:00")

    assert story.left_out() == [f"12:0{minute} calendar" for minute in range(2, 6)]


def test_once_in_a_blackout_that_came_later_is_left_out() -> None:
    story = Story(At(at=at("12:05:00")), days=calendar(), calendar="work")
    story.turn_to(calendar(blackouts=(Blackout(since=QUIET[0], until=QUIET[1]),)))
    story.until("12:03:00")
    story.turn_to(calendar(blackouts=(Blackout(since=QUIET[0], until=at("12:30:00")),)))
    story.until("12:10:00")

    assert (story.fired(), story.left_out()) == ([], ["12:05 calendar"])
    assert (story.trigger.act_at, story.trigger.state) == (None, TriggerState.ENDED)
    story.turn_to(calendar())
    story.until("12:20:00")
    assert (story.fired(), story.left_out()) == ([], ["12:05 calendar"])


def test_what_a_pause_hid_of_a_blackout_is_in_the_ledger_when_that_ends() -> None:
    quiet = calendar(blackouts=(Blackout(since=QUIET[0], until=QUIET[1]),))
    story = Story(days=quiet, calendar="work", end_at=at("12:05:30"))
    story.until("12:03:30")
    story.pause()
    story.until("12:10:00")
    story.resume()
    story.until("12:12:00")

    assert story.left_out() == [f"12:0{minute} calendar" for minute in range(2, 6)]


def test_another_calendar_counts_for_what_was_prepared_too() -> None:
    story = Story(Cron(expressions=("0 9 * * *",)), now=at("2030-01-03T12:00:00"), days=calendar(), calendar="work")
    story.until("2030-01-04T08:59:40", step=10)
    assert [f"{each:%a}" for each in story.fires] == ["Fri"]

    # As the store has it looked at again.
    story.days = calendar(dates={"2030-01-04": "bridge day"}, weekdays=("sat", "sun"))
    story.withdraw()
    story.trigger = msgspec.structs.replace(story.trigger, act_at=story.now)
    story.fire()
    assert (story.fires, story.trigger.next_due) == ({}, at("2030-01-07T09:00:00"))
    story.until("2030-01-07T09:00:00", step=1800)

    assert [f"{each:%a}" for each in story.fires] == ["Mon"]
    assert [(f"{span.first:%a}", f"{span.last:%a}") for span in story.skips] == [("Fri", "Sun")]


def test_one_that_is_called_names_no_instant_and_never_ends() -> None:
    story = Story(Event(type="order.paid"))

    assert (story.trigger.next_due, story.trigger.act_at) == (None, None)
    assert story.trigger.state is TriggerState.ACTIVE
