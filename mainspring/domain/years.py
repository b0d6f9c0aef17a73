"""The years in which triggers and calendars name instants: whatever is counted from there, no date runs out."""

from datetime import UTC, datetime

from mainspring.errors import InvalidInputError

YEAR_MIN, YEAR_MAX = 1900, 2999
FIRST, END = datetime(YEAR_MIN, 1, 1, tzinfo=UTC), datetime(YEAR_MAX + 1, 1, 1, tzinfo=UTC)


def check_years(at: datetime, field: str, *, code: str) -> None:
    """Of an instant with an offset. It is compared and not converted: in UTC it may lie where no date does."""
    if not FIRST <= at < END:
        raise InvalidInputError(field, f"lies outside the years {YEAR_MIN} to {YEAR_MAX}", code=code)
