"""Builds the runs that callers request, or refuses them."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from mainspring.domain.ids import Ids
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.lanes import check_key, lane_of
from mainspring.domain.limits.rules import check_own_route
from mainspring.domain.queues.line import Line
from mainspring.domain.routing.own_route import chosen_route, own_address
from mainspring.domain.runs.birth import RunRequest, check_request, line_of, new_run
from mainspring.domain.runs.run import NewRun
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.intake.new_keys import NewKeys
from mainspring.scheduler.intake.older_versions import OlderVersions
from mainspring.scheduler.operations.check_jobs import check_executor_name
from mainspring.store.interface import Store
from mainspring.wire.arguments import checked

UNMADE = 0
"""The number of a line that is yet to be created."""


class Validate:
    """Checks requests against the jobs of the catalog."""

    def __init__(self, store: Store, catalog: Catalog, ids: Ids) -> None:
        self._older = OlderVersions(store, catalog)
        self._catalog = catalog
        self._ids = ids
        self._keys = NewKeys()

    async def runs(self, namespace: str, requests: Sequence[RunRequest], now: datetime) -> list[NewRun]:
        """One run per request, in order.

        Raises InvalidInputError, NotFoundError for an unknown job, and TooManyKeysError.
        """
        ids = self._ids.runs(len(requests), now)
        runs: list[NewRun] = []
        new: dict[int, Line] = {}
        lanes: list[int] = []
        jobs, numbers = self._catalog.jobs, self._catalog.numbers
        for position, (identifier, request) in enumerate(zip(ids, requests, strict=True)):
            job = jobs.get((namespace, request.job))
            if job is None:
                raise NotFoundError("job", request.job, self._hint(namespace, request.job))
            try:
                check_request(request, now)
                address = request.executor
                try:
                    arguments = checked(job, request.input, self._catalog.schema_of(job))
                except InvalidInputError as refusal:
                    arguments, address = await self._older.taken_by(job, request, refusal)
                if job.own_line:
                    lanes.extend(self._keyed(job, arguments))
                if request.executor is not None or request.route is not None:
                    address = checked_address(job, request, arguments)
            except InvalidInputError as error:
                raise error if len(requests) == 1 else at_position(error, position) from None
            line = line_of(job, request.queue, address)
            number = numbers.get(line)
            if number is None:
                new[position] = line
            runs.append(new_run(request, job, number or UNMADE, now, identifier=identifier, arguments=arguments))
        self._keys.admit(namespace, lanes, now)
        if new:
            # Together: one at a time, each new queue would cost its own commit and a rebuild of every plan.
            await self._catalog.make_lines(new.values())
            for position, line in new.items():
                runs[position].line = self._catalog.numbers[line]
        return runs

    def _keyed(self, job: Job, arguments: bytes) -> Iterator[int]:
        """The lane of a run, if its job's runs stand in lanes by a key; raises InvalidInputError if it has none."""
        rule = self._catalog.lane_rule(job)
        if rule is not None and rule.key:
            check_key(rule.key, arguments, "limit")
            yield lane_of(rule, arguments).id

    def _hint(self, namespace: str, name: str) -> str:
        close = did_you_mean(name, (job for place, job in self._catalog.jobs if place == namespace))
        return f"no executor has registered it in this namespace yet{close}"


def checked_address(job: Job, request: RunRequest, arguments: bytes) -> str | None:
    """The address of a run that names its executor or has a route of its own; raises InvalidInputError if it cannot be."""
    field = "executor" if request.route is None else "route"
    if request.executor is not None:
        check_executor_name(request.executor)
    if job.spec.has_steps:
        reason = f"runs of {job.name} are followed or made up by runs of their own, which have executors by their jobs"
        raise InvalidInputError(field, reason, code="incompatible")
    if request.route is None:
        return request.executor
    if request.executor is not None:
        raise InvalidInputError(
            "route", "says who takes the run, as executor does: give one of them", code="incompatible"
        )
    check_own_route(request.route, job.spec.schema)
    check_key(request.route.key, arguments, "route")
    route = chosen_route(request.route, job)
    return None if route is None else own_address(route)


def at_position(error: InvalidInputError, position: int) -> InvalidInputError:
    """The same refusal with its field prefixed `runs[i].`."""
    return type(error)(f"runs[{position}].{error.field}", error.reason, code=error.code)
