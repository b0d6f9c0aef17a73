"""Slots of a claim: how many each executor gets, and in which order they are filled."""

from datetime import datetime
from itertools import cycle

from mainspring.domain.ids import SessionId
from mainspring.domain.routing.fit import preference
from mainspring.domain.routing.order import ANY_ORDER, Order, Seat, arranged, idle_share, weight_of
from mainspring.domain.routing.resources import Needs
from mainspring.scheduler.sessions.connection import PoolCredit


def share_out(pools: list[PoolCredit], batch: int, needs: Needs | None = None) -> list[tuple[PoolCredit, int]]:
    """Split a batch over the pools that have room, by how much they have."""
    rooms = [(credit, room) for credit in pools if (room := credit.fits(needs))]
    total = sum(room for _, room in rooms)
    if total <= batch:
        return rooms
    shares = [(credit, room * batch // total) for credit, room in rooms]
    return [(credit, max(1, count)) for credit, count in shares][:batch]


def in_order(shares: list[tuple[PoolCredit, int]], order: Order, now: datetime | None) -> list[SessionId]:
    """Slots in the order in which they are filled; in turn if nothing speaks for one executor more than for another."""
    if len(shares) > 1 and (order != ANY_ORDER or any(credit.attached.weighted for credit, _ in shares)):
        seats = {credit.attached.id: seat_of(credit, count, order, now) for credit, count in shares}
        return arranged(seats, by_load=order.by_load)
    return interleave(shares)


def seat_of(credit: PoolCredit, count: int, order: Order, now: datetime | None) -> Seat:
    attached = credit.attached
    session, load = attached.session, attached.load
    idle = 1.0 if load is None else idle_share(load.cpu, load.memory, session.abilities.resources)
    return Seat(
        room=count,
        tier=preference(session, order.prefers),
        weight=weight_of(session, attached.since, now),
        idle=idle,
        most=credit.most,
    )


def interleave(shares: list[tuple[PoolCredit, int]]) -> list[SessionId]:
    """Slots in the order in which they are filled: in turn, so that urgent runs spread over executors."""
    if len(shares) == 1:
        [(credit, count)] = shares
        return [credit.attached.id] * count
    left = {credit: count for credit, count in shares if count}
    slots: list[SessionId] = []
    for credit in cycle(list(left)):
        if not left:
            return slots
        if credit in left:
            slots.append(credit.attached.id)
            left[credit] -= 1
            if not left[credit]:
                del left[credit]
    return slots
