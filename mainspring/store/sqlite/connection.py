"""Where acts run: on threads of their own, or at once in the caller.

Calls that wait for the writing thread together share one transaction and one fsync.
"""

import asyncio
import queue
import threading
from typing import Any, Protocol, TypeVar

import msgspec

from mainspring.errors import StoreUnavailableError
from mainspring.store.sqlite.transactions import Act, ActResult, Reader, Writer

T = TypeVar("T")

GROUP_MAX = 64
READERS = 2


class Connection(Protocol):
    """Runs acts, each in one transaction."""

    async def write(self, act: Act[T]) -> T: ...

    async def read(self, act: Act[T]) -> T: ...

    async def close(self) -> None: ...


class Inline:
    """Runs acts at once in the caller, without threads: for simulation, where every step must repeat from its seed."""

    def __init__(self, path: str) -> None:
        self._writer = Writer(path)

    async def write(self, act: Act[T]) -> T:
        answer: T = settled(self._writer.commit([act])[0])
        return answer

    async def read(self, act: Act[T]) -> T:
        return await self.write(act)

    async def close(self) -> None:
        self._writer.close()


class QueuedAct(msgspec.Struct, frozen=True):
    act: Act[Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


Inbox = queue.SimpleQueue[QueuedAct | None]


class Threaded:
    """Runs acts on threads of its own, so that no fsync ever holds up the event loop."""

    def __init__(self, path: str) -> None:
        self._closed = False
        self._writes: Inbox = queue.SimpleQueue()
        self._reads: Inbox = queue.SimpleQueue()
        served: list[tuple[Inbox, Writer | Reader]] = [(self._writes, Writer(path))]
        served += [(self._reads, Reader(path)) for _ in range(READERS)]
        self._threads = [
            threading.Thread(target=serve, args=pair, name=f"sqlite-{number}", daemon=True)
            for number, pair in enumerate(served)
        ]
        for thread in self._threads:
            thread.start()

    async def write(self, act: Act[T]) -> T:
        return await self._call(self._writes, act)

    async def read(self, act: Act[T]) -> T:
        return await self._call(self._reads, act)

    async def close(self) -> None:
        """Finish the acts under way, then stop; the writer last, so that it can clean up the WAL."""
        if self._closed:
            return
        self._closed = True
        writer, *readers = self._threads
        for _ in readers:
            self._reads.put(None)
        await asyncio.to_thread(join_all, readers)
        self._writes.put(None)
        await asyncio.to_thread(join_all, [writer])

    async def _call(self, inbox: Inbox, act: Act[T]) -> T:
        if self._closed:
            raise StoreUnavailableError("the store is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        inbox.put(QueuedAct(act, loop, future))
        return await future


def serve(inbox: Inbox, server: Writer | Reader) -> None:
    """Answer calls until told to stop; those that came while the last group was committed form the next."""
    while (call := inbox.get()) is not None:
        group = [call]
        stop = fill(group, inbox)
        answers = server.commit([call.act for call in group])
        deliver(group, answers)
        if stop:
            break
    server.close()


def fill(group: list[QueuedAct], inbox: Inbox) -> bool:
    """Add the calls that wait; True if one of them says to stop."""
    while len(group) < GROUP_MAX:
        try:
            call = inbox.get_nowait()
        except queue.Empty:
            return False
        if call is None:
            return True
        group.append(call)
    return False


def deliver(group: list[QueuedAct], answers: list[ActResult]) -> None:
    """Hand the answers over, with one wake per event loop."""
    for loop in {call.loop for call in group}:
        mine = [(call.future, answer) for call, answer in zip(group, answers, strict=True) if call.loop is loop]
        if not loop.is_closed():
            loop.call_soon_threadsafe(resolve, mine)


def resolve(answered: list[tuple[asyncio.Future[Any], ActResult]]) -> None:
    for future, answer in answered:
        if future.done():
            continue
        if answer.error is not None:
            future.set_exception(answer.error)
        else:
            future.set_result(answer.value)


def settled(answer: ActResult) -> Any:
    if answer.error is not None:
        raise answer.error
    return answer.value


def join_all(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join()
