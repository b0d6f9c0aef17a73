"""Jobs: their definitions, and the versions of those."""

from typing import Unpack

import msgspec

from mainspring.client.calls import AsyncCall, given, part
from mainspring.client.fields import JobFields
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.contract.jobs import JobDiff, JobInfo, JobPage, JobVersionInfo, JobVersionPage
from mainspring.errors import InvalidInputError

PATH = "/api/v1/jobs"


def list_jobs(
    *,
    prefix: str | None = None,
    queue: str | None = None,
    handler: str | None = None,
    limit: int = 50,
    cursor: str | None = None,
) -> Request[JobPage]:
    params = given(prefix=prefix, queue=queue, handler=handler, limit=str(limit), cursor=cursor)
    return Request("GET", PATH, _page, params=params)


def get_job(name: str) -> Request[JobInfo]:
    return Request("GET", f"{PATH}/{part(name)}", _job)


def create_job(name: str, fields: JobFields) -> Request[JobInfo]:
    return Request("PUT", f"{PATH}/{part(name)}", _job, body=encode(fields), headers={"if-none-match": "*"})


def put_job(name: str, version: int, fields: JobFields) -> Request[JobInfo]:
    return Request("PUT", f"{PATH}/{part(name)}", _job, body=encode(fields), headers=seen(version))


def change_job(name: str, version: int, fields: JobFields) -> Request[JobInfo]:
    return Request("PATCH", f"{PATH}/{part(name)}", _job, body=encode(fields), headers=seen(version))


def delete_job(name: str, version: int | None, note: str) -> Request[None]:
    params = given(note=note or None)
    return Request("DELETE", f"{PATH}/{part(name)}", _nothing, params=params, headers=seen(version))


def list_versions(name: str, *, limit: int, cursor: str | None) -> Request[JobVersionPage]:
    params = given(limit=str(limit), cursor=cursor)
    return Request("GET", f"{PATH}/{part(name)}/versions", _versions, params=params)


def get_version(name: str, version: int) -> Request[JobVersionInfo]:
    return Request("GET", f"{PATH}/{part(name)}/versions/{version}", _version)


def diff_job(name: str, before: int | None, after: int | None) -> Request[JobDiff]:
    sides = {"from": before, "to": after}
    params = {side: str(version) for side, version in sides.items() if version is not None}
    return Request("GET", f"{PATH}/{part(name)}/diff", _diff, params=params)


def roll_back_job(name: str, to: int, version: int | None, note: str) -> Request[JobInfo]:
    body = json_bytes({"version": to, "note": note})
    return Request("POST", f"{PATH}/{part(name)}/rollback", _job, body=body, headers=seen(version))


def seen(version: int | None) -> dict[str, str]:
    return {} if version is None else {"if-match": f'"{version}"'}


def encode(fields: JobFields) -> bytes:
    try:
        return json_bytes(fields)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError("job", f"cannot be written as JSON: {error}", code="bad_job") from None


class AsyncJobs:
    """`client.jobs` of an `AsyncClient`; a change names the version that it was made for."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> JobInfo:
        return await self._call(get_job(name))

    async def create(self, name: str, **fields: Unpack[JobFields]) -> JobInfo:
        """Make a job of a handler that executors have; raises StaleError if there is one of that name."""
        return await self._call(create_job(name, fields))

    async def put(self, name: str, version: int, **fields: Unpack[JobFields]) -> JobInfo:
        """Replace a definition as a whole; raises StaleError if it is at another version by now."""
        return await self._call(put_job(name, version, fields))

    async def change(self, name: str, version: int, **fields: Unpack[JobFields]) -> JobInfo:
        """Change some of a definition; raises StaleError if it is at another version by now."""
        return await self._call(change_job(name, version, fields))

    async def versions(self, name: str, *, limit: int = 50, cursor: str | None = None) -> JobVersionPage:
        return await self._call(list_versions(name, limit=limit, cursor=cursor))

    async def version(self, name: str, version: int) -> JobVersionInfo:
        return await self._call(get_version(name, version))

    async def diff(self, name: str, before: int | None = None, after: int | None = None) -> JobDiff:
        """What changed between two versions; if not said, with the newest one."""
        return await self._call(diff_job(name, before, after))

    async def roll_back(self, name: str, to: int, *, version: int | None = None, note: str = "") -> JobInfo:
        """Make a new version that equals an old one."""
        return await self._call(roll_back_job(name, to, version, note))

    async def delete(self, name: str, *, version: int | None = None, note: str = "") -> None:
        """Only one without live runs, that no executor's code defines."""
        await self._call(delete_job(name, version, note))

    async def list(
        self,
        *,
        prefix: str | None = None,
        queue: str | None = None,
        handler: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> JobPage:
        return await self._call(list_jobs(prefix=prefix, queue=queue, handler=handler, limit=limit, cursor=cursor))


_job = msgspec.json.Decoder(JobInfo).decode
_page = msgspec.json.Decoder(JobPage).decode
_version = msgspec.json.Decoder(JobVersionInfo).decode
_versions = msgspec.json.Decoder(JobVersionPage).decode
_diff = msgspec.json.Decoder(JobDiff).decode


def _nothing(_content: bytes) -> None: ...
