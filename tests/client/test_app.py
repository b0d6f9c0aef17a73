"""An app from its user's side: define, call, enqueue, wait."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import msgspec
import pytest

from mainspring import (
    App,
    ConfigError,
    ConflictError,
    Context,
    InvalidInputError,
    Job,
    JobHandle,
    NotFoundError,
    Pool,
    RunFailedError,
)
from mainspring.client import Enqueue
from tests.client.conftest import Basket, Carrier, Order, OrderLine, Receipt, Shop
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_job_is_still_the_function_it_was(shop: Shop) -> None:
    assert await shop.greet("Anna") == "hello Anna"
    assert shop.add(1, right=2) == 3
    assert shop.add.name == "add"
    assert repr(shop.add) == "<job 'add' of 'tests'>"


async def test_an_enqueued_job_runs_and_its_result_comes_back(shop: Shop) -> None:
    handle = await shop.greet.enqueue(name="Bert", times=2)

    assert await handle.result(timeout=HANG) == "hello Berthello Bert"
    assert (await handle.get()).state == "succeeded"


async def test_plain_code_has_the_same_calls(shop: Shop) -> None:
    def plain() -> object:
        return shop.add.enqueue_sync(left=20, right=22).result(timeout=HANG)

    assert await asyncio.to_thread(plain) == 42


async def test_arguments_and_results_are_of_the_types_that_the_function_names(shop: Shop) -> None:
    order = Order(7, [OrderLine("a", 2), OrderLine("b", 3)])
    receipt = await (await shop.ship.enqueue(order, by=Carrier.AIR)).result(timeout=HANG)
    basket = await (await shop.discount.enqueue(Basket(total=Decimal("9.90")))).result(timeout=HANG)
    (many,) = await shop.app.enqueue_many([shop.ship.call(order)])
    plain = await asyncio.to_thread(lambda: shop.ship.enqueue_sync(order).result(timeout=HANG))

    assert receipt == Receipt(7, 5, Carrier.AIR)
    assert basket == Basket(total=Decimal("4.95"))
    assert await many.result(timeout=HANG) == plain == Receipt(7, 5, Carrier.ROAD)


async def test_the_server_checks_what_comes_from_elsewhere_by_the_same_types(shop: Shop) -> None:
    lines = [{"sku": "a", "quantity": 1}, {"sku": "b", "quantity": 1}, {"sku": "c", "quantity": "many"}]
    with pytest.raises(InvalidInputError) as refused:
        await shop.app.client.enqueue("ship", {"order": {"number": 7, "lines": lines}})
    with pytest.raises(InvalidInputError) as model:
        await shop.app.client.enqueue("discount", {"basket": {"total": []}})

    assert (refused.value.field, refused.value.code) == ("input.order.lines[2].quantity", "bad_arguments")
    assert model.value.field == "input.basket.total"


async def test_a_class_is_enqueued_like_a_function(shop: Shop) -> None:
    handle = await shop.announce.enqueue(what="sale")
    positional = await asyncio.to_thread(lambda: shop.announce.enqueue_sync("sale").result(timeout=HANG))
    later = await shop.announce.handle.options(delay=60).enqueue(what="sale")

    assert await handle.result(timeout=HANG) == positional == "sale! (Announce)"
    assert (await later.get()).state == "queued"
    assert shop.announce(voice="?")._voice == "?"


async def test_a_handle_waits_and_knows_whether_its_run_exists(shop: Shop) -> None:
    handle = await shop.fail.enqueue()
    ended = await handle.wait(timeout=HANG)
    nowhere = type(handle)(shop.app.client, "01900000-0000-7000-8000-000000000000")
    plain = await asyncio.to_thread(shop.greet.enqueue_sync, "x")

    assert (ended.id, ended.state, await handle.exists()) == (handle.id, "failed", True)
    assert not await nowhere.exists()
    assert (await asyncio.to_thread(plain.wait, HANG)).state == "succeeded"
    assert await asyncio.to_thread(plain.exists)


async def test_many_are_enqueued_in_one_call(shop: Shop) -> None:
    handles = await shop.app.enqueue_many(shop.add.call(left=n, right=n) for n in range(10))
    many = await asyncio.to_thread(shop.app.enqueue_many_sync, [shop.greet.call(name="x")])

    assert [await handle.result(timeout=HANG) for handle in handles] == [n + n for n in range(10)]
    assert len(many) == 1


async def test_a_failed_run_raises_what_went_wrong(shop: Shop) -> None:
    handle = await shop.fail.enqueue()
    with pytest.raises(RunFailedError, match="ValueError: no luck") as failed:
        await handle.result(timeout=HANG)
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
    ("args", "kwargs", "words"),
    [
        ((1, 2, 3), {}, "input: add takes 2 arguments by position, and 3 were passed"),
        ((1,), {"left": 2}, "input: 'left' was passed twice"),
        ((1, 2), {"ctx": None}, "input: 'ctx' is filled in by the executor: leave it out"),
        ((1,), {}, "input: Object missing required field `right`"),
        (("1", 2), {}, "input.left: Expected `int`, got `str`"),
    ],
)
async def test_a_call_that_the_function_could_not_take_is_refused_in_one_line(
    args: tuple[object, ...], kwargs: dict[str, object], words: str
) -> None:
    app = App("offline")

    @app.job
    def add(left: int, ctx: Context, right: int, *, note: str = "") -> int:
        return left + right

    call: Callable[..., Enqueue] = add.call
    with pytest.raises(InvalidInputError) as refused:
        call(*args, **kwargs)
    assert str(refused.value).startswith(words)
    assert call(1, 2, note="n").input == msgspec.Raw(b'{"left":1,"right":2,"note":"n"}')


async def test_a_function_may_be_a_job_of_two_apps() -> None:
    one, other = App("one"), App("other")

    @one.job
    @other.job(name="again")
    async def greet(name: str) -> str:
        return f"hello {name}"

    assert await greet("Anna") == "hello Anna"
    assert [handler.pool for app in (one, other) for handler in app] == [Pool.LOOP] * 2
    assert (greet.call("x").job, [handler.name for handler in other]) == ("greet", ["again"])


async def test_a_class_has_all_that_a_handle_has() -> None:
    app = App("one")

    @app.job
    class Mail(Job):
        def run(self, to: str) -> None: ...

    public = [name for name in vars(JobHandle) if not name.startswith("_") and name != "name"]

    assert {name: getattr(Mail, name) for name in public} == {name: getattr(Mail.handle, name) for name in public}
    assert Mail.options(priority=9).call("anna") == Mail.call(to="anna").replace(priority=9)


async def test_classes_that_are_no_jobs_say_what_to_do() -> None:
    app, other = App("one"), App("other")

    class Plain:
        def run(self) -> None: ...

    class Unadded(Job):
        def run(self) -> None: ...

    class Sub(Unadded):
        pass

    with pytest.raises(ConfigError, match=r"Plain: a job is a function, or a class derived from Job"):
        app.add(Plain)
    with pytest.raises(ConfigError, match=r"Unadded is no job of any app: put @app.job above it, or call app.add"):
        await Unadded.enqueue()
    app.add(Unadded)
    with pytest.raises(ConfigError, match=r"Sub is no job of any app"):
        await Sub.enqueue()
    handle = other.add(Unadded, name="second", queue="q")
    with pytest.raises(ConfigError, match=r"Unadded is <job 'Unadded' of 'one'> and <job 'second' of 'other'>"):
        await Unadded.enqueue()
    assert (handle.name, handle.call().job) == ("second", "second")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [({}, "input"), ({"name": 7}, "input.name"), ({"name": "x", "age": 1}, "input"), ({"name": object()}, "input")],
)
async def test_arguments_are_checked_before_anything_is_sent(arguments: dict[str, object], field: str) -> None:
    app = App("offline")

    @app.job
    async def greet(name: str) -> None: ...

    call: Callable[..., Enqueue] = greet.call
    with pytest.raises(InvalidInputError) as refused:
        call(**arguments)
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
    assert {"greet", "add", "fail", "never-taken", "ship", "discount", "Announce"} <= set(specs)
    assert (specs["Announce"].queue, specs["Announce"].priority, specs["Announce"].retry.attempts) == ("slow", 7, 3)
