"""iCalendar files: the events that are understood, and those that are refused with their line."""

from datetime import UTC, datetime

import pytest

from mainspring.domain.calendars.ics import Read, read_ics, with_events
from mainspring.domain.calendars.spec import Blackout, CalendarSpec
from mainspring.errors import InvalidInputError


def read(*lines: str, zone: str = "UTC") -> Read:
    return read_ics("\r\n".join(["BEGIN:VCALENDAR", *lines, "END:VCALENDAR", ""]), year=2026, zone=zone)


def event(*lines: str, zone: str = "UTC") -> Read:
    return read("BEGIN:VEVENT", *lines, "END:VEVENT", zone=zone)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_a_file_as_calendars_write_them() -> None:
    found = read(
        "VERSION:2.0",
        "BEGIN:VTIMEZONE",
        "TZID:Europe/Berlin",
        "BEGIN:STANDARD",
        "DTSTART:19701025T030000",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
        "END:STANDARD",
        "END:VTIMEZONE",
        "BEGIN:VEVENT",
        "UID:1",
        "DTSTART;VALUE=DATE:20261224",
        "DTEND;VALUE=DATE:20261227",
        "SUMMARY:Christmas\\, all of",
        "  it",
        "BEGIN:VALARM",
        "TRIGGER:-PT15M",
        "END:VALARM",
        "END:VEVENT",
        "BEGIN:VEVENT",
        'DTSTART;TZID="Europe/Berlin":20260701T220000',
        "DTEND;TZID=Europe/Berlin:20260702T020000",
        "SUMMARY:Moving",
        "END:VEVENT",
        "BEGIN:VTODO",
        "SUMMARY:Shopping",
        "END:VTODO",
    )

    assert found == Read(
        dates=dict.fromkeys(["2026-12-24", "2026-12-25", "2026-12-26"], "Christmas, all of it"),
        blackouts=(Blackout(since=at("2026-07-01T20:00"), until=at("2026-07-02T00:00"), name="Moving"),),
        events=2,
    )


@pytest.mark.parametrize(
    ("rule", "days"),
    [
        ("FREQ=YEARLY", ["11-26"]),
        ("FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=26", ["11-26"]),
        ("FREQ=YEARLY;COUNT=3", ["2020-11-26", "2021-11-26", "2022-11-26"]),
        ("FREQ=YEARLY;INTERVAL=4;UNTIL=20281231", ["2020-11-26", "2024-11-26", "2028-11-26"]),
        ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;UNTIL=20221231T235959Z", ["2020-11-26", "2021-11-25", "2022-11-24"]),
        ("FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO;COUNT=2", ["2021-05-31", "2022-05-30"]),
    ],
)
def test_what_comes_back_each_year_is_one_day_of_each_or_is_written_out(rule: str, days: list[str]) -> None:
    assert list(event("DTSTART;VALUE=DATE:20201126", f"RRULE:{rule}").dates) == days


def test_a_rule_without_an_end_is_written_out_for_ten_years() -> None:
    days = list(event("DTSTART;VALUE=DATE:20201126", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH").dates)

    assert (days[0], days[-1], len(days)) == ("2020-11-26", "2036-11-27", 17)


def test_a_day_that_is_excepted_counts() -> None:
    found = event("DTSTART:20250101", "RRULE:FREQ=YEARLY;COUNT=3", "EXDATE;VALUE=DATE:20260101")

    assert list(found.dates) == ["2025-01-01", "2027-01-01"]


def test_a_timed_event_that_comes_back_keeps_its_time_on_the_wall() -> None:
    found = event("DTSTART:20260328T220000", "DURATION:PT2H", "RRULE:FREQ=YEARLY;COUNT=2", zone="Europe/Berlin")

    assert [each.since for each in found.blackouts] == [at("2026-03-28T21:00"), at("2027-03-28T20:00")]


def test_what_is_cancelled_or_takes_no_time_is_left_out() -> None:
    assert event("DTSTART:20261224", "STATUS:CANCELLED").dates == {}
    assert event("DTSTART:20261224T100000Z").blackouts == ()


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (("SUMMARY:x",), "line 2: the event has no DTSTART"),
        (("DTSTART:tomorrow",), "line 3: 'tomorrow' is not a day"),
        (("DTSTART:20260230",), "line 3: '20260230' is not a day"),
        (("DTSTART;TZID=W. Europe:20261224T100000", "DURATION:PT1H"), "line 3: TZID 'W. Europe' is not a zone"),
        (("DTSTART:20261224", "RRULE:FREQ=WEEKLY"), "line 4: FREQ=WEEKLY is not understood"),
        (("DTSTART:20261224", "RRULE:FREQ=YEARLY;BYSETPOS=1"), "line 4: BYSETPOS is not understood"),
        (("DTSTART:20261224", "RRULE:FREQ=YEARLY;BYDAY=MO"), "line 4: BYDAY=MO is not understood"),
        (("DTSTART:20261224", "RDATE:20271224"), "line 4: RDATE is not understood"),
        (("DTSTART:20261224", "DTEND:20261201"), "line 4: an event lasts up to 400 days"),
        (("DTSTART:20261224", "DTEND:20261225T100000Z"), "line 4: DTSTART and DTEND are both days"),
        (("DTSTART:20261224", "DURATION:P"), "line 4: 'P' is not a duration"),
        (("DTSTART 20261224",), "line 3: 'DTSTART 20261224' is not NAME:VALUE"),
        (("END:VALARM",), "line 3: END:VALARM has no BEGIN"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(lines: tuple[str, ...], reason: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        event(*lines)

    assert caught.value.code == "bad_ics"
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize("text", ["", "<html>", "BEGIN:VCARD\nEND:VCARD", "BEGIN:VCALENDAR\nBEGIN:VEVENT\n"])
def test_what_is_no_such_file_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="line"):
        read_ics(text, year=2026)


def test_events_come_beside_what_is_there_or_in_its_place() -> None:
    old = Blackout(since=at("2026-01-01"), until=at("2026-01-02"))
    spec = CalendarSpec(name="office", weekdays=("sat",), dates={"2026-12-24": "", "01-01": ""}, blackouts=(old,))
    new = Read(dates={"2026-12-24": "Christmas Eve"}, blackouts=(old,), events=2)

    assert with_events(spec, new, replace=False).dates == {"2026-12-24": "Christmas Eve", "01-01": ""}
    assert with_events(spec, new, replace=False).blackouts == (old,)
    replaced = with_events(spec, new, replace=True)
    assert (replaced.dates, replaced.weekdays) == ({"2026-12-24": "Christmas Eve"}, ("sat",))
