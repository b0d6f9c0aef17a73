"""Jobs: look at definitions, change them, go back to old ones, and start runs of them."""

from typing import Annotated
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from mainspring.api.auth import GuardedRoute, Permission, actor_of, require
from mainspring.api.engine_gate import engine_of, namespace_of
from mainspring.api.http.bodies import read_options_body
from mainspring.api.http.json_io import read_struct, show
from mainspring.api.http.preconditions import IF_MATCH, IF_NONE_MATCH, expected_of, is_known, tagged
from mainspring.api.openapi.document import accepts, answers
from mainspring.api.routes.jobs.views import NAME_PATTERN, VIEWS, as_spec, changed, show_job, show_version
from mainspring.api.routes.runs.bodies import decode_options
from mainspring.api.routes.runs.create import KEY, accept_one, header_key
from mainspring.contract.jobs import (
    ChangeInfo,
    JobBody,
    JobChangesBody,
    JobDiff,
    JobInfo,
    JobPage,
    JobVersionInfo,
    JobVersionPage,
    RollbackBody,
)
from mainspring.contract.runs import AcceptedRun, RunBody
from mainspring.domain.names import LINES, NOTE_MAX
from mainspring.scheduler.operations.jobs import VERSION_MAX, Words
from mainspring.store.interface import JobFilter

STRUCTS = (*VIEWS, RunBody)
PAGE_MAX = 500
CURSOR = "job:"

JobName = Annotated[str, Path(alias="name", description="Written as %2F, a slash is part of the name.")]
NewName = Annotated[str, Path(alias="name", max_length=200, json_schema_extra={"pattern": NAME_PATTERN})]
Number = Annotated[int, Path(alias="version", ge=1, le=VERSION_MAX)]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX)]
Before = Annotated[int, Query(alias="cursor", ge=1, le=VERSION_MAX)]
From = Annotated[int, Query(alias="from", ge=0, le=VERSION_MAX, description="0: the one before.")]
To = Annotated[int, Query(ge=0, le=VERSION_MAX, description="0: the newest.")]
NoteText = Annotated[str, Query(max_length=NOTE_MAX, pattern=f"^{LINES.pattern}$")]
Cursor = Annotated[str, Query(pattern=rf"^({CURSOR}[^\x00]*)?$")]

router = APIRouter(prefix="/api/v1/jobs", route_class=GuardedRoute, tags=["jobs"])
_job = msgspec.json.Decoder(JobBody)
_changes = msgspec.json.Decoder(JobChangesBody)
_rollback = msgspec.json.Decoder(RollbackBody)


