"""Live changes for those who follow them: one bounded record for all, in which each reader has a place.

A reader that falls behind loses the oldest changes and is told so by a gap; it never holds up others, and the memory taken
does not grow with the number of readers.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from math import inf

from mainspring.clock import Clock
from mainspring.domain.feed import ChangeKind, FeedChange, FeedGap, GapReason, Wanted
from mainspring.domain.ids import ServerId
from mainspring.errors import DrainingError, UnavailableError
from mainspring.scheduler.insights.turns import Turns

RECORD = 4096
FOLLOWERS_MAX = 500
LINGER = 30.0
"""Seconds that recording goes on after the last reader left, so that one that comes back misses nothing."""


class Changes:
    """The record of changes. Without a reader, changes that are costly to notice are not looked for."""

    def __init__(self, clock: Clock, server: ServerId) -> None:
        self.last = 0
        """The position of the newest change."""
        self.closed = False
        self.turns = Turns()
        self._clock = clock
        self._name = server.hex()[:12]
        self._stretch = 0
        """Counts the stretches of time in which everything was recorded."""
        self._record: deque[FeedChange] = deque(maxlen=RECORD)
        self._followers: list[Follower] = []
        self.watched_until = clock.monotonic()
        """Without end while there are followers."""

    @property
    def watched(self) -> bool:
        return self._clock.monotonic() < self.watched_until

    def publish(
        self,
        kind: ChangeKind,
        namespace: str,
        content: dict[str, object],
        *,
        queue: str | None = None,
        jobs: tuple[str, ...] = (),
    ) -> None:
        self.last += 1
        self._record.append(
            FeedChange(
                position=self.last,
                at=self._clock.now(),
                kind=kind,
                namespace=namespace,
                queue=queue,
                jobs=jobs,
                content=content,
            )
        )
        if not self.turns.taken:
            self._wake()

    def check_room(self) -> None:
        """Raises UnavailableError unless there may be one more reader."""
        if self.closed:
            raise DrainingError("the server is draining: ask another one")
        if len(self._followers) >= FOLLOWERS_MAX:
            raise UnavailableError(f"{FOLLOWERS_MAX} streams are open here already: ask another server")

    @contextmanager
    def follow(self, wanted: Wanted, *, after: str | None = None) -> Iterator["Follower"]:
        """Read from now on, or from behind the change of that id; raises UnavailableError."""
        self.check_room()
        if not self.watched:
            self._stretch += 1
        follower = Follower(self, self._clock, wanted)
        if after is not None:
            follower.resume(self.position_of(after))
        self._followers.append(follower)
        self.turns.share(len(self._followers))
        self.watched_until = inf
        try:
            yield follower
        finally:
            self._followers.remove(follower)
            self.turns.share(len(self._followers))
            if not self._followers:
                self.watched_until = self._clock.monotonic() + LINGER

    def close(self) -> None:
        """Let every reader read the rest, and end; those who take turns, in turn."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        for follower in self._followers:
            follower.wake.set()

    def id_of(self, position: int) -> str:
        return f"{self._name}.{self._stretch}-{position}"

    def position_of(self, text: str) -> int | None:
        """The position that an id of this server and this stretch names; None for any other."""
        place, _, digits = text.rpartition("-")
        if place != f"{self._name}.{self._stretch}" or not digits.isascii() or not digits.isdigit():
            return None
        position = int(digits)
        return position if self.oldest - 1 <= position <= self.last else None

    @property
    def oldest(self) -> int:
        """The position of the oldest change on record, or of the next one if there is none."""
        return self._record[0].position if self._record else self.last + 1

    def behind(self, position: int, limit: int) -> list[FeedChange]:
        """Changes that came after that position, which must be on record or just before it."""
        start = position - self.oldest + 1
        return list(islice(self._record, start, start + limit))


class Follower:
    """One reader and how far it has come."""

    BATCH = 200

    def __init__(self, changes: Changes, clock: Clock, wanted: Wanted) -> None:
        self.wake = asyncio.Event()
        self._changes = changes
        self._clock = clock
        self._wanted = wanted
        self._turn = changes.turns.place()
        self._position = changes.last
        self._gap: GapReason | None = None

    @property
    def place(self) -> str:
        """The id from which on this reader has seen nothing yet."""
        return self._changes.id_of(self._position)

    def resume(self, position: int | None) -> None:
        """Go on after a position; None: the position is unknown."""
        if position is None:
            self._gap = GapReason.UNKNOWN
        else:
            self._position = position

    async def next(self, *, seconds: float) -> list[FeedChange | FeedGap]:
        """The next changes, at once or in turn; none after `seconds`, or once the server drains."""
        deadline = self._clock.monotonic() + seconds
        while True:
            self.wake.clear()
            found = self._take()
            left = deadline - self._clock.monotonic()
            if found or self._changes.closed or left <= 0:
                return found
            turns = self._changes.turns
            if turns.taken:
                # Asleep, not waiting for anything: for a crowd that is the cheapest by far.
                await self._clock.sleep(min(left, turns.wait(self._turn, self._clock.monotonic())))
                return self._take()
            await self._clock.wait(self.wake, left)

    def _take(self) -> list[FeedChange | FeedGap]:
        if self._position < self._changes.oldest - 1:
            self._gap, self._position = GapReason.SLOW, self._changes.oldest - 1
        found: list[FeedChange | FeedGap] = []
        if self._gap is not None:
            found.append(FeedGap(self._position, self._gap))
            self._gap = None
        while not found or isinstance(found[-1], FeedGap):
            changes = self._changes.behind(self._position, self.BATCH)
            if not changes:
                break
            self._position = changes[-1].position
            found += [change for change in changes if self._wanted.takes(change)]
        return found
