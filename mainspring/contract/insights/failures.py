"""What people say of kinds of failures, and when these happened: bodies and operations."""

from typing import Annotated

import msgspec

from mainspring.contract.base.fields import Instant, Note, Reason
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.bulk import FailureFigures, FailureNoteInfo
from mainspring.contract.operations.bulk import FingerprintText
from mainspring.domain.access.permissions import Permission
from mainspring.domain.bulk.failure_note import OWNER_MAX

FIGURES_MAX = 100
FingerprintTexts = Annotated[list[FingerprintText], msgspec.Meta(max_length=FIGURES_MAX)]
FailureOwner = Annotated[str, msgspec.Meta(max_length=OWNER_MAX)]


class FailureNoteBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    note: Note
    """Empty: take away the one that there is."""


class FailureOwnerBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    owner: FailureOwner
    """A person or a team. Empty: take away the one that there is."""


class FailureFiguresQuery(Query):
    fingerprint: FingerprintTexts = []


class MuteBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    until: Instant | None = None
    """Null: until it comes again."""
    reason: Reason = ""


class UnmuteBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""


NOTE_FAILURE = Operation(
    "note_failure",
    "PUT /api/v1/dead-letters/{fingerprint}/note",
    Permission.RUNS_STEER,
    "Write down what is known of a group of dead letters, for everybody who looks at it.",
    FailureNoteInfo,
    body=FailureNoteBody,
    parts={"fingerprint": FingerprintText},
    repeatable=True,
)
ASSIGN_FAILURE = Operation(
    "assign_failure",
    "PUT /api/v1/dead-letters/{fingerprint}/owner",
    Permission.RUNS_STEER,
    "Say which person or team looks after a group of dead letters.",
    FailureNoteInfo,
    body=FailureOwnerBody,
    parts={"fingerprint": FingerprintText},
    repeatable=True,
)
GET_FAILURE_FIGURES = Operation(
    "get_failure_figures",
    "GET /api/v1/figures/failures",
    Permission.RUNS_READ,
    "Count up to 100 groups of dead letters by the hours of the last day, with the code versions of their newest runs.",
    FailureFigures,
    query=FailureFiguresQuery,
    tag="insights",
)
MUTE_FAILURE = Operation(
    "mute_failure",
    "POST /api/v1/dead-letters/{fingerprint}/mute",
    Permission.RUNS_STEER,
    "Have no alert tell of a group of dead letters as a new failure, until an instant or until it comes again.",
    FailureNoteInfo,
    body=MuteBody,
    body_optional=True,
    parts={"fingerprint": FingerprintText},
)
UNMUTE_FAILURE = Operation(
    "unmute_failure",
    "POST /api/v1/dead-letters/{fingerprint}/unmute",
    Permission.RUNS_STEER,
    "End the mute of a group of dead letters.",
    FailureNoteInfo,
    body=UnmuteBody,
    body_optional=True,
    parts={"fingerprint": FingerprintText},
)
