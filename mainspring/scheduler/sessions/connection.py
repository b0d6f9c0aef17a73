"""One executor connected to this server: its credit, its claims under way, and its unsent messages."""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

import msgspec

from mainspring.domain.access.token import UNBOUND, Grant
from mainspring.domain.cluster.session import BLOCKED_MAX, PoolSize, PoolUse, Session, SessionLoad, resized
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.jobs.job import JobSpec, Pool, Speaker
from mainspring.domain.routing.order import WARM_UP, WEIGHT
from mainspring.domain.routing.resources import Needs
from mainspring.domain.runs.attempt import Claim, Held, tally
from mainspring.errors import MainspringError
from mainspring.scheduler.facts import CreditFreed, Facts, RunsStarted
from mainspring.scheduler.sessions.bookings import Bookings
from mainspring.scheduler.sessions.link import ExecutorLink
from mainspring.scheduler.sessions.owned_attempts import OwnedAttempts
from mainspring.wire.base import Message
from mainspring.wire.breakers import BreakerMark
from mainspring.wire.codec import encode
from mainspring.wire.messages import Beat, Load

log = logging.getLogger("mainspring.gateway")


class PoolCredit:
    """The credit that one pool of one executor has granted, and how much of it is used."""

    __slots__ = ("attached", "extra", "most", "pool", "reserved", "room", "taken")

    def __init__(self, attached: "ExecutorConnection", pool: Pool, room: int, most: int = 0) -> None:
        self.attached = attached
        self.pool = pool
        self.room = room
        self.most = most
        """Slots; the rest of the room is for attempts that wait on the executor."""
        self.taken = 0
        self.extra = 0
        """Slots that attempts take beyond one each."""
        self.reserved = 0
        """For what may be claimed in a moment, and mostly is not: only the claim is to see that."""

    @property
    def free(self) -> int:
        return max(0, self.room - self.taken - self.extra - self.reserved)

    def fits(self, needs: Needs | None) -> int:
        """How many attempts with these needs it may be given."""
        if needs is None:
            return self.free
        slots = self.free
        if needs.slots > 1:
            slots = max(0, min(slots, self.most - self.taken - self.extra - self.reserved)) // needs.slots
        return min(slots, self.attached.bookings.fits(needs))

    def reserve(self, attempts: int, needs: Needs | None) -> None:
        """Keep room for attempts that may be claimed in a moment; a negative number gives it back."""
        self.reserved += attempts * (1 if needs is None else needs.slots)
        if needs is not None:
            self.attached.bookings.book(needs, attempts)

    def count(self, attempts: int, needs: Needs | None) -> None:
        """Count attempts in; a negative number counts them out."""
        self.taken += attempts
        if needs is not None:
            self.extra += attempts * (needs.slots - 1)
            self.attached.bookings.book(needs, attempts)


class Use(msgspec.Struct):
    """How many attempts of one token are still under way, and in which pool."""

    credit: PoolCredit
    count: int
    needs: Needs | None = None


class SentFacts:
    """The newest facts of the cluster that an executor has been sent."""

    def __init__(self) -> None:
        self.drain_at: datetime | None = None
        self.pools: tuple[PoolSize, ...] = ()
        self.servers = 0
        """The version of the list of servers."""
        self.breakers: dict[str, BreakerMark] = {}
        """By name, what it was told of breakers last."""


