"""Metrics of single executors, for those who want a series for each: off by default, as their names come and go."""

from collections.abc import Mapping
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.ids import SessionId
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.caps import Caps
from mainspring.domain.metrics.family import Labels, Metric, Series
from mainspring.domain.metrics.numbers import Totals
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.wire.messages import Load

GAUGES: tuple[tuple[Metric, str], ...] = (
    (declared.EXECUTOR_CPU, "cpu"),
    (declared.EXECUTOR_MEMORY, "memory"),
    (declared.EXECUTOR_STRAYS, "strays"),
)


class ExecutorLoads:
    """Reads the last beats of the executors that are connected to this server; those of one label are added up."""

    def __init__(self, clock: Clock, attached: Mapping[SessionId, ExecutorConnection], caps: Caps) -> None:
        self._clock, self._attached, self._caps = clock, attached, caps
        self._blocked = Totals(declared.EXECUTOR_BLOCKED)
        self._told: dict[SessionId, datetime] = {}
        """By session, the newest of its handlers' blocks that was counted."""

    def series(self) -> list[Series]:
        now = self._clock.monotonic()
        gauges = [(Totals(metric), field) for metric, field in GAUGES]
        labelled: dict[SessionId, Labels] = {}
        for one in self._attached.values():
            if one.load is None:
                continue
            labels = labelled[one.id] = self._caps.executor(one.session.namespace, one.name, now)
            for total, field in gauges:
                total.add(labels, getattr(one.load, field))
            self._count_blocks(one.id, labels, one.load)
        shown = set(labelled.values())
        self._blocked.drop(lambda labels: labels not in shown)
        self._told = {session: at for session, at in self._told.items() if session in labelled}
        return [*(total.series() for total, _ in gauges), self._blocked.series()]

    def _count_blocks(self, session: SessionId, labels: Labels, load: Load) -> None:
        newest = self._told.get(session)
        fresh = [block.at for block in load.blocked if newest is None or block.at > newest]
        self._blocked.add(labels, len(fresh))
        if fresh:
            self._told[session] = max(fresh)
