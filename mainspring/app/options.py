"""What may be said about a job where it is defined."""

from collections.abc import Sequence

from mainspring.app.triggers import Length, Trigger
from mainspring.domain.job import Pool, RetryPolicy
from mainspring.executor.limits import LimitOptions


class JobOptions(LimitOptions, total=False):
    """What `@app.job(…)` takes; what is left out has a default."""

    name: str
    queue: str
    priority: int
    pool: Pool
    retry: RetryPolicy
    cron: str | Sequence[str]
    """When it starts by itself, on the clock of `zone`,"""
    zone: str
    every: Length
    """or how often;"""
    triggers: Sequence[Trigger]
    """all else that may be said of that."""
