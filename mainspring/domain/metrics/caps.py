"""Bounds on the values of a label: each value is a series that operators have to store."""

from collections.abc import Callable
from typing import NamedTuple

from mainspring.domain.metrics.family import Labels

OTHER = "_other"
"""Stands for all values beyond a cap."""
NAMESPACES_MAX, QUEUES_MAX, EXECUTORS_MAX = 100, 500, 500
KEPT = 3600.0
"""Seconds for which the series of a subject stay after its last sign of life."""


class Cap:
    """Takes in subjects, such as a namespace, or a namespace and a queue, until there are too many of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seen: dict[Labels, float] = {}
        self._folded: dict[Labels, float] = {}

    def takes(self, subject: Labels, now: float) -> bool:
        """Whether the subject has series of its own."""
        if subject in self._seen or len(self._seen) < self._most:
            self._seen[subject] = now
            return True
        if subject in self._folded or len(self._folded) < self._most:
            # Bounded as well: beyond as many again, the count of folded ones says only that there are more.
            self._folded[subject] = now
        return False

    @property
    def folded(self) -> int:
        """How many subjects share the series of `_other`."""
        return len(self._folded)

    def expire(self, now: float) -> set[Labels]:
        """Forget the subjects without a sign of life for an hour; return those that had series."""
        gone = {subject for subject, seen in self._seen.items() if now - seen > KEPT}
        for subject in gone:
            del self._seen[subject]
        self._folded = {subject: seen for subject, seen in self._folded.items() if now - seen <= KEPT}
        return gone


class Gone(NamedTuple):
    """By what their first labels are about, whether a series has lost its subject."""

    namespace: Callable[[Labels], bool]
    queue: Callable[[Labels], bool]
    job: Callable[[Labels], bool]


class Caps:
    """The caps of all labels that users fill."""

    def __init__(self, *, jobs: int) -> None:
        self.namespaces, self.queues, self.jobs = Cap(NAMESPACES_MAX), Cap(QUEUES_MAX), Cap(jobs)
        self.executors = Cap(EXECUTORS_MAX)

    def namespace(self, namespace: str, now: float) -> str:
        return namespace if self.namespaces.takes((namespace,), now) else OTHER

    def queue(self, namespace: str, queue: str, now: float) -> Labels:
        return self._within(self.queues, namespace, queue, now)

    def job(self, namespace: str, job: str, now: float) -> Labels:
        return self._within(self.jobs, namespace, job, now)

    def executor(self, namespace: str, executor: str, now: float) -> Labels:
        return self._within(self.executors, namespace, executor, now)

    def _within(self, cap: Cap, namespace: str, name: str, now: float) -> Labels:
        place = self.namespace(namespace, now)
        if place == OTHER:
            return OTHER, OTHER
        return (place, name) if cap.takes((namespace, name), now) else (place, OTHER)

    def folded(self) -> list[tuple[Labels, float]]:
        caps = {"namespace": self.namespaces, "queue": self.queues, "job": self.jobs, "executor": self.executors}
        return [((label,), float(cap.folded)) for label, cap in caps.items()]

    def expire(self, now: float) -> "Gone":
        """Tell which labels have lost their subject."""
        self.executors.expire(now)
        namespaces, queues, jobs = (cap.expire(now) for cap in (self.namespaces, self.queues, self.jobs))

        def gone(subjects: set[Labels]) -> Callable[[Labels], bool]:
            return lambda labels: labels[:2] in subjects or labels[:1] in namespaces

        return Gone(gone(set()), gone(queues), gone(jobs))
