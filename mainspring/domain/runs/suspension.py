"""A run that is set aside until an operator, or the clock, lets it go on: neither a failure nor a loss.

A run that no executor has waits at once. For a run under way the wish is written on its row, as it is
for a cancel; the executor is told, and the handler yields where the run can be taken up again: at its next checkpoint or
step. Whatever the attempt ends with, settle finds the wish: what is final stands, anything else waits. Time goes on
meanwhile: a deadline that comes fails the run.
"""

from datetime import datetime

import msgspec

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.attempt import CANCELLING
from mainspring.domain.runs.cancel import ENDED, CancelRequest
from mainspring.domain.runs.run import DUE_MAX, RunState, WaitReason
from mainspring.domain.years import check_years
from mainspring.errors import ConflictError, InvalidInputError

SUSPENDING = "suspending"
"""The reason that a running run shows until its handler yields."""
SET_ASIDE = (WaitReason.SUSPENDED, SUSPENDING)
"""The reasons of runs that are suspended, or are about to be."""


class Resumed(msgspec.Struct, frozen=True):
    """Where a run stands again after its suspension, and from when on."""

    line: int
    due_at: datetime


class Suspended(msgspec.Struct, frozen=True):
    """The result of a suspend or a resume."""

    state: RunState
    """As the run was found."""
    found: str | None = None
    """The reason that it showed."""
    changed: bool = False
    line: int | None = None
    """Where it stands again."""
    wish: CancelRequest | None = None
    """The attempt whose handler is to yield."""


def check_resume_at(resume_at: datetime | None, now: datetime) -> datetime | None:
    """Raises InvalidInputError."""
    if resume_at is None:
        return None
    if resume_at.tzinfo is None:
        reason = "needs a UTC offset, such as 2030-01-01T09:00:00Z"
        raise InvalidInputError("resume_at", reason, code="bad_resume_at")
    check_years(resume_at, "resume_at", code="bad_resume_at")
    if resume_at <= now:
        raise InvalidInputError("resume_at", "is not in the future", code="bad_resume_at")
    if resume_at - now > DUE_MAX:
        raise InvalidInputError("resume_at", "is more than 10 years ahead", code="bad_resume_at")
    return resume_at


def refuse_suspend(run: RunId, state: RunState) -> ConflictError:
    if state.final:
        reason = f"it has {ENDED[state]}: there is nothing to suspend"
        return ConflictError("run", id_text(run), reason, code="run_final")
    if state is RunState.RUNNING:
        return ConflictError("run", id_text(run), "it is being cancelled", code="run_cancelling")
    return ConflictError("run", id_text(run), "it waits for something else already", code="run_waiting")


def may_suspend(state: RunState, reason: str | None) -> bool:
    """Whether a live run may be set aside: not if it is being cancelled, or waits for something else."""
    if state is RunState.WAITING:
        return reason == WaitReason.SUSPENDED
    return reason != CANCELLING


def refuse_resume(run: RunId, state: RunState) -> ConflictError:
    if state.final:
        reason = f"it has {ENDED[state]}: there is nothing to resume"
        return ConflictError("run", id_text(run), reason, code="run_final")
    return ConflictError("run", id_text(run), f"it is {state.label} and not suspended", code="run_not_suspended")
