"""What attempts want remembered on its way into the store, and back to whoever goes on."""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence

from mainspring.clock import Clock
from mainspring.domain.ids import RunId, Token
from mainspring.domain.memory import Pair, Recollection
from mainspring.scheduler.attached import Attached
from mainspring.scheduler.start_frames import FRAME_SOFT_MAX
from mainspring.store.interface import Store
from mainspring.wire.messages import Holding, Recall, Recalled, Remember, Remembered

BATCH = 2_000
ENTRY_BYTES = 128
"""What an entry weighs beside its value, roughly."""


class KeepMemories:
    """Writes what arrived while the last batch was being committed; a handler goes on once its own is durable."""

    name = "keep_memories"
    period = 60.0

    def __init__(self, store: Store, clock: Clock) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._inbox: deque[tuple[Attached, Remember]] = deque()
        self._under_way: list[tuple[Attached, Remember]] = []
        """Tried again if the store fails: what is kept twice is kept once."""
        self._questions: deque[tuple[Attached, Recall]] = deque()

    def add(self, attached: Attached, message: Remember | Recall) -> None:
        if isinstance(message, Remember):
            self._inbox.append((attached, message))
        else:
            self._questions.append((attached, message))
        self.wake.set()

    async def tick(self) -> bool:
        frames = self._under_way or self._take()
        if frames:
            self._under_way = frames
            memories = [memory for _, frame in frames for memory in frame.memories]
            stale = await self._store.memories.remember(memories, now=self._clock.now())
            self._under_way = []
            for attached, frame in frames:
                lost = holding_of([memory.pair for memory in frame.memories if memory.pair in stale])
                attached.send(Remembered(frame.seq, lost))
        await self._answer()
        return bool(self._inbox or self._questions)

    async def _answer(self) -> None:
        """Behind what was written before: whoever asks is told that as well."""
        while self._questions:
            attached, question = self._questions[0]
            pairs = [(run, batch.token) for batch in question.holding for run in batch.runs]
            found = await self._store.memories.recall(pairs)
            self._questions.popleft()
            for pair in pairs:
                for part in recalled(pair, found.get(pair)):
                    attached.send(part)

    def _take(self) -> list[tuple[Attached, Remember]]:
        frames: list[tuple[Attached, Remember]] = []
        size = 0
        while self._inbox and size < BATCH:
            frames.append(self._inbox.popleft())
            size += len(frames[-1][1].memories)
        return frames


def recalled(pair: Pair, kept: Sequence[Recollection] | None) -> Iterator[Recalled]:
    """The answer about one attempt, in as few frames as its size allows."""
    run, token = pair
    if not kept:
        yield Recalled(run, token, [], [], [], stale=kept is None)
        return
    begin = size = 0
    for at, one in enumerate(kept):
        size += ENTRY_BYTES + len(one.value or b"")
        if size > FRAME_SOFT_MAX or at == len(kept) - 1:
            part = kept[begin : at + 1]
            begin, size = at + 1, 0
            kinds, names, values = [each.kind for each in part], [each.name for each in part], [e.value for e in part]
            yield Recalled(run, token, kinds, names, values, more=at < len(kept) - 1)


def holding_of(pairs: Sequence[Pair]) -> list[Holding]:
    runs: dict[Token, list[RunId]] = {}
    for run, token in dict.fromkeys(pairs):
        runs.setdefault(token, []).append(run)
    return [Holding(token, named) for token, named in runs.items()]
