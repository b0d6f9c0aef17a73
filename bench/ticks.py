"""Starts of triggers' runs, each held against the instant that it was due at."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.measurement import Measurement
from bench.starts import Start
from bench.stats import percentile

HOUR, MINUTE = 3600, 60
EARLY = 1.0
"""A start that comes before its instant, by less than this many seconds, belongs to it all the same."""
SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99, "max": 1.0}

Tick = tuple[int, int]
"""A trigger's number, and an instant of the wall clock in whole seconds."""


@dataclass(frozen=True, slots=True)
class Ticks:
    """What came of the instants that were to come; delays in seconds."""

    expected: int
    delays: Sequence[float]
    missed: int
    twice: int

    @property
    def details(self) -> dict[str, object]:
        early = sum(delay < 0 for delay in self.delays)
        return {"expected": self.expected, "lost": self.missed, "twice": self.twice, "early": early}

    def measurements(self, system: str, name: str, unit: str, details: dict[str, object]) -> list[Measurement]:
        """The delay at each share."""
        factor = {"ms": 1000.0, "s": 1.0}[unit]
        if not self.delays:
            return [
                Measurement("triggers", system, name, None, unit, {**details, **self.details}, "nothing was started")
            ]
        return [
            Measurement(
                "triggers",
                system,
                f"{name} {share}",
                factor * percentile(self.delays, part),
                unit,
                {**details, **self.details},
            )
            for share, part in SHARES.items()
        ]


def on_wall(starts: Iterable[Start]) -> list[tuple[int, float]]:
    """Numbers of triggers, and when their runs started on the wall clock. Both clocks are this machine's."""
    ahead = time.time() - time.monotonic()
    return [(int(start.payload), start.at + ahead) for start in starts]


def hourly(starts: Iterable[tuple[int, float]]) -> list[tuple[Tick, float]]:
    """Starts of triggers that are due once an hour, each at the minute of its number."""
    found = []
    for number, at in starts:
        place = number % MINUTE * MINUTE
        due = int(at + EARLY - place) // HOUR * HOUR + place
        found.append(((number, due), at - due))
    return found


def judge(found: Iterable[tuple[Tick, float]], expected: Sequence[Tick]) -> Ticks:
    """Starts of instants that were not expected, because they lie before or behind, do not count."""
    wanted = set(expected)
    kept = [(tick, delay) for tick, delay in found if tick in wanted]
    times = Counter(tick for tick, _ in kept)
    return Ticks(
        expected=len(wanted),
        delays=[delay for _, delay in kept],
        missed=len(wanted) - len(times),
        twice=sum(count > 1 for count in times.values()),
    )
