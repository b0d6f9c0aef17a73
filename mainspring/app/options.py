"""What may be said about a job where it is defined."""

from typing import TypedDict

from mainspring.domain.job import Pool, RetryPolicy


class JobOptions(TypedDict, total=False):
    """What `@app.job(…)` takes; what is left out has a default."""

    name: str
    queue: str
    priority: int
    pool: Pool
    retry: RetryPolicy
