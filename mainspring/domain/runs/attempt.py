"""An attempt, its lease and its token.

What is authoritative. A run's row says which token owns it. The claiming server chooses a random token *before* the write and
writes it with the claim; one claim statement uses one token for its whole batch, so an attempt is the pair (run, token) and
that pair is unique for ever. Every later write about the attempt names both; a write whose pair no longer matches changes
nothing. There is no other lock.

Why random and chosen first. A claim whose commit got no answer is settled by asking for the token: either the rows carry it
or they do not. After a fail-over that lost commits, a counter would be given out again, a random token cannot.

Who holds the lease. An executor session (one process start, a random incarnation) holds a single lease for everything it
runs. It renews by heartbeat; the lease counts from the moment the heartbeat was *sent*. An executor whose lease may have
passed stops its attempts by itself. A server that finds a lapsed lease first kills the session's row, which no heartbeat can
then revive, and only then settles the session's attempts as lost, each by its token.

How an attempt ends. Always through settle, whatever the reason: the handler returned or raised, the executor handed it back
unstarted, the session died. Outcomes are resent until acknowledged; the token makes the repeats harmless. A late outcome
from a session that was given up finds another token, or none, and is reported stale.

How an attempt is cancelled. The wish is written on the row, under its lock, and stays there until the attempt ends; only
then is the executor told, and told again on every new connection. Whatever the attempt ends with, settle finds the wish:
a success stands, anything else makes the run cancelled. So nothing depends on the executor hearing of it.

What follows from an outcome is decided in `domain/runs/retry.py` and written by the store in the same transaction.
"""

from collections import Counter
from collections.abc import Container, Sequence
from datetime import datetime
from enum import IntEnum
from itertools import groupby
from typing import Annotated, Any, TypeVar

import msgspec

from mainspring.domain.ids import RunId, RunIdField, SessionId, Token, TokenField
from mainspring.domain.runs.run import Failure, Parking, RunState, Suspension

T = TypeVar("T")
KINDS_MAX, KIND_MAX = 32, 300
"""How many names an error may go by, and how long each may be."""

NOT_COMMITTED = "not_committed"
"""The code of an attempt whose handler settles its run in a transaction of its own: true unless that was committed."""

CANCELLING = "cancelling"
"""The reason that a running run shows while its attempt is being stopped, because a caller wants it cancelled."""

WAIT_MAX, DURATION_MAX = 2**31 - 1, 2**53
"""Milliseconds that an attempt may have waited, and microseconds that it may have taken."""


class Outcome(IntEnum):
    """How an attempt ended; the numbers travel on the wire and in the store."""

    SUCCEEDED = 0
    FAILED = 1
    TIMED_OUT = 2
    CANCELLED = 3
    SUSPENDED = 4
    LOST = 5
    RELEASED = 6
    """Handed back: not started, or interrupted by a drain. Never a failure."""
    SNOOZED = 7
    """Put off by its handler. Neither a failure nor a loss."""
    PARKED = 8
    """Its handler found a breaker open. Neither a failure nor a loss."""

    @property
    def label(self) -> str:
        return self.name.lower()


class Claim(msgspec.Struct, frozen=True):
    """The runs that one claim took for one executor session, column by column, most urgent first."""

    session: SessionId
    token: Token
    runs: list[RunId]
    lines: list[int]
    jobs: list[int]
    attempts: list[int]
    inputs: list[bytes]
    extras: list[bytes | None] = []
    """What handlers are told besides (see `domain/metadata.py`); empty if that is nothing for all of them."""
    reached: datetime | None = None
    """When the last of these fell due, if it has the last slot: what more there is of its line mostly stands behind it."""

    def __len__(self) -> int:
        return len(self.runs)

    def without(self, told: Container[tuple[RunId, Token]]) -> "Claim":
        """The claim without these attempts."""
        kept = [number for number, run in enumerate(self.runs) if (run, self.token) not in told]
        if len(kept) == len(self):
            return self

        def chosen(column: list[T]) -> list[T]:
            return [column[number] for number in kept] if column else []

        return Claim(
            self.session,
            self.token,
            chosen(self.runs),
            chosen(self.lines),
            chosen(self.jobs),
            chosen(self.attempts),
            chosen(self.inputs),
            chosen(self.extras),
            self.reached,
        )


class GatedClaims(msgspec.Struct, frozen=True):
    """The runs that a claim through gates took."""

    claims: list[Claim]
    room: int
    """How many of the slots the gates left."""
    opens_at: datetime | None = None
    """When a rate lets the next one start; None: no rate is in the way."""
    again: bool = False
    """Some lanes were held by another claim: ask again in a moment."""


