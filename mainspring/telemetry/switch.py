"""Whether this process exports spans."""


class Tracing:
    """Decided once, before handlers are put together."""

    is_on = False
    join = "auto"
    """How a run's span belongs to the span of its enqueue; see `domain/runs/trace.py`."""
