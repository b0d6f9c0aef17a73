"""Spans of attempts, which are sampled for certain, at a third of the price of the SDK's.

Handlers seldom touch the span that they run in. Until one does, the span is a few fields; then it becomes one of the SDK,
with its checks and limits.
"""

import importlib
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mainspring.domain.runs.trace import SpanPlace
from mainspring.telemetry.names import TRACER
from mainspring.telemetry.planned_ids import planned

FULL = ("set_attributes", "set_attribute", "add_event", "add_link", "update_name", "set_status", "record_exception")
"""The methods of a span that the SDK answers."""
PROMOTING = threading.Lock()


class Surroundings(NamedTuple):
    """What all spans of a process share."""

    api: Any
    readable: Any
    """The SDK's class of spans that have ended."""
    tracer: Any
    """Makes spans of the SDK that are sampled for certain."""
    resource: Any
    processor: Any
    scope: Any
    flags: Any


class QuickSpan:
    """The part of such a span that is known without OpenTelemetry."""

    around: Surroundings

    def __init__(
        self, name: str, place: SpanPlace, parent: Any, links: Sequence[Any], attributes: dict[str, Any]
    ) -> None:
        self._name, self._parent, self._links, self._attributes = name, parent, links, attributes
        self._place = self.around.api.SpanContext(*place, is_remote=False, trace_flags=self.around.flags)
        self._full: Any = None
        self._ended = False
        self._since = time.time_ns()

    def get_span_context(self) -> Any:
        return self._place

    def is_recording(self) -> bool:
        return not self._ended

    def full(self) -> Any:
        """The same span, of the SDK."""
        # Several threads of a handler may ask at once.
        with PROMOTING:
            if self._full is None:
                self._full = self._promoted()
        return self._full

    def _promoted(self) -> Any:
        api = self.around.api
        above = api.set_span_in_context(
            api.INVALID_SPAN if self._parent is None else api.NonRecordingSpan(self._parent)
        )
        with planned(SpanPlace(self._place.trace_id, self._place.span_id)):
            return self.around.tracer.start_span(
                self._name, above, api.SpanKind.CONSUMER, self._attributes, self._links, self._since
            )

    def end(self, end_time: int | None = None) -> None:
        """For the attempt, by `end_with`; a handler does not end the span that it runs in."""

    def end_with(self, told: dict[str, Any], *, failed: bool) -> None:
        """End it with some more attributes."""
        self._ended = True
        if self._full is None:
            self._attributes |= told
            self.around.processor.on_end(self._readable(failed=failed))
            return
        self._full.set_attributes(told)
        if failed:
            self._full.set_status(self.around.api.StatusCode.ERROR)
        self._full.end()

    def _readable(self, *, failed: bool) -> Any:
        api = self.around.api
        return self.around.readable(
            self._name,
            self._place,
            self._parent,
            self.around.resource,
            self._attributes,
            (),
            self._links,
            api.SpanKind.CONSUMER,
            status=api.Status(api.StatusCode.ERROR if failed else api.StatusCode.UNSET),
            start_time=self._since,
            end_time=time.time_ns(),
            instrumentation_scope=self.around.scope,
        )


def by_the_sdk(name: str) -> Callable[..., None]:
    """A method of the full span."""

    def call(self: QuickSpan, *values: Any, **named: Any) -> None:
        if self.is_recording():
            getattr(self.full(), name)(*values, **named)

    return call


def quick_span_class(tracer: Any, resource: Any, processor: Any) -> Any:
    """The whole class: a span is a subclass of the API's, which is imported only where spans are exported."""
    api: Any = importlib.import_module("opentelemetry.trace")
    sdk: Any = importlib.import_module("opentelemetry.sdk.trace")
    scopes: Any = importlib.import_module("opentelemetry.sdk.util.instrumentation")
    flags, scope = api.TraceFlags(api.TraceFlags.SAMPLED), scopes.InstrumentationScope(TRACER)
    around = Surroundings(api, sdk.ReadableSpan, tracer, resource, processor, scope, flags)
    methods: dict[str, Any] = {name: by_the_sdk(name) for name in FULL}
    return type("MainspringSpan", (QuickSpan, api.Span), {**methods, "around": around})