class Successes(msgspec.Struct, frozen=True):
    """Attempts that succeeded, column by column."""

    runs: list[RunId]
    tokens: list[Token]
    results: list[bytes]
    waits: list[int]
    """Milliseconds between the claim's arrival at the executor and the handler's start."""
    durations: list[int]
    """Microseconds the handler took."""

    def __len__(self) -> int:
        return len(self.runs)

    def halves(self) -> tuple["Successes", "Successes"]:
        middle = len(self) // 2
        return self._cut(slice(middle)), self._cut(slice(middle, None))

    def picked(self, positions: Sequence[int]) -> "Successes":
        """Those at these positions."""
        columns: tuple[Any, ...] = (self.runs, self.tokens, self.results, self.waits, self.durations)
        return Successes(*([column[at] for at in positions] for column in columns))

    def _cut(self, part: slice) -> "Successes":
        return Successes(self.runs[part], self.tokens[part], self.results[part], self.waits[part], self.durations[part])


class HandedOver(msgspec.Struct, frozen=True):
    """The end of attempts from lanes, and the runs that took their places."""

    moved: int
    """How many of the ended attempts matched."""
    claims: list[Claim]


class Ended(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One attempt that ended otherwise than by success; `wire/codec.py` bounds its fields."""

    run: RunIdField
    token: TokenField
    outcome: Outcome
    failure: Failure | None = None
    wait: int = 0
    duration: int = 0
    kinds: tuple[str, ...] = ()
    """The names of the error's class and of its bases, plain and qualified: what a retry policy goes by."""
    after: float | None = None
    """Seconds that the handler itself wants to pass before the next attempt."""
    until: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    """The same as an instant."""
    suspension: Suspension | None = None
    """What the handler said when it suspended its own run; one that yields because it was asked to says nothing."""
    breaker: str = ""
    """Of a parked one: the breaker that it found open."""
    epoch: Annotated[int, msgspec.Meta(ge=0, le=2**62)] = 0
    """Of that breaker, as the executor knew it."""

    @property
    def began(self) -> bool:
        """Whether its handler was called, as far as is known."""
        return self.outcome is not Outcome.RELEASED or self.duration > 0


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt that the store believes to be under way."""

    run: RunId
    token: Token
    job: int
    attempt: int
    """Grows with every claim, whatever ended the one before: the fence that handlers see."""
    failures: int
    losses: int
    cancel: str | None = None
    """Why it is to be cancelled, as the caller who asked for it said; empty if the caller did not say. None: not asked for."""
    deadline_at: datetime | None = None
    since: datetime | None = None
    """When the first attempt began; None: this is the first."""
    claimed_at: datetime | None = None
    """When it was given to its executor, as far as that is known."""
    suspend: bool = False
    """Whether a caller wants it set aside."""
    line: int = 0
    executor: str = ""
    """Its name; empty if its session is forgotten."""
    traceparent: str = ""
    """The span that asked for its run."""


class Decision(msgspec.Struct, frozen=True):
    """The fate of a run after an attempt."""

    state: RunState
    due_at: datetime | None = None
    """When it may be claimed again; None keeps the place it had in its line."""
    reason: str | None = None
    failures: int = 0
    """How many failures this attempt adds; a hand-back adds none."""
    losses: int = 0
    suspension: Suspension | None = None
    """Why and until when it is set aside, if its handler said so; a caller who wants that has had it written down already."""
    parking: Parking | None = None
    """The breaker that it waits for, if its handler found one open."""
    waits: bytes = b""
    """The runs, events and times that its handler waits for."""

    @property
    def waits_for_more(self) -> bool:
        """Whether it waits for more than its time: an operator, a breaker, runs or events."""
        return bool(self.waits) or self.suspension is not None or self.parking is not None


class Verdict(IntEnum):
    """The store's answer to an outcome."""

    APPLIED = 0
    DUPLICATE = 1
    """This very outcome was applied before."""
    STALE = 2
    """Another attempt owns the run, or owned it last."""


def all_equal(values: Sequence[object]) -> bool:
    """Whether a column of a batch, which is not empty, has one value only."""
    return values.count(values[0]) == len(values)


def tally(tokens: Sequence[Token]) -> list[tuple[Token, int]]:
    """How often each occurs."""
    if not tokens:
        return []
    return [(tokens[0], len(tokens))] if all_equal(tokens) else list(Counter(tokens).items())


def by_token(runs: Sequence[RunId], tokens: Sequence[Token]) -> dict[Token, list[RunId]]:
    """The runs of each token; cheap where those of one token stand together."""
    found: dict[Token, list[RunId]] = {}
    begin = 0
    for token, stretch in groupby(tokens):
        end = begin + len(list(stretch))
        found.setdefault(token, []).extend(runs[begin:end])
        begin = end
    return found
