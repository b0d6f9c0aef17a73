"""Spans, and the context that runs carry. Every function is cheap, and imports nothing, in a process without OpenTelemetry."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from mainspring.domain.runs.trace import SpanPlace, parts_of
from mainspring.telemetry import names
from mainspring.telemetry.planned_ids import planned
from mainspring.telemetry.switch import Tracing

API = "opentelemetry.trace"
NANOSECONDS = 1_000_000_000
Told = Callable[[str, object], None]
"""Adds an attribute to a span."""


def is_loaded() -> bool:
    """Whether the application, or this process by its settings, uses OpenTelemetry."""
    return API in sys.modules


def traceparent() -> str:
    """The W3C header of the current span; empty if there is none, or if it is not sampled."""
    api = sys.modules.get(API)
    if api is None:
        return ""
    place = api.get_current_span().get_span_context()
    if not place.is_valid or not place.trace_flags.sampled:
        return ""
    return f"00-{place.trace_id:032x}-{place.span_id:016x}-01"


def current_ids() -> dict[str, str]:
    """`trace_id` and `span_id` of the current span, for log lines."""
    _, trace, span, *_ = traceparent().split("-") if is_loaded() and traceparent() else ("", "", "")
    return {"trace_id": trace, "span_id": span} if trace else {}


def enqueue_span(
    job: str, *, queue: str | None, key: str | None, count: int, namespace: str = ""
) -> AbstractContextManager[Told]:
    """The caller's span for one request of runs."""
    attributes = {
        names.SYSTEM: names.SYSTEM_NAME,
        names.OPERATION: "enqueue",
        names.OPERATION_TYPE: "send",
        names.JOB: job,
        names.BATCH: count,
    }
    known = ((names.DESTINATION, queue), (names.KEY, key), (names.NAMESPACE, namespace))
    attributes |= {name: value for name, value in known if value}
    return begun(f"enqueue {job}", "PRODUCER", attributes)


def step_span(kind: str, name: str, *, remembered: bool) -> AbstractContextManager[Told | None]:
    """`step` or `effect` of a run; a remembered one was executed by an earlier attempt."""
    if not traceparent():
        # Of a run without a span: it would be a trace of its own.
        return nullcontext()
    return begun(f"{kind} {name}", "INTERNAL", {names.REMEMBERED: True} if remembered else {})


def request_span(method: str, url: str, host: str) -> AbstractContextManager[Told | None]:
    """A request of the built-in handler `http`."""
    if not traceparent():
        return nullcontext()
    return begun(f"http {method}", "CLIENT", {names.METHOD: method, names.URL: url, names.HOST: host})


def fire_span(traceparent: str, since: float, until: float, attributes: Mapping[str, Any]) -> None:
    """The span of a fire, from its fire time, in seconds since 1970, until its run was given to an executor."""
    api: Any = sys.modules[API]
    parts = parts_of(traceparent)
    if parts is None:
        return
    with planned(SpanPlace(int(parts[0], 16), int(parts[1], 16))):
        span = (Tracing.sure or Tracing.asked).start_span(
            f"fire {attributes[names.TRIGGER]}",
            context=api.set_span_in_context(api.INVALID_SPAN),
            kind=api.SpanKind.PRODUCER,
            attributes={names.SYSTEM: names.SYSTEM_NAME, **attributes},
            start_time=int(since * NANOSECONDS),
        )
    span.end(end_time=int(max(since, until) * NANOSECONDS))


@contextmanager
def begun(name: str, kind: str, attributes: Mapping[str, Any]) -> Iterator[Told]:
    """A span that is current inside the block, and has the error's class if one leaves it."""
    api: Any = sys.modules[API]
    span = api.get_tracer(names.TRACER).start_span(name, kind=getattr(api.SpanKind, kind), attributes=dict(attributes))
    started = api.use_span(
        span,
        end_on_exit=True,
        # Messages of errors may hold data of the job: the class is enough to find the run by.
        record_exception=False,
        set_status_on_exception=False,
    )
    with started:
        try:
            yield span.set_attribute
        except BaseException as error:
            span.set_attribute(names.ERROR, type(error).__name__)
            if isinstance(error, Exception):
                span.set_status(api.StatusCode.ERROR)
            raise
