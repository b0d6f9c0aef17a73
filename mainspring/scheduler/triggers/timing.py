"""The parts that fire triggers by time, and follow their runs."""

from collections.abc import Awaitable, Callable

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import Ids, RunId
from mainspring.domain.runs.birth import Accepted, RunRequest
from mainspring.domain.triggers.trigger import Trigger, request_of
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.operations.backfills import BackfillOperations
from mainspring.scheduler.operations.calendars import CalendarOperations
from mainspring.scheduler.operations.jobs import JobOperations
from mainspring.scheduler.operations.runs import RunOperations
from mainspring.scheduler.operations.triggers import TriggerOperations
from mainspring.scheduler.plans.apply_calendars import ApplyCalendars
from mainspring.scheduler.plans.apply_plan import ApplyTriggers
from mainspring.scheduler.plans.apply_workflows import ApplyWorkflows
from mainspring.scheduler.triggers.attendance import AttendInstants
from mainspring.scheduler.triggers.backfill import WorkBackfills
from mainspring.scheduler.triggers.check_triggers import CheckTriggers
from mainspring.scheduler.triggers.count_forecasts import CountForecasts
from mainspring.scheduler.triggers.fire_triggers import FireTriggers, PublishMoves
from mainspring.scheduler.triggers.follow_trigger_runs import FollowTriggerRuns
from mainspring.scheduler.triggers.inputs import TriggerInputs
from mainspring.scheduler.triggers.watch_triggers import Publish, WatchTriggers
from mainspring.scheduler.workflows.check_workflows import CheckWorkflows
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
        catalog: Catalog,
        calendars: CalendarOperations,
        jobs: JobOperations,
        accept: Accept,
        attending: AttendInstants,
        steering: RunOperations,
        publish: Publish,
        facts: Facts,
    ) -> None:
        self._accept = accept
        inputs = TriggerInputs(catalog, calendars, clock, ids, look_ahead=settings.look_ahead)
        self.inputs = inputs.at
        checks, days = CheckTriggers(catalog, clock, calendars), settings.retention_days
        self.triggers = TriggerOperations(
            store, clock, inputs, checks, calendars, self._fire, attending, facts, retention_days=days
        )
        workflows = ApplyWorkflows(store, jobs, CheckWorkflows(catalog))
        self.applying = ApplyTriggers(store, self.triggers, checks, ApplyCalendars(store, calendars), workflows)
        self.forecasts = CountForecasts(store, clock, self.triggers, facts)
        self.backfills = BackfillOperations(store, clock, ids, self.triggers, facts, retention_days=days)
        telling = PublishMoves(clock, steering, facts)
        self.firing = FireTriggers(store, settings, clock, inputs, telling, attending, facts)
        self.following = FollowTriggerRuns(store, settings, clock, inputs, telling, facts)
        self.watching = WatchTriggers(store, clock, publish, facts)
        self.backfilling = WorkBackfills(store, settings, clock, inputs, telling, facts)

    @property
    def services(self) -> tuple[TriggerOperations, ApplyTriggers, BackfillOperations, CountForecasts]:
        return self.triggers, self.applying, self.backfills, self.forecasts

    @property
    def duties(self) -> list[Duty]:
        return [self.firing, self.following, self.watching, self.backfilling, self.forecasts]

    async def _fire(self, trigger: Trigger, actor: Actor) -> RunId:
        request = request_of(trigger.spec, bytes(trigger.spec.input), by=actor.name)
        [accepted] = await self._accept(trigger.namespace, [request])
        return accepted.id
