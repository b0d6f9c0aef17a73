"""What holds of a store at every moment, whatever has happened to servers, executors and connections.

Each can be asked while everything is running, for little: what is looked at is bounded, and it is the oldest or the newest
of its kind, where whatever went wrong and stayed wrong is found. What needs a moment to become true again after a fault (a
dead session's attempts are reclaimed, a deadline that has come ends its run) is given a grace.
"""

from datetime import timedelta

import msgspec

from mainspring.domain.runs.run import WaitReason

LOOK = 2_000
"""Rows that one question looks at ..."""
LOOK_INSIDE = 400
"""... and so many of each table are read as the duties read them, which costs a hundred times as much for each."""
EXAMPLES = 5
GRACE = timedelta(seconds=60)
"""Several leases, and a server's start."""

HOLDS = tuple(reason.value for reason in WaitReason)
"""What may keep a run waiting."""


INVARIANTS: dict[str, str] = {
    "live_state": "a live run is waiting, queued or running",
    "past_state": "a run in history has ended",
    "one_place": "no run is both live and in history",
    "owner": "a running run has a session and a token, and no other one has",
    "owner_known": "the session that a running run belongs to is known",
    "owner_open": "no running run belongs to a session from which nothing is reclaimed any more",
    "reclaimed": "the attempts of a dead session are reclaimed",
    "leases": "a session whose lease has passed is given up",
    "deadlines": "a run that nobody works on ends when its deadline comes",
    "hold": "a waiting run says what it waits for",
    "flows": "a workflow run waits for its steps exactly as long as it has a flow",
    "steps": "a live run of a step has a workflow run that is under way",
    "moving": "a workflow run that is under way has something to wait for",
    "batches": "a batch counts the runs that it has",
    "waits": "a step that waits for a time, an event or an approval is found by it",
    "parked": "a run that waits for a breaker is found by its release",
    "bookings": "no executor has more under way than its resources and limits allow",
    "keys": "a key leads to its run",
    "marks": "a mark leads to its run",
    "payloads": "a payload leads to its run, and a live run to its payload",
    "dead_letters": "a dead letter leads to a run that has failed",
    "fires": "the latest fire of a trigger leads to its run",
    "acts": "an active trigger is to be moved no later than at its next instant",
    "moves": "a trigger whose time to move has come is moved",
    "sweeps": "a sweep that is under way gets on",
    "backfills": "a backfill that may make runs makes them",
    "roll_up": "what has finished is counted, but for the last moments",
    "days": "there is room in history for today and tomorrow",
    "readable": "every row can be read, and no duty passes over one",
    "years": "every instant lies within the years 1900 to 2999",
}
"""By name, what each says; in the order in which they are told."""


class Violation(msgspec.Struct, frozen=True):
    """An invariant that does not hold."""

    name: str
    examples: tuple[str, ...]
    """What was found, some of it."""

    @property
    def says(self) -> str:
        return INVARIANTS[self.name]
