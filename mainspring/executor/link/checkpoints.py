"""Checkpoints on their way to the server, kept until the server acknowledges them as durable."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.checkpoints import Memory, MemoryKind, Pair
from mainspring.executor.attempts.attempt import Attempt
from mainspring.wire.base import Message
from mainspring.wire.codec import holding_of, pairs_of
from mainspring.wire.messages import CheckpointsLoaded, Holding, LoadCheckpoints, SaveCheckpoints

BATCH_BYTES = 1024 * 1024
ENTRY_BYTES = 128
"""Approximate bytes of an entry besides its value."""

Key = tuple[MemoryKind, str]
Known = Mapping[Key, bytes | None]
Done = Callable[[bool], None]
"""Called once, from any thread: whether the entry is durable. If not, the attempt no longer owns its run."""
Loaded = Callable[[Known | None], None]
"""Called once, from any thread, with the run's checkpoints; None if the attempt no longer owns its run."""


class PendingSave(msgspec.Struct, frozen=True):
    """An entry to save, and the waiter's callback."""

    memory: Memory
    done: Done | None = None

    @property
    def weight(self) -> int:
        return ENTRY_BYTES + len(self.memory.value or b"")


class CheckpointQueue:
    """`save` and `load` may be called from any thread, all else from the runner's loop."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self.in_use = False
        """Whether a handler has saved or loaded anything yet: until then there is nothing to ask here."""
        self._fresh: deque[PendingSave] = deque()
        self._checkpoints: dict[Pair, PendingSave] = {}
        """The latest of each attempt; the next goes out when the one before is durable."""
        self._sent: dict[int, list[PendingSave]] = {}
        self._unsent: list[int] = []
        self._under_way: Counter[Pair] = Counter()
        self._unsent_loads: deque[tuple[Pair, Loaded]] = deque()
        self._sent_loads: dict[Pair, list[Loaded]] = {}
        self._parts: dict[Pair, dict[Key, bytes | None]] = {}
        self._seq = 0
        self._turns = count(1)

    def save(self, attempt: Attempt, kind: MemoryKind, name: str, value: bytes | None, done: Done | None) -> None:
        pair = (attempt.run, attempt.token)
        kept = PendingSave(Memory(*pair, kind, name, value, next(self._turns)), done)
        if done is None:
            self._checkpoints[pair] = kept
        else:
            self._fresh.append(kept)
        self.in_use = True
        self._wake()

    def load(self, attempt: Attempt, waiter: Loaded) -> None:
        self._unsent_loads.append(((attempt.run, attempt.token), waiter))
        self.in_use = True
        self._wake()

    @property
    def idle(self) -> bool:
        """Whether no outcome has to wait for anything here."""
        return not self._under_way and not self._checkpoints

    def holds_back(self, attempt: Attempt) -> bool:
        """Whether the attempt's outcome has to wait."""
        # Entries that arrive after the outcome would be refused as stale.
        pair = (attempt.run, attempt.token)
        return pair in self._under_way or pair in self._checkpoints

    def take(self) -> Iterator[list[Message]]:
        """The frames that this connection has not carried yet."""
        loads = self._take_loads()
        if loads:
            yield [LoadCheckpoints(holding_of(loads))]
        self._number()
        unsent, self._unsent = self._unsent, []
        for seq in unsent:
            yield [SaveCheckpoints(seq, [one.memory for one in self._sent[seq]])]

    def resend(self) -> None:
        """A new connection has carried nothing yet."""
        self._unsent = list(self._sent)
        again = [(pair, waiter) for pair, waiters in self._sent_loads.items() for waiter in waiters]
        self._sent_loads.clear()
        self._parts.clear()
        self._unsent_loads.extendleft(again)

    def saved(self, seq: int, stale: Iterable[Holding]) -> None:
        kept = self._sent.pop(seq, [])
        lost = pairs_of(stale)
        for one in kept:
            self._close(one, durable=one.memory.pair not in lost)

    def loaded(self, answer: CheckpointsLoaded) -> None:
        pair = (answer.run, answer.token)
        if pair not in self._sent_loads:
            return
        known = self._parts.setdefault(pair, {})
        known.update(zip(zip(answer.kinds, answer.names, strict=True), answer.values, strict=True))
        if not answer.more:
            self._answer(pair, None if answer.stale else known)

    def forget(self, holding: Iterable[Holding]) -> None:
        """Answer the waiters of these attempts: they no longer own their runs."""
        self._forget(pairs_of(holding).__contains__)

    def forget_all(self) -> None:
        self._forget(lambda _: True)

    def drop(self, runs: Iterable[RunId], tokens: Iterable[Token]) -> None:
        """Drop unsent checkpoints of attempts that have succeeded, which no later attempt needs."""
        if self._checkpoints:
            for pair in zip(runs, tokens, strict=True):
                self._checkpoints.pop(pair, None)

    def _forget(self, mine: Callable[[Pair], bool]) -> None:
        self._number(every=True)
        self._drop_loads(mine)
        for kept in list(self._sent.values()):
            for one in [one for one in kept if mine(one.memory.pair)]:
                kept.remove(one)
                self._close(one, durable=False)
        self._sent = {seq: kept for seq, kept in self._sent.items() if kept}
        self._unsent = [seq for seq in self._unsent if seq in self._sent]
        for pair in [pair for pair in self._sent_loads if mine(pair)]:
            self._answer(pair, None)

    def _close(self, one: PendingSave, *, durable: bool) -> None:
        pair = one.memory.pair
        self._under_way[pair] -= 1
        if not self._under_way[pair]:
            del self._under_way[pair]
        if one.done is not None:
            one.done(durable)

    def _answer(self, pair: Pair, known: Known | None) -> None:
        self._parts.pop(pair, None)
        for waiter in self._sent_loads.pop(pair, ()):
            waiter(known)

    def _take_loads(self) -> list[Pair]:
        fresh: list[Pair] = []
        while self._unsent_loads:
            pair, waiter = self._unsent_loads.popleft()
            if pair not in self._sent_loads:
                fresh.append(pair)
            self._sent_loads.setdefault(pair, []).append(waiter)
        return fresh

    def _drop_loads(self, mine: Callable[[Pair], bool]) -> None:
        """Answer unsent loads of forgotten attempts; keep the others."""
        for _ in range(len(self._unsent_loads)):
            pair, waiter = self._unsent_loads.popleft()
            if mine(pair):
                waiter(None)
            else:
                self._unsent_loads.append((pair, waiter))

    def _number(self, *, every: bool = False) -> None:
        """Put new entries into numbered frames; with `every`, also checkpoints that wait for the one before."""
        batch: list[PendingSave] = []
        size = 0
        for one in self._take_fresh(every=every):
            batch.append(one)
            size += one.weight
            self._under_way[one.memory.pair] += 1
            if size > BATCH_BYTES:
                self._frame(batch)
                batch, size = [], 0
        if batch:
            self._frame(batch)

    def _frame(self, batch: list[PendingSave]) -> None:
        self._seq += 1
        self._sent[self._seq] = batch
        self._unsent.append(self._seq)

    def _take_fresh(self, *, every: bool) -> Iterator[PendingSave]:
        while self._fresh:
            yield self._fresh.popleft()
        for pair in list(self._checkpoints):
            if every or pair not in self._under_way:
                yield self._checkpoints.pop(pair)
