"""Ids of spans that are computed instead of drawn."""

import importlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mainspring.domain.runs.trace import SpanPlace

PLANNED = threading.local()
"""The place of the span that this thread is about to begin."""


@contextmanager
def planned(place: SpanPlace | None) -> Iterator[None]:
    """The next span of this thread stands there."""
    PLANNED.place = place
    try:
        yield
    finally:
        PLANNED.place = None


def make_ids() -> Any:
    """A generator for a provider of the SDK: planned ids where there are some, drawn ones otherwise."""
    base: Any = importlib.import_module("opentelemetry.sdk.trace.id_generator").RandomIdGenerator

    class PlannedIds(base):  # type: ignore[misc]
        def generate_trace_id(self) -> int:
            place: SpanPlace | None = getattr(PLANNED, "place", None)
            return super().generate_trace_id() if place is None else place.trace

        def generate_span_id(self) -> int:
            place: SpanPlace | None = getattr(PLANNED, "place", None)
            return super().generate_span_id() if place is None else place.span

    return PlannedIds()
