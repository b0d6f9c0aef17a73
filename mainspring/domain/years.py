"""The years of every instant that callers may name: no date runs out within a few years of them, in no zone."""

from datetime import UTC, datetime

from mainspring.errors import InvalidInputError

YEAR_MIN, YEAR_MAX = 1900, 2999
FIRST, END = datetime(YEAR_MIN, 1, 1, tzinfo=UTC), datetime(YEAR_MAX + 1, 1, 1, tzinfo=UTC)


OUTSIDE = f"lies outside the years {YEAR_MIN} to {YEAR_MAX}"


def is_known(at: datetime) -> bool:
    """Whether an instant with an offset lies within these years."""
    # It is compared and not converted: in UTC it may lie where no date does.
    return FIRST <= at < END


def check_years(at: datetime, field: str, *, code: str) -> None:
    """Raises InvalidInputError for an instant outside these years."""
    if not is_known(at):
        raise InvalidInputError(field, OUTSIDE, code=code)
