"""The test kit: inspect enqueued runs, run them, move the clock."""

import asyncio
import inspect
import logging
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar, overload

import msgspec

from mainspring.app import App
from mainspring.app.class_handles import Async, AsyncWithContext, Plain, PlainWithContext
from mainspring.app.clients import new_call
from mainspring.app.job_handle import JobHandle, checked
from mainspring.contract.base.fields import PAGE_MAX
from mainspring.contract.runs import RunInfo
from mainspring.domain.ids import Ids
from mainspring.domain.runs.run import RunState
from mainspring.errors import MainspringError
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.signals import SetAside
from mainspring.executor.handlers.handler import Handler
from mainspring.settings import ExecutorSettings
from mainspring.testing.arguments import Enqueuable, HasId, approval_of, name_of, seconds
from mainspring.testing.clock import START, FakeClock
from mainspring.testing.cluster import NAMESPACE, POOLS, InProcessCluster, resumption
from mainspring.testing.expectations import Expectation, describe
from mainspring.testing.inside import InsideAsyncClient, InsideClient
from mainspring.testing.portal import Portal
from mainspring.testing.silence import NoTelemetry

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")


class Kit(AbstractContextManager["Kit"]):
    """While open, runs that the app enqueues, and its declared triggers, stay in this process until the test runs them.

    Methods are async; those that end in `_sync` are for plain tests. Its one executor has the given name, labels, resources and
    version of the code, for jobs that ask for some of them.
    """

    def __init__(
        self,
        app: App,
        *,
        start: datetime = START,
        executor: str = "testing",
        labels: Mapping[str, str] | None = None,
        resources: Mapping[str, str] | None = None,
        code_version: str = "",
    ) -> None:
        self.app = app
        self.clock = FakeClock(start)
        self._portal = Portal()
        settings = ExecutorSettings(
            name=executor,
            labels=dict(labels or {}),
            resources=dict(resources or {}),
            code_version=code_version,
            pools=POOLS,
        )
        self._cluster = InProcessCluster(app, self.clock, self._portal, settings)
        self._before = (app.client, app.sync_client)
        self._has_blocked = False
        self._approvers: dict[str, InsideClient] = {}

    def __enter__(self) -> Self:
        self._portal.open()
        try:
            self._inside = self._portal.call(self._cluster.open())
            self.client, self.sync_client = InsideAsyncClient(self._inside), InsideClient(self._inside)
            self._apply()
        except BaseException:
            self._end()
            raise
        self.app.client, self.app.sync_client = self.client, self.sync_client
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.app.client, self.app.sync_client = self._before
        self._end()

    def _apply(self) -> None:
        """Apply the triggers and calendars of the code, as `mainspring up` does, and remember whether some are blocked."""
        own = self.app.handlers
        try:
            done = self.sync_client.plans.apply(self.app.name, own.triggers.values(), calendars=own.calendars.values())
        except MainspringError as error:
            log.warning("could not apply the triggers of the code: %s", error)
            return
        for each in done.of("blocked") if not self._has_blocked else []:
            log.warning("%s is not applied yet: %s", each.name, each.reason)
        self._has_blocked = bool(done.of("blocked"))

    def _apply_blocked(self) -> None:
        """Apply again if triggers were blocked: the test may have created their calendar."""
        if self._has_blocked:
            self._apply()

    def _end(self) -> None:
        self._portal.call(self._cluster.close())
        self._portal.close()

    # What was enqueued

    def enqueued(self, job: Enqueuable | None = None, /) -> list[RunInfo]:
        """All runs so far, in any state, oldest first."""
        name = None if job is None else name_of(job)
        return list(self.sync_client.iterate(job=name, oldest_first=True, bodies=True))

    def assert_enqueued(self, job: Enqueuable, /, *, count: int | None = None, **expected: Any) -> list[RunInfo]:
        """Assert that a run of the job has these arguments and options (`having`, such as `queue`); with `count`, that many."""
        found = Expectation.read(expected).among(self.enqueued(job))
        if (count is None and not found) or (count is not None and len(found) != count):
            wanted = "a run" if count is None else f"{count} runs"
            raise AssertionError(f"expected {wanted} of {name_of(job)} {expected or ''}; {describe(self.enqueued())}")
        return found

    def assert_not_enqueued(self, job: Enqueuable, /, **expected: Any) -> None:
        found = Expectation.read(expected).among(self.enqueued(job))
        if found:
            raise AssertionError(f"expected no run of {name_of(job)} {expected or ''}; {describe(found)}")

    # Running

    @overload
    async def run(self, job: JobHandle[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    async def run(self, job: type[AsyncWithContext[P, R]], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    async def run(self, job: type[Async[P, R]], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    async def run(self, job: type[PlainWithContext[P, R]], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    async def run(self, job: type[Plain[P, R]], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    async def run(self, job: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Run one handler by itself, arguments and result by way of JSON; its exception is raised here.

        A workflow is run with all its steps, a sliced or broadcast job with all its children.
        """
        handler = self._handler(name_of(job))
        if not handler.spec.has_steps:
            return await self._portal.acall(self._run(handler, args, kwargs))
        handle = await self.app.send(new_call(handler.name, msgspec.Raw(checked(handler, args, kwargs))))
        await self.drain()
        return await handle.result()

    @overload
    def run_sync(self, job: JobHandle[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def run_sync(self, job: type[AsyncWithContext[P, R]], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def run_sync(self, job: type[Async[P, R]], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def run_sync(self, job: type[PlainWithContext[P, R]], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def run_sync(self, job: type[Plain[P, R]], /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    def run_sync(self, job: Any, /, *args: Any, **kwargs: Any) -> Any:
        handler = self._handler(name_of(job))
        if not handler.spec.has_steps:
            return self._portal.call(self._run(handler, args, kwargs))
        handle = self.app.send_sync(new_call(handler.name, msgspec.Raw(checked(handler, args, kwargs))))
        self.drain_sync()
        return handle.result()

    async def drain(self) -> list[RunInfo]:
        """Run all due runs, also those that they enqueue; return the runs that ended."""
        self._apply_blocked()
        ended = await self._portal.acall(self._drain())
        return [await self.client.get(run) for run in ended]

    def drain_sync(self) -> list[RunInfo]:
        self._apply_blocked()
        return [self.sync_client.get(run) for run in self._portal.call(self._drain())]

    async def advance(self, by: float | timedelta | str) -> list[RunInfo]:
        """Move the clock, and run delays, retries and triggers on the way at their due times."""
        self._apply_blocked()
        ended = await self._portal.acall(self._advance(seconds(by)))
        return [await self.client.get(run) for run in ended]

    def advance_sync(self, by: float | timedelta | str) -> list[RunInfo]:
        self._apply_blocked()
        return [self.sync_client.get(run) for run in self._portal.call(self._advance(seconds(by)))]

    async def publish(self, type: str, data: Any = None) -> list[RunInfo]:  # noqa: A002 the word of events
        """Publish an event, and run what it starts; return the runs that ended."""
        await self.client.publish(type, data)
        return await self.drain()

    def publish_sync(self, type: str, data: Any = None) -> list[RunInfo]:  # noqa: A002
        self.sync_client.publish(type, data)
        return self.drain_sync()

    async def approve(
        self, run: HasId, form: Mapping[str, Any] | None = None, *, approved: bool = True, by: str = ""
    ) -> list[RunInfo]:
        """Answer the approval that a workflow run waits for, and run what follows; return the runs that ended.

        `by` names the approver, an operator; without it the caller who enqueues answers.
        """
        self._answer(run, form, approved=approved, by=by)
        return await self.drain()

    def approve_sync(
        self, run: HasId, form: Mapping[str, Any] | None = None, *, approved: bool = True, by: str = ""
    ) -> list[RunInfo]:
        self._answer(run, form, approved=approved, by=by)
        return self.drain_sync()

    def _answer(self, run: HasId, form: Mapping[str, Any] | None, *, approved: bool, by: str) -> None:
        asked = approval_of(self.sync_client.approvals.list(limit=PAGE_MAX), run)
        approvals = (self._approver(by) if by else self.sync_client).approvals
        _ = approvals.approve(asked, form=form) if approved else approvals.reject(asked)

    def _approver(self, name: str) -> InsideClient:
        """The client of an operator of that name, who has a token of their own: rights and names are really checked."""
        if name not in self._approvers:
            token = self.sync_client.tokens.create(name, "operator", namespace=NAMESPACE).text
            self._approvers[name] = InsideClient(self._inside.with_token(token))
        return self._approvers[name]

    async def _run(self, handler: Handler, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raw = checked(handler, args, kwargs)
        ids = Ids()
        (run,) = ids.runs(1, self.clock.now())
        attempt = Attempt(run, ids.token(), 1, raw, handler, self.clock.monotonic())
        values = handler.bind(attempt, NoTelemetry())
        try:
            value = await handler.call(*values) if handler.is_async else await asyncio.to_thread(handler.call, *values)
            if inspect.isawaitable(value):
                value = await value
        except SetAside:
            raise RuntimeError(f"{handler.name} waits: enqueue it, drain, and ask the run for its result") from None
        attempt.succeed(value)
        if attempt.failure is not None:
            raise ValueError(f"{attempt.failure.error}: {attempt.failure.message}")
        return handler.read_result(msgspec.json.decode(attempt.result))

    def _handler(self, name: str) -> Handler:
        handler = self._cluster.lifetime.handlers.get(name)
        if handler is None:
            raise LookupError(f"{self.app.name!r} has no job {name!r}")
        return handler

    async def _drain(self) -> list[str]:
        with self._cluster.moving():
            before = set(await self._finals())
            async with self._cluster.executing():
                await self._cluster.settle()
        return [run for run in await self._finals() if run not in before]

    async def _advance(self, by: float) -> list[str]:
        until = self.clock.now() + timedelta(seconds=by)
        with self._cluster.moving():
            before = set(await self._finals())
            async with self._cluster.executing():
                await self._cluster.settle()
                while (due := await self._next_due(until)) is not None:
                    await self._move(due)
                await self._move(until)
        return [run for run in await self._finals() if run not in before]

    async def _move(self, to: datetime) -> None:
        self.clock.advance((to - self.clock.now()).total_seconds())
        await self._cluster.settle()

    async def _next_due(self, until: datetime) -> datetime | None:
        waiting = [run.due_at for run in await self._cluster.live() if run.state is RunState.QUEUED]
        waiting += [resumption(run) for run in await self._cluster.suspended()]
        act_at = await self._cluster.next_act()
        if act_at is not None and act_at > self.clock.now():
            waiting.append(act_at)
        return min((due for due in waiting if self.clock.now() < due <= until), default=None)

    async def _finals(self) -> list[str]:
        return [run.id async for run in self.client.iterate(oldest_first=True) if run.final]
