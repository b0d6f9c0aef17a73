"""Lengths of time and instants as people write them, read by the callbacks of options."""

import re
from datetime import datetime, timedelta

import click

from mainspring.clock import SystemClock
from mainspring.domain.years import OUTSIDE, YEAR_MAX, YEAR_MIN

WRITTEN = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)([smhdw]?)")
LENGTH_MAX = timedelta(days=36_525)
"""From today no such length leads out of the years that servers know."""
UNITS = {"": "seconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def read_duration(_context: click.Context, _option: click.Parameter, value: str | None) -> timedelta | None:
    """`90`, `45s`, `10m`, `12h`, `30d`, `2w`."""
    if value is None:
        return None
    found = WRITTEN.fullmatch(value)
    if found is None:
        raise click.BadParameter(f"{value!r} is not a length of time such as 45s, 10m, 12h or 30d.")
    length = timedelta(**{UNITS[found[2]]: float(found[1])})
    if length > LENGTH_MAX:
        raise click.BadParameter(f"{value!r} is more than 100 years.")
    return length


def read_known(text: str) -> datetime:
    """An instant within the years that servers know; raises ValueError, as `fromisoformat` does."""
    found = datetime.fromisoformat(text)
    if not YEAR_MIN <= found.year <= YEAR_MAX:
        # Its own message, and before the conversion: in UTC it may lie where no date does.
        raise click.BadParameter(f"{text!r} {OUTSIDE}.")
    return found.astimezone()


def read_since(context: click.Context, option: click.Parameter, value: str | None) -> datetime | None:
    """An instant, or how long ago."""
    if value is None:
        return None
    if WRITTEN.fullmatch(value):
        return SystemClock().now() - (read_duration(context, option, value) or timedelta(0))
    try:
        return read_known(value)
    except ValueError:
        reason = f"{value!r} is neither an instant such as 2030-01-01T09:00:00Z nor a time ago such as 2h."
        raise click.BadParameter(reason) from None


def read_ahead(context: click.Context, option: click.Parameter, value: str | None) -> datetime | timedelta | None:
    """An instant, or how long from now."""
    if value is None or WRITTEN.fullmatch(value):
        return read_duration(context, option, value)
    try:
        return read_known(value)
    except ValueError:
        reason = f"{value!r} is neither an instant such as 2030-01-01T09:00:00Z nor a length of time such as 2h."
        raise click.BadParameter(reason) from None
