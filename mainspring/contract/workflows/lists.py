"""Lists of workflow runs: what they are asked for, and what they answer."""

from datetime import datetime
from typing import Annotated

import msgspec

from mainspring.contract.base.fields import PAGE_MAX, IdCursor
from mainspring.contract.base.operation import Query
from mainspring.contract.base.view import View, one_of
from mainspring.contract.operations.runs import (
    CreatedBefore,
    CreatedSince,
    JobFilter,
    KeyFilter,
    Labels,
    StateFilter,
    Tags,
)
from mainspring.contract.operations.sweeps import StepName
from mainspring.domain.waits.awaited import WAITING_FOR


class WorkflowRunQuery(Query):
    workflow: JobFilter
    state: list[StateFilter] = []
    tag: Tags = []
    label: Labels = []
    key: KeyFilter | None = None
    since: CreatedSince | None = None
    until: CreatedBefore | None = None
    failed_step: StepName | None = None
    """Only runs of which this step failed or was cancelled."""
    waiting_for: Annotated[str, one_of(WAITING_FOR)] | None = None
    """Only runs of which a step waits for such a thing, or that are paused."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=PAGE_MAX)] = 50
    cursor: IdCursor | None = None


class ListedWorkflowRun(View, frozen=True, kw_only=True):
    """A workflow run in a list."""

    id: str
    version: int | None = None
    """That it goes by; null until it begins."""
    state: str
    paused: bool = False
    created_at: datetime
    began_at: datetime | None = None
    finished_at: datetime | None = None
    failed: list[str] = []
    """The steps that failed or were cancelled,"""
    under_way: list[str] = []
    """and those that have begun and not ended."""
    waiting_for: list[str] = []
    """What the latter wait for: sleep, event, approval; paused, if the run is."""


class WorkflowRunPage(View, frozen=True):
    """Workflow runs, newest first. There may be fewer than asked for, even none, and yet more behind `next`."""

    runs: list[ListedWorkflowRun]
    next: str | None = None
