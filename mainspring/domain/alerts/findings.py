"""The facts that one evaluation of alert rules goes by, gathered for all rules at once."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.queues.queue import Depth
from mainspring.domain.slos.budget import BudgetState

Place = tuple[str, str]
"""Namespace and name."""
COUNTS_OLD = timedelta(minutes=2)
"""How old roll-ups may be and still say that all is well."""
SURVEY_OLD = timedelta(minutes=1)


class EndedRuns(msgspec.Struct, frozen=True):
    """Runs of a job or queue that ended within a window."""

    failed: int = 0
    succeeded: int = 0
    error: str = ""
    """The class of an error among them."""

    @property
    def judged(self) -> int:
        return self.failed + self.succeeded


class QueueFacts(msgspec.Struct, frozen=True, kw_only=True):
    depth: Depth = Depth()
    executors: int = 0
    max_queued: int | None = None
    paused: bool = False


class Since(msgspec.Struct, frozen=True):
    """Something that is so since an instant, and the job or run it is about."""

    at: datetime
    about: str = ""


class TriggerEnds(msgspec.Struct, frozen=True, kw_only=True):
    """When a run of a trigger last succeeded."""

    looked: bool = False
    """False: its runs were not looked at yet."""
    succeeded_at: datetime | None = None
    """None: none of its newest runs has."""
    made_at: datetime
    interval: float | None = None
    """The longest of its next intervals in seconds; None: it has none that is known ahead."""


class NewKind(msgspec.Struct, frozen=True):
    """A kind of failure that was not known before."""

    fingerprint: str
    runs: int
    error: str
    first_at: datetime


class Fault(msgspec.Struct, frozen=True):
    """Trouble of the cluster as a whole, in words, with its remedy."""

    subject: str
    words: str
    value: float = 0.0


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """Facts by namespace and name; mappings by seconds hold one entry for each window that a rule has."""

    now: datetime
    counted_until: datetime | None = None
    surveyed_at: datetime | None = None
    jobs: Mapping[float, Mapping[Place, EndedRuns]] = {}
    queues_ended: Mapping[float, Mapping[Place, EndedRuns]] = {}
    succeeded: Mapping[Place, tuple[datetime | None]] = {}
    """By job, when a run of it last succeeded; None in it: never."""
    triggers: Mapping[Place, TriggerEnds] = {}
    """Active timed triggers that a rule of kind `stale` is about."""
    queues: Mapping[Place, QueueFacts] = {}
    late: Mapping[Place, Since] = {}
    """Active triggers by when they should have been moved."""
    paused: Mapping[Place, Since] = {}
    skipped: Mapping[float, Mapping[Place, tuple[int, str]]] = {}
    """By trigger: skips that no operator and no calendar asked for, and the job."""
    running: Mapping[Place, Since] = {}
    """By job, its longest attempt under way."""
    usual: Mapping[Place, float] = {}
    """By job, the 99th percentile of its durations last week."""
    dead_new: Mapping[float, Mapping[Place, Sequence[NewKind]]] = {}
    """By job: fingerprints that are new in the window."""
    dead_open: Mapping[Place, int] = {}
    lost: Mapping[Place, Since] = {}
    servers_lost: Mapping[str, Since] | None = None
    """By name, servers whose lease lapsed; None: no look at them yet."""
    servers: int | None = None
    """Servers that are there; None: no look at them yet."""
    strays: Mapping[Place, int] = {}
    """By executor, its threads that go on with attempts which were given up."""
    breakers: Mapping[Place, Since] = {}
    canaries: Mapping[Place, Since] = {}
    """Jobs whose canary was stopped, since when, and its version."""
    """Breakers that are open."""
    stuck: Mapping[Place, Since] = {}
    """By workflow: the one that has not moved for longest."""
    faults: Sequence[Fault] = ()
    """Of the store."""
    expiring: Sequence[Fault] = ()
    slos: Mapping[Place, BudgetState] = {}
    failing: Sequence[Fault] = ()
    """Channels that took nothing for long."""

    @property
    def counts_are_fresh(self) -> bool:
        return self.counted_until is not None and self.now - self.counted_until <= COUNTS_OLD

    @property
    def survey_is_fresh(self) -> bool:
        return self.surveyed_at is not None and self.now - self.surveyed_at <= SURVEY_OLD
