"""Live runs and their way into history."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.limits.lanes import LaneRule
from mainspring.domain.queues.policy import ClaimOrder
from mainspring.domain.queues.shed import Relief, Shedding
from mainspring.domain.runs.attempt import Claim, Decision, Ended, GatedClaims, HandedOver, Held, Successes, Verdict
from mainspring.domain.runs.cancel import Cancelled, CancelRequest, Retried
from mainspring.domain.runs.change import RunChange
from mainspring.domain.runs.checkpoints import Kept, Memory, Pair, Recollection
from mainspring.domain.runs.log import LogEntry, Progress
from mainspring.domain.runs.query import RunFilter, RunMatches
from mainspring.domain.runs.run import Attempt, KeyHolder, NewRun, Run, RunState, Suspension
from mainspring.domain.runs.suspension import Resumed, Suspended
from mainspring.errors import OverBudgetError

Decide = Callable[[Held, Ended], Decision]
"""The pure rule that settle applies to each attempt while it holds its row."""


class RunStore(Protocol):
    """Live runs and their way into history, with the logs, progress and checkpoints of their attempts.

    Each change at an operator's request is one transaction with its audit entries, and starts with locks of the rows that it is
    about.
    """

    async def create(self, namespace: str, runs: Sequence[NewRun], *, now: datetime) -> dict[RunId, KeyHolder]:
        """Insert the runs, all or (on error) none; return the holder for each one whose key was taken.

        A run whose key is held by the same request (equal digest) is not inserted; a key held by another request raises
        `ConflictError` and inserts nothing. Repeating the call with the same ids inserts nothing twice.
        A run with a token is inserted running, as attempt 1 of its session; the others queued. If such a session is not
        live, raises `LeaseLostError` and inserts nothing.
        """

    async def create_shedding(
        self,
        namespace: str,
        runs: Sequence[NewRun],
        parts: Sequence[Shedding],
        *,
        refusal: OverBudgetError,
        now: datetime,
    ) -> Relief:
        """Insert the runs as `create` does, and skip waiting ones in the same commit: so many of the lines of each part.

        Those go that are less urgent than any of the new runs, the least urgent first, and of these the ones that would start
        last. Steps, and runs that have had an attempt, stay. If there are too few, raises `refusal` and changes nothing. A
        new run whose key is taken needs no room.
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

        Slots of sessions that are not live get nothing, and a run whose deadline has come is given to none. Priority is
        global over the lines; within a priority the lines take turns in the order given, each by due time. What fell due
        in a line before its instant in `since` is skipped: pass it when none can be left.
        With `bundled` the store may keep what it takes in bundles, which is cheaper for what is over in a moment.
        """

    async def claim_gated(
        self,
        gates: Sequence[int],
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
        since: Mapping[int, datetime] | None = None,
        order: ClaimOrder | None = None,
        bundled: bool = False,
    ) -> GatedClaims:
        """Claim through gates: no more runs than every gate has room and tokens for, and none through one that is not there.

        With an order, old runs get their slots first, and urgent ones go before the others of their priority.
        """

    async def claim_lanes(
        self,
        gates: Sequence[int],
        rule: LaneRule,
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
        bundled: bool = False,
    ) -> GatedClaims:
        """Claim from the lanes of these lines, in the order of their turns, and through these gates.

        From each lane no more than its limit and its rate leave; by weight where keys take turns.
        """

    async def hand_over(
        self,
        successes: Successes,
        gates: Sequence[int],
        rule: LaneRule,
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
    ) -> HandedOver:
        """Move successes of attempts from lanes to history, as `succeed` does, and claim for these slots in the same commit.

        The places that the successes free may go straight to the next runs of their lanes, in front of other lanes' turns; no
        lane has more attempts under way than before. Nothing is claimed for a session that is not live, and
        nothing at all if a success matches no attempt.
        """

    async def unbundle(self, *, now: datetime) -> int:
        """Undo bundles that have lasted long; return how many attempts were in them. No caller sees a difference."""

    async def unclaim(self, sessions: Sequence[SessionId], *, token: Token) -> int:
        """Put back the runs that a claim took, if any: for a claim whose commit got no answer.

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

    async def many(self, namespace: str, runs: Sequence[RunId]) -> list[Run]:
        """Those of the runs that are there, without their inputs and results, in any order."""

    async def attempts(self, run: RunId) -> list[Attempt]:
        """The attempts that did not succeed, oldest first."""

    async def states(self, runs: Sequence[RunId]) -> dict[RunId, RunState]:
        """The present state of each run that exists."""

    async def lines_of(self, runs: Sequence[RunId]) -> dict[RunId, int]:
        """The lines of those of these runs that are live, and in no bundle."""

    async def change(
        self,
        namespace: str,
        runs: Sequence[RunId],
        change: RunChange,
        lines: Mapping[int, int],
        *,
        reason: str,
        actor: Actor,
        now: datetime,
    ) -> dict[RunId, int]:
        """Change those of the runs that are queued or in a lane, and return them with their lines; audited.

        For another queue, `lines` has the line there of each line that a run may stand in; a run of any other line stays as
        it is. A claim under way finishes first, and what it took is not changed.
        """

    async def cancel(
        self, namespace: str, runs: Sequence[RunId], *, reason: str, actor: Actor, now: datetime
    ) -> dict[RunId, Cancelled]:
        """Cancel runs that no session has, note on running ones that they are to be; return the fate of each that exists.

        A claim or an outcome under way for one of them finishes first. From the commit on, a run that was queued or waiting
        is final, and one that is running never runs again, whatever its attempt ends with. A run that has ended, or was
        cancelled before, is not changed.
        """

    async def stop_requests(self, sessions: Sequence[SessionId], *, reason: str) -> list[CancelRequest]:
        """The attempts of these sessions whose handlers are to stop: `CANCELLING` or `SUSPENDING`."""

    async def retry(
        self,
        namespace: str,
        run: RunId,
        *,
        force: bool,
        reason: str,
        actor: Actor,
        now: datetime,
        input: bytes | None = None,  # noqa: A002 the word of the API
    ) -> Retried | None:
        """Put a run that has ended back into its line, due now, with another input if given; None if there is no such run.

        Changes nothing if it is live, or has succeeded and is not forced. Its failures and losses count from zero again, the
        number of its attempts goes on, and what is known of them stays. A deadline that has passed is dropped.
        """

    async def expire(self, *, now: datetime, limit: int) -> list[RunId]:
        """Fail runs that no session has and whose deadline has come, earliest first, at most `limit`; return them."""

    async def next_deadline(self) -> datetime | None:
        """The earliest deadline of a run that no session has, passed or to come."""

    async def suspend(
        self, namespace: str, run: RunId, suspension: Suspension, *, actor: Actor, now: datetime
    ) -> Suspended | None:
        """Suspend a run that no session has, or note on a running one that its handler is to yield; None for no such run.

        Changes nothing if it has ended or is being cancelled. One that is suspended already gets the new reason and instant.
        """

    async def resume(self, namespace: str, run: RunId, *, reason: str, actor: Actor, now: datetime) -> Suspended | None:
        """Put a suspended run back into its line, or withdraw the request if its handler has not yielded yet.

        It keeps the instant at which it was due. Changes nothing if it is not suspended; None if there is no such run.
        """

    async def resume_due(self, *, until: datetime, limit: int) -> dict[RunId, Resumed]:
        """Put the suspended runs whose instant comes by then back into their lines, earliest first, at most `limit`.

        They are due at that instant, so that they can be put back, and claimed, a moment before it.
        """

    async def next_resume(self) -> datetime | None:
        """The earliest instant at which a suspended run goes on, passed or to come."""

    async def suspensions(self, runs: Sequence[RunId]) -> dict[RunId, Suspension]:
        """Why those of these runs that are suspended are, and until when."""

    async def save_checkpoints(self, checkpoints: Sequence[Memory], *, now: datetime) -> Kept:
        """Keep checkpoints of running attempts; return the pairs of which none was kept.

        Those own their run no more, or would have it keep more than `MEMORIES_MAX` steps and effects.
        The same name again replaces the one before, but that an effect has begun never replaces that it came to pass.
        """

    async def load_checkpoints(self, pairs: Sequence[Pair]) -> dict[Pair, list[Recollection]]:
        """Checkpoints of these attempts' runs, oldest first; pairs that own their run no more are left out."""

    async def checkpoints(self, run: RunId) -> list[Recollection]:
        """All of a run, oldest first; kept while it lives, and as long as its history."""

    async def append_logs(self, entries: Sequence[LogEntry], *, now: datetime) -> None: ...

    async def logs(self, run: RunId, *, after: int, limit: int) -> list[tuple[int, LogEntry]]:
        """Log lines with their position, in the order they arrived, after position `after`."""

    async def report_progress(self, entries: Sequence[Progress], *, now: datetime) -> None:
        """Keep the latest progress of each run."""

    async def last_of(self, namespace: str, jobs: Sequence[str], *, limit: int) -> Sequence[Sequence[Run]]:
        """The last runs of each job, newest first and without bodies, all of one instant, for less than as many lists."""

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: RunFilter) -> RunMatches:
        """A page of runs, live and from history together; each filter reads a bounded number of rows."""
