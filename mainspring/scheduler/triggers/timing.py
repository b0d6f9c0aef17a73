"""The parts that fire triggers by time, and follow their runs."""

from collections.abc import Awaitable, Callable

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import Ids, RunId
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.triggers.trigger import Trigger, request_of
from mainspring.scheduler.catalog import Roster
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.intake.requests import Accepted
from mainspring.scheduler.operations.apply_calendars import ApplyCalendars
from mainspring.scheduler.operations.backfills import SteerBackfills
from mainspring.scheduler.operations.calendars import KeepCalendars
from mainspring.scheduler.operations.runs import SteerRuns
from mainspring.scheduler.operations.triggers import SteerTriggers
from mainspring.scheduler.triggers.apply_plan import ApplyTriggers
from mainspring.scheduler.triggers.attendance import AttendInstants
from mainspring.scheduler.triggers.backfill import WorkBackfills
from mainspring.scheduler.triggers.check_triggers import CheckTriggers
from mainspring.scheduler.triggers.fire_triggers import FireTriggers, TellFires
from mainspring.scheduler.triggers.follow_trigger_runs import FollowFires
from mainspring.scheduler.triggers.inputs import TriggerInputs
from mainspring.scheduler.triggers.watch_triggers import Publish, WatchTriggers
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

Accept = Callable[[str, list[RunRequest]], Awaitable[list[Accepted]]]


class Timing:
    """Builds the parts; each subscribes to the facts that it needs."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        ids: Ids,
        roster: Roster,
        calendars: KeepCalendars,
        accept: Accept,
        attending: AttendInstants,
        steering: SteerRuns,
        publish: Publish,
        facts: Facts,
    ) -> None:
        self._accept = accept
        inputs = TriggerInputs(roster, calendars, clock, ids, look_ahead=settings.look_ahead)
        self.inputs = inputs.at
        checks, days = CheckTriggers(roster, clock, calendars), settings.retention_days
        self.triggers = SteerTriggers(
            store, clock, inputs, checks, calendars, self._fire, attending, facts, retention_days=days
        )
        self.applying = ApplyTriggers(store, self.triggers, checks, ApplyCalendars(store, calendars))
        self.backfills = SteerBackfills(store, clock, ids, self.triggers, facts, retention_days=days)
        telling = TellFires(clock, steering, facts)
        self.firing = FireTriggers(store, settings, clock, inputs, telling, attending, facts)
        self.following = FollowFires(store, settings, clock, inputs, telling, facts)
        self.watching = WatchTriggers(store, clock, publish, facts)
        self.backfilling = WorkBackfills(store, settings, clock, inputs, telling, facts)

    @property
    def services(self) -> tuple[SteerTriggers, ApplyTriggers, SteerBackfills]:
        return self.triggers, self.applying, self.backfills

    @property
    def duties(self) -> list[Duty]:
        return [self.firing, self.following, self.watching, self.backfilling]

    async def _fire(self, trigger: Trigger, actor: Actor) -> RunId:
        request = request_of(trigger.spec, bytes(trigger.spec.input), by=actor.name)
        [accepted] = await self._accept(trigger.namespace, [request])
        return accepted.id
