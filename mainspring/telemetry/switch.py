"""Whether this process exports spans."""

from typing import Any


class Tracing:
    """Decided once, before handlers are put together."""

    is_on = False
    join = "auto"
    """How a run's span belongs to the span of its enqueue; see `domain/runs/trace.py`."""
    share_end = b"\xff" * 8
    """Runs of no trace begin one of their own if the last seven bytes of their ids, which are drawn, are below it."""
    sure: Any = None
    """Makes spans that are sampled for certain; None: the sampler is asked for each."""
    quick: Any = None
    """The class of attempts' spans that are sampled for certain; None: the SDK makes them."""
    follows = False
    """Whether the sampler takes each span whose parent is sampled."""
    asked: Any = None
    """Makes spans if the sampler says so."""
    executor = ""
    namespace = ""
    """Of this process, if it is an executor's."""
