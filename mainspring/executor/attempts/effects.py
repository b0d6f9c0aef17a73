"""The effect ledger: what a run has done to the world, or may have done.

That an effect begins is durable before it begins, that it came to pass is durable before the handler goes on. Between the
two lies the one thing that no ledger can know: whether it happened before the attempt was cut off. Then the handler is told
so, and decides: ask whoever received it, repeat it under the same key, or give up.
"""

from types import TracebackType
from typing import Any, Self

from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.executor.attempts.steps import AttemptCheckpoints, decoded, encode

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
        """It came to pass in an attempt before; there is nothing left to do."""
        self.result: Any = None
        """What to keep with it, as JSON; once it is done, what was kept."""

    @property
    def unknown(self) -> bool:
        """An attempt before has begun it, and nobody knows whether it came to pass."""
        return not self.first and not self.done

    async def __aenter__(self) -> Self:
        self._open(await self._checkpoints.known())
        if not self.done:
            await self._checkpoints.keep(self._entry, BEGUN)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        if error is None and not self.done:
            await self._checkpoints.keep(self._entry, encode(MemoryKind.EFFECT, self.result))
            self._checkpoints.yield_if_asked()

    def __enter__(self) -> Self:
        self._open(self._checkpoints.known_sync())
        if not self.done:
            self._checkpoints.keep_sync(self._entry, BEGUN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        if error is None and not self.done:
            self._checkpoints.keep_sync(self._entry, encode(MemoryKind.EFFECT, self.result))
            self._checkpoints.yield_if_asked()

    def _open(self, known: Any) -> None:
        self.first = self._entry not in known
        raw = self._checkpoints.find(self._entry, known)
        self.done = raw is not None
        self.result = decoded(raw)
