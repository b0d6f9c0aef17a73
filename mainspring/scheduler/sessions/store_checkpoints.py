"""Checkpoints on their way into the store, and back to the next attempt."""

import asyncio
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from mainspring.clock import Clock
from mainspring.domain.runs.checkpoints import Pair, Recollection, refuse_more
from mainspring.errors import InvalidInputError
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.sessions.refusals import Refusals
from mainspring.store.interface import Store
from mainspring.wire.codec import holding_of
from mainspring.wire.messages import (
    FRAME_SOFT_MAX,
    CheckpointsLoaded,
    CheckpointsSaved,
    LoadCheckpoints,
    SaveCheckpoints,
)

BATCH = 2_000
ENTRY_BYTES = 128
"""What an entry weighs beside its value, roughly."""


class CheckpointFrame(NamedTuple):
    """Checkpoints to be written, and those that were refused before the store was asked."""

    attached: ExecutorConnection
    message: SaveCheckpoints
    lost: Collection[Pair]


class StoreCheckpoints:
    """Writes checkpoints that arrived during the last commit; a handler goes on once its own is durable."""

    name = "keep_memories"
    period = 60.0

    def __init__(self, store: Store, clock: Clock, refusals: Refusals) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._inbox: deque[CheckpointFrame] = deque()
        self._under_way: list[CheckpointFrame] = []
        """Tried again if the store fails: what is kept twice is kept once."""
        self._questions: deque[tuple[ExecutorConnection, LoadCheckpoints]] = deque()
        self._refusals = refusals

    def remember(self, attached: ExecutorConnection, message: SaveCheckpoints, lost: Collection[Pair]) -> None:
        """Keep that, and answer that of these attempts nothing was kept."""
        self._inbox.append(CheckpointFrame(attached, message, lost))
        self.wake.set()

    def recall(self, attached: ExecutorConnection, message: LoadCheckpoints) -> None:
        self._questions.append((attached, message))
        self.wake.set()

    async def tick(self) -> bool:
        frames = self._under_way or self._take()
        if frames:
            self._under_way = frames
            memories = [memory for frame in frames for memory in frame.message.entries]
            kept = await self._store.runs.save_checkpoints(memories, now=self._clock.now())
            for frame in frames:
                await self._refusals.fail(frame.attached, full_in(frame.message, kept.full))
            self._under_way = []
            for attached, message, foreign in frames:
                lost = [memory.pair for memory in message.entries if memory.pair in kept.refused]
                attached.send(CheckpointsSaved(message.seq, holding_of([*foreign, *lost])))
        await self._answer()
        return bool(self._inbox or self._questions)

    async def _answer(self) -> None:
        """Read after the earlier writes: the asker is told those as well."""
        while self._questions:
            attached, question = self._questions[0]
            pairs = [(run, batch.token) for batch in question.holding for run in batch.runs]
            found = await self._store.runs.load_checkpoints(pairs)
            self._questions.popleft()
            for pair in pairs:
                for part in recalled(pair, found.get(pair)):
                    attached.send(part)

    def _take(self) -> list[CheckpointFrame]:
        frames: list[CheckpointFrame] = []
        size = 0
        while self._inbox and size < BATCH:
            frames.append(self._inbox.popleft())
            size += len(frames[-1].message.entries)
        return frames


def full_in(message: SaveCheckpoints, full: Collection[Pair]) -> dict[Pair, InvalidInputError]:
    """The attempts of a frame whose runs are full, each with the reason to end it."""
    return {memory.pair: refuse_more(memory.kind) for memory in message.entries if memory.pair in full}


def recalled(pair: Pair, kept: Sequence[Recollection] | None) -> Iterator[CheckpointsLoaded]:
    """The answer about one attempt, in as few frames as its size allows."""
    run, token = pair
    if not kept:
        yield CheckpointsLoaded(run, token, [], [], [], stale=kept is None)
        return
    begin = size = 0
    for at, one in enumerate(kept):
        size += ENTRY_BYTES + len(one.value or b"")
        if size > FRAME_SOFT_MAX or at == len(kept) - 1:
            part = kept[begin : at + 1]
            begin, size = at + 1, 0
            kinds, names, values = [each.kind for each in part], [each.name for each in part], [e.value for e in part]
            yield CheckpointsLoaded(run, token, kinds, names, values, more=at < len(kept) - 1)
