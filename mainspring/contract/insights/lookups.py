"""Searches over everything, figures of triggers and jobs, marks on time axes, and settings: operations and views."""

from datetime import datetime
from typing import Annotated

import msgspec

from mainspring.contract.base.fields import NAME_MAX, InstantText
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.base.view import View, one_of
from mainspring.contract.runs import RunInfo
from mainspring.contract.triggers import InstantInfo
from mainspring.domain.access.permissions import Permission
from mainspring.domain.insights.marks import MARKS

SEARCH_KINDS = ("run", "job", "workflow", "trigger", "queue", "executor")
NAMES_MAX = 50
JOBS_MAX = 20
Names = Annotated[list[Annotated[str, msgspec.Meta(max_length=NAME_MAX)]], msgspec.Meta(max_length=NAMES_MAX)]
JobNames = Annotated[list[Annotated[str, msgspec.Meta(max_length=NAME_MAX)]], msgspec.Meta(max_length=JOBS_MAX)]


class SearchQuery(Query):
    q: Annotated[
        str,
        msgspec.Meta(
            min_length=2,
            max_length=200,
            description="Part of a run's id, a key, `#tag`, `label=value`, or the beginning of a name.",
        ),
    ]


class FoundThing(View, frozen=True, kw_only=True):
    kind: Annotated[str, one_of(SEARCH_KINDS)]
    name: str
    """Of a run: its id."""
    note: str = ""
    """Of a run: its job and state; of a job: its queue; of a trigger: when it fires; of an executor: its host."""


class SearchInfo(View, frozen=True):
    """At most five of a kind."""

    found: list[FoundThing]


class TriggerFiguresQuery(Query):
    name: Names = []


class TriggerFigure(View, frozen=True, kw_only=True):
    name: str
    instants: list[InstantInfo]
    """The last of its rule, oldest first; of a trigger that others call, none."""


class TriggerFigures(View, frozen=True):
    """In the order asked for; those that are unknown are left out."""

    triggers: list[TriggerFigure]


class JobRunsQuery(Query):
    name: JobNames = []


class JobRuns(View, frozen=True, kw_only=True):
    job: str
    runs: list[RunInfo]
    """The last, newest first."""


class JobRunsList(View, frozen=True):
    jobs: list[JobRuns]


class MarksQuery(Query):
    since: InstantText | None = None


class MarkInfo(View, frozen=True, kw_only=True):
    """A change that may explain what a chart shows."""

    at: datetime
    kind: Annotated[str, one_of(MARKS)]
    subject: str
    """Such as `job charge` or `queue mail`."""
    act: str
    by: str


class MarkList(View, frozen=True):
    """Oldest first."""

    marks: list[MarkInfo]
    complete: bool
    """False: there were more, and the oldest are left out."""


class SettingInfo(View, frozen=True, kw_only=True):
    name: str
    value: str
    """A secret is hidden."""
    origin: str
    """`default`, a variable, or `flag or file`."""
    variable: str
    """That sets it."""


class SettingList(View, frozen=True):
    settings: list[SettingInfo]


SEARCH = Operation(
    "search",
    "GET /api/v1/search",
    Permission.RUNS_READ,
    "Find runs by id, key, tag or label, and jobs, workflows, triggers, queues and executors by name.",
    SearchInfo,
    query=SearchQuery,
    tag="insights",
)
GET_TRIGGER_FIGURES = Operation(
    "get_trigger_figures",
    "GET /api/v1/figures/triggers",
    Permission.TRIGGERS_READ,
    "Get the last 30 instants of up to 50 triggers, each with its outcome.",
    TriggerFigures,
    query=TriggerFiguresQuery,
    tag="insights",
)
GET_JOB_RUNS = Operation(
    "get_job_runs",
    "GET /api/v1/figures/jobs",
    Permission.RUNS_READ,
    "Get the last 30 runs of each of up to 20 jobs.",
    JobRunsList,
    query=JobRunsQuery,
    tag="insights",
)
GET_MARKS = Operation(
    "get_marks",
    "GET /api/v1/marks",
    Permission.RUNS_READ,
    "List changes that may explain a chart: new versions of definitions, pauses, drained executors and servers.",
    MarkList,
    query=MarksQuery,
    tag="insights",
)
GET_SETTINGS = Operation(
    "get_settings",
    "GET /api/v1/settings",
    Permission.SETTINGS_READ,
    "List the settings of the server that answers, each with its origin; secrets are hidden.",
    SettingList,
    tag="insights",
)
