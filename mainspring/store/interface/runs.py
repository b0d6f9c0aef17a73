"""Live runs and their way into history."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.runs.attempt import Claim, Decision, Ended, Held, Successes, Verdict
from mainspring.domain.runs.run import Attempt, KeyHolder, NewRun, Run, RunState

Decide = Callable[[Held, Ended], Decision]
"""The pure rule that settle applies to each attempt while it holds its row."""


class RunFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs to list, in the order of their ids, which is that of their creation."""

    namespace: str
    job: str | None = None
    queue: str | None = None
    states: tuple[RunState, ...] = ()
    """Any of these; empty: any at all."""
    tags: tuple[str, ...] = ()
    labels: dict[str, str] = {}
    """All of them."""
    key: str | None = None
    parent: RunId | None = None
    """Only what the handler of that run asked for."""
    ids: tuple[RunId, RunId] | None = None
    """Between these two, both included."""
    since: datetime | None = None
    until: datetime | None = None
    """When they were created: not before `since`, and before `until`."""
    oldest_first: bool = False
    after: RunId | None = None
    """Where the page before ended: its `next`."""
    limit: int = 50
    bodies: bool = False
    """With inputs, results and tracebacks, as far as they are not large."""
    parked: tuple[int, ...] = ()
    """Lines whose queued runs count as waiting, because nobody takes them at present."""


class RunPage(msgspec.Struct, frozen=True):
    """Some runs that match. There may be fewer than asked for, even none, and yet more to come: then `next` is given."""

    runs: list[Run]
    next: RunId | None = None


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
        self,
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
        since: Mapping[int, datetime] | None = None,
        bundled: bool = False,
    ) -> list[Claim]:
        """Give each slot a due run, most urgent first; never the same run twice, never more than slots.

        Slots of sessions that are not live get nothing, and a run whose deadline has come is given to nobody. Priority is
        global over the lines; within a priority the lines take turns in the order given, each by due time. What fell due
        in a line before its instant in `since` is left alone: whoever says that nothing of it is left saves the look.
        With `bundled` the store may keep what it takes in bundles, which is cheaper for what is over in a moment.
        """

    async def unbundle(self, *, now: datetime) -> int:
        """Undo bundles that have lasted long; return how many attempts were in them. Nobody sees a difference."""

    async def unclaim(self, sessions: Sequence[SessionId], *, token: Token) -> int:
        """Put back what that claim took, if anything: the way out of a claim whose commit got no answer.

        What is to be cancelled stays with its session, whose executor is told of it or whose death ends it.
        """

    async def next_due(self, lines: Sequence[int], *, after: datetime) -> datetime | None:
        """The first instant after `after` at which a queued run of these lines falls due."""

    async def succeed(self, successes: Successes, *, now: datetime) -> int:
        """Move the runs whose token matches to history as succeeded; return how many matched."""

    async def settle(self, ended: Sequence[Ended], decide: Decide, *, now: datetime) -> dict[RunId, RunState]:
        """Apply outcomes whose token matches, by `decide`; return the new state of each run that matched.

        Each failed, timed-out, cancelled or lost attempt leaves an attempt record. Final runs move to history; the
        others go back to their line without a token.
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
    async def list(self, query: RunFilter) -> RunPage:
        """A page of runs, live and from history together; what is read for it is bounded, whatever the filter."""
