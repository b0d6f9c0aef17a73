"""Bodies and views of triggers."""

from datetime import datetime
from typing import Annotated, Any

from mainspring.contract.base.view import View, one_of, schema_of
from mainspring.contract.calendars import CalendarImpact
from mainspring.contract.jobs import ChangeInfo
from mainspring.domain.triggers.by_hand import PassedOver
from mainspring.domain.triggers.fire_times.expected import InstantState
from mainspring.domain.triggers.fire_times.misfires import SkipReason
from mainspring.domain.triggers.plan import Act
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.trigger import TriggerState

PassedOverText = Annotated[str, one_of(PassedOver)]
TriggerStateText = Annotated[str, one_of(TriggerState)]
TriggerSpecJson = Annotated[Any, schema_of(TriggerSpec)]
OutcomeText = Annotated[str, one_of(InstantState)]
SkipReasonText = Annotated[str, one_of(SkipReason)]
PlanAct = Annotated[str, one_of(Act)]


class TriggerPause(View, frozen=True):
    reason: str
    by: str
    at: datetime


class TriggerInfo(View, frozen=True, kw_only=True):
    """A trigger as it is now. Its revision grows with every change of the definition."""

    name: str
    namespace: str
    revision: int
    state: TriggerStateText
    words: str
    """When it fires, for people."""
    spec: TriggerSpecJson
    next_due: datetime | None = None
    """When it fires next."""
    last_fire_at: datetime | None = None
    """Null: it has not fired, or the time is no longer known."""
    fired: int = 0
    failures: int = 0
    """Runs in a row that failed, if that matters to it."""
    pending: list[str] = []
    """Runs that it waits for."""
    held: list[datetime] = []
    """Fire times that wait for those runs."""
    skips: list[datetime] = []
    """Instants that are left out because a caller asked for that, oldest first; one that has passed may still stand here."""
    paused: TriggerPause | None = None
    owner: str = ""
    """The owner that applied it; empty: it was created through the API."""
    drifted: bool = False
    """Whether it was changed since it was applied."""
    created_at: datetime
    updated_at: datetime


class TriggerPage(View, frozen=True):
    """A page, which may be short where there are tens of thousands; `next` is the cursor of the next one, null at the end."""

    triggers: list[TriggerInfo]
    next: str | None


class LoadedTriggers(View, frozen=True):
    """How many were loaded."""

    triggers: int


class FiredRun(View, frozen=True):
    """A run that was started by hand, beside the fire times of its trigger."""

    id: str
    passed_over: list[PassedOverText] = []
    """The policies that would have kept the trigger from firing."""


class SkippedInstant(View, frozen=True):
    skipped: datetime
    trigger: TriggerInfo


class PreviewedInstant(View, frozen=True):
    at: datetime
    local: datetime
    """The same instant as the clock of the trigger's zone shows it."""
    note: str = ""
    """What a clock that is set forward or back has to do with it; empty: nothing."""
    spread: float = 0.0
    """Seconds added by the trigger's place in the spread of its group."""
    jitter: float = 0.0
    """Seconds added by its jitter."""


class TriggerPreview(View, frozen=True):
    words: str
    instants: list[PreviewedInstant]


class CrontabTrigger(View, frozen=True, kw_only=True):
    """A line of a crontab as the trigger that it becomes."""

    line: int
    words: str
    trigger: TriggerSpecJson
    """As `PUT` and `POST /api/v1/triggers/bulk` take it."""
    instants: list[PreviewedInstant]
    notes: list[str]
    """In what it differs from cron."""
    exists: bool
    """Whether there is a trigger of this name, which it would replace."""


class CrontabRefusal(View, frozen=True):
    """A line that can be no trigger, and why."""

    line: int
    text: str
    reason: str


class CrontabRemark(View, frozen=True):
    """A difference from cron that is no line's own; line 0 stands for the whole."""

    line: int
    text: str


class CrontabPreview(View, frozen=True, kw_only=True):
    """The triggers that a crontab would become; nothing has been made."""

    triggers: list[CrontabTrigger]
    refused: list[CrontabRefusal]
    remarks: list[CrontabRemark]
    runnable: bool
    """Whether the job `shell`, which runs the commands, is known."""


