"""Follows runs that matter to their triggers: at an end queued fires go on, failures are counted, a fixed delay begins."""

import asyncio
from collections.abc import Sequence
from functools import partial

from mainspring.clock import Clock
from mainspring.domain.triggers.evaluate import follow_move
from mainspring.domain.triggers.inputs import UnknownError
from mainspring.domain.triggers.trigger import EndedRun, MovedTriggers, Trigger, TriggerMove
from mainspring.scheduler.facts import Facts, Listening, RunsChanged, RunsSettled, TriggersMoved
from mainspring.scheduler.triggers.fire_triggers import MoveBatch, PublishMoves
from mainspring.scheduler.triggers.inputs import TriggerInputs
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

PERIOD = 0.5
"""Seconds after which ends are found that another server has settled, while triggers wait for any."""
KNOWN_MAX = 10_000


class FollowTriggerRuns:
    """Any server may do it. Ends that are settled here are followed at once."""

    name = "follow_fires"

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
        self.period = self._poll = settings.poll
        self._store = store
        self._batch = settings.fire_batch
        self._clock = clock
        self._inputs = inputs
        self._telling = telling
        self._awaited: frozenset[bytes] = frozenset()
        self._listening: Listening[RunsSettled | RunsChanged] = Listening(
            facts, self._changed, RunsSettled, RunsChanged
        )
        facts.subscribe(TriggersMoved, self._moved)

    def _changed(self, fact: RunsSettled | RunsChanged) -> None:
        if not self._awaited.isdisjoint(fact.runs):
            self.wake.set()

    def _moved(self, fact: TriggersMoved) -> None:
        runs = {run for move in fact.moves for run in move.trigger.pending}
        if runs and not self._awaited:
            self.wake.set()
        self._awaited |= runs
        self._listening.switch(on=bool(self._awaited))

    async def tick(self) -> bool:
        self._awaited = frozenset(await self._store.triggers.pending(limit=KNOWN_MAX))
        self._listening.switch(on=bool(self._awaited))
        self.period = min(PERIOD, self._poll) if self._awaited else self._poll
        if not self._awaited:
            return False
        moved = await self.follow()
        return moved.triggers >= self._batch

    async def follow(self) -> MovedTriggers:
        """Move a batch of triggers whose runs have ended."""
        batch = MoveBatch(self._inputs.at(self._clock.now()))
        decide = partial(self._decide, batch)
        moved = await self._store.triggers.follow(decide, now=batch.inputs.now, limit=self._batch)
        await self._inputs.learn(batch.lacks)
        self._telling.tell(moved, list(batch.moves.values()))
        return moved

    def _decide(self, batch: MoveBatch, trigger: Trigger, ended: Sequence[EndedRun]) -> TriggerMove:
        """The move of one locked trigger; one that is left as it is is found again by the next tick."""
        try:
            move = batch.moves[trigger.id] = follow_move(trigger, ended, batch.inputs)
        except UnknownError as lack:
            batch.lacks.append(lack)
            self.wake.set()
            return TriggerMove(trigger=trigger)
        except Exception as error:  # noqa: BLE001 whatever is wrong with one trigger, the others go on
            self._store.aside.pass_over("triggers", str(trigger.id), error, self._clock.now())
            return TriggerMove(trigger=trigger)
        return move
