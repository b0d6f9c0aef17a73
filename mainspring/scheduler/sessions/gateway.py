"""The executors connected to this server."""

import asyncio
import hmac
import logging
from contextlib import suppress
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.access.token import UNBOUND, Grant
from mainspring.domain.cluster.seal import seal_of
from mainspring.domain.cluster.session import Session, SessionState
from mainspring.domain.ids import ServerId, SessionId
from mainspring.domain.jobs.definition import digest
from mainspring.errors import (
    AccessDeniedError,
    ConfigError,
    DrainingError,
    ForbiddenError,
    FrameError,
    MainspringError,
    NotFoundError,
    VersionError,
    WireError,
)
from mainspring.scheduler.access.cache import AccessCache
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.cluster.known_servers import KnownServers
from mainspring.scheduler.facts import AccessRead, Facts, SessionDied, SessionsChanged
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.sessions.hello.admit import admit
from mainspring.scheduler.sessions.hello.check_hello import check_hello
from mainspring.scheduler.sessions.hello.unapplied_triggers import unapplied
from mainspring.scheduler.sessions.link import ExecutorLink
from mainspring.scheduler.sessions.receive_messages import ReceiveMessages
from mainspring.scheduler.sessions.reconcile import Reconcile
from mainspring.scheduler.sessions.refusals import Refusals
from mainspring.scheduler.sessions.renew_leases import RenewLeases
from mainspring.scheduler.sessions.store_checkpoints import StoreCheckpoints
from mainspring.scheduler.sessions.store_telemetry import StoreTelemetry
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.wire.codec import decode_first, encode
from mainspring.wire.messages import (
    PROTOCOL,
    Hello,
    Leave,
    Refused,
    Welcome,
)

log = logging.getLogger("mainspring.gateway")

GREETINGS_MAX = 16
"""Executors that are greeted at a time."""
# When hundreds come back at once, beats and health checks have their turns between them.

CLOSE_PROTOCOL = 4400
CLOSE_TOKEN = 4401
CLOSE_FORBIDDEN = 4403
CLOSE_SESSION = 4409
CLOSE_AWAY = 4503


