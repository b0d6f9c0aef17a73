"""Starts the export of spans in a process of ours, if the usual `OTEL_…` variables name an exporter."""

import importlib
import logging
import os
from collections.abc import Mapping
from typing import Any

from mainspring.telemetry.encode_spans import quick_exporter
from mainspring.telemetry.end_export import end_with_process
from mainspring.telemetry.names import TRACER
from mainspring.telemetry.planned_ids import make_ids
from mainspring.telemetry.quick_spans import quick_span_class
from mainspring.telemetry.switch import Tracing

log = logging.getLogger("mainspring.telemetry")

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
SERVICE = "OTEL_SERVICE_NAME"
JOIN = "MAINSPRING_EXECUTOR_TRACE_JOIN"
"""Also the setting's own variable: child processes inherit it."""
PLACE = "OTEL_MAINSPRING_EXECUTOR"
"""Namespace and name of the executor, for its child processes; no setting, so it has no prefix of one."""
MISSING = "an exporter of traces is configured, but not installed: pip install 'mainspring[otel]'"


def is_wanted(environment: Mapping[str, str]) -> bool:
    """Whether the variables ask for an export by OTLP over HTTP."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporter = environment.get("OTEL_TRACES_EXPORTER", "")
    return exporter == "otlp" or (not exporter and any(environment.get(name) for name in ENDPOINTS))


def start_tracing(service: str, *, join: str = "", executor: str = "", namespace: str = "") -> bool:
    """Begin to export, or do nothing; sampler, endpoint, headers and batches are those of the `OTEL_…` variables."""
    if not is_wanted(os.environ):
        return False
    try:
        provider = make_provider(service)
    except ImportError:
        log.warning(MISSING)
        return False
    importlib.import_module("opentelemetry.trace").set_tracer_provider(provider)
    end_with_process(provider.shutdown)
    Tracing.is_on, Tracing.asked = True, provider.get_tracer(TRACER)
    decide_ahead(provider)
    Tracing.join = os.environ[JOIN] = join or os.environ.get(JOIN, "auto")
    if executor:
        os.environ[PLACE] = f"{namespace}/{executor}"
    Tracing.namespace, _, Tracing.executor = os.environ.get(PLACE, "").partition("/")
    return True


def decide_ahead(provider: Any) -> None:
    """Find the sampler's share of new traces, so that an attempt without a span costs a comparison and no sampler."""
    sampling: Any = importlib.import_module("opentelemetry.sdk.trace.sampling")
    sampler = provider.sampler
    rate = share_of(getattr(sampler, "_root", sampler), sampling)
    if rate is None:
        # A sampler of the operator's own, which is asked each time.
        return
    sdk: Any = importlib.import_module("opentelemetry.sdk.trace")
    sure = sdk.TracerProvider(
        sampler=sampling.ALWAYS_ON,
        resource=provider.resource,
        id_generator=provider.id_generator,
        shutdown_on_exit=False,
    )
    processor = sure._active_span_processor = provider._active_span_processor  # noqa: SLF001 one batch and one thread for both
    Tracing.share_end, Tracing.sure = end_of(rate), sure.get_tracer(TRACER)
    Tracing.follows = isinstance(sampler, sampling.ParentBased) or rate >= 1
    if not any(name.startswith("OTEL_") and name.endswith("_LIMIT") for name in os.environ):
        # The SDK holds to limits.
        Tracing.quick = quick_span_class(Tracing.sure, provider.resource, processor)


def share_of(root: Any, sampling: Any) -> float | None:
    """The share of new traces that a sampler takes; None if it does not say."""
    decision = getattr(root, "_decision", None)
    if decision is not None:
        return 0.0 if decision is sampling.Decision.DROP else 1.0
    rate: float | None = getattr(root, "rate", None)
    return rate


def end_of(share: float) -> bytes:
    """Seven drawn bytes are below it with this probability; eight bytes are above all."""
    return b"\xff" * 8 if share >= 1 else int(share * 2.0**56).to_bytes(7, "big")


def make_provider(service: str) -> Any:
    """Raises ImportError without the extra."""
    sdk: Any = importlib.import_module("opentelemetry.sdk.trace")
    export: Any = importlib.import_module("opentelemetry.sdk.trace.export")
    otlp: Any = importlib.import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    resources: Any = importlib.import_module("opentelemetry.sdk.resources")
    resource = resources.Resource.create({"service.name": os.environ.get(SERVICE) or service})
    provider = sdk.TracerProvider(resource=resource, id_generator=make_ids(), shutdown_on_exit=False)
    provider.add_span_processor(export.BatchSpanProcessor(quick_exporter(otlp)))
    return provider
