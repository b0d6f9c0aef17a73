"""Holidays of the package that knows them, and what is kept with a calendar."""

import sys
from datetime import UTC, date, datetime

import pytest

from mainspring.domain.calendars.spec import CalendarSpec, CalendarVersion, Computed, Holidays
from mainspring.errors import InvalidInputError
from mainspring.scheduler.triggers.holidays import calendar_of, compute

BAVARIA = Holidays(country="DE", subdivision="BY")


def version(*holidays: Holidays, computed: Computed) -> CalendarVersion:
    spec = CalendarSpec(name="office", holidays=holidays)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return CalendarVersion(namespace="default", version=1, spec=spec, computed=computed, author="", at=at)


def test_the_holidays_of_a_part_of_a_country_are_found() -> None:
    found = compute([BAVARIA, Holidays(country="DE")], 2026)

    assert (found.since, found.until) == (2025, 2036)
    assert found.days["2026-12-25"] == "Christmas Day"
    assert found.days["2026-01-06"] == "Epiphany"
    assert "2026-01-06" not in compute([Holidays(country="DE")], 2026).days


def test_a_market_has_days_of_its_own_and_two_names_of_a_day_are_both_told() -> None:
    found = compute([Holidays(country="US"), Holidays(market="XNYS")], 2026)

    assert found.days["2026-04-03"] == "Good Friday"
    assert found.days["2026-06-19"].startswith("Juneteenth")
    assert found.days["2026-11-26"].count("Thanksgiving") >= 1


def test_what_was_found_when_it_was_saved_holds_and_other_years_are_worked_out() -> None:
    calendar = calendar_of(version(BAVARIA, computed=Computed(2026, 2027, {"2026-07-01": "Moving Day"})))

    assert list(calendar.left_out_days(2026)) == [date(2026, 7, 1)]
    assert not calendar.left_out_days(2027)
    assert calendar.left_out_days(2040)[date(2040, 12, 25)] == "Christmas Day"


def test_a_server_without_the_package_goes_by_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "holidays", None)
    calendar = calendar_of(
        version(Holidays(country="FR"), computed=Computed(2026, 2026, {"2026-07-14": "Bastille Day"}))
    )

    assert list(calendar.left_out_days(2026)) == [date(2026, 7, 14)]
    assert not calendar.left_out_days(2041)
    with pytest.raises(InvalidInputError, match=r"mainspring\[calendars\]") as caught:
        compute([Holidays(country="FR")], 2026)
    assert caught.value.code == "holidays_missing"


@pytest.mark.parametrize(
    ("wanted", "field", "hint"),
    [
        (Holidays(country="XX"), "holidays[0].country", ""),
        (Holidays(country="de"), "holidays[0].country", "did you mean DE"),
        (Holidays(country="DE", subdivision="BAV"), "holidays[0].subdivision", "BB, BE, BW, BY"),
        (Holidays(market="NYSX"), "holidays[0].market", "did you mean"),
    ],
)
def test_what_is_not_known_is_refused_with_what_is(wanted: Holidays, field: str, hint: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        compute([wanted], 2026)

    assert (caught.value.field, caught.value.code) == (field, "unknown_holidays")
    assert hint in caught.value.reason
