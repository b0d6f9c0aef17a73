"""Groups of lines that share slots take turns: one claim each, or by the weights of namespaces, queues and jobs.

What a namespace, a queue or a job has been given is charged when it is claimed, divided by its weight; the one that was charged
least is asked first. Weights are read whenever groups are made, so a change counts for what already waits. Nothing is earned by
idling: who comes back begins where those are that were waiting all the time.
"""

from collections.abc import Iterable, Mapping

from mainspring.domain.jobs.job import Job
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.queue import NAMESPACE_WHOLE, Place, QueueRule
from mainspring.scheduler.dispatch.claim_groups import LATE_TURNS, LineGroup, Share

Key = tuple[str, ...]


class Weights:
    """The weights in force."""

    def __init__(self, rules: Mapping[Place, QueueRule], jobs: Iterable[Job]) -> None:
        self._of = {place: rule.policy.weight for place, rule in rules.items() if rule.policy.weight is not None}
        self._jobs = {
            (job.namespace, job.name): job.spec.policy.weight for job in jobs if job.spec.policy.weight is not None
        }
        self._queues = {(job.namespace, job.spec.queue) for job in jobs if job.spec.policy.weight is not None}
        self._split = {namespace for namespace, queue in self._of if queue != NAMESPACE_WHOLE}

    def shares(self, line: Line) -> tuple[Share, ...]:
        """The shares that a line draws from, of its namespace, its queue and its job; empty: none of them has a weight."""
        if not self._of and not self._jobs:
            return ()
        place = line.namespace, line.queue
        whole = Share((line.namespace,), self._of.get((line.namespace, NAMESPACE_WHOLE), 1.0))
        queue = Share((line.namespace, line.queue if line.namespace in self._split else ""), self._of.get(place, 1.0))
        of_job = place in self._queues
        own = (line.job or line.handler) if of_job else ""
        job = Share(
            (*place, own) if of_job else (line.namespace, "", ""), self._jobs.get((line.namespace, line.job), 1.0)
        )
        return whole, queue, job


class TakeTurns:
    """Keeps what each share has been given, on this server."""

    def __init__(self) -> None:
        self._used: dict[Key, float] = {}

    def served(self, groups: list[LineGroup], group: LineGroup) -> None:
        """Put groups into the order in which they are asked the next time, after this one has claimed."""
        if not group.shares:
            self._used.clear()
            if group.gives_way():
                # The first of several groups takes the slots that they share: it is the last the next time.
                groups.sort(key=lambda each: each is group)
            return
        waiting = [one for one in groups if one.backlog or one.dirty or one is group]
        for level, share in enumerate(group.shares):
            least = min(self._used.get(one.shares[level].key, 0.0) for one in waiting)
            for one in groups:
                key = one.shares[level].key
                if one not in waiting or key not in self._used:
                    self._used[key] = max(self._used.get(key, 0.0), least)
            self._used[share.key] += group.took / (share.weight * (LATE_TURNS if group.late else 1))
        groups.sort(key=lambda each: ([self._used[share.key] for share in each.shares], each is group))
