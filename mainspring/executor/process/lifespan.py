"""Lifespans, and values of providers with scope 'process'."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from mainspring.domain.jobs.job import Pool
from mainspring.errors import ConfigError
from mainspring.executor.handlers.call_style import CallStyle, call_style_of
from mainspring.executor.handlers.providers import Stage
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.handlers.signature import name_of

log = logging.getLogger(__name__)

IN_PROCESS = (Pool.LOOP, Pool.THREADS)
IN_CHILD = (Pool.PROCESSES,)


class Lifetime:
    """Entered and left by one asyncio task, as cancel scopes and task groups inside of a lifespan need it."""

    def __init__(self, handlers: Handlers, pools: Iterable[Pool] = tuple(Pool)) -> None:
        self.handlers = handlers.copy()
        """The handlers to run attempts with, composed with the values of this lifetime."""
        self._pools = tuple(pools)
        self._opened = asyncio.Event()
        self._closing = asyncio.Event()
        self._living: asyncio.Task[None] | None = None
        self._failure: ConfigError | None = None

    @property
    def is_needed(self) -> bool:
        return any(part.lifespan is not None or part.kept(self._pools) for part in self.handlers.parts)

    async def open(self) -> None:
        """Enter all lifespans and providers; raises ConfigError naming the one that failed."""
        if not self.is_needed:
            return
        self._living = asyncio.create_task(self._live(), name="mainspring-lifespan")
        opened = asyncio.create_task(self._opened.wait())
        try:
            await asyncio.wait((self._living, opened), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._living.cancel()
            await asyncio.wait((self._living,))
            raise
        finally:
            opened.cancel()
        if self._failure is not None:
            raise self._failure
        if self._living.done():
            self._living.result()

    async def close(self) -> None:
        """Leave everything in reverse order; errors are logged."""
        self._closing.set()
        if self._living is not None and not self._living.done():
            await asyncio.wait((self._living,))

    async def _live(self) -> None:
        parts = self.handlers.parts
        try:
            async with AsyncExitStack() as stack:
                await self._enter(stack)
                self._opened.set()
                await self._closing.wait()
        except Exception as error:
            # What failed at the start comes through the others on the way out, which may make something else of it.
            if self._failure is not None:
                return
            if not self._opened.is_set():
                raise
            debug = log.isEnabledFor(logging.DEBUG)
            log.warning("a lifespan or a provider failed while it ended: %s", _line(error), exc_info=debug)
        finally:
            for part in parts:
                part.scope.clear()
            self._refresh()

    async def _enter(self, stack: AsyncExitStack) -> None:
        try:
            for part in self.handlers.parts:
                await _enter(part, part.kept(self._pools), stack)
            self._refresh()
        except ConfigError as error:
            self._failure = error
            raise

    def _refresh(self) -> None:
        """Compose the handlers with the current values."""
        for part in self.handlers.parts:
            part.refresh()


async def _enter(part: Handlers, stages: Iterable[Stage], stack: AsyncExitStack) -> None:
    scope = part.scope
    if part.lifespan is not None:
        how = call_style_of(part.stand_in(part.lifespan))
        made = _made(f"the lifespan {name_of(part.lifespan)}", how, {}, stack)
        scope.state = scope.values[part.lifespan] = await made
    for stage in stages:
        if stage.provider is not part.lifespan:
            needs = {name: scope.values[need] for name, need in stage.needs.items() if need is not None}
            scope.values[stage.provider] = await _made(stage.name, stage.call_style, needs, stack)


async def _made(name: str, how: CallStyle, needs: dict[str, Any], stack: AsyncExitStack) -> Any:
    try:
        return await how.enter_async(how.make(**needs), stack)
    except Exception as error:
        raise ConfigError(f"{name} failed at the start: {_line(error)}") from error


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


@asynccontextmanager
async def opened(handlers: Handlers, pools: Iterable[Pool] = tuple(Pool)) -> AsyncIterator[Handlers]:
    """The same handlers with everything that they need, for as long as the block lasts."""
    lifetime = Lifetime(handlers, pools)
    await lifetime.open()
    try:
        yield lifetime.handlers
    finally:
        await lifetime.close()
