"""Calls of a webhook as they are remembered: who owns the trigger reads why one was refused."""

from datetime import datetime

import msgspec

from mainspring.domain.ids import id_text
from mainspring.domain.runs.birth import Accepted
from mainspring.errors import MainspringError

KEPT = 50
"""Calls of one webhook that are remembered, the newest ones."""
TEXT_MAX = 300


class TakenCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call and its outcome; neither its body nor its headers are kept."""

    trigger: int
    at: datetime
    run: str | None = None
    """The run that it made, or that had its key before; None: it was refused."""
    existing: bool = False
    """Whether that run was there before."""
    code: str | None = None
    """Of the refusal,"""
    detail: str | None = None
    """and its sentence."""


def accepted_call(trigger: int, at: datetime, accepted: Accepted) -> TakenCall:
    return TakenCall(trigger=trigger, at=at, run=id_text(accepted.id), existing=accepted.existing)


def refused_call(trigger: int, at: datetime, error: MainspringError) -> TakenCall:
    return TakenCall(trigger=trigger, at=at, code=error.code, detail=shown(str(error)))


def shown(text: str) -> str:
    """Short, and without characters that no database or no terminal takes: parts of it are the caller's."""
    return "".join(one if one.isprintable() else " " for one in text[:TEXT_MAX])
