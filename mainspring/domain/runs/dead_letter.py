"""Dead letters: runs that failed for good, and that no operator has retried or discarded.

Ten thousand of them are rarely ten thousand problems. What they have in common is their *fingerprint*: the job, the class of
the error, and its message without its particulars (ids, numbers, addresses, paths, whatever stands in quotes).
"""

import hashlib
import re
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import Failure
from mainspring.errors import InvalidInputError

READ_MAX = 2_000
"""Characters of a message that are looked at."""
MESSAGE_MAX = 200
FINGERPRINT_SIZE = 8
FINGERPRINT = re.compile(f"[0-9a-f]{{{2 * FINGERPRINT_SIZE}}}")
COUNT_MAX = 1_000
"""How far a group is counted when it is listed."""

HOURS = 24
RECENT_MAX = 250
VERSIONS_OF = 5

PARTICULARS = (
    (re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,15}://[^\s'\"<>]+"), "<url>"),
    (re.compile(r"(?<!\w)'[^'\n]*'(?!\w)|\"[^\"\n]*\"|`[^`\n]*`"), "<text>"),
    (re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+"), "<address>"),
    (re.compile(r"(?<![\w/<])(?:[A-Za-z]:)?(?:[\\/][\w.@%+~-]+)+[\\/]?"), "<path>"),
    (re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "<id>"),
    (re.compile(r"\b0[xX][0-9a-fA-F]+\b|\b(?=[0-9a-fA-F]{0,63}\d)[0-9a-fA-F]{8,64}\b"), "<hex>"),
    (re.compile(r"\d+(?:[.,:-]\d+)*"), "<n>"),
    (re.compile(r"\s+"), " "),
)
"""What differs from run to run, and what stands for it; in this order."""


class Cause(msgspec.Struct, frozen=True):
    """Why a run is dead, in the words by which it is grouped."""

    error: str
    message: str

    def fingerprint(self, job: int) -> bytes:
        """The fingerprint that all runs of a job share that died of the same error."""
        words = f"{job}\0{self.error}\0{self.message}"
        return hashlib.sha256(words.encode(errors="replace")).digest()[:FINGERPRINT_SIZE]


class Discard(msgspec.Struct, frozen=True):
    """An operator's word that nothing is to be done about a dead run any more."""

    at: datetime
    by: str
    reason: str


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """One run that failed for good."""

    run: RunId
    job: str
    queue: str
    fingerprint: bytes
    error: str
    message: str
    failed_at: datetime
    reason: str | None
    discarded: Discard | None = None


class DeadGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Dead letters with one fingerprint."""

    fingerprint: bytes
    job: str
    error: str
    message: str
    runs: int
    """Counted up to `COUNT_MAX`."""
    first_at: datetime
    last_at: datetime
    example: RunId
    """The latest."""


class FailureFigure(msgspec.Struct, frozen=True, kw_only=True):
    """When runs of a kind failed in the last day, and by which code."""

    fingerprint: bytes
    hours: tuple[int, ...]
    """Runs by the hour in which they failed, the last hour last; of the newest `RECENT_MAX` of them."""
    more: bool
    """There are more than were counted."""
    versions: tuple[str, ...]
    """Code versions of the attempts of the newest `VERSIONS_OF` runs, in the order of their names."""


class Discarded(msgspec.Struct, frozen=True):
    """The reason and note of a discard."""

    reason: str
    actor: Actor
    now: datetime


def cause_of(reason: str | None, failure: Failure | None) -> Cause:
    """The error of the last attempt; where there was none, the rule that ended the run."""
    if failure is None or not failure.error:
        return Cause(reason or "failed", "")
    return Cause(failure.error, general(failure.message))


def general(message: str) -> str:
    """The message without its particulars."""
    text = message[:READ_MAX]
    for pattern, stand_in in PARTICULARS:
        text = pattern.sub(stand_in, text)
    return text.strip()[:MESSAGE_MAX]


def parse_fingerprint(text: str) -> bytes:
    if not FINGERPRINT.fullmatch(text):
        reason = f"{text!r} is not a fingerprint: {2 * FINGERPRINT_SIZE} of 0-9, a-f"
        raise InvalidInputError("fingerprint", reason, code="bad_fingerprint")
    return bytes.fromhex(text)
