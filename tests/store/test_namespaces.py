"""Namespaces: there is always the default one, and none goes away while it holds something."""

import pytest

from mainspring.domain.access.permissions import Namespace
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.pause import Pause
from mainspring.errors import ConflictError, NotFoundError
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests.factories import add_namespace, new_run, session
from tests.store.access_samples import acts, add, entry, token


async def delete(store: Store, name: str = "team") -> None:
    await store.access.delete_namespace(name, now=START, entry=entry("namespace.delete", key=name))


async def test_the_default_namespace_is_there_from_the_start(store: Store) -> None:
    assert await store.access.namespaces() == [Namespace(name="default")]


async def test_a_namespace_is_made_once_and_told_to_servers(store: Store) -> None:
    before = await store.access.changes(since=0)
    await add_namespace(store, "team")
    after = await store.access.changes(since=before.version)

    with pytest.raises(ConflictError, match="exists already"):
        await add_namespace(store, "team")
    assert after.namespaces == ["default", "team"]
    assert [each.name for each in await store.access.namespaces()] == ["default", "team"]
    assert await acts(store) == [("namespace.create", "team")]


async def test_an_empty_namespace_is_deleted(store: Store) -> None:
    await add_namespace(store, "team")
    await delete(store)

    assert [each.name for each in await store.access.namespaces()] == ["default"]
    assert await acts(store) == [("namespace.create", "team"), ("namespace.delete", "team")]
    with pytest.raises(NotFoundError, match="namespace 'team'"):
        await delete(store)


async def test_a_namespace_that_holds_something_stays(store: Store) -> None:
    await add_namespace(store, "team")
    await store.cluster.prepare_history(now=START, days=1)
    [line] = await store.jobs.lines([Line("team", "default", "report")])
    made = token(namespace="team")
    await add(store, made)
    with pytest.raises(ConflictError, match="holds tokens"):
        await delete(store)
    await store.access.revoke_token(made.id, now=START, entry=entry("token.revoke"))

    live = session(namespace="team")
    await store.cluster.open_session(live, now=START)
    with pytest.raises(ConflictError, match="holds executors"):
        await delete(store)
    await store.runs.create("team", [new_run(1, line)], now=START)
    await store.jobs.register("team", [JobSpec(name="report", handler="report")], now=START)
    with pytest.raises(ConflictError, match="holds jobs, runs, executors"):
        await delete(store)

    assert ("namespace.delete", "team") not in await acts(store)
    assert [each.name for each in await store.access.namespaces()] == ["default", "team"]


async def test_what_was_said_of_its_queues_goes_with_it(store: Store) -> None:
    await add_namespace(store, "team")
    said = entry("queue.pause", key="mail")
    await store.queues.pause("team", "mail", Pause(reason="", by="anna", since=START), entry=said)
    await store.queues.set_budget("team", "", 10, entry=said)
    await delete(store)

    assert await store.queues.rules() == []


async def test_the_breakers_of_a_namespace_go_with_it(store: Store) -> None:
    await add_namespace(store, "team")
    await store.breakers.ensure("team", "sms", now=START)
    await store.breakers.ensure("default", "sms", now=START)
    await delete(store)

    assert [breaker.namespace for breaker in await store.breakers.all()] == ["default"]
