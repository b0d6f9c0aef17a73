"""A receiver of spans by OTLP over HTTP, decoded with the published messages; it also answers any other request."""

import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

KINDS = ("", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER")


class GotSpan(NamedTuple):
    name: str
    kind: str
    service: str
    trace: str
    id: str
    parent: str
    links: tuple[tuple[str, str], ...]
    attributes: dict[str, Any]
    failed: bool


class Otlp:
    """Keeps the spans that it gets, and the trace headers of other requests."""

    def __init__(self) -> None:
        self.spans: list[GotSpan] = []
        self.headers: list[str] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                if self.path == "/v1/traces":
                    receiver.spans += spans_of(body)
                else:
                    receiver.headers.append(self.headers.get("traceparent", ""))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_words: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def named(self, name: str) -> GotSpan | None:
        return next((span for span in self.spans if span.name == name), None)

    def has(self, names: Sequence[str]) -> bool:
        return {span.name for span in self.spans} >= set(names)


def spans_of(body: bytes) -> list[GotSpan]:
    found: list[GotSpan] = []
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        service = {one.key: one.value.string_value for one in resource.resource.attributes}["service.name"]
        for scope in resource.scope_spans:
            found += [got(service, span) for span in scope.spans]
    return found


def got(service: str, span: Any) -> GotSpan:
    return GotSpan(
        name=span.name,
        kind=KINDS[span.kind],
        service=service,
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        links=tuple((link.trace_id.hex(), link.span_id.hex()) for link in span.links),
        attributes={one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes},
        failed=span.status.code == 2,
    )
