"""The executor process beside a server: started, started again when it dies, drained at the end."""

import asyncio
import logging
import os
import sys
from collections.abc import Sequence

from mainspring.clock import Clock
from mainspring.errors import ConfigError

log = logging.getLogger("mainspring.up")

EXIT_REFUSED = (2, 3)
"""It cannot work as it was started; starting it again would not help."""
PAUSE = 0.5
PAUSE_MAX = 10.0
STEADY = 30.0
DRAIN_MAX = 45.0


class ExecutorChild:
    """Keeps one executor process alive until it is told to stop."""

    def __init__(self, arguments: Sequence[str], *, token: str, clock: Clock) -> None:
        self._arguments = arguments
        self._env = {**os.environ, "MAINSPRING_EXECUTOR_TOKEN": token}
        self._clock = clock

    async def keep(self, stop: asyncio.Event) -> None:
        """Raises ConfigError if the executor refuses to work."""
        pause = PAUSE
        while not stop.is_set():
            began = self._clock.monotonic()
            code = await self._run_once(stop)
            if stop.is_set():
                return
            if code in EXIT_REFUSED:
                raise ConfigError("the executor could not start; its own message is above")
            pause = PAUSE if self._clock.monotonic() - began > STEADY else pause
            log.warning("the executor ended with code %s; starting it again in %.1f s", code, pause)
            await self._clock.wait(stop, pause)
            pause = min(pause * 2, PAUSE_MAX)

    async def _run_once(self, stop: asyncio.Event) -> int:
        # A pipe to its stdin: if this process is killed, the pipe closes and the executor drains by itself.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "mainspring", "executor", *self._arguments, "--with-parent"),
            stdin=asyncio.subprocess.PIPE,
            env=self._env,
            start_new_session=True,
        )
        ended = asyncio.create_task(process.wait())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait((ended, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not ended.done():
            await self._drain(process, ended)
        return await ended

    async def _drain(self, process: asyncio.subprocess.Process, ended: asyncio.Task[int]) -> None:
        process.terminate()
        done, _ = await asyncio.wait((ended,), timeout=DRAIN_MAX)
        if not done:
            log.warning("the executor did not drain in %.0f s and was killed", DRAIN_MAX)
            process.kill()
