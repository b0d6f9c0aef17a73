"""How pages of dead letters are put together from candidates that come in their order; no SQL."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from mainspring.domain.ids import RunId
from mainspring.domain.runs.dead_letter import DeadLetter
from mainspring.store.interface import DeadFilter, DeadPage
from mainspring.store.paging import ID_FIRST

KINDS_MAX = 1_000
"""Groups that are looked at, besides those of as many of the latest dead."""
LOOK = 1_000
"""Candidates that are looked at for a page if some of them may not match."""
INSTANT_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
INSTANT_LAST = datetime(9999, 1, 1, tzinfo=UTC)

Candidate = tuple[DeadLetter, bool]
"""One in the order of the list, and whether it has all the marks."""


def start_of(query: DeadFilter) -> tuple[datetime, RunId]:
    """The place behind which to look."""
    return query.after or (query.since or INSTANT_FIRST, ID_FIRST)


def look_of(query: DeadFilter) -> int:
    """How many candidates to look at."""
    narrows = query.job or query.queue or query.tags or query.labels
    return max(query.limit, LOOK) if narrows else query.limit


def page_of(candidates: Sequence[Candidate], query: DeadFilter) -> DeadPage:
    """Those that match, and where to go on: behind the last that is shown, or behind all that were looked at."""
    found = [letter for letter, marked in candidates if marked and matches(letter, query)]
    page = found[: query.limit]
    if len(found) > query.limit or (len(found) == query.limit and len(candidates) > query.limit):
        return DeadPage(page, place_of(page[-1]))
    return DeadPage(page, place_of(candidates[-1][0]) if len(candidates) == look_of(query) else None)


def matches(letter: DeadLetter, query: DeadFilter) -> bool:
    return query.job in (None, letter.job) and query.queue in (None, letter.queue)


def place_of(letter: DeadLetter) -> tuple[datetime, RunId]:
    return letter.failed_at, letter.run


def page_of_kinds(
    kinds: Iterable[tuple[datetime, bytes]], after: tuple[datetime, bytes] | None, limit: int
) -> list[bytes]:
    """The fingerprints of one page: that of the latest failure first."""
    behind = sorted((kind for kind in kinds if after is None or kind < after), reverse=True)
    return [fingerprint for _, fingerprint in behind[:limit]]
