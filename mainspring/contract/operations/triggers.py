"""Operations of triggers, and their bodies."""

from types import NoneType
from typing import Annotated

import msgspec

from mainspring.contract.base.fields import NAME_MAX, Instant, InstantText, Note, PageLimit, Reason, cursor_of, like
from mainspring.contract.base.headers import IF_MATCH, IF_NONE_MATCH
from mainspring.contract.base.operation import EmptyBody, Operation, Query
from mainspring.contract.base.view import one_of
from mainspring.contract.operations.jobs import NoteQuery
from mainspring.contract.operations.runs import BODY_MANY_MAX, BODY_ONE_MAX
from mainspring.contract.triggers import (
    CrontabPreview,
    FiredRun,
    InstantPage,
    LoadedTriggers,
    PlanInfo,
    SkippedInstant,
    TriggerForecast,
    TriggerInfo,
    TriggerPage,
    TriggerPreview,
)
from mainspring.contract.workflows.bodies import NamedWorkflowBody
from mainspring.domain.access.permissions import Permission
from mainspring.domain.calendars.spec import CalendarSpec
from mainspring.domain.triggers.plan import OWNER, OWNER_MAX
from mainspring.domain.triggers.spec import AnyRule, Roll, TriggerSpec
from mainspring.domain.triggers.trigger import TriggerState

PREVIEW_MAX = 1_000
PREVIEW_NAME = "preview"
Count = Annotated[int, msgspec.Meta(ge=1, le=PREVIEW_MAX)]
BASED_ON = "^[0-9a-f]{24}$"
BULK_MAX = 10_000
CALENDARS_MAX = 1_000
WORKFLOWS_MAX = 1_000


