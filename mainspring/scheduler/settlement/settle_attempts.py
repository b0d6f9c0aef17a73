"""Outcomes become run states: the one door out of every attempt."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from mainspring.clock import Clock
from mainspring.domain.ids import RunId, Token, id_text
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.attempt import NOT_COMMITTED, Decision, Ended, Held, Successes, Verdict
from mainspring.domain.runs.retry import GAVE_UP, Jitter, after_attempt
from mainspring.domain.runs.run import RunState
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import AttemptsEnded, AttemptsSucceeded, Facts, RunsSettled
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.settlement.follows import Arrivals, Follows
from mainspring.scheduler.settlement.log_failures import TOLD, Failed, tell_failures
from mainspring.scheduler.workflows.flow_memory import KnownSteps, Place
from mainspring.store.aside import blames_a_row
from mainspring.store.interface import Store
from mainspring.wire.messages import Outcomes, Settled

log = logging.getLogger("mainspring.settle_attempts")


class OutcomeFrame(NamedTuple):
    """A batch of outcomes, and those of its runs that are known to have had another owner."""

    attached: ExecutorConnection
    outcomes: Outcomes
    stale: Sequence[RunId]
    mark: float
    """Of its arrival: waits that its outcomes ask for count from then, not from their settlement."""
    let_go: Callable[[], None]
    """Gives back the room that is kept for what follows its attempts."""


class StepSuccesses(Protocol):
    """Settles the successes of workflows' steps together with the advance of their workflow runs."""

    steps: KnownSteps

    async def succeed(self, places: Sequence[Place], successes: Successes) -> int:
        """How many matched."""


Succeed = Callable[[Successes, datetime], Awaitable[int]]  # how many were moved to history
Keep = Callable[[ExecutorConnection, Outcomes], Callable[[], None]]
UNKNOWN = JobSpec(name="", handler="")  # of a job that no server has heard of
AT_ONCE: Mapping[RunId, datetime] = {}
"""For outcomes that this server itself found."""


class UnheardError(Exception):
    """An attempt of a job that this server has not heard of yet: another one may have, a moment ago."""


