"""The executor's side of the protocol, without I/O."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import assert_never

import msgspec

from mainspring.clock import Clock
from mainspring.domain.cluster.session import Abilities, Blocked
from mainspring.domain.ids import Ids
from mainspring.executor.attempts.runner import Runner
from mainspring.executor.attempts.stops import Stops
from mainspring.executor.link.lease import Lease
from mainspring.executor.link.pool_sizes import FollowSizes
from mainspring.executor.link.telemetry import Telemetry
from mainspring.telemetry.switch import Tracing
from mainspring.wire.base import Message
from mainspring.wire.breakers import AnnounceBreakers, Permitted
from mainspring.wire.messages import (
    PROTOCOL,
    Beat,
    Cancel,
    CheckpointsLoaded,
    CheckpointsSaved,
    Drain,
    FromServer,
    Goodbye,
    Hello,
    Holding,
    Inventory,
    Leased,
    Leave,
    Load,
    Outcomes,
    Refused,
    Room,
    Settled,
    Stale,
    Start,
    Suspend,
    Welcome,
)
from mainspring.wire.pools import Resize

log = logging.getLogger(__name__)

SECRET_SIZE = 32
INVENTORY_EVERY = 6
"""Beats from one inventory to the next."""

Usage = Callable[[], tuple[float, int]]
"""Share of one core since the last call, and resident bytes."""
Greeted = Callable[[Welcome], None]
"""Called whenever a server has accepted this executor."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """The executor's name, namespace and abilities."""

    name: str
    namespace: str
    abilities: Abilities
    triggers: Mapping[str, str] = {}
    """Those of its code, by name, with their digests."""
    runs: int = 0
    """After so many it ends; 0: it does not."""


