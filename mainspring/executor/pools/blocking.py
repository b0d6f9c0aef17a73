"""Detects handlers that block the event loop, while they do.

Async handlers share one loop; one that computes or waits without `await` holds up all others. This watch lives on the link's
thread. It posts a callback to the loop, and while that does not run, it samples the stack of the loop's thread.
"""

import asyncio
import contextlib
import logging
import threading
import traceback
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from msgspec.structs import replace

from mainspring.clock import Clock
from mainspring.domain.cluster.session import Blocked
from mainspring.domain.ids import id_text
from mainspring.executor.attempts.attempt import Attempt, clip
from mainspring.executor.pools.loop import attempt_in

log = logging.getLogger(__name__)

KEPT = 10
WARNING = logging.WARNING
STACK_MAX = 30
PLACE_MAX = 500
"""Characters of a file's path, counted from its end."""
OURS = str(Path(__file__).parents[1])

Frames = Callable[[], dict[int, FrameType]]
"""The current frame of each thread."""
Report = Callable[[Attempt, int, str], None]


class LoopWatch:
    """Lives on the link's loop; `watch` is one of the loops that the composition runs side by side."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        *,
        here: asyncio.AbstractEventLoop,
        clock: Clock,
        after: float,
        frames: Frames,
        report: Report,
    ) -> None:
        self._loop = loop
        self._here = here
        self._clock = clock
        self._after = after
        self._frames = frames
        self._report = report
        self._thread = 0
        self._heard = asyncio.Event()
        self._never = asyncio.Event()
        self._blocked: deque[Blocked] = deque(maxlen=KEPT)
        self._seconds: Callable[[], float] | None = None
        """While the loop is blocked: for how long by now."""

    @property
    def blocked(self) -> list[Blocked]:
        """Recent blocks, the newest last; a current one has its time so far."""
        found = list(self._blocked)
        if self._seconds is not None:
            found[-1] = replace(found[-1], seconds=self._seconds())
        return found

    async def watch(self) -> None:
        while True:
            await self.look()
            # Often enough that little of a block goes by before the loop is asked.
            await self._clock.wait(self._never, self._after / 4)

    async def look(self) -> None:
        """Ask for a sign of life; if it does not come in time, find out why, and wait for it."""
        self._heard.clear()
        asked_at, asked = self._clock.monotonic(), self._clock.now()
        self._loop.call_soon_threadsafe(self._answer)
        await self._clock.wait(self._heard, self._after)
        if self._heard.is_set():
            return
        attempt, stack = self._suspect()
        self._complain(attempt, "".join(traceback.format_list(stack)))
        handler, run = ("", "") if attempt is None else (attempt.handler.name, id_text(attempt.run))
        self._blocked.append(Blocked(handler, run, 0.0, asked, place_in(stack, inner=attempt is None)))
        self._seconds = lambda: self._clock.monotonic() - asked_at
        await self._heard.wait()
        over = self.blocked[-1]
        self._blocked[-1], self._seconds = over, None
        log.warning("%s had blocked the event loop for %.1f s", handler or "something", over.seconds)

    def _answer(self) -> None:
        self._thread = threading.get_ident()
        # The link's loop may have ended since it asked: then nobody waits for the sign.
        with contextlib.suppress(RuntimeError):
            self._here.call_soon_threadsafe(self._heard.set)

    def _suspect(self) -> tuple[Attempt | None, list[traceback.FrameSummary]]:
        """Which attempt the loop is in, if any, and where in its code."""
        frame = self._frames().get(self._thread)
        if frame is None:
            return None, []
        attempt, inner = attempt_in(frame, asyncio.current_task(self._loop))
        return attempt, list(traceback.StackSummary.extract(iter(inner[-STACK_MAX:])))

    def _complain(self, attempt: Attempt | None, stack: str) -> None:
        if attempt is None:
            log.warning("the event loop has been blocked for more than %g s, here:\n%s", self._after, stack)
            return
        name = attempt.handler.name
        log.warning(
            "handler %s (run %s) has blocked the event loop for more than %g s, here:\n%s",
            name,
            id_text(attempt.run),
            self._after,
            stack,
        )
        told = f"this handler has blocked the event loop for more than {self._after:g} s, here:\n{stack}"
        self._report(attempt, WARNING, told)


def place_in(stack: list[traceback.FrameSummary], *, inner: bool) -> str:
    """File and line of the first frame of the handler's own code; with `inner`, of the innermost frame."""
    theirs = stack[-1:] if inner else [frame for frame in stack if not frame.filename.startswith(OURS)]
    return f"{clip(theirs[0].filename[-PLACE_MAX:], 4 * PLACE_MAX)}:{theirs[0].lineno}" if theirs else ""
