"""Obstacles: why the runs of a line are not started at present.

Dispatch asks this before it asks the store for a line, and `why` prints the same answers, so the two cannot differ. They come
in a fixed order; the first is the reason that a run shows.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from shlex import quote
from typing import Any

import msgspec

from mainspring.domain.amounts import show_amount
from mainspring.domain.breakers.breaker import Breaker, BreakerState
from mainspring.domain.cluster.session import Session
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.policy import Policy
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.pause import Pause
from mainspring.domain.queues.queue import CLUSTER_WHOLE, NAMESPACE_WHOLE, Place, QueueRule
from mainspring.domain.routing.canary import OTHERS, VERSION, show_address
from mainspring.domain.routing.fit import CODE, answers, labels_of, lacks, nearest, serves
from mainspring.domain.routing.own_route import executor_of, own_route
from mainspring.domain.routing.resources import short_of
from mainspring.domain.routing.route import Strategy
from mainspring.domain.runs.run import WaitReason
from mainspring.domain.workflows.spec import HANDLER as WORKFLOW

EXECUTOR = "mainspring executor MODULE:APP"
"""The beginning of remedies that start another executor."""

Ability = tuple[str, str, str]
"""Namespace, queue and handler."""


class Obstacle(msgspec.Struct, frozen=True, kw_only=True):
    """One reason, with the facts behind it."""

    code: str
    """Stable, for programs."""
    reason: WaitReason | None
    """What a run shows while this is the first obstacle; None: it only has to wait for its turn."""
    text: str
    remedy: str = ""
    """The command that would remove it, if there is one."""
    since: datetime | None = None
    until: datetime | None = None
    """When it ends by itself; None: only by what the text names."""
    facts: dict[str, Any] = {}


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """The capabilities of the cluster's connected executors, by namespace, queue and handler."""

    served: Collection[Ability] = ()
    withheld: Collection[Ability] = ()
    """By cordoned executors."""
    stuck: Collection[Ability] = ()
    """By executors whose pool for it has no usable slot."""


class LineFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts from which obstacles are found."""

    rules: Mapping[Place, QueueRule] = {}
    jobs: Mapping[tuple[str, str], Job] = {}
    serving: Serving = Serving()
    sessions: Sequence[Session] = ()
    """Executors that are there."""
    breakers: Mapping[tuple[str, str], Breaker] = {}
    """By namespace and name."""
    closed: Mapping[tuple[str, str], datetime | None] = {}
    """Calendars, by namespace and name, by which nothing may start now, with the instant at which they open."""


def obstacles(line: Line, facts: LineFacts) -> Iterator[Obstacle]:
    """Everything that keeps the runs of a line from being started, the weightiest first."""
    taken = taken_line(line, facts)
    yield from pauses(line, facts)
    yield from missing_executors(taken, facts.serving)
    yield from unfit_executors(taken, facts)
    yield from open_breakers(line, facts)


def taken_line(line: Line, facts: LineFacts) -> Line:
    """The line that executors are looked for: of a broadcast, the line of its children."""
    job = facts.jobs.get((line.namespace, line.job)) if line.job else None
    if job is None or line.handler != WORKFLOW or job.spec.policy.route.strategy is not Strategy.BROADCAST:
        return line
    return Line(line.namespace, job.spec.queue, job.spec.handler, job=line.job)


def switches(line: Line, facts: LineFacts) -> Iterator[Obstacle]:
    """The obstacles that a line is not asked for because of: what operators and breakers say."""
    yield from pauses(line, facts)
    yield from open_breakers(line, facts)


def pauses(line: Line, facts: LineFacts) -> Iterator[Obstacle]:
    """The obstacles that operators have put up."""
    if (pause := pause_of(facts.rules, (line.namespace, NAMESPACE_WHOLE))) is not None:
        yield paused("namespace", line.namespace, pause, f"mainspring namespaces resume {line.namespace}")
    job = facts.jobs.get((line.namespace, line.job)) if line.job else None
    if job is not None and job.pause is not None:
        yield paused("job", line.job, job.pause, f"mainspring jobs resume {line.job}")
    if (pause := pause_of(facts.rules, (line.namespace, line.queue))) is not None:
        yield paused("queue", line.queue, pause, f"mainspring queues resume {line.queue}")
    yield from blackouts(line, facts, job)
    if (pause := pause_of(facts.rules, CLUSTER_WHOLE)) is not None:
        yield maintenance(pause)


def blackouts(line: Line, facts: LineFacts, job: Job | None) -> Iterator[Obstacle]:
    """That a calendar of the namespace, the job or the queue is closed."""
    calendars = {
        "namespace": blackout_of(facts.rules, (line.namespace, NAMESPACE_WHOLE)),
        "job": "" if job is None else job.spec.policy.blackout,
        "queue": blackout_of(facts.rules, (line.namespace, line.queue)),
    }
    for kind, calendar in calendars.items():
        if calendar and (line.namespace, calendar) in facts.closed:
            name = {"namespace": line.namespace, "job": line.job, "queue": line.queue}[kind]
            yield Obstacle(
                code="blackout",
                reason=WaitReason.PAUSED,
                text=f"Calendar {calendar}, by which {kind} {name} starts its runs, is closed",
                remedy=f"mainspring calendars show {calendar}",
                until=facts.closed[line.namespace, calendar],
                facts={"calendar": calendar, kind: name},
            )


def blackout_of(rules: Mapping[Place, QueueRule], place: Place) -> str:
    rule = rules.get(place)
    return "" if rule is None else rule.policy.blackout


def open_breakers(line: Line, facts: LineFacts) -> Iterator[Obstacle]:
    """That the breaker of the line's job lets nothing through."""
    job = facts.jobs.get((line.namespace, line.job)) if line.job else None
    if job is None or not job.spec.policy.breaker:
        return
    breaker = facts.breakers.get((line.namespace, job.spec.policy.breaker))
    if breaker is not None and breaker.state.refuses:
        yield breaker_open(breaker)


