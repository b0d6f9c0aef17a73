"""Handlers that wait for runs, events and times without a slot, through the kit, used as a user would."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from mainspring import App, Context, RunFailedError
from mainspring.errors import InvalidInputError
from mainspring.testing import Kit


@dataclass
class Answer:
    order: int
    accepted: bool


class Shop:
    """An app whose handlers write down what they do."""

    def __init__(self) -> None:
        self.app = App("shop")
        self.did: list[object] = []


@pytest.fixture
def shop() -> Shop:
    return Shop()


def test_a_handler_waits_for_the_result_of_another_job(shop: Shop) -> None:
    @shop.app.job
    def pack(order: int) -> str:
        shop.did.append(f"pack {order}")
        return f"parcel {order}"

    @shop.app.job
    async def ship(ctx: Context, order: int) -> str:
        parcel = await ctx.call("pack", pack, order)
        shop.did.append(f"ship {parcel}")
        return parcel

    with Kit(shop.app) as kit:
        run = ship.enqueue_sync(7)
        kit.drain_sync()
        assert run.result() == "parcel 7"
        assert shop.did == ["pack 7", "ship parcel 7"]
        [packed] = kit.enqueued(pack)
        assert packed.state == "succeeded"


def test_a_plain_handler_waits_as_well(shop: Shop) -> None:
    @shop.app.job
    def pack(order: int) -> str:
        return f"parcel {order}"

    @shop.app.job
    def ship(ctx: Context, order: int) -> str:
        first = ctx.call("first", pack, order).wait_sync()
        [second, third] = ctx.gather_sync(ctx.call("second", pack, order + 1), ctx.call("third", pack, order + 2))
        return f"{first}, {second}, {third}"

    with Kit(shop.app) as kit:
        run = ship.enqueue_sync(1)
        kit.drain_sync()
        assert run.result() == "parcel 1, parcel 2, parcel 3"


def test_a_call_that_failed_raises_in_the_handler_that_waits(shop: Shop) -> None:
    @shop.app.job
    def pack(order: int) -> str:
        raise ValueError(f"no box for {order}")

    @shop.app.job
    async def ship(ctx: Context, order: int) -> str:
        try:
            return await ctx.call("pack", pack, order)
        except RunFailedError as error:
            return f"failed: {error}"

    with Kit(shop.app) as kit:
        run = ship.enqueue_sync(7)
        kit.drain_sync()
        assert run.result().startswith("failed: ")


def test_a_handler_sleeps_without_a_slot(shop: Shop) -> None:
    @shop.app.job
    async def remind(ctx: Context) -> str:
        await ctx.sleep("rest", "3d")
        shop.did.append("reminded")
        return "done"

    with Kit(shop.app) as kit:
        run = remind.enqueue_sync()
        kit.drain_sync()
        found = kit.sync_client.get(run.id)
        assert (found.state, found.reason) == ("waiting", "steps")
        kit.advance_sync(2 * 86_400)
        assert shop.did == []
        kit.advance_sync(86_400)
        assert run.result() == "done"


def test_a_handler_waits_for_an_event_that_matches(shop: Shop) -> None:
    @shop.app.job
    async def negotiate(ctx: Context, order: int) -> bool:
        answer = await ctx.event("answer", "offer.answered", data=Answer, match={"order": order}, timeout="2d")
        return answer is not None and answer.accepted

    with Kit(shop.app) as kit:
        run = negotiate.enqueue_sync(7)
        kit.drain_sync()
        kit.publish_sync("offer.answered", {"order": 8, "accepted": True})
        kit.drain_sync()
        assert kit.sync_client.get(run.id).state == "waiting"
        kit.publish_sync("offer.answered", {"order": 7, "accepted": True})
        kit.drain_sync()
        assert run.result() is True


def test_an_event_that_does_not_come_in_time_is_none(shop: Shop) -> None:
    @shop.app.job
    async def negotiate(ctx: Context) -> str:
        answer = await ctx.event("answer", "offer.answered", data=Answer, timeout="2d")
        return "late" if answer is None else "answered"

    with Kit(shop.app) as kit:
        run = negotiate.enqueue_sync()
        kit.advance_sync(3 * 86_400)
        assert run.result() == "late"


def test_a_loop_of_waits_remembers_each(shop: Shop) -> None:
    @shop.app.job
    def offer(order: int, turn: int) -> int:
        shop.did.append(turn)
        return order + turn

    @shop.app.job
    async def negotiate(ctx: Context, order: int) -> list[int]:
        found = []
        for turn in range(5):
            found.append(await ctx.call(f"offer {turn}", offer, order, turn))
            await ctx.sleep(f"rest {turn}", 60)
        return found

    with Kit(shop.app) as kit:
        run = negotiate.enqueue_sync(10)
        kit.advance_sync(600)
        assert run.result() == [10, 11, 12, 13, 14]
        assert shop.did == [0, 1, 2, 3, 4]


def test_a_cancel_of_a_run_that_waits_cancels_its_calls(shop: Shop) -> None:
    @shop.app.job
    async def rest(ctx: Context) -> None:
        await ctx.sleep("rest", "1d")

    @shop.app.job
    async def outer(ctx: Context) -> None:
        await ctx.call("rest", rest)

    with Kit(shop.app) as kit:
        run = outer.enqueue_sync()
        kit.drain_sync()
        kit.sync_client.cancel(run.id)
        kit.drain_sync()
        assert kit.sync_client.get(run.id).state == "cancelled"
        assert {one.state for one in kit.enqueued(rest)} == {"cancelled"}


def test_a_handler_calls_a_workflow(shop: Shop) -> None:
    @shop.app.job
    def charge(order: int) -> int:
        return order * 100

    @shop.app.workflow
    def fulfil(order: int) -> int:
        return charge.step(order)

    @shop.app.job
    async def close(ctx: Context, order: int) -> int:
        return await ctx.call("fulfil", fulfil, order)

    with Kit(shop.app) as kit:
        run = close.enqueue_sync(3)
        kit.drain_sync()
        assert run.result() == 300


def test_a_wait_whose_name_was_used_is_refused(shop: Shop) -> None:
    @shop.app.job
    async def twice(ctx: Context) -> str:
        try:
            await ctx.gather(ctx.sleep("rest", 1), ctx.sleep("rest", 2))
        except InvalidInputError as error:
            return error.code
        return ""

    with Kit(shop.app) as kit:
        run = twice.enqueue_sync()
        kit.drain_sync()
        assert run.result() == "step_repeated"


def test_a_length_that_is_none_is_refused(shop: Shop) -> None:
    @shop.app.job
    async def rest(ctx: Context) -> str:
        try:
            await ctx.sleep("rest", "soon")
        except InvalidInputError as error:
            return error.code
        return ""

    with Kit(shop.app) as kit:
        run = rest.enqueue_sync()
        kit.drain_sync()
        assert run.result() == "bad_wait"


def test_a_call_of_a_job_that_is_not_there_fails_where_it_waits(shop: Shop) -> None:
    class Nowhere:
        name = "nowhere"
        read_result = str

        def arguments_of(self) -> bytes:
            return b"{}"

    @shop.app.job
    async def outer(ctx: Context) -> str:
        try:
            return await ctx.call("there", Nowhere())
        except RunFailedError as error:
            return str(error)

    with Kit(shop.app) as kit:
        run = outer.enqueue_sync()
        kit.drain_sync()
        assert "unknown_job" in run.result()


def test_a_handler_that_waits_is_not_run_by_itself(shop: Shop) -> None:
    @shop.app.job
    async def rest(ctx: Context) -> None:
        await ctx.sleep("rest", 1)

    with Kit(shop.app) as kit, pytest.raises(RuntimeError, match="enqueue it"):
        kit.run_sync(rest)


def test_time_is_moved_on_by_a_length_as_people_write_it(shop: Shop) -> None:
    @shop.app.job
    async def nap(ctx: Context) -> str:
        await ctx.sleep("rest", timedelta(hours=26))
        return "awake"

    with Kit(shop.app) as kit:
        run = nap.enqueue_sync()
        kit.drain_sync()
        assert kit.advance_sync("1d") == []
        kit.advance_sync("2h")
        assert run.result() == "awake"
        for by in ("soon", "-1h", ""):
            with pytest.raises(InvalidInputError, match="the clock goes forward only"):
                kit.advance_sync(by)