class ExecutorConnection:
    """An executor session on one link."""

    def __init__(
        self,
        session: Session,
        link: ExecutorLink,
        facts: Facts,
        *,
        grant: Grant = UNBOUND,
    ) -> None:
        self.session = session
        self.link = link
        self.grant = grant
        """What the executor was let in with."""
        self.credits = {size.pool: PoolCredit(self, size.pool, size.room, size.max) for size in session.abilities.pools}
        self.bookings = Bookings(session.abilities.resources)
        self.jobs: list[JobSpec] = []
        """What the executor's code says."""
        self.traces = False
        """Whether it exports spans."""
        self.since: datetime | None = None
        """When the executor was started."""
        self.told = SentFacts()
        self.load: Load | None = None
        self.beat: int | None = None
        """The beat that waits for its renewal."""
        self.owned = OwnedAttempts()
        """The attempts that are its own: what it says of others changes nothing."""
        self.refused = 0
        """Words of it that were dropped: they named attempts that it does not have, or did not fit."""
        self.unarrived: list[Held] = []
        """Attempts that the store gave it before it came, and that it did not name when it did."""
        self.missing: set[tuple[RunId, Token]] = set()
        """Attempts the store has and the last inventory had not."""
        self.cancelled: set[tuple[RunId, Token]] = set()
        """Attempts that the executor was told to cancel."""
        self.suspended: set[tuple[RunId, Token]] = set()
        """Attempts that it was told to have yield."""
        self.is_leaving = False
        """Whether it was asked to connect elsewhere."""
        self.gone = False
        self._uses: dict[Token, Use] = {}
        self._unnamed: dict[Token, int] = {}
        """Attempts that credit is taken for and the last inventory had not, by token."""
        self._frames: deque[bytes] = deque()
        self._ready = asyncio.Event()
        self._at_rest = False
        """Whether `write` waits for frames: then nothing is under way that another could overtake."""
        self._rejected = asyncio.Event()
        self._denial: MainspringError | None = None
        self._facts = facts

    @property
    def id(self) -> SessionId:
        return self.session.id

    @property
    def busy(self) -> bool:
        """Whether it has attempts, or some are on their way to it."""
        return bool(self._uses)

    @property
    def weighted(self) -> bool:
        """Whether it has a weight of its own, or warms up."""
        labels = self.session.abilities.labels
        return WEIGHT in labels or WARM_UP in labels

    @property
    def speaker(self) -> Speaker:
        """Whose code it is."""
        session = self.session
        version = session.abilities.code_version
        return Speaker(executor=session.executor, code_version=version, session=session.id, since=self.since)

    def hear_beat(self, beat: Beat) -> None:
        """Take in a sign of life; a pool that has lost its last usable slot, or has one again, is worth a line."""
        before = set() if self.load is None else {stuck.pool for stuck in self.load.stuck}
        self.beat, self.load = beat.seq, beat.load
        for stuck in beat.load.stuck:
            if stuck.pool not in before:
                log.warning("executor %s has no usable slot in its pool %s: %s", self.name, stuck.pool, stuck.reason)
        for pool in before - {stuck.pool for stuck in beat.load.stuck}:
            log.info("executor %s has usable slots in its pool %s again", self.name, pool)

    @property
    def name(self) -> str:
        return self.session.executor

    def load_at(self, now: datetime) -> SessionLoad | None:
        """How busy it is, as its last beat said."""
        said = self.load
        if said is None:
            return None
        pools = [PoolUse(credit.pool, credit.room, credit.taken) for credit in self.credits.values()]
        return SessionLoad(
            at=now,
            running=said.running,
            waiting=said.waiting,
            cpu=said.cpu,
            memory=said.memory,
            pools=pools,
            strays=said.strays,
            blocked=said.blocked[-BLOCKED_MAX:],
            stuck=said.stuck[: len(Pool)],
        )

    def resize(self, sizes: list[PoolSize]) -> None:
        """Know its pools by these sizes; how many attempts each may hold comes with its room."""
        self.session = resized(self.session, sizes)
        for size in sizes:
            self.credits[size.pool].most = size.max

    def credit_for(self, handler: str) -> PoolCredit | None:
        pool = self.session.abilities.handlers.get(handler)
        return None if pool is None else self.credits.get(pool)

    def take(self, credit: PoolCredit, token: Token, runs: Sequence[RunId], needs: Needs | None = None) -> None:
        """Use credit, and book the needs of each, for attempts under a token, which are this session's from now on."""
        count = len(runs)
        self.owned.add(token, runs)
        credit.count(count, needs)
        use = self._uses.get(token)
        if use is None:
            self._uses[token] = Use(credit, count, needs)
        else:
            use.count += count

    def give_back(self, tokens: Sequence[Token]) -> None:
        """Free the credit of attempts that are over."""
        for token, count in tally(tokens):
            use = self._uses.get(token)
            if use is None:
                continue
            use.credit.count(-min(count, use.count), use.needs)
            use.count -= count
            if use.count <= 0:
                del self._uses[token]
        self._facts.publish(CreditFreed())

    def give_back_unnamed(self, named: Mapping[Token, int]) -> None:
        """Free the credit of attempts that two inventories in a row have not named.

        Either their start was lost on its way, or the executor was told to forget them, and says nothing more of them.
        """
        before, self._unnamed = self._unnamed, {}
        gone: list[Token] = []
        for token, use in self._uses.items():
            count = use.count - named.get(token, 0)
            if count > 0:
                self._unnamed[token] = count
                gone += [token] * min(count, before.get(token, 0))
        if gone:
            self.give_back(gone)

    def forget_settled(self, tokens: Iterable[Token]) -> None:
        """Know no more attempts than those under these tokens, and those that credit is taken for."""
        self.owned.keep({*tokens, *self._uses})
        self.owned.age()

    def send(self, *messages: Message) -> None:
        self.send_frame(encode(messages))

    def send_frame(self, frame: bytes) -> None:
        if self._at_rest and not self._frames and self.link.send_now(frame):
            return
        self._frames.append(frame)
        self._ready.set()

    def start(self, claim: Claim, frames: Iterable[bytes]) -> None:
        """Send the frames of a claim."""
        for frame in frames:
            self.send_frame(frame)
        self._facts.publish(RunsStarted(claim))

    def reject(self, error: MainspringError) -> None:
        """End the connection, saying why; the lease runs on, and the executor's attempts are reclaimed with it."""
        self._denial = error
        self._rejected.set()

    def supersede(self) -> None:
        """End the connection: another one has taken the session over."""
        self.gone = True
        self._rejected.set()

    async def wait_rejected(self) -> None:
        """Raise the reason for which the executor is rejected; not from `write`, which may wait for one that reads nothing."""
        await self._rejected.wait()
        if self._denial is not None:
            raise self._denial
        raise ConnectionError("another connection has taken its place")

    async def write(self) -> None:
        """Carry the frames to the link that could not leave at once, until it breaks.

        That it breaks is for the reader to say, once it has read all that came before: a goodbye may be among it.
        """
        with suppress(ConnectionError):
            while True:
                self._at_rest = True
                await self._ready.wait()
                self._at_rest = False
                self._ready.clear()
                while self._frames:
                    await self.link.send(self._frames.popleft())