def breaker_open(breaker: Breaker) -> Obstacle:
    forced = breaker.state is BreakerState.FORCED_OPEN
    text = f"Breaker {breaker.name} is open: {breaker.reason}. No attempt is spent"
    if forced:
        text = f"Breaker {breaker.name} is held open by {breaker.by or 'an operator'}{quoted(breaker.reason)}"
    return Obstacle(
        code="breaker_forced_open" if forced else "breaker_open",
        reason=WaitReason.BREAKER,
        text=text,
        remedy=f"mainspring breakers {'resume' if forced else 'reset'} {breaker.name}",
        since=breaker.since,
        until=None if forced else breaker.until,
        facts={"breaker": breaker.name, "streak": breaker.streak, "reason": breaker.reason},
    )


def pause_of(rules: Mapping[Place, QueueRule], place: Place) -> Pause | None:
    rule = rules.get(place)
    return None if rule is None else rule.pause


def paused(kind: str, name: str, pause: Pause, remedy: str) -> Obstacle:
    return Obstacle(
        code=f"{kind}_paused",
        reason=WaitReason.PAUSED,
        text=f"{kind.capitalize()} {name} is paused by {pause.by or 'an operator'}{quoted(pause.reason)}",
        remedy=remedy,
        since=pause.since,
        until=pause.until,
        facts={kind: name, "by": pause.by, "reason": pause.reason},
    )


def maintenance(pause: Pause) -> Obstacle:
    return Obstacle(
        code="maintenance",
        reason=WaitReason.PAUSED,
        text=f"The cluster starts nothing: maintenance by {pause.by or 'an operator'}{quoted(pause.reason)}",
        remedy="mainspring maintenance off",
        since=pause.since,
        until=pause.until,
        facts={"by": pause.by, "reason": pause.reason},
    )


