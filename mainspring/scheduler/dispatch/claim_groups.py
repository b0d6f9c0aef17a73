"""Lines that the same seats serve, and what is known about them."""

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import cycle

from mainspring.domain.ids import SessionId
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.queue import Place
from mainspring.domain.runs.attempt import Claim
from mainspring.scheduler.catalog import serves
from mainspring.scheduler.sessions.connection import Attached, Seat

LATENESS = timedelta(seconds=2)
"""How much later than it fell due a run may come in and still be found at once: commits take time, and clocks differ."""


class Plan:
    """One claim to be made: these lines, these slots."""

    def __init__(self, lines: list[int], shares: list[tuple[Seat, int]]) -> None:
        self.lines = lines
        self.shares = shares
        self.slots = laid_out(shares)

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """Keep the credit from being used twice while the claim is under way."""
        for seat, count in self.shares:
            seat.reserved += count
        try:
            yield
        finally:
            for seat, count in self.shares:
                seat.reserved -= count


class Group:
    """Lines with exactly the same seats; one claim serves them all."""

    def __init__(self, lines: list[int], seats: list[Seat]) -> None:
        self.lines = lines
        self.seats = seats
        self.dirty: set[int] = set()
        """Lines in which there may be something due."""
        self.backlog = False
        """The last claim got all it asked for: more is waiting."""
        self.emptied: dict[int, datetime] = {}
        """Up to when a line was found to have nothing left that is due."""
        self.reached: dict[int, datetime] = {}
        """Up to where claims have come in a line that has a backlog; something older may stand there at a lower priority."""
        self.lingers_until: float | None = None
        self._turn = 0

    @property
    def free(self) -> int:
        return sum(seat.free for seat in self.seats)

    def worthwhile(self, batch: int) -> int:
        """The credit at which a claim into a backlog is large enough to be cheap."""
        return max(1, min(batch, sum(seat.room for seat in self.seats) // 4))

    def plan(self, batch: int, lines_max: int) -> Plan | None:
        """What to claim now: the lines that may have something, in turn, for the seats with room.

        Each line costs the claim a look per priority, so their number is bounded; the others stay for the next claim.
        """
        shares = share_out([seat for seat in self.seats if seat.free], batch)
        if not self.dirty or not shares:
            return None
        lines = sorted(self.dirty)
        self._turn = (self._turn + 1) % len(lines)
        chosen = (lines[self._turn :] + lines[: self._turn])[:lines_max]
        self.dirty -= set(chosen)
        return Plan(chosen, shares)

    def plan_ahead(self, batch: int, lines_max: int) -> Plan | None:
        """What to claim of an instant that is yet to come: it says nothing of what is due now, for which half of the free
        seats is left."""
        half = min(batch, self.free // 2)
        return (
            Plan(self.lines[:lines_max], share_out([seat for seat in self.seats if seat.free], half)) if half else None
        )

    @property
    def since(self) -> dict[int, datetime]:
        """Where a look into each line may begin. What comes in behind that waits until somebody looks back."""
        return {**self.emptied, **self.reached}

    def look_back(self) -> None:
        """Look from the start the next time."""
        self.emptied.clear()
        self.reached.clear()

    def learn(self, plan: Plan, claims: Sequence[Claim], now: datetime) -> None:
        self.lingers_until = None
        self.backlog = sum(map(len, claims)) >= len(plan.slots)
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

    def calls_again(self, batch: int) -> bool:
        """Whether another claim is worth making at once."""
        return bool(self.dirty) and self.free >= (self.worthwhile(batch) if self.backlog else 1)

    def seat_of(self, session: SessionId) -> Seat | None:
        return next((seat for seat in self.seats if seat.attached.id == session), None)


def group_lines(attached: Iterable[Attached], lines: dict[int, Line], paused: Container[Place]) -> list[Group]:
    """Group the lines that some attached executor serves by the seats that serve them; nobody asks for a paused queue's."""
    executors = list(attached)
    groups: dict[tuple[int, ...], Group] = {}
    for number, line in lines.items():
        if (line.namespace, line.queue) in paused:
            continue
        seats = [seat for one in executors if serves(one.session, line) and (seat := one.seat_for(line.handler))]
        if seats:
            key = tuple(id(seat) for seat in seats)
            groups.setdefault(key, Group([], seats)).lines.append(number)
    return list(groups.values())


def share_out(seats: list[Seat], batch: int) -> list[tuple[Seat, int]]:
    """Split a batch over seats by the room they have."""
    total = sum(seat.free for seat in seats)
    if total <= batch:
        return [(seat, seat.free) for seat in seats]
    shares = [(seat, seat.free * batch // total) for seat in seats]
    return [(seat, max(1, count)) for seat, count in shares][:batch]


def laid_out(shares: list[tuple[Seat, int]]) -> list[SessionId]:
    """Slots in the order in which they are filled: in turn, so that urgent runs spread over executors."""
    if len(shares) == 1:
        [(seat, count)] = shares
        return [seat.attached.id] * count
    left = {seat: count for seat, count in shares if count}
    slots: list[SessionId] = []
    for seat in cycle(list(left)):
        if not left:
            return slots
        if seat in left:
            slots.append(seat.attached.id)
            left[seat] -= 1
            if not left[seat]:
                del left[seat]
    return slots
