"""Spans that cost less than the SDK's, and are the same to a collector and to a handler."""

import threading
from collections.abc import Iterable
from typing import Any

import pytest
from opentelemetry import trace as api
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from mainspring.domain.runs.trace import SpanPlace
from mainspring.telemetry.encode_spans import encoder
from mainspring.telemetry.end_export import bounded
from mainspring.telemetry.planned_ids import make_ids
from mainspring.telemetry.quick_spans import quick_span_class

PLACE = SpanPlace(0xABC, 0xDEF)
REMOTE = api.SpanContext(0x123, 0x456, is_remote=True, trace_flags=api.TraceFlags(api.TraceFlags.SAMPLED))


class Bench:
    """A provider of spans, and the spans that ended."""

    def __init__(self) -> None:
        self._kept = InMemorySpanExporter()
        provider = TracerProvider(resource=Resource({"service.name": "tests"}), id_generator=make_ids())
        provider.add_span_processor(SimpleSpanProcessor(self._kept))
        self.tracer = provider.get_tracer("mainspring")
        self.quick = quick_span_class(self.tracer, provider.resource, provider._active_span_processor)

    @property
    def ended(self) -> list[Any]:
        return list(self._kept.get_finished_spans())

    def begin(self, parent: Any = REMOTE, links: Iterable[Any] = ()) -> Any:
        return self.quick("run mail", PLACE, parent, list(links), {"mainspring.job": "mail", "mainspring.attempt": 1})


@pytest.fixture
def bench() -> Bench:
    return Bench()


def request(spans: list[Any]) -> list[Any]:
    """The spans of a request in the order of their names, each with its resource and scope."""
    message = ExportTraceServiceRequest.FromString(encoder()(spans).SerializePartialToString())
    return flat(message)


def flat(message: Any) -> list[Any]:
    found = [
        (span.name, resource.resource, scope.scope, span)
        for resource in message.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    for *_, span in found:
        # An empty status is no status.
        span.status.SetInParent()
    return sorted(found, key=lambda one: one[0])


def test_the_bytes_say_what_those_of_the_published_encoder_say(bench: Bench) -> None:
    kinds = list(api.SpanKind)
    for number, kind in enumerate(kinds):
        values: dict[str, Any] = {"text": "é" * 200, "number": -number, "flag": True, "one": 1, "long": 2**40}
        bench.tracer.start_span(f"{number}", kind=kind, attributes=values, links=[api.Link(REMOTE)]).end()
    failed = bench.tracer.start_span("failed", api.set_span_in_context(api.NonRecordingSpan(REMOTE)))
    failed.set_status(api.StatusCode.ERROR)
    failed.end()
    rest = bench.tracer.start_span("rest", attributes={"list": [1, 2], "share": 0.5})
    rest.add_event("something", {"why": "because"})
    rest.end()
    spans = bench.ended

    assert len(spans) == len(kinds) + 2
    assert request(spans) == flat(encode_spans(spans))


def test_a_span_that_no_handler_touches_is_exported_as_it_is(bench: Bench) -> None:
    span = bench.begin(links=[api.Link(REMOTE)])
    span.end_with({"mainspring.outcome": "failed"}, failed=True)
    (told,) = bench.ended

    assert (told.context.trace_id, told.context.span_id, told.parent) == (*PLACE, REMOTE)
    assert told.attributes == {"mainspring.job": "mail", "mainspring.attempt": 1, "mainspring.outcome": "failed"}
    assert told.status.status_code is api.StatusCode.ERROR
    assert told.start_time <= told.end_time
    assert request([told]) == flat(encode_spans([told]))


def test_a_span_that_a_handler_touches_becomes_one_of_the_sdk(bench: Bench) -> None:
    span = bench.begin(parent=None)
    span.set_attribute("customer", 7)
    span.record_exception(ValueError("bad"))
    span.update_name("run mail for 7")
    span.end()
    span.end_with({"mainspring.outcome": "succeeded"}, failed=False)
    span.set_attribute("late", 1)
    (told,) = bench.ended

    assert (told.name, told.context.trace_id, told.context.span_id, told.parent) == ("run mail for 7", *PLACE, None)
    assert told.attributes == {
        "mainspring.job": "mail",
        "mainspring.attempt": 1,
        "customer": 7,
        "mainspring.outcome": "succeeded",
    }
    assert [event.name for event in told.events] == ["exception"]


def test_spans_made_inside_are_its_children(bench: Bench) -> None:
    span = bench.begin()
    with api.use_span(span):
        bench.tracer.start_span("query").end()
    (told,) = bench.ended

    assert (told.context.trace_id, told.parent.span_id) == tuple(PLACE)


def test_a_process_ends_although_its_collector_never_answers() -> None:
    asked, never = threading.Event(), threading.Event()

    def shut_down() -> None:
        asked.set()
        never.wait()

    bounded(shut_down, 0.0)()

    assert asked.wait(60)
    never.set()
