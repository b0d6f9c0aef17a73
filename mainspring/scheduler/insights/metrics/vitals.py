"""How this server has fared in the last minute, as it tells the others and operators."""

from collections import deque
from collections.abc import Callable
from operator import sub

from mainspring.clock import Clock
from mainspring.domain.cluster.server import Vitals
from mainspring.domain.metrics.numbers import Histogram, quantile
from mainspring.scheduler.insights.metrics.timed_store import WRITES

LATELY = 60.0


class ReadVitals:
    """Reads what is counted anyway, once for each renewal of this server's lease."""

    def __init__(self, clock: Clock, calls: Histogram, loop_delay: Callable[[], float | None]) -> None:
        self._clock, self._calls, self._loop_delay = clock, calls, loop_delay
        self._looks: deque[tuple[float, list[int]]] = deque()
        """Counts of writes so far, each with its instant."""
        self._before = calls.together([])
        """The last counts that are older than that."""

    def read(self) -> Vitals:
        now, counts = self._clock.monotonic(), self._calls.together([(act,) for act in WRITES])
        while self._looks and now - self._looks[0][0] > LATELY:
            _, self._before = self._looks.popleft()
        self._looks.append((now, counts))
        lately = list(map(sub, counts, self._before))
        return Vitals(quantile(self._calls.metric.edges, lately, 0.99), self._loop_delay())
