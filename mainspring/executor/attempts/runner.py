"""The executor's core: attempts come in, go to their pools, and leave through the outbox."""

import asyncio
import logging
from collections.abc import Mapping

import msgspec

from mainspring.domain.cluster.session import PoolSize, Stuck
from mainspring.domain.ids import RunId, Token
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import Failure
from mainspring.executor.attempts.attempt import Attempt, Callee
from mainspring.executor.attempts.budget import RunBudget
from mainspring.executor.attempts.holdings import Holdings
from mainspring.executor.attempts.missing_handler import MissingHandler
from mainspring.executor.attempts.trace_runs import trace_sampled
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.outbox import Outbox
from mainspring.executor.pools import Slots
from mainspring.executor.pools.watch import PoolWatch
from mainspring.telemetry.switch import Tracing
from mainspring.wire.messages import Holding, Start

log = logging.getLogger(__name__)


class Runner:
    """Lives on one loop, on which pools report to `ended`."""

    def __init__(self, handlers: Handlers, wake: asyncio.Event, runs: int = 0) -> None:
        self.handlers = handlers
        self.budget = RunBudget(runs) if runs else None
        self.outbox = Outbox()
        self.holdings = Holdings()
        self.idle = asyncio.Event()
        """Nothing is held."""
        self.handed_in = asyncio.Event()
        """Nothing is held, and every outcome is settled."""
        self.draining = False
        self._wake = wake
        self._watch = PoolWatch(handlers)
        self._pools: Mapping[Pool, Slots] = {}
        self._rooms: dict[Pool, int] = {}
        self._orphans: dict[Pool | None, int] = {}
        self._note_rest()

    def attach(self, pools: Mapping[Pool, Slots]) -> None:
        """Give it its pools, which report to it and so are made after it."""
        self._pools = pools
        self._note_rooms()

    def resize(self, sizes: Mapping[Pool, PoolSize]) -> None:
        """Give its pools other sizes; the server hears of the room with the next frame."""
        for pool, size in sizes.items():
            self._pools[pool].resize(size)
        self._note_rooms()
        self._wake.set()

    # Attempts

    def start(self, start: Start, now: float) -> list[Attempt]:
        handlers = [self._handler(name) for name in start.names]
        attempts = self.holdings.admit(start, handlers, now, self._watch.note)
        if Tracing.is_on:
            trace_sampled(attempts, start)
        self._note_rest()
        if self.budget and (extra := self.budget.beyond(attempts, len(self.holdings))):
            self._begin(None, attempts[-extra:])
            attempts = attempts[:-extra]
        # The usual frame is of one pool: it need not be sorted.
        pools = {handler.pool for handler in handlers}
        for pool, batch in ({pools.pop(): attempts} if len(pools) == 1 else _by_pool(attempts)).items():
            self._begin(pool, batch)
        return attempts

    def ended(self, attempts: list[Attempt]) -> None:
        known = self.holdings.remove(attempts)
        if len(known) < len(attempts):
            self._close_ended([attempt for attempt in attempts if not attempt.given_up], known)
        if self.budget:
            self.budget.count(known)
        self.outbox.add(known)
        self._note_rest()
        self._wake.set()

    def settle(self, seq: int) -> None:
        was_full = self.outbox.full
        self.outbox.settle(seq)
        self._note_rest()
        if was_full or self.outbox.sendable:
            self._wake.set()

    def forget(self, holding: list[Holding]) -> None:
        """Stop attempts that another claim has replaced; their outcomes are dropped."""
        attempts = self.holdings.find(holding)
        if attempts:
            log.warning("%d attempts are no longer this executor's: stopping them", len(attempts))
            self.abandon(attempts)

    def abandon(self, attempts: list[Attempt]) -> None:
        self.holdings.remove(attempts)
        for attempt in attempts:
            attempt.stopping = True
        for pool, batch in _by_pool(attempts).items():
            self._orphans[pool] = self._orphans.get(pool, 0) + len(batch)
        for slots, batch in self._slots_of(attempts):
            slots.abandon(batch)
        self._note_rest()
        self._wake.set()

    def stop(self, attempts: list[Attempt], outcome: Outcome, now: float) -> None:
        """Stop these; each reports how it ended."""
        for attempt in attempts:
            attempt.stop(outcome, attempt.overdue(now) if outcome is Outcome.TIMED_OUT else None)
        for slots, batch in self._slots_of(attempts):
            slots.interrupt(batch)

    def suspend(self, attempts: list[Attempt]) -> None:
        """Have these yield at their next checkpoint or step; those that have not begun are handed back at once."""
        for attempt in attempts:
            attempt.suspending = True
            if not attempt.started:
                attempt.stop(Outcome.SUSPENDED)
        for slots, batch in self._slots_of(attempts):
            slots.suspend(batch)

    def give_up(self, attempts: list[Attempt], now: float) -> None:
        """Report these as stopped, although they go on; their slots are for others from now on."""
        for attempt in attempts:
            attempt.given_up = True
        known = self.holdings.remove(attempts)
        # Copies: the handlers still write into theirs.
        copies = [msgspec.structs.replace(attempt) for attempt in known]
        for copy in copies:
            copy.close(now)
            copy.stopped_for = left_behind(copy)
        self._hand_in(copies)
        for pool, batch in _by_pool(known).items():
            if pool is not None:
                self._pools[pool].give_up(batch)
                self._unload_if_stuck(pool)

    def refuse(self, token: Token, run: RunId, outcome: Outcome) -> None:
        """Report an attempt as ended that never arrived, and see to it that it never does."""
        self.holdings.bar(token, run)
        self._hand_in([Attempt(run, token, 0, b"", MissingHandler(""), 0.0, stops_as=outcome)])

    # What the server is told

    def inventory(self) -> list[Holding]:
        return self.holdings.inventory(self.outbox.held())

    def room(self) -> dict[str, int]:
        """How many attempts each pool may hold; slots that a forgotten attempt still occupies are not offered."""
        if self.draining or (self.budget and self.budget.is_spent):
            return {pool.value: 0 for pool in self._pools}
        room = {pool.value: self._room_of(pool, slots) for pool, slots in self._pools.items()}
        if any(room.values()):
            return room
        # A room of zero everywhere says that the executor is about to leave: only one that is of no use any more says so.
        return {pool.value: 0 if is_stuck(slots) else 1 for pool, slots in self._pools.items()}

    @property
    def running(self) -> int:
        return sum(slots.running for slots in self._pools.values())

    @property
    def waiting(self) -> int:
        return sum(slots.waiting for slots in self._pools.values())

    @property
    def strays(self) -> int:
        return sum(slots.strays for slots in self._pools.values())

    @property
    def stuck(self) -> list[Stuck]:
        """Pools without a usable slot."""
        return self._watch.find_stuck(self.holdings.all(), self._pools)

    # Draining, in this order

    def withdraw(self) -> None:
        """Take nothing new, hand back attempts that have not begun, and ask the others to end."""
        self.draining = True
        self.let_go()
        self._wake.set()

    def let_go(self) -> list[Attempt]:
        """Hand back attempts that have not begun and ask the others to end; later starts are accepted."""
        for attempt in (held := self.holdings.all()):
            attempt.stopping = True
        for slots in self._pools.values():
            slots.withdraw()
        return held

    def interrupt(self, attempts: list[Attempt]) -> None:
        """Interrupt these if they still run; they report themselves as released."""
        for slots, batch in self._slots_of([one for one in attempts if self.holdings.has(one)]):
            slots.abandon(batch)

    def hand_back(self) -> None:
        """Hand back attempts that nothing could interrupt, because the process is about to end."""
        held = self.holdings.all()
        if held:
            log.warning("%d attempts did not stop in time and are handed back", len(held))
        for attempt in held:
            attempt.release()
        self.ended(held)

    def _hand_in(self, stopped: list[Attempt]) -> None:
        for attempt in stopped:
            attempt.release()
        self.outbox.add(stopped)
        self._note_rest()
        self._wake.set()

    def _note_rooms(self) -> None:
        # Kept, as each frame says the room.
        self._rooms = {pool: slots.size.room for pool, slots in self._pools.items()}

    def _room_of(self, pool: Pool, slots: Slots) -> int:
        occupied = self._orphans.get(pool, 0) + slots.lost
        if occupied >= slots.size.max:
            # What came now would wait for a slot that may never be free.
            return 0
        room = 1 if self.outbox.full else self._rooms[pool] - occupied
        return self.budget.cap(room) if self.budget else room

    def _handler(self, name: str) -> Callee:
        handler = self.handlers.get(name)
        if handler is not None:
            return handler
        log.warning("handed back: this executor has no handler %r", name)
        return MissingHandler(name)

    def _begin(self, pool: Pool | None, attempts: list[Attempt]) -> None:
        slots = None if pool is None or self.draining else self._pools.get(pool)
        if slots is not None and not is_stuck(slots):
            slots.start(attempts)
            return
        for attempt in attempts:
            attempt.release()
        self.ended(attempts)

    def _unload_if_stuck(self, pool: Pool) -> None:
        """Hand back waiting attempts if all slots are occupied by attempts that were given up."""
        if not is_stuck(self._pools[pool]):
            return
        log.error("every slot of the pool %s is held by a handler that does not end: restart this executor", pool)
        for attempt in self.holdings.all():
            if attempt.handler.pool is pool and not attempt.started:
                attempt.stopping = True
        self._pools[pool].withdraw()

    def _slots_of(self, attempts: list[Attempt]) -> list[tuple[Slots, list[Attempt]]]:
        """The pools that hold these; attempts without a handler are in none."""
        return [(self._pools[pool], batch) for pool, batch in _by_pool(attempts).items() if pool is not None]

    def _close_ended(self, attempts: list[Attempt], known: list[Attempt]) -> None:
        """Of those that ended, the ones that were not held any more have let go of their slots."""
        held = _by_pool(known)
        for pool, batch in _by_pool(attempts).items():
            gone = len(batch) - len(held.get(pool, ()))
            self._orphans[pool] = max(self._orphans.get(pool, 0) - gone, 0)

    def _note_rest(self) -> None:
        _set(self.idle, to=not self.holdings)
        _set(self.handed_in, to=not self.holdings and not len(self.outbox))


def left_behind(attempt: Attempt) -> Failure | None:
    """The failure of an attempt that was given up."""
    what = {Pool.THREADS: "thread", Pool.LOOP: "coroutine"}.get(attempt.handler.pool or Pool.PROCESSES)
    said = attempt.stopped_for
    if said is None or what is None:
        return said
    return msgspec.structs.replace(said, message=f"{said.message}; its {what} could not be stopped and goes on")


def is_stuck(slots: Slots) -> bool:
    """Whether attempts that were given up occupy every slot."""
    return slots.lost >= slots.size.max


def _set(event: asyncio.Event, *, to: bool) -> None:
    (event.set if to else event.clear)()


def _by_pool(attempts: list[Attempt]) -> dict[Pool | None, list[Attempt]]:
    batches: dict[Pool | None, list[Attempt]] = {}
    for attempt in attempts:
        pool = attempt.handler.pool
        batches.setdefault(pool, []).append(attempt)
    return batches
