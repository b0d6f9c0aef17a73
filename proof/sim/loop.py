"""An event loop whose time is virtual, and on which whole processes can be stopped, killed and mixed up.

Callbacks of one process keep their order, as asyncio promises; which process goes first is drawn anew at every turn.
"""

import asyncio
import heapq
import random
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextvars import Context, ContextVar
from typing import Any
from weakref import WeakSet

STEP = 2e-6
"""Seconds that one turn takes: so time passes even while everybody is busy."""
UNWINDING_MAX = 100
CANCELLED_MAX = 60


class Process:
    """What one simulated process has of the loop."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.paused = False
        self.parked: list[asyncio.Handle] = []
        self.tasks: WeakSet[asyncio.Task[Any]] = WeakSet()
        self.context = Context()
        self.context.run(PROCESS.set, self)

    def __repr__(self) -> str:
        return self.name


PROCESS: ContextVar[Process | None] = ContextVar("proof_process", default=None)
"""To whom a callback belongs; the world's own (network, nemesis, clients) belong to nobody."""


class StillError(AssertionError):
    """Nobody waits for any time to come, and the trial is not over: a dead end is a bug by itself."""


class SimLoop(asyncio.BaseEventLoop):
    """Jumps to the next timer whenever there is nothing to do now."""

    _ready: "deque[asyncio.Handle]"
    _scheduled: list[Any]
    _stopping: bool
    _timer_cancelled_count: int

    def __init__(self, order: random.Random) -> None:
        super().__init__()
        self._elapsed = 0.0
        self._order = order
        self._processes: list[Process] = []
        self._graveyard: list[asyncio.Task[Any]] = []
        self.over = False
        """Nothing that happens from now on counts."""
        self.set_task_factory(make_task)  # type: ignore[arg-type]

    def time(self) -> float:
        return self._elapsed

    def outside(self, at: float, callback: Callable[..., object], *arguments: Any) -> asyncio.TimerHandle:
        """Call that then, on behalf of no process."""
        return self.call_at(at, callback, *arguments, context=Context())

    def enter(self, name: str) -> Process:
        """A new process."""
        self._processes.append(process := Process(name))
        return process

    def pause(self, process: Process) -> None:
        process.paused = True

    def resume(self, process: Process) -> None:
        """Let it go on with all that fell due meanwhile."""
        process.paused = False
        parked, process.parked = process.parked, []
        self._ready.extend(parked)

    def kill(self, process: Process) -> None:
        """End it at once. Its coroutines stay where they are: nothing of it cleans up, not even by being collected."""
        process.alive = False
        self._graveyard += process.tasks

    def bury(self) -> None:
        """The records are closed: let everything unwind."""
        self.over = True
        for process in self._processes:
            process.alive = True
            self.resume(process)
        for _ in range(UNWINDING_MAX):
            pending = asyncio.all_tasks(self)
            if not pending:
                break
            for task in pending:
                task.cancel()
            self.run_until_complete(asyncio.sleep(1.0))
        self._graveyard.clear()

    def _run_once(self) -> None:
        self._elapsed += STEP
        ready = self._ready
        if self._timer_cancelled_count > CANCELLED_MAX:
            self._sweep()
        if not ready and not self._stopping:
            self._jump()
        self._collect_due()
        handles = list(ready)
        ready.clear()
        for handle in self._mixed(handles):
            process = owner(handle)
            if handle._cancelled:
                continue
            if process is None or (process.alive and not process.paused):
                handle._run()
            else:
                process.parked.append(handle)

    def _jump(self) -> None:
        scheduled = self._scheduled
        while scheduled and scheduled[0]._cancelled:
            self._drop(heapq.heappop(scheduled))
        if not scheduled:
            raise StillError("nobody waits for anything, and the trial is not over")
        self._elapsed = max(self._elapsed, scheduled[0].when())

    def _collect_due(self) -> None:
        scheduled = self._scheduled
        while scheduled and scheduled[0].when() <= self._elapsed:
            handle = heapq.heappop(scheduled)
            handle._scheduled = False
            if handle._cancelled:
                self._drop(handle)
            else:
                self._ready.append(handle)

    def _sweep(self) -> None:
        """Most timers are cancelled long before their time: keep the heap small."""
        kept = [handle for handle in self._scheduled if not handle._cancelled]
        for handle in self._scheduled:
            handle._scheduled = not handle._cancelled
        heapq.heapify(kept)
        self._scheduled = kept
        self._timer_cancelled_count = 0

    def _drop(self, handle: Any) -> None:
        handle._scheduled = False
        self._timer_cancelled_count -= 1

    def _mixed(self, handles: list[asyncio.Handle]) -> Iterable[asyncio.Handle]:
        if len(handles) < 2:
            return handles
        places: dict[Process | None, float] = {}
        for handle in handles:
            places.setdefault(owner(handle), 0.0)
        if len(places) == 1:
            return handles
        for process in places:
            places[process] = self._order.random()
        return sorted(handles, key=lambda handle: places[owner(handle)])

    def _process_events(self, event_list: list[Any]) -> None:
        """There are none: nothing real is waited for."""

    def _write_to_self(self) -> None:
        """Nobody sleeps in a selector."""


def owner(handle: Any) -> Process | None:
    """The process on whose behalf a callback was asked for."""
    context: Context = handle._context
    return context.get(PROCESS)


def make_task(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], *, context: Context | None = None
) -> "asyncio.Task[Any]":
    """A task that its process knows of."""
    task = asyncio.Task(work, loop=loop, context=context)
    process = PROCESS.get() if context is None else context.get(PROCESS)
    if process is not None:
        process.tasks.add(task)
    return task
