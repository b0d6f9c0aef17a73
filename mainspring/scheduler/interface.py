"""The whole of a server as its API sees it."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from mainspring.domain.access.token import UNBOUND, Grant
from mainspring.domain.ids import RunId
from mainspring.domain.runs.birth import Accepted, RunRequest
from mainspring.domain.runs.log import LogEntry
from mainspring.domain.runs.run import Attempt, Run
from mainspring.scheduler.access.cache import AccessCache
from mainspring.scheduler.alerts.wire import Alerting
from mainspring.scheduler.bulk.dead_letters import DeadLetterOperations
from mainspring.scheduler.cluster.examine import Examine
from mainspring.scheduler.cluster.operations import ServerOperations
from mainspring.scheduler.insights.feed import Changes
from mainspring.scheduler.insights.follow_logs import FollowLogs
from mainspring.scheduler.insights.metrics.collect import Metrics
from mainspring.scheduler.limits.wire import Limiting
from mainspring.scheduler.operations.backfills import BackfillOperations
from mainspring.scheduler.operations.calendars import CalendarOperations
from mainspring.scheduler.operations.executors import ExecutorOperations
from mainspring.scheduler.operations.jobs import JobOperations
from mainspring.scheduler.operations.queues import QueueOperations
from mainspring.scheduler.operations.runs import RunOperations
from mainspring.scheduler.operations.suspension import SuspensionOperations
from mainspring.scheduler.operations.triggers import TriggerOperations
from mainspring.scheduler.plans.apply_plan import ApplyTriggers
from mainspring.scheduler.sessions.link import ExecutorLink
from mainspring.scheduler.triggers.calls import Called
from mainspring.scheduler.triggers.count_forecasts import CountForecasts
from mainspring.scheduler.workflows.wire import WorkflowParts
from mainspring.store.interface import RunFilter, RunMatches


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    ready: bool
    reason: str = ""
    """Why not, in words for an operator."""
    executors: int = 0
    durability: str = ""
    """What a commit of its database survives; empty: not measured yet."""


class Engine(Protocol):
    """The whole of a server behind its API."""

    jobs: JobOperations
    """Definitions and their versions."""
    steering: RunOperations
    """Cancel runs, and have them run again."""
    suspending: SuspensionOperations
    """Set runs aside, let them go on, and see what they remember."""
    dead: DeadLetterOperations
    """Runs that failed for good, and acts on many runs at once."""
    logbook: FollowLogs
    """What handlers log, while they do."""
    servers: ServerOperations
    """The servers of the cluster; drain, resume."""
    examining: Examine
    """The condition of the database, and what the doctor finds."""
    queues: QueueOperations
    """How full they are; pause, resume, budgets."""
    workflows: WorkflowParts
    """How far workflow runs have come; resume, retry from a step, skip, pause."""
    limits: Limiting
    """Pauses of jobs and namespaces, maintenance, and why a run is not running."""
    events: Changes
    """What happens, for those who follow it live."""
    executors: ExecutorOperations
    """Who is there; cordon, drain, resize."""
    access: AccessCache
    """Tokens, namespaces, and the audit log."""
    calendars: CalendarOperations
    """The days on which triggers fire."""
    forecasts: CountForecasts
    """How many runs triggers will start."""
    triggers: TriggerOperations
    """When jobs start by themselves."""
    backfills: BackfillOperations
    """The same for instants that lie behind."""
    applying: ApplyTriggers
    """The same as code has it."""
    called: Called
    """Webhooks, and events that are told."""
    alerting: Alerting
    """Alert rules, channels, alerts and silences."""
    metrics: Metrics
    """Numbers for Prometheus."""

    def pressure(self, namespace: str, requests: Sequence[RunRequest]) -> float | None:
        """How full the fullest queue or namespace is that these runs are for, from 0 to 1; None: there is no budget."""

    async def accept(self, namespace: str, requests: list[RunRequest]) -> list[Accepted]:
        """Make the runs durable, all or none, and return them in order.

        Raises InvalidInputError (its field prefixed `runs[i].` when several), NotFoundError for an unknown job, ConflictError
        for a key used with another payload, UnavailableError while the store is away or the server drains, OverBudgetError
        if a queue or the namespace may take no more.
        """

    async def get(self, namespace: str, run: RunId) -> Run:
        """Raises NotFoundError."""

    async def wait(self, namespace: str, run: RunId, *, seconds: float) -> Run:
        """The run as soon as it is final, or as it is after so many seconds."""

    async def follow(self, namespace: str, run: RunId, seen: Run | None, *, seconds: float) -> Run | None:
        """The run as soon as it differs from the one seen; None after `seconds`, or once the server drains."""

    async def attempts(self, namespace: str, run: RunId) -> list[Attempt]: ...

    async def logs(self, namespace: str, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]: ...

    async def attach(self, link: ExecutorLink, grant: Grant = UNBOUND) -> None:
        """Serve an executor's connection until it ends, or until its token is good no more."""

    def readiness(self) -> Readiness: ...

    async def last_of(self, namespace: str, jobs: Sequence[str], *, limit: int) -> Sequence[Sequence[Run]]:
        """The last runs of each job."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: RunFilter) -> RunMatches:
        """A page of runs with their true states; it may be short and yet have more behind it."""
