"""Runs for instants of triggers that lie behind, a piece at a time."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.bulk.backfill import (
    PIECE,
    Backfill,
    BackfillPiece,
    BackfillState,
    after_ends,
    choose,
    looked_at,
    over,
    room_in,
    trigger_of,
)
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.fire_times.timers import TICK, Timer
from mainspring.domain.triggers.inputs import Inputs, UnknownError
from mainspring.domain.triggers.trigger import MovedTriggers
from mainspring.errors import UnavailableError
from mainspring.scheduler.facts import BackfillStarted, Facts, Listening, RunsChanged, RunsSettled
from mainspring.scheduler.triggers.fire_triggers import PublishMoves
from mainspring.scheduler.triggers.inputs import TriggerInputs
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.work_backfills")

TOGETHER = 200
"""Backfills that take turns."""
ROUNDS = 5
"""A backfill can lack a calendar, a job and a line, each of which is learned before the next is missed."""
FOLLOWING = 0.5
"""Seconds after which ends are found that another server has settled."""
FIRES_MAX = 10 * PIECE
"""Entries of the ledger that are read for one piece; what is behind them the ledger itself keeps from being made twice."""


class GoneError(Exception):
    """A part that a backfill needs is gone; the text names it."""


class WorkBackfills:
    """Any server may do any piece: the row of the backfill lets one of them, and the others find it moved on."""

    name = "work_backfills"

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        inputs: TriggerInputs,
        telling: PublishMoves,
        facts: Facts,
    ) -> None:
        self.wake = asyncio.Event()
        self.period = settings.poll
        self._poll = settings.poll
        self._store = store
        self._clock = clock
        self._inputs = inputs
        self._telling = telling
        self._awaited: frozenset[RunId] = frozenset()
        facts.wake(self.wake, BackfillStarted)
        self._listening: Listening[RunsSettled | RunsChanged] = Listening(
            facts, self._changed, RunsSettled, RunsChanged
        )

    def _changed(self, fact: RunsSettled | RunsChanged) -> None:
        if not self._awaited.isdisjoint(fact.runs):
            self.wake.set()

    async def tick(self) -> bool:
        """Do one piece of each backfill that has room; True as long as one of them got on."""
        backfills = await self._store.bulk.live(Backfill, limit=TOGETHER)
        self.period = min(FOLLOWING, self._poll) if backfills else self._poll
        self._awaited = frozenset(run for backfill in backfills for run in backfill.live)
        self._listening.switch(on=bool(self._awaited))
        states = await self._store.runs.states(sorted(self._awaited)) if self._awaited else {}
        moved = [await self._move_alone(backfill, states) for backfill in backfills]
        return any(moved)

    async def _move_alone(self, backfill: Backfill, states: Mapping[RunId, RunState]) -> bool:
        """Step one backfill; its errors do not stop the others."""
        try:
            moved = await self._move(backfill, states)
        except UnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 it is named, and tried again
            self._store.aside.pass_over("backfills", id_text(backfill.id), error, self._clock.now())
            return False
        self._store.aside.worked("backfills", id_text(backfill.id))
        return moved

    async def _move(self, backfill: Backfill, states: Mapping[RunId, RunState]) -> bool:
        seen = after_ends(backfill, states)
        if seen == backfill and not room_in(seen):
            return False
        for _ in range(ROUNDS):
            try:
                return await self._step(seen)
            except UnknownError as lack:
                await self._inputs.learn([lack])
            except GoneError as error:
                return await self._stop(seen, str(error))
        return False

    async def _step(self, backfill: Backfill) -> bool:
        """Create the runs of one piece; raises UnknownError, GoneError."""
        inputs = self._inputs.at(self._clock.now())
        piece = BackfillPiece(next=backfill.place)
        if room_in(backfill):
            await self._check_trigger(backfill)
            piece = await self._find(backfill, timer_for(backfill, inputs))
        runs = runs_of(backfill, piece.instants, inputs)
        stepped = await self._store.bulk.step_backfill(backfill, piece, runs, now=inputs.now)
        if stepped is None:
            return False
        self._awaited |= {run.id for run in stepped.made}
        self._listening.switch(on=bool(self._awaited))
        self._telling.tell(MovedTriggers(runs=stepped.made), [])
        if stepped.backfill.state.final:
            log.info("a backfill of trigger %s is done: %d runs", backfill.spec.name, stepped.backfill.made)
        return True

    async def _stop(self, backfill: Backfill, note: str) -> bool:
        log.warning("a backfill of trigger %s has stopped: %s", backfill.spec.name, note)
        return await self._store.bulk.save(over(backfill, BackfillState.STOPPED, note, self._clock.now()))

    async def _check_trigger(self, backfill: Backfill) -> None:
        found = await self._store.triggers.get(backfill.namespace, backfill.spec.name)
        if found is None or found.id != backfill.trigger:
            raise GoneError("its trigger was deleted")

    async def _find(self, backfill: Backfill, timer: Timer) -> BackfillPiece:
        """The runs of the next step."""
        instants = looked_at(backfill, timer)
        fires = await self._store.triggers.fires(
            backfill.trigger, since=instants[0], until=instants[-1] + TICK, limit=FIRES_MAX
        )
        return choose(backfill, timer, instants, {fire.fire_at for fire in fires})


def timer_for(backfill: Backfill, inputs: Inputs) -> Timer:
    """Raises UnknownError, GoneError."""
    spec = backfill.spec
    calendar = inputs.calendar_for(backfill.namespace, spec)
    if spec.calendar and calendar is None:
        raise GoneError(f"its calendar {spec.calendar} was deleted")
    return timer_of(spec, created_at=backfill.anchor, calendar=calendar)


def runs_of(backfill: Backfill, instants: Sequence[datetime], inputs: Inputs) -> list[NewRun]:
    """The runs of the trigger at these fire times, with the backfill's priority; raises UnknownError, GoneError."""
    trigger, identifier = trigger_of(backfill), id_text(backfill.id)
    runs = []
    for instant in instants:
        run = inputs.new_run(
            trigger, instant, inputs.now, priority=backfill.priority, by=backfill.actor.name, backfill=identifier
        )
        if run is None:
            raise GoneError(f"there is no job {backfill.spec.job} any more")
        runs.append(run)
    return runs
