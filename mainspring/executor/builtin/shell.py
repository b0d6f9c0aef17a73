"""The built-in handler `shell`: one command in a process group of its own, with a limited environment."""

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from typing import Annotated, Any

import msgspec

from mainspring.domain.jobs.rules import COMMAND_MAX
from mainspring.errors import InvalidInputError
from mainspring.executor.attempts.context import Context
from mainspring.executor.attempts.signals import GiveUp
from mainspring.telemetry.spans import traceparent

GRACE = 3.0
"""Seconds between asking a command to end and ending it."""
OUTPUT_MAX = 64 * 1024
LINE_MAX = 8 * 1024

Seconds = Annotated[float, msgspec.Meta(gt=0, le=COMMAND_MAX)]


class CommandFailedError(Exception):
    """The command failed; the message has its exit code and the end of its output."""


class CommandRefusedError(GiveUp):
    """A command that can never be started."""

    def __init__(self, error: InvalidInputError) -> None:
        super().__init__(str(error))
        self.code = error.code


class Shell:
    """Runs commands, which see only the named variables of this process's environment."""

    def __init__(self, environment: Iterable[str]) -> None:
        self._passed = tuple(environment)

    async def run(
        self,
        ctx: Context,
        command: list[str] | str,
        env: dict[str, str] = {},  # noqa: B006 never changed
        cwd: str | None = None,
        stdin: str | None = None,
        timeout: Seconds = 3600.0,
    ) -> dict[str, Any]:
        """Run a command: a list as it is, a text by /bin/sh. Its output goes to the run's log, the end of it to the result."""
        words = ["/bin/sh", "-c", command] if isinstance(command, str) else command
        try:
            check(words, env, cwd)
        except InvalidInputError as error:
            raise CommandRefusedError(error) from None
        process = await self._start(ctx, words, env, cwd, has_input=stdin is not None)
        output = Output(ctx)
        try:
            async with asyncio.timeout(timeout):
                await asyncio.gather(feed(process, stdin), output.read(process), process.wait())
        except TimeoutError:
            raise CommandFailedError(f"the command ran longer than {timeout:g} s and was ended") from None
        finally:
            await end(process)
        if process.returncode:
            raise CommandFailedError(f"the command {how(process.returncode)}: {output.tail()[-1000:].strip()}")
        return {"exit": 0, "output": output.tail(), "truncated": output.is_cut}

    async def _start(
        self, ctx: Context, words: list[str], env: dict[str, str], cwd: str | None, *, has_input: bool
    ) -> Process:
        starting = asyncio.create_subprocess_exec(
            *words,
            stdin=PIPE if has_input else DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            cwd=cwd,
            env=self._environment(ctx) | env,
            start_new_session=True,
        )
        try:
            return await started(starting)
        except (OSError, ValueError) as error:
            raise CommandFailedError(f"{words[0]!r} cannot be started: {error}") from None

    def _environment(self, ctx: Context) -> dict[str, str]:
        passed = {name: os.environ[name] for name in self._passed if name in os.environ}
        return passed | {
            "MAINSPRING_RUN": ctx.run,
            "MAINSPRING_ATTEMPT": str(ctx.attempt),
            "MAINSPRING_IDEMPOTENCY_KEY": ctx.idempotency_key,
            **({"TRACEPARENT": trace} if (trace := traceparent()) else {}),
        }


def check(words: list[str], env: dict[str, str], cwd: str | None) -> None:
    """Raises InvalidInputError for text with a NUL, at which the system would cut it, or that it cannot encode."""
    if not words or not words[0]:
        raise InvalidInputError("command", "is empty", code="bad_command")
    if any("\0" in word for word in words):
        raise InvalidInputError("command", "has a NUL, which no command can be given", code="bad_command")
    for name, value in env.items():
        if not name or "=" in name or "\0" in name or "\0" in value:
            reason = f"{name!r} is empty, or has a NUL or a '=', which no variable can have"
            raise InvalidInputError("env", reason, code="bad_env")
    if cwd is not None and "\0" in cwd:
        raise InvalidInputError("cwd", "has a NUL, which no path can have", code="bad_cwd")


class Output:
    """A command's output: every line goes to the log, and the end is kept."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._kept = bytearray()
        self._line = bytearray()
        self.is_cut = False

    async def read(self, process: Process) -> None:
        assert process.stdout is not None
        while chunk := await process.stdout.read(LINE_MAX):
            self._keep(chunk)
            self._log(chunk)
        if self._line:
            self._log_line(self._line)

    def tail(self) -> str:
        return self._kept.decode("utf-8", "replace")

    def _keep(self, chunk: bytes) -> None:
        self._kept += chunk
        if len(self._kept) > OUTPUT_MAX:
            del self._kept[:-OUTPUT_MAX]
            self.is_cut = True

    def _log(self, chunk: bytes) -> None:
        *whole, rest = (bytes(self._line) + chunk).split(b"\n")
        for line in whole:
            self._log_line(line)
        self._line = bytearray(rest)
        if len(self._line) > LINE_MAX:
            self._log_line(self._line)
            self._line.clear()

    def _log_line(self, line: bytes | bytearray) -> None:
        self._ctx.logger.info("%s", line.decode("utf-8", "replace").rstrip("\r"))


async def started(starting: Coroutine[Any, Any, Process]) -> Process:
    """Wait for a start that is not to be broken off: the process may be there already, and have started others."""
    start = asyncio.ensure_future(starting)
    try:
        return await asyncio.shield(start)
    except asyncio.CancelledError:
        with suppress(OSError, ValueError):
            await end(await start)
        raise


async def feed(process: Process, text: str | None) -> None:
    if process.stdin is None or text is None:
        return
    # A command need not read all of it.
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(text.encode())
        await process.stdin.drain()
    process.stdin.close()


async def end(process: Process) -> None:
    """End the command's whole process group."""
    if process.returncode is None:
        kill(process.pid, signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE)
    kill(process.pid, signal.SIGKILL)
    await process.wait()


def kill(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def how(code: int) -> str:
    return f"ended with {code}" if code > 0 else f"was ended by {signal.Signals(-code).name}"
