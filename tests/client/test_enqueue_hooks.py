"""Middleware on the side that enqueues: what it may change, when it is asked, and what it costs to leave out."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest

from mainspring import App, AsyncClient, Client, ConfigError, InvalidInputError, Middleware
from mainspring.app.middleware import EnqueueHooks
from mainspring.client import Enqueue, RunHandle, SyncRunHandle
from tests.client.conftest import TOKEN

pytestmark = pytest.mark.asyncio(loop_scope="module")

Handle = RunHandle[object] | SyncRunHandle[object]


class Labels(Middleware):
    def __init__(self, name: str, trace: list[str]) -> None:
        self._name = name
        self._trace = trace

    def before_enqueue(self, wanted: Enqueue) -> Enqueue:
        self._trace.append(f"before {self._name}")
        return wanted.replace(labels={**wanted.labels, self._name: "yes"})

    def after_enqueue(self, wanted: Enqueue, handle: Handle) -> None:
        assert wanted.labels[self._name] == "yes"
        self._trace.append(f"after {self._name} {handle.id}")


class Tags(Middleware):
    async def before_enqueue(self, wanted: Enqueue) -> Enqueue:
        await asyncio.sleep(0)
        return wanted.replace(tags=[*wanted.tags, "late"], priority=9)

    async def after_enqueue(self, wanted: Enqueue, handle: Handle) -> None:
        await asyncio.sleep(0)


@pytest.fixture
def app(url: str) -> Iterator[App]:
    made = App("hooked", client=AsyncClient(url, token=TOKEN), sync_client=Client(url, token=TOKEN))
    yield made
    made.sync_client.close()


async def test_hooks_change_what_is_asked_for_and_hear_that_it_is_durable(app: App, shop: object) -> None:
    trace: list[str] = []
    app.use(Labels("one", trace))
    app.use(Labels("two", trace))
    app.use(Tags())

    @app.job
    async def greet(name: str, times: int = 1) -> str:
        return name * times

    handle = await greet.options(labels={"own": "too"}, tags=["early"]).enqueue("x")
    run = await handle.get()
    await app.client.close()

    assert run.labels == {"own": "too", "one": "yes", "two": "yes"}
    assert (sorted(run.tags), run.priority) == (["early", "late"], 9)
    assert trace == ["before one", "before two", f"after two {handle.id}", f"after one {handle.id}"]


async def test_plain_code_and_many_at_once_pass_the_same_hooks(app: App, shop: object) -> None:
    trace: list[str] = []
    app.use(Labels("one", trace))

    @app.job
    async def greet(name: str, times: int = 1) -> str:
        return name * times

    single = await asyncio.to_thread(greet.enqueue_sync, "x")
    many = await asyncio.to_thread(app.enqueue_many_sync, [greet.call("y"), greet.call("z")])
    more = await app.enqueue_many([greet.call("y")])
    ids = [single.id, *(handle.id for handle in many), *(handle.id for handle in more)]
    runs = [await app.client.get(each) for each in ids]
    await app.client.close()

    assert [run.labels for run in runs] == [{"one": "yes"}] * 4
    assert [line.split()[0] for line in trace] == [
        "before",
        "after",
        *["before"] * 2,
        *["after"] * 2,
        "before",
        "after",
    ]


async def test_what_a_hook_raises_reaches_the_caller_and_nothing_is_enqueued(app: App) -> None:
    class Refusing(Middleware):
        def before_enqueue(self, wanted: Enqueue) -> Enqueue:
            raise InvalidInputError("input", "not today")

    app.use(Refusing())

    @app.job
    async def greet(name: str) -> str:
        return name

    with pytest.raises(InvalidInputError, match="not today"):
        await greet.enqueue("x")
    with pytest.raises(InvalidInputError, match="not today"):
        await app.enqueue_many([greet.call("x")])


async def test_async_hooks_are_refused_where_nothing_can_await_them(app: App) -> None:
    app.use(Tags())

    @app.job
    def greet(name: str) -> str:
        return name

    with pytest.raises(ConfigError, match=r"Tags.before_enqueue is async, so enqueue_sync cannot wait for it"):
        greet.enqueue_sync("x")


async def test_a_hook_that_returns_no_run_is_named(app: App) -> None:
    class Forgetful(Middleware):
        def before_enqueue(self, wanted: Enqueue) -> Enqueue:
            return None  # type: ignore[return-value]

    app.use(Forgetful())

    @app.job
    def greet(name: str) -> str:
        return name

    with pytest.raises(ConfigError, match=r"Forgetful.before_enqueue has to return the run to ask for, not NoneType"):
        greet.enqueue_sync("x")


async def test_only_what_is_overridden_is_called() -> None:
    hooks = EnqueueHooks()
    hooks.add(Middleware())
    wanted = Enqueue(job="x")

    assert await hooks.before(wanted) is wanted
    assert hooks.before_sync(wanted) is wanted
    assert not hooks


async def test_an_option_replaces_the_other_way_of_saying_it() -> None:
    wanted = Enqueue(job="x", delay=5.0, queue="q")

    replaced = wanted.replace(deadline=timedelta(minutes=1), delay=timedelta(seconds=2), tags=["t"])

    assert (replaced.delay, replaced.due_at, replaced.deadline_in, replaced.tags) == (2.0, None, 60.0, ("t",))
    assert (replaced.queue, replaced.job) == ("q", "x")
