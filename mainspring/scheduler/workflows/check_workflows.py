"""Whether workflows can be saved: by themselves, and with the jobs that their steps run."""

from collections.abc import Mapping

import msgspec

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.workflows.checks import check_jobs, check_workflow, jobs_of, refuse_itself, with_item_names
from mainspring.domain.workflows.definitions.faults import faults_of
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.spec import WorkflowSpec
from mainspring.errors import InvalidInputError
from mainspring.scheduler.catalog import Catalog

NONE: Mapping[str, JobSpec] = {}


class Checked(msgspec.Struct, frozen=True):
    """A definition that could be saved."""

    spec: WorkflowSpec
    graph: Graph
    unchecked: list[str]
    """Places whose types could not be compared."""
    unserved: list[str]
    """Jobs that no connected executor has."""


class CheckWorkflows:
    """Checks against the jobs of the catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def check(
        self, namespace: str, spec: WorkflowSpec, name: str = "", *, beside: Mapping[str, JobSpec] = NONE
    ) -> Checked:
        """Raises InvalidInputError with the field; of a workflow with a name also if it would start itself.

        Jobs `beside` it count as if they were saved.
        """
        check_workflow(spec)

        def find(job: str) -> JobSpec | None:
            return beside.get(job) or self.find(namespace, job)

        if name:
            refuse_itself(name, spec, find)
        named = with_item_names(spec, find)
        known = {job.name: job.spec for job in self._catalog.jobs.values() if job.namespace == namespace} | {**beside}
        unchecked = check_jobs(named, find, known)
        served = {handler for place, _, handler in self._catalog.line_facts.serving.served if place == namespace}
        wanted = [known[one] for one in sorted(jobs_of(named)) if one in known]
        unserved = [job.name for job in wanted if not job.workflow and job.handler not in served]
        return Checked(named, check_workflow(named), unchecked, unserved)

    def faults(self, namespace: str, spec: WorkflowSpec) -> list[InvalidInputError]:
        """All that `check` would refuse, and not only the first."""
        known = {job.name: job.spec for job in self._catalog.jobs.values() if job.namespace == namespace}
        return faults_of(spec, known.get, known)

    def find(self, namespace: str, name: str) -> JobSpec | None:
        """A job as it is now."""
        job = self._catalog.jobs.get((namespace, name))
        return None if job is None else job.spec
