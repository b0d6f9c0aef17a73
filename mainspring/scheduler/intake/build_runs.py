"""Builds the runs that callers request, or refuses them."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import Ids
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.lanes import check_key
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.birth import RunRequest, check_request, line_of, new_run
from mainspring.domain.runs.run import NewRun
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.operations.check_jobs import check_executor_name
from mainspring.wire.arguments import checked

UNMADE = 0
"""The number of a line that is yet to be created."""


class Validate:
    """Checks requests against the jobs of the catalog."""

    def __init__(self, catalog: Catalog, ids: Ids) -> None:
        self._catalog = catalog
        self._ids = ids

    async def runs(self, namespace: str, requests: Sequence[RunRequest], now: datetime) -> list[NewRun]:
        """One run per request, in order; raises InvalidInputError and, for an unknown job, NotFoundError."""
        ids = self._ids.runs(len(requests), now)
        runs: list[NewRun] = []
        new: dict[int, Line] = {}
        jobs, numbers = self._catalog.jobs, self._catalog.numbers
        for position, (identifier, request) in enumerate(zip(ids, requests, strict=True)):
            job = jobs.get((namespace, request.job))
            if job is None:
                raise NotFoundError("job", request.job, self._hint(namespace, request.job))
            try:
                check_request(request, now)
                arguments = checked(job, request.input, self._catalog.schema_of(job))
                if job.own_line and (rule := self._catalog.lane_rule(job)) is not None:
                    check_key(rule.key, arguments, "limit")
                if request.executor is not None:
                    check_address(job, request.executor)
            except InvalidInputError as error:
                raise error if len(requests) == 1 else at_position(error, position) from None
            line = line_of(job, request.queue, request.executor)
            number = numbers.get(line)
            if number is None:
                new[position] = line
            runs.append(new_run(request, job, number or UNMADE, now, identifier=identifier, arguments=arguments))
        if new:
            # Together: one at a time, each new queue would cost its own commit and a rebuild of every plan.
            await self._catalog.make_lines(new.values())
            for position, line in new.items():
                runs[position].line = self._catalog.numbers[line]
        return runs

    def _hint(self, namespace: str, name: str) -> str:
        close = did_you_mean(name, (job for place, job in self._catalog.jobs if place == namespace))
        return f"no executor has registered it in this namespace yet{close}"


def check_address(job: Job, executor: str) -> None:
    """Raises InvalidInputError unless runs of the job can be for one executor."""
    check_executor_name(executor)
    if job.spec.has_steps:
        reason = f"runs of {job.name} are followed or made up by runs of their own, which have executors by their jobs"
        raise InvalidInputError("executor", reason, code="incompatible")


def at_position(error: InvalidInputError, position: int) -> InvalidInputError:
    """The same refusal with its field prefixed `runs[i].`."""
    return type(error)(f"runs[{position}].{error.field}", error.reason, code=error.code)
