"""Generated from mainspring/client/nouns/jobs.py by `make client-sync`: do not edit."""

from typing import Unpack

from mainspring.client.calls import SyncCall, ask, if_match, if_new
from mainspring.client.fields import JobFields
from mainspring.client.values import encode
from mainspring.contract.canaries import GET_CANARY, CanaryInfo
from mainspring.contract.insights.what_if import GET_JOB_PYTHON, WHAT_IF, WhatIfInfo
from mainspring.contract.jobs import JobDiff, JobInfo, JobPage, JobVersionInfo, JobVersionPage
from mainspring.contract.limits import PAUSE_JOB, RESUME_JOB, StopBody
from mainspring.contract.operations import jobs


class Jobs:
    """`client.jobs` of a `Client`; a change names the version that it was made for."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> JobInfo:
        return self._call(ask(jobs.GET_JOB, name))

    def create(self, name: str, **fields: Unpack[JobFields]) -> JobInfo:
        """Create a job for a handler of executors; raises StaleError if the name is taken."""
        return self._call(ask(jobs.PUT_JOB, name, body=encode(fields, "job"), headers=if_new()))

    def put(self, name: str, version: int, **fields: Unpack[JobFields]) -> JobInfo:
        """Replace a definition as a whole; raises StaleError if the job is at another version."""
        return self._call(ask(jobs.PUT_JOB, name, body=encode(fields, "job"), headers=if_match(version)))

    def change(self, name: str, version: int, **fields: Unpack[JobFields]) -> JobInfo:
        """Change some fields of a definition; raises StaleError if the job is at another version."""
        return self._call(ask(jobs.CHANGE_JOB, name, body=encode(fields, "job"), headers=if_match(version)))

    def versions(self, name: str, *, limit: int = 50, cursor: str | None = None) -> JobVersionPage:
        query = jobs.VersionQuery(limit=limit, cursor=cursor)
        return self._call(ask(jobs.LIST_JOB_VERSIONS, name, query=query))

    def version(self, name: str, version: int) -> JobVersionInfo:
        return self._call(ask(jobs.GET_JOB_VERSION, name, version))

    def diff(self, name: str, before: int | None = None, after: int | None = None) -> JobDiff:
        """The differences between two versions; by default between the newest and the previous one."""
        query = jobs.DiffQuery(before=before or 0, after=after or 0)
        return self._call(ask(jobs.DIFF_JOB, name, query=query))

    def roll_back(self, name: str, to: int, *, version: int | None = None, note: str = "") -> JobInfo:
        """Create a new version that equals an old one."""
        body = jobs.RollbackBody(version=to, note=note)
        return self._call(ask(jobs.ROLL_BACK_JOB, name, body=body, headers=if_match(version)))

    def what_if(self, name: str, *, runs: int = 200, **fields: Unpack[JobFields]) -> WhatIfInfo:
        """What a definition with these fields would have done to the last runs of the job; nothing is changed."""
        return self._call(ask(WHAT_IF, name, body=encode({"changes": fields, "runs": runs}, "job")))

    def python(self, name: str) -> str:
        """The definition as Python."""
        return (self._call(ask(GET_JOB_PYTHON, name))).code

    def canary(self, name: str) -> CanaryInfo:
        """The version that is tried, with the failure rates of both sides; raises NotFoundError if there is none."""
        return self._call(ask(GET_CANARY, name))

    def pause(self, name: str, *, reason: str = "") -> JobInfo:
        """Start none of its runs; running attempts continue, and runs are still accepted."""
        return self._call(ask(PAUSE_JOB, name, body=StopBody(reason=reason)))

    def resume(self, name: str) -> JobInfo:
        return self._call(ask(RESUME_JOB, name))

    def delete(self, name: str, *, version: int | None = None, note: str = "") -> None:
        """Delete a job without live runs that no executor's code defines."""
        self._call(ask(jobs.DELETE_JOB, name, query=jobs.NoteQuery(note=note), headers=if_match(version)))

    def list(
        self,
        *,
        prefix: str | None = None,
        queue: str | None = None,
        handler: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> JobPage:
        query = jobs.JobQuery(prefix=prefix or "", queue=queue, handler=handler, limit=limit, cursor=cursor)
        return self._call(ask(jobs.LIST_JOBS, query=query))
