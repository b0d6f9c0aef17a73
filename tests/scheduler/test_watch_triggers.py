"""What people are told of triggers: every instant that was expected and has no run, one by one or together."""

import msgspec

from mainspring.domain.feed import ChangeKind
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.trigger import TriggerMove
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.triggers.watch_triggers import TOLD_MAX, WatchTriggers
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import START, FakeClock
from tests.domain.trigger_scene import Story
from tests.words import MINUTE

TRIGGER = Story().trigger
Told = tuple[ChangeKind, str, str, dict[str, object]]


def told_of(clock: FakeClock, *moves: TriggerMove) -> list[Told]:
    told: list[Told] = []
    watching = WatchTriggers(SqliteStore.inline(clock=clock), clock, lambda *change: told.append(change), Facts())
    watching.moved(moves)
    return told


def skipped(number: int, reason: SkipReason = SkipReason.MISSED) -> Span:
    return Span(START + number * MINUTE, START + number * MINUTE, reason)


def test_what_calendars_leave_out_crowds_nothing_out(clock: FakeClock) -> None:
    left_out = [skipped(number, SkipReason.CALENDAR) for number in range(2 * TOLD_MAX)]
    moves = TriggerMove(trigger=TRIGGER, skips=left_out), TriggerMove(trigger=TRIGGER, skips=[skipped(7)])

    at = START + 7 * MINUTE
    content = {"trigger": "nightly", "first": at, "last": at, "reason": "missed"}
    assert told_of(clock, *moves) == [(ChangeKind.FIRE_SKIPPED, "default", "report", content)]


def test_many_are_told_together_for_each_job(clock: FakeClock) -> None:
    other = msgspec.structs.replace(TRIGGER, spec=msgspec.structs.replace(TRIGGER.spec, job="other"))
    moves = (
        TriggerMove(trigger=TRIGGER, skips=[skipped(number) for number in range(TOLD_MAX + 3)]),
        TriggerMove(trigger=other, skips=[skipped(1)]),
    )
    told = told_of(clock, *moves)

    assert len(told) == TOLD_MAX + 2
    first, last = START + TOLD_MAX * MINUTE, START + (TOLD_MAX + 2) * MINUTE
    assert told[TOLD_MAX:] == [
        (ChangeKind.FIRE_SKIPPED, "default", "report", {"first": first, "last": last, "count": 3}),
        (ChangeKind.FIRE_SKIPPED, "default", "other", {"first": START + MINUTE, "last": START + MINUTE, "count": 1}),
    ]
