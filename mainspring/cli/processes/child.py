"""The executor process of `mainspring up`: restarted when it dies or its code changes, drained at the end."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from enum import Enum, auto

import msgspec

from mainspring.cli.processes.reload import CodeWatch
from mainspring.clock import Clock
from mainspring.errors import ConfigError

log = logging.getLogger("mainspring.up")

EXIT_REFUSED = (2, 3)
"""Exit codes after which a restart would not help."""
PAUSE = 0.5
PAUSE_MAX = 10.0
STEADY = 30.0
DRAIN_MAX = 45.0


class ChildEnd(Enum):
    """Reason for the end of an executor process."""

    STOPPED = auto()
    CHANGED = auto()
    DIED = auto()


class Life(msgspec.Struct, frozen=True):
    """One executor process from start to end."""

    end: ChildEnd
    code: int
    seconds: float


class ExecutorChild:
    """Keeps one executor process alive until the stop event is set."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        env: Mapping[str, str],
        clock: Clock,
        watch: CodeWatch | None = None,
        drain_max: float = DRAIN_MAX,
    ) -> None:
        self._arguments = arguments
        self._env = {**os.environ, **env}
        self._clock = clock
        self._watch = watch
        self._drain_max = drain_max
        self._process: asyncio.subprocess.Process | None = None

    def end(self) -> None:
        """End it at once if it runs."""
        if self._process is not None and self._process.returncode is None:
            # Two signals end an executor. Two of one kind that wait together arrive as one, and it would only drain.
            self._process.send_signal(signal.SIGTERM)
            self._process.send_signal(signal.SIGINT)

    async def keep(self, stop: asyncio.Event) -> int:
        """Return the last exit code; raises ConfigError if the executor refuses to work."""
        pause, code = PAUSE, 0
        while not stop.is_set():
            life = await self._live(stop)
            code = life.code
            if life.end is ChildEnd.CHANGED:
                log.info("the code has changed; starting the executor again")
            elif life.end is ChildEnd.DIED and self._watch is not None:
                log.warning("the executor ended with code %s; waiting for its code to change", life.code)
                await self._watch.changed(stop)
            elif life.end is ChildEnd.DIED:
                refuse(life.code)
                pause = PAUSE if life.seconds > STEADY else pause
                log.warning("the executor ended with code %s; starting it again in %.1f s", life.code, pause)
                await self._clock.wait(stop, pause)
                pause = min(pause * 2, PAUSE_MAX)
        return code

    async def _live(self, stop: asyncio.Event) -> Life:
        """Start the process and wait for its end, or end it when asked to."""
        began = self._clock.monotonic()
        process = self._process = await self._start()
        ended = asyncio.create_task(process.wait())
        stopping = asyncio.create_task(stop.wait())
        changing = asyncio.create_task(self._watch.changed(stop) if self._watch else stop.wait())
        await asyncio.wait((ended, stopping, changing), return_when=asyncio.FIRST_COMPLETED)
        end = ChildEnd.DIED if ended.done() else ChildEnd.CHANGED
        stopping.cancel()
        changing.cancel()
        if not ended.done():
            await self._drain(process, ended)
        end = ChildEnd.STOPPED if stop.is_set() else end
        return Life(end, await ended, self._clock.monotonic() - began)

    async def _start(self) -> asyncio.subprocess.Process:
        # A pipe to its stdin: if this process is killed, the pipe closes and the executor drains by itself.
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "mainspring", "executor", *self._arguments, "--with-parent"),
            stdin=asyncio.subprocess.PIPE,
            env=self._env,
            start_new_session=True,
        )

    async def _drain(self, process: asyncio.subprocess.Process, ended: asyncio.Task[int]) -> None:
        process.terminate()
        done, _ = await asyncio.wait((ended,), timeout=self._drain_max)
        if not done:
            log.warning("the executor did not drain in %.0f s and was killed", self._drain_max)
            process.kill()


def refuse(code: int) -> None:
    if code in EXIT_REFUSED:
        raise ConfigError("the executor could not start; its own message is above")
