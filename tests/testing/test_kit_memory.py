"""Checkpoints, steps, effects and suspension through the kit, used as a user would."""

import asyncio
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from mainspring import App, ConflictError, Context, RetryPolicy, Suspend
from mainspring.testing import Kit

ONCE_MORE = RetryPolicy(attempts=2, backoff=1)


@dataclass
class Receipt:
    order: int
    paid: bool


class Shop:
    """An app whose handlers write down what they do."""

    def __init__(self) -> None:
        self.app = App("shop")
        self.did: list[object] = []
        self.fails = 1
        self.going = threading.Event()

    def charge(self, order: int) -> Receipt:
        self.did.append(f"charge {order}")
        return Receipt(order, paid=True)

    async def ship(self, order: int) -> str:
        self.did.append(f"ship {order}")
        return f"parcel {order}"

    def stumble(self) -> None:
        self.fails -= 1
        if self.fails >= 0:
            raise ConnectionError("the line is down")


@pytest.fixture
def shop() -> Shop:
    return Shop()


def test_a_retry_goes_on_behind_the_steps(shop: Shop) -> None:
    @shop.app.job(retry=ONCE_MORE)
    async def handle(ctx: Context, order: int) -> str:
        receipt = await ctx.step("charge", shop.charge, order)
        shop.did.append(receipt)
        shop.stumble()
        return await ctx.step("ship", shop.ship, order=order)

    with Kit(shop.app) as kit:
        run = handle.enqueue_sync(order=7)
        kit.drain_sync()
        [over] = kit.advance_sync(10)
        memory = kit.sync_client.memory(run.id)

    assert (over.state, over.attempt, over.result) == ("succeeded", 2, "parcel 7")
    assert shop.did == ["charge 7", Receipt(7, paid=True), Receipt(7, paid=True), "ship 7"]
    assert [(one.name, one.result, one.attempt) for one in memory.steps] == [
        ("charge", {"order": 7, "paid": True}, 1),
        ("ship", "parcel 7", 2),
    ]


def test_a_plain_handler_has_steps_and_checkpoints_as_well(shop: Shop) -> None:
    @shop.app.job(retry=ONCE_MORE)
    def add_up(ctx: Context) -> int:
        begun = ctx.checkpointed_sync() or 0
        shop.did.append(begun)
        for number in range(begun, 5):
            if number == 3:
                shop.stumble()
            ctx.checkpoint(number + 1)
        return ctx.step_sync("sum", sum, [begun, 5])

    with Kit(shop.app) as kit:
        run = add_up.enqueue_sync()
        kit.drain_sync()
        [over] = kit.advance_sync(10)
        memory = kit.sync_client.memory(run.id)

    assert (over.result, shop.did) == (8, [0, 3])
    assert memory.checkpoint is not None


@pytest.mark.parametrize(
    ("code", "names"),
    [("step_repeated", ["a", "a"]), ("bad_step", [""]), ("bad_step", ["x" * 101]), ("bad_step", ["a\nb"])],
)
def test_a_name_that_cannot_be_is_refused(shop: Shop, code: str, names: list[str]) -> None:
    @shop.app.job
    async def handle(ctx: Context) -> None:
        for name in names:
            await ctx.step(name, shop.charge, 1)

    with Kit(shop.app) as kit:
        handle.enqueue_sync()
        [over] = kit.drain_sync()

    assert over.error is not None
    assert (over.state, over.error.error, over.error.code) == ("failed", "InvalidInputError", code)
    assert len(shop.did) == len(names) - 1


@pytest.mark.parametrize(
    ("state", "code"),
    [("x" * 65_536, "checkpoint_too_large"), (object(), "bad_checkpoint"), ({1j: 2}, "bad_checkpoint")],
)
def test_a_checkpoint_that_cannot_be_kept_is_refused(shop: Shop, state: object, code: str) -> None:
    @shop.app.job
    async def handle(ctx: Context) -> None:
        ctx.checkpoint("good")
        ctx.checkpoint(state)

    with Kit(shop.app) as kit:
        run = handle.enqueue_sync()
        [over] = kit.drain_sync()
        memory = kit.sync_client.memory(run.id)

    assert over.error is not None
    assert (over.state, over.error.code) == ("failed", code)
    assert memory.checkpoint is not None
    assert memory.checkpoint.state == "good"


def test_an_effect_is_first_unknown_or_done(shop: Shop) -> None:
    shop.fails = 2

    @shop.app.job(retry=RetryPolicy(attempts=4, backoff=1))
    async def mail(ctx: Context) -> str:
        async with ctx.effect("mail") as sending:
            shop.did.append(("first", "unknown", "done")[2 if sending.done else sending.unknown])
            shop.stumble()
            if not sending.done:
                sending.result = {"id": 7}
        if ctx.attempt == 3:
            raise ConnectionError("too late")
        return f"{sending.key == f'{ctx.run}:mail'} {sending.result}"

    with Kit(shop.app) as kit:
        run = mail.enqueue_sync()
        kit.drain_sync()
        [over] = kit.advance_sync(60)
        memory = kit.sync_client.memory(run.id)

    assert over.result == "True {'id': 7}"
    assert shop.did == ["first", "unknown", "unknown", "done"]
    assert [(one.name, one.done, one.attempt) for one in memory.effects] == [("mail", True, 3)]


