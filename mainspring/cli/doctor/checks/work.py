"""Checks of the work: servers to tell apart, executors for every run, no paused queue, and what the server finds wrong."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from mainspring.cli.doctor.probe import fetch
from mainspring.client.calls import ask
from mainspring.contract.alerts.operations import LIST_FINDINGS
from mainspring.contract.alerts.views import FindingInfo
from mainspring.contract.cluster import ServerInfo
from mainspring.contract.events import EventTypeInfo
from mainspring.contract.executors import ExecutorInfo
from mainspring.contract.operations.cluster import LIST_SERVERS
from mainspring.contract.operations.events import LIST_EVENT_TYPES, EventTypeQuery
from mainspring.contract.operations.executors import LIST_EXECUTORS, ExecutorQuery
from mainspring.contract.operations.queues import LIST_QUEUES, QueueQuery
from mainspring.contract.operations.runs import LIST_RUNS, RunQuery
from mainspring.contract.queues import QueueInfo
from mainspring.domain.cluster import cluster_checks
from mainspring.domain.cluster.finding import Finding, fail, ok, warn
from mainspring.errors import MainspringError
from mainspring.settings import ClientSettings

LOOKED_AT = 500
QUEUES = ask(LIST_QUEUES, query=QueueQuery(limit=LOOKED_AT))
SERVERS = ask(LIST_SERVERS)
EXECUTORS = ask(LIST_EXECUTORS, query=ExecutorQuery(limit=LOOKED_AT))
LIVE = ask(LIST_RUNS, query=RunQuery(state=["queued", "waiting"], limit=LOOKED_AT))
FINDINGS = ask(LIST_FINDINGS)
EVENTS = ask(LIST_EVENT_TYPES, query=EventTypeQuery(limit=LOOKED_AT))
LATELY = timedelta(hours=24)


def check_work(target: ClientSettings, now: datetime) -> Iterator[Finding]:
    """Run every check, even if the server cannot answer one of them."""
    for name, check in CHECKS.items():
        try:
            yield check(target, now)
        except MainspringError as error:
            yield fail(name, f"the server did not say: {error}", "see the log of the server")
    yield from check_findings(target)


def check_executors(target: ClientSettings, _now: datetime) -> Finding:
    """Check for runs that no connected executor can take."""
    alone = Counter((run.queue, run.job) for run in fetch(target, LIVE).runs if run.reason == "no_executor")
    if not alone:
        return ok("executors", "every run has an executor that could take it")
    (queue, job), _ = alone.most_common(1)[0]
    found = f"no executor for {alone.total()} runs, such as those of job {job!r} in queue {queue!r}"
    return warn("executors", found, "start an executor that has these jobs and listens to these queues")


def check_servers(target: ClientSettings, _now: datetime) -> Finding:
    return judge_servers(fetch(target, SERVERS).servers)


def judge_servers(servers: list[ServerInfo]) -> Finding:
    return cluster_checks.check_servers([(server.name, server.url) for server in servers])


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
    return ok("queues", f"{len(queues)}, none paused")


def check_findings(target: ClientSettings) -> Iterator[Finding]:
    """One line for each thing that the server's evaluator finds wrong; this is also shown by the API and `top`."""
    try:
        page = fetch(target, FINDINGS)
    except MainspringError as error:
        yield fail("findings", f"the server did not say: {error}", "see the log of the server")
        return
    yield from map(judge_finding, page.findings)
    if page.more:
        yield warn("findings", f"and {page.more} more", "mainspring alerts list")
    if not page.findings:
        yield ok("findings", "nothing is wrong with jobs, triggers, queues, executors and the store")


def judge_finding(finding: FindingInfo) -> Finding:
    since = "" if finding.since_at is None else f", since {finding.since_at:%Y-%m-%d %H:%M}Z"
    return warn(finding.kind, f"{finding.subject}: {finding.words}{since}", finding.remedy)


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
    "servers": check_servers,
    "executors": check_executors,
    "pools": check_pools,
    "queues": check_queues,
    "events": check_events,
}
"""Checks in the order of the report."""
