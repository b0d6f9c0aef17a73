"""Freshness: the minutes in which the last success of a job was young enough. Pure."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from mainspring.domain.queues.rollup import Rollup
from mainspring.domain.runs.run import RunState

MINUTE = timedelta(minutes=1)


def success_ends(minutes: Iterable[Rollup], hours: Iterable[Rollup]) -> list[datetime]:
    """When runs succeeded: by the minute where minutes are known, else by the hour, each counted as its end, in order."""
    fine = {one.at + MINUTE for one in minutes if one.state is RunState.SUCCEEDED and one.runs}
    first = min(fine, default=None)
    # An hour that lies within the minutes would count a success later than it was.
    coarse = {
        one.at + timedelta(hours=1)
        for one in hours
        if one.state is RunState.SUCCEEDED and one.runs and (first is None or one.at + timedelta(hours=1) <= first)
    }
    return sorted(fine | coarse)


def fresh_minutes(ends: Iterable[datetime], within: timedelta, *, since: datetime, until: datetime) -> tuple[int, int]:
    """Minutes from `since` to `until` in which the last success was younger than `within`, and those in which it was not."""
    covered, reached = timedelta(), since
    for end in ends:
        begin, last = max(end, reached), min(end + within, until)
        if last > begin:
            covered += last - begin
            reached = last
    total = max(0, int((until - since) / MINUTE))
    good = min(total, int(covered / MINUTE))
    return good, total - good