class TriggerBody(TriggerSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole definition; fields left out have their defaults."""

    name: str = ""
    """May be left out: it is in the address."""
    note: Note = ""
    """Kept in the audit log."""


class PauseTriggerBody(msgspec.Struct, forbid_unknown_fields=True):
    reason: Reason = ""


CRONTAB_MAX = 65_536  # characters


class PreviewBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule to preview, and the number of fire times to list."""

    when: AnyRule
    name: str = PREVIEW_NAME
    """Decides what `H` stands for."""
    start_at: Instant | None = None
    end_at: Instant | None = None
    calendar: str = ""
    roll: Roll = Roll.SKIP
    after: Instant | None = None
    """Null: now."""
    count: Count = 10


class CrontabBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A crontab, as it is pasted."""

    text: Annotated[str, msgspec.Meta(max_length=CRONTAB_MAX)]
    zone: Annotated[str, msgspec.Meta(max_length=NAME_MAX)] = "UTC"
    """Of lines that no `CRON_TZ` is above."""
    system: bool | None = None
    """Whether a user stands before each command, as in /etc/crontab; null: lines that look so are refused."""
    count: Annotated[int, msgspec.Meta(ge=0, le=10)] = 3
    """Fire times of each."""


class PlanBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole set of an owner's triggers, calendars and workflows; others of that owner are removed."""

    owner: Annotated[str, msgspec.Meta(min_length=1, max_length=OWNER_MAX, pattern=f"^{OWNER.pattern}$")]
    triggers: Annotated[list[TriggerSpec], msgspec.Meta(max_length=BULK_MAX)]
    calendars: Annotated[list[CalendarSpec], msgspec.Meta(max_length=CALENDARS_MAX)] = []
    """They are there before the triggers that use them."""
    workflows: Annotated[list[NamedWorkflowBody], msgspec.Meta(max_length=WORKFLOWS_MAX)] = []
    """They are there before the triggers that start them."""
    code: bool = False
    """The set is that of an app's code: workflows that only executors have defined are its own."""
    dry_run: bool = False
    """Plan only; change nothing."""
    adopt: bool = False
    """Take over triggers, calendars and workflows of these names that belong to another owner."""
    based_on: Annotated[str, msgspec.Meta(pattern=BASED_ON)] | None = None
    """Of the plan that was shown; another state of what it is about is refused."""
    note: Note = ""
    """Kept in the audit log."""


KINDS = ("cron", "interval", "delay", "once", "windows", "webhook", "event")
TriggerName = Annotated[str, msgspec.Meta(max_length=NAME_MAX)]
KindFilter = Annotated[str, one_of(KINDS)]
StateFilter = Annotated[str, one_of(TriggerState)]
TriggerCursor = Annotated[str, cursor_of("trigger")]
FireTimeLimit = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
InstantCursor = Annotated[str, like("^[0-9]{1,17}$")]
Hours = Annotated[int, msgspec.Meta(ge=1, le=24 * 31)]
StepSeconds = Annotated[int, msgspec.Meta(ge=1, le=86_400, description="Seconds that are counted together.")]
ManyTriggers = Annotated[
    list[TriggerSpec], msgspec.Meta(min_length=1, description=f"Up to {BULK_MAX}, each name once.")
]


class TriggerQuery(Query):
    prefix: str = ""
    job: str | None = None
    kind: KindFilter | None = None
    state: StateFilter | None = None
    owner: str | None = None
    calendar: str | None = None
    group: str | None = None
    limit: PageLimit = 50
    cursor: TriggerCursor | None = None


class PreviewQuery(Query):
    after: InstantText | None = None
    count: Count = 10


class InstantQuery(Query):
    since: InstantText | None = None
    until: InstantText | None = None
    limit: FireTimeLimit = 100
    cursor: InstantCursor | None = None


class ForecastQuery(Query):
    since: InstantText | None = None
    hours: Hours = 24
    step: StepSeconds = 3600
    wait: Annotated[float, msgspec.Meta(ge=0, le=60, description="Seconds to wait until all are counted.")] = 0.0


LIST_TRIGGERS = Operation(
    "list_triggers",
    "GET /api/v1/triggers",
    Permission.TRIGGERS_READ,
    "List triggers by name.",
    TriggerPage,
    query=TriggerQuery,
)
GET_TRIGGER = Operation(
    "get_trigger",
    "GET /api/v1/triggers/{name}",
    Permission.TRIGGERS_READ,
    "Get a trigger. Its revision is the `ETag`.",
    TriggerInfo,
    answers={304: None},
    parts={"name": TriggerName},
    tagged=True,
)
PUT_TRIGGER = Operation(
    "put_trigger",
    "PUT /api/v1/triggers/{name}",
    Permission.TRIGGERS_WRITE,
    "Create a trigger, or replace its definition. An existing one needs `If-Match`.",
    TriggerInfo,
    answers={201: TriggerInfo},
    body=TriggerBody,
    body_max=BODY_ONE_MAX,
    headers=(IF_MATCH, IF_NONE_MATCH),
    parts={"name": TriggerName},
    tagged=True,
)
DELETE_TRIGGER = Operation(
    "delete_trigger",
    "DELETE /api/v1/triggers/{name}",
    Permission.TRIGGERS_WRITE,
    "Delete a trigger and the runs created ahead for it. Runs that were due stay.",
    NoneType,
    query=NoteQuery,
    headers=(IF_MATCH,),
    parts={"name": TriggerName},
)
LOAD_TRIGGERS = Operation(
    "load_triggers",
    "POST /api/v1/triggers/bulk",
    Permission.TRIGGERS_WRITE,
    "Create or replace up to 10,000 triggers, all or none.",
    LoadedTriggers,
    query=NoteQuery,
    body=ManyTriggers,
    body_max=BODY_MANY_MAX,
)
APPLY_TRIGGERS = Operation(
    "apply_triggers",
    "POST /api/v1/triggers/apply",
    Permission.TRIGGERS_WRITE,
    "Replace the calendars, workflows and triggers of an owner by these; with `dry_run`, only show the changes. "
    "Calendars and workflows come first; triggers whose calendar does not exist are `blocked`, the others apply all or none.",
    PlanInfo,
    body=PlanBody,
    body_max=BODY_MANY_MAX,
)
PAUSE_TRIGGER = Operation(
    "pause_trigger",
    "POST /api/v1/triggers/{name}/pause",
    Permission.TRIGGERS_STEER,
    "Stop firing a trigger. Runs created ahead are withdrawn; runs that were due continue.",
    TriggerInfo,
    body=PauseTriggerBody,
    body_optional=True,
    parts={"name": TriggerName},
    tagged=True,
)
RESUME_TRIGGER = Operation(
    "resume_trigger",
    "POST /api/v1/triggers/{name}/resume",
    Permission.TRIGGERS_STEER,
    "End the pause of a trigger. Fire times that passed meanwhile are skipped. Does nothing if it is not paused.",
    TriggerInfo,
    body=EmptyBody,
    body_optional=True,
    parts={"name": TriggerName},
    tagged=True,
)
SKIP_NEXT = Operation(
    "skip_next",
    "POST /api/v1/triggers/{name}/skip-next",
    Permission.TRIGGERS_STEER,
    "Skip the next fire time of a trigger.",
    SkippedInstant,
    body=EmptyBody,
    body_optional=True,
    parts={"name": TriggerName},
)
FIRE_NOW = Operation(
    "fire_now",
    "POST /api/v1/triggers/{name}/fire",
    Permission.TRIGGERS_STEER,
    "Start a run of a trigger now. The answer names the policies that would have kept it from firing.",
    FiredRun,
    status=201,
    body=EmptyBody,
    body_optional=True,
    parts={"name": TriggerName},
)
PREVIEW_RULE = Operation(
    "preview_rule",
    "POST /api/v1/triggers/preview",
    Permission.TRIGGERS_READ,
    "List the fire times of a rule that is not saved, in its time zone and in UTC.",
    TriggerPreview,
    body=PreviewBody,
    repeatable=True,
)
READ_CRONTAB = Operation(
    "read_crontab",
    "POST /api/v1/triggers/crontab",
    Permission.TRIGGERS_READ,
    "Show the triggers that the lines of a crontab would become, and the lines that can be none. Nothing is made.",
    CrontabPreview,
    body=CrontabBody,
    body_max=8 * CRONTAB_MAX,
    repeatable=True,
)
PREVIEW_TRIGGER = Operation(
    "preview_trigger",
    "GET /api/v1/triggers/{name}/preview",
    Permission.TRIGGERS_READ,
    "List the next fire times of a trigger, in its time zone and in UTC, as if it were not paused.",
    TriggerPreview,
    query=PreviewQuery,
    parts={"name": TriggerName},
)
LIST_INSTANTS = Operation(
    "list_instants",
    "GET /api/v1/triggers/{name}/instants",
    Permission.TRIGGERS_READ,
    "List the outcome of every fire time in a range, oldest first; by default of the last day.",
    InstantPage,
    query=InstantQuery,
    parts={"name": TriggerName},
)
GET_FORECAST = Operation(
    "get_forecast",
    "GET /api/v1/forecast",
    Permission.TRIGGERS_READ,
    "Count the runs that the triggers of a namespace will start, step by step.",
    TriggerForecast,
    query=ForecastQuery,
    tag="triggers",
)
