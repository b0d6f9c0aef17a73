"""The executors connected to this server: who they are, what they say, what they hold."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import assert_never

from mainspring.clock import Clock
from mainspring.domain.ids import ServerId, SessionId
from mainspring.domain.session import Session, SessionState
from mainspring.errors import FrameError, MainspringError, VersionError, WireError
from mainspring.scheduler.attached import Attached
from mainspring.scheduler.keep_telemetry import KeepTelemetry
from mainspring.scheduler.reconcile import Reconcile
from mainspring.scheduler.renew_leases import RenewLeases
from mainspring.scheduler.requests import Link
from mainspring.scheduler.roster import Roster
from mainspring.scheduler.settle_attempts import SettleAttempts
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.wire.codec import decode_from_executor, encode
from mainspring.wire.messages import (
    PROTOCOL,
    Beat,
    FromExecutor,
    Goodbye,
    Hello,
    Inventory,
    Leave,
    Logs,
    Outcomes,
    Refused,
    Reports,
    Room,
    Welcome,
)

log = logging.getLogger("mainspring.gateway")

CLOSE_PROTOCOL = 4400
CLOSE_SESSION = 4409
CLOSE_AWAY = 4503


class Gateway:
    """Serves links; what comes in on them goes to the duty concerned."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        server: ServerId,
        roster: Roster,
        settling: SettleAttempts,
        renewing: RenewLeases,
        telemetry: KeepTelemetry,
    ) -> None:
        self.attached: dict[SessionId, Attached] = {}
        self._store = store
        self._settings = settings
        self._clock = clock
        self._server = server
        self._roster = roster
        self._settling = settling
        self._renewing = renewing
        self._telemetry = telemetry
        self._reconcile = Reconcile(store, clock, roster, settling)
        self._listeners: list[Callable[[], None]] = []
        self._free: Callable[[], None] = lambda: None

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener when an executor comes, goes or changes its room."""
        self._listeners.append(listener)

    def on_free(self, listener: Callable[[], None]) -> None:
        """Call the listener when credit was given back."""
        self._free = listener

    async def serve(self, link: Link) -> None:
        """Serve one connection until it ends."""
        try:
            attached = await self._greet(link)
        except ConnectionError:
            return
        except MainspringError as error:
            await self._refuse(link, error)
            return
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(attached.write())
                group.create_task(self._read(attached))
        except* ConnectionError:
            log.info("executor %s disconnected", attached.session.executor)
        except* MainspringError as errors:
            await self._refuse(link, errors.exceptions[0])
        finally:
            self._detach(attached)

    def leave(self) -> None:
        """Ask all executors to connect elsewhere."""
        for attached in self.attached.values():
            attached.send(Leave())

    def drop(self, session: SessionId, reason: str) -> None:
        """Tell an executor that its session is over; it has to come back as a new one."""
        attached = self.attached.get(session)
        if attached is not None:
            attached.send(Refused("session_dead", reason))

    async def _greet(self, link: Link) -> Attached:
        hello = await self._hello(link)
        now = self._clock.now()
        session = Session(
            id=hello.session,
            namespace=hello.namespace,
            executor=hello.executor,
            server=self._server,
            state=SessionState.LIVE,
            lease_until=now + timedelta(seconds=self._settings.lease),
            abilities=hello.abilities,
        )
        await self._roster.register(hello.namespace, hello.jobs)
        if not await self._store.cluster.open_session(session, now=now):
            raise SessionDeadError(f"session of executor {hello.executor} was given up; start a new one")
        attached = Attached(session, link, on_free=self._free)
        stale = await self._reconcile.greet(attached, hello.holding)
        attached.send(Welcome(PROTOCOL, self._settings.name, self._settings.lease, self._settings.beat, stale))
        self._attach(attached)
        return attached

    async def _hello(self, link: Link) -> Hello:
        match decode_from_executor(await link.receive()):
            case [Hello() as hello] if hello.protocol != PROTOCOL:
                raise VersionError(hello.protocol, PROTOCOL)
            case [Hello() as hello] if len(hello.session) == 16:
                return hello
            case _:
                raise FrameError("the first frame is a hello and nothing else")

    def _attach(self, attached: Attached) -> None:
        before = self.attached.get(attached.id)
        if before is not None:
            before.gone = True
        self.attached[attached.id] = attached
        self._roster.add_session(attached.session)
        log.info("executor %s connected", attached.session.executor)
        self._changed()

    def _detach(self, attached: Attached) -> None:
        attached.gone = True
        if self.attached.get(attached.id) is attached:
            del self.attached[attached.id]
            self._changed()

    def _changed(self) -> None:
        for listener in self._listeners:
            listener()

    async def _read(self, attached: Attached) -> None:
        while True:
            for message in decode_from_executor(await attached.link.receive()):
                await self._heard(attached, message)

    async def _heard(self, attached: Attached, message: FromExecutor) -> None:
        match message:
            case Outcomes():
                attached.give_back(message.tokens)
                attached.give_back([ended.token for ended in message.ended])
                self._settling.add(attached, message)
            case Beat():
                attached.beat = message.seq
                self._renewing.add(attached)
            case Logs() | Reports():
                self._telemetry.add(message)
            case Room():
                await self._set_room(attached, message)
            case Inventory():
                await self._reconcile.inventory(attached, message.holding)
            case Goodbye():
                await self._store.cluster.drain_session(attached.id)
                await self._reconcile.part(attached)
                await self._store.cluster.close_session(attached.id, now=self._clock.now())
                raise ConnectionError("goodbye")
            case Hello():
                raise FrameError("a second hello on one connection")
            case _:
                assert_never(message)

    async def _set_room(self, attached: Attached, message: Room) -> None:
        for pool, seat in attached.seats.items():
            seat.room = message.pools.get(pool.value, seat.room)
        if not any(seat.room for seat in attached.seats.values()):
            await self._store.cluster.drain_session(attached.id)
        self._changed()

    async def _refuse(self, link: Link, error: BaseException) -> None:
        code = error.code if isinstance(error, MainspringError) else "error"
        log.warning("executor refused (%s): %s", code, error)
        with suppress(ConnectionError):
            await link.send(encode([Refused(code, str(error))]))
        await link.close(close_code(error), str(error)[:120])


class SessionDeadError(WireError):
    """The session's lease had lapsed and its attempts were given up."""

    code = "session_dead"


def close_code(error: BaseException) -> int:
    if isinstance(error, SessionDeadError):
        return CLOSE_SESSION
    return CLOSE_PROTOCOL if isinstance(error, WireError) else CLOSE_AWAY