class InstantInfo(View, frozen=True):
    """The outcome of a fire time: `fired`, `skipped`, `prepared`, `held`, `paused`, `expected` or `missing`."""

    at: datetime
    outcome: OutcomeText
    reason: SkipReasonText | None = None
    """Why it has no run."""
    run: str | None = None
    backfill: str | None = None
    """The backfill that created that run."""
    last: datetime | None = None
    """If it is there, this stands for all instants from `at` to `last`, skipped by a rule or a calendar that was changed since:
    the two are known, how many lie between is not."""


class InstantPage(View, frozen=True):
    """A page, oldest first; `next` is the cursor of the next one."""

    instants: list[InstantInfo]
    next: str | None


class TriggerForecast(View, frozen=True, kw_only=True):
    """The number of runs that triggers will start, in steps from `since` on, a multiple of the step since 1970 in UTC. The
    first and the last step may be cut short by the range asked for.
    """

    since: datetime
    step: int
    """Seconds."""
    counts: list[int]
    """In each step."""
    total: int
    peak: int
    triggers: int
    """The number of triggers counted."""
    complete: bool
    """Whether every trigger and every fire time was counted."""
    counted_at: datetime | None = None
    """A forecast that took long to count is given again for some time, up to ten minutes; null: an older server."""
    counting: bool = False
    """Whether the server goes on counting: then these are counts so far, and who asks again gets more."""
    share: float = 1.0
    """Of the triggers, about how many were counted, from 0 to 1."""


class DriftInfo(View, frozen=True):
    """A trigger, a calendar or a workflow was edited elsewhere since it was applied last."""

    at: datetime
    by: str
    """Empty: no longer known."""
    changes: list[ChangeInfo]


class PlannedTrigger(View, frozen=True, kw_only=True):
    """One trigger, and the instants that come next, as it is and as it will be."""

    name: str
    act: PlanAct
    job: str
    words: str
    changes: list[ChangeInfo] = []
    drift: DriftInfo | None = None
    """What was edited elsewhere since it was applied last."""
    next_before: list[datetime] = []
    """In the trigger's time zone."""
    next_after: list[datetime] = []
    """In the trigger's time zone."""
    reason: str = ""
    """Of a conflict, or of what is blocked: it stays as it is, and the next apply tries again."""


class PlannedCalendar(View, frozen=True, kw_only=True):
    """One calendar, and the triggers that fire at other instants by it, 20 at most."""

    name: str
    act: PlanAct
    changes: list[ChangeInfo] = []
    drift: DriftInfo | None = None
    """What was edited elsewhere since it was applied last."""
    reason: str = ""
    """Of a conflict, or of a removal that is blocked as triggers use the calendar."""
    triggers: list[CalendarImpact] = []


class PlannedWorkflow(View, frozen=True, kw_only=True):
    """One workflow, and the fields of its definition that change."""

    name: str
    act: PlanAct
    version: int | None = None
    """That is there now."""
    steps: int
    changes: list[ChangeInfo] = []
    drift: DriftInfo | None = None
    """What was edited elsewhere since it was applied last."""
    reason: str = ""
    """Of a conflict, or of a removal that is blocked as the workflow is in use."""


PlannedItem = PlannedCalendar | PlannedWorkflow | PlannedTrigger


class PlanInfo(View, frozen=True, kw_only=True):
    """The changes of an apply, by name; `kept` triggers, calendars and workflows stay as they are."""

    owner: str
    applied: bool
    based_on: str
    kept: int
    calendars: list[PlannedCalendar] = []
    workflows: list[PlannedWorkflow] = []
    triggers: list[PlannedTrigger]

    @property
    def items(self) -> list[PlannedItem]:
        """All that does not stay as it is, in the order in which it is applied."""
        return [*self.calendars, *self.workflows, *self.triggers]

    def of(self, *acts: str) -> list[PlannedItem]:
        return [each for each in self.items if each.act in acts]