class Gateway:
    """Serves links; each message goes to the duty concerned."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        server: ServerId,
        catalog: Catalog,
        settling: SettleAttempts,
        renewing: RenewLeases,
        telemetry: StoreTelemetry,
        memories: StoreCheckpoints,
        refusals: Refusals,
        access: AccessCache,
        known: KnownServers,
        facts: Facts,
    ) -> None:
        self.attached: dict[SessionId, ExecutorConnection] = {}
        self._store = store
        self._settings = settings
        self._clock = clock
        self.server = server
        self._catalog = catalog
        self._access = access
        self._known = known
        self._reconcile = Reconcile(store, clock, catalog, settling)
        self.receiving = ReceiveMessages(
            store,
            clock,
            settling,
            renewing,
            telemetry,
            memories,
            refusals,
            access,
            self._reconcile,
            self.attached,
            facts,
        )
        self._facts = facts
        self._greetings = asyncio.Semaphore(GREETINGS_MAX)
        facts.subscribe(AccessRead, lambda _: self.recheck())
        facts.subscribe(SessionDied, lambda died: self.drop(died.session, died.reason))

    def takers(self) -> list[ExecutorConnection]:
        """Those that may be given runs."""
        return [one for one in self.attached.values() if self._catalog.cordon_of(one.session) is None]

    def busy(self) -> list[SessionId]:
        """The sessions of those that have attempts."""
        return [session for session, one in self.attached.items() if one.busy]

    async def serve(self, link: ExecutorLink, grant: Grant = UNBOUND) -> None:
        """Serve one connection until it ends."""
        try:
            hello = await self._hello(link)
            check_hello(hello)
            async with self._greetings:
                attached = await self._greet(link, grant, hello)
        except ConnectionError:
            return
        except MainspringError as error:
            await self._refuse(link, error)
            return
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(attached.write())
                group.create_task(self.receiving.serve(attached))
                group.create_task(attached.wait_rejected())
        except* ConnectionError:
            log.info("executor %s disconnected", attached.session.executor)
        except* MainspringError as errors:
            await self._refuse(link, errors.exceptions[0])
        finally:
            self._detach(attached)

    def leave(self) -> None:
        """Ask all executors to connect elsewhere."""
        for attached in self.attached.values():
            self.send_away(attached)

    def send_away(self, attached: ExecutorConnection) -> None:
        """Ask one executor to connect elsewhere; once for each of its connections."""
        if not attached.is_leaving:
            attached.is_leaving = True
            attached.send(Leave(self._known.others(attached.session.abilities.zone)))

    async def turn_away(self, link: ExecutorLink, reason: str) -> None:
        """Refuse a connection before it has said anything, naming other servers."""
        with suppress(ConnectionError):
            await link.send(encode([Refused(DrainingError.code, reason, self._known.others(""))]))
        await link.close(CLOSE_AWAY, reason)

    def drop(self, session: SessionId, reason: str) -> None:
        """Tell an executor that its session is over; it has to come back as a new one."""
        attached = self.attached.get(session)
        if attached is not None:
            attached.send(Refused("session_dead", reason))

    def recheck(self) -> None:
        """Turn out the executors whose token was revoked, rotated or has expired."""
        for attached in list(self.attached.values()):
            if (denial := self._access.denial(attached.grant)) is not None:
                attached.reject(denial)
                self._detach(attached)

    async def _greet(self, link: ExecutorLink, grant: Grant, hello: Hello) -> ExecutorConnection:
        jobs = await admit(hello, grant, self._access, self._catalog)
        now = self._clock.now()
        session = Session(
            id=hello.session,
            namespace=hello.namespace,
            executor=hello.executor,
            server=self.server,
            state=SessionState.LIVE,
            lease_until=now + timedelta(seconds=self._settings.lease),
            abilities=hello.abilities,
            seal=seal_of(hello.secret, grant.token.id),
        )
        self._refuse_other(session)
        # First the session, then its word: a connection with another one must find that this session is taken.
        specs = {spec.name: digest(spec) for spec in jobs}
        opened = await self._store.cluster.open_session(session, specs=specs, now=now)
        if opened is None:
            raise SessionDeadError(hello.executor)
        if opened.state is SessionState.CORDONED and self._catalog.cordon_of(session) is None:
            self._catalog.wake.set()
        attached = ExecutorConnection(session, link, self._facts, grant=grant)
        attached.jobs, attached.since, attached.traces = jobs, opened.since, hello.traces
        known = [spec for spec in jobs if self._known.know(spec.policy)]
        if len(known) < len(jobs):
            # An older server would claim past them: they are registered once it is gone.
            log.warning("jobs of executor %s wait for servers of an older release to be upgraded", hello.executor)
        await self._catalog.register(hello.namespace, known, attached.speaker)
        stale = await self._reconcile.greet(attached, hello.holding)
        missing = await unapplied(self._store, hello.namespace, hello.triggers)
        server = self._settings
        told = self._known.addresses_for(hello.abilities.zone)
        attached.told.servers = self._known.version
        attached.send(Welcome(PROTOCOL, server.name, server.lease, server.beat, stale, missing, told))
        if (denial := self._access.denial(grant)) is not None:
            raise denial
        self._attach(attached)
        return attached

    def _refuse_other(self, session: Session) -> None:
        """Raise unless who is attached under that id, if any, has the same seal. The store is asked as well."""
        before = self.attached.get(session.id)
        if before is not None and not hmac.compare_digest(before.session.seal, session.seal):
            raise SessionDeadError(session.executor)

    async def _hello(self, link: ExecutorLink) -> Hello:
        match decode_first(await link.receive()):
            case [Hello() as hello] if hello.protocol != PROTOCOL:
                raise VersionError(hello.protocol, PROTOCOL)
            case [Hello() as hello]:
                return hello
            case _:
                raise FrameError("the first frame is a hello and nothing else")

    def _attach(self, attached: ExecutorConnection) -> None:
        before = self.attached.get(attached.id)
        if before is not None:
            # A server that has slept hears old connections and the new one in any order: the one that is closed here may be
            # the one that its executor listens to, which must notice, and dial again.
            before.supersede()
        self.attached[attached.id] = attached
        self._catalog.add_session(attached.session)
        log.info("executor %s connected", attached.session.executor)
        self._changed()

    def _detach(self, attached: ExecutorConnection) -> None:
        attached.gone = True
        if self.attached.get(attached.id) is attached:
            del self.attached[attached.id]
            self._changed()

    def _changed(self) -> None:
        self._facts.publish(SessionsChanged(self.attached.keys()))

    async def _refuse(self, link: ExecutorLink, error: BaseException) -> None:
        code = error.code if isinstance(error, MainspringError) else "error"
        log.warning("executor refused (%s): %s", code, error)
        with suppress(ConnectionError):
            await link.send(encode([Refused(code, str(error))]))
        await link.close(close_code(error), str(error)[:120])


class SessionDeadError(WireError):
    """The session's lease had lapsed and its attempts were given up."""

    code = "session_dead"

    def __init__(self, executor: str) -> None:
        # The same for one that is another's: whether there is such a session is not for everybody to know.
        super().__init__(f"session of executor {executor} was given up; start a new one")


def close_code(error: BaseException) -> int:
    if isinstance(error, SessionDeadError):
        return CLOSE_SESSION
    if isinstance(error, AccessDeniedError):
        return CLOSE_TOKEN
    if isinstance(error, ForbiddenError | NotFoundError):
        return CLOSE_FORBIDDEN
    return CLOSE_PROTOCOL if isinstance(error, WireError | ConfigError) else CLOSE_AWAY
