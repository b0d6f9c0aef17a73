"""Requests become durable runs, or clear refusals."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import KeyHolder, NewRun, RunState
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError, UnavailableError
from mainspring.store.interface import RunFilter
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene

ALL = RunFilter(namespace=NAMESPACE)


async def test_requests_that_arrive_during_a_commit_share_the_next(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scene.attach(room=0)
    await scene.enqueue()
    sizes: list[int] = []
    create = scene.store.runs.create

    async def counted(namespace: str, runs: Sequence[NewRun], *, now: datetime) -> dict[RunId, KeyHolder]:
        sizes.append(len(runs))
        return await create(namespace, runs, now=now)

    monkeypatch.setattr(scene.store.runs, "create", counted)
    answers = await scene.committed(*(scene.scheduler.accept(NAMESPACE, [RunRequest(job="report")]) for _ in range(50)))

    accepted = [one[0].id for one in answers if not isinstance(one, BaseException)]
    assert len(set(accepted)) == 50
    assert len(await scene.store.runs.states(accepted)) == 50
    assert sizes == [1, 49]


async def test_the_same_key_gives_the_same_run(scene: Scene) -> None:
    await scene.attach()
    [first] = await scene.accept(RunRequest(job="report", key="order-1"))
    [again] = await scene.accept(RunRequest(job="report", key="order-1"))

    assert again.id == first.id
    assert (first.existing, again.existing) == (False, True)


async def test_a_key_used_with_another_payload_is_refused_and_leaves_its_neighbours_alone(scene: Scene) -> None:
    await scene.attach(room=0, handlers=["report", "mail"])
    [holder] = await scene.accept(RunRequest(job="report", key="order-1"))
    _, conflicting, neighbour = await scene.committed(
        scene.scheduler.accept(NAMESPACE, [RunRequest(job="report", key="order-0")]),
        scene.scheduler.accept(NAMESPACE, [RunRequest(job="mail", key="order-1"), RunRequest(job="mail")]),
        scene.scheduler.accept(NAMESPACE, [RunRequest(job="report", key="order-2")]),
    )

    assert isinstance(conflicting, ConflictError)
    assert "order-1" in str(conflicting)
    assert not isinstance(neighbour, BaseException)
    [accepted] = neighbour
    live = await scene.store.runs.states([holder.id, accepted.id])
    assert set(live.values()) == {RunState.QUEUED}
    page = await scene.scheduler.list(ALL)
    assert len(page.runs) == 3


async def test_an_unknown_job_is_refused_with_a_reason(scene: Scene) -> None:
    with pytest.raises(NotFoundError, match="no executor has registered it") as refusal:
        await scene.scheduler.accept(NAMESPACE, [RunRequest(job="nope")])
    assert refusal.value.code == "unknown_job"


async def test_a_job_of_another_namespace_is_unknown(scene: Scene) -> None:
    await scene.attach()
    with pytest.raises(NotFoundError):
        await scene.scheduler.accept("other", [RunRequest(job="report")])


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (RunRequest(job="report", priority=10), "bad_priority"),
        (RunRequest(job="report", priority=-1), "bad_priority"),
        (RunRequest(job="report", input=b"[1]"), "bad_input"),
        (RunRequest(job="report", input=b'{"a":'), "bad_input"),
        (RunRequest(job="report", input=b'{"a":"' + b"x" * 262_144 + b'"}'), "input_too_large"),
        (RunRequest(job="report", input=b'{"a":' + b"[" * 100 + b"]" * 100 + b"}"), "input_too_deep"),
        (RunRequest(job="report", key=""), "bad_key"),
        (RunRequest(job="report", key="a\x00b"), "bad_key"),
        (RunRequest(job="report", queue="x" * 101), "bad_queue"),
    ],
)
async def test_bad_requests_are_refused_by_code_and_field(scene: Scene, request_: RunRequest, code: str) -> None:
    await scene.attach()
    with pytest.raises(InvalidInputError) as refusal:
        await scene.scheduler.accept(NAMESPACE, [request_])
    assert refusal.value.code == code
    with pytest.raises(InvalidInputError) as refusal:
        await scene.scheduler.accept(NAMESPACE, [RunRequest(job="report"), request_])
    assert refusal.value.field.startswith("runs[1].")
    assert (await scene.scheduler.list(ALL)).runs == []


async def test_a_due_time_beyond_ten_years_is_refused(scene: Scene) -> None:
    await scene.attach()
    late = scene.clock.now() + timedelta(days=3700)
    with pytest.raises(InvalidInputError, match="10 years"):
        await scene.scheduler.accept(NAMESPACE, [RunRequest(job="report", due_at=late)])


async def test_a_draining_server_refuses_new_runs(scene: Scene) -> None:
    await scene.attach()
    await scene.scheduler._drain()

    with pytest.raises(UnavailableError, match="draining"):
        await scene.scheduler.accept(NAMESPACE, [RunRequest(job="report")])
    assert scene.scheduler.readiness().ready is False


async def test_a_held_key_gives_the_reserved_seat_back(scene: Scene) -> None:
    executor = await scene.attach(room=1)
    [first] = await scene.accept(RunRequest(job="report", key="k"))
    await scene.dispatch()
    await executor.settled(executor.report(await executor.link.expect(Start)))
    await scene.accept(RunRequest(job="report", key="k"))
    [fresh] = await scene.accept(RunRequest(job="report", key="other"))
    await scene.dispatch()

    assert (await executor.link.expect(Start)).runs == [fresh.id]
    assert first.id != fresh.id


async def test_a_server_that_is_reading_its_jobs_for_the_first_time_refuses_none(scene: Scene) -> None:
    await scene.attach()
    new = Scene(scene.store, scene.clock)
    reading = asyncio.create_task(new.scheduler.catalog.tick())
    await asyncio.sleep(0)
    [run] = await new.enqueue()
    await reading

    assert (await scene.run(run)).state is RunState.QUEUED
