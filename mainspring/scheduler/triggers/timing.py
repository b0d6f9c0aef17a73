"""The parts that fire triggers and follow their runs, and who of them hears of what."""

from collections.abc import Awaitable, Callable, Sequence

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import Ids, RunId
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.triggers.trigger import Move, Trigger, request_of
from mainspring.scheduler.catalog import Roster
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.intake.requests import Accepted
from mainspring.scheduler.operations.backfills import SteerBackfills
from mainspring.scheduler.operations.runs import SteerRuns
from mainspring.scheduler.operations.triggers import SteerTriggers
from mainspring.scheduler.settlement.expire_runs import ExpireRuns
from mainspring.scheduler.triggers.apply_plan import ApplyTriggers
from mainspring.scheduler.triggers.attendance import AttendInstants
from mainspring.scheduler.triggers.backfill import WorkBackfills
from mainspring.scheduler.triggers.check_triggers import CheckTriggers
from mainspring.scheduler.triggers.fire_triggers import FireTriggers, TellFires
from mainspring.scheduler.triggers.follow_trigger_runs import FollowFires
from mainspring.scheduler.triggers.inputs import Calendars, TriggerInputs
from mainspring.scheduler.triggers.watch_triggers import Publish, WatchTriggers
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

Accept = Callable[[str, list[RunRequest]], Awaitable[list[Accepted]]]


class Timing:
    """What a server does about triggers that name their instants."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        ids: Ids,
        roster: Roster,
        calendars: Calendars,
        accept: Accept,
        attending: AttendInstants,
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._accept = accept
        self._attending = attending
        self._inputs = TriggerInputs(roster, calendars, clock, ids, look_ahead=settings.look_ahead)
        self.inputs = self._inputs.at
        checks = CheckTriggers(roster, clock, calendars)
        self.triggers = SteerTriggers(
            store, clock, self._inputs, checks, calendars, self._fire, attending, retention_days=settings.retention_days
        )
        self.applying = ApplyTriggers(store, self.triggers, checks)
        self.backfills = SteerBackfills(store, clock, ids, self.triggers, retention_days=settings.retention_days)

    def attend(
        self,
        dispatch: DispatchRuns,
        hints: ExchangeHints,
        expiring: ExpireRuns,
        steering: SteerRuns,
        publish: Publish,
    ) -> None:
        """Tell of runs that were made, or are to be stopped."""
        telling = TellFires(self._clock, dispatch, hints)
        self.firing = FireTriggers(self._store, self._settings, self._clock, self._inputs, telling, self._attending)
        self._attending.on_lapse(self.firing.wake.set)
        self.following = FollowFires(self._store, self._settings, self._clock, self._inputs, telling)
        self.watching = WatchTriggers(self._store, self._clock, publish)
        self.backfilling = WorkBackfills(self._store, self._settings, self._clock, self._inputs, telling)
        self.triggers.on_change(self.firing.wake.set)
        self.backfills.on_begin(self.backfilling.wake.set)
        telling.on_deadline(expiring.due)
        telling.on_stopped(lambda runs, wishes: steering.steered(runs, wishes=wishes))
        telling.on_moves(self._moved)

    @property
    def services(self) -> tuple[SteerTriggers, ApplyTriggers, SteerBackfills]:
        return self.triggers, self.applying, self.backfills

    @property
    def duties(self) -> list[Duty]:
        return [self.firing, self.following, self.watching, self.backfilling]

    def settled(self, runs: Sequence[RunId]) -> None:
        """These are over, or were steered."""
        self.following.settled(runs)
        self.backfilling.settled(runs)

    def _moved(self, moves: Sequence[Move]) -> None:
        self.following.moved(moves)
        self.watching.moved(moves)
        # A fixed delay that has begun may end before the next look.
        self.firing.wake.set()

    async def _fire(self, trigger: Trigger, actor: Actor) -> RunId:
        request = request_of(trigger.spec, bytes(trigger.spec.input), by=actor.name)
        [accepted] = await self._accept(trigger.namespace, [request])
        return accepted.id
