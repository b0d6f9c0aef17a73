"""Numbers that grow: counting one more is an addition, and the rest is computed when metrics are read."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from operator import add

from mainspring.domain.metrics.family import Labels, Metric, Series, Spectrum


class Totals:
    """The values of a counter, or of a gauge that is added up."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self._values: dict[Labels, float] = {}

    def add(self, labels: Labels = (), amount: float = 1) -> None:
        self._values[labels] = self._values.get(labels, 0) + amount

    def drop(self, gone: Callable[[Labels], bool]) -> None:
        for labels in [labels for labels in self._values if gone(labels)]:
            del self._values[labels]

    def series(self) -> Series:
        return Series(self.metric, list(self._values.items()))


class Histogram:
    """The observations of a histogram, by bucket."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self._spectra: dict[Labels, Spectrum] = {}

    def observe(self, value: float, labels: Labels = ()) -> None:
        spectrum = self._of(labels)
        spectrum.counts[bisect_left(self.metric.edges, value)] += 1
        spectrum.sum += value

    def merge(self, counts: Sequence[int], total: float, labels: Labels = ()) -> None:
        """Add observations that were counted elsewhere, by the same buckets."""
        spectrum = self._of(labels)
        spectrum.counts = list(map(add, spectrum.counts, counts))
        spectrum.sum += total

    def drop(self, gone: Callable[[Labels], bool]) -> None:
        for labels in [labels for labels in self._spectra if gone(labels)]:
            del self._spectra[labels]

    def series(self) -> Series:
        return Series(self.metric, list(self._spectra.items()))

    def together(self, labels: Sequence[Labels]) -> list[int]:
        """The counts under all of these labels, added up."""
        found = [self._spectra[one].counts for one in labels if one in self._spectra]
        return [sum(counts) for counts in zip(*found, strict=True)] or [0] * (len(self.metric.edges) + 1)

    def _of(self, labels: Labels) -> Spectrum:
        found = self._spectra.get(labels)
        if found is None:
            found = self._spectra[labels] = Spectrum([0] * (len(self.metric.edges) + 1))
        return found


def quantile(edges: Sequence[float], counts: Sequence[int], share: float) -> float | None:
    """The value that this share of the observations does not exceed: exact to a bucket, evenly spread inside it.

    Beyond the last edge nothing is known: then it is that edge. None: there are no observations.
    """
    rank, below = share * sum(counts), 0
    for at, count in enumerate(counts):
        if count and below + count >= rank:
            first, last = edges[at - 1] if at else 0.0, edges[min(at, len(edges) - 1)]
            return first + (last - first) * (rank - below) / count
        below += count
    return None
