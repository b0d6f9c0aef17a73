"""Metrics of single executors, for those who want a series for each: off by default, as their names come and go."""

from collections.abc import Mapping
from datetime import datetime

from mainspring.domain.ids import SessionId
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.family import Labels, Metric, Series
from mainspring.domain.metrics.numbers import Totals
from mainspring.scheduler.sessions.connection import ExecutorConnection

GAUGES: tuple[tuple[Metric, str], ...] = (
    (declared.EXECUTOR_CPU, "cpu"),
    (declared.EXECUTOR_MEMORY, "memory"),
    (declared.EXECUTOR_STRAYS, "strays"),
)


class ExecutorLoads:
    """Reads the last beats of the executors that are connected to this server."""

    def __init__(self, attached: Mapping[SessionId, ExecutorConnection]) -> None:
        self._attached = attached
        self._blocked = Totals(declared.EXECUTOR_BLOCKED)
        self._told: dict[Labels, datetime] = {}
        """By executor, the newest of its handlers' blocks that was counted."""

    def series(self) -> list[Series]:
        present = {
            (one.session.namespace, one.name): one.load for one in self._attached.values() if one.load is not None
        }
        for labels, load in present.items():
            newest = self._told.get(labels)
            fresh = [block.at for block in load.blocked if newest is None or block.at > newest]
            self._blocked.add(labels, len(fresh))
            if fresh:
                self._told[labels] = max(fresh)
        self._blocked.drop(lambda labels: labels not in present)
        self._told = {labels: at for labels, at in self._told.items() if labels in present}
        gauges = [
            Series(metric, [(labels, getattr(load, field)) for labels, load in present.items()])
            for metric, field in GAUGES
        ]
        return [*gauges, self._blocked.series()]
