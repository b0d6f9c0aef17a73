"""The kit for tests of jobs, used as a user would."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any

import pytest

from mainspring import App, Context, Inject, InvalidInputError, Job, Pool, RetryPolicy
from mainspring.testing import Kit


@dataclass
class Receipt:
    order: int
    total: float


class Mailbox:
    def __init__(self) -> None:
        self.sent: list[str] = []


def get_mailbox() -> Mailbox:
    return Mailbox()


def make_app() -> App:
    app = App("shop")
    app.calls = []  # type: ignore[attr-defined]

    @app.job(queue="mail", retry=RetryPolicy(attempts=3, backoff=60))
    async def send_mail(ctx: Context, to: str) -> str:
        if to == "broken" and ctx.attempt < 3:
            raise ConnectionError("the mail server is away")
        return f"sent to {to}"

    @app.job
    def charge(order: int, total: float) -> Receipt:
        send_mail.options(delay=3600).enqueue_sync(to=f"customer {order}")
        return Receipt(order, total)

    @app.job(pool=Pool.PROCESSES)
    def crunch(n: int) -> int:
        return n * n

    @app.job
    async def greet(name: str, mailbox: Annotated[Mailbox, Inject(get_mailbox)]) -> int:
        mailbox.sent.append(name)
        return len(mailbox.sent)

    @app.job
    class Report(Job):
        queue = "reports"

        def run(self, day: str) -> str:
            return day.upper()

    app.jobs = (send_mail, charge, crunch, greet, Report)  # type: ignore[attr-defined]
    return app


@pytest.fixture
def mainspring_app() -> App:
    return make_app()


@pytest.fixture
def kit(mainspring_kit: Kit) -> Kit:
    return mainspring_kit


def jobs(kit: Kit) -> tuple:  # type: ignore[type-arg]
    return kit.app.jobs  # type: ignore[attr-defined,no-any-return]


def test_what_is_enqueued_is_seen_and_waits(kit: Kit) -> None:
    send_mail, charge, *_ = jobs(kit)
    send_mail.options(tags=["welcome"], priority=8).enqueue_sync(to="anna")

    (run,) = kit.assert_enqueued(send_mail, to="anna", having={"queue": "mail", "priority": 8, "tags": ["welcome"]})
    assert run.state == "queued"
    kit.assert_not_enqueued(send_mail, to="ben")
    kit.assert_not_enqueued(charge)


def test_what_does_not_fit_is_shown(kit: Kit) -> None:
    send_mail, *_ = jobs(kit)
    send_mail.enqueue_sync(to="anna")

    with pytest.raises(AssertionError, match=r"expected a run of send_mail .*\n.*send_mail {'to': 'anna'}"):
        kit.assert_enqueued(send_mail, to="ben")
    with pytest.raises(AssertionError, match="expected 2 runs"):
        kit.assert_enqueued(send_mail, count=2)
    with pytest.raises(AssertionError, match="expected no run"):
        kit.assert_not_enqueued(send_mail)
    with pytest.raises(LookupError, match="no 'colour'"):
        kit.assert_enqueued(send_mail, having={"colour": "red"})


def test_one_handler_runs_by_way_of_json(kit: Kit) -> None:
    send_mail, charge, crunch, greet, report = jobs(kit)

    assert kit.run_sync(charge, order=7, total=9.5) == Receipt(7, 9.5)
    assert kit.run_sync(crunch, 12) == 144
    assert kit.run_sync(greet, name="x") == 1
    assert kit.run_sync(report.handle, day="monday") == kit.run_sync(report, "monday") == "MONDAY"
    kit.assert_enqueued(send_mail, to="customer 7", count=1)
    with pytest.raises(ConnectionError, match="away"):
        kit.run_sync(send_mail, to="broken")
    with pytest.raises(InvalidInputError, match="order"):
        kit.run_sync(charge, order="seven", total=1.0)


def test_a_drain_runs_what_is_due_and_what_that_enqueues(kit: Kit) -> None:
    _, charge, crunch, _, report = jobs(kit)
    charge.enqueue_sync(order=1, total=2.0)
    crunch.enqueue_sync(n=3)
    report.enqueue_sync(day="tuesday")
    ended = kit.drain_sync()

    assert [(run.job, run.state, run.result) for run in ended] == [
        ("charge", "succeeded", {"order": 1, "total": 2.0}),
        ("crunch", "succeeded", 9),
        ("Report", "succeeded", "TUESDAY"),
    ]
    assert kit.drain_sync() == []
    assert [run.result for run in kit.advance_sync(timedelta(hours=1))] == ["sent to customer 1"]


def test_retries_happen_as_the_clock_moves(kit: Kit) -> None:
    send_mail, *_ = jobs(kit)
    handle = send_mail.enqueue_sync(to="broken")

    assert kit.drain_sync() == []
    assert handle.get().failures == 1
    (ended,) = kit.advance_sync(timedelta(days=1))
    assert (ended.state, ended.attempt, ended.result) == ("succeeded", 3, "sent to broken")
    assert ended.finished_at is not None
    assert ended.finished_at - ended.created_at < timedelta(minutes=4)


async def test_the_same_in_async_tests(kit: Kit) -> None:
    send_mail, charge, *_ = jobs(kit)
    handle = await send_mail.enqueue(to="anna")
    await charge.enqueue(order=2, total=1.0)

    assert len(await kit.drain()) == 2
    assert await handle.result() == "sent to anna"
    assert len(await kit.advance(3600)) == 1
    assert await kit.run(send_mail, to="carla") == "sent to carla"
    kit.assert_enqueued(send_mail, count=2)


def test_an_app_is_as_it_was_after_its_kit(mainspring_app: App) -> None:
    before = mainspring_app.client, mainspring_app.sync_client
    with Kit(mainspring_app):
        assert mainspring_app.client is not before[0]

    assert (mainspring_app.client, mainspring_app.sync_client) == before


def test_providers_are_overridden_in_a_kit(mainspring_app: App) -> None:
    *_, greet, _ = mainspring_app.jobs  # type: ignore[attr-defined]
    box = Mailbox()
    with mainspring_app.override(get_mailbox, lambda: box), Kit(mainspring_app) as kit:
        greet.enqueue_sync(name="anna")
        kit.drain_sync()

    assert box.sent == ["anna"]


def test_a_loop_of_the_test_s_own_does_not_matter(kit: Kit) -> None:
    send_mail, *_ = jobs(kit)

    async def both() -> tuple[str, int]:
        sync_handle = send_mail.enqueue_sync(to="a")
        await send_mail.enqueue(to="b")
        ended = await kit.drain()
        return sync_handle.get().state, len(ended)

    assert asyncio.run(both()) == ("succeeded", 2)


STANDING = r"is still queued, and in a test kit nothing runs by itself: drain\(\) or advance\(\) moves it"


@pytest.mark.parametrize("timeout", [None, 1, timedelta(hours=1)])
def test_waiting_for_what_nothing_runs_ends_at_once(kit: Kit, timeout: float | timedelta | None) -> None:
    _, _, crunch, *_ = jobs(kit)
    handle = crunch.enqueue_sync(n=3)

    with pytest.raises(TimeoutError, match=STANDING):
        handle.result(timeout=timeout)
    kit.drain_sync()
    assert handle.result(timeout=timeout) == 9


async def test_awaiting_it_ends_at_once_as_well(kit: Kit) -> None:
    send_mail, *_ = jobs(kit)
    handle = await send_mail.options(delay=60).enqueue(to="anna")

    with pytest.raises(TimeoutError, match=STANDING):
        await handle.wait()
    ended, sent = await asyncio.gather(kit.advance(60), handle.result(timeout=30))
    assert [run.id for run in ended] == [handle.id]
    assert sent == "sent to anna"


@pytest.mark.parametrize("timeout", [None, 30])
def test_a_handler_may_wait_for_what_it_asked_for(timeout: float | None) -> None:
    app = App("shop")

    @app.job
    async def half(n: int) -> int:
        return n // 2

    @app.job
    async def quarter(n: int) -> int:
        return await (await half.enqueue(await (await half.enqueue(n)).result(timeout))).result(timeout)

    @app.job
    def plain_quarter(n: int) -> int:
        return half.enqueue_sync(half.enqueue_sync(n).result(timeout)).result(timeout)

    with Kit(app) as kit:
        handles = quarter.enqueue_sync(20), plain_quarter.enqueue_sync(40)
        kit.drain_sync()
        assert [each.result() for each in handles] == [5, 10]


@pytest.mark.parametrize("by", [-5, timedelta(seconds=-1), float("nan"), float("inf")])
def test_the_clock_goes_forward_only(kit: Kit, by: float | timedelta) -> None:
    before = kit.clock.now()

    with pytest.raises(InvalidInputError, match="the clock goes forward only") as refused:
        kit.advance_sync(by)
    assert (refused.value.field, kit.clock.now()) == ("by", before)


def test_a_sliced_job_is_run_with_all_its_slices() -> None:
    app = App("shop")

    @app.job(slices=3)
    def count(ctx: Context, upto: int) -> list[int]:
        return list(range(ctx.slice.index, upto, ctx.slice.total))

    @app.job(route="broadcast")
    def clear(ctx: Context) -> int:
        return ctx.slice.total

    with Kit(app) as kit:
        found: list[Any] = [kit.run_sync(count, 5), kit.run_sync(clear)]
    assert found == [[[0, 3], [1, 4], [2]], [1]]
