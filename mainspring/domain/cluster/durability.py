"""What a commit of this database survives."""

from enum import StrEnum


class Durability(StrEnum):
    """Classes, the strongest first."""

    SYNC = "sync"
    """A commit is on a standby before it is answered."""
    ASYNC = "async"
    """A standby follows: the loss of the primary costs at most its lag."""
    SINGLE = "single"
    """A commit is on the disk of one machine."""
    UNSAFE = "unsafe"
    """A crash of the machine can lose or tear what was committed."""


ORDER = tuple(Durability)
WAITING = frozenset({"on", "remote_write", "remote_apply"})
"""Values of synchronous_commit with which a commit waits for a standby, if one is named."""


def durability_of(*, fsync: str, full_page_writes: str, commit: str, named: str, standbys: int) -> Durability:
    """From PostgreSQL's settings, and the standbys that are connected as far as rights let them be seen."""
    if "off" in (fsync, full_page_writes, commit):
        return Durability.UNSAFE
    if named.strip() and commit in WAITING:
        return Durability.SYNC
    return Durability.ASYNC if standbys else Durability.SINGLE


def is_enough(found: Durability, required: Durability | None) -> bool:
    return required is None or ORDER.index(found) <= ORDER.index(required)
