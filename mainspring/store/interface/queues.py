"""Rules of queues, the depths of their lines, and roll-ups of finished runs."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.policy import RevisePolicy
from mainspring.domain.queues.queue import QueueRule, Survey
from mainspring.domain.queues.rollup import Resolution, Rolled, Rollup


class QueueStore(Protocol):
    """Rules of queues and namespaces, the depths of lines as they were last counted, and roll-ups.

    Roll-ups count finished runs by minute and by hour, each run exactly once.
    """

    async def rules(self) -> list[QueueRule]:
        """All that say something."""

    async def pause(self, namespace: str, queue: str, pause: Pause, *, entry: AuditEntry) -> QueueRule:
        """Pause the queue; one that was paused before stays so since then, with the new reason. Audited."""

    async def resume(self, namespace: str, queue: str, *, entry: AuditEntry) -> bool:
        """End a pause; False, and nothing audited, if there was none."""

    async def end_pause(self, namespace: str, queue: str, *, now: datetime, entry: AuditEntry) -> bool:
        """End a pause whose own end has come; False, and nothing audited, if it has none or goes on."""

    async def set_budget(self, namespace: str, queue: str, max_queued: int | None, *, entry: AuditEntry) -> QueueRule:
        """Set or (None) remove the budget of a queue, or of a namespace as a whole. Audited."""

    async def set_policy(self, namespace: str, queue: str, revise: RevisePolicy, *, entry: AuditEntry) -> QueueRule:
        """Change the policy of a queue, or of a namespace as a whole, by a rule that is given the present one. Audited."""

    async def survey(self, *, now: datetime, since: datetime) -> Survey | None:
        """Count the live runs of every line and keep that, unless a server began to after `since`: then None.

        Two that count at the same time do no harm: the newer numbers stay.
        """

    async def depths(self) -> Survey:
        """The last count."""

    async def roll_up(self, *, until: datetime, span: timedelta) -> Rolled | None:
        """Count the runs that finished before `until` and are not counted yet, at most `span` of them by time.

        Returns the instant up to which everything is counted now, and the counts; None if another server is at it. What is
        committed later than that with an earlier instant is never counted, so `until` lies as far back as commits may take.
        """

    async def rolled_until(self) -> datetime | None:
        """Up to when everything is counted; None before the first time."""

    async def rollups(
        self, step: Resolution, *, lines: Sequence[int], since: datetime, until: datetime, job: int | None = None
    ) -> list[Rollup]:
        """The roll-ups of these lines from `since` on and before `until`, oldest first."""

    async def prune_rollups(self, step: Resolution, *, before: datetime) -> int:
        """Delete those that are older; say how many."""
