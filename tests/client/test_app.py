"""An app from its user's side: define, call, enqueue, wait."""

import asyncio
from datetime import timedelta

import pytest

from mainspring import App, ConflictError, InvalidInputError, NotFoundError, RunFailedError
from tests.client.conftest import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_job_is_still_the_function_it_was(shop: Shop) -> None:
    assert await shop.greet("Anna") == "hello Anna"
    assert shop.add(1, right=2) == 3
    assert shop.add.name == "add"
    assert repr(shop.add) == "<job 'add' of 'tests'>"


async def test_an_enqueued_job_runs_and_its_result_comes_back(shop: Shop) -> None:
    handle = await shop.greet.enqueue(name="Bert", times=2)

    assert await handle.result(timeout=10) == "hello Berthello Bert"
    assert (await handle.get()).state == "succeeded"


async def test_plain_code_has_the_same_calls(shop: Shop) -> None:
    def plain() -> object:
        return shop.add.enqueue_sync(left=20, right=22).result(timeout=10)

    assert await asyncio.to_thread(plain) == 42


async def test_many_are_enqueued_in_one_call(shop: Shop) -> None:
    handles = await shop.app.enqueue_many(shop.add.call(left=n, right=n) for n in range(10))
    many = await asyncio.to_thread(shop.app.enqueue_many_sync, [shop.greet.call(name="x")])

    assert [await handle.result(timeout=10) for handle in handles] == [n + n for n in range(10)]
    assert len(many) == 1


async def test_a_failed_run_raises_what_went_wrong(shop: Shop) -> None:
    handle = await shop.fail.enqueue()
    with pytest.raises(RunFailedError, match="ValueError: no luck") as failed:
        await handle.result(timeout=10)
    attempts = await shop.app.client.attempts(handle.id)

    assert (failed.value.run, failed.value.state) == (handle.id, "failed")
    assert [(attempt.number, attempt.outcome) for attempt in attempts] == [(1, "failed"), (2, "failed")]
    assert attempts[0].error is not None
    assert "raise ValueError" in attempts[0].error.traceback


async def test_options_change_only_the_runs_enqueued_through_them(shop: Shop) -> None:
    chosen = shop.never.options(priority=9, queue="other").options(delay=timedelta(minutes=5))
    run = await (await chosen.enqueue()).get()
    usual = await (await shop.never.enqueue()).get()

    assert (run.priority, run.queue) == (9, "other")
    assert timedelta(minutes=4.9) < run.due_at - run.created_at < timedelta(minutes=5.1)
    assert (usual.priority, usual.queue) == (5, "nobody")


async def test_a_key_names_one_run(shop: Shop) -> None:
    keyed = shop.greet.options(key="only-once")
    first, second = await keyed.enqueue(name="Cleo"), await keyed.enqueue(name="Cleo")

    assert (first.existing, second.existing, second.id) == (False, True, first.id)
    with pytest.raises(ConflictError) as conflict:
        await keyed.enqueue(name="Dora")
    assert (conflict.value.kind, conflict.value.key) == ("key", "only-once")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [({}, "input"), ({"name": 7}, "input.name"), ({"name": "x", "age": 1}, "input"), ({"name": object()}, "input")],
)
async def test_arguments_are_checked_before_anything_is_sent(arguments: dict[str, object], field: str) -> None:
    app = App("offline")

    @app.job
    async def greet(name: str) -> None: ...

    with pytest.raises(InvalidInputError) as refused:
        greet.call(**arguments)
    assert refused.value.field == field


async def test_waiting_for_a_run_that_nobody_takes_times_out(shop: Shop) -> None:
    handle = await shop.never.enqueue()

    with pytest.raises(TimeoutError, match=f"run {handle.id} is still waiting"):
        await handle.result(timeout=0.01)


async def test_the_server_s_errors_come_back_as_ours(shop: Shop) -> None:
    with pytest.raises(NotFoundError, match="unknown job 'nope'") as missing:
        await shop.app.client.enqueue("nope")
    with pytest.raises(InvalidInputError) as bad:
        await shop.app.client.enqueue("greet", {"name": "x"}, priority=99)

    assert (missing.value.kind, missing.value.key, missing.value.code) == ("job", "nope", "unknown_job")
    assert (bad.value.field, bad.value.code) == ("priority", "bad_priority")


async def test_the_handlers_of_an_app_are_what_executors_advertise(shop: Shop) -> None:
    specs = {handler.name: handler.spec for handler in shop.app}

    assert (specs["add"].queue, specs["add"].priority) == ("slow", 2)
    assert specs["fail"].retry.attempts == 2
    assert set(specs) == {"greet", "add", "fail", "never-taken"}
