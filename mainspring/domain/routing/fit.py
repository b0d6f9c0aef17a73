"""Whether an executor may take runs: its queues, its handlers, its labels, and the version of its code."""

from collections.abc import Mapping, Sequence

from mainspring.domain.cluster.session import Session
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.policy import Policy
from mainspring.domain.queues.line import ADDRESS_ANY, Line
from mainspring.domain.routing.canary import OTHERS, VERSION, refuses
from mainspring.domain.routing.own_route import own_route, waits_for_choice
from mainspring.domain.routing.requirement import Requirement, split_weight, unmet
from mainspring.domain.routing.resources import short_of
from mainspring.domain.workflows.spec import HANDLER as WORKFLOW

CODE = "code"
"""The name under which the version of an executor's code is compared."""


def requirements_of(policy: Policy) -> tuple[str, ...]:
    """All that an executor must have, the version of its code included."""
    return (*policy.requires, f"{CODE} {policy.runs_on}") if policy.runs_on else policy.requires


def labels_of(session: Session) -> Mapping[str, str]:
    return {CODE: session.abilities.code_version, **session.abilities.labels}


def lacks(session: Session, policy: Policy) -> list[Requirement]:
    """The requirements of a job that an executor does not meet."""
    needed = requirements_of(policy)
    return unmet(needed, labels_of(session)) if needed else []


def preference(session: Session, prefers: Sequence[str]) -> float:
    """The weight of a job's preferences that an executor meets."""
    labels = labels_of(session) if prefers else {}
    weighted = [split_weight(text) for text in prefers]
    return sum(weight for text, weight in weighted if not unmet([text], labels))


def nearest(sessions: Sequence[Session], policy: Policy) -> tuple[Session, list[Requirement]]:
    """The executor that lacks the least, and what it lacks."""
    found = [(session, lacks(session, policy)) for session in sessions]
    return min(found, key=lambda one: (len(one[1]), one[0].executor))


def served_by(session: Session, *, stuck: bool = False) -> set[tuple[str, str, str]]:
    """The handlers that it serves; with `stuck`, those it would serve if their pools had a usable slot."""
    return {
        (session.namespace, queue, handler)
        for queue in session.abilities.queues
        for handler, pool in session.abilities.handlers.items()
        if (pool in session.stuck) is stuck
    }


def answers(session: Session, address: str) -> bool:
    """Whether runs with this address may go to an executor."""
    if (own := own_route(address)) is not None:
        return bool(own.executor) and answers(session, own.executor)
    if address.startswith(OTHERS):
        return session.abilities.code_version != address.removeprefix(OTHERS)
    if address.startswith(VERSION):
        return session.abilities.code_version == address.removeprefix(VERSION)
    return address in ("", session.executor)


def serves(session: Session, line: Line) -> bool:
    """Whether the session may take runs of the line."""
    return (
        line.namespace == session.namespace
        and line.handler in session.abilities.handlers
        and line.queue in session.abilities.queues
        and answers(session, line.address)
    )


def fits(session: Session, line: Line, job: Job | None) -> bool:
    """Whether the session may take runs of the line, and meets what the line's job requires."""
    if not serves(session, line):
        return False
    return job is None or not (lacks(session, job.spec.policy) or short_of(session, job.spec.policy, line.handler))


def is_unrouted(line: Line, job: Job | None) -> bool:
    """Whether the runs of a line are yet to be given their executors."""
    if line.address != ADDRESS_ANY:
        stopped = job is not None and refuses(line.address, job.spec.policy.canary)
        return stopped or waits_for_choice(line.address)
    return line.handler != WORKFLOW and job is not None and job.spec.policy.routed
