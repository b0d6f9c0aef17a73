"""What has happened inside one server, published to the parts of it that care.

A fact is stated once, after it is true, and needs no answer; a question with an answer stays a call. They are not called
events, which are what users publish to triggers, nor feed, which is what clients follow.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

import msgspec

from mainspring.domain.cluster.server import Server
from mainspring.domain.cluster.watch import DatabaseWatch
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.queues.queue import Survey
from mainspring.domain.queues.rollup import Rolled
from mainspring.domain.runs.attempt import Claim, Ended
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.triggers.trigger import TriggerMove
from mainspring.domain.workflows.move import Move as FlowMove

log = logging.getLogger("mainspring.facts")


class Fact(msgspec.Struct, frozen=True):
    """Something that has happened on this server."""


LONG_AGO = datetime.min.replace(tzinfo=UTC)  # the due time of runs that keep theirs when they are put back


class RunsQueued(Fact, frozen=True):
    """Due runs were put into these lines through this server."""

    lines: Collection[int]
    since: datetime | None = None
    """The earliest due time among them, if known."""


class RunsScheduled(Fact, frozen=True):
    """Runs fall due later, the first of them at `due_at`; a time in the past if they were put back."""

    due_at: datetime


class RunsStarted(Fact, frozen=True):
    """The attempts of a claim were sent to their executor."""

    claim: Claim


class AttemptsSucceeded(Fact, frozen=True):
    """Successes of one frame were committed, but for the stale ones."""

    runs: Sequence[RunId]
    tokens: Sequence[Token]
    stale: Collection[RunId] = ()
    durations: Sequence[int] = ()  # microseconds that the handlers took; empty if no executor said


class AttemptsEnded(Fact, frozen=True):
    """Attempts that ended without success were committed; `states` has their runs, but for stale attempts."""

    ended: Sequence[Ended]
    states: Mapping[RunId, RunState]
    lines: Mapping[RunId, int] = {}


class RunsSettled(Fact, frozen=True):
    """These runs are in a final state."""

    runs: Sequence[RunId]


class RunsChanged(Fact, frozen=True):
    """These runs were cancelled, retried, suspended or resumed, or are about to be."""

    runs: Sequence[RunId]


class FlowsMoved(Fact, frozen=True):
    """Workflow runs moved, and go on."""

    moves: Sequence[FlowMove]


class FlowsEnded(Fact, frozen=True):
    """Workflow runs are over."""

    moves: Sequence[FlowMove]
    at: datetime


class DeadlineSet(Fact, frozen=True):
    """Runs that wait have deadlines, the first of them at `at`."""

    at: datetime


class ResumeSet(Fact, frozen=True):
    """Suspended runs resume by themselves, the first of them at `at`."""

    at: datetime


class LogsStored(Fact, frozen=True):
    """Log lines of these runs were stored."""

    runs: Sequence[RunId]


class SessionsChanged(Fact, frozen=True):
    """An executor of this server came, left or changed its room; `sessions` are those attached now."""

    sessions: Collection[SessionId]


class SessionDied(Fact, frozen=True):
    """The lease of a session had lapsed before it could be renewed."""

    session: SessionId
    reason: str


class LeasesReclaimed(Fact, frozen=True):
    """Runs of dead sessions were put back, some of them long due."""


class CreditFreed(Fact, frozen=True):
    """An executor has room again for attempts that have ended."""


class CatalogChanged(Fact, frozen=True):
    """Jobs, lines, rules of queues or cordons are known to have changed."""


class CalendarsChanged(Fact, frozen=True):
    """A calendar was defined or read anew: fire times may have changed."""


class TriggersChanged(Fact, frozen=True):
    """Triggers were defined, edited or deleted through this server."""

    namespace: str
    count: int


class TriggersMoved(Fact, frozen=True):
    """Triggers fired, skipped fire times or now wait for runs."""

    moves: Sequence[TriggerMove]


class AttendanceLapsed(Fact, frozen=True):
    """Fire times passed while no server was running: misfire policies have to decide about them."""


class BackfillStarted(Fact, frozen=True):
    """There is another backfill to work on."""


class QueuesSurveyed(Fact, frozen=True):
    """The depths of queues were counted, here or by another server."""

    survey: Survey


class RunsAccepted(Fact, frozen=True):
    """Runs were stored through this server."""

    runs: Sequence[NewRun]


class RunsRefused(Fact, frozen=True):
    """Runs were not taken, for a reason that stands in the answer as its code."""

    namespace: str
    runs: int
    reason: str


class RunsRolledUp(Fact, frozen=True):
    """This server counted finished runs."""

    rolled: Rolled


class DatabaseWatched(Fact, frozen=True):
    """This server looked at the condition of the database."""

    watch: DatabaseWatch


class AlertsChanged(Fact, frozen=True):
    """Alerts changed through this server, or notices were written."""


class ServersSeen(Fact, frozen=True):
    """These servers have a lease, this one among them."""

    servers: Sequence[Server]
    clock_apart: float = 0.0  # seconds by which the database's clock is ahead of this machine's
    unsure: float = 0.0  # seconds by which this server's clock may still be behind


class AccessRead(Fact, frozen=True):
    """Tokens and namespaces were read again: some grants may be revoked."""


class AccessChanged(Fact, frozen=True):
    """Tokens or namespaces were changed through this server."""


class HintReceived(Fact, frozen=True):
    """Another server named lines in which there may be due runs; None: anything may have changed."""

    lines: Collection[int] | None


class MessageReceived(Fact, frozen=True):
    """Another server sent a message about its feed."""

    text: str


F = TypeVar("F", bound=Fact)


class Facts:
    """Hands each fact to its subscribers at once, in the order in which they subscribed.

    A subscriber notes and wakes, and leaves the work to its duty; one that raises is logged and stops no other.
    """

    def __init__(self) -> None:
        self._subscribers: dict[type[Fact], tuple[Callable[[Any], None], ...]] = {}

    def subscribe(self, kind: type[F], subscriber: Callable[[F], None]) -> None:
        self._subscribers[kind] = (*self._subscribers.get(kind, ()), subscriber)

    def unsubscribe(self, kind: type[F], subscriber: Callable[[F], None]) -> None:
        self._subscribers[kind] = tuple(one for one in self._subscribers[kind] if one != subscriber)

    def wake(self, event: asyncio.Event, *kinds: type[Fact]) -> None:
        """Set the event whenever a fact of these kinds is published."""
        for kind in kinds:
            self.subscribe(kind, lambda _: event.set())

    def publish(self, fact: Fact) -> None:
        for subscriber in self._subscribers.get(type(fact), ()):
            try:
                subscriber(fact)
            except Exception:  # the other subscribers and the publisher go on
                log.exception("a subscriber of %s failed", type(fact).__name__)

    async def expect(self, kind: type[F], where: Callable[[F], bool] = lambda _: True) -> F:
        """The next fact of this kind for which `where` holds."""
        future: asyncio.Future[F] = asyncio.get_running_loop().create_future()

        def take(fact: F) -> None:
            if not future.done() and where(fact):
                future.set_result(fact)

        self.subscribe(kind, take)
        try:
            return await future
        finally:
            self.unsubscribe(kind, take)


class Listening(Generic[F]):
    """A subscription that can be off: a part that waits for nothing costs a publisher nothing."""

    def __init__(self, facts: Facts, subscriber: Callable[[F], None], *kinds: type[F]) -> None:
        self._facts = facts
        self._subscriber = subscriber
        self._kinds = kinds
        self._on = False

    def switch(self, on: bool) -> None:  # noqa: FBT001 the state itself
        if on == self._on:
            return
        self._on = on
        act = self._facts.subscribe if on else self._facts.unsubscribe
        for kind in self._kinds:
            act(kind, self._subscriber)


def publish_new_runs(facts: Facts, runs: Sequence[NewRun], now: datetime) -> None:
    """Publish stored runs, except those that were inserted already claimed."""
    waiting = [run for run in runs if run.token is None]
    if due := [run for run in waiting if run.due_at <= now]:
        facts.publish(RunsQueued({run.line for run in due}, since=min(run.due_at for run in due)))
    if later := [run.due_at for run in waiting if run.due_at > now]:
        facts.publish(RunsScheduled(min(later)))
    if deadlines := [run.deadline_at for run in waiting if run.deadline_at is not None]:
        facts.publish(DeadlineSet(min(deadlines)))
