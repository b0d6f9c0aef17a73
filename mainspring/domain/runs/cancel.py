"""Cancel and retry: their outcomes, their refusals and their audit entries."""

import re
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.ids import RunId, SessionId, Token, id_text
from mainspring.domain.runs.run import RunState, WaitReason
from mainspring.errors import ConflictError, InvalidInputError

REASON_MAX = 500
REASON = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]*")
"""Text without control characters and surrogates."""
CANCELS_MAX = 1_000
"""Runs that one request may cancel."""


class CancelRequest(msgspec.Struct, frozen=True):
    """A request to an executor to stop an attempt."""

    run: RunId
    token: Token
    session: SessionId


class Cancelled(msgspec.Struct, frozen=True):
    """The outcome of a cancel."""

    state: RunState
    """`cancelled`: the run has ended. `running`: its attempt is being stopped. Otherwise: it had ended before."""
    wish: CancelRequest | None = None
    """The attempt that is being stopped."""


class Retried(msgspec.Struct, frozen=True):
    """The outcome of a retry."""

    state: RunState
    """The state before the retry."""
    line: int | None = None
    """The line of the queued run; None if nothing was changed."""
    forgotten: bool = False
    """Its input was not kept: it runs again only with another one."""
    step: bool = False
    """It is a workflow's step, which only its workflow run runs again."""


def may_retry(state: RunState, *, force: bool) -> bool:
    """Whether a run may be retried; a succeeded one only with `force`."""
    return state.final and (force or state is not RunState.SUCCEEDED)


def may_take_up(state: RunState, reason: str | None) -> bool:
    """Whether a live run waits for an operator to retry it after a loss."""
    return state is RunState.WAITING and reason == WaitReason.LOST.value


def steering_entry(
    act: str, run: RunId, *, namespace: str, actor: Actor, now: datetime, details: dict[str, object]
) -> AuditEntry:
    """The audit entry of an act on a run."""
    return audit_entry(act, "run", id_text(run), details, namespace=namespace, actor=actor, at=now)


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """The operator of an act, with its namespace, reason and time."""

    namespace: str
    actor: Actor
    reason: str
    now: datetime

    def entry(self, act: str, run: RunId, **details: object) -> AuditEntry:
        told = {"reason": self.reason, **details}
        return steering_entry(act, run, namespace=self.namespace, actor=self.actor, now=self.now, details=told)


def retry_details(state: RunState, *, force: bool, edited: bool) -> dict[str, object]:
    """The details of a retry's audit entry."""
    # Not the edited input: it may hold secrets.
    return {"state": state.label, "force": force} | ({"edited": True} if edited else {})


def check_reason(reason: str) -> str:
    """Raises InvalidInputError."""
    if len(reason) > REASON_MAX or not REASON.fullmatch(reason):
        reason = f"needs at most {REASON_MAX} characters, none of them a control character"
        raise InvalidInputError("reason", reason, code="bad_reason")
    return reason


def refuse_cancel(run: RunId, state: RunState) -> ConflictError:
    return ConflictError("run", id_text(run), f"it has {ENDED[state]}: there is nothing to cancel", code="run_final")


def refuse_retry(run: RunId, state: RunState) -> ConflictError:
    if state is RunState.SUCCEEDED:
        reason = "it has succeeded: only `force` runs it again"
        return ConflictError("run", id_text(run), reason, code="run_succeeded")
    reason = f"it is {state.label}: only a run that has ended, or that waits because it was lost, can be run again"
    return ConflictError("run", id_text(run), reason, code="run_live")


ENDED = {
    RunState.SUCCEEDED: "succeeded",
    RunState.FAILED: "failed",
    RunState.CANCELLED: "been cancelled",
    RunState.SKIPPED: "been skipped",
}
