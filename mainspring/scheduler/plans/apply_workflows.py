"""Workflows as code: the workflows' part of applying an owner's set of definitions.

Workflows come before the triggers that start them, and go after them. Each is one change of its own: a set that was applied in
part is made whole by applying it again.
"""

from collections.abc import Mapping, Sequence

import msgspec

from mainspring.domain.jobs.job import Job, JobSpec, JobVersion
from mainspring.domain.triggers.plan import Act
from mainspring.domain.workflows.definitions.plan import (
    OwnedWorkflow,
    WorkflowPlanItem,
    edited_elsewhere,
    owned,
    plan_workflows,
)
from mainspring.domain.workflows.spec import HANDLER, read_workflow, write_workflow
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.scheduler.operations.jobs import Expected, JobOperations, Words
from mainspring.scheduler.workflows.check_workflows import CheckWorkflows
from mainspring.store.interface import JobFilter, Store

PAGE = 500


class WantedWorkflows(msgspec.Struct, frozen=True, kw_only=True):
    """The workflows of an owner's set."""

    owner: str
    specs: Sequence[JobSpec] = ()
    adopt: bool = False
    code: bool = False
    """They are those of an app's code: workflows that only its executors have defined are its own."""


class ApplyWorkflows:
    """Plans and applies the workflows of an owner."""

    def __init__(self, store: Store, jobs: JobOperations, checks: CheckWorkflows) -> None:
        self._store = store
        self._jobs = jobs
        self._checks = checks

    async def plan(self, namespace: str, wanted: WantedWorkflows) -> list[WorkflowPlanItem]:
        """The plan of applying; raises InvalidInputError for a definition that could not be saved."""
        specs = self.checked(namespace, wanted.specs)
        present: dict[str, OwnedWorkflow] = {}
        applied: dict[str, JobSpec] = {}
        for job in await self._present(namespace, wanted):
            newest = await self._store.jobs.version(job.id, job.version) if needs_author(job, wanted.owner) else None
            present[job.name] = owned(job, newest, owner=wanted.owner, code=wanted.code)
            last = await self._applied(job, newest)
            if last is not None:
                applied[job.name] = last.spec
        return plan_workflows(present, specs, applied, owner=wanted.owner, adopt=wanted.adopt)

    def checked(self, namespace: str, specs: Sequence[JobSpec]) -> list[JobSpec]:
        """The definitions as they would be saved; raises InvalidInputError with the place in the set."""
        beside = {spec.name: spec for spec in specs}
        found: list[JobSpec] = []
        for position, spec in enumerate(specs):
            try:
                steps = self._checks.check(namespace, read_workflow(spec.workflow), spec.name, beside=beside).spec
            except InvalidInputError as error:
                raise type(error)(f"workflows[{position}].{error.field}", error.reason, code=error.code) from None
            found.append(msgspec.structs.replace(spec, workflow=write_workflow(steps)))
        return found

    async def define(self, namespace: str, owner: str, items: Sequence[WorkflowPlanItem], words: Words) -> None:
        """Write the definitions; raises StaleError if one is at another version than the plan was made from."""
        for item in items:
            if item.is_written and item.after is not None:
                before = item.before
                expected = Expected(absent=True) if before is None else Expected(versions=frozenset({before.version}))
                await self._jobs.put(namespace, item.after, expected, words, owner=owner)

    async def remove(self, namespace: str, items: Sequence[WorkflowPlanItem], words: Words) -> list[WorkflowPlanItem]:
        """Delete workflows that left the set, and return the items as they went: one that is in use stays, blocked."""
        found = list(items)
        left = sum(item.act is Act.REMOVE for item in items)
        # A workflow that is a step of another one goes after it.
        for _ in range(left):
            found = [await self._removed(namespace, item, words) for item in found]
            blocked = sum(item.act is Act.BLOCKED for item in found)
            if blocked in (0, left):
                break
            left = blocked
        return found

    async def _removed(self, namespace: str, item: WorkflowPlanItem, words: Words) -> WorkflowPlanItem:
        if item.act not in (Act.REMOVE, Act.BLOCKED) or item.before is None:
            return item
        try:
            expected = Expected(versions=frozenset({item.before.version}))
            await self._jobs.delete(namespace, item.name, expected, words)
        except ConflictError as error:
            return msgspec.structs.replace(item, act=Act.BLOCKED, reason=error.reason)
        except NotFoundError:
            # Removed a moment ago.
            return item
        return msgspec.structs.replace(item, act=Act.REMOVE, reason="")

    async def _present(self, namespace: str, wanted: WantedWorkflows) -> list[Job]:
        """The owner's workflows, and all jobs that have a wanted name."""
        names = {spec.name for spec in wanted.specs}
        found: dict[str, Job] = {}
        after = ""
        while True:
            query = JobFilter(namespace=namespace, handler=HANDLER, after=after, limit=PAGE)
            page = await self._store.jobs.list(query)
            found |= {job.name: job for job in page if job.owner == wanted.owner or job.name in names}
            if len(page) < PAGE:
                break
            after = page[-1].name
        for name in sorted(names - found.keys()):
            if (job := await self._store.jobs.get(namespace, name)) is not None:
                found[name] = job
        return list(found.values())

    async def _applied(self, job: Job, newest: JobVersion | None) -> JobVersion | None:
        """The version that was applied last, if operators have changed it since."""
        if job.applied is None or not edited_elsewhere(job, newest):
            return None
        return await self._store.jobs.version(job.id, job.applied)


def needs_author(job: Job, owner: str) -> bool:
    return job.owner == owner and job.applied != job.version


def proposed(items: Sequence[WorkflowPlanItem]) -> Mapping[str, JobSpec]:
    """The workflows that are there once the plan is applied, by name."""
    return {item.name: item.after for item in items if item.after is not None}
