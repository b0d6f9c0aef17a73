"""Runs for triggers that are called: accepted like any others, under the name of their trigger."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.runs.birth import Accepted
from mainspring.domain.runs.run import NewRun
from mainspring.domain.triggers.trigger import Trigger, request_of
from mainspring.errors import ConflictError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.intake.build_runs import Validate
from mainspring.store.interface import Store

Take = Callable[[str, list[NewRun]], Awaitable[list[Accepted]]]
"""Makes runs of a namespace durable, all or none."""


class CallTriggers:
    """Makes the runs, and counts them for their triggers, many at a time."""

    name = "call_triggers"
    period = 1.0

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, validate: Validate, take: Take) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._validate = validate
        self._take = take
        self._fired: Counter[int] = Counter()

    async def tick(self) -> bool:
        """Write the counts; a crash loses only numbers."""
        fired = Counter(self._fired)
        if fired:
            await self._store.triggers.count(fired, now=self._clock.now())
            self._fired -= fired
        return False

    async def make(
        self,
        trigger: Trigger,
        arguments: bytes,
        *,
        key: str | None = None,
        digest: bytes = b"",
        traceparent: str = "",
    ) -> NewRun:
        """The run of one call, not accepted yet. A key that was used before with the same digest stands for that run.

        Raises ConflictError if the trigger takes no calls now, InvalidInputError if its job does not take the arguments.
        """
        now, spec = self._clock.now(), trigger.spec
        check_open(trigger, now)
        if (trigger.namespace, spec.job) not in self._catalog.jobs:
            # It may have been registered through another server a moment ago.
            await self._catalog.refresh()
        try:
            request = request_of(spec, arguments, key=key, digest=digest, traceparent=traceparent)
            [run] = await self._validate.runs(trigger.namespace, [request], now)
        except NotFoundError as error:
            raise ConflictError("trigger", spec.name, f"cannot start its job: {error}", code="job_gone") from None
        return run

    async def commit(self, namespace: str, made: Sequence[tuple[Trigger, NewRun]]) -> list[Accepted]:
        """Accept all of them or none."""
        accepted = await self._take(namespace, [run for _, run in made])
        new = (trigger.id for (trigger, _), answer in zip(made, accepted, strict=True) if not answer.existing)
        self._fired.update(new)
        return accepted


def check_open(trigger: Trigger, now: datetime) -> None:
    """Raises ConflictError unless the trigger takes calls at present: who calls must know that nothing came of it."""
    if trigger.paused is not None:
        reason = f"is paused by {trigger.paused.by}" + (f": {trigger.paused.reason}" if trigger.paused.reason else "")
        raise ConflictError("trigger", trigger.name, reason, code="trigger_paused")
    start, end = trigger.spec.start_at, trigger.spec.end_at
    if start is not None and now < start:
        raise ConflictError("trigger", trigger.name, f"takes no calls before {start}", code="trigger_not_begun")
    if end is not None and now >= end:
        raise ConflictError("trigger", trigger.name, f"takes no calls since {end}", code="trigger_ended")
