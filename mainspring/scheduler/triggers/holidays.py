"""Holidays of countries and markets, as the `holidays` package knows them; it comes with the extra `calendars`."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from types import ModuleType

from mainspring.domain.calendars.spec import CalendarVersion, Computed, Holidays
from mainspring.domain.calendars.working_days import Calendar
from mainspring.errors import InvalidInputError

YEARS_AHEAD = 10
"""That are kept with a calendar, besides the present and the last one."""
LANGUAGE = "en_US"
NAMED_MAX = 30


def calendar_of(version: CalendarVersion) -> Calendar:
    """Years that were not worked out when it was saved are worked out when they are needed."""
    computed = version.computed
    kept = {date.fromisoformat(day): name for day, name in computed.days.items()}

    def holidays(year: int) -> Mapping[date, str]:
        if not version.spec.holidays:
            return {}
        if computed.since <= year <= computed.until:
            return {day: name for day, name in kept.items() if day.year == year}
        return beyond(version.spec.holidays, year)

    return Calendar(version, holidays)


def compute(wanted: Sequence[Holidays], year: int) -> Computed:
    """The holidays of the years around one; raises InvalidInputError if they are not known."""
    if not wanted:
        return Computed()
    since, until = year - 1, year + YEARS_AHEAD
    days: dict[date, str] = {}
    for index, each in enumerate(wanted):
        for day, name in named(each, tuple(range(since, until + 1)), f"holidays[{index}]").items():
            days[day] = name if days.get(day, name) == name else f"{days[day]}; {name}"
    return Computed(since, until, {day.isoformat(): days[day] for day in sorted(days)})


@lru_cache(maxsize=1024)
def beyond(wanted: tuple[Holidays, ...], year: int) -> Mapping[date, str]:
    """Of a year that is not kept with its calendar; a server without the package knows none."""
    try:
        return {day: name for each in wanted for day, name in named(each, (year,), "holidays").items()}
    except InvalidInputError:
        return {}


@lru_cache(maxsize=256)
def named(wanted: Holidays, years: tuple[int, ...], field: str) -> Mapping[date, str]:
    package = installed(field)
    check_known(package, wanted, field)
    if wanted.market:
        found = package.financial_holidays(wanted.market, years=years, language=LANGUAGE)
    else:
        part = wanted.subdivision or None
        found = package.country_holidays(wanted.country, subdiv=part, years=years, language=LANGUAGE)
    return dict(found)


def installed(field: str) -> ModuleType:
    try:
        import holidays  # noqa: PLC0415 only calendars with holidays need it
    except ImportError:
        reason = "needs the holidays package, which the server does not have: pip install 'mainspring[calendars]'"
        raise InvalidInputError(field, reason, code="holidays_missing") from None
    return holidays


def check_known(package: ModuleType, wanted: Holidays, field: str) -> None:
    if wanted.market:
        refuse_unknown(f"{field}.market", "market", wanted.market, package.list_supported_financial())
        return
    countries = package.list_supported_countries()
    refuse_unknown(f"{field}.country", "country", wanted.country, countries)
    if wanted.subdivision:
        known = countries[wanted.country]
        refuse_unknown(f"{field}.subdivision", f"part of {wanted.country}", wanted.subdivision, known)


def refuse_unknown(field: str, kind: str, name: str, known: Iterable[str]) -> None:
    names = sorted(known)
    if name in names:
        return
    close = difflib.get_close_matches(name.upper(), names, n=3)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    if not close and len(names) <= NAMED_MAX:
        hint = f"; known are {', '.join(names)}" if names else "; none are known"
    raise InvalidInputError(
        field, f"{name[:50]!r} is no {kind} whose holidays are known{hint}", code="unknown_holidays"
    )
