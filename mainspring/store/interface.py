"""What the rest of the project may ask of a database: domain verbs, each one atomic act.

Rules that hold for every method. `now` is an argument; no statement reads a clock. Lists in, lists out. A method that
changes state does so in one statement or starts with a row lock. `StoreUnavailableError` means: try again later; the
act may or may not have happened, and repeating it with the same ids and tokens is harmless.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.attempt import Claim, Decision, Ended, Held, Successes, Verdict
from mainspring.domain.ids import RunId, ServerId, SessionId, Token
from mainspring.domain.job import Job, JobSpec
from mainspring.domain.line import Line
from mainspring.domain.log import LogEntry, Progress
from mainspring.domain.run import Attempt, KeyHolder, NewRun, Run, RunState
from mainspring.domain.session import ServerInfo, Session

Decide = Callable[[Held, Ended], Decision]
"""The pure rule that settle applies to each attempt while it holds its row."""


class RunFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs to list, newest first; `before` is the id of the last one on the page before."""

    namespace: str
    job: str | None = None
    queue: str | None = None
    states: tuple[RunState, ...] = ()
    before: RunId | None = None
    limit: int = 50


class Runs(Protocol):
    """Live runs and their way into history."""

    async def create(self, namespace: str, runs: Sequence[NewRun], *, now: datetime) -> dict[RunId, KeyHolder]:
        """Insert the runs, all or (on error) none; return the holder for each one whose key was taken.

        A run whose key is held by the same request (equal digest) is not inserted; a key held by another request raises
        `ConflictError` and inserts nothing. Repeating the call with the same ids inserts nothing twice.
        A run with a token is inserted running, as attempt 1 of its session; the others queued. If such a session is not
        live, raises `LeaseLostError` and inserts nothing.
        """

    async def claim(
        self, lines: Sequence[int], slots: Sequence[SessionId], *, token: Token, now: datetime
    ) -> list[Claim]:
        """Give each slot a due run, most urgent first; never the same run twice, never more than slots.

        Slots of sessions that are not live get nothing. Priority is global over the lines; within a priority the lines take
        turns in the order given, each by due time.
        """

    async def unclaim(self, sessions: Sequence[SessionId], *, token: Token) -> int:
        """Put back what that claim took, if anything: the way out of a claim whose commit got no answer."""

    async def next_due(self, lines: Sequence[int], *, after: datetime) -> datetime | None:
        """The first instant after `after` at which a queued run of these lines falls due."""

    async def succeed(self, successes: Successes, *, now: datetime) -> int:
        """Move the runs whose token matches to history as succeeded; return how many matched."""

    async def settle(self, ended: Sequence[Ended], decide: Decide, *, now: datetime) -> dict[RunId, RunState]:
        """Apply outcomes whose token matches, by `decide`; return the new state of each run that matched.

        Each failed, timed-out or lost attempt leaves an attempt record. Final runs move to history; the others go back
        to their line without a token.
        """

    async def verdicts(self, pairs: Sequence[tuple[RunId, Token]]) -> dict[RunId, Verdict]:
        """Say of outcomes that did not match whether they had been applied before or are stale."""

    async def held_by(self, session: SessionId, *, claimed_before: datetime, limit: int) -> list[Held]:
        """Attempts the store believes this session has, claimed before that instant."""

    async def tally(self, session: SessionId) -> dict[Token, int]:
        """How many attempts the store believes this session has under each token."""

    async def held_under(self, session: SessionId, tokens: Sequence[Token]) -> list[Held]:
        """Those attempts of the session that carry one of these tokens."""

    async def get(self, namespace: str, run: RunId) -> Run | None:
        """The run, live or from history; a namespace never sees another's."""

    async def attempts(self, run: RunId) -> list[Attempt]:
        """The attempts that did not succeed, oldest first."""

    async def states(self, runs: Sequence[RunId]) -> dict[RunId, RunState]:
        """The present state of each run that exists."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: RunFilter) -> list[Run]:
        """A page of runs, live and from history together."""


class Jobs(Protocol):
    """Job definitions and the lines their runs stand in."""

    async def register(self, namespace: str, specs: Sequence[JobSpec], *, now: datetime) -> list[Job]:
        """Add or update definitions by name; return them with their ids, in the order given."""

    async def all(self) -> list[Job]: ...

    async def lines(self, lines: Sequence[Line]) -> list[int]:
        """The number of each line, made on first use and never reused."""

    async def all_lines(self) -> dict[int, Line]: ...


class Cluster(Protocol):
    """Executor sessions and servers."""

    async def open_session(self, session: Session, *, now: datetime) -> bool:
        """Add the session, or move a living one to this server; False if it was given up as dead."""

    async def renew(self, sessions: Sequence[SessionId], *, lease_until: datetime) -> list[SessionId]:
        """Extend the leases of those not dead; return them."""

    async def drain_session(self, session: SessionId) -> None:
        """Mark it as taking no new work."""

    async def close_session(self, session: SessionId, *, now: datetime) -> None:
        """Mark it dead at its own wish; what it still held is reclaimed."""

    async def sessions(self) -> list[Session]:
        """All that are not dead."""

    async def expire(self, *, before: datetime, now: datetime) -> list[SessionId]:
        """Mark dead the sessions whose lease ended before that instant; return all dead ones not yet at rest.

        A claim or an eager create under way for one of them either finishes first or finds it dead.
        """

    async def lay_to_rest(self) -> None:
        """Note of dead sessions that hold no attempt any more that there is nothing left to reclaim."""

    async def forget(self, *, dead_before: datetime) -> int:
        """Delete sessions at rest that died before that instant; history that names them is pruned by then."""

    async def join(self, server: ServerInfo, *, now: datetime) -> list[ServerInfo]:
        """Add or renew this server; return all whose lease has not lapsed."""

    async def leave(self, server: ServerId) -> None: ...


class Telemetry(Protocol):
    """What handlers say while they run."""

    async def append_logs(self, entries: Sequence[LogEntry], *, now: datetime) -> None: ...

    async def logs(self, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]:
        """Log lines with their position, in the order they arrived, behind position `after`."""

    async def report_progress(self, entries: Sequence[Progress], *, now: datetime) -> None: ...

    async def progress(self, run: RunId) -> Progress | None: ...


class History(Protocol):
    """Time partitions of everything that is over."""

    async def prepare(self, *, now: datetime, days: int) -> None:
        """Make sure that partitions for today and the next days exist."""

    async def prune(self, *, before: datetime) -> list[str]:
        """Drop the partitions that hold nothing newer; delete old keys and progress; name what was dropped."""


class Store(Protocol):
    """One database."""

    runs: Runs
    jobs: Jobs
    cluster: Cluster
    telemetry: Telemetry
    history: History

    async def clock(self) -> datetime:
        """The database's own time."""

    async def check_schema(self) -> None:
        """Raise `SchemaError`, saying what to do, unless the schema is the one this version works with."""

    async def migrate(self) -> list[str]:
        """Apply the missing migrations in order; return their names. Safe from several processes at once."""

    async def pending(self) -> Mapping[str, str]:
        """Migrations not yet applied: name to SQL."""

    async def wake(self, hint: str) -> None:
        """Tell other servers that there may be something to do; may be lost."""

    async def listen(self, listener: Callable[[str], None]) -> bool:
        """Have the listener called with hints; call again now and then, for a broken connection is only mended then.

        False if this database carries no hints; polling finds everything without them.
        """

    async def close(self) -> None: ...
