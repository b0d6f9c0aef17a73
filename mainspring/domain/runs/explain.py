"""Why a live run waits, and the event that ends the wait."""

from datetime import datetime

import msgspec

from mainspring.domain.runs.attempt import CANCELLING
from mainspring.domain.runs.run import Run, RunState, WaitReason


class Standing(msgspec.Struct, frozen=True):
    """Words for people, and the instant by which it changes at the latest; None: only the event that they name ends it."""

    why: str
    until: datetime | None = None


WAITING: dict[str, str] = {
    WaitReason.NO_EXECUTOR: "no connected executor has its handler and listens to its queue; one that does takes it",
    WaitReason.CORDONED: "every executor that could take it is cordoned; uncordoning one, or another one, lets it start",
    WaitReason.STUCK: (
        "every slot that could take it is held by handlers that do not end, or that wait for runs which need such a slot; "
        "a slot that comes free, or another executor, lets it start"
    ),
    WaitReason.PAUSED: "its queue is paused; resuming the queue lets it start",
    WaitReason.LIMIT: "a limit is reached; a run that ends makes room",
    WaitReason.BREAKER: "a circuit breaker is open; it closes when a probe succeeds",
    WaitReason.SUSPENDED: "it is suspended; resuming it lets it go on",
    WaitReason.LOST: "its attempt was lost, and its job leaves it to people; retry it or cancel it",
    WaitReason.APPROVAL: "an approver has to decide",
    WaitReason.EVENT: "an event has to come",
    WaitReason.SLEEP: "it sleeps, and goes on when its time has come",
    WaitReason.STEPS: "its steps have not ended; `mainspring workflows runs show` names those under way",
    WaitReason.STOPPING: "its deadline has passed, and its steps are being stopped",
}
"""By reason: what a waiting run waits for, and what ends that."""

QUEUED: dict[str, str] = {
    "retry": "an attempt failed; the next one is due then, and starts as soon as a slot is free",
    "snoozed": "its handler asked for a later time; it is due then, and starts as soon as a slot is free",
}
QUEUED_ELSE = "it is due then, and starts as soon as a slot is free"

RUNNING: dict[str, str] = {
    CANCELLING: "its attempt is being stopped; it is over when that has ended, or its executor is given up",
    "suspending": "its attempt is to yield; it is set aside at its next checkpoint or step",
}
RUNNING_ELSE = "an executor works on it; its attempt ends, or its executor is given up when its lease passes"


def standing_of(run: Run) -> Standing | None:
    """None: it is over."""
    ends_by = earliest(run.deadline_at, run.start_by if run.state is not RunState.RUNNING else None)
    match run.state:
        case RunState.WAITING:
            return Standing(waiting_for(run), earliest(resumes_at(run), ends_by))
        case RunState.QUEUED:
            return Standing(QUEUED.get(run.reason or "", QUEUED_ELSE), run.due_at)
        case RunState.RUNNING:
            return Standing(RUNNING.get(run.reason or "", RUNNING_ELSE), ends_by)
        case _:
            return None


def waiting_for(run: Run) -> str:
    words = WAITING.get(run.reason or "", "it waits")
    said = run.suspension.reason if run.suspension is not None else ""
    return f"{words} ({said})" if said else words


def resumes_at(run: Run) -> datetime | None:
    return run.suspension.resume_at if run.suspension is not None else None


def earliest(*instants: datetime | None) -> datetime | None:
    return min((instant for instant in instants if instant is not None), default=None)
