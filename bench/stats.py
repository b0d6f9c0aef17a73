"""Small statistics over measured values."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle and the ends of several measurements of one thing."""

    median: float
    min: float
    max: float


def spread(values: Sequence[float]) -> Spread:
    return Spread(median=median(values), min=min(values), max=max(values))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0 to 1) of the values do not exceed."""
    ordered = sorted(values)
    rank = max(0, min(len(ordered) - 1, -int(-share * len(ordered) // 1) - 1))
    return ordered[rank]
