"""Lengths of time and instants as people write them, read by the callbacks of options."""

import re
from datetime import datetime, timedelta

import click

from mainspring.clock import SystemClock

WRITTEN = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)([smhdw]?)")
UNITS = {"": "seconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def read_duration(_context: click.Context, _option: click.Parameter, value: str | None) -> timedelta | None:
    """`90`, `45s`, `10m`, `12h`, `30d`, `2w`."""
    if value is None:
        return None
    found = WRITTEN.fullmatch(value)
    if found is None:
        raise click.BadParameter(f"{value!r} is not a length of time such as 45s, 10m, 12h or 30d.")
    return timedelta(**{UNITS[found[2]]: float(found[1])})


def read_since(context: click.Context, option: click.Parameter, value: str | None) -> datetime | None:
    """An instant, or how long ago."""
    if value is None:
        return None
    if WRITTEN.fullmatch(value):
        return SystemClock().now() - (read_duration(context, option, value) or timedelta(0))
    try:
        return datetime.fromisoformat(value).astimezone()
    except ValueError:
        reason = f"{value!r} is neither an instant such as 2030-01-01T09:00:00Z nor a time ago such as 2h."
        raise click.BadParameter(reason) from None


def read_ahead(context: click.Context, option: click.Parameter, value: str | None) -> datetime | timedelta | None:
    """An instant, or how long from now."""
    if value is None or WRITTEN.fullmatch(value):
        return read_duration(context, option, value)
    try:
        return datetime.fromisoformat(value).astimezone()
    except ValueError:
        reason = f"{value!r} is neither an instant such as 2030-01-01T09:00:00Z nor a length of time such as 2h."
        raise click.BadParameter(reason) from None
