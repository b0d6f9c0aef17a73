"""Past runs of a job, read to be replayed under another definition."""

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.jobs.replay import PastRun
from mainspring.domain.jobs.replay_limits import Replay, replay
from mainspring.domain.runs.query import RunFilter
from mainspring.domain.runs.run import Run, RunState
from mainspring.store.interface import Store

ENDED = (RunState.SUCCEEDED, RunState.FAILED)
ATTEMPTS_READ = 100
"""Runs whose single attempts are read; older ones among them are judged by what their rows say."""


async def replay_runs(store: Store, namespace: str, before: JobSpec, spec: JobSpec, *, limit: int) -> Replay:
    """The last runs of the job, under the definition `spec`."""
    page = await store.runs.list(RunFilter(namespace=namespace, job=before.name, states=ENDED, limit=limit))
    past: list[PastRun] = []
    read = 0
    for run in page.runs:
        tried = had_other_tries(run) and read < ATTEMPTS_READ
        read += tried
        past.append(PastRun(run, await store.runs.attempts(run.id) if tried else ()))
    return replay(past, before, spec)


def had_other_tries(run: Run) -> bool:
    return bool(run.failures or run.losses)
