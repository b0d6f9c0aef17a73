"""Generated from mainspring/client/nouns/jobs.py by `make client-sync`: do not edit."""

from typing import Unpack

from mainspring.client.calls import SyncCall
from mainspring.client.fields import JobFields
from mainspring.client.nouns.jobs import (
    change_job,
    create_job,
    delete_job,
    diff_job,
    get_job,
    get_version,
    list_jobs,
    list_versions,
    put_job,
    roll_back_job,
)
from mainspring.contract.jobs import JobDiff, JobInfo, JobPage, JobVersionInfo, JobVersionPage


class Jobs:
    """`client.jobs` of a `Client`; a change names the version that it was made for."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> JobInfo:
        return self._call(get_job(name))

    def create(self, name: str, **fields: Unpack[JobFields]) -> JobInfo:
        """Make a job of a handler that executors have; raises StaleError if there is one of that name."""
        return self._call(create_job(name, fields))

    def put(self, name: str, version: int, **fields: Unpack[JobFields]) -> JobInfo:
        """Replace a definition as a whole; raises StaleError if it is at another version by now."""
        return self._call(put_job(name, version, fields))

    def change(self, name: str, version: int, **fields: Unpack[JobFields]) -> JobInfo:
        """Change some of a definition; raises StaleError if it is at another version by now."""
        return self._call(change_job(name, version, fields))

    def versions(self, name: str, *, limit: int = 50, cursor: str | None = None) -> JobVersionPage:
        return self._call(list_versions(name, limit=limit, cursor=cursor))

    def version(self, name: str, version: int) -> JobVersionInfo:
        return self._call(get_version(name, version))

    def diff(self, name: str, before: int | None = None, after: int | None = None) -> JobDiff:
        """What changed between two versions; if not said, with the newest one."""
        return self._call(diff_job(name, before, after))

    def roll_back(self, name: str, to: int, *, version: int | None = None, note: str = "") -> JobInfo:
        """Make a new version that equals an old one."""
        return self._call(roll_back_job(name, to, version, note))

    def delete(self, name: str, *, version: int | None = None, note: str = "") -> None:
        """Only one without live runs, that no executor's code defines."""
        self._call(delete_job(name, version, note))

    def list(
        self,
        *,
        prefix: str | None = None,
        queue: str | None = None,
        handler: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> JobPage:
        return self._call(list_jobs(prefix=prefix, queue=queue, handler=handler, limit=limit, cursor=cursor))
