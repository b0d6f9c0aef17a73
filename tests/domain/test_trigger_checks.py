"""Definitions of triggers: what is refused, in which place and in which words; and good ones in words."""

from typing import Any

import pytest

from mainspring.domain.triggers.checks import check_spec
from mainspring.domain.triggers.describe import say
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.spec import (
    AnyRule,
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
)
from mainspring.errors import InvalidInputError
from tests.domain.trigger_scene import MINUTELY, NOON, at


def cron(*expressions: str, zone: str = "UTC") -> Cron:
    return Cron(expressions=expressions, zone=zone)


def spec(when: AnyRule = MINUTELY, **said: Any) -> TriggerSpec:
    return TriggerSpec(**{"name": "nightly", "job": "report", "when": when, **said})


def refusal(when: AnyRule = MINUTELY, **said: Any) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as refused:
        check_spec(spec(when, **said), now=NOON)
    return refused.value


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("61 * * * *", "minute: 61 is outside 0 to 59 (in '61')"),
        ("* 24 * * *", "hour: 24 is outside 0 to 23 (in '24')"),
        ("* * 0 * *", "day of month: 0 is outside 1 to 31 (in '0')"),
        ("* * * foo *", "month: 'foo' is not a number from 1 to 12, or jan to dec (in 'foo')"),
        ("* * * * mon-fry", "day of week: 'fry' is not a number from 0 to 7, or sun to sat (in 'mon-fry')"),
        ("*/0 * * * *", "minute: the step '0' is not a number from 1 (in '*/0')"),
        ("* * * *", "has 4 fields; it takes five"),
        ("0 0 30 2 *", "names no day that ever comes"),
        ("@fortnightly", "'@fortnightly' is not one of @yearly"),
        ("", "has 0 fields"),
    ],
)
def test_a_malformed_expression_names_the_field_and_what_is_wrong(expression: str, reason: str) -> None:
    error = refusal(cron("* * * * *", expression))

    assert (error.code, error.field) == ("bad_cron", "when.expressions[1]")
    assert error.reason.startswith(reason)


@pytest.mark.parametrize(
    ("zone", "near"),
    [
        ("Europe/Brelin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("Asia/Calcuta", "Asia/Calcutta"),
    ],
)
def test_an_unknown_zone_suggests_the_nearest(zone: str, near: str) -> None:
    error = refusal(cron("* * * * *", zone=zone))

    assert (error.code, error.field) == ("unknown_zone", "when.zone")
    assert error.reason.endswith(f"; did you mean {near}?")


@pytest.mark.parametrize("zone", ["", "../../etc/passwd", "right/UTC", "localtime", "x" * 1000, "\x00", "Europe"])
def test_what_is_no_zone_is_refused_whatever_lies_there(zone: str) -> None:
    assert refusal(cron("* * * * *", zone=zone)).code == "unknown_zone"


@pytest.mark.parametrize(
    ("when", "said", "field"),
    [
        (cron(), {}, "when.expressions"),
        (Every(every=0.5), {}, "when.every"),
        (Every(every=float("nan")), {}, "when.every"),
        (Every(every=60, anchor=NOON.replace(tzinfo=None)), {}, "when.anchor"),
        (Delay(delay=0), {}, "when.delay"),
        (Delay(delay=5), {"calendar": "work"}, "calendar"),
        (At(at=at("11:00:00")), {}, "when.at"),
        (At(at=NOON.replace(tzinfo=None)), {}, "when.at"),
        (Windows(every=60, opens="9:00", closes="17:00"), {}, "when.opens"),
        (Windows(every=60, opens="09:00", closes="24:00"), {}, "when.closes"),
        (Windows(every=60, opens="09:00", closes="17:00", weekdays=("mon", "mo")), {}, "when.weekdays[1]"),
        (Webhook(), {"overlap": Overlap.SKIP}, "overlap"),
        (MINUTELY, {"name": ""}, "name"),
        (MINUTELY, {"name": "a/b"}, "name"),
        (MINUTELY, {"name": ".."}, "name"),
        (MINUTELY, {"start_at": at("13:00:00"), "end_at": at("13:00:00")}, "end_at"),
        (MINUTELY, {"end_at": at("11:00:00")}, "when"),
        (MINUTELY, {"fires_max": 0}, "fires_max"),
        (MINUTELY, {"jitter": -1.0}, "jitter"),
        (MINUTELY, {"spread": 1e9}, "spread"),
        (MINUTELY, {"catch_up_max": 0}, "catch_up_max"),
        (MINUTELY, {"overlap_max": 10**6}, "overlap_max"),
        (MINUTELY, {"pause_after": 0}, "pause_after"),
        (MINUTELY, {"start_deadline": 0.0}, "start_deadline"),
        (MINUTELY, {"roll": Roll.NEXT}, "roll"),
        (MINUTELY, {"tags": ("a", "a")}, "tags"),
        (MINUTELY, {"description": "\x00"}, "description"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_place(when: AnyRule, said: dict[str, Any], field: str) -> None:
    error = refusal(when, **said)

    assert (error.code, error.field) == ("bad_trigger", field)


@pytest.mark.parametrize(
    ("when", "said", "words"),
    [
        (cron("30 9 * * mon-fri", zone="Europe/Berlin"), {}, "at 09:30 on weekdays, Berlin time"),
        (cron("0 0 * * *"), {}, "at 00:00 every day, UTC"),
        (cron("0 9 * * *", "0 17 * * *"), {}, "at 09:00 every day, and at 17:00 every day, UTC"),
        (cron("0 9 1 * *", zone="America/New_York"), {}, "at 09:00 on day 1 of the month, New York time"),
        (Every(every=3600), {}, "every hour"),
        (Every(every=90.5), {}, "every 1 minute and 30.5 seconds"),
        (Delay(delay=5400), {}, "1 hour and 30 minutes after the last run has ended"),
        (At(at=at("2030-02-01T09:00:00")), {}, "once, on 2030-02-01 at 09:00:00 UTC"),
        (
            Windows(every=900, opens="09:00", closes="17:00", weekdays=("mon", "wed"), zone="Asia/Tokyo"),
            {},
            "every 15 minutes from 09:00 until 17:00 on Monday and Wednesday, Tokyo time",
        ),
        (cron("0 0 * * *"), {"calendar": "work"}, "at 00:00 every day, UTC, on days of calendar work"),
        (Webhook(), {}, "when its URL is called"),
        (Event(type="order.paid"), {}, "on events of type order.paid"),
    ],
)
def test_a_trigger_in_words(when: AnyRule, said: dict[str, Any], words: str) -> None:
    check_spec(spec(when, **said), now=NOON)

    assert say(spec(when, **said)) == words


def test_a_hashed_field_is_chosen_by_the_name() -> None:
    hashed = cron("H H * * *")
    first, second = (timer_of(spec(hashed, name=name), created_at=NOON).next(NOON) for name in ("one", "two"))

    assert first != second
    assert first == timer_of(spec(hashed, name="one"), created_at=NOON).next(NOON)