def missing_executors(line: Line, serving: Serving) -> Iterator[Obstacle]:
    """That no executor takes the line's runs, and why none does."""
    ability = (line.namespace, line.queue, line.handler)
    if ability in serving.served or line.handler == WORKFLOW:
        return
    facts, another = {"queue": line.queue, "handler": line.handler}, f"{EXECUTOR} --queue {quote(line.queue)}"
    if ability in serving.stuck:
        text = f"Every slot that could run handler {line.handler} is held by handlers that do not end"
        yield Obstacle(code="stuck", reason=WaitReason.STUCK, text=text, remedy=another, facts=facts)
    elif ability in serving.withheld:
        text = f"Every executor that has handler {line.handler} and listens to queue {line.queue} is cordoned"
        remedy = "mainspring executors uncordon NAME"
        yield Obstacle(code="cordoned", reason=WaitReason.CORDONED, text=text, remedy=remedy, facts=facts)
    else:
        text = f"No connected executor has handler {line.handler} and listens to queue {line.queue}"
        yield Obstacle(code="no_executor", reason=WaitReason.NO_EXECUTOR, text=text, remedy=another, facts=facts)


def unfit_executors(line: Line, facts: LineFacts) -> Iterator[Obstacle]:
    """That the executor which a line is for is away, or that none meets the job's requirements."""
    job = facts.jobs.get((line.namespace, line.job)) if line.job else None
    able = [one for one in facts.sessions if serves(one, Line(line.namespace, line.queue, line.handler))]
    if able and (away := absent_executor(line, able)):
        text = f"It is for {show_address(away)}"
        remedy = f"{EXECUTOR} {option_of(away)}"
        facts_found: dict[str, Any] = {"executor": away}
        yield Obstacle(code="address", reason=WaitReason.NO_EXECUTOR, text=text, remedy=remedy, facts=facts_found)
    elif job is not None and able and all(lacks(one, job.spec.policy) for one in able):
        yield unmet_requirement(job.spec.policy, able)
    elif job is not None and job.spec.policy.uses:
        yield from small_executors(job.spec.policy, line.handler, able)


def unmet_requirement(policy: Policy, able: Sequence[Session]) -> Obstacle:
    """What the executor that comes nearest to a job's requirements lacks first."""
    closest, missing = nearest(able, policy)
    name, wanted = missing[0].name, missing[0].text
    has = labels_of(closest).get(name)
    found = f"has {name} = {has}" if has else f"has no {name}"
    of_code = name == CODE
    return Obstacle(
        code="version" if of_code else "requirement",
        reason=WaitReason.NO_EXECUTOR,
        text=f"It requires {wanted}; the nearest of {len(able)} executors, {closest.executor}, {found}",
        remedy=f"{EXECUTOR} {'--code-version VERSION' if of_code else f'--label {quote(name)}=VALUE'}",
        facts={"requires": wanted, "nearest": closest.executor, "executors": len(able)},
    )


def absent_executor(line: Line, able: Sequence[Session]) -> str:
    """The executor, or version, that the line is for while none is there that answers to it; empty: that is not so."""
    if (own := own_route(line.address)) is not None and not own.executor:
        names = own.route.executors
        return "" if not names or any(one.executor in names for one in able) else " or ".join(names)
    return executor_of(line) if line.address and not any(answers(one, line.address) for one in able) else ""


def small_executors(policy: Policy, handler: str, able: Sequence[Session]) -> Iterator[Obstacle]:
    """That no executor that fits otherwise has as much of a resource as one attempt books."""
    fitting = [one for one in able if not lacks(one, policy)]
    short = [(one, found) for one in fitting if (found := short_of(one, policy, handler)) is not None]
    if not short or len(short) < len(fitting):
        return
    largest, (name, has) = max(short, key=lambda each: each[1][1])
    wants = float(policy.uses[name])
    text = (
        f"It uses {name} = {show_amount(name, wants)}; the largest of {len(short)} executors, {largest.executor}, has"
    )
    yield Obstacle(
        code="resources",
        reason=WaitReason.NO_EXECUTOR,
        text=f"{text} {show_amount(name, has)}",
        remedy=f"{EXECUTOR} --resource {quote(name)}={show_amount(name, wants)}",
        facts={"resource": name, "uses": wants, "largest": has, "executor": largest.executor},
    )


def option_of(address: str) -> str:
    """How an executor is started that answers to an address."""
    if address.startswith(OTHERS):
        return "--code-version VERSION"
    if address.startswith(VERSION):
        return f"--code-version {quote(address.removeprefix(VERSION))}"
    return f"--name {quote(address)}"


def quoted(reason: str) -> str:
    return f' ("{reason}")' if reason else ""