class SettleAttempts:
    """Settles the outcomes that arrived while the last batch was being committed."""

    name = "settle_attempts"
    period = 60.0

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, facts: Facts, batch: int, jitter: Jitter) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._batch = batch
        self._jitter = jitter
        self._inbox: deque[OutcomeFrame] = deque()
        self._under_way: list[OutcomeFrame] = []
        self._publish, self._arrivals = facts.publish, Arrivals(clock, facts)
        self.workflows: StepSuccesses | None = None
        self.answered: Callable[[], None] = lambda: None
        self.keeping: Keep = lambda _attached, _outcomes: lambda: None
        self.succeeding: Succeed = lambda done, now: store.runs.succeed(done, now=now)

    def add(self, attached: ExecutorConnection, outcomes: Outcomes, stale: Sequence[RunId] = ()) -> None:
        let_go = self.keeping(attached, outcomes)
        self._inbox.append(OutcomeFrame(attached, outcomes, stale, self._clock.monotonic(), let_go))
        self.wake.set()

    @property
    def idle(self) -> bool:
        return not self._inbox and not self._under_way

    async def tick(self) -> bool:
        """Settle one batch. If the store fails, the same batch is tried again: tokens make that harmless."""
        frames = self._under_way or self._take()
        if not frames:
            return False
        self._under_way = frames
        for frame in frames:
            frame.let_go()
        stale = await self._succeed(joined([frame.outcomes for frame in frames]))
        heard_at = {ended.run: self._arrivals.instant(frame.mark) for frame in frames for ended in frame.outcomes.ended}
        stale |= await self.settle([ended for frame in frames for ended in frame.outcomes.ended], heard_at)
        self._under_way = []
        for attached, outcomes, foreign, *_ in frames:
            if not attached.gone:
                attached.send(Settled(outcomes.seq, [*foreign, *stale_among(outcomes, stale)]))
            if outcomes.runs:
                self._succeeded(outcomes.runs, outcomes.tokens, stale, outcomes.durations)
        self.answered()
        return bool(self._inbox)

    async def settle(self, ended: Sequence[Ended], heard_at: Mapping[RunId, datetime] = AT_ONCE) -> set[RunId]:
        """Settle attempts that ended otherwise than by success; return the stale ones."""
        if not ended:
            return set()
        try:
            states, lines = await self._write(ended, heard_at)
        except UnheardError:
            await self._catalog.refresh()
            states, lines = await self._write(ended, heard_at, unheard=UNKNOWN)
        except Exception as error:
            if not blames_a_row(error):
                raise
            if len(ended) == 1:
                return self._pass_over(ended[0].run, error)
            middle = len(ended) // 2
            return await self.settle(ended[:middle], heard_at) | await self.settle(ended[middle:], heard_at)
        if final := [run for run, state in states.items() if state.final]:
            self._publish(RunsSettled(final))
        self._publish(AttemptsEnded(ended, states, lines))
        return {end.run for end in ended if end.run not in states} - await self._confirm(ended, states)

    async def _write(
        self, ended: Sequence[Ended], heard_at: Mapping[RunId, datetime], unheard: JobSpec | None = None
    ) -> tuple[dict[RunId, RunState], dict[RunId, int]]:
        """States and lines of the runs. Raises UnheardError, and nothing is written, unless `unheard` gives the rules of jobs
        that are not known."""
        now = self._clock.now()
        follows = Follows()
        failed: dict[RunId, Failed] = {}
        lines: dict[RunId, int] = {}

        def decide(held: Held, end: Ended) -> Decision:
            spec = self._spec(held, unheard)
            decision = self._decide(held, end, spec, heard_at.get(end.run, now))
            if end.outcome in TOLD:
                failed[end.run] = (held, end, decision)
            follows.add(held, decision)
            lines[end.run] = held.line
            return decision

        states = await self._store.runs.settle(ended, decide, now=now)
        if failed:
            tell_failures(failed.values(), states, self._catalog.jobs_by_id)
        if follows.waiting:
            self._catalog.has_workflows = True
        for fact in follows.facts():
            self._publish(fact)
        return states, lines

    def _succeeded(
        self,
        runs: Sequence[RunId],
        tokens: Sequence[Token],
        stale: Collection[RunId] = (),
        durations: Sequence[int] = (),
    ) -> None:
        self._publish(RunsSettled(runs))
        self._publish(AttemptsSucceeded(runs, tokens, stale, durations))

    def _decide(self, held: Held, end: Ended, spec: JobSpec, now: datetime) -> Decision:
        """A run about which a damaged job or row allows no decision fails for good, and holds up no other."""
        try:
            return after_attempt(end, held, spec=spec, now=now, jitter=self._jitter)
        except Exception as error:  # noqa: BLE001 the attempts beside it are settled
            self._store.aside.pass_over("runs", id_text(held.run), error, now)
            return Decision(RunState.FAILED, reason=GAVE_UP, failures=1)

    async def _confirm(self, ended: Sequence[Ended], states: Mapping[RunId, RunState]) -> set[RunId]:
        """Runs that their handlers have settled themselves: a later report changes nothing, and is no news."""
        said = [
            (end.run, end.token)
            for end in ended
            if end.run not in states and end.failure is not None and end.failure.code == NOT_COMMITTED
        ]
        if not said:
            return set()
        verdicts = await self._store.runs.verdicts(said)
        over = await self._store.runs.states([run for run, _ in said])
        done = [
            (run, token)
            for run, token in said
            if verdicts[run] is Verdict.DUPLICATE and over.get(run) is RunState.SUCCEEDED
        ]
        if done:
            self._succeeded([run for run, _ in done], [token for _, token in done])
        return {run for run, _ in done}

    def _take(self) -> list[OutcomeFrame]:
        frames: list[OutcomeFrame] = []
        size = 0
        while self._inbox and size < self._batch:
            frame = self._inbox.popleft()
            size += len(frame.outcomes.runs) + len(frame.outcomes.ended)
            frames.append(frame)
        return frames

    async def _apply(self, successes: Successes) -> int:
        """Write successes, those of steps together with the advance of their workflow runs; how many matched."""
        if self.workflows is None or not self.workflows.steps.places:
            return await self.succeeding(successes, self._clock.now())
        plain, steps, places = self.workflows.steps.split(successes)
        applied = await self.workflows.succeed(places, steps) if len(steps) else 0
        return applied + (await self.succeeding(plain, self._clock.now()) if len(plain) else 0)

    async def _succeed(self, successes: Successes) -> set[RunId]:
        if not len(successes):
            return set()
        try:
            applied = await self._apply(successes)
        except Exception as error:
            if not blames_a_row(error):
                raise
            if len(successes) == 1:
                return self._pass_over(successes.runs[0], error)
            first, second = successes.halves()
            return await self._succeed(first) | await self._succeed(second)
        if applied == len(successes):
            return set()
        pairs = list(zip(successes.runs, successes.tokens, strict=True))
        verdicts = await self._store.runs.verdicts(pairs)
        stale = {run for run, verdict in verdicts.items() if verdict is Verdict.STALE}
        if stale:
            log.warning("%d late outcomes of attempts that were given up changed nothing", len(stale))
        return stale

    def _pass_over(self, run: RunId, error: Exception) -> set[RunId]:
        """Name a run whose row the database cannot move; its lease lapses, as that of a stale attempt does."""
        self._store.aside.pass_over("runs", id_text(run), error, self._clock.now())
        return {run}

    def _spec(self, held: Held, unheard: JobSpec | None) -> JobSpec:
        job = self._catalog.jobs_by_id.get(held.job)
        if job is not None:
            return job.spec
        if unheard is None:
            raise UnheardError
        return unheard


def joined(frames: Sequence[Outcomes]) -> Successes:
    """The successes of several frames as one batch of columns."""
    if len(frames) == 1:
        [one] = frames
        return Successes(one.runs, one.tokens, one.results, one.waits, one.durations)
    return Successes(
        [run for frame in frames for run in frame.runs],
        [token for frame in frames for token in frame.tokens],
        [result for frame in frames for result in frame.results],
        [wait for frame in frames for wait in frame.waits],
        [duration for frame in frames for duration in frame.durations],
    )


def stale_among(outcomes: Outcomes, stale: set[RunId]) -> list[RunId]:
    if not stale:
        return []
    return [run for run in [*outcomes.runs, *(ended.run for ended in outcomes.ended)] if run in stale]