def test_a_plain_handler_has_effects_as_well(shop: Shop) -> None:
    @shop.app.job(retry=ONCE_MORE)
    def mail(ctx: Context) -> None:
        with ctx.effect("mail") as sending:
            shop.did.append((sending.first, sending.unknown))
        shop.stumble()
        shop.did.append(sending.done)

    with Kit(shop.app) as kit:
        mail.enqueue_sync()
        kit.drain_sync()
        [over] = kit.advance_sync(10)

    assert over.state == "succeeded"
    assert shop.did == [(True, False), (False, False), True]


def test_an_async_handler_is_told_to_await(shop: Shop) -> None:
    @shop.app.job
    async def handle(ctx: Context) -> None:
        ctx.step_sync("charge", shop.charge, 1)

    with Kit(shop.app) as kit:
        handle.enqueue_sync()
        [over] = kit.drain_sync()

    assert over.error is not None
    assert (over.error.error, "await" in over.error.message) == ("ConfigError", True)


def test_a_handler_suspends_itself_until_an_instant(shop: Shop) -> None:
    @shop.app.job
    async def wait(ctx: Context) -> int:
        if await ctx.checkpointed() is None:
            ctx.checkpoint("asked")
            raise Suspend(until=kit.clock.now() + timedelta(hours=1), reason="the bank is closed")
        return ctx.attempt

    with Kit(shop.app) as kit:
        run = wait.enqueue_sync()
        assert kit.drain_sync() == []
        waits = kit.sync_client.get(run.id)
        assert kit.advance_sync(3599) == []
        [over] = kit.advance_sync(1)
        attempts = kit.sync_client.attempts(run.id)

    assert (waits.state, waits.reason, waits.failures, waits.losses) == ("waiting", "suspended", 0, 0)
    assert waits.suspension is not None
    assert waits.suspension.reason == "the bank is closed"
    assert (over.state, over.result) == ("succeeded", 2)
    assert [(one.outcome, one.error) for one in attempts] == [("suspended", None)]


async def test_a_running_run_yields_and_goes_on_behind_its_steps(shop: Shop) -> None:
    @shop.app.job
    def work(ctx: Context) -> int:
        ctx.step_sync("one", shop.did.append, "one")
        shop.going.set()
        for number in count(ctx.checkpointed_sync() or 0):
            if ctx.attempt > 1:
                return number
            ctx.checkpoint(number)
            ctx.step_sync(f"go on {number}", int)
        return -1

    with Kit(shop.app) as kit:
        run = await work.enqueue()
        draining = asyncio.create_task(kit.drain())
        await asyncio.to_thread(shop.going.wait, 10)
        told = await kit.client.suspend(run.id, reason="maintenance")
        assert await draining == []
        waits = await kit.client.get(run.id)
        memory = await kit.client.memory(run.id)
        again = await kit.client.resume(run.id)
        [over] = await kit.drain()

    assert (told.state, told.reason) == ("running", "suspending")
    assert (waits.state, waits.reason) == ("waiting", "suspended")
    assert waits.suspension is not None
    assert waits.suspension.reason == "maintenance"
    assert again.suspension is None
    assert memory.checkpoint is not None
    assert (over.result, shop.did) == (memory.checkpoint.state, ["one"])


async def test_an_async_handler_yields_between_two_steps(shop: Shop) -> None:
    asked = threading.Event()

    @shop.app.job
    async def work(ctx: Context) -> int:
        for number in range(1 if ctx.attempt == 2 else 900):
            await ctx.step(f"step {number}", shop.ship, number)
            shop.going.set()
            # However slow the caller is: there are steps left when it is heard.
            await asyncio.to_thread(asked.wait)
        await ctx.step("last", shop.ship, 1000)
        return ctx.attempt

    with Kit(shop.app) as kit:
        run = await work.enqueue()
        draining = asyncio.create_task(kit.drain())
        await asyncio.to_thread(shop.going.wait)
        await kit.client.suspend(run.id)
        asked.set()
        await draining
        did = list(shop.did)
        await kit.client.resume(run.id)
        [over] = await kit.drain()

    assert did == [f"ship {number}" for number in range(len(did))]
    assert 1 <= len(did) < 900
    assert (over.result, shop.did) == (2, [*did, "ship 1000"])


def test_a_queued_run_is_suspended_and_resumed(shop: Shop) -> None:
    @shop.app.job
    def work() -> None: ...

    with Kit(shop.app) as kit:
        run = work.enqueue_sync()
        kit.sync_client.suspend(run.id)
        assert kit.drain_sync() == []
        kit.sync_client.resume(run.id)
        [over] = kit.drain_sync()
        with pytest.raises(ConflictError) as finished:
            kit.sync_client.suspend(run.id)
        with pytest.raises(ConflictError) as not_suspended:
            kit.sync_client.resume(run.id)

    assert over.state == "succeeded"
    assert (finished.value.code, not_suspended.value.code) == ("run_final", "run_final")


def test_an_instant_needs_its_offset() -> None:
    with pytest.raises(ValueError, match="offset"):
        Suspend(until=datetime(2030, 1, 1))  # noqa: DTZ001 the point

    assert Suspend(until=datetime(2030, 1, 1, tzinfo=UTC)).suspension.resume_at is not None
