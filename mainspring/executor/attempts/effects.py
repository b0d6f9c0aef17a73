"""The effect ledger: effects that a run has had on the world, or may have had.

The begin of an effect is durable before the effect begins, and its end before the handler goes on. An attempt that is cut
off in between leaves it unknown whether the effect happened. The next attempt sees that, and decides: ask the receiver,
repeat the effect under the same key, or give up.
"""

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.executor.attempts.steps import AttemptCheckpoints, decoded, encode
from mainspring.telemetry.spans import step_span

BEGUN = None


class Effect:
    """One effect of a run, as this attempt finds it: first, done or unknown; for `async with`, or `with` in plain code."""

    def __init__(self, checkpoints: AttemptCheckpoints, name: str, key: str) -> None:
        self._checkpoints = checkpoints
        self._entry = checkpoints.enter(MemoryKind.EFFECT, name)
        self.name = name
        self.key = key
        """The same in every attempt, another one for every run and effect: pass it on, so that a repeat has no effect."""
        self.first = False
        """No attempt has begun it before."""
        self.done = False
        """It happened in an earlier attempt; nothing is left to do."""
        self.result: Any = None
        """A JSON value stored with the effect: set inside the block, or stored by an earlier attempt."""
        self._span = ExitStack()

    @property
    def unknown(self) -> bool:
        """An earlier attempt has begun it, and it is unknown whether it happened."""
        return not self.first and not self.done

    async def __aenter__(self) -> Self:
        self._open(await self._checkpoints.known())
        if not self.done:
            await self._checkpoints.keep(self._entry, BEGUN)
        self._span.enter_context(step_span("effect", self.name, remembered=self.done))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._span.__exit__(kind, error, trace)
        if error is None and not self.done:
            await self._checkpoints.keep(self._entry, encode(MemoryKind.EFFECT, self.result))
            self._checkpoints.yield_if_asked()

    def __enter__(self) -> Self:
        self._open(self._checkpoints.known_sync())
        if not self.done:
            self._checkpoints.keep_sync(self._entry, BEGUN)
        self._span.enter_context(step_span("effect", self.name, remembered=self.done))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._span.__exit__(kind, error, trace)
        if error is None and not self.done:
            self._checkpoints.keep_sync(self._entry, encode(MemoryKind.EFFECT, self.result))
            self._checkpoints.yield_if_asked()

    def _open(self, known: Any) -> None:
        self.first = self._entry not in known
        raw = self._checkpoints.find(self._entry, known)
        self.done = raw is not None
        self.result = decoded(raw)
