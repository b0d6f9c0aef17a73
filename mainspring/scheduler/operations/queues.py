"""Operations on queues: state, throughput, pause, resume, budgets."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.cluster.session import Session
from mainspring.domain.limits.releases import FIRST
from mainspring.domain.names import REASON_MAX, check_queue_name
from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.policy import NO_POLICY, QueuePolicy, check_blackout, check_queue_policy
from mainspring.domain.queues.queue import (
    NAMESPACE_WHOLE,
    Place,
    QueueRule,
    QueueState,
    check_budget,
    together,
)
from mainspring.domain.queues.rollup import Resolution, Rollup, RollupWindow, floor
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.insights.survey_queues import SurveyQueues
from mainspring.scheduler.operations.jobs import check_lines
from mainspring.store.interface import Store

MINUTES = 15
"""How much of the past a page of queues shows."""


class QueueOperations:
    """Reads surveys and roll-ups, never the runs themselves; a change counts here at once, elsewhere by a hint."""

    def __init__(
        self, store: Store, clock: Clock, catalog: Catalog, surveying: SurveyQueues, hints: ExchangeHints
    ) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._surveying = surveying
        self._hints = hints
        self.calendars: Callable[[str], Collection[str]] = lambda _: ()
        """The names of a namespace's calendars."""
        self.refuse_older: Callable[[str], None] = lambda _: None
        """Raises ConflictError while a live server is of an older release."""

    async def page(self, namespace: str, *, after: str, limit: int) -> list[QueueState]:
        """Queues in the order of their names, behind one of them."""
        names = sorted(name for name in self._names(namespace) if name > after)[:limit]
        return await self._states(namespace, names)

    async def get(self, namespace: str, queue: str) -> QueueState:
        """Raises NotFoundError."""
        await self._find(namespace, queue)
        [state] = await self._states(namespace, [queue])
        return state

    async def states(self, namespace: str, queues: Sequence[str]) -> list[QueueState]:
        """These queues; those that nothing has used yet are empty."""
        return await self._states(namespace, list(queues))

    async def rates(
        self, namespace: str, queue: str | None, step: Resolution, *, steps: int, job: str | None = None
    ) -> RollupWindow | None:
        """The runs that passed through the queue, or through all, step by step; None: nothing is rolled up yet."""
        if queue is not None:
            await self._find(namespace, queue)
        number = None
        if job is not None:
            if (found := self._catalog.jobs.get((namespace, job))) is None:
                raise NotFoundError("job", job, "it is not known in this namespace")
            number = found.id
        return await self._window(self._lines_of(namespace, queue), step, steps=steps, job=number)

    async def figures(
        self, namespace: str, step: Resolution, *, steps: int
    ) -> tuple[RollupWindow | None, dict[str, list[Rollup]]]:
        """The roll-ups of each job over the last steps."""
        window = await self._window(self._lines_of(namespace, None), step, steps=steps)
        rollups = window.rollups if window is not None else []
        await self._catalog.ensure_jobs({rollup.job for rollup in rollups})
        jobs: dict[str, list[Rollup]] = defaultdict(list)
        for rollup in rollups:
            if (job := self._catalog.jobs_by_id.get(rollup.job)) is not None:
                jobs[job.name].append(rollup)
        return window, jobs

    async def pause(
        self,
        namespace: str,
        queue: str,
        *,
        reason: str,
        actor: Actor,
        new: bool = False,
        lasts: float | None = None,
    ) -> QueueState:
        """From now on start nothing of the queue; `new`: also if the name is not in use yet; `lasts`: for so many seconds."""
        await self._find(namespace, queue, new=new)
        pause = pause_for(reason, actor, self._clock.now(), lasts)
        entry = self._entry(namespace, "queue.pause", queue, actor, {"reason": reason})
        self._learn(await self._store.queues.pause(namespace, queue, pause, entry=entry))
        return await self.get(namespace, queue)

    async def resume(self, namespace: str, queue: str, *, actor: Actor) -> QueueState:
        await self._find(namespace, queue)
        entry = self._entry(namespace, "queue.resume", queue, actor, {})
        if await self._store.queues.resume(namespace, queue, entry=entry):
            self._learn(msgspec.structs.replace(self._rule(namespace, queue), pause=None))
        # It may be known only by its rule, which may be gone now.
        [state] = await self._states(namespace, [queue])
        return state

    async def set_budget(
        self, namespace: str, queue: str, max_queued: int | None, *, actor: Actor, new: bool = False
    ) -> QueueState:
        """How many runs may wait in the queue; None: any number."""
        await self._find(namespace, queue, new=new)
        await self._set_budget(namespace, queue, max_queued, actor=actor)
        [state] = await self._states(namespace, [queue])
        return state

    async def change(
        self, namespace: str, queue: str, fields: Mapping[str, Any], *, actor: Actor, new: bool = False
    ) -> QueueState:
        """Change these fields of the queue's policy; raises InvalidInputError."""
        await self._find(namespace, queue, new=new)

        entry = self._entry(namespace, "queue.change", queue, actor, fields)
        await self._change((namespace, queue), fields, entry)
        [state] = await self._states(namespace, [queue])
        return state

    async def change_namespace(self, namespace: str, fields: Mapping[str, Any], *, actor: Actor) -> QueueRule:
        """The same for the rule of a whole namespace."""
        entry = self._entry(namespace, "namespace.change", namespace, actor, fields)
        entry = msgspec.structs.replace(entry, kind="namespace")
        return await self._change((namespace, NAMESPACE_WHOLE), fields, entry)

    async def _change(self, place: Place, fields: Mapping[str, Any], entry: AuditEntry) -> QueueRule:
        namespace, queue = place

        def revise(policy: QueuePolicy) -> QueuePolicy:
            return check_queue_policy(msgspec.structs.replace(policy, **fields))

        self.refuse_older(FIRST)
        check_blackout(revise(NO_POLICY).blackout, self.calendars(namespace))
        rule = await self._store.queues.set_policy(namespace, queue, revise, entry=entry)
        self._learn(rule)
        return rule

    async def set_namespace_budget(self, namespace: str, max_queued: int | None, *, actor: Actor) -> QueueRule:
        """How many runs may wait in all queues of the namespace together; None: any number."""
        return await self._set_budget(namespace, NAMESPACE_WHOLE, max_queued, actor=actor)

    def namespace_rule(self, namespace: str) -> QueueRule:
        return self._rule(namespace, NAMESPACE_WHOLE)

    async def _set_budget(self, namespace: str, queue: str, max_queued: int | None, *, actor: Actor) -> QueueRule:
        details = {"max_queued": check_budget(max_queued), "before": self._rule(namespace, queue).max_queued}
        entry = self._entry(namespace, "queue.budget", queue, actor, details)
        if queue == NAMESPACE_WHOLE:
            entry = msgspec.structs.replace(entry, act="namespace.budget", kind="namespace", key=namespace)
        rule = await self._store.queues.set_budget(namespace, queue, max_queued, entry=entry)
        self._learn(rule)
        return rule

    def _learn(self, rule: QueueRule) -> None:
        self._catalog.put_rule(rule)
        self._hints.add_all()

    def _entry(self, namespace: str, act: str, queue: str, actor: Actor, details: Mapping[str, object]) -> AuditEntry:
        return audit_entry(act, "queue", queue, details, namespace=namespace, actor=actor, at=self._clock.now())

    async def _find(self, namespace: str, queue: str, *, new: bool = False) -> None:
        """Raises NotFoundError."""
        # A mistyped pause that stops nothing would be worse than none.
        if queue in self._names(namespace):
            return
        if new:
            check_queue_name(queue)
            return
        await self._catalog.refresh()
        if queue not in (names := self._names(namespace)):
            raise NotFoundError("queue", queue, f"no run, job or executor has used it yet{did_you_mean(queue, names)}")

    def _names(self, namespace: str) -> set[str]:
        """Every queue that a line, a job, an executor or a rule names."""
        names = {line.queue for line in self._catalog.lines.values() if line.namespace == namespace}
        names |= {job.spec.queue for job in self._catalog.jobs.values() if job.namespace == namespace}
        for session in self._sessions(namespace):
            names.update(session.abilities.queues)
        names |= {queue for place, queue in self._catalog.rules if place == namespace}
        return names - {NAMESPACE_WHOLE}

    async def _states(self, namespace: str, names: list[str]) -> list[QueueState]:
        lines = self._lines(namespace)
        windows = await self._windows({line: name for name in names for line in lines[name]})
        executors, slots = self._serving(namespace)
        survey = self._surveying.last
        return [
            QueueState(
                namespace=namespace,
                name=name,
                depth=together(survey.depths[line] for line in lines[name] if line in survey.depths),
                taken_at=survey.taken_at,
                executors=executors[name],
                slots=slots[name],
                rule=self._rule(namespace, name),
                grown=sum(map(self._surveying.growth, lines[name])),
                recent=windows(name),
            )
            for name in names
        ]

    async def _windows(self, queues: dict[int, str]) -> Callable[[str], RollupWindow | None]:
        """The last minutes of each of these queues, given by their lines."""
        whole = await self._window(queues, Resolution.MINUTE, steps=MINUTES)
        parts: dict[str, list[Rollup]] = defaultdict(list)
        for rollup in whole.rollups if whole is not None else ():
            parts[queues[rollup.line]].append(rollup)
        return lambda name: None if whole is None else msgspec.structs.replace(whole, rollups=parts[name])

    def _serving(self, namespace: str) -> tuple[Counter[str], Counter[str]]:
        """How many executors listen to each queue, and how many slots they have."""
        executors: Counter[str] = Counter()
        slots: Counter[str] = Counter()
        for session in self._sessions(namespace):
            own = slots_of(session)
            for queue in session.abilities.queues:
                executors[queue] += 1
                slots[queue] += own
        return executors, slots

    async def _window(
        self, lines: Iterable[int], step: Resolution, *, steps: int, job: int | None = None
    ) -> RollupWindow | None:
        until = await self._store.queues.rolled_until()
        if until is None:
            return None
        since = first_of(until, step, steps)
        rollups = await self._store.queues.rollups(step, lines=list(lines), since=since, until=until, job=job)
        return RollupWindow(step=step, since=since, until=until, rollups=rollups)

    def _lines(self, namespace: str) -> dict[str, list[int]]:
        lines: dict[str, list[int]] = defaultdict(list)
        for number, line in self._catalog.lines.items():
            if line.namespace == namespace:
                lines[line.queue].append(number)
        return lines

    def _lines_of(self, namespace: str, queue: str | None) -> list[int]:
        """The lines of a queue, or of all queues."""
        lines = self._lines(namespace)
        return lines[queue] if queue is not None else [number for numbers in lines.values() for number in numbers]

    def _sessions(self, namespace: str) -> list[Session]:
        return [one for one in self._catalog.sessions if one.namespace == namespace]

    def _rule(self, namespace: str, queue: str) -> QueueRule:
        return self._catalog.rules.get((namespace, queue)) or QueueRule(namespace=namespace, queue=queue)


def pause_for(reason: str, actor: Actor, now: datetime, lasts: float | None) -> Pause:
    """A pause that begins now; without a length it ends by an operator's word."""
    until = None if lasts is None else now + timedelta(seconds=lasts)
    return Pause(reason=check_reason(reason), by=actor.name, since=now, until=until)


def check_reason(reason: str) -> str:
    if len(reason) > REASON_MAX:
        raise InvalidInputError("reason", f"needs at most {REASON_MAX} characters", code="bad_reason")
    return check_lines("reason", reason)


def slots_of(session: Session) -> int:
    """How many attempts an executor can run at once; one that listens to several queues has them for all of these."""
    used = set(session.abilities.handlers.values())
    return sum(size.max for size in session.abilities.pools if size.pool in used)


def first_of(until: datetime, step: Resolution, steps: int) -> datetime:
    """When the first of so many steps began, the last of which is under way at `until`."""
    return floor(until, step) - timedelta(seconds=(steps - 1) * step)
