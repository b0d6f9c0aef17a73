"""Runs that matter to their triggers are over: what waited is fired, failures are counted, a fixed delay begins."""

import asyncio
from collections.abc import Sequence

from mainspring.clock import Clock
from mainspring.domain.triggers.evaluate import follow_move
from mainspring.domain.triggers.inputs import Inputs, UnknownError
from mainspring.domain.triggers.trigger import Ended, Follow, Move, Moved, Trigger
from mainspring.scheduler.facts import Facts, RunsChanged, RunsSettled, TriggersMoved
from mainspring.scheduler.triggers.fire_triggers import PublishMoves, learning
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
        facts.subscribe(RunsSettled, self._changed)
        facts.subscribe(RunsChanged, self._changed)
        facts.subscribe(TriggersMoved, self._moved)

    def _changed(self, fact: RunsSettled | RunsChanged) -> None:
        if self._awaited and not self._awaited.isdisjoint(fact.runs):
            self.wake.set()

    def _moved(self, fact: TriggersMoved) -> None:
        runs = {run for move in fact.moves for run in move.trigger.pending}
        if runs and not self._awaited:
            self.wake.set()
        self._awaited |= runs

    async def tick(self) -> bool:
        self._awaited = frozenset(await self._store.triggers.pending(limit=KNOWN_MAX))
        self.period = min(PERIOD, self._poll) if self._awaited else self._poll
        if not self._awaited:
            return False
        moved = await self.follow()
        return moved.triggers >= self._batch

    async def follow(self) -> Moved:
        """Move a batch of triggers whose runs have ended."""
        now = self._clock.now()
        moves: dict[int, Move] = {}

        async def act() -> Moved:
            moves.clear()
            decide = self._decide(self._inputs.at(now), moves)
            return await self._store.triggers.follow(decide, now=now, limit=self._batch)

        moved = await learning(act, self._inputs)
        self._telling.tell(moved, list(moves.values()))
        return moved

    def _decide(self, inputs: Inputs, moves: dict[int, Move]) -> Follow:
        """The rule for the store, which notes each move that it makes."""

        def decide(trigger: Trigger, ended: Sequence[Ended]) -> Move:
            try:
                moves[trigger.id] = follow_move(trigger, ended, inputs)
            except UnknownError:
                raise
            except Exception as error:  # noqa: BLE001 whatever is wrong with one trigger, the others go on
                self._store.aside.pass_over("triggers", str(trigger.id), error, self._clock.now())
                return Move(trigger=trigger)
            return moves[trigger.id]

        return decide
