"""Approvals that workflows ask for, answered through the kit, used as a user would."""

from dataclasses import dataclass

import pytest

from mainspring import App, RunFailedError, approval, either, otherwise, when
from mainspring.errors import ConflictError, ForbiddenError, InvalidInputError
from mainspring.testing import Kit

app = App("shop")


@dataclass
class Terms:
    limit: int
    approved: bool = False


@app.job
def ship(order: int, limit: int) -> str:
    return f"order {order}, up to {limit}"


@app.job
def refuse(order: int) -> str:
    return f"order {order} is refused"


@app.workflow
def large_order(order: int) -> str:
    terms = approval("A large order", form=Terms, details={"order": order}, timeout="2d")
    with when(terms.approved):
        shipped = ship.step(order, terms.limit)
    with otherwise():
        refused = refuse.step(order)
    return either(shipped, refused, default="")


@app.workflow
def vital_order(order: int) -> str:
    return refuse.as_step(after=approval("Two people", approvers=["anna", "bert"], approvals=2))(order)


@app.workflow
def own_order(order: int) -> str:
    return refuse.as_step(after=approval("Not your own", four_eyes=True))(order)


def test_an_approved_step_passes_its_form_on() -> None:
    with Kit(app) as kit:
        run = large_order.enqueue_sync(7)
        kit.drain_sync()
        [asked] = kit.sync_client.approvals.list().approvals
        ended = kit.approve_sync(run, {"limit": 500})

        assert (asked.title, asked.details, asked.workflow_run) == ("A large order", {"order": 7}, run.id)
        assert run.result() == "order 7, up to 500"
        assert {one.job for one in ended} >= {"ship", "large_order"}


async def test_a_rejected_step_takes_the_other_branch() -> None:
    with Kit(app) as kit:
        run = await large_order.enqueue(7)
        await kit.drain()
        await kit.approve(run, approved=False)

        assert await run.result() == "order 7 is refused"
        kit.assert_not_enqueued(ship)


def test_each_run_is_answered_by_itself() -> None:
    with Kit(app) as kit:
        first, second = large_order.enqueue_sync(1), large_order.enqueue_sync(2)
        kit.drain_sync()
        kit.approve_sync(second, {"limit": 5})

        assert second.result() == "order 2, up to 5"
        assert not first.get().final


def test_an_answer_that_does_not_fit_changes_nothing() -> None:
    with Kit(app) as kit:
        run = large_order.enqueue_sync(7)
        kit.drain_sync()

        with pytest.raises(InvalidInputError, match="limit"):
            kit.approve_sync(run, {"limit": "much"})
        with pytest.raises(InvalidInputError, match="limit"):
            kit.approve_sync(run)
        kit.approve_sync(run, {"limit": 1})
        with pytest.raises(LookupError, match="waits for no approval"):
            kit.approve_sync(run, {"limit": 1})


def test_an_answer_is_given_by_name() -> None:
    with Kit(app) as kit:
        run = vital_order.enqueue_sync(7)
        kit.drain_sync()

        with pytest.raises(ForbiddenError, match="carl is not among the approvers"):
            kit.approve_sync(run, by="carl")
        kit.approve_sync(run, by="anna")
        with pytest.raises(ConflictError, match="anna has decided already"):
            kit.approve_sync(run, by="anna")
        assert not run.get().final
        kit.approve_sync(run, by="bert")
        assert run.result() == "order 7 is refused"


async def test_the_caller_who_enqueues_does_not_decide_alone() -> None:
    with Kit(app) as kit:
        run = await own_order.enqueue(7)
        await kit.drain()

        with pytest.raises(ForbiddenError, match="has started this workflow run"):
            await kit.approve(run)
        await kit.approve(run, by="anna")
        assert await run.result() == "order 7 is refused"


def test_an_approval_that_does_not_come_in_time_fails_the_workflow() -> None:
    with Kit(app) as kit:
        run = large_order.enqueue_sync(7)
        kit.advance_sync(2 * 86_400 + 1)

        with pytest.raises(RunFailedError):
            run.result()
        with pytest.raises(LookupError):
            kit.approve_sync(run, {"limit": 1})