class ExecutorSession:
    """One session at a time, over any number of connections."""

    def __init__(
        self,
        identity: Identity,
        runner: Runner,
        telemetry: Telemetry,
        stops: Stops,
        *,
        clock: Clock,
        ids: Ids,
        usage: Usage,
        wake: asyncio.Event,
        lease: Lease,
        blocked: Callable[[], list[Blocked]] = list,
        greeted: Greeted | None = None,
    ) -> None:
        self.runner = runner
        self.stops = stops
        self.lease = lease
        self.wake = wake
        """Set when there may be something to send."""
        self.drain_acknowledged = asyncio.Event()
        """Set once the server has acknowledged that this executor takes nothing more."""
        self._drain_beat: int | None = None
        self._identity = identity
        self._sizes = FollowSizes(identity.abilities.pools, runner, most=identity.runs)
        self._telemetry = telemetry
        self._checkpoints = telemetry.checkpoints
        self._guards = telemetry.guards
        self._clock = clock
        self._ids = ids
        self._usage = usage
        self._blocked = blocked
        """Handlers that lately blocked the user's loop."""
        self.id = ids.session()
        self._secret = ids.noise(SECRET_SIZE)
        self._greeted = greeted or note_unapplied
        self._triggers = dict(identity.triggers)
        """Sent once: a later connection has no news of them."""
        self._greeted_at = 0.0
        self._period = 1.0
        self._beat_at = 0.0
        self._beats = 0
        self._room_said: dict[str, int] | None = None

    def hello(self) -> Hello:
        self._greeted_at = self._clock.monotonic()
        return Hello(
            protocol=PROTOCOL,
            session=self.id,
            secret=self._secret,
            executor=self._identity.name,
            namespace=self._identity.namespace,
            abilities=msgspec.structs.replace(self._identity.abilities, pools=self._sizes.sizes),
            jobs=self.runner.handlers.specs,
            holding=self.runner.inventory(),
            triggers=self._triggers,
            traces=Tracing.is_on,
        )

    def welcome(self, welcome: Welcome) -> None:
        self.lease.connect(welcome.lease, sent_at=self._greeted_at)
        self._period = welcome.beat
        self._beat_at = self._clock.monotonic()
        self._beats = 0
        self._room_said = None
        self.runner.outbox.resend()
        self._checkpoints.resend()
        self._forget(welcome.stale)
        self._triggers = {}
        self._guards.connect()
        self._sizes.connect()
        self._greeted(welcome)
        self.wake.set()

    def part(self) -> None:
        """The connection is over; the session goes on with the next one."""
        self._guards.part()

    def receive(self, message: FromServer) -> None:
        match message:
            case Start():
                self._start(message)
            case Settled():
                self.runner.settle(message.seq)
            case Leased():
                self._renew(message.seq)
            case Stale():
                self._forget(message.holding)
            case Cancel() | Suspend() | Drain():
                self.stops.receive(message)
            case CheckpointsSaved() | CheckpointsLoaded():
                self._answered(message)
            case AnnounceBreakers() | Permitted():
                self._guards.receive(message)
            case Resize():
                self._sizes.receive(message)
            case Welcome() | Refused() | Leave():
                log.warning("the server sent %s out of turn; ignored", type(message).__name__)
            case _:
                assert_never(message)

    def outgoing(self) -> Iterator[list[Message]]:
        """The frames to send now: urgent messages first, logs last."""
        sizes: list[Message] = [*self._sizes.take()] if self._sizes.is_news else []
        urgent = [*sizes, *self._room_if_changed(), *self._beat_if_due()]
        checkpoints = self._checkpoints if self._checkpoints.in_use else None
        if checkpoints is not None:
            # Before the outcomes: what an attempt wants remembered has to be there when it is settled.
            yield from checkpoints.take()
        for batch in self._outcomes():
            if checkpoints is not None:
                checkpoints.drop(batch.runs, batch.tokens)
            yield [*urgent, batch]
            urgent = []
        if urgent:
            yield urgent
        if self._guards.in_use:
            yield from self._guards.take()
        if self._telemetry.in_use and (said := self._telemetry.take()):
            yield said

    def due_in(self) -> float:
        """Seconds until the next beat, telemetry frame or outcomes that wait for company."""
        now = self._clock.monotonic()
        due = min(max(self._beat_at - now, 0.0), self.runner.outbox.due_in(now))
        others = [each.due_in() for each in (self._telemetry, self._guards) if each.in_use]
        return min([due, *(each for each in others if each is not None)])

    def withdraw(self) -> None:
        """Take nothing more."""
        # The next beat carries the empty room, and its answer acknowledges the drain.
        self.runner.withdraw()
        self._beat_at = self._clock.monotonic()

    def fence(self) -> None:
        """Stop all attempts before another executor may have them, and begin a new session."""
        held = self.runner.holdings.all()
        if held:
            log.warning("the lease was not renewed: stopping %d attempts before another executor has them", len(held))
        self.runner.abandon(held)
        self._checkpoints.forget_all()
        self.lease.give_up()
        self.id = self._ids.session()

    def closing_frames(self) -> Iterator[list[Message]]:
        """The frames that end a session: the remaining logs, and a goodbye."""
        while said := self._telemetry.take_frame():
            yield said
        yield [Goodbye()]

    def _outcomes(self) -> list[Outcomes]:
        outbox, checkpoints = self.runner.outbox, self._checkpoints
        if outbox.gathers(self._clock.monotonic()):
            return []
        return outbox.take(checkpoints.holds_back if checkpoints.in_use and not checkpoints.idle else None)

    def _answered(self, message: CheckpointsSaved | CheckpointsLoaded) -> None:
        """Pass on the server's answers about checkpoints, and forget stale attempts."""
        if isinstance(message, CheckpointsSaved):
            self._forget(message.stale)
            self._checkpoints.saved(message.seq, message.stale)
            self.wake.set()
            return
        if message.stale:
            self._forget([Holding(message.token, [message.run])])
        self._checkpoints.loaded(message)

    def _forget(self, holding: list[Holding]) -> None:
        """Stop attempts that no longer own their runs, and answer their waiters."""
        # First marked as stopping: a pool that is told then that nothing of it counts does not take that for a failure.
        self.runner.forget(holding)
        self._checkpoints.forget(holding)

    def _start(self, start: Start) -> None:
        now = self._clock.monotonic()
        if not self.lease.held:
            return
        if not self.runner.holdings.is_repeat(start, now=now, memory=2 * self.lease.length):
            attempts = self.runner.start(start, now)
            # Deadlines come in the extras: without either column, no attempt's time is limited.
            if start.extras or start.timeouts:
                self.stops.expect(attempts)

    def _renew(self, seq: int) -> None:
        self.lease.renew(seq)
        if self._drain_beat is not None and seq >= self._drain_beat:
            self.drain_acknowledged.set()

    def _beat_if_due(self) -> list[Message]:
        now = self._clock.monotonic()
        if now < self._beat_at:
            return []
        self._beat_at = now + self._period
        self._beats += 1
        beat = Beat(self.lease.beat(now), self._load())
        if self.runner.draining and self._drain_beat is None:
            self._drain_beat = beat.seq
        if self._beats % INVENTORY_EVERY:
            return [beat]
        return [beat, Inventory(self.runner.inventory())]

    def _load(self) -> Load:
        cpu, memory = self._usage()
        runner = self.runner
        return Load(runner.running, runner.waiting, cpu, memory, runner.strays, self._blocked(), runner.stuck)

    def _room_if_changed(self) -> list[Message]:
        room = self.runner.room()
        if room == self._room_said:
            return []
        self._room_said = room
        return [Room(room)]


def note_unapplied(welcome: Welcome) -> None:
    """Warn about triggers in code that were not applied."""
    if names := welcome.unapplied:
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        log.warning("triggers of this code are not applied: %s%s; run 'mainspring apply'", ", ".join(names[:5]), more)
