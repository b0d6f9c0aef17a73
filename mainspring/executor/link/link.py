"""The line to a server: dial, greet, carry frames, and go on to the next server when this one fails."""

import asyncio
import logging
from collections.abc import Sequence

from mainspring.clock import Clock
from mainspring.discovery.directory import BY_SERVERS, Directory
from mainspring.domain.cluster.server import ServerAddress
from mainspring.domain.ids import Entropy
from mainspring.errors import (
    ConfigError,
    FrameError,
    MainspringError,
    UnavailableError,
    VersionError,
)
from mainspring.executor.link.dialling import Dial, Dialled, Dialling, ServerConnection
from mainspring.executor.link.session import ExecutorSession
from mainspring.wire.codec import decode_from_server, encode
from mainspring.wire.messages import HELLO_MAX, PROTOCOL, Leased, Leave, Refused, Welcome

log = logging.getLogger(__name__)

BACKOFF = 0.25
BACKOFF_MAX = 2.0
"""Seconds; however long servers or their database were away, executors are back soon after them."""
WATCHES = 20
"""How often the lease is looked at, within its length."""
LEASE_UNKNOWN = 10.0
ANSWER_MAX = 5.0
"""Seconds that a server has to take a connection, and again to answer a hello ..."""
ANSWER_SHARE = 0.5
"""... but no more than this part of the time until the lease lapses, so that there is time for another server ..."""
ANSWER_MIN = 0.05
"""... and no less than this part of a lease, twice as much after each round of all servers in vain."""
# A server that many come back to is slow. If all gave it up soon and dialled again, it would do its work for nobody.
SILENT_MAX = 1.0
"""Seconds of silence after which the next server is dialled too: whichever connection opens first is taken."""
STRANGER_MAX = 1.0
"""Seconds that an address has to answer which only an address book names, while there are others to try."""
ROUNDS_MAX = 20
"""More make no difference."""
TOLD_MAX = 100
SESSION_DEAD = "session_dead"
TOKEN_CODES = frozenset({"access_denied", "token_missing", "token_unknown", "token_expired", "token_revoked"})
FORBIDDEN_CODES = frozenset({"forbidden", "forbidden_namespace", "forbidden_queue", "unknown_namespace"})
FATAL = TOKEN_CODES | FORBIDDEN_CODES | {VersionError.code, ConfigError.code}
"""Codes of refusals that another try cannot mend."""
FATAL_AT_FIRST = FATAL | {FrameError.code}
"""The same for a hello, which is identical at every try."""


class SessionOverError(ConnectionError):
    """The server is well, but has given this session up."""


