"""Checks of a trigger's definition; each refusal names the field."""

from datetime import datetime
from typing import assert_never

from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.metadata import check_labels, check_tags
from mainspring.domain.names import LINES, check_job_name, check_queue_name, check_text
from mainspring.domain.runs.run import DUE_MAX, check_priority
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.fire_times.timers import TICK
from mainspring.domain.triggers.spec import (
    At,
    Cron,
    Delay,
    Event,
    Every,
    Overlap,
    Roll,
    TriggerSpec,
    Webhook,
    Windows,
    is_timed,
)
from mainspring.domain.webhooks.call import check_event, check_webhook
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError

NAME_MAX = 200
DESCRIPTION_MAX = 2_000
EXPRESSIONS_MAX = 20
CATCH_UP_MOST = HELD_MOST = 1_000
FAILURES_MOST = 1_000
FIRES_MOST = 1_000_000_000
SPREAD_MAX = 86_400.0
SECONDS_MAX = DUE_MAX.total_seconds()
DOTS = frozenset({".", ".."})
"""What programs take for steps within an address."""


def check_spec(spec: TriggerSpec, *, now: datetime) -> None:
    """Raises InvalidInputError. Whether its job and its calendar exist, and the job takes its input, is not asked here."""
    check_form(spec)
    check_ahead(spec, now=now)


def check_form(spec: TriggerSpec) -> None:
    """Checks that do not depend on the time of day."""
    check_text(spec.name, "name", most=NAME_MAX, code="bad_trigger")
    if spec.name in DOTS or "/" in spec.name:
        raise refused("name", f"{spec.name!r} cannot be part of an address")
    check_job_name(spec.job)
    check_rule(spec)
    check_runs(spec)
    check_bounds(spec)
    check_policies(spec)
    if not is_timed(spec):
        refuse_timed(spec)


def check_ahead(spec: TriggerSpec, *, now: datetime, calendar: Calendar | None = None) -> None:
    """Something must be left to come."""
    if is_timed(spec) and timer_of(spec, created_at=now).next(now - TICK) is None:
        field = "when.at" if isinstance(spec.when, At) and spec.when.at <= now else "when"
        raise refused(field, "names no instant that is still to come")
    if calendar is not None and timer_of(spec, created_at=now, calendar=calendar).next(now - TICK) is None:
        raise refused("calendar", f"{spec.calendar!r} leaves out every instant that is still to come")
    if spec.end_at is not None and spec.end_at <= now:
        raise refused("end_at", "has passed")


def check_rule(spec: TriggerSpec) -> None:
    match spec.when:
        case Cron(expressions=expressions):
            if not 1 <= len(expressions) <= EXPRESSIONS_MAX:
                raise refused("when.expressions", f"needs 1 to {EXPRESSIONS_MAX} expressions")
        case Every(every=every, anchor=anchor):
            check_seconds(every, "when.every", least=1.0)
            check_instant(anchor, "when.anchor")
        case Delay(delay=delay):
            check_seconds(delay, "when.delay", least=1.0)
        case At(at=at):
            check_instant(at, "when.at")
        case Windows(every=every):
            check_seconds(every, "when.every", least=1.0, most=86_400.0)
        case Webhook() as webhook:
            check_webhook(webhook)
        case Event() as event:
            check_event(event)
        case other:
            assert_never(other)
    check_instant(spec.start_at, "start_at")
    check_instant(spec.end_at, "end_at")
    timer_of(spec, created_at=EPOCH)


EPOCH = datetime.fromisoformat("2000-01-01T00:00:00+00:00")


def check_runs(spec: TriggerSpec) -> None:
    """Checks of its runs' input and options."""
    if spec.queue is not None:
        check_queue_name(spec.queue)
    if spec.priority is not None:
        check_priority(spec.priority)
    if spec.labels:
        check_labels(spec.labels)
    if spec.tags and len(check_tags(spec.tags)) < len(spec.tags):
        raise refused("tags", "has one of them twice")
    if len(spec.description) > DESCRIPTION_MAX or not LINES.fullmatch(spec.description):
        raise refused("description", f"needs at most {DESCRIPTION_MAX} characters, none of them a control character")


def check_bounds(spec: TriggerSpec) -> None:
    if spec.start_at is not None and spec.end_at is not None and spec.start_at >= spec.end_at:
        raise refused("end_at", "is not after start_at")
    check_number(spec.fires_max, "fires_max", most=FIRES_MOST)
    if spec.jitter or spec.spread:
        check_seconds(spec.jitter, "jitter", most=SPREAD_MAX)
        check_seconds(spec.spread, "spread", most=SPREAD_MAX)
    if spec.group:
        check_text(spec.group, "group", most=NAME_MAX, code="bad_trigger")
    if spec.calendar:
        check_text(spec.calendar, "calendar", most=NAME_MAX, code="bad_trigger")


def check_policies(spec: TriggerSpec) -> None:
    check_number(spec.catch_up_max, "catch_up_max", most=CATCH_UP_MOST)
    check_number(spec.overlap_max, "overlap_max", most=HELD_MOST)
    check_number(spec.pause_after, "pause_after", most=FAILURES_MOST)
    if spec.start_deadline is not None:
        check_seconds(spec.start_deadline, "start_deadline", least=1.0)
    if spec.roll is not Roll.SKIP and not spec.calendar:
        raise refused("roll", "needs a calendar")
    if spec.calendar and isinstance(spec.when, Delay):
        raise refused("calendar", "does not go with a fixed delay, which names no days")


def refuse_timed(spec: TriggerSpec) -> None:
    """Refuse options that have no meaning for a trigger that is called."""
    given = {
        "overlap": spec.overlap is not Overlap.ALLOW,
        "pause_after": spec.pause_after is not None,
        "fires_max": spec.fires_max is not None,
        "calendar": bool(spec.calendar),
        "jitter": bool(spec.jitter),
        "spread": bool(spec.spread),
        "start_deadline": spec.start_deadline is not None,
    }
    if wrong := next((field for field, is_given in given.items() if is_given), None):
        raise refused(wrong, "has no meaning for a trigger that is called")


def check_instant(at: datetime | None, field: str) -> None:
    if at is None:
        return
    if at.tzinfo is None:
        raise refused(field, "needs a UTC offset, such as 2030-01-01T09:00:00Z")
    check_years(at, field, code="bad_trigger")


def check_seconds(seconds: float, field: str, *, least: float = 0.0, most: float = SECONDS_MAX) -> None:
    if not least <= seconds <= most:
        raise refused(field, f"{seconds} is outside {least:.0f} to {most:.0f} seconds")


def check_number(number: int | None, field: str, *, most: int) -> None:
    if number is not None and not 1 <= number <= most:
        raise refused(field, f"{number} is outside 1 to {most}")


def refused(field: str, reason: str) -> InvalidInputError:
    return InvalidInputError(field, reason, code="bad_trigger")
