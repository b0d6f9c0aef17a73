"""Claimed runs are started: in frames, with the commit that inserts them, or at the time for which they were claimed ahead."""

import asyncio
import heapq
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from itertools import count
from operator import attrgetter

import msgspec

from mainspring.clock import Clock
from mainspring.domain.ids import Ids, RunId
from mainspring.domain.metadata import for_handler, is_for_handler
from mainspring.domain.runs.attempt import Claim
from mainspring.domain.runs.run import NewRun
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.sessions.connection import ExecutorConnection, PoolCredit
from mainspring.wire.codec import encode
from mainspring.wire.messages import FRAME_SOFT_MAX, Start


def start_claim(
    attached: ExecutorConnection, claim: Claim, catalog: Catalog, frames: list[bytes] | None = None
) -> None:
    """Send the attempts of a claim, whose frames may be at hand."""
    wanted = claim
    if stopped := attached.cancelled | attached.suspended:
        # The executor has answered for these already, and must not begin them now.
        wanted, frames = claim.without(stopped), None
    attached.start(claim, (frames or frames_of(attached, wanted, catalog)) if wanted else [])


def frames_of(attached: ExecutorConnection, claim: Claim, catalog: Catalog) -> list[bytes]:
    """Encode the attempts of a claim in as few frames as their size allows."""
    lines, timeouts = catalog.lines, catalog.timeouts
    numbers = sorted(set(claim.lines))
    names = [lines[number].handler for number in numbers]
    queues = [lines[number].queue for number in numbers] if attached.traces else []
    jobs = guarded_jobs(numbers, catalog) if catalog.breakers else []
    positions = {number: position for position, number in enumerate(numbers)}
    handlers = [0] * len(claim) if len(numbers) == 1 else [positions[number] for number in claim.lines]
    limits = [] if timeouts.keys().isdisjoint(claim.jobs) else [timeouts.get(job, 0.0) for job in claim.jobs]
    return [
        encode(
            [
                Start(
                    claim.token,
                    part,
                    names,
                    claim.runs[begin:end],
                    handlers[begin:end],
                    claim.attempts[begin:end],
                    claim.inputs[begin:end],
                    claim.extras[begin:end],
                    limits[begin:end],
                    queues,
                    jobs,
                )
            ]
        )
        for part, (begin, end) in enumerate(cuts(claim.inputs))
    ]


def guarded_jobs(numbers: Sequence[int], catalog: Catalog) -> list[str]:
    """The job of each line, if it has a breaker: its attempts may have to stop when that opens; empty if none has one."""
    found = [
        job if (job := catalog.job_of(catalog.lines[number])) and job.spec.policy.breaker else None
        for number in numbers
    ]
    return ["" if job is None else job.name for job in found] if any(found) else []


def cuts(inputs: list[bytes]) -> list[tuple[int, int]]:
    """Where to cut a batch so that no frame carries much more than the soft maximum."""
    if sum(map(len, inputs)) <= FRAME_SOFT_MAX:
        return [(0, len(inputs))]
    pieces: list[tuple[int, int]] = []
    begin = size = 0
    for position, raw in enumerate(inputs):
        if size and size + len(raw) > FRAME_SOFT_MAX:
            pieces.append((begin, position))
            begin, size = position, 0
        size += len(raw)
    return [*pieces, (begin, len(inputs))]


FREE = attrgetter("free")


class Prepared(msgspec.Struct, frozen=True):
    """A claim, and the frames that start its attempts."""

    claim: Claim
    frames: list[bytes]


class DirectStart:
    """Starts runs that are inserted already claimed, as soon as their commit is known."""

    def __init__(self, ids: Ids, catalog: Catalog, now: datetime) -> None:
        self._ids = ids
        self._catalog = catalog
        self._now = now
        self._runs: dict[PoolCredit, list[NewRun]] = {}
        self._prepared: dict[PoolCredit, Prepared] = {}

    def __bool__(self) -> bool:
        return bool(self._runs)

    def reserve(self, pools: Sequence[PoolCredit], run: NewRun, leave: int = 0) -> None:
        """Give a run to the pool with the most room, if it has any beyond what is to be left, or beyond half of it."""
        credit = pools[0] if len(pools) == 1 else max(pools, key=FREE, default=None)
        if credit is None or credit.free <= min(leave, credit.room // 2):
            return
        mates = self._runs.setdefault(credit, [])
        run.token = mates[0].token if mates else self._ids.token()
        run.session = credit.attached.id
        credit.reserved += 1
        mates.append(run)

    def abandon(self) -> None:
        for credit, runs in self._runs.items():
            credit.reserved -= len(runs)
            for run in runs:
                run.token = run.session = None
        self._runs.clear()

    def prepare(self) -> None:
        """Encode the frames."""
        # While the commit is under way there is time for that.
        for credit, runs in self._runs.items():
            self._prepared[credit] = self._prepare(credit, runs)

    def start(self, kept_out: Collection[RunId]) -> None:
        """Send the inserted runs; those that another run's key kept out give their credit back."""
        for credit, reserved in self._runs.items():
            credit.reserved -= len(reserved)
            ready = self._prepared.get(credit)
            if kept_out or ready is None:
                runs = [run for run in reserved if run.id not in kept_out]
                if not runs:
                    continue
                ready = self._prepare(credit, runs)
            # If the executor has just left, its next hello or its lapsed lease brings these back.
            credit.attached.take(credit, ready.claim.token, ready.claim.runs)
            start_claim(credit.attached, ready.claim, self._catalog, ready.frames)

    def _prepare(self, credit: PoolCredit, runs: Sequence[NewRun]) -> Prepared:
        token = runs[0].token
        assert token is not None
        claim = Claim(
            credit.attached.id,
            token,
            [run.id for run in runs],
            [run.line for run in runs],
            [run.job for run in runs],
            [1] * len(runs),
            [run.input for run in runs],
            extras_of(runs, self._now),
        )
        return Prepared(claim, frames_of(credit.attached, claim, self._catalog))


def extras_of(runs: Sequence[NewRun], now: datetime) -> list[bytes | None]:
    """The metadata for the handlers of these runs, as a claim would return them."""
    if not any(run.deadline_at or (run.extra and is_for_handler(run.extra)) for run in runs):
        return []
    return [
        for_handler(run.extra if run.deadline_at or is_for_handler(run.extra) else None, run.deadline_at, now)
        for run in runs
    ]


class StartOnTime:
    """Keeps the starts of runs that were claimed ahead until they are due."""

    # Not part of dispatch: its next claim must not delay a start, and a claim is a commit, which waits for a disk.

    name = "start_on_time"

    def __init__(self, clock: Clock) -> None:
        self.wake = asyncio.Event()
        self.period = 60.0
        self._clock = clock
        self._order = count()
        self._starts: list[tuple[datetime, int, Callable[[], None]]] = []

    @property
    def idle(self) -> bool:
        return not self._starts

    def keep(self, due_at: datetime, start: Callable[[], None]) -> None:
        heapq.heappush(self._starts, (due_at, next(self._order), start))
        self.wake.set()

    async def tick(self) -> bool:
        while (wait := self._until_next()) <= 0:
            _, _, start = heapq.heappop(self._starts)
            start()
        self.period = wait
        return False

    def _until_next(self) -> float:
        if not self._starts:
            return 60.0
        return (self._starts[0][0] - self._clock.now()).total_seconds()
