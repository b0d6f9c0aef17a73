"""The newest runs of a workflow against its steps, and the times of a run's steps, over the API."""

import pytest

from mainspring import App, InvalidInputError, NotFoundError, RetryPolicy
from mainspring.testing import Kit

app = App("grid")


@app.job
def first(good: bool) -> bool:
    return good


@app.job(retry=RetryPolicy(attempts=1))
def second(good: bool) -> str:
    if not good:
        raise ValueError("not good")
    return "done"


@app.workflow
def chain(good: bool) -> str:
    return second.step(first.step(good))


def test_a_grid_has_a_column_for_each_run_the_newest_first() -> None:
    with Kit(app) as kit:
        for good in (True, False):
            kit.sync_client.enqueue("chain", {"good": good})
            kit.drain_sync()
        grid = kit.sync_client.workflows.grid("chain")

        assert grid.steps == ["first", "second"]
        assert [(run.state, run.cells) for run in grid.runs] == [("failed", "sf"), ("succeeded", "ss")]
        assert len(kit.sync_client.workflows.grid("chain", limit=1).runs) == 1
        with pytest.raises(NotFoundError):
            kit.sync_client.workflows.grid("first")


def test_steps_say_when_they_began_and_ended_if_they_are_asked() -> None:
    with Kit(app) as kit:
        run = kit.sync_client.enqueue("chain", {"good": True})
        kit.drain_sync()
        plain = kit.sync_client.workflows.steps(run.id).runs
        timed = kit.sync_client.workflows.steps(run.id, times=True).runs

        assert [one.state for one in plain] == [None, None]
        assert [one.state for one in timed] == ["succeeded", "succeeded"]
        assert all(one.started_at is not None and one.finished_at is not None for one in timed)
        with pytest.raises(InvalidInputError, match="at most 200 with times"):
            kit.sync_client.workflows.steps(run.id, limit=201, times=True)


async def test_both_clients_list_runs_by_the_step_that_failed() -> None:
    with Kit(app) as kit:
        runs = [kit.sync_client.enqueue("chain", {"good": good}) for good in (True, False)]
        kit.drain_sync()
        bad = [runs[1].id]

        assert [run.id for run in kit.sync_client.workflows.runs("chain", failed_step="second").runs] == bad
        assert [run.id for run in (await kit.client.workflows.runs("chain", failed_step="second")).runs] == bad
        assert [run.id for run in kit.sync_client.workflows.runs("chain", states=["failed"]).runs] == bad
        assert kit.sync_client.workflows.runs("chain", waiting_for="approval").runs == []
        with pytest.raises(InvalidInputError, match="failed_step"):
            kit.sync_client.workflows.runs("chain", failed_stp="second")  # type: ignore[call-arg]
