"""The runs that steps begin with."""

from datetime import datetime, timedelta
from typing import NamedTuple

from mainspring.domain.ids import Ids, RunId, id_text
from mainspring.domain.jobs.input import INPUT_NONE, with_defaults
from mainspring.domain.jobs.job import Job
from mainspring.domain.metadata import RunMetadata, encode_metadata
from mainspring.domain.runs.birth import step_line
from mainspring.domain.runs.run import NewRun
from mainspring.domain.workflows.move import LiveFlow
from mainspring.scheduler.catalog import Catalog

NO_RUN = id_text(bytes(16))


class StepBirth(NamedTuple):
    """The parts that the runs of a step share, whatever their workflow run."""

    job: Job
    line: int
    head: bytes
    tail: bytes
    """Their metadata, before the workflow run's id and after it."""

    def metadata(self, workflow: RunId) -> bytes:
        return self.head + id_text(workflow).encode() + self.tail


class StepBirths:
    """For one transaction."""

    def __init__(self, catalog: Catalog, ids: Ids, now: datetime) -> None:
        self._catalog = catalog
        self._ids = ids
        self._now = now
        self._births: dict[tuple[str, int, int], StepBirth | None] = {}
        self._spare: list[RunId] = []

    def expect(self, runs: int) -> None:
        """Make ids for about so many runs at once."""
        self._spare = self._ids.runs(runs, self._now)[::-1]

    def of(self, live: LiveFlow, step: int) -> StepBirth | None:
        """The parts that all runs of a step share; None if it is a wait or a map, or misses its job or its line."""
        # By identity: this lasts no longer than a transaction, and the graph of a thousand workflow runs is one.
        key = (live.namespace, id(live.graph), step)
        if key not in self._births:
            self._births[key] = self._new_birth(live, step)
        return self._births[key]

    def _new_birth(self, live: LiveFlow, step: int) -> StepBirth | None:
        about = live.graph.steps[step]
        job = self.job(live, step)
        line = None if job is None else self._catalog.numbers.get(step_line(job))
        if job is None or line is None or about.wait is not None or about.each is not None or live.graph.of_handler:
            return None
        head, tail = encode_metadata(RunMetadata(workflow=NO_RUN, step=about.name)).split(NO_RUN.encode())
        return StepBirth(job, line, head, tail)

    def born(self, live: LiveFlow, birth: StepBirth, arguments: bytes) -> NewRun:
        run = self.run(live, birth.job, birth.line, arguments, birth.metadata(live.run))
        run.id = self._spare.pop() if self._spare else self._ids.runs(1, self._now)[0]
        return run

    def job(self, live: LiveFlow, step: int) -> Job | None:
        if live.graph.steps[step].wait is not None:
            # A wait runs nothing: its run stands under the workflow's own job.
            return self._catalog.jobs_by_id.get(live.job)
        return self._catalog.jobs.get((live.namespace, live.graph.steps[step].job))

    def run(self, live: LiveFlow, job: Job, line: int, arguments: bytes, extra: bytes) -> NewRun:
        spec = job.spec
        given = arguments if spec.input == INPUT_NONE or spec.workflow else with_defaults(spec.input, arguments)
        return NewRun(
            id=live.run,
            job=job.id,
            line=line,
            priority=live.priority,
            due_at=live.due_at,
            input=given,
            deadline_at=None if spec.deadline is None else self._now + timedelta(seconds=spec.deadline),
            extra=extra,
        )
