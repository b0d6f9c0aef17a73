"""Serves jobs: their definitions and the versions of those."""

from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import next_of, read_name_cursor, read_version_cursor, write_name_cursor
from mainspring.api.http.preconditions import is_known, path_to, tagged, unchanged
from mainspring.api.routes.jobs.views import as_spec, changed, show_job, show_version
from mainspring.contract.jobs import ChangeInfo, JobDiff, JobPage, JobVersionInfo, JobVersionPage
from mainspring.contract.operations import jobs
from mainspring.store.interface import JobFilter

router = Routes()


@router.bind(jobs.LIST_JOBS)
async def list_jobs(call: Call, query: jobs.JobQuery) -> JobPage:
    if any("\x00" in (text or "") for text in (query.prefix, query.queue, query.handler)):
        # No name has it, and not every database can be asked for it.
        return JobPage([], None)
    wanted = JobFilter(
        namespace=call.namespace,
        prefix=query.prefix,
        queue=query.queue,
        handler=query.handler,
        after=read_name_cursor("job", query.cursor),
        limit=query.limit,
    )
    found = await call.engine.jobs.list(wanted)
    following = next_of(found, query.limit, lambda last: write_name_cursor("job", last.name))
    return JobPage([show_job(job) for job in found], following)


@router.bind(jobs.GET_JOB)
async def get_job(call: Call, name: str) -> Response:
    job = await call.engine.jobs.get(call.namespace, name)
    if is_known(call.request, job.version):
        return unchanged(job.version)
    return tagged(show_job(job, with_code=True), job.version)


@router.bind(jobs.PUT_JOB)
async def put_job(call: Call, name: str, body: jobs.JobBody) -> Response:
    job, is_new = await call.engine.jobs.put(call.namespace, as_spec(name, body), call.expected, call.edit(body.note))
    return tagged(show_job(job, with_code=True), job.version, created=path_to("jobs", name) if is_new else "")


@router.bind(jobs.CHANGE_JOB)
async def change_job(call: Call, name: str, body: jobs.JobChangesBody) -> Response:
    job = await call.engine.jobs.change(
        call.namespace, name, lambda spec: changed(spec, body), call.expected, call.edit(body.note)
    )
    return tagged(show_job(job, with_code=True), job.version)


@router.bind(jobs.DELETE_JOB)
async def delete_job(call: Call, name: str, query: jobs.NoteQuery) -> None:
    await call.engine.jobs.delete(call.namespace, name, call.expected.seeing(), call.edit(query.note))


@router.bind(jobs.LIST_JOB_VERSIONS)
async def list_job_versions(call: Call, name: str, query: jobs.VersionQuery) -> JobVersionPage:
    before = read_version_cursor(query.cursor)
    versions = await call.engine.jobs.versions(call.namespace, name, before=before, limit=query.limit)
    following = next_of(versions, query.limit, lambda last: str(last.version) if last.version > 1 else None)
    return JobVersionPage([show_version(version) for version in versions], following)


@router.bind(jobs.GET_JOB_VERSION)
async def get_job_version(call: Call, name: str, version: int) -> JobVersionInfo:
    return show_version(await call.engine.jobs.version(call.namespace, name, version))


@router.bind(jobs.DIFF_JOB)
async def diff_job(call: Call, name: str, query: jobs.DiffQuery) -> JobDiff:
    second = query.after or (await call.engine.jobs.get(call.namespace, name)).version
    first = query.before or max(second - 1, 1)
    changes = await call.engine.jobs.diff(call.namespace, name, first, second)
    return JobDiff(first, second, [ChangeInfo(one.path, one.before, one.after) for one in changes])


@router.bind(jobs.ROLL_BACK_JOB)
async def roll_back_job(call: Call, name: str, body: jobs.RollbackBody) -> Response:
    expected, edit = call.expected.seeing(), call.edit(body.note)
    job = await call.engine.jobs.roll_back(call.namespace, name, body.version, expected, edit)
    return tagged(show_job(job, with_code=True), job.version)
