"""Workflows as code: the changes that make an owner's workflows exactly a given set."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

import msgspec

from mainspring.domain.jobs.job import Job, JobSpec, JobVersion, Origin
from mainspring.domain.owned import PlanItem, plan_owned, refuse_twice
from mainspring.domain.triggers.plan import Act
from mainspring.domain.workflows.definitions.fields import differences
from mainspring.domain.workflows.spec import HANDLER


class OwnedWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """A stored workflow with the author of its newest version."""

    spec: JobSpec
    version: int
    owner: str
    author: str = ""
    at: datetime
    coded: bool = False
    """An executor's code defines it."""


WorkflowPlanItem: TypeAlias = PlanItem[OwnedWorkflow, JobSpec]
"""One workflow of a plan."""


def owned(job: Job, newest: JobVersion | None, *, owner: str, code: bool) -> OwnedWorkflow:
    """A job as a plan sees it; one that only executors' code has defined is the owner's if the set is that code's."""
    mine = code and not job.owner and job.code is not None
    author = "" if newest is None else newest.source.author
    return OwnedWorkflow(
        spec=job.spec,
        version=job.version,
        owner=owner if mine else job.owner,
        author=author,
        at=job.updated_at,
        coded=job.code is not None,
    )


def plan_workflows(
    present: Mapping[str, OwnedWorkflow],
    wanted: Sequence[JobSpec],
    applied: Mapping[str, JobSpec],
    *,
    owner: str,
    adopt: bool = False,
) -> list[WorkflowPlanItem]:
    """The plan by name; a job of another kind, or of executors' code, that has a wanted name is a conflict."""
    refuse_twice(wanted, "workflow")
    found = plan_owned(present, wanted, applied, differences, owner=owner, adopt=adopt)
    return [explained(item) for item in found]


def explained(item: WorkflowPlanItem) -> WorkflowPlanItem:
    """The same, with the reason why a job of that name cannot become this workflow."""
    before = item.before
    if before is None or item.after is None:
        return item
    if before.spec.handler != HANDLER:
        reason = "is a job with a handler; give the workflow another name"
        return msgspec.structs.replace(item, act=Act.CONFLICT, reason=reason)
    if item.act is Act.CONFLICT and before.coded and not before.owner:
        reason = "is defined by the code of executors; adopt it, or give yours another name"
        return msgspec.structs.replace(item, reason=reason)
    return item


def edited_elsewhere(job: Job, newest: JobVersion | None) -> bool:
    """Whether an operator has changed it since it was applied; new code is no edit."""
    return job.applied not in (None, job.version) and newest is not None and newest.source.origin is Origin.API
