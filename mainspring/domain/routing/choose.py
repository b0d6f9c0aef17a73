"""Chooses the executor of a run, for strategies that name one before the run is claimed."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from mainspring.domain.routing.order import weighted_turn
from mainspring.domain.routing.route import Route, Strategy

Draw = Callable[[], float]
"""A random number from 0 up to 1."""
EVEN: Mapping[str, float] = {}
"""No executor has a weight of its own."""


class RouteState:
    """What one server remembers of the runs of a job that it has routed."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._next = -1
        self._used: Counter[str] = Counter()
        self._last: dict[str, int] = {}
        self._count = 0
        self._credit: dict[str, float] = {}
        """Of executors whose weights differ, as far as their turns have come."""

    def choose(
        self, route: Route, candidates: Sequence[str], key: str, weights: Mapping[str, float] = EVEN
    ) -> str | None:
        """The executor for the next run; `candidates` are those that are there and can, by name. None: none of them may."""
        chosen = self._pick(route, candidates, key, weights)
        if chosen is not None:
            self._count += 1
            self._used[chosen] += 1
            self._last[chosen] = self._count
        return chosen

    def _pick(self, route: Route, candidates: Sequence[str], key: str, weights: Mapping[str, float]) -> str | None:
        match route.strategy:
            case Strategy.FIXED:
                # One that is away is waited for.
                return next((name for name in route.executors if name in candidates), route.executors[0])
            case Strategy.FAILOVER:
                return next((name for name in route.executors if name in candidates), None)
        if not candidates:
            return None
        match route.strategy:
            case Strategy.FIRST:
                return candidates[0]
            case Strategy.LAST:
                return candidates[-1]
            case Strategy.RANDOM:
                return self._by_chance(candidates, weights)
            case Strategy.HASH:
                return max(candidates, key=lambda name: score(key, name))
            case Strategy.LEAST_USED:
                return min(candidates, key=lambda name: self._used[name] / weights.get(name, 1.0))
            case Strategy.LEAST_RECENT:
                return min(candidates, key=lambda name: self._last.get(name, 0))
        return weighted_turn(candidates, self._credit, weights) if weights else self._in_turn(candidates)

    def _by_chance(self, candidates: Sequence[str], weights: Mapping[str, float]) -> str:
        left = self._draw() * sum(weights.get(name, 1.0) for name in candidates)
        for name in candidates:
            left -= weights.get(name, 1.0)
            if left < 0:
                return name
        return candidates[-1]

    def _in_turn(self, candidates: Sequence[str]) -> str:
        """Each in turn, from a random start, so that several servers do not begin with the same one."""
        if self._next < 0:
            self._next = int(self._draw() * len(candidates))
        self._next = (self._next + 1) % len(candidates)
        return candidates[self._next]


def most_free(left: dict[str, int]) -> str:
    """The executor with the most free slots, of which the run takes one; more than there are, once all are taken."""
    chosen = max(sorted(left), key=left.__getitem__)
    left[chosen] -= 1
    return chosen


def score(key: str, executor: str) -> bytes:
    """The highest wins: an executor that goes moves only its own keys."""
    return hashlib.sha256(f"{key}\0{executor}".encode()).digest()
