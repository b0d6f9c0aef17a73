"""Due triggers become runs. Any server may do it, and all may at once: a trigger's row says how far it has come."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

import msgspec

from mainspring.clock import Clock
from mainspring.domain.triggers.evaluate import fire_move
from mainspring.domain.triggers.inputs import Inputs, UnknownError
from mainspring.domain.triggers.trigger import AGAIN, MovedTriggers, Trigger, TriggerMove
from mainspring.errors import UnavailableError
from mainspring.scheduler.facts import (
    AttendanceLapsed,
    CalendarsChanged,
    Facts,
    TriggersChanged,
    TriggersMoved,
    publish_new_runs,
)
from mainspring.scheduler.operations.runs import RunOperations
from mainspring.scheduler.triggers.attendance import AttendInstants
from mainspring.scheduler.triggers.inputs import TriggerInputs
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.fire_triggers")

FIRES_EACH = 2
"""Fires for which there is room in a batch, for each of its triggers; with more of them the next batch has fewer triggers."""
LEAST = 10
"""Triggers that a batch has at least."""
ELSEWHERE = 0.05
"""Seconds until triggers are looked at again that another server has locked."""
BLIND = timedelta(seconds=5)


class PublishMoves:
    """Publishes committed moves of triggers: the runs they created, the runs they cancelled, and the moves themselves."""

    def __init__(self, clock: Clock, steering: RunOperations, facts: Facts) -> None:
        self._clock = clock
        self._steering = steering
        self._facts = facts

    def tell(self, moved: MovedTriggers, moves: Sequence[TriggerMove]) -> None:
        publish_new_runs(self._facts, moved.runs, self._clock.now())
        if moved.wishes or moved.cancelled:
            self._steering.announce(moved.cancelled, wishes=moved.wishes)
        if moves:
            self._facts.publish(TriggersMoved(moves))


class FireTriggers:
    """Moves the triggers whose time has come, a batch in each transaction, and sleeps until the next one."""

    name = "fire_triggers"

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        inputs: TriggerInputs,
        telling: PublishMoves,
        attending: AttendInstants,
        facts: Facts,
    ) -> None:
        self.wake = asyncio.Event()
        self.period = settings.poll
        self._store = store
        self._poll = settings.poll
        self._batch = self._limit = settings.fire_batch
        self._clock = clock
        self._inputs = inputs
        self._telling = telling
        self._attending = attending
        # A fixed delay that begins with a move may end before the next tick.
        facts.wake(self.wake, TriggersChanged, TriggersMoved, CalendarsChanged, AttendanceLapsed)

    async def tick(self) -> bool:
        limit = self._limit
        moved = await self.move()
        if moved.triggers >= limit or self._limit < min(limit, self._batch):
            return True
        following = await self.next_act()
        left = self._poll if following is None else (following - self._clock.now()).total_seconds()
        self.period = min(self._poll, left if left > 0 else ELSEWHERE)
        return left <= 0 < moved.triggers

    async def next_act(self) -> datetime | None:
        """When the first trigger is to be moved, by whomever."""
        return await self._store.triggers.next_act()

    async def move(self) -> MovedTriggers:
        """Move one batch."""
        await self._attending.be_sure()
        now = self._clock.now()
        batch = MoveBatch(self._inputs.at(now))
        try:
            moved = await self._store.triggers.fire(partial(self._decide, batch), now=now, limit=self._limit)
        except UnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 it is raised again unless one trigger is to blame
            await self._narrow(error, batch)
            return MovedTriggers()
        await self._inputs.learn(batch.lacks)
        self._telling.tell(moved, list(batch.moves.values()))
        self._limit = self._fitting(moved)
        return moved

    async def _narrow(self, error: Exception, batch: "MoveBatch") -> None:
        """One trigger of the batch stops it: try half of them, and put that one off once it is alone."""
        if len(batch.seen) > 1:
            self._limit = len(batch.seen) // 2
            self.wake.set()
            return
        if not batch.seen:
            raise error
        self._store.aside.pass_over("triggers", str(batch.seen[0]), error, self._clock.now())
        await self._store.triggers.put_off(batch.seen, until=batch.inputs.now + AGAIN)
        self._limit = self._batch

    def _fitting(self, moved: MovedTriggers) -> int:
        """How many triggers make a batch of the usual size, if they have as many fires each as those before."""
        each = len(moved.runs) / max(moved.triggers, 1)
        return self._batch if each <= FIRES_EACH else max(LEAST, int(self._batch * FIRES_EACH / each))

    def _decide(self, batch: "MoveBatch", trigger: Trigger) -> TriggerMove:
        """The move of one locked trigger; one that is left as it is stays due, and is in the next batch."""
        batch.seen.append(trigger.id)
        if batch.fires >= self._batch * FIRES_EACH:
            return TriggerMove(trigger=trigger)
        try:
            if batch.inputs.lacks_calendar(trigger):
                return put_off(trigger, batch.inputs.now)
            move = fire_move(trigger, batch.inputs)
        except UnknownError as lack:
            batch.lacks.append(lack)
            return TriggerMove(trigger=trigger)
        except Exception as error:  # noqa: BLE001 whatever is wrong with one trigger, the others fire
            self._store.aside.pass_over("triggers", str(trigger.id), error, self._clock.now())
            return TriggerMove(trigger=msgspec.structs.replace(trigger, act_at=batch.inputs.now + AGAIN))
        batch.fires += len(move.fires)
        if move.skips or move.trigger.pending:
            batch.moves[trigger.id] = move
        return move


class MoveBatch:
    """The decisions about the triggers of one transaction."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.seen: list[int] = []
        self.fires = 0
        self.moves: dict[int, TriggerMove] = {}
        """Those that others have to know of, by trigger: the store may ask for one twice."""
        self.lacks: list[UnknownError] = []
        """Missing jobs, calendars and lines; their triggers are left as they are."""


def put_off(trigger: Trigger, now: datetime) -> TriggerMove:
    """Look again soon; the watch for overdue triggers sees it."""
    log.warning(
        "trigger %s of %s waits: its calendar %s is not there", trigger.name, trigger.namespace, trigger.spec.calendar
    )
    return TriggerMove(trigger=msgspec.structs.replace(trigger, act_at=now + BLIND))
