"""Lines that the same pools serve, and their known state."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.ids import SessionId
from mainspring.domain.limits.lanes import LaneRule
from mainspring.domain.queues.policy import ClaimOrder, Urgency, claim_order, is_late
from mainspring.domain.queues.queue import Depth, together
from mainspring.domain.routing.order import ANY_ORDER, Order
from mainspring.domain.routing.resources import Needs
from mainspring.domain.runs.attempt import Claim
from mainspring.scheduler.dispatch.slots import in_order, share_out
from mainspring.scheduler.sessions.connection import PoolCredit

LINGER = 0.003
"""How long a backlog waits for more credit, so that claims stay large."""
# With more, PostgreSQL writes it to disk, and server and executor wait for it.
CLAIM_BYTES = 2 * 1024 * 1024
"""How much one claim carries, about."""
CLAIM_FIRST = 200
"""Runs that a claim asks for before anything is known of their inputs."""
LATE_TURNS = 3
"""Claims that a late group makes for each one of the groups with which it shares slots."""
# Commits take time, and clocks differ.
LATENESS = timedelta(seconds=2)
"""How much later than it fell due a run may come in and still be found at once."""


@contextmanager
def reserved(shares: Sequence[tuple[PoolCredit, int]], needs: Needs | None) -> Iterator[None]:
    """Keep room in pools for as long as a claim is under way."""
    for credit, count in shares:
        credit.reserve(count, needs)
    try:
        yield
    finally:
        for credit, count in shares:
            credit.reserve(-count, needs)


class Share(msgspec.Struct, frozen=True):
    """What a namespace, a queue or a job draws from, and how large it is."""

    key: tuple[str, ...]
    weight: float


class ClaimRequest:
    """One claim to be made: these lines, these slots."""

    def __init__(
        self,
        lines: list[int],
        shares: list[tuple[PoolCredit, int]],
        needs: Needs | None = None,
        order: Order = ANY_ORDER,
        now: datetime | None = None,
    ) -> None:
        self.lines = lines
        self.shares = shares
        self._needs = needs
        self.slots = in_order(shares, order, now)

    def reserved(self) -> AbstractContextManager[None]:
        """Keep the credit from being used twice while the claim is under way."""
        return reserved(self.shares, self._needs)


class LineGroup:
    """Lines served by exactly the same pools; one claim serves them all."""

    def __init__(
        self,
        lines: list[int],
        pools: list[PoolCredit],
        gates: tuple[int, ...] = (),
        lanes: LaneRule | None = None,
        needs: Needs | None = None,
        order: Order = ANY_ORDER,
        urgency: Urgency | None = None,
        shares: tuple[Share, ...] = (),
    ) -> None:
        self.lines = lines
        self.shares = shares
        """Of its namespace, its queue and its job; empty: nobody has a weight."""
        self.credits = pools
        self.order = order
        self.urgency = urgency
        """The order that their queues want, if it is not by priority and due time alone."""
        self.late = False
        """Whether a run of theirs waits for longer than their queues allow."""
        self.in_a_row = 0
        """Claims that it made since another group had its turn."""
        self.gates = gates
        """The gates that all of these lines lead through."""
        self.lanes = lanes
        """The rule of the lanes that their runs stand in, if they stand in any."""
        self.needs = needs
        """What each attempt books on its executor, if it books anything."""
        self.barred_until: float | None = None
        """The gates are full: until then, on the monotonic clock, unless an attempt ends before."""
        self.dirty: set[int] = set()
        """Lines in which there may be something due."""
        self.backlog = False
        """The last claim got all it asked for: more is waiting."""
        self.took = 0
        """Runs of the last claim."""
        self.emptied: dict[int, datetime] = {}
        """Up to when a line was found to have nothing left that is due."""
        self.reached: dict[int, datetime] = {}
        """Up to where claims have come in a line that has a backlog; something older may stand there at a lower priority."""
        self.lingers_until: float | None = None
        self.input_mean: int | None = None
        """Bytes that each input of the last claim had."""
        self._turn = 0
        self._planned = 0
        """Claims that were planned: old runs have the odd slot of every second one."""

    @property
    def free(self) -> int:
        return sum(credit.fits(self.needs) for credit in self.credits)

    def batch(self, most: int) -> int:
        """How many runs to claim at once."""
        # Fewer with large inputs, so that all who carry them have a part at the same time.
        if self.input_mean is None:
            return min(most, CLAIM_FIRST)
        return most if self.input_mean * most <= CLAIM_BYTES else max(1, CLAIM_BYTES // self.input_mean)

    def heed_inputs(self, groups: Mapping[int, "LineGroup"]) -> None:
        """Go by what the groups of its lines knew before."""
        means = (groups[line].input_mean for line in self.lines if line in groups)
        self.input_mean = max(filter(None, means), default=None)

    def min_claim_size(self, batch: int) -> int:
        """The credit at which a claim into a backlog is large enough to be cheap."""
        if self.needs is not None:
            # Resources are scarcer than slots: a part of them that lies idle costs more than a small claim.
            return 1
        return max(1, min(batch, sum(credit.room for credit in self.credits) // 4))

    def lingers(self, batch: int, now: float) -> bool:
        """Whether to wait until the credit is worth a claim; `now` is on the monotonic clock."""
        free = self.free
        if not self.backlog or not free or free >= self.min_claim_size(batch):
            self.lingers_until = None
            return False
        if self.lingers_until is None:
            self.lingers_until = now + LINGER
        return now < self.lingers_until

    def plan(self, batch: int, lines_max: int, now: datetime | None = None) -> ClaimRequest | None:
        """What to claim now: the lines that may have something, in turn, for the pools with room.

        Each line costs the claim a look per priority, so their number is bounded; the others stay for the next claim.
        """
        shares = share_out(self.credits, batch, self.needs)
        if not self.dirty or not shares:
            return None
        self._planned += 1
        lines = sorted(self.dirty)
        self._turn = (self._turn + 1) % len(lines)
        chosen = (lines[self._turn :] + lines[: self._turn])[:lines_max]
        self.dirty -= set(chosen)
        return ClaimRequest(chosen, shares, self.needs, self.order, now)

    def plan_ahead(self, batch: int, lines_max: int) -> ClaimRequest | None:
        """The claim ahead of a due time; half of the free credit is left for runs that are due now."""
        half = min(batch, self.free // 2)
        return (
            ClaimRequest(self.lines[:lines_max], share_out(self.credits, half, self.needs), self.needs)
            if half
            else None
        )

    def gives_way(self) -> bool:
        """Whether another group is to be asked first the next time: after each claim, and while it is late after some."""
        self.in_a_row += 1
        if self.late and self.in_a_row < LATE_TURNS:
            return False
        self.in_a_row = 0
        return True

    def heed_lateness(self, depths: Mapping[int, Depth], now: datetime) -> None:
        """Find out from a survey whether it is late."""
        if self.urgency is not None and self.urgency.late_after is not None:
            oldest = together(depths[line] for line in self.lines if line in depths).oldest_at
            self.late = is_late(self.urgency, oldest, now)

    def claim_order(self, slots: int, now: datetime) -> ClaimOrder | None:
        """The order of the claim that was planned last."""
        return None if self.urgency is None else claim_order(self.urgency, slots, self._planned, now)

    @property
    def since(self) -> dict[int, datetime]:
        """Where a look into each line may begin. A run that comes in before that waits until a claim looks back."""
        return {**self.emptied, **self.reached}

    def look_back(self) -> None:
        """Look from the start the next time."""
        self.emptied.clear()
        self.reached.clear()

    def learn(self, plan: ClaimRequest, claims: Sequence[Claim], now: datetime) -> None:
        self.lingers_until = None
        taken = self.took = sum(map(len, claims))
        if taken:
            self.input_mean = sum(sum(map(len, claim.inputs)) for claim in claims) // taken
        self.backlog = taken >= len(plan.slots)
        if self.backlog:
            self.dirty.update(plan.lines)
            self.reached |= {
                claim.lines[-1]: min(claim.reached, now - LATENESS) for claim in claims if claim.reached is not None
            }
            return
        # Where a backlog was followed, what it was followed past is looked at again.
        passed = [line for line in plan.lines if self.reached.pop(line, None) is not None]
        self.dirty.update(passed)
        self.emptied |= dict.fromkeys(set(plan.lines) - set(passed), now - LATENESS)

    def bundles(self, plan: ClaimRequest, least: int) -> bool:
        """Whether much is to be taken at once, and more of it waits after that; `least` of 0: never."""
        if self.lanes is not None and self.lanes.sifts:
            # Blocking policies look at the rows of running runs.
            return False
        # Claims that share lanes leave some of their slots free to each other; what they take is a backlog all the same.
        plenty = self.backlog or (self.lanes is not None and self.took >= least)
        return plenty and 0 < least <= len(plan.slots)

    @property
    def limited(self) -> bool:
        """Whether its runs start only by a claim that asks for room."""
        return bool(self.gates) or self.lanes is not None

    @property
    def by_claim(self) -> bool:
        """Whether its runs start only by a claim of due runs, because limits or resources must have room."""
        return self.limited or self.needs is not None

    def is_barred(self, now: float) -> bool:
        """Whether the gates were full at the last look, and may still be."""
        if self.barred_until is not None and now >= self.barred_until:
            self.barred_until = None
        return self.barred_until is not None

    def bar(self, plan: ClaimRequest, until: float) -> None:
        """The gates left no more room: the rest is asked for again."""
        self.dirty.update(plan.lines)
        self.barred_until = until

    def reopen(self) -> None:
        """An attempt has ended, which may have made room in gates and lanes."""
        self.barred_until = None
        if self.lanes is not None:
            self.dirty.update(self.lines)

    def calls_again(self, batch: int) -> bool:
        """Whether another claim is worth making at once."""
        wanted = self.min_claim_size(batch) if self.backlog else 1
        return self.barred_until is None and bool(self.dirty) and self.free >= wanted

    def credit_of(self, session: SessionId) -> PoolCredit | None:
        return next((credit for credit in self.credits if credit.attached.id == session), None)


def waits_of(groups: Iterable[LineGroup], now: float) -> Iterator[float]:
    """For how long groups wait by themselves: for more credit, or until their gates open."""
    for group in groups:
        if group.lingers_until is not None:
            yield LINGER
        if group.barred_until is not None:
            yield group.barred_until - now
