"""The span of an attempt. At one in a hundred, making spans costs more than sorting out the attempts that have none."""

import sys
from typing import Any

from mainspring.domain.runs.trace import SpanPlace, attempt_place, join_of, parts_of
from mainspring.telemetry import names
from mainspring.telemetry.planned_ids import planned
from mainspring.telemetry.switch import Tracing

API, CONTEXT = "opentelemetry.trace", "opentelemetry.context"


class RunSpan:
    """A span that is current from `begin` until `end`; both are called in the same context."""

    __slots__ = ("_held", "_span")

    def __init__(
        self, name: str, run: bytes, attempt: int, origin: str, waited: float, attributes: dict[str, Any]
    ) -> None:
        """A child of the span that enqueued its run, or a root with a link to it; a retry is linked to the first attempt."""
        api: Any = sys.modules[API]
        join = join_of(Tracing.join, waited)
        parent, links = place_among(api, origin, join)
        if attempt > 1:
            # The first attempt began earlier than this one: it has joined the trace unless the setting forbids that.
            first = "link" if Tracing.join == "link" else "parent"
            links.append(api.Link(context_at(api, attempt_place(run, 1, origin, first))))
        place = attempt_place(run, attempt, origin, join)
        make = Tracing.quick if not origin or Tracing.follows else None
        self._span: Any = (make or asked_span)(name, place, parent, links, attributes)

    def begin(self) -> None:
        self._held: Any = sys.modules[CONTEXT].attach(sys.modules[API].set_span_in_context(self._span))

    def end(self, outcome: str, error: BaseException | None = None, *, failed: bool = False) -> None:
        """Tell the outcome, and the class of the error: its message may hold data of the job."""
        told = {names.OUTCOME: outcome}
        if error is not None:
            told[names.ERROR] = type(error).__name__
        sys.modules[CONTEXT].detach(self._held)
        if Tracing.quick is not None and isinstance(self._span, Tracing.quick):
            self._span.end_with(told, failed=failed)
            return
        self._span.set_attributes(told)
        if failed:
            self._span.set_status(sys.modules[API].StatusCode.ERROR)
        self._span.end()


def place_among(api: Any, origin: str, join: str) -> tuple[Any, list[Any]]:
    """The place of its parent, and its links."""
    parts = parts_of(origin) if origin else None
    if parts is None:
        return None, []
    place = context_at(api, SpanPlace(int(parts[0], 16), int(parts[1], 16)))
    return (place, []) if join == "parent" else (None, [api.Link(place)])


def asked_span(name: str, place: SpanPlace, parent: Any, links: list[Any], attributes: dict[str, Any]) -> Any:
    """A span of the SDK, if the sampler says so."""
    api: Any = sys.modules[API]
    above = api.set_span_in_context(api.INVALID_SPAN if parent is None else api.NonRecordingSpan(parent))
    with planned(place):
        return Tracing.asked.start_span(name, above, api.SpanKind.CONSUMER, attributes, links)


def context_at(api: Any, place: SpanPlace) -> Any:
    """A sampled span of another process."""
    flags = api.TraceFlags(api.TraceFlags.SAMPLED)
    return api.SpanContext(place.trace, place.span, is_remote=True, trace_flags=flags)
