"""Requests become durable runs: those that arrive together share one commit."""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from mainspring.clock import Clock
from mainspring.domain.ids import Ids, RunId
from mainspring.domain.runs.birth import Accepted
from mainspring.domain.runs.run import KeyHolder, NewRun
from mainspring.errors import ConflictError, LeaseLostError, MainspringError, OutcomeUnknownError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.dispatch.start_runs import DirectStart
from mainspring.scheduler.facts import Facts, RunsAccepted, publish_new_runs
from mainspring.store.interface import Store


class Pending(msgspec.Struct):
    """Runs of one request, and who waits for them to be durable."""

    namespace: str
    runs: list[NewRun]
    done: "asyncio.Future[list[Accepted]]"


class AcceptRuns:
    """Commits the requests that arrived while the last commit was under way."""

    name = "accept_runs"
    period = 60.0

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        catalog: Catalog,
        dispatch: DispatchRuns,
        facts: Facts,
        *,
        batch: int,
    ) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._ids = ids
        self._catalog = catalog
        self._dispatch = dispatch
        self._facts = facts
        self._batch = batch
        self._inbox: deque[Pending] = deque()
        self._committing = False

    @property
    def idle(self) -> bool:
        return not self._inbox and not self._committing

    async def accept(self, namespace: str, runs: list[NewRun]) -> list[Accepted]:
        """Return once the runs are durable."""
        pending = Pending(namespace, runs, asyncio.get_running_loop().create_future())
        if self._committing or self._inbox:
            self._inbox.append(pending)
            if not self._committing:
                self.wake.set()
        else:
            # Nobody is waiting and nothing under way: sooner done here than by waking the duty. It is the only one in
            # this commit, so a caller that is cancelled leaves nobody else in doubt.
            with suppress(MainspringError):
                await self._commit([pending])
        return await pending.done

    async def tick(self) -> bool:
        if self._committing:
            return False
        together = self._take()
        try:
            if together:
                await self._commit(together)
        finally:
            fail(together, OutcomeUnknownError("the server could not store this; whether it did is not known"))
        return bool(self._inbox)

    def _take(self) -> list[Pending]:
        """As many waiting requests of one namespace as fit a batch."""
        together: list[Pending] = []
        size = 0
        while self._inbox and size < self._batch:
            if together and self._inbox[0].namespace != together[0].namespace:
                break
            pending = self._inbox.popleft()
            if not pending.done.done():
                together.append(pending)
                size += len(pending.runs)
        return together

    async def _commit(self, together: list[Pending]) -> None:
        self._committing = True
        try:
            await self._commit_together(together)
        finally:
            self._committing = False
            if self._inbox:
                self.wake.set()

    async def _commit_together(self, together: list[Pending]) -> None:
        try:
            holders = await self._create(together)
        except ConflictError as error:
            if len(together) == 1:
                fail(together, error)
                return
            # One request's key must not refuse its neighbours: commit each by itself.
            for pending in together:
                await self._commit_together([pending])
        except MainspringError as error:
            fail(together, error)
            raise
        else:
            for pending in together:
                answer(pending, holders)

    async def _create(self, together: list[Pending]) -> dict[RunId, KeyHolder]:
        runs = [run for pending in together for run in pending.runs]
        now = self._clock.now()
        direct = DirectStart(self._ids, self._catalog, now)
        for run in runs:
            if run.due_at <= now:
                direct.reserve(self._dispatch.idle_credits(run.line), run)
        loop = asyncio.get_running_loop()
        if direct:
            loop.call_soon(direct.prepare)
        try:
            holders = await self._store.runs.create(together[0].namespace, runs, now=now)
        except LeaseLostError:
            direct.abandon()
            holders = await self._store.runs.create(together[0].namespace, runs, now=now)
        except BaseException:
            direct.abandon()
            raise
        direct.start(holders)
        # The caller gets its answer first.
        loop.call_soon(self._publish, [run for run in runs if run.id not in holders] if holders else runs)
        return holders

    def _publish(self, runs: Sequence[NewRun]) -> None:
        self._facts.publish(RunsAccepted(runs))
        publish_new_runs(self._facts, runs, self._clock.now())


def answer(pending: Pending, holders: dict[RunId, KeyHolder]) -> None:
    if pending.done.done():
        return
    if not holders:
        pending.done.set_result([Accepted(run.id) for run in pending.runs])
        return
    pending.done.set_result(
        [
            Accepted(holders[run.id].run, existing=True) if run.id in holders else Accepted(run.id)
            for run in pending.runs
        ]
    )


def fail(together: Sequence[Pending], error: MainspringError) -> None:
    for pending in together:
        if not pending.done.done():
            pending.done.set_exception(error)
