"""What people say of a kind of failure: a note, who looks after it, and a mute for a while.

A muted kind raises no alert of a new failure. A mute without an end lasts until the failure comes again: from then on it is
new.
"""

from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.names import NOTE_MAX, check_text
from mainspring.domain.runs.cancel import check_reason
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError

OWNER_MAX = 100


class Mute(msgspec.Struct, frozen=True, kw_only=True):
    """A person's word that no alert is to tell of a kind of failure."""

    at: datetime
    until: datetime | None
    """None: until it comes again."""
    by: str
    reason: str = ""

    def holds(self, now: datetime, last_at: datetime) -> bool:
        """Whether it holds for a failure that was seen last at `last_at`."""
        return last_at <= self.at if self.until is None else now < self.until


class FailureNote(msgspec.Struct, frozen=True, kw_only=True):
    """The note of a kind of failure, its owner, and its mute."""

    note: str = ""
    noted_by: str = ""
    noted_at: datetime | None = None
    mute: Mute | None = None
    owner: str = ""
    """A person or a team; empty: nobody looks after it."""
    owned_by: str = ""
    """Who said so last."""
    owned_at: datetime | None = None


NO_NOTE = FailureNote()


def check_note(note: str) -> str:
    """Raises InvalidInputError; an empty note takes the one away that there is."""
    return note if note == "" else check_text(note, "note", most=NOTE_MAX, code="bad_note")


def check_owner(owner: str) -> str:
    """Raises InvalidInputError; an empty owner takes the one away that there is."""
    return owner if owner == "" else check_text(owner, "owner", most=OWNER_MAX, code="bad_owner")


def check_mute(mute: Mute) -> Mute:
    """Raises InvalidInputError, which names the field."""
    if mute.until is not None:
        check_years(mute.until, "until", code="bad_until")
        if mute.until <= mute.at:
            reason = "is not after now: leave it out to mute until it comes again"
            raise InvalidInputError("until", reason, code="bad_until")
    check_reason(mute.reason)
    return mute


def note_entry(
    act: str, fingerprint: bytes, details: dict[str, object], *, namespace: str, actor: Actor, at: datetime
) -> AuditEntry:
    return audit_entry(act, "failure", fingerprint.hex(), details, namespace=namespace, actor=actor, at=at)
