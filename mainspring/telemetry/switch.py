"""Whether this process exports spans."""

from typing import Any


class Tracing:
    """Decided once, before handlers are put together."""

    is_on = False
    join = "auto"
    """How a run's span belongs to the span of its enqueue; see `domain/runs/trace.py`."""
    share = 1.0
    """Which share of the runs that belong to no trace begins one of its own."""
    sure: Any = None
    """Makes spans that are sampled for certain; None: the sampler is asked for each."""
