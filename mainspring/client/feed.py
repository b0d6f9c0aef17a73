"""Live changes over any number of connections: the requests and the reader of their streams, without I/O."""

from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from contextlib import aclosing, closing
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from mainspring.client.calls import Request, ask
from mainspring.client.follow_logs import EventReader
from mainspring.client.transport.problems import unreadable
from mainspring.client.waiting import PAUSE
from mainspring.client.waiting_in_handlers import pause
from mainspring.clock import SystemClock
from mainspring.contract.operations.events import STREAM_EVENTS, StreamQuery
from mainspring.contract.runs import RunInfo
from mainspring.errors import UnavailableError

if TYPE_CHECKING:
    from mainspring.client.transport.asyncio_http import AsyncTransport
    from mainspring.client.transport.sync_http import SyncTransport

GAP = "gap"
COMMON = ("at", "namespace", "queue")

T_co = TypeVar("T_co", covariant=True)


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change. After one of kind `gap`, changes were missed, and the caller reads its data anew."""

    kind: str
    at: datetime | None = None
    namespace: str = ""
    queue: str | None = None
    content: dict[str, Any] = {}
    """What else there is to say; each kind has its own."""

    @property
    def gap(self) -> bool:
        return self.kind == GAP


class Watching(Protocol[T_co]):
    """A stream: its next request, and how far it was read."""

    over: bool
    connected: bool
    """Some server has answered."""

    def request(self) -> Request[bytes]:
        """The request of the next connection."""

    def take(self, text: str) -> T_co | None:
        """The item that this line of the stream completes, if it does."""


class WatchingChanges:
    """Changes of a namespace; it goes on where it stopped, or says that it could not."""

    over = False

    def __init__(self, kinds: Iterable[str] = (), *, queue: str | None = None, job: str | None = None) -> None:
        self.connected = False
        self._query = StreamQuery(kind=list(kinds), queue=queue, job=job)
        self._place = ""
        self._reader = EventReader()

    def request(self) -> Request[bytes]:
        self._reader = EventReader()
        headers = {"last-event-id": self._place} if self._place else {}
        return ask(STREAM_EVENTS, query=self._query, headers=headers)

    def take(self, text: str) -> Change | None:
        self.connected = True
        if text.startswith("id:"):
            # Also the one that comes before the first change.
            self._place = text.removeprefix("id:").strip()
        event = self._reader.take(text)
        if event is None:
            return None
        said = read(_content, event.data)
        content = {name: value for name, value in said.items() if name not in COMMON}
        named = {name: said[name] for name in COMMON if name in said}
        return msgspec.convert({"kind": event.kind, "content": content, **named}, Change)


class WatchingRun:
    """One run through the states that it is seen in, until its end."""

    def __init__(self, run: str) -> None:
        self.connected = self.over = False
        self._run = run
        self._seen: tuple[object, ...] | None = None
        self._reader = EventReader()

    def request(self) -> Request[bytes]:
        self._reader = EventReader()
        return ask(STREAM_EVENTS, query=StreamQuery(run=self._run))

    def take(self, text: str) -> RunInfo | None:
        self.connected = True
        event = self._reader.take(text)
        if event is None:
            return None
        run = read(_run, event.data)
        looks = (run.state, run.reason, run.attempt, run.progress)
        self.over = run.final
        if looks == self._seen:
            return None
        self._seen = looks
        return run


async def watch_async(
    open_transport: "Callable[[], AsyncTransport]", watching: Watching[T_co]
) -> AsyncGenerator[T_co, None]:
    """Yields the stream's items, across restarts of servers; raises the error that the first server refuses with."""
    while not watching.over:
        try:
            async with aclosing(open_transport().stream(watching.request())) as texts:
                async for text in texts:
                    if (found := watching.take(text)) is not None:
                        yield found
        except UnavailableError:
            if not watching.connected:
                raise
        if not watching.over:
            await SystemClock().sleep(PAUSE)


def watch_sync(open_transport: "Callable[[], SyncTransport]", watching: Watching[T_co]) -> Generator[T_co, None, None]:
    """`watch_async` without await."""
    while not watching.over:
        try:
            with closing(open_transport().stream(watching.request())) as texts:
                yield from (found for text in texts if (found := watching.take(text)) is not None)
        except UnavailableError:
            if not watching.connected:
                raise
        if not watching.over:
            pause(PAUSE)


R = TypeVar("R")


def read(decode: Callable[[str], R], text: str) -> R:
    try:
        return decode(text)
    except msgspec.DecodeError as error:
        raise unreadable(error, None) from None


_content = msgspec.json.Decoder(dict[str, Any]).decode
_run = msgspec.json.Decoder(RunInfo).decode
