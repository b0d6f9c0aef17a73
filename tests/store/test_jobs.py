"""Job definitions and lines: one number each, whichever server registers them, and however many at once."""

import asyncio
from datetime import timedelta

import msgspec

from mainspring.domain.jobs.job import RetryPolicy
from mainspring.domain.queues.line import Line
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, job_spec, new_run


async def test_registered_jobs_come_back_with_ids_in_the_order_given(store: Store) -> None:
    specs = [job_spec("b"), job_spec("a"), job_spec("c")]
    jobs = await store.jobs.register(NAMESPACE, specs, now=START)

    assert [job.spec for job in jobs] == specs
    assert len({job.id for job in jobs}) == 3
    assert sorted(job.id for job in await store.jobs.all()) == sorted(job.id for job in jobs)


async def test_registering_again_updates_the_definition_and_keeps_the_id(store: Store) -> None:
    (before,) = await store.jobs.register(NAMESPACE, [job_spec()], now=START)
    changed = msgspec.structs.replace(job_spec(), schema=b'{"type":"object"}', retry=RetryPolicy(attempts=5))
    (after,) = await store.jobs.register(NAMESPACE, [changed], now=START + timedelta(seconds=1))

    assert (after.id, after.spec) == (before.id, changed)
    assert await store.jobs.all() == [after]


async def test_two_namespaces_may_use_one_name(store: Store) -> None:
    (mine,) = await store.jobs.register("mine", [job_spec()], now=START)
    (theirs,) = await store.jobs.register("theirs", [job_spec()], now=START)

    assert mine.id != theirs.id
    assert {job.namespace for job in await store.jobs.all()} == {"mine", "theirs"}


async def test_registering_nothing_is_no_error(store: Store) -> None:
    assert await store.jobs.register(NAMESPACE, [], now=START) == []
    assert await store.jobs.lines([]) == []


async def test_a_line_has_the_same_number_whenever_it_is_asked_for(store: Store) -> None:
    lines = [Line("a", "q", "h"), Line("a", "q", "h", "executor-1"), Line("b", "q", "h")]
    numbers = await store.jobs.lines(lines)

    assert len(set(numbers)) == 3
    assert await store.jobs.lines([lines[2], lines[0], lines[2]]) == [numbers[2], numbers[0], numbers[2]]
    assert await store.jobs.all_lines() == dict(zip(numbers, lines, strict=True))


async def test_what_is_queued_in_a_line_that_is_no_more_goes_into_another(store: Store) -> None:
    (job,) = await store.jobs.register(NAMESPACE, [job_spec()], now=START)
    (line,) = await store.jobs.lines([Line(NAMESPACE, "default", "report")])
    lost, later = line + 100, START + timedelta(seconds=10)
    run = msgspec.structs.replace(new_run(1, lost, due_at=later), job=job.id)
    await store.runs.create(NAMESPACE, [run], now=START)
    await store.jobs.move_queued(lost, line)

    assert await store.runs.next_due([line], after=START) == later
    assert await store.runs.next_due([lost], after=START) is None


async def test_lines_registered_by_many_at_once_get_one_number_each(store: Store) -> None:
    lines = [Line(NAMESPACE, f"queue-{number}", "report") for number in range(5)]
    answers = await asyncio.gather(*(store.jobs.lines(lines if turn % 2 else lines[::-1]) for turn in range(10)))

    assert {tuple(sorted(numbers)) for numbers in answers} == {tuple(sorted(answers[0]))}
    assert len(await store.jobs.all_lines()) == 5


async def test_jobs_registered_by_many_at_once_get_one_id_each(store: Store) -> None:
    specs = [job_spec(f"job-{number}") for number in range(5)]
    answers = await asyncio.gather(
        *(store.jobs.register(NAMESPACE, specs if turn % 2 else specs[::-1], now=START) for turn in range(10))
    )

    assert {frozenset((job.name, job.id) for job in jobs) for jobs in answers} == {
        frozenset((job.name, job.id) for job in await store.jobs.all())
    }
