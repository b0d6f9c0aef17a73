"""Which executors may connect, and which jobs each may define: as far as its token reaches."""

from mainspring.domain.access.token import Grant, check_queues, check_reach, covers
from mainspring.domain.jobs.job import JobSpec
from mainspring.scheduler.access.cache import AccessCache
from mainspring.scheduler.catalog import Catalog
from mainspring.wire.messages import Hello


async def admit(hello: Hello, grant: Grant, access: AccessCache, catalog: Catalog) -> list[JobSpec]:
    """The jobs that the executor may define; raises ForbiddenError or NotFoundError if it may not come at all."""
    check_reach(grant.token, hello.namespace)
    await access.check_namespace(hello.namespace)
    check_queues(grant.token, hello.abilities.queues)
    return [spec for spec in hello.jobs if may_define(spec, hello.namespace, grant, catalog)]


def may_define(spec: JobSpec, namespace: str, grant: Grant, catalog: Catalog) -> bool:
    """An app may hold jobs for executors of other queues; those are not for this one to define, nor to draw to itself."""
    job = catalog.jobs.get((namespace, spec.name))
    return covers(grant.token, spec.queue) and (job is None or covers(grant.token, job.spec.queue))
