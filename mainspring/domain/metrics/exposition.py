"""Prometheus' text format, version 0.0.4."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

from mainspring.domain.metrics.family import Kind, Labels, Metric, Series, Spectrum

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
CHUNK = 50
"""Series that are written between two pauses."""


def write(series: Series) -> Iterator[str]:
    """The lines of a metric, in pieces that each take a millisecond or so."""
    metric = series.metric
    yield f"# HELP {metric.name} {escape_help(metric.help)}\n# TYPE {metric.name} {metric.kind}\n"
    for start in range(0, len(series.values), CHUNK):
        yield "".join(lines(metric, series.values[start : start + CHUNK]))


def lines(metric: Metric, values: Iterable[tuple[Labels, float | Spectrum]]) -> Iterator[str]:
    for labels, value in values:
        heads = heads_of(metric, labels)
        if isinstance(value, Spectrum):
            numbers = [*map(str, accumulate(value.counts)), number(value.sum), str(sum(value.counts))]
        else:
            numbers = [number(value)]
        for head, text in zip(heads, numbers, strict=True):
            yield f"{head} {text}\n"


@lru_cache(maxsize=8192)
def heads_of(metric: Metric, labels: Labels) -> tuple[str, ...]:
    """The lines of a series without their values: they are the same in every scrape."""
    pairs = ",".join(f'{name}="{escape(text)}"' for name, text in zip(metric.labels, labels, strict=True))
    tail = f"{{{pairs}}}" if pairs else ""
    if metric.kind is not Kind.HISTOGRAM:
        return (metric.name + tail,)
    lead = f"{metric.name}_bucket{{{pairs}{',' if pairs else ''}le="
    bounds = [*map(number, metric.edges), "+Inf"]
    return (*(f'{lead}"{bound}"}}' for bound in bounds), f"{metric.name}_sum{tail}", f"{metric.name}_count{tail}")


def number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


def escape(text: str) -> str:
    if "\\" in text or '"' in text or "\n" in text:
        return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return text


def escape_help(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")
