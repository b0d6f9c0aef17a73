"""A list is exactly what its filter says, in order, page by page, however little is looked at for one page."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.ids import RunId, id_text, ids_from
from mainspring.domain.runs.attempt import Decision
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import RunFilter, RunMatches, Store
from mainspring.store.paging import Effort
from mainspring.store.postgres.hot.runs import PostgresRuns
from mainspring.store.sqlite.hot.runs import SqliteRuns
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, new_run
from tests.store.population import Population, questions
from tests.store.scene import Scene

AMPLE = Effort()
BY_INDEX = Effort(glance=1, glance_pages=0, rounds=(2, 1000))
"""The first look is too short for anything, so all is found by index."""
SCANTY = Effort(glance=1, glance_pages=0, look=7, steps=1, held=1, rounds=(), count=2)
"""Too little for most pages: they are short, and the next ones carry on."""


def set_effort(store: Store, effort: Effort) -> None:
    assert isinstance(store.runs, SqliteRuns | PostgresRuns)
    store.runs.effort = effort


async def pages_of(store: Store, query: RunFilter) -> list[RunMatches]:
    pages = [await store.runs.list(query)]
    while (after := pages[-1].next) is not None:
        pages.append(await store.runs.list(msgspec.structs.replace(query, after=after)))
        assert pages[-1].next != after, "a page that gets nowhere"
    return pages


async def listed(store: Store, query: RunFilter) -> list[RunId]:
    return [run.id for page in await pages_of(store, query) for run in page.runs]


@pytest.mark.parametrize("effort", [AMPLE, BY_INDEX, SCANTY], ids=["ample", "by index", "scanty"])
async def test_every_filter_finds_exactly_what_matches_in_either_order(
    store: Store, effort: Effort, database: str
) -> None:
    population = Population(store)
    await population.settle_in()
    set_effort(store, effort)
    # A pooler in between makes no difference but in time, so it gets some of the questions.
    some = slice(None, None, 9 if database == "pgbouncer" else 1)

    for query in list(questions())[some]:
        for oldest_first in (False, True):
            asked = msgspec.structs.replace(query, oldest_first=oldest_first, limit=5)
            assert await listed(store, asked) == population.expected(asked), asked


@pytest.mark.parametrize("limit", [1, 5, 500])
async def test_the_last_runs_of_some_jobs_are_what_each_list_begins_with(store: Store, limit: int) -> None:
    population = Population(store)
    await population.settle_in()
    jobs = [*sorted({query.job for query in questions() if query.job is not None}), "unknown"]
    queries = [RunFilter(namespace=NAMESPACE, job=job, limit=limit) for job in jobs]

    found = await store.runs.last_of(NAMESPACE, jobs, limit=limit)

    assert [[run.id for run in runs] for runs in found] == [population.expected(query)[:limit] for query in queries]
    assert any(found)
    assert await store.runs.last_of("nowhere", jobs[:1], limit=limit) == [[]]


async def test_pages_are_full_as_long_as_there_is_enough(store: Store) -> None:
    population = Population(store)
    await population.settle_in()
    query = RunFilter(namespace=NAMESPACE, states=(RunState.SUCCEEDED,), limit=4)
    assert len(population.expected(query)) == 12

    pages = await pages_of(store, query)
    assert [len(page.runs) for page in pages] == [4, 4, 4]
    assert pages[-1].next is None


async def test_a_page_that_ends_where_the_runs_do_has_no_next(scene: Scene) -> None:
    await scene.add(4)

    assert (await scene.store.runs.list(RunFilter(namespace=NAMESPACE, limit=4))).next is None
    assert (await scene.store.runs.list(RunFilter(namespace=NAMESPACE, limit=3))).next is not None


async def test_an_empty_list_is_one_empty_page(scene: Scene) -> None:
    assert await scene.store.runs.list(RunFilter(namespace=NAMESPACE)) == RunMatches([])


async def test_a_run_that_ended_days_after_its_creation_keeps_its_place(scene: Scene) -> None:
    first, second, third = await scene.started(3)
    await scene.succeed([second], now=START + timedelta(hours=1))
    await scene.succeed([first], now=START + timedelta(days=3))
    await scene.succeed([third], now=START + timedelta(days=1))
    set_effort(scene.store, BY_INDEX)
    query = RunFilter(namespace=NAMESPACE, states=(RunState.SUCCEEDED,), limit=1)

    assert await listed(scene.store, query) == [third[0], second[0], first[0]]
    oldest = msgspec.structs.replace(query, oldest_first=True)
    assert await listed(scene.store, oldest) == [first[0], second[0], third[0]]


async def test_a_list_leaves_bodies_out_unless_asked_for(scene: Scene) -> None:
    small, large = new_run(scene.job.id, scene.line), new_run(scene.job.id, scene.line, input=b'"%s"' % (b"x" * 70_000))
    await scene.store.runs.create(NAMESPACE, [small, large], now=START)
    pairs = dict(await scene.claimed(2))
    await scene.settle([ended(small.id, pairs[small.id])], Decision(RunState.FAILED, failures=1))

    bare = (await scene.store.runs.list(RunFilter(namespace=NAMESPACE))).runs
    assert [run.input for run in bare] == [None, None]
    assert bare[1].failure is not None
    assert (bare[1].failure.error, bare[1].failure.traceback) == ("ValueError", "")
    full = (await scene.store.runs.list(RunFilter(namespace=NAMESPACE, bodies=True))).runs
    assert [run.input for run in full] == [None, small.input]
    assert full[1].failure is not None
    assert full[1].failure.traceback == "line 1"
    assert (await scene.get(large.id)).input == large.input


async def test_an_old_day_may_be_dropped_between_two_pages(scene: Scene) -> None:
    runs = await scene.started(6)
    for at, pair in enumerate(runs):
        await scene.succeed([pair], now=START + timedelta(days=at))
    set_effort(scene.store, BY_INDEX)
    query = RunFilter(namespace=NAMESPACE, limit=2)

    page = await scene.store.runs.list(query)
    await scene.store.cluster.prune(before=START + timedelta(days=3))
    rest = await listed(scene.store, msgspec.structs.replace(query, after=page.next))
    assert [run.id for run in page.runs] + rest == [run for run, _ in runs[:2:-1]]


async def test_runs_are_found_by_the_beginning_of_their_ids_wherever_they_are(store: Store) -> None:
    population = Population(store)
    await population.settle_in()
    everyone = population.expected(RunFilter(namespace=NAMESPACE))
    set_effort(store, BY_INDEX)

    for run in everyone:
        found = await listed(store, RunFilter(namespace=NAMESPACE, ids=ids_from(id_text(run)[:23]), limit=2))
        assert found == [run]
    alike = [run for run in everyone if run[:4] == everyone[0][:4]]
    assert await listed(store, RunFilter(namespace=NAMESPACE, ids=ids_from(id_text(everyone[0])[:8]))) == alike
