"""Input that a job's newest definition refuses, and older code that is still connected takes, goes to that code."""

from mainspring.domain.jobs.job import Job, Origin
from mainspring.domain.routing.canary import VERSION
from mainspring.domain.routing.own_route import own_address
from mainspring.domain.routing.route import Fixed
from mainspring.domain.runs.birth import RunRequest, line_of
from mainspring.errors import InvalidInputError
from mainspring.scheduler.catalog import Catalog
from mainspring.store.interface import Store
from mainspring.wire.arguments import checked

VERSIONS_MAX = 50
"""Definitions of a job that are looked at, the newest first."""
REMEMBERED = 1_000
BAD_ARGUMENTS = "bad_arguments"

Schemas = dict[str, bytes]
"""By code version, the newest definition first."""


class OlderVersions:
    """Asked only about refused input, so that other requests pay nothing."""

    def __init__(self, store: Store, catalog: Catalog) -> None:
        self._store = store
        self._catalog = catalog
        self._schemas: dict[tuple[int, int], Schemas] = {}
        """By job and its version: more than these can only come with a newer one."""

    async def taken_by(self, job: Job, request: RunRequest, refusal: InvalidInputError) -> tuple[bytes, str]:
        """The arguments, and the address of the code that takes them; raises the refusal, with the versions that refuse."""
        versions = self._connected(job)
        chosen = request.executor is not None or request.route is not None or job.spec.policy.routed
        if refusal.code != BAD_ARGUMENTS or job.code is None or job.spec.has_steps or not versions or chosen:
            raise refusal
        known = await self._known(job)
        for version in known:
            if version in versions:
                try:
                    arguments = checked(job, request.input, known[version])
                except InvalidInputError:
                    continue
                return arguments, own_address(Fixed(VERSION + version), VERSION + version)
        reason = f"{refusal.reason}; no connected version of the code takes it ({', '.join(versions)})"
        raise InvalidInputError(refusal.field, reason, code=refusal.code)

    def _connected(self, job: Job) -> list[str]:
        """The versions of the code that could run the job, as far as executors name theirs."""
        takers = self._catalog.takers(line_of(job, None))
        return sorted({one.abilities.code_version for one in takers} - {""})

    async def _known(self, job: Job) -> Schemas:
        place = (job.id, job.version)
        if place not in self._schemas:
            found: Schemas = {}
            for one in await self._store.jobs.versions(job.id, before=None, limit=VERSIONS_MAX):
                if one.source.origin is Origin.CODE and one.source.code_version:
                    found.setdefault(one.source.code_version, one.spec.schema)
            while len(self._schemas) >= REMEMBERED:
                del self._schemas[next(iter(self._schemas))]
            self._schemas[place] = found
        return self._schemas[place]
