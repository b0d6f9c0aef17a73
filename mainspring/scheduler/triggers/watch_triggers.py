"""Reports skipped instants, and triggers that paused themselves or are overdue."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.feed import ChangeKind
from mainspring.domain.triggers.fire_times.misfires import LATE, SkipReason, Span
from mainspring.domain.triggers.trigger import Trigger, TriggerMove
from mainspring.scheduler.facts import Facts, TriggersMoved
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.watch_triggers")

PERIOD = 10.0
OVERDUE_MAX = 100
TOLD_MAX = 100
"""Skipped spans of one batch that are told one by one; of more, it is told for each job how many there are."""

Publish = Callable[[ChangeKind, str, str, dict[str, object]], None]


class WatchTriggers:
    """Every server looks for triggers that no server has moved: the one that should have may be away."""

    name = "watch_triggers"
    period = PERIOD

    def __init__(self, store: Store, clock: Clock, publish: Publish, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._publish = publish
        self._known: set[tuple[int, datetime | None]] = set()
        facts.subscribe(TriggersMoved, lambda fact: self.moved(fact.moves))

    async def tick(self) -> bool:
        overdue = await self._store.triggers.overdue(before=self._clock.now() - LATE, limit=OVERDUE_MAX)
        for trigger in overdue:
            if (trigger.id, trigger.next_due) not in self._known:
                self._tell_overdue(trigger)
        self._known = {(trigger.id, trigger.next_due) for trigger in overdue}
        return False

    def moved(self, moves: Sequence[TriggerMove]) -> None:
        """These moves were committed."""
        # Days that a calendar leaves out are nothing that anybody expected.
        skipped = [
            (move.trigger, span) for move in moves for span in move.skips if span.reason is not SkipReason.CALENDAR
        ]
        for trigger, span in skipped[:TOLD_MAX]:
            content: dict[str, object] = {"first": span.first, "last": span.last, "reason": span.reason.value}
            self._say(ChangeKind.FIRE_SKIPPED, trigger, content)
        self._sum_up(skipped[TOLD_MAX:])
        for move in moves:
            if move.gave_up is not None:
                self._say(ChangeKind.TRIGGER_PAUSED, move.trigger, {"reason": move.gave_up.reason})

    def _sum_up(self, skipped: Sequence[tuple[Trigger, Span]]) -> None:
        """Tell of many spans together."""
        by_job: dict[tuple[str, str], list[Span]] = {}
        for trigger, span in skipped:
            by_job.setdefault((trigger.namespace, trigger.spec.job), []).append(span)
        for (namespace, job), spans in by_job.items():
            first, last = min(span.first for span in spans), max(span.last for span in spans)
            content: dict[str, object] = {"first": first, "last": last, "count": len(spans)}
            self._publish(ChangeKind.FIRE_SKIPPED, namespace, job, content)

    def _tell_overdue(self, trigger: Trigger) -> None:
        log.warning("trigger %s of %s is overdue since %s", trigger.name, trigger.namespace, trigger.next_due)
        self._say(ChangeKind.TRIGGER_OVERDUE, trigger, {"next_due": trigger.next_due})

    def _say(self, kind: ChangeKind, trigger: Trigger, content: dict[str, object]) -> None:
        self._publish(kind, trigger.namespace, trigger.spec.job, {"trigger": trigger.name, **content})
