"""Batches, used as a user would: from an app, in tests with the kit."""

import asyncio
from collections.abc import Iterator

import pytest

from mainspring import App, BatchEnd, ConflictError, InvalidInputError, Middleware, NotFoundError
from mainspring.client.transport.requests import Enqueue, new_enqueue
from mainspring.testing import Kit

app = App("billing")
ended: list[tuple[BatchEnd, int]] = []
broken: set[int] = set()


@app.job
def bill(customer: int) -> int:
    if customer in broken:
        raise ValueError("no address")
    return customer


@app.job
def report(batch: BatchEnd, month: int) -> None:
    ended.append((batch, month))


@pytest.fixture
def kit() -> Iterator[Kit]:
    ended.clear()
    broken.clear()
    with Kit(app) as made:
        yield made


def test_a_batch_is_counted_waited_for_and_reported(kit: Kit) -> None:
    batch = app.batch_sync("november", [bill.call(n) for n in range(5)], on_success=(report, {"month": 11}))
    before = batch.info()
    kit.drain_sync()
    found = batch.info()

    assert (before.state, before.size, before.unfinished, before.progress) == ("running", 5, 5, 0.0)
    assert (found.state, found.succeeded, found.progress, found.on_success) == ("succeeded", 5, 1.0, "report")
    [(end, month)] = ended
    assert (end.id, end.name, end.state, end.size, month) == (batch.id, "november", "succeeded", 5, 11)


def test_runs_are_added_until_the_end_of_the_with(kit: Kit) -> None:
    with app.batch_sync("november") as batch:
        first = batch.add(bill.call(n) for n in range(2))
        kit.drain_sync()
        amid = batch.info()
        batch.add([bill.call(2)])
    kit.drain_sync()

    assert len(first) == 2
    assert (amid.state, amid.size, amid.unfinished) == ("open", 2, 0)
    assert (batch.info().state, batch.info().size) == ("succeeded", 3)


def test_an_error_in_the_with_cancels_the_batch(kit: Kit) -> None:
    batch = app.batch_sync("november")
    batch.add([bill.options(delay=60).call(1)])
    with pytest.raises(ZeroDivisionError), batch:
        raise ZeroDivisionError
    kit.drain_sync()

    assert (batch.info().state, batch.info().cancelled) == ("cancelled", 1)


def test_what_failed_is_retried_and_nothing_else(kit: Kit) -> None:
    broken.update({1, 3})
    batch = app.batch_sync("november", [bill.call(n) for n in range(5)])
    kit.drain_sync()
    failed = batch.info()
    numbers = [one.item for one in app.sync_client.batches.runs(batch.id, failed=True).runs]
    broken.clear()
    dry = app.sync_client.batches.retry(batch.id, dry_run=True)
    retried = batch.retry("addresses are there")
    kit.drain_sync()

    assert (failed.state, failed.failed, numbers) == ("failed", 2, [1, 3])
    assert (dry.runs, dry.dry_run, retried) == (2, True, 2)
    assert (batch.info().state, batch.info().succeeded) == ("succeeded", 5)
    attempts = [run.attempt for run in app.sync_client.list(job="bill", limit=10).runs]
    assert sorted(attempts) == [1, 1, 1, 2, 2]


async def test_the_same_from_asyncio() -> None:
    ended.clear()
    with Kit(app) as kit:
        async with await app.batch("november", finally_=(report, {"month": 11})) as batch:
            await batch.add([bill.call(1)])
        waiting = asyncio.create_task(batch.wait(timeout=5))
        await kit.drain()

        assert (await waiting).state == "succeeded"
        assert len(ended) == 1


def test_bad_input_is_refused_with_code_and_field(kit: Kit) -> None:
    batches = app.sync_client.batches
    batch = app.batch_sync("november", [bill.call(1)])
    with pytest.raises(ConflictError) as taken:
        app.batch_sync("november")
    with pytest.raises(ConflictError) as closed:
        batch.add([bill.call(2)])
    with pytest.raises(InvalidInputError) as unknown:
        batches.create("december", on_success={"job": "reprot"})
    with pytest.raises(InvalidInputError) as missing:
        batches.create("december", on_success={"job": "report"})
    with pytest.raises(InvalidInputError) as wrong:
        batches.create("december", on_success={"job": "report", "input": {"month": "eleven"}})
    with pytest.raises(NotFoundError):
        batches.create("december", [new_enqueue("billl")])
    with pytest.raises(InvalidInputError) as keyed:
        batches.create("december", [bill.options(key="k").call(1)])
    with pytest.raises(ConflictError) as nothing:
        batch.retry()
    kit.drain_sync()
    with pytest.raises(ConflictError) as over:
        batch.cancel()
    with pytest.raises(NotFoundError):
        batches.get("0190b5c0-0000-7000-8000-000000000000")

    assert taken.value.code == "name_taken"
    assert closed.value.code == "batch_closed"
    assert (unknown.value.code, unknown.value.field) == ("unknown_job", "on_success.job")
    assert (missing.value.code, missing.value.field) == ("bad_mapping", "on_success.mapping")
    assert wrong.value.field.startswith("on_success.")
    assert keyed.value.field == "runs[0].key"
    assert nothing.value.code == "nothing_failed"
    assert over.value.code == "batch_over"
    assert [one.name for one in batches.list().batches] == ["november"]


def test_middleware_sees_the_runs_of_a_batch() -> None:
    shop = App("shop")
    seen: list[str] = []

    @shop.job
    def pack(order: int) -> None: ...

    class Notes(Middleware):
        def before_enqueue(self, wanted: Enqueue) -> Enqueue:
            seen.append(wanted.job)
            return wanted

    shop.use(Notes())
    with Kit(shop):
        shop.batch_sync("orders", [pack.call(1), pack.call(2)])

    assert seen == ["pack", "pack"]
