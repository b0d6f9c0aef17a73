"""What may be said about a job where it is defined."""

from mainspring.domain.job import Pool, RetryPolicy
from mainspring.executor.limits import LimitOptions


class JobOptions(LimitOptions, total=False):
    """What `@app.job(…)` takes; what is left out has a default."""

    name: str
    queue: str
    priority: int
    pool: Pool
    retry: RetryPolicy
