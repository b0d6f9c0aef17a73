"""A metric as Prometheus knows it: its name, kind, help and labels."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

Labels = tuple[str, ...]
"""The values of a series' labels, in the order of the metric's label names."""

NAMESPACE = "namespace"


class Kind(StrEnum):
    GAUGE = "gauge"
    COUNTER = "counter"
    HISTOGRAM = "histogram"


class Metric(msgspec.Struct, frozen=True):
    """The declaration of a metric; each stands once, in `declared.py`."""

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ()
    edges: tuple[float, ...] = ()
    """Of a histogram: the upper bounds of its buckets."""

    @property
    def by_namespace(self) -> bool:
        return self.labels[:1] == (NAMESPACE,)


class Spectrum(msgspec.Struct):
    """A histogram's observations under one set of labels; the last count is of those beyond all edges."""

    counts: list[int]
    sum: float = 0.0


class Series(msgspec.Struct, frozen=True):
    """A metric with its values at one moment."""

    metric: Metric
    values: Sequence[tuple[Labels, "float | Spectrum"]]

    def within(self, namespace: str) -> "Series | None":
        """The series of one namespace; None if the metric is not about namespaces."""
        if not self.metric.by_namespace:
            return None
        return Series(self.metric, [each for each in self.values if each[0][0] == namespace])
