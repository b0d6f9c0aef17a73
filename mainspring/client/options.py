"""Options of a run to enqueue, and filters of runs to list."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TypedDict

from mainspring.domain.routing.route import Route


class RunOptions(TypedDict, total=False):
    """The options of a run; those left out come from the job."""

    queue: str
    executor: str
    """The one executor that may take it, by name."""
    route: Route | str
    """How its executor is chosen, instead of the job's route: `round_robin`, `Hash("customer")`, `Failover("a", "b")` …"""
    priority: int
    due_at: datetime
    delay: float | timedelta
    """Seconds, or a timedelta: instead of `due_at`."""
    key: str
    """Ask once: the same key names the same run."""
    retry_safe: bool
    """Whether a random key is made if there is none, so that a call that broke off is asked again of another server."""
    labels: Mapping[str, str]
    tags: Iterable[str]
    deadline: datetime | float | timedelta
    """When it is stopped and fails if it is not over by then; seconds, or a timedelta, count from when it is accepted."""
    start_within: float | timedelta
    """Seconds, or a timedelta, from when it is due until it fails if nobody has started it."""
    parent: str | None
    """The run that it is a child of. Left out: the one whose handler asks for it, if one does; None: of none."""


class FlowFilters(TypedDict, total=False):
    """Which workflow runs to list: those that match all of these."""

    failed_step: str | None
    """Those of which this step failed or was cancelled."""
    waiting_for: str | None
    """Those of which a step waits for an `approval`, an `event` or a `sleep`, or that are `paused`."""
    states: Iterable[str]
    """Any of them."""
    tags: Iterable[str]
    labels: Mapping[str, str]
    key: str | None
    since: datetime | None
    """Created then or later."""
    until: datetime | None
    """Created before then."""


class RunFilters(TypedDict, total=False):
    """Which runs to list: those that match all of these."""

    q: str | None
    """Terms such as `state:failed job:charge duration:>30s input.country:DE`, instead of the other filters."""
    job: str | None
    queue: str | None
    states: Iterable[str]
    """Any of them."""
    tags: Iterable[str]
    labels: Mapping[str, str]
    key: str | None
    parent: str | None
    """What the handler of that run asked for."""
    prefix: str | None
    """Those whose ids begin so."""
    since: datetime | None
    """Created then or later."""
    until: datetime | None
    """Created before then."""
    oldest_first: bool
    bodies: bool
    """With inputs, results and tracebacks of up to 64 KiB; a page has at most 100 runs then."""
