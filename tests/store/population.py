"""Runs of every kind: several jobs, queues, states, days, marks and namespaces; and a plain rule for which of them match."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import msgspec

from mainspring.domain.ids import Ids, RunId, SessionId
from mainspring.domain.metadata import RunMetadata, marks_of, write_metadata
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.attempt import Decision, Outcome
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.store.interface import RunFilter, Store
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, job_spec, session, successes, token

OTHER = "other"
JOBS = ("bill", "mail", "report")
QUEUES = ("default", "slow")
FIRST = START - timedelta(days=3)
STEP = timedelta(minutes=131)
COUNT = 42
FATES = (
    RunState.QUEUED,
    RunState.SUCCEEDED,
    RunState.RUNNING,
    RunState.FAILED,
    RunState.SUCCEEDED,
    RunState.WAITING,
    RunState.CANCELLED,
)
LATE = timedelta(hours=30)
"""Some take so long from creation to their end that they end on another day than most of their neighbours."""


class Inhabitant(msgspec.Struct, frozen=True):
    """One run, as a test knows it."""

    id: RunId
    namespace: str
    job: str
    queue: str
    state: RunState
    tags: tuple[str, ...]
    labels: dict[str, str]
    key: str | None
    line: int
    created: datetime

    def matches(self, query: RunFilter) -> bool:
        parked = self.state is RunState.QUEUED and self.line in query.parked
        state = RunState.WAITING if parked else self.state
        marks = set(marks_of(self.labels, self.tags))
        return (
            self.namespace == query.namespace
            and query.job in (None, self.job)
            and query.queue in (None, self.queue)
            and (not query.states or state in query.states)
            and set(marks_of(query.labels, query.tags)) <= marks
            and query.key in (None, self.key)
            and (query.since is None or self.created >= query.since)
            and (query.until is None or self.created < query.until)
        )


class Population:
    """Who lives in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.all: list[Inhabitant] = []

    async def settle_in(self) -> None:
        for namespace, count in ((NAMESPACE, COUNT), (OTHER, 5)):
            live = session(namespace=namespace, lease_until=START + timedelta(days=9))
            await self._store.cluster.open_session(live, now=START)
            await self._fill(namespace, count, live.id)

    async def _fill(self, namespace: str, count: int, live: SessionId) -> None:
        jobs = await self._store.jobs.register(namespace, [job_spec(name) for name in JOBS], now=START)
        places = list(product(JOBS, QUEUES))
        lines = await self._store.jobs.lines([Line(namespace, queue, job) for job, queue in places])
        numbers = {job.name: job.id for job in jobs}
        ids = Ids()
        for at in range(count):
            job, queue = places[at % 5]
            line = lines[at % 5]
            run = new_run_at(at, ids, numbers[job], line)
            await self._add(at, namespace, run, (job, queue), live)

    async def _add(self, at: int, namespace: str, run: NewRun, place: tuple[str, str], live: SessionId) -> None:
        created, state = FIRST + at * STEP, FATES[at % len(FATES)]
        tags = (*(["batch"] if at % 3 == 0 else []), *(["rare"] if at % 14 == 3 else []))
        labels = {"customer": str(at % 4)} if at % 2 == 0 else {}
        run.extra = write_metadata(RunMetadata(labels=labels, tags=tags, by="a token"))
        run.marks = marks_of(labels, tags)
        if state not in (RunState.QUEUED, RunState.WAITING):
            run.token, run.session = token(), live
        await self._store.runs.create(namespace, [run], now=created)
        await self._bring_to(run, state, created + (LATE if at % 4 == 1 else timedelta(minutes=5)), live)
        job, queue = place
        line = run.line
        self.all.append(Inhabitant(run.id, namespace, job, queue, state, tags, labels, run.key, line, created))

    async def _bring_to(self, run: NewRun, state: RunState, now: datetime, live: SessionId) -> None:
        runs = self._store.runs
        if state is RunState.SUCCEEDED and run.token is not None:
            await runs.succeed(successes([(run.id, run.token)]), now=now)
        elif state.final and run.token is not None:
            outcome = Outcome.FAILED if state is RunState.FAILED else Outcome.CANCELLED
            decision = Decision(state, failures=1)
            await runs.settle([ended(run.id, run.token, outcome)], lambda _held, _ended: decision, now=now)
        elif state is RunState.WAITING:
            mine = token()
            await runs.claim([run.line], [live], token=mine, now=run.due_at)
            waiting = Decision(RunState.WAITING, reason="approval")
            await runs.settle([ended(run.id, mine, Outcome.RELEASED)], lambda _held, _ended: waiting, now=now)

    def expected(self, query: RunFilter) -> list[RunId]:
        found = sorted(one.id for one in self.all if one.matches(query))
        return found if query.oldest_first else found[::-1]


def new_run_at(at: int, ids: Ids, job: int, line: int) -> NewRun:
    created, key = FIRST + at * STEP, f"key-{at}" if at % 10 == 0 else None
    # The most urgent of its line is the one to be claimed.
    priority = 9 if FATES[at % len(FATES)] is RunState.WAITING else 5
    [run] = ids.runs(1, created)
    return NewRun(
        id=run,
        job=job,
        line=line,
        priority=priority,
        due_at=created,
        input=b"{}",
        key=key,
        digest=b"digest" if key else None,
    )


def questions() -> Iterator[RunFilter]:
    """Filters of every kind, alone and together."""
    states = [(), (RunState.SUCCEEDED,), (RunState.FAILED, RunState.CANCELLED), (RunState.QUEUED,), (RunState.WAITING,)]
    states += [(RunState.RUNNING,), (RunState.RUNNING, RunState.FAILED), (RunState.SKIPPED,)]
    places: list[dict[str, Any]] = [
        {},
        {"job": "mail"},
        {"queue": "slow"},
        {"job": "bill", "queue": "slow"},
        {"job": "no"},
    ]
    for chosen, place in product(states, places):
        yield RunFilter(namespace=NAMESPACE, states=chosen, **place)
    marks: list[dict[str, Any]] = [{"tags": ("batch",)}, {"tags": ("rare", "batch")}, {"labels": {"customer": "2"}}]
    marks += [
        {"labels": {"customer": "0"}, "tags": ("batch",)},
        {"tags": ("nobody",)},
        {"key": "key-10"},
        {"key": "no"},
    ]
    marks += [{"key": "key-30", "tags": ("batch",)}]
    mores: list[dict[str, Any]] = [{}, {"states": (RunState.SUCCEEDED,)}, {"job": "bill"}, {"queue": "default"}]
    for mark, more in product(marks, mores):
        yield RunFilter(namespace=NAMESPACE, **mark, **more)
    middle = FIRST + 20 * STEP
    for place in places[:3]:
        yield RunFilter(namespace=NAMESPACE, since=middle, **place)
        yield RunFilter(namespace=NAMESPACE, until=middle, **place)
        yield RunFilter(namespace=NAMESPACE, since=middle, until=middle + 5 * STEP, **place)
    for chosen in ((RunState.QUEUED,), (RunState.WAITING,), (RunState.WAITING, RunState.QUEUED)):
        yield RunFilter(namespace=NAMESPACE, states=chosen, parked=(1, 2))
    yield RunFilter(namespace=OTHER)
    yield RunFilter(namespace="nowhere")
