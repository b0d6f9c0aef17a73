"""Reads durations and times from options."""

from datetime import datetime, timedelta

import click

from mainspring.clock import SystemClock
from mainspring.domain.lengths import EXAMPLES, read_length
from mainspring.domain.years import OUTSIDE, YEAR_MAX, YEAR_MIN

INSTANT = "an instant such as 2030-01-01T09:00:00Z"
LENGTH_MAX = timedelta(days=36_525)
"""Keeps every sum with today within the years that servers accept."""


def read_duration(_context: click.Context, _option: click.Parameter, value: str | None) -> timedelta | None:
    """Read a duration: `90`, `45s`, `10m`, `1h30m`, `30d`, `2w`."""
    if value is None:
        return None
    seconds = read_length(value)
    if seconds is None:
        raise click.BadParameter(f"{value!r} is not a length of time such as {EXAMPLES}.")
    return length_of(seconds, value)


def length_of(seconds: float, text: str) -> timedelta:
    if seconds > LENGTH_MAX.total_seconds():
        raise click.BadParameter(f"{text!r} is more than 100 years.")
    return timedelta(seconds=seconds)


def read_seconds(context: click.Context, option: click.Parameter, value: str | None) -> float | None:
    """Read a duration as seconds."""
    found = read_duration(context, option, value)
    return None if found is None else found.total_seconds()


def read_known(text: str) -> datetime:
    """Read a time within the years that servers accept; raises ValueError like `fromisoformat`."""
    found = datetime.fromisoformat(text)
    if not YEAR_MIN <= found.year <= YEAR_MAX:
        # Before the conversion to UTC, which may leave the range of dates.
        raise click.BadParameter(f"{text!r} {OUTSIDE}.")
    return found.astimezone()


def read_since(_context: click.Context, _option: click.Parameter, value: str | None) -> datetime | None:
    """Read a time, or an age; `+2h` is in the future."""
    return None if value is None else instant_of(value, bare=-1, said="a time ago such as 2h")


def read_until(_context: click.Context, _option: click.Parameter, value: str | None) -> datetime | None:
    """Read a time, or a delay; `-2h` is in the past."""
    return None if value is None else instant_of(value, bare=1, said="a time ahead such as 2h, or ago such as -2h")


def read_ahead(context: click.Context, option: click.Parameter, value: str | None) -> datetime | timedelta | None:
    """Read a time, or a delay."""
    if value is None or read_length(value) is not None:
        return read_duration(context, option, value)
    return instant_of(value, bare=1, said="a length of time such as 2h")


def instant_of(value: str, *, bare: int, said: str) -> datetime:
    """Read a time, or a duration from now with its sign; `bare` is the sign of one without."""
    seconds = read_length(value[1:] if value.startswith(("-", "+")) else value)
    if seconds is not None:
        sign = {"-": -1, "+": 1}.get(value[0], bare)
        return SystemClock().now() + sign * length_of(seconds, value)
    try:
        return read_known(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither {INSTANT} nor {said}.") from None
