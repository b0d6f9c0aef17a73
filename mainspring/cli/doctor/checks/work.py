"""Checks of the work: executors for every run, short queues, few failures."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from mainspring.cli.doctor.checks.finding import Finding, fail, ok, warn
from mainspring.cli.doctor.probe import fetch
from mainspring.client.calls import ask
from mainspring.contract.events import EventTypeInfo
from mainspring.contract.executors import ExecutorInfo
from mainspring.contract.operations.events import LIST_EVENT_TYPES, EventTypeQuery
from mainspring.contract.operations.executors import LIST_EXECUTORS, ExecutorQuery
from mainspring.contract.operations.queues import LIST_QUEUES, QueueQuery
from mainspring.contract.operations.runs import LIST_RUNS, RunQuery
from mainspring.contract.queues import QueueInfo
from mainspring.contract.runs import RunInfo
from mainspring.errors import MainspringError
from mainspring.settings import ClientSettings

LOOKED_AT = 500
QUEUES = ask(LIST_QUEUES, query=QueueQuery(limit=LOOKED_AT))
EXECUTORS = ask(LIST_EXECUTORS, query=ExecutorQuery(limit=LOOKED_AT))
LIVE = ask(LIST_RUNS, query=RunQuery(state=["queued", "waiting"], limit=LOOKED_AT))
FAILED = ask(LIST_RUNS, query=RunQuery(state=["failed"], limit=LOOKED_AT))
EVENTS = ask(LIST_EVENT_TYPES, query=EventTypeQuery(limit=LOOKED_AT))
LATELY = timedelta(hours=24)
TOO_OLD = timedelta(hours=1)


def check_work(target: ClientSettings, now: datetime) -> Iterator[Finding]:
    """Run every check, even if the server cannot answer one of them."""
    for name, check in CHECKS.items():
        try:
            yield check(target, now)
        except MainspringError as error:
            yield fail(name, f"the server did not say: {error}", "see the log of the server")


def check_executors(target: ClientSettings, _now: datetime) -> Finding:
    """Check for runs that no connected executor can take."""
    alone = Counter((run.queue, run.job) for run in fetch(target, LIVE).runs if run.reason == "no_executor")
    if not alone:
        return ok("executors", "every run has an executor that could take it")
    (queue, job), _ = alone.most_common(1)[0]
    found = f"no executor for {alone.total()} runs, such as those of job {job!r} in queue {queue!r}"
    return warn("executors", found, "start an executor that has these jobs and listens to these queues")


def check_pools(target: ClientSettings, _now: datetime) -> Finding:
    return judge_pools(fetch(target, EXECUTORS).executors)


def judge_pools(executors: list[ExecutorInfo]) -> Finding:
    """Check for connected executors with a pool that has no usable slot."""
    stuck = [(executor.name, pool) for executor in executors for pool in executor.stuck]
    if not stuck:
        return ok("pools", "every pool has usable slots")
    name, pool = stuck[0]
    more = f"; and {len(stuck) - 1} more pools" if len(stuck) > 1 else ""
    held = f"{pool.strays} handlers that do not end, {pool.waits} that wait for runs of the same pool"
    advice = f"mainspring executors show {name}; restart it, and let no handler wait for runs of its own pool"
    return fail("pools", f"executor {name} has no usable slot in {pool.pool}: {held}{more}", advice)


def check_queues(target: ClientSettings, _now: datetime) -> Finding:
    return judge_queues(fetch(target, QUEUES).queues)


def judge_queues(queues: list[QueueInfo]) -> Finding:
    paused = [queue for queue in queues if queue.paused is not None]
    if paused:
        held = sum(queue.queued + queue.waiting for queue in paused)
        found = f"paused: {', '.join(queue.name for queue in paused)}; {held} runs wait there"
        return warn("queues", found, "mainspring queues resume")
    late = [queue for queue in queues if (queue.oldest_seconds or 0) > TOO_OLD.total_seconds()]
    if late:
        worst = max(late, key=lambda queue: queue.oldest_seconds or 0)
        found = f"in {worst.name!r} a run has been due for {(worst.oldest_seconds or 0) / 3600:.1f} hours"
        return warn("queues", found, "start more executors for it, or see what they are doing")
    return ok("queues", f"{len(queues)}, none paused, none late")


def check_failures(target: ClientSettings, now: datetime) -> Finding:
    return judge_failures(fetch(target, FAILED).runs, now)


def judge_failures(failed: list[RunInfo], now: datetime) -> Finding:
    recent = Counter(run.job for run in failed if run.finished_at and now - run.finished_at < LATELY)
    if not recent:
        return ok("failures", "no run failed within a day")
    job, times = recent.most_common(1)[0]
    more = " or more" if recent.total() == LOOKED_AT else ""
    found = f"{recent.total()}{more} runs failed within a day, most of job {job!r} ({times})"
    return warn("failures", found, "mainspring runs list --state failed")


def check_events(target: ClientSettings, now: datetime) -> Finding:
    return judge_events(fetch(target, EVENTS).types, now)


def judge_events(types: list[EventTypeInfo], now: datetime) -> Finding:
    """Warn of published event types that no trigger waits for: one may be misspelt."""
    told, unmatched = sum(each.told for each in types), sum(each.unmatched for each in types)
    alone = [each for each in types if each.unmatched == each.told and now - each.last_at < LATELY]
    if not alone:
        return ok("events", f"{told} told, {unmatched} of them unmatched" if told else "none told")
    most = max(alone, key=lambda each: each.told)
    found = f"no trigger has waited for {len(alone)} types of events, such as {most.type!r}, told {most.told} times"
    return warn("events", found, "mainspring events types, and compare with the types of your triggers")


CHECKS: dict[str, Callable[[ClientSettings, datetime], Finding]] = {
    "executors": check_executors,
    "pools": check_pools,
    "queues": check_queues,
    "failures": check_failures,
    "events": check_events,
}
"""Checks in the order of the report."""