@router.get("", openapi_extra=answers({200: (JobPage,)}), response_model=None)
@require(Permission.JOBS_READ)
async def list_jobs(
    request: Request,
    *,
    prefix: str = "",
    queue: str | None = None,
    handler: str | None = None,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
    """Jobs by name."""
    if any("\x00" in (text or "") for text in (prefix, queue, handler)):
        # No name has it, and not every database can be asked for it.
        return show(JobPage([], None))
    query = JobFilter(
        namespace=namespace_of(request),
        prefix=prefix,
        queue=queue,
        handler=handler,
        after=cursor.removeprefix(CURSOR),
        limit=limit,
    )
    found = await engine_of(request).jobs.list(query)
    following = CURSOR + found[-1].name if len(found) == limit else None
    return show(JobPage([show_job(job) for job in found], following))


@router.get("/{name}", openapi_extra=answers({200: (JobInfo,), 304: ()}, tagged=True), response_model=None)
@require(Permission.JOBS_READ)
async def get_job(request: Request, name: JobName) -> Response:
    """One job, with what code says of it; its version is the `ETag`."""
    job = await engine_of(request).jobs.get(namespace_of(request), name)
    if is_known(request, job.version):
        return tagged(Response(status_code=304), job.version)
    return tagged(show(show_job(job, with_code=True)), job.version)


@router.put(
    "/{name}",
    openapi_extra=accepts(JobBody)
    | answers({200: (JobInfo,), 201: (JobInfo,)}, tagged=True)
    | {"parameters": [IF_MATCH, IF_NONE_MATCH]},
    response_model=None,
)
@require(Permission.JOBS_WRITE)
async def put_job(request: Request, name: NewName) -> Response:
    """Make a job, or give it another definition; one that is there needs `If-Match`."""
    expected = expected_of(request)
    body = await read_struct(request, _job)
    words = Words(actor=actor_of(request), note=body.note)
    job, is_new = await engine_of(request).jobs.put(namespace_of(request), as_spec(name, body), expected, words)
    answer = tagged(show(show_job(job, with_code=True), status=201 if is_new else 200), job.version)
    if is_new:
        answer.headers["location"] = f"/api/v1/jobs/{quote(name, safe='')}"
    return answer


@router.patch(
    "/{name}",
    openapi_extra=accepts(JobChangesBody) | answers({200: (JobInfo,)}, tagged=True) | {"parameters": [IF_MATCH]},
    response_model=None,
)
@require(Permission.JOBS_WRITE)
async def change_job(request: Request, name: JobName) -> Response:
    """Change some of a definition; needs `If-Match`."""
    expected = expected_of(request)
    body = await read_struct(request, _changes)
    words = Words(actor=actor_of(request), note=body.note)
    job = await engine_of(request).jobs.change(
        namespace_of(request), name, lambda spec: changed(spec, body), expected, words
    )
    return tagged(show(show_job(job, with_code=True)), job.version)


@router.delete(
    "/{name}", status_code=204, openapi_extra=answers({204: ()}) | {"parameters": [IF_MATCH]}, response_model=None
)
@require(Permission.JOBS_WRITE)
async def delete_job(request: Request, name: JobName, *, note: NoteText = "") -> Response:
    """Take a job away that has no live runs and that no executor's code defines; history keeps its name."""
    words = Words(actor=actor_of(request), note=note)
    await engine_of(request).jobs.delete(namespace_of(request), name, expected_of(request).seeing(), words)
    return Response(status_code=204)


@router.get("/{name}/versions", openapi_extra=answers({200: (JobVersionPage,)}), response_model=None)
@require(Permission.JOBS_READ)
async def list_job_versions(
    request: Request, name: JobName, *, limit: Limit = 50, before: Before = VERSION_MAX
) -> Response:
    """The versions of a job, newest first."""
    found = await engine_of(request).jobs.versions(namespace_of(request), name, before=before, limit=limit)
    following = str(found[-1].version) if len(found) == limit and found[-1].version > 1 else None
    return show(JobVersionPage([show_version(version) for version in found], following))


@router.get("/{name}/versions/{version}", openapi_extra=answers({200: (JobVersionInfo,)}), response_model=None)
@require(Permission.JOBS_READ)
async def get_job_version(request: Request, name: JobName, number: Number) -> Response:
    """A job as it was defined at one time."""
    return show(show_version(await engine_of(request).jobs.version(namespace_of(request), name, number)))


@router.get("/{name}/diff", openapi_extra=answers({200: (JobDiff,)}), response_model=None)
@require(Permission.JOBS_READ)
async def diff_job(request: Request, name: JobName, *, before: From = 0, to: To = 0) -> Response:
    """What changed from one version to another; if not said, by the newest one."""
    jobs, namespace = engine_of(request).jobs, namespace_of(request)
    second = to or (await jobs.get(namespace, name)).version
    first = before or max(second - 1, 1)
    found = await jobs.diff(namespace, name, first, second)
    return show(JobDiff(first, second, [ChangeInfo(one.path, one.before, one.after) for one in found]))


@router.post(
    "/{name}/rollback",
    openapi_extra=accepts(RollbackBody) | answers({200: (JobInfo,)}, tagged=True) | {"parameters": [IF_MATCH]},
    response_model=None,
)
@require(Permission.JOBS_WRITE)
async def roll_back_job(request: Request, name: JobName) -> Response:
    """Make a new version that equals an old one."""
    expected = expected_of(request).seeing()
    body = await read_struct(request, _rollback)
    words = Words(actor=actor_of(request), note=body.note)
    job = await engine_of(request).jobs.roll_back(namespace_of(request), name, body.version, expected, words)
    return tagged(show(show_job(job, with_code=True)), job.version)


@router.post(
    "/{name}/runs",
    status_code=201,
    openapi_extra=accepts(RunBody, optional=True)
    | answers({200: (AcceptedRun,), 201: (AcceptedRun,)})
    | {"parameters": [KEY]},
    response_model=None,
)
@require(Permission.RUNS_WRITE)
async def start_run(request: Request, name: JobName) -> Response:
    """Accept a run of the job; nothing needs to be said."""
    body = await read_options_body(request)
    now, by = request.app.state.clock.now(), actor_of(request).name
    return await accept_one(request, decode_options(name, body, now, by, header_key(request)))