class Link:
    """Three loops that the composition runs side by side: `receive`, `send` and `watch`."""

    def __init__(
        self,
        session: ExecutorSession,
        servers: Directory | Sequence[str],
        dial: Dial,
        *,
        clock: Clock,
        entropy: Entropy,
    ) -> None:
        self._session = session
        self._servers = servers if isinstance(servers, Directory) else Directory(servers)
        self._dialling = Dialling(dial, clock)
        self._clock = clock
        self._entropy = entropy
        self._connection: ServerConnection | None = None
        """Once the server has welcomed us."""
        self._greeting: ServerConnection | None = None
        self._greet_by = 0.0
        self._up = asyncio.Event()
        self._failures = 0
        self._session_over = False
        """Whether a server gave a session up since the last welcome; another one counts as a failure of the server."""
        self._tried_at: float | None = None
        """When the dial of the server began that has not welcomed us yet."""
        self._parted = False
        """Goodbye was sent: the end of the connection is expected."""
        self._logged: set[tuple[str, str]] = set()
        """Which server could not be reached and why, as far as the log knows; empty while there is a connection."""

    async def receive(self) -> None:
        """Stay connected to a server for ever; raises only errors that another try cannot mend."""
        try:
            while True:
                if (dialled := self._dialling.take()) is not None:
                    await self._use(dialled)
                elif url := self._servers.next(self._clock.monotonic(), besides=self._dialling.urls):
                    self._dialling.begin(url, self._patience(url))
                    await self._dialling.wait(SILENT_MAX)
                else:
                    await self._dialling.wait(BACKOFF)
        finally:
            self._dialling.give_up()

    async def send(self) -> None:
        """Send pending frames for ever."""
        # Messages that gather while a frame is being sent go with the next.
        session = self._session
        while True:
            await self._up.wait()
            await self._clock.wait(session.wake, session.due_in())
            session.wake.clear()
            if (connection := self._connection) is not None:
                await self._send_due(connection)

    async def watch(self) -> None:
        """Leave a server that renews nothing; stop everything before the lease is over."""
        lease = self._session.lease
        while True:
            await self._clock.sleep((lease.length or LEASE_UNKNOWN) / WATCHES)
            now = self._clock.monotonic()
            if lease.lapsed(now):
                self._session.fence()
                self._cut()
            elif self._greeting is not None and now >= self._greet_by:
                self._cut()
            elif self._connection is not None and lease.silent(now):
                log.warning("the server renews nothing: trying another")
                self._cut()

    async def goodbye(self) -> None:
        """End the session in an orderly way, if a server is connected."""
        self._parted = True
        connection = self._connection
        if connection is None:
            return
        try:
            for messages in self._session.closing_frames():
                await connection.send(encode(messages))
            await connection.close()
        except ConnectionError:
            return

    async def _use(self, dialled: Dialled) -> None:
        """Be connected until one side has enough of it; then leave the server or note its failure, and pause."""
        url, self._tried_at = dialled.url, dialled.began
        try:
            await self._attend(url, dialled.connection())
            self._servers.left(url, self._clock.monotonic())
        except SessionOverError as error:
            # The server is well: the hello of a new session goes to it, and need not wait long.
            log.info("%s: %s; coming back as a new session", url, error)
        except (ConnectionError, UnavailableError, FrameError) as error:
            self._fail(url, str(error))
        except MainspringError as error:
            # A stranger in an address book refuses everything: only servers that the settings name are believed.
            if self._servers.is_seed(url):
                raise
            self._fail(url, str(error))
        except Exception:  # an executor outlives whatever one connection runs into
            log.exception("the connection to %s ended in a way that nothing was prepared for", url)
            self._fail(url, "unexpected")
        await self._dialling.wait(self._pause(url))

    async def _attend(self, url: str, connection: ServerConnection) -> None:
        """Be connected to one server until one side has enough of it."""
        try:
            await self._greet(connection, url)
            await self._listen(connection, url)
        finally:
            self._connection = self._greeting = None
            self._up.clear()
            self._session.part()
            connection.abort()

    async def _greet(self, connection: ServerConnection, url: str) -> None:
        self._greeting, self._greet_by = connection, self._clock.monotonic() + self._patience(url)
        hello = self._session.hello()
        frame = encode([hello])
        if len(frame) > HELLO_MAX:
            raise ConfigError(f"what this executor says of its jobs takes {len(frame)} bytes, over {HELLO_MAX}")
        await connection.send(frame)
        first, *rest = decode_from_server(await connection.receive()) or (None,)
        self._greeting = None
        if hello.session != self._session.id:
            raise ConnectionError("the lease was over before the answer came")
        if isinstance(first, Refused):
            self._learn(url, first.servers)
            self._refused(url, first, FATAL_AT_FIRST)
        if not isinstance(first, Welcome):
            raise FrameError(f"expected a welcome, got {type(first).__name__}")
        if first.protocol != PROTOCOL:
            raise VersionError(first.protocol, PROTOCOL)
        log.info("connected to %s (%s)", first.server, url)
        # The others would each cost a server a connection that nothing is ever said on.
        self._dialling.give_up()
        self._failures, self._session_over, self._tried_at = 0, False, None
        self._logged.clear()
        self._servers.reached(url, self._clock.monotonic())
        self._learn(url, first.servers)
        self._session.welcome(first)
        self._connection = connection
        self._up.set()
        for message in rest:
            self._session.receive(message)

    async def _listen(self, connection: ServerConnection, url: str) -> None:
        while True:
            messages = decode_from_server(await connection.receive())
            for message in messages:
                # Once cut, nothing more counts: what is still in its buffers was said to a session that is over.
                if self._connection is not connection:
                    return
                if isinstance(message, Leave | Refused | Leased) and message.servers:
                    self._learn(url, message.servers)
                if isinstance(message, Leave):
                    return
                if isinstance(message, Refused):
                    self._refused(url, message)
                self._session.receive(message)

    def _learn(self, url: str, servers: Sequence[ServerAddress]) -> None:
        self._servers.learn(BY_SERVERS, servers, self._clock.monotonic(), said_by=url)

    async def _send_due(self, connection: ServerConnection) -> None:
        try:
            for messages in self._session.outgoing():
                await connection.send(encode(messages))
        except ConnectionError:
            # The reader of this connection is told, and dials again.
            connection.abort()

    def _fail(self, url: str, reason: str) -> None:
        """Count a failed try, and log its reason unless it was logged before."""
        # A list of strangers must not make the pauses between tries of real servers longer.
        self._failures += not self._servers.is_stranger(url)
        # Away from when the dial began: a server that was silent for so long need not wait again.
        self._servers.failed(url, self._clock.monotonic() if self._tried_at is None else self._tried_at)
        known = self._parted or (url, reason) in self._logged or len(self._logged) >= TOLD_MAX
        log.log(logging.DEBUG if known else logging.WARNING, "no connection to %s: %s; trying again", url, reason)
        if not known:
            self._logged.add((url, reason))

    def _refused(self, url: str, refused: Refused, fatal: frozenset[str] = FATAL) -> None:
        # A stranger must not end attempts by a word.
        if refused.code == SESSION_DEAD and not self._servers.is_stranger(url):
            # Also one that was never welcomed: it is dead in the store, and would be refused for ever.
            self._session.fence()
            if not self._session_over:
                self._failures, self._session_over = 0, True
                raise SessionOverError(refused.reason)
        if refused.code in fatal:
            raise ConfigError(f"refused by the server: {refused.reason} ({refused.code})")
        raise UnavailableError(f"refused: {refused.reason} ({refused.code})")

    def _cut(self) -> None:
        for connection in (self._connection, self._greeting):
            if connection is not None:
                connection.abort()
        self._connection = self._greeting = None

    def _patience(self, url: str) -> float:
        """Seconds that this server has to answer."""
        lease = self._session.lease
        if self._servers.is_stranger(url):
            most = STRANGER_MAX
        else:
            # Another one may answer at once; but if the first round was in vain, all may be slow, and get more time.
            most = ANSWER_MAX * (0.5 if self._servers.trusted > 1 and not self._failures else 1.0)
        if not lease.held:
            return min(most, ANSWER_SHARE * (lease.length or LEASE_UNKNOWN))
        share = ANSWER_SHARE * lease.left(self._clock.monotonic())
        return min(most, max(share, ANSWER_MIN * lease.length * (1 << self._rounds)))

    def _pause(self, url: str) -> float:
        """Longer after each round of all servers, with full jitter, so that a fleet does not come back all at once."""
        jitter = int.from_bytes(self._entropy(4), "big") / 2**32
        if self._servers.is_stranger(url):
            return jitter * BACKOFF
        # The time that a server took to fail is a part of the pause; not so once it had welcomed us.
        taken = 0.0 if self._tried_at is None else self._clock.monotonic() - self._tried_at
        return max(0.0, jitter * min(BACKOFF_MAX, BACKOFF * (1 << self._rounds)) - taken)

    @property
    def _rounds(self) -> int:
        """How often all servers were tried in vain, rounded up."""
        return min(-(-self._failures // max(1, self._servers.trusted or len(self._servers))), ROUNDS_MAX)
